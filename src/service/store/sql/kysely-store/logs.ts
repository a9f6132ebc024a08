// Writing, reading and shortening the log entries of organisations.
import { CompiledQuery, type RawBuilder, sql, type SqlBool } from 'kysely'
import {
  firstLogId,
  headOfLogId,
  LOG_BUCKET_MS,
  logIdAt,
  type LogFilter,
  type LogRow,
  type LogStore,
  MAX_LOG_CONTENTS,
} from '../../../store/logs.ts'
import { hasLogWords, plainPartsOf } from '../../../store/log-words.ts'
import type { Owner } from '../../../store/owner.ts'
import type { StoreDatabase } from '../database.ts'
import {
  above,
  atMost,
  below,
  given,
  matching,
  type Rows,
  SOMETHING,
  type Where,
} from '../statements.ts'
import { visibleTo } from './instance-row.ts'
import { entriesIn, type StoredLogs } from './log-rows.ts'
import { appendingOf, countedAs } from './log-appending.ts'
import { StoreGroup } from './store-group.ts'

const FROM = 'from "log_entry"'
const BY_INSTANCE = 'log_entry_by_instance'
/** Rows that are read for a page at first, and the maximum: one may have many entries that are asked for, or none. */
const FIRST_ROWS = 4
const MAX_ROWS = 64
/** Entries that one transaction removes, and those of one row more. */
const REMOVED_AT_ONCE = 2000
/** A request and words are looked for in the texts of this share of the rows that are looked at for other questions. */
const TEXTS_COUNT = 4
/** Rows that are read whole in one call, where few of their entries are asked for. */
const READ_AT_ONCE = 1024
const HEADS_AT_ONCE = 500
/** An entry is written at most so long after it has ended: its writer gives it up before. */
const WRITTEN_WITHIN_MS = 10 * 60_000

type Condition = Where<'log_entry'>

export class Logs extends StoreGroup implements LogStore {
  readonly append: LogStore['append'] = async (organizationId, entries) => {
    if (entries.length > 0)
      await this.database.together(appendingOf(this.database.kind, organizationId, entries))
  }

  readonly putContents: LogStore['putContents'] = async (instanceId, contents) =>
    await this.rows.transaction(async (tx) => {
      // Its row is locked: what is deleted meanwhile takes these along, or they find it gone.
      if ((await tx.lock('connector_instance', { instanceId })) === null) return
      for (const content of contents) await tx.insertNew('log_content', content)
      await sql`delete from log_content where instance_id = ${instanceId} and log_id < (
        select log_id from log_content where instance_id = ${instanceId}
        order by log_id desc limit 1 offset ${sql.lit(MAX_LOG_CONTENTS - 1)})`.execute(tx.db)
    })

  readonly list: LogStore['list'] = async (owner, filter, { beforeId, afterId, limit, scan }) => {
    const isDescending = afterId === undefined
    const { index, span } = rangeOf(owner, filter)
    let { low, high } = span
    if (beforeId !== undefined && beforeId < high) high = beforeId
    const rest = conditionsOf(filter)
    let scannedTo: string | null = null
    const hasText = filter.requestId !== undefined || filter.words !== undefined
    if (rest.length > 0 || hasText || Object.keys(owner).length > 1) {
      // What lies behind so many rows is for the next call, whatever this one finds.
      const ahead = { low: afterId !== undefined && afterId > low ? afterId : low, high }
      const rows = hasText ? Math.ceil(scan / TEXTS_COUNT) : scan
      const end = await this.#endOf([...index, ...between(ahead)], rows, isDescending, filter)
      if (end !== null) {
        const head = headOfLogId(end.logId)
        if (isDescending) low = head
        else high = `${head}~`
        scannedTo = lastIdOf(end, isDescending)
      }
    }
    // The row in which the page before ended may have more.
    const head = afterId === undefined ? '' : headOfLogId(afterId)
    if (head > low) low = head
    const found: LogRow[] = []
    let read = 0
    for (let size = FIRST_ROWS; ; size *= 8) {
      // A row that has the parts of words may still not have the words.
      const wanted = filter.words === undefined ? limit - found.length : MAX_ROWS
      const count = Math.min(size, MAX_ROWS, wanted)
      const where = [visibleTo(owner), ...index, ...between({ low, high }), ...rest]
      const rows = await this.#rowsOf(where, { isDescending, limit: count }, filter)
      for (const row of rows) {
        const entries = entriesIn(row)
        const asked = entries.filter((entry) => fits(entry, filter, beforeId, afterId))
        found.push(...(isDescending ? asked.toReversed() : asked))
      }
      if (found.length >= limit) return { rows: found.slice(0, limit), scannedTo: null }
      const last = rows.at(-1)
      if (last === undefined || rows.length < count) return { rows: found, scannedTo }
      read += count
      if (read >= READ_AT_ONCE) return { rows: found, scannedTo: lastIdOf(last, isDescending) }
      if (isDescending) high = last.logId
      else low = last.logId
    }
  }

