// `tenon store`: from the embedded store to PostgreSQL, or back; and where what is in PostgreSQL lies.
import { resolve } from 'node:path'
import { CopyError, copyStore } from '../service/store/open/copy-store.ts'
import { openStore, type StoreLocation } from '../service/store/open/open-store.ts'
import { hasEmbeddedStore } from '../hosting/data-place.ts'
import { spreadOf } from '../hosting/distributed-tables.ts'
import { type Configure, family, JSON_OPTION, leaf, wholeNumber } from './command.ts'
import { FailedError } from './exit-codes.ts'
import { readSettings, STORE_OPTIONS } from './service-settings.ts'
import { tableFor } from './table.ts'
import { formatBytes, withProgress } from './progress.ts'
import { formatCounts } from './terminal.ts'

export const docs = 'operation#moving-to-postgresql'
export const notes = `The master keys go with the data: give the copy the same TENON_MASTER_KEYS, or the key file.`

export const examples: readonly string[] = [
  'tenon store copy --from ./tenon-data --to "$DATABASE_URL"',
  'tenon store spread --limit 20',
]

const copy = leaf({
  options: {
    '--from <place>': { text: 'a data folder, or postgres://…', isRequired: true },
    '--to <place>': { text: 'a data folder, or postgres://…', isRequired: true },
    ...JSON_OPTION,
  },
  async run({ from, to }, { folder, terminal }) {
    const place = locationOf(from, folder)
    if ('folder' in place && !hasEmbeddedStore(place.folder))
      throw new FailedError(`there is no store in ${from}; --from names its folder`)
    await using open = new AsyncDisposableStack()
    const source = open.adopt(await openStore(place), (store) => store.close())
    const location = locationOf(to, folder)
    const target = open.adopt(await openStore(location), (store) => store.close())
    try {
      const { rows } = await withProgress(terminal.err, { label: 'rows' }, (update) =>
        copyStore(source, target, { onProgress: (count) => update(count, null) }),
      )
      return { value: rows, shown: formatCounts(rows) }
    } catch (error) {
      throw error instanceof CopyError ? new FailedError(error.message) : error
    }
  },
})

const spread = leaf({
  options: {
    '--limit <n>': { text: 'at most this many instances', default: 10, parse: wholeNumber },
    ...STORE_OPTIONS,
  },
  async run({ limit, ...flags }, context) {
    const found = await spreadOf(readSettings(context, flags), limit)
    const { out } = context.terminal
    const nodes = found.nodes.map(({ bytes, ...node }) => ({ ...node, size: formatBytes(bytes) }))
    const tenants = found.tenants.map(({ bytes, share, shard, ...tenant }) => ({
      instance_id: tenant.instance_id,
      records: tenant.records,
      size: formatBytes(bytes),
      share: `${(share * 100).toFixed(1)} %`,
      node: tenant.node,
      ...(shard === null ? {} : { shard }),
      organization_id: tenant.organization_id,
      connector_type: tenant.connector_type,
    }))
    const head = found.citus ? '' : 'There is one node: this PostgreSQL has no Citus.\n\n'
    const said = tenants.length === 0 ? 'There are no copies yet.\n' : tableFor(out, tenants)
    return { value: found, shown: `${head}${tableFor(out, nodes)}\n${said}` }
  },
})

export const configure: Configure = family({
  copy: ['copy everything into an empty store; stop the services that write first', copy],
  spread: ['show what lies on which node of the database, and the largest instances', spread],
})

function locationOf(text: string, folder: string): StoreLocation {
  return /^postgres(ql)?:\/\//.test(text) ? { url: text } : { folder: resolve(folder, text) }
}
