// `tenon backup`: everything the service keeps in one file, beside a running service.
import { resolve } from 'node:path'
import { backUp, BackupError, manifestFile } from '../hosting/backup.ts'
import type { CommandContext, CommandModule } from './command.ts'
import { EXIT, type ExitCode, FailedError } from './exit-codes.ts'
import { openSettingsStore, requireStore } from './open-store.ts'
import { createProgress, formatBytes } from './progress.ts'
import { readSettings, type SettingsFlags } from './service-settings.ts'
import { packageVersion } from '../package-file.ts'

interface BackupFlags extends SettingsFlags {
  readonly json?: boolean
}

export const notes = `One SQLite file, from the embedded store and from PostgreSQL alike; either can be restored from it. Services go on
meanwhile. The master keys are not in it: keep them apart from it. Nor are synchronized copies, which are filled anew.`

export const examples: CommandModule['examples'] = [
  'tenon backup /backups/tenon-monday.backup',
  'DATABASE_URL=postgres://… TENON_MASTER_KEYS=k1:… tenon backup tenon.backup',
]

export const configure: CommandModule['configure'] = (command, context, done) => {
  command
    .argument('<file>', 'a new file; its manifest becomes <file>.json')
    .option('--data <folder>', 'folder of the embedded store')
    .option('--config <file>', 'YAML file with settings')
    .option('--json', 'print the manifest')
    .action(async (file: string, flags: BackupFlags) => done(await backup(file, flags, context)))
}

async function backup(
  name: string,
  flags: BackupFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const settings = readSettings(context, flags)
  requireStore(settings)
  const file = resolve(context.folder, name)
  const store = await openSettingsStore(settings)
  try {
    const progress = createProgress({ label: 'rows', stream: process.stderr })
    const manifest = await backUp(store, file, {
      now: Date.now(),
      version: packageVersion(),
      onProgress: (rows) => progress.update(rows, null),
    }).finally(() => progress.end())
    const { out } = context.terminal
    const { unreadable = [] } = manifest
    if (flags.json === true) {
      out.write(`${JSON.stringify(manifest)}\n`)
      return unreadable.length === 0 ? EXIT.done : EXIT.failed
    }
    const rows = Object.values(manifest.rows).reduce((sum, count) => sum + count, 0)
    out.write(`${file}  ${formatBytes(manifest.bytes)}, ${rows} rows\n${manifestFile(file)}\n`)
    if (manifest.master_keys.length > 0)
      out.write(
        `The master keys (${manifest.master_keys.join(', ')}) are not in it: keep them in another place.\n`,
      )
    if (unreadable.length === 0) return EXIT.done
    context.terminal.err.write(
      `The backup was read back, and these rows cannot be restored; tenon restore --skip leaves them out:\n${unreadable.join('\n')}\n`,
    )
    return EXIT.failed
  } catch (error) {
    throw error instanceof BackupError ? new FailedError(error.message) : error
  } finally {
    await store.close()
  }
}
