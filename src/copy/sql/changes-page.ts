// What has changed in a copy: the records by their last write, and the removals, in one order.
import type { ChangesPosition, ChangesReply } from '../search/search-index.ts'
import type { Dialect, StoredCopy } from './dialect.ts'
import { MAX_TEXT } from './page.ts'
import { limitTo, type Sql, sql, type SqlSteps } from './sql.ts'

/** Rows that are read in any case, however large they are. */
const MIN_ROWS = 10

interface Change {
  readonly version: number
  readonly seq: number
  /** JSON text. */
  readonly text: string
}

/**
 * A page of changes of a copy, read in the same snapshot of the store. Writers take turns from the first statement to the commit
 * (`beginBatch`), so a reader that sees a version sees all before it, and a position never passes a change that comes later.
 */
export function* readChanges(
  dialect: Dialect,
  copy: StoredCopy,
  given: ChangesPosition | null,
  limit: number,
): SqlSteps<ChangesReply> {
  const { version, forgotten } = copy
  const from = given ?? { version: 0, seq: 0, base: version, isFirst: true }
  // A version that is still to come is of a copy that was put back to an earlier state.
  if (forgotten > Math.max(from.version - 1, from.base) || from.version > version + 1)
    return { kind: 'forgotten' }
  const usual = Math.ceil(MAX_TEXT / Math.max(1, copy.bytes / Math.max(1, copy.live)))
  const count = Math.min(limit, Math.max(MIN_ROWS, usual)) + 1
  const changes = [
    ...(yield* readWritten(dialect, copy, from, count)),
    ...(yield* readRemovals(dialect, copy, from, count)),
  ].sort((left, right) => left.version - right.version || left.seq - right.seq)
  let text = ''
  let taken = 0
  while (taken < Math.min(count - 1, changes.length) && text.length < MAX_TEXT)
    text += `${taken === 0 ? '' : ','}${changes[taken++]?.text ?? ''}`
  const hasMore = taken < changes.length
  const last = changes[taken - 1]
  const next =
    hasMore && last !== undefined
      ? { ...from, version: last.version, seq: last.seq + 1 }
      : from.until === undefined
        ? { version: version + 1, seq: 0, base: version, isFirst: false }
        : { ...from, version: Math.min(from.until, version) + 1, seq: 0 }
  const { live, syncedAtMs } = copy
  const facts = { live, complete: copy.complete && !copy.hasGaps, syncedAtMs }
  return { kind: 'page', changes: `[${text}]`, count: taken, next, hasMore, copy: facts }
}

function* readWritten(
  dialect: Dialect,
  copy: StoredCopy,
  { version, seq, base, isFirst, until }: ChangesPosition,
  count: number,
): SqlSteps<readonly Change[]> {
  const from = sql`(${version}, ${dialect.toStored(copy, seq)})`
  const rows =
    yield sql`SELECT r.changed AS changed, ${dialect.seq} AS seq, r.added AS added, r.record_id AS id, r.doc AS doc FROM ${dialect.records} WHERE ${dialect.inScope(copy, 'r')} AND (r.changed, ${dialect.seq}) >= ${from}${upTo(until)} ORDER BY r.changed, ${dialect.seq} ${limitTo(count)}`
  return rows.map((row) => {
    const change = isFirst || Number(row['added']) > base ? 'added' : 'updated'
    const id = JSON.stringify(String(row['id']))
    return {
      version: Number(row['changed']),
      seq: dialect.fromStored(copy, row['seq']),
      // The document is text already, with all the digits that the third party sent.
      text: `{"change":"${change}","id":${id},"data":${String(row['doc'])}}`,
    }
  })
}

/** A reader that has not been at the end has nothing of what was removed before it began. */
function* readRemovals(
  dialect: Dialect,
  copy: StoredCopy,
  { version, seq, base, until }: ChangesPosition,
  count: number,
): SqlSteps<readonly Change[]> {
  const from = version > base ? sql`(${version}, ${seq})` : sql`(${base + 1}, 0)`
  const rows =
    yield sql`SELECT r.changed AS changed, r.seq AS seq, r.record_id AS id FROM replica_removed r WHERE ${dialect.inScope(copy, 'r')} AND (r.changed, r.seq) >= ${from}${upTo(until)} ORDER BY r.changed, r.seq ${limitTo(count)}`
  return rows.map((row) => ({
    version: Number(row['changed']),
    seq: Number(row['seq']),
    text: `{"change":"removed","id":${JSON.stringify(String(row['id']))},"data":null}`,
  }))
}

function upTo(until: number | undefined): Sql {
  return until === undefined ? sql`` : sql` AND r.changed <= ${until}`
}
