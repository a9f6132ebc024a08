// One record brought into the copies of its entity, or taken out of them, next to the syncs: after a write of ours, or because
// the third party has told of it.
import type { Json, JsonObject } from '../../language/json/json.ts'
import { ownAt } from '../../language/json/members.ts'
import { createRowMaker, type RowParent } from '../search/row.ts'
import { type CopyState, isWritten, readServing } from '../search/search-index.ts'
import { askOne } from './ask-one.ts'
import { removeChildren } from './remove-missing.ts'
import { recordOf, type SyncedEntity } from './synced-entity.ts'
import type { SyncPorts } from './sync-run.ts'

export type OneRecordPorts = Omit<SyncPorts, 'sealer'>

/** So long a row that was written here stands against listings that lag behind. */
const HELD_MS = 60_000

/** Of each entity, how many records of the copy are others than before. */
export type ChangedRecords = ReadonlyMap<string, number>

/** Which copies a record belongs to. */
export interface RecordPlace {
  readonly ports: OneRecordPorts
  readonly instanceId: string
  readonly entities: ReadonlyMap<string, SyncedEntity>
  readonly entity: SyncedEntity
  readonly copies: readonly CopyState[]
  readonly signal: AbortSignal
}

export interface AskedRecord {
  readonly record: Json
  readonly askedAtMs: number
}

/** The parent that these parameters name. Null: the entity has no parents. Undefined: the parent cannot be found. */
export async function findParent(
  { ports: { index, upstream }, instanceId, entities, entity: { sync }, signal }: RecordPlace,
  params: JsonObject,
): Promise<RowParent | null | undefined> {
  if (sync.parent === null) return null
  const entity = entities.get(sync.parent.entity)
  const [bind] = sync.parent.bind
  const id = bind === undefined ? null : textOfKey(ownAt(params, bind.param))
  if (entity === undefined || id === null) return undefined
  const serving = await readServing(index, { instanceId, entity: entity.name })
  const [stored] = serving === undefined ? [] : await index.records(serving, [id])
  if (stored !== undefined) return { id, record: recordOf(entity, stored) }
  // Callers may name the parent by another key than the copy does.
  const record = await askOne(upstream, entity, { id }, signal)
  return record === null || record === undefined
    ? undefined
    : { id: entity.toRow(record).recordId, record }
}

/** Writes a record into the copies. */
export async function storeRecord(
  { ports: { index, clock, childrenDue }, entity, copies }: RecordPlace,
  { record, askedAtMs }: AskedRecord,
  parent: RowParent | null,
): Promise<ChangedRecords> {
  const { primaryKey, ignore } = entity.sync
  let changed = 0
  for (const copy of copies) {
    const { layout } = copy
    const isPresent = layout.hash === entity.layout.hash
    const toRow = isPresent ? entity.toRow : createRowMaker({ layout, primaryKey, ignore })
    const { outcomes } = await index.write({
      copy,
      fence: null,
      observedAtMs: askedAtMs,
      holdUntilMs: clock.now() + HELD_MS,
      rows: [toRow(record, parent ?? undefined)],
      childEntities: entity.children,
    })
    if (copy.serving) changed = outcomes.filter(isWritten).length
  }
  for (const child of entity.children) childrenDue(child)
  return new Map([[entity.name, changed]])
}

/** Takes a record out of the copies, with what hangs on it. `knownAtMs`: when it was known to be gone. */
export async function removeRecord(
  place: RecordPlace,
  id: string,
  knownAtMs: number,
): Promise<ChangedRecords> {
  const { ports, entity, copies } = place
  const atMs = ports.clock.now()
  const holdUntilMs = atMs + HELD_MS
  const removed = { runId: `own/${ports.newId()}`, atMs }
  const changed = new Map(await removeChildren(ports, place, [id], { ...removed, holdUntilMs }))
  for (const copy of copies) {
    const report = await ports.index.write({
      copy,
      fence: null,
      observedAtMs: knownAtMs,
      holdUntilMs,
      remove: { ids: [id], ...removed },
    })
    if (copy.serving) changed.set(entity.name, report.removed)
  }
  return changed
}

export function textOfKey(value: Json | undefined): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}