  /** The last of so many rows; null: there are fewer. */
  async #endOf(
    where: readonly Condition[],
    scan: number,
    isDescending: boolean,
    filter: LogFilter,
  ): Promise<Pick<StoredLogs, 'logId' | 'at' | 'entries'> | null> {
    const query = this.db
      .selectFrom('log_entry')
      .select(['logId', 'at', 'entries'])
      .where(matching<'log_entry'>(where))
      .orderBy('logId', isDescending ? 'desc' : 'asc')
      .limit(1)
      .offset(scan - 1)
      .compile()
    return (await this.#run(query, filter))[0] ?? null
  }

  async #rowsOf(
    where: readonly Condition[],
    { isDescending, limit }: { readonly isDescending: boolean; readonly limit: number },
    filter: LogFilter,
  ): Promise<readonly StoredLogs[]> {
    const { requestId, words = [] } = filter
    let query = this.db
      .selectFrom('log_entry')
      .selectAll()
      .where(matching<'log_entry'>(where))
      .orderBy('logId', isDescending ? 'desc' : 'asc')
      .limit(limit)
    if (requestId !== undefined) query = query.where(this.#hasRequest(requestId))
    for (const part of plainPartsOf(words)) query = query.where(this.#hasPart(part))
    return await this.#run(query.compile(), filter)
  }

  #hasRequest(requestId: string): RawBuilder<SqlBool> {
    const find = sql.raw(FIND[this.database.kind])
    return sql`(request_id = ${requestId} or
      (several is not null and ${find}(several, ${JSON.stringify(requestId)}) > 0))`
  }

  /** A first look: rows that have a text in any of their columns. */
  #hasPart(part: string): RawBuilder<SqlBool> {
    const { kind } = this.database
    return sql`${sql.raw(FIND[kind])}(${sql.raw(TEXTS_IN_LOWER_CASE[kind])}, ${part}) > 0`
  }

  /** SQLite keeps no statistics, and would read all of an organisation for the entries of one instance. */
  async #run<Row>(query: CompiledQuery<Row>, { instanceId }: LogFilter): Promise<readonly Row[]> {
    const isTold = this.database.kind === 'sqlite' && instanceId !== undefined
    const text = isTold ? query.sql.replace(FROM, `${FROM} indexed by ${BY_INSTANCE}`) : query.sql
    const asked = isTold ? CompiledQuery.raw(text, [...query.parameters]) : query
    // The statement is the same, but for its index.
    return (await this.db.executeQuery(asked)).rows
  }

  readonly find: LogStore['find'] = async (owner, logId) => {
    const place = between({ low: headOfLogId(logId), high: `${logId}~` })
    const row = await this.rows.find('log_entry', [visibleTo(owner), ...place])
    return (row && entriesIn(row).find((entry) => entry.logId === logId)) ?? null
  }

  readonly content: LogStore['content'] = async (instanceId, logId) =>
    (await this.rows.find('log_content', { instanceId, logId }))?.sealed ?? null

  readonly contentsOf: LogStore['contentsOf'] = async (instanceId) =>
    await this.rows.list('log_content', { instanceId }, { by: ['logId'] })

  readonly reseal: LogStore['reseal'] = async ({ instanceId, logId, sealed }) => {
    await this.rows.update('log_content', { instanceId, logId }, { sealed })
  }

  readonly summary: LogStore['summary'] = async (organizationId, span, filter = {}) => {
    const { fromMs, toMs, bucketMs } = span
    const { failed, ...names } = filter
    const named = matching<'log_count'>([
      { organizationId, bucketAt: above(fromMs - 1) },
      { bucketAt: below(toMs) },
      ...equalTo(names),
    ])
    const where =
      failed === undefined ? named : sql<SqlBool>`${named} and (code = '') = ${sql.lit(!failed)}`
    const bucket = bucketIn('bucket_at', bucketMs)
    const [buckets, counts] = await Promise.all([
      this.db
        .selectFrom('log_count')
        .select([bucket.as('bucketAt'), 'kind', sumOf(sql`calls`).as('calls')])
        .select(sumOf(sql`case when code = '' then 0 else calls end`).as('failures'))
        .where(where)
        .groupBy([bucket, 'kind'])
        .orderBy(bucket)
        .execute(),
      this.db
        .selectFrom('log_count')
        .select(['kind', 'connectorType', 'entity', 'action', 'code'])
        .select([sumOf(sql`calls`).as('calls'), sumOf(sql`took_us`).as('tookUs')])
        .select(sql<number>`max(max_us)`.as('maxUs'))
        .select(sql<number>`min(bucket_at)`.as('firstAt'))
        .select(sql<number>`max(bucket_at)`.as('lastAt'))
        .where(where)
        .groupBy(['kind', 'connectorType', 'entity', 'action', 'code'])
        .execute(),
    ])
    return { buckets, counts }
  }

  readonly count: LogStore['count'] = async (owner, filter, { scan, bucketMs, ...span }) => {
    const { index, span: ids } = rangeOf(owner, { ...filter, ...span })
    const end = await this.#endOf([...index, ...between(ids)], scan, true, filter)
    const where = matching<'log_entry'>([
      visibleTo(owner),
      ...index,
      ...between(end === null ? ids : { ...ids, low: end.logId }),
      ...conditionsOf(filter),
      { at: above(span.fromMs - 1) },
      { at: below(span.toMs) },
    ])
    const bucket = bucketIn('at', bucketMs)
    const names = ['kind', 'connectorType', 'entity', 'action', 'code'] as const
    const rows = await this.db
      .selectFrom('log_entry')
      .select([...names, bucket.as('bucketAt')])
      .select([sumOf(sql`entries`).as('calls'), sumOf(sql`coalesce(all_us, took_us)`).as('tookUs')])
      .select(sql<number>`max(took_us)`.as('maxUs'))
      .select([sql<number>`min(at)`.as('firstAt'), sql<number>`max(at)`.as('lastAt')])
      .where(where)
      .groupBy([...names, bucket])
      .orderBy(bucket)
      .execute()
    const counts = rows.map((row) => ({ ...row, ...countedAs(row) }))
    return { counts, countedFromMs: end?.at ?? null }
  }

  readonly purge: LogStore['purge'] = async (beforeMs, maxEntries) => {
    let removed = 0
    for (let after = ''; ;) {
      const order = { by: ['organizationId'], limit: HEADS_AT_ONCE } as const
      const { rows } = await this.rows.listWide('log_head', { organizationId: above(after) }, order)
      for (const { organizationId, entries } of rows)
        removed += await this.#shorten(organizationId, beforeMs, entries - maxEntries)
      const last = rows.at(-1)
      if (last === undefined || rows.length < HEADS_AT_ONCE) break
      after = last.organizationId
    }
    return (
      removed + (await this.rows.removeWide('log_content', { logId: below(firstLogId(beforeMs)) }))
    )
  }

  async #shorten(organizationId: string, beforeMs: number, excess: number): Promise<number> {
    let removed = 0
    // What is too old, and then what is too many, a little at a time: others want to write meanwhile.
    const old = { organizationId, logId: below(firstLogId(beforeMs)) }
    for (let count = REMOVED_AT_ONCE; count >= REMOVED_AT_ONCE; removed += count)
      count = await this.#remove(old, REMOVED_AT_ONCE)
    for (let count = 1; count > 0 && removed < excess; removed += count)
      count = await this.#remove({ organizationId }, Math.min(excess - removed, REMOVED_AT_ONCE))
    await this.rows.remove('log_count', {
      organizationId,
      bucketAt: below(beforeMs - LOG_BUCKET_MS),
    })
    return removed
  }

  /** Removes the oldest rows, until there are so many entries less; how many. */
  async #remove(where: Condition & { organizationId: string }, limit: number): Promise<number> {
    const { organizationId } = where
    return await this.rows.transaction(async (tx) => {
      const oldest = await tx.db
        .selectFrom('log_entry')
        .select(['logId', 'entries'])
        .where(matching<'log_entry'>(where))
        .orderBy('logId')
        .limit(limit)
        .execute()
      let count = 0
      const end = oldest.find(({ entries }) => (count += entries) >= limit) ?? oldest.at(-1)
      if (end === undefined) return 0
      return await removeLogs(tx, { organizationId, logId: atMost(end.logId) })
    })
  }
}

