// The event of a copy that has changed: one for a run or a write, however many records it has changed.
import type { ChangesPlace } from '../../copy/search/changes.ts'
import { LostLease, readServing, type SearchIndex } from '../../copy/search/search-index.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { Cursors } from '../cursors.ts'
import type { Emit } from '../events/emit.ts'
import type { InstanceRow } from '../store/instances.ts'
import { placeBehind, sealChangesPlace } from './copy-changes.ts'

export interface TellChangedPorts {
  readonly index: Pick<SearchIndex, 'copies' | 'entries' | 'write'>
  readonly emit: Emit
  readonly cursors: Pick<Cursors, 'seal'>
}

/** `about`: what has changed it. Throws `store_unavailable`. */
export type TellChanged = (row: InstanceRow, entity: string, about: JsonObject) => Promise<void>

/** The place in the changes up to which they were told. */
const TOLD = 'told'

/**
 * Tells that a copy has changed, and from where its changes are to be read: from the place up to which the event before
 * has told them, so that an event that was lost leaves no gap.
 */
export function createTellChanged({ index, emit, cursors }: TellChangedPorts): TellChanged {
  return async (row, entity, about) => {
    const name = { instanceId: row.id, entity }
    const copy = await readServing(index, name)
    const [told] = await index.entries(name, TOLD)
    // Written below.
    const place =
      told === undefined ? null : (JSON.parse(Buffer.from(told.value).toString()) as ChangesPlace)
    const since = place === null ? null : await sealChangesPlace(cursors, row, entity, place)
    await emit(row, 'records.changed', { entity, ...about, since })
    if (copy === undefined) return
    const value = Buffer.from(JSON.stringify(placeBehind(copy)))
    const entries = [{ name: TOLD, value }]
    try {
      await index.write({ copy, fence: null, observedAtMs: 0, entries })
    } catch (error) {
      // Another copy took over meanwhile: the next event begins where this one has.
      if (!(error instanceof LostLease)) throw error
    }
  }
}
