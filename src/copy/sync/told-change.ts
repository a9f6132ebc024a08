// A change that the third party has told of, brought into the copy: the record is read, or taken as it was told.
import type { Json, JsonObject } from '../../language/json/json.ts'
import { readServing } from '../search/search-index.ts'
import { askOne } from './ask-one.ts'
import {
  type ChangedRecords,
  findParent,
  type OneRecordPorts,
  type RecordPlace,
  removeRecord,
  storeRecord,
} from './one-record.ts'
import { recordOf, type SyncedEntity } from './synced-entity.ts'

export interface ToldRecord {
  readonly instanceId: string
  readonly entity: string
  readonly change:
    | { readonly kind: 'read'; readonly params: JsonObject }
    | { readonly kind: 'record'; readonly record: Json; readonly params: JsonObject }
    | { readonly kind: 'removed'; readonly key: string }
    | { readonly kind: 'unclear' }
  /** When it was told, in milliseconds since 1970. */
  readonly toldAtMs: number
}

const NONE: ChangedRecords = new Map()

/** Applies such a change. Null: the entity is to be read. Throws what asking the third party throws. */
export async function applyToldRecord(
  ports: OneRecordPorts,
  entities: ReadonlyMap<string, SyncedEntity>,
  told: ToldRecord,
  signal: AbortSignal,
): Promise<ChangedRecords | null> {
  const { instanceId, change, toldAtMs } = told
  const entity = entities.get(told.entity)
  if (entity === undefined) return NONE
  const copies = await ports.index.copies({ instanceId, entity: entity.name })
  // What was never read will be read with this change in it.
  if (copies.length === 0) return NONE
  const place: RecordPlace = { ports, instanceId, entities, entity, copies, signal }
  switch (change.kind) {
    case 'unclear':
      return null
    case 'removed':
      return await removeRecord(place, change.key, toldAtMs)
    case 'read': {
      const askedAtMs = ports.clock.now()
      const record = await askOne(
        ports.upstream,
        entity,
        { known: change.params, id: null },
        signal,
      )
      return record === null || record === undefined
        ? null
        : await storeBelow(place, { record, askedAtMs }, change.params)
    }
    case 'record':
      return (await isOutdated(place, change.record))
        ? NONE
        : await storeBelow(place, { record: change.record, askedAtMs: toldAtMs }, change.params)
  }
}

async function storeBelow(
  place: RecordPlace,
  asked: Parameters<typeof storeRecord>[1],
  params: JsonObject,
): Promise<ChangedRecords | null> {
  const parent = await findParent(place, params)
  return parent === undefined ? null : await storeRecord(place, asked, parent)
}

/** Whether the copy has a newer form of the record: what is told may arrive in another order than it happened. */
async function isOutdated(
  { ports, entity, instanceId }: RecordPlace,
  record: Json,
): Promise<boolean> {
  const toldMs = timeOf(entity.cursorOf(record))
  const serving = await readServing(ports.index, { instanceId, entity: entity.name })
  if (toldMs === null || serving === undefined) return false
  const [stored] = await ports.index.records(serving, [entity.toRow(record).recordId])
  const storedMs = stored === undefined ? null : timeOf(entity.cursorOf(recordOf(entity, stored)))
  return storedMs !== null && storedMs > toldMs
}

/** Numbers are compared with numbers, times with times; null: neither. */
function timeOf(value: Json | undefined): number | null {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return null
  const time = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Date.parse(value)
  return Number.isNaN(time) ? null : time
}
