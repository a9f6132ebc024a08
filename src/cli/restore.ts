// `tenon restore`: a backup into an empty store.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { KEY_FILE } from '../service/vault/keys/file-keys.ts'
import { BackupError, type BackupManifest, restore, type Restored } from '../hosting/backup.ts'
import { openKeys } from '../hosting/keys.ts'
import { placeOf } from '../hosting/store-place.ts'
import type { ServiceSettings } from '../service/settings.ts'
import type { CommandContext, CommandModule } from './command.ts'
import { EXIT, type ExitCode, FailedError } from './exit-codes.ts'
import { createProgress } from './progress.ts'
import { readSettings, type SettingsFlags } from './service-settings.ts'

interface RestoreFlags extends SettingsFlags {
  readonly json?: boolean
  readonly skip?: boolean
}

export const notes = `Stop the services first, also those that wrote the backup: two services with the same refresh tokens end each other's
connections. The store must be empty. Give it the master keys that it had.`

export const examples: CommandModule['examples'] = [
  'tenon restore /backups/tenon-monday.backup --data ./tenon-data',
  'DATABASE_URL=postgres://… TENON_MASTER_KEYS=k1:… tenon restore tenon.backup',
]

export const configure: CommandModule['configure'] = (command, context, done) => {
  command
    .argument('<file>', 'a backup; its manifest <file>.json lies beside it')
    .option('--data <folder>', 'folder of the embedded store; must be new or empty')
    .option('--config <file>', 'YAML file with settings')
    .option('--skip', 'leave out rows that cannot be restored, and name them')
    .option('--json', 'print the manifest, and the rows that were left out')
    .action(async (file: string, flags: RestoreFlags) =>
      done(await runRestore(file, flags, context)),
    )
}

async function runRestore(
  name: string,
  flags: RestoreFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const settings = readSettings(context, flags)
  const { manifest, rows, skipped } = await restored(
    resolve(context.folder, name),
    settings,
    flags.skip === true,
  )
  const missing = await missingKeys(manifest, settings)
  const { out, err } = context.terminal
  if (flags.json === true) out.write(`${JSON.stringify({ ...manifest, skipped })}\n`)
  else {
    for (const [table, count] of Object.entries(rows)) out.write(`${table}  ${count}\n`)
  }
  if (skipped.length > 0)
    err.write(`Left out, because they cannot be restored:\n${skipped.join('\n')}\n`)
  if (missing.length > 0) {
    const place =
      settings.databaseUrl === null
        ? `put ${KEY_FILE} into ${settings.data}, or set TENON_MASTER_KEYS`
        : 'set TENON_MASTER_KEYS'
    err.write(`Before the start: ${place}. Needed: ${missing.join(', ')}.\n`)
  }
  return EXIT.done
}

async function restored(file: string, settings: ServiceSettings, skip: boolean): Promise<Restored> {
  const progress = createProgress({ label: 'rows', stream: process.stderr })
  try {
    return await restore(file, placeOf(settings), {
      skip,
      onProgress: (rows, total) => progress.update(rows, total),
    })
  } catch (error) {
    throw error instanceof BackupError ? new FailedError(error.message) : error
  } finally {
    progress.end()
  }
}

/** Those that the data needs and the settings do not give. Makes no key file. */
async function missingKeys(
  { master_keys: needed }: BackupManifest,
  settings: ServiceSettings,
): Promise<readonly string[]> {
  const isGiven = settings.masterKeys !== null || existsSync(join(settings.data, KEY_FILE))
  if (!isGiven) return needed
  const { keyIds } = await openKeys(settings)
  return needed.filter((id) => !keyIds.includes(id))
}
