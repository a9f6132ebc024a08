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

export class Rows {
  readonly #store: Store
  readonly #clock: Clock
  readonly #cache = new Map<string, { readonly row: InstanceRow; readonly until: number }>()

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** The row as this principal sees it, where it was read a moment ago; null: ask `get`. */
  known(principal: Principal, id: string): InstanceRow | null {
    const kept = this.#cache.get(id)
    if (kept === undefined || kept.until <= this.#clock.monotonic()) return null
    return isVisible(principal, kept.row) ? kept.row : null
  }

  /** The same row. Throws `instance_unknown`, for a foreign id exactly as for one that never was. */
  async get(principal: Principal, id: string): Promise<InstanceRow> {
    return this.known(principal, id) ?? (await this.read(principal, id))
  }

  /** The same, read from the store now: for a caller that is about to change it. */
  async read(principal: Principal, id: string): Promise<InstanceRow> {
    // Anything but a UUID names nothing; the store is asked all the same, so that it takes as long.
    const row = await this.#store.instances.get(ownerOf(principal), isUuid(id) ? id : NO_ID)
    if (row === null) throw instanceUnknown()
    this.forget(id)
    this.#cache.set(id, { row, until: this.#clock.monotonic() + CACHE_MS })
    dropOldest(this.#cache, MAX_CACHED)
    return row
  }

  forget(id: string): void {
    this.#cache.delete(id)
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