/** Removes rows of an organisation; how many entries they had. */
export async function removeLogs(
  tx: Rows,
  where: Condition & { readonly organizationId: string },
): Promise<number> {
  const { organizationId } = where
  // Nothing is written between the counting and the removal.
  await tx.lock('log_head', { organizationId })
  const row = await tx.db
    .selectFrom('log_entry')
    .select(sumOf(sql`entries`).as('count'))
    .where(matching<'log_entry'>(where))
    .executeTakeFirst()
  const count = row?.count ?? 0
  if (count === 0) return 0
  await tx.remove('log_entry', where)
  await tx.update('log_head', { organizationId }, { entries: sql`entries - ${count}` })
  return count
}

/** The function that finds a text in another one: its place, from 1; 0: it is not there. */
const FIND: Readonly<Record<StoreDatabase['kind'], string>> = {
  sqlite: 'instr',
  postgres: 'strpos',
}

const ALL_TEXTS = [
  'kind',
  `coalesce(entity, '') || '.' || coalesce(action, '')`,
  ...['code', 'request_id', 'connector_type', 'external_user_id', 'instance_id', 'client_id'].map(
    (column) => `coalesce(${column}, '')`,
  ),
  'data',
  `coalesce(several, '')`,
].join(` || ' ' || `)

/** Of ASCII, as SQLite has it; the rest of a word is compared when the row is read. */
const TEXTS_IN_LOWER_CASE: Readonly<Record<StoreDatabase['kind'], string>> = {
  sqlite: `lower(${ALL_TEXTS})`,
  postgres: `lower((${ALL_TEXTS}) collate "C")`,
}

