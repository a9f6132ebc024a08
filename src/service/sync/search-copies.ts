// `search`: answered from the copy, never from the third party.
import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { createSealer } from '../../engine/run/seal.ts'
import { isConnectorError } from '../../errors.ts'
import type { Json } from '../../language/json/json.ts'
import { createCursorSeal } from '../../copy/search/cursor.ts'
import { createSearch, type SearchAnswer, type SearchCall } from '../../copy/search/search.ts'
import type { SearchIndex } from '../../copy/search/search-index.ts'
import type { InstanceRow } from '../store/instances.ts'
import type { ServiceBase } from '../base.ts'
import { organizationKeyOwner } from '../store/owner.ts'
import type { SearchGate } from './search-gate.ts'
import { isSynchronizing } from './sync-settings.ts'

export interface SearchCopiesPorts extends Pick<ServiceBase, 'clock'> {
  readonly vault: Pick<ServiceBase['vault'], 'deriveKeys'>
  readonly index: SearchIndex
  readonly gate: SearchGate
  readonly intervalMs: (row: InstanceRow, entity: string) => number
}

/** Throws what `createSearch` and the gate throw. With `auth_error` the copy is there, and counts as stale. */
export type SearchCopies = (
  row: InstanceRow,
  entity: string,
  params: Json,
  signal: AbortSignal,
) => Promise<SearchAnswer>

const MAX_SEARCHES = 1_000

export function createSearchCopies(ports: SearchCopiesPorts): SearchCopies {
  const { index, vault, clock, gate, intervalMs } = ports
  const ownSecret = randomBytes(32)
  /** By organisation: its cursors are sealed under a key of its own. */
  const searches = new Map<
    string,
    { readonly key: string; readonly run: (call: SearchCall) => Promise<SearchAnswer> }
  >()

  async function searchOf(
    organizationId: string,
  ): Promise<(call: SearchCall) => Promise<SearchAnswer>> {
    // Good for the life of this process: for searches of an organisation whose key a full disk does not take yet.
    const ownKey = createHmac('sha256', ownSecret).update(organizationId).digest()
    const owner = organizationKeyOwner(organizationId)
    try {
      return keyedBy(organizationId, [...(await vault.deriveKeys(owner, 'search-cursors')), ownKey])
    } catch (unavailable) {
      if (!isConnectorError(unavailable, 'store_unavailable')) throw unavailable
      const run = keyedBy(organizationId, [ownKey])
      return (call) =>
        run(call).catch((error: unknown) => {
          // It may be a good one that the missing key opens.
          throw isConnectorError(error, 'cursor_invalid') ? unavailable : error
        })
    }
  }

  function keyedBy(
    organizationId: string,
    keys: readonly Uint8Array[],
  ): (call: SearchCall) => Promise<SearchAnswer> {
    const name = Buffer.concat(keys).toString('base64')
    const known = searches.get(organizationId)
    if (known?.key === name) return known.run
    // There is one at least.
    const [first = ownSecret, ...others] = keys
    const sealer = createSealer(
      createSecretKey(first),
      ...others.map((key) => createSecretKey(key)),
    )
    const cursors = createCursorSeal(sealer, () => clock.now())
    const run = createSearch({ index, cursors, clock })
    if (searches.size >= MAX_SEARCHES) searches.clear()
    searches.set(organizationId, { key: name, run })
    return run
  }

  return async (row, entity, params, signal) => {
    const { organizationId } = row
    const run = await searchOf(organizationId)
    return await gate.run(organizationId, signal, (spentMs) =>
      run({
        organizationId,
        instanceId: row.id,
        entity,
        params,
        intervalMs: intervalMs(row, entity),
        active: isSynchronizing(row),
        spentMs,
      }),
    )
  }
}
