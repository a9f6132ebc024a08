// Rows of instances, remembered for half a second: an execute costs no look-up, and a change is seen everywhere within one.
import { ConnectorError } from '../../errors.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import type { InstanceRow } from '../store/instances.ts'
import type { Store } from '../store/store.ts'
import { isUuid } from '../store/uuid.ts'
import { ownerOf, type Principal } from '../tokens/principal.ts'
import { dropOldest } from '../drop-oldest.ts'

const CACHE_MS = 500
const MAX_CACHED = 10_000

export interface Rows {
  /** The row as this principal sees it. Throws `instance_unknown`, for a foreign id exactly as for one that never was. */
  get(principal: Principal, id: string): Promise<InstanceRow>
  /** The same row at once, where it was read a moment ago; null: ask `get`. */
  known(principal: Principal, id: string): InstanceRow | null
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
    dropOldest(cache, MAX_CACHED)
    return row
  }

  function known(principal: Principal, id: string): InstanceRow | null {
    const kept = cache.get(id)
    if (kept === undefined || kept.until <= clock.monotonic()) return null
    return isVisible(principal, kept.row) ? kept.row : null
  }

  return {
    read,
    known,
    async get(principal, id) {
      return known(principal, id) ?? (await read(principal, id))
    },
    forget: (id) => void cache.delete(id),
  }
}

const NO_ID = '00000000-0000-0000-0000-000000000000'

function isVisible(principal: Principal, row: InstanceRow): boolean {
  const { organizationId, externalUserId, connectorTypes, connectorIds } = principal
  return (
    row.organizationId === organizationId &&
    (externalUserId === null || row.externalUserId === externalUserId) &&
    (connectorTypes === null || connectorTypes.includes(row.connectorType)) &&
    (connectorIds === null || connectorIds.includes(row.id))
  )
}

export function instanceUnknown(): ConnectorError {
  return new ConnectorError('instance_unknown', 'there is no such connector instance')
}