/** PostgreSQL makes a sum of a wider type than its column. */
function sumOf(amount: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`cast(sum(${amount}) as bigint)`
}

function bucketIn(column: 'at' | 'bucket_at', bucketMs: number): RawBuilder<number> {
  return sql<number>`${sql.ref(column)} - ${sql.ref(column)} % ${sql.lit(bucketMs)}`
}

/** The id of the entry of a row with which a page ends that goes back, or forward. */
function lastIdOf(
  { logId, entries }: Pick<StoredLogs, 'logId' | 'entries'>,
  isDescending: boolean,
): string {
  return isDescending || entries === 1 ? logId : logIdAt(headOfLogId(logId), entries - 1)
}

/** Behind the last id of all. */
const LAST_ID = 'g'

/** Places in the order of ids, both not within. */
interface IdSpan {
  readonly low: string
  readonly high: string
}

/** What bounds nothing is left out: SQLite prefers a range with two ends to the index of an instance. */
function between({ low, high }: IdSpan): readonly Condition[] {
  return [
    ...(high === LAST_ID ? [] : [{ logId: below(high) }]),
    ...(low === '' ? [] : [{ logId: above(low) }]),
  ]
}

/** What an index leads to: rows of an owner's organisation or instance, and the ids between which a time lies. */
function rangeOf(
  { organizationId }: Owner,
  { instanceId, fromMs, toMs }: LogFilter,
): { readonly index: readonly Condition[]; readonly span: IdSpan } {
  return {
    index: [{ organizationId, instanceId: given(instanceId) }],
    span: {
      low: fromMs === undefined ? '' : headOfLogId(firstLogId(fromMs)),
      high: toMs === undefined ? LAST_ID : firstLogId(toMs + WRITTEN_WITHIN_MS),
    },
  }
}

/** What no index leads to, of rows: one of several entries may have some that are asked for. */
function conditionsOf(filter: LogFilter): readonly Condition[] {
  const { instanceId: _instance, requestId: _request, fromMs: _from, ...others } = filter
  const { toMs, failed, minUs, words: _words, ...equal } = others
  return [
    ...equalTo(equal),
    ...(toMs === undefined ? [] : [{ at: below(toMs) }]),
    ...(failed === undefined ? [] : [{ code: failed ? SOMETHING : null }]),
    ...(minUs === undefined ? [] : [{ tookUs: above(minUs - 1) }]),
  ]
}

function equalTo(members: LogFilter): readonly Readonly<Record<string, string | number>>[] {
  return Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .map(([member, value]) => ({ [member]: value }))
}

/** Whether an entry of a row that was found is asked for itself. */
function fits(
  entry: LogRow,
  filter: LogFilter,
  beforeId: string = LAST_ID,
  afterId: string = '',
): boolean {
  const { logId, at, tookUs, requestId } = entry
  const { fromMs = 0, toMs = Infinity, minUs = 0 } = filter
  return (
    logId < beforeId &&
    logId > afterId &&
    at >= fromMs &&
    at < toMs &&
    tookUs >= minUs &&
    (filter.requestId === undefined || requestId === filter.requestId) &&
    hasLogWords(entry, filter.words ?? [])
  )
}
