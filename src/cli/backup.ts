// `tenon backup`: everything the service keeps in one file, while services run.
import { resolve } from 'node:path'
import { backUp, BackupError, manifestFile } from '../hosting/backup.ts'
import { type Configure, leaf } from './command.ts'
import { EXIT, FailedError } from './exit-codes.ts'
import { openSettingsStore, readSettings, requireStore, STORE_OPTIONS } from './service-settings.ts'
import { formatBytes, withProgress } from './progress.ts'
import { packageVersion } from '../package-file.ts'

export const notes = `One SQLite file, from the embedded store and from PostgreSQL alike; either can be restored from it. Services go on
meanwhile. The master keys are not in it: keep them apart from it. Nor are synchronized copies, which are filled again.`

export const examples: readonly string[] = [
  'tenon backup /backups/tenon-monday.backup',
  'DATABASE_URL=postgres://… TENON_MASTER_KEYS=k1:… tenon backup tenon.backup',
]

export const configure: Configure = leaf({
  arguments: { '<file>': 'a new file; its manifest becomes <file>.json' },
  options: { ...STORE_OPTIONS, '--json': 'print the manifest' },
  async run({ json, ...given }, context) {
    const settings = readSettings(context, given)
    requireStore(settings)
    const file = resolve(context.folder, given.file)
    const store = await openSettingsStore(settings)
    try {
      const manifest = await withProgress('rows', (update) =>
        backUp(store, file, {
          now: Date.now(),
          version: packageVersion(),
          onProgress: (rows) => update(rows, null),
        }),
      )
      const { out, err } = context.terminal
      const { unreadable = [], bytes, rows, master_keys: keys } = manifest
      if (json === true) out.write(`${JSON.stringify(manifest)}\n`)
      else {
        const count = Object.values(rows).reduce((sum, each) => sum + each, 0)
        out.write(`${file}  ${formatBytes(bytes)}, ${count} rows\n${manifestFile(file)}\n`)
        if (keys.length > 0)
          out.write(
            `The master keys (${keys.join(', ')}) are not in it: keep them in another place.\n`,
          )
        if (unreadable.length > 0)
          err.write(
            `The backup was read back, and these rows cannot be restored; tenon restore --skip leaves them out:\n${unreadable.join('\n')}\n`,
          )
      }
      return unreadable.length === 0 ? EXIT.done : EXIT.failed
    } catch (error) {
      throw error instanceof BackupError ? new FailedError(error.message) : error
    } finally {
      await store.close()
    }
  },
})
