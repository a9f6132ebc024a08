// `tenon restore`: a backup into an empty store.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { KEY_FILE } from '../service/vault/keys/file-keys.ts'
import { BackupError, type BackupManifest, restore } from '../hosting/backup.ts'
import { openKeys, placeOf } from '../hosting/data-place.ts'
import type { ServiceSettings } from '../service/settings.ts'
import { type Configure, leaf } from './command.ts'
import { FailedError } from './exit-codes.ts'
import { withProgress } from './progress.ts'
import { formatCounts } from './terminal.ts'
import { readSettings, STORE_OPTIONS } from './service-settings.ts'

export const docs = 'operation#backups'
export const notes = `Stop the services first, also those that wrote the backup: two services with the same refresh tokens end each other's
connections. The store must be empty. Give it the master keys that it had.`

export const examples: readonly string[] = [
  'tenon restore /backups/tenon-monday.backup --data ./tenon-data',
  'DATABASE_URL=postgres://… TENON_MASTER_KEYS=k1:… tenon restore tenon.backup',
]

export const configure: Configure = leaf({
  arguments: { '<file>': 'a backup; its manifest <file>.json lies next to it' },
  options: {
    '--data <folder>': 'folder of the embedded store; must be new or empty',
    '--config <file>': STORE_OPTIONS['--config <file>'],
    '--skip': 'leave out rows that cannot be restored, and name them',
    '--json': 'print one JSON document: the manifest, and the rows that were left out',
  },
  async run({ file, skip = false, ...flags }, context) {
    const settings = readSettings(context, flags)
    const { manifest, rows, skipped } = await withProgress(
      context.terminal.err,
      { label: 'rows' },
      (onProgress) =>
        restore(resolve(context.folder, file), placeOf(settings), { skip, onProgress }),
    ).catch((error: unknown) => {
      throw error instanceof BackupError ? new FailedError(error.message) : error
    })
    const missing = await missingKeys(manifest, settings)
    const { err } = context.terminal
    if (skipped.length > 0)
      err.write(`Left out, because they cannot be restored:\n${skipped.join('\n')}\n`)
    if (missing.length > 0) {
      const file = settings.databaseUrl === null ? `put ${KEY_FILE} into ${settings.data}, or ` : ''
      err.write(`Before the start: ${file}set TENON_MASTER_KEYS. Needed: ${missing.join(', ')}.\n`)
    }
    return { value: { ...manifest, skipped }, shown: formatCounts(rows) }
  },
})

/** Those that the data needs and the settings do not give. Makes no key file. */
async function missingKeys(
  { master_keys: needed }: BackupManifest,
  settings: ServiceSettings,
): Promise<readonly string[]> {
  const isGiven = settings.masterKeys !== null || existsSync(join(settings.data, KEY_FILE))
  if (!isGiven) return needed
  await using opened = new AsyncDisposableStack()
  const { keyIds } = await openKeys(settings, opened)
  return needed.filter((id) => !keyIds.includes(id))
}
