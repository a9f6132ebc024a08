// `tenon store copy`: from the embedded store to PostgreSQL, or back.
import { resolve } from 'node:path'
import { CopyError, copyStore } from '../service/store/open/copy-store.ts'
import { openStore, type StoreLocation } from '../service/store/open/open-store.ts'
import { hasEmbeddedStore } from '../hosting/data-place.ts'
import { type Configure, family, leaf } from './command.ts'
import { FailedError } from './exit-codes.ts'
import { formatCounts, withProgress } from './terminal.ts'

export const docs = 'operation#moving-to-postgresql'
export const notes = `The master keys go with the data: give the copy the same TENON_MASTER_KEYS, or the key file.`

export const examples: readonly string[] = [
  'tenon store copy --from ./tenon-data --to "$DATABASE_URL"',
]

const copy = leaf({
  options: {
    '--from <place>': { text: 'a data folder, or postgres://…', isRequired: true },
    '--to <place>': { text: 'a data folder, or postgres://…', isRequired: true },
    '--json': 'print JSON',
  },
  async run({ from, to }, { folder }) {
    const place = locationOf(from, folder)
    if ('folder' in place && !hasEmbeddedStore(place.folder))
      throw new FailedError(`there is no store in ${from}; --from names its folder`)
    await using open = new AsyncDisposableStack()
    const source = open.adopt(await openStore(place), (store) => store.close())
    const location = locationOf(to, folder)
    const target = open.adopt(await openStore(location), (store) => store.close())
    try {
      const { rows } = await withProgress('rows', (update) =>
        copyStore(source, target, { onProgress: (count) => update(count, null) }),
      )
      return { value: rows, shown: formatCounts(rows) }
    } catch (error) {
      throw error instanceof CopyError ? new FailedError(error.message) : error
    }
  },
})

export const configure: Configure = family({
  copy: ['copy everything into an empty store; stop the services that write first', copy],
})

function locationOf(text: string, folder: string): StoreLocation {
  return /^postgres(ql)?:\/\//.test(text) ? { url: text } : { folder: resolve(folder, text) }
}
