// Rows of instances, remembered for half a second: an execute costs no look-up, and a change is seen everywhere within one.
import { ConnectorError } from '../../errors.ts'
import type { Clock } from '../../exchange/clock.ts'
import type { InstanceRow, Owner, Store } from '../../store/store.ts'
import { ownerOf, type Principal } from '../tokens/principal.ts'
import { isUuid } from '../uuid.ts'

const CACHE_MS = 500
const MAX_CACHED = 10_000

export interface Rows {
  /** The row as this principal sees it. Throws `instance_unknown`, for a foreign id exactly as for one that never was. */
  get(principal: Principal, id: string): Promise<InstanceRow>
  /** The same, read from the store now: for whoever is about to change it. */
  read(principal: Principal, id: string): Promise<InstanceRow>
  forget(id: string): void
}

export function createRows(store: Store, clock: Clock): Rows {
  const cache = new Map<string, { readonly row: InstanceRow; readonly until: number }>()

  async function read(principal: Principal, id: string): Promise<InstanceRow> {
    // Anything but a UUID names nothing; the store is asked all the same, so that it takes as long.
    const row = await store.instances.get(ownerOf(principal), isUuid(id) ? id : NO_ID)
    if (row === null) throw instanceUnknown()
    cache.delete(id)
    cache.set(id, { row, until: clock.monotonic() + CACHE_MS })
    const [oldest] = cache.keys()
    if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest)
    return row
  }

  return {
    read,
    async get(principal, id) {
      const known = cache.get(id)
      if (known !== undefined && known.until > clock.monotonic()) {
        if (isVisible(ownerOf(principal), known.row)) return known.row
      }
      return await read(principal, id)
    },
    forget: (id) => void cache.delete(id),
  }
}

const NO_ID = '00000000-0000-0000-0000-000000000000'

function isVisible(owner: Owner, row: InstanceRow): boolean {
  return (
    row.organizationId === owner.organizationId &&
    (owner.externalUserId === undefined || row.externalUserId === owner.externalUserId) &&
    (owner.connectorTypes === undefined || owner.connectorTypes.includes(row.connectorType)) &&
    (owner.connectorIds === undefined || owner.connectorIds.includes(row.id))
  )
}

export function instanceUnknown(): ConnectorError {
  return new ConnectorError('instance_unknown', 'there is no such connector instance')
}
