// A write of our own, brought into the copy: search finds it at once, and no listing that lags behind can undo it.
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { compileBodyPath } from '../../language/expression/pick.ts'
import { kindOf } from '../../language/manifest/actions.ts'
import type { Action } from '../../language/manifest/manifest.ts'
import { readSearch } from '../search/read-query.ts'
import { askOne, hasOptions, requiredOf } from './ask-one.ts'
import {
  type AskedRecord,
  type ChangedRecords,
  findParent,
  type OneRecordPorts,
  type RecordPlace,
  removeRecord,
  storeRecord,
  textOfKey,
} from './one-record.ts'
import type { SyncedEntity } from './synced-entity.ts'

export interface OwnWrite {
  readonly instanceId: string
  readonly action: Action
  readonly params: JsonObject
  /** What the third party answered; null for a delete of what was gone already. */
  readonly data: Json
  /** When the write was begun, in milliseconds since 1970. */
  readonly sentAtMs: number
}

/** A vendor may need a moment to find what it has just made. */
const TRIES = 3
const TRY_EVERY_MS = 300

const NONE: ChangedRecords = new Map()

interface Applying extends RecordPlace {
  readonly write: OwnWrite
}

/** Applies a write that has succeeded. Null: the entity is to be read. Throws what asking the third party throws. */
export async function applyOwnWrite(
  ports: OneRecordPorts,
  entities: ReadonlyMap<string, SyncedEntity>,
  write: OwnWrite,
  signal: AbortSignal,
): Promise<ChangedRecords | null> {
  const entity = entities.get(write.action.touches ?? write.action.entity)
  if (entity === undefined) return NONE
  const { instanceId } = write
  const copies = await ports.index.copies({ instanceId, entity: entity.name })
  // What was never read will be read with this write in it.
  if (copies.length === 0) return NONE
  const effect = kindOf(write.action.name)?.effect ?? null
  // What a reading action has changed by its method is not known.
  if (effect === null) return null
  const applying = { ports, instanceId, entities, entity, copies, write, signal }
  if (write.action.touches === null && effect === 'removes') return await applyDelete(applying)
  const asked = await changedRecord(applying)
  if (asked === null) return null
  const parent = await findParent(applying, write.params)
  return parent === undefined ? null : await storeRecord(applying, asked, parent)
}

/** The record after the write: what its `get` says, or what the write answered, where that has all that a listing has. */
async function changedRecord({
  ports: { upstream, clock },
  entity,
  write: { action, params, data, sentAtMs },
  signal,
}: Applying): Promise<AskedRecord | null> {
  const isRecord = action.touches === null && action.result === null && isJsonObject(data)
  const answered = isRecord ? { record: data, askedAtMs: sentAtMs } : null
  const id = kindOf(action.name)?.effect === 'adds' ? keyIn(entity, data) : null
  const asked = { known: params, id }
  if (answered !== null && hasOptions(entity, upstream.config(), asked)) return answered
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const askedAtMs = clock.now()
    const record = await askOne(upstream, entity, asked, signal)
    if (record === undefined) return answered
    if (record !== null) return { record, askedAtMs }
    await clock.sleep(TRY_EVERY_MS, signal)
  }
  return answered
}

function keyIn({ sync }: SyncedEntity, data: Json): string | null {
  const [key, ...more] = sync.primaryKey
  return key === undefined || more.length > 0 ? null : textOfKey(compileBodyPath(key)(data))
}

async function applyDelete(applying: Applying): Promise<ChangedRecords | null> {
  const given = deletedKey(applying)
  if (given === null) return null
  const id = await findStoredId(applying, given)
  return id === null ? NONE : await removeRecord(applying, id, applying.write.sentAtMs)
}

/** The one parameter of a delete that names the record: the required one that does not name its parent. */
function deletedKey({ entity, write: { action, params } }: Applying) {
  const bound = new Set((entity.sync.parent?.bind ?? []).map(({ param }) => param[0]))
  const [param, ...more] = requiredOf(action).filter((name) => !bound.has(name))
  const value = param === undefined || more.length > 0 ? null : textOfKey(params[param])
  return param === undefined || value === null ? null : { param, value }
}

/**
 * The id under which the copy has what was deleted; null: it has none. A caller may have named another key
 * (`issueIdOrKey`): then the field that the parameter is named for must lead to one record, and that one must be gone.
 */
async function findStoredId(
  { ports: { index, upstream }, entity, copies, signal }: Applying,
  { param, value }: NonNullable<ReturnType<typeof deletedKey>>,
): Promise<string | null> {
  const serving = copies.find((copy) => copy.serving)
  if (serving === undefined) return null
  const [stored] = await index.records(serving, [value])
  if (stored !== undefined) return stored.recordId
  const { layout } = serving
  const field = layout.fields.find(
    ({ name, type }) => type === 'string' && param.toLowerCase().endsWith(name.toLowerCase()),
  )
  if (field === undefined) return null
  const query = readSearch(layout, {
    query: { filter: { eq: { [field.name]: value } } },
    limit: 2,
    fields: [field.name],
  })
  const reply = await index.search({ ...serving, layoutHash: layout.hash, query, position: null })
  if (reply.kind !== 'page' || reply.count !== 1) return null
  // Written by the store.
  const [hit] = JSON.parse(reply.hits) as readonly { readonly id: string }[]
  if (hit === undefined) return null
  const found = await askOne(upstream, entity, { id: hit.id }, signal)
  return found === null ? hit.id : null
}
