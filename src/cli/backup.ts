// `tenon backup`: everything the service keeps in one file, while services run.
import { resolve } from 'node:path'
import { backUp, BackupError, manifestFile } from '../hosting/backup.ts'
import { type Configure, leaf } from './command.ts'
import { EXIT, FailedError } from './exit-codes.ts'
import { openSettingsStore, readSettings, requireStore, STORE_OPTIONS } from './service-settings.ts'
import { formatBytes, withProgress } from './progress.ts'
import { packageFacts } from '../late-modules.ts'

export const docs = 'operation#backups'
export const notes = `One SQLite file, from the embedded store and from PostgreSQL alike; either can be restored from it. Services go on
meanwhile. The master keys are not in it: keep them apart from it. Nor are synchronized copies, which are filled again.`

export const examples: readonly string[] = [
  'tenon backup /backups/tenon-monday.backup',
  'DATABASE_URL=postgres://… TENON_MASTER_KEYS=k1:… tenon backup tenon.backup',
]

export const configure: Configure = leaf({
  arguments: { '<file>': 'a new file; its manifest becomes <file>.json' },
  options: { ...STORE_OPTIONS, '--json': 'print one JSON document: the manifest' },
  async run(given, context) {
    const settings = readSettings(context, given)
    requireStore(settings)
    const file = resolve(context.folder, given.file)
    await using store = await openSettingsStore(settings)
    const value = await withProgress(context.terminal.err, { label: 'rows' }, (update) =>
      backUp(store, file, {
        now: Date.now(),
        version: packageFacts().version,
        onProgress: (rows) => update(rows, null),
      }),
    ).catch((error: unknown) => {
      throw error instanceof BackupError ? new FailedError(error.message) : error
    })
    const { unreadable = [], bytes, rows, master_keys: keys } = value
    const count = Object.values(rows).reduce((sum, each) => sum + each, 0)
    const written = `${file}  ${formatBytes(bytes)}, ${count} rows\n${manifestFile(file)}\n`
    const reminder = `The master keys (${keys.join(', ')}) are not in it: keep them in another place.\n`
    const shown = keys.length === 0 ? written : written + reminder
    if (unreadable.length === 0) return { value, shown }
    const note = `The backup was read back, and these rows cannot be restored; tenon restore --skip leaves them out:\n${unreadable.join('\n')}\n`
    return { value, shown, note, code: EXIT.failed }
  },
})
