// Writing, reading and shortening the log entries of organisations.
import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import {
  firstLogId,
  LOG_BUCKET_MS,
  type LogCount,
  type LogFilter,
  type LogRow,
  type LogStore,
  MAX_LOG_CONTENTS,
} from '../../../store/logs.ts'
import type { Owner } from '../../../store/owner.ts'
import type { StoreDatabase } from '../database.ts'
import { columnName } from '../row.ts'
import type { Tables } from '../schema.ts'
import { above, atMost, below, given, matching, SOMETHING, type Where } from '../statements.ts'
import { visibleTo } from './instance-row.ts'
import { StoreGroup } from './store-group.ts'

const FROM = 'from "log_entry"'
const BY_INSTANCE = 'log_entry_by_instance'
/** Entries that one statement removes. */
const REMOVED_AT_ONCE = 2000
const HEADS_AT_ONCE = 500
/** An entry is written at most so long after it has ended: its writer gives it up before. */
const WRITTEN_WITHIN_MS = 10 * 60_000

type Condition = Where<'log_entry'>

export class Logs extends StoreGroup implements LogStore {
  readonly append: LogStore['append'] = async (organizationId, rows) =>
    await this.rows.transaction(async (tx) => {
      // As text with values: to put a statement together for each entry would cost more than to run it.
      for (let at = 0; at < rows.length;) {
        const size = SIZES.find((each) => each <= rows.length - at) ?? 1
        const values = rows.slice(at, at + size).flatMap(valuesOf)
        await tx.db.executeQuery(CompiledQuery.raw(INSERTS[this.database.kind](size), values))
        at += size
      }
      await tx.db
        .insertInto('log_count')
        .values(countsOf(organizationId, rows))
        .onConflict((conflict) =>
          conflict.columns(COUNT_KEY).doUpdateSet({
            calls: sql`log_count.calls + excluded.calls`,
            tookUs: sql`log_count.took_us + excluded.took_us`,
            maxUs: sql`case when excluded.max_us > log_count.max_us then excluded.max_us else log_count.max_us end`,
          }),
        )
        .execute()
      await tx.db
        .insertInto('log_head')
        .values({ organizationId, entries: rows.length })
        .onConflict((conflict) =>
          conflict
            .column('organizationId')
            .doUpdateSet({ entries: sql`log_head.entries + excluded.entries` }),
        )
        .execute()
    })

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
    const { index, place } = rangeOf(owner, filter, { beforeId, afterId })
    const isDescending = afterId === undefined
    const order = { isDescending, limit }
    const rest = conditionsOf(filter)
    if (rest.length === 0 && Object.keys(owner).length === 1) {
      const rows = await this.#rowsOf([...index, ...place], order, filter)
      return { rows, scannedTo: null }
    }
    // What lies behind so many entries is for the next call, whatever this one finds.
    const end = await this.#endOf([...index, ...place], scan, isDescending, filter)
    const within: readonly Condition[] =
      end === null
        ? []
        : [isDescending ? { logId: above(before(end.logId)) } : { logId: atMost(end.logId) }]
    const where = [visibleTo(owner), ...index, ...place, ...within, ...rest]
    const rows = await this.#rowsOf(where, order, filter)
    const isFull = rows.length === limit
    return { rows, scannedTo: isFull ? null : (end?.logId ?? null) }
  }

  /** The last of so many entries; null: there are fewer. */
  async #endOf(
    where: readonly Condition[],
    scan: number,
    isDescending: boolean,
    filter: LogFilter,
  ): Promise<Pick<LogRow, 'logId' | 'at'> | null> {
    const query = this.db
      .selectFrom('log_entry')
      .select(['logId', 'at'])
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
  ): Promise<readonly LogRow[]> {
    const query = this.db
      .selectFrom('log_entry')
      .selectAll()
      .where(matching<'log_entry'>(where))
      .orderBy('logId', isDescending ? 'desc' : 'asc')
      .limit(limit)
      .compile()
    return await this.#run(query, filter)
  }

  /** SQLite keeps no statistics, and would read all of an organisation for the entries of one instance. */
  async #run<Row>(query: CompiledQuery<Row>, { instanceId }: LogFilter): Promise<readonly Row[]> {
    const isTold = this.database.kind === 'sqlite' && instanceId !== undefined
    const text = isTold ? query.sql.replace(FROM, `${FROM} indexed by ${BY_INSTANCE}`) : query.sql
    const asked = isTold ? CompiledQuery.raw(text, [...query.parameters]) : query
    // The statement is the same, but for its index.
    return (await this.db.executeQuery(asked)).rows
  }

  readonly find: LogStore['find'] = async (owner, logId) =>
    await this.rows.find('log_entry', [{ logId }, visibleTo(owner)])

  readonly content: LogStore['content'] = async (instanceId, logId) =>
    (await this.rows.find('log_content', { instanceId, logId }))?.sealed ?? null

  readonly contentsOf: LogStore['contentsOf'] = async (instanceId) =>
    await this.rows.list('log_content', { instanceId }, { by: ['logId'] })

  readonly reseal: LogStore['reseal'] = async ({ instanceId, logId, sealed }) => {
    await this.rows.update('log_content', { instanceId, logId }, { sealed })
  }

  readonly summary: LogStore['summary'] = async (organizationId, { fromMs, toMs, bucketMs }) => {
    const where = matching<'log_count'>([
      { organizationId, bucketAt: above(fromMs - 1) },
      { bucketAt: below(toMs) },
    ])
    const bucket = bucketOf('bucket_at', bucketMs)
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
        .where(where)
        .groupBy(['kind', 'connectorType', 'entity', 'action', 'code'])
        .execute(),
    ])
    return { buckets, counts }
  }

  readonly count: LogStore['count'] = async (owner, filter, { scan, bucketMs, ...span }) => {
    const { index, place } = rangeOf(owner, { ...filter, ...span })
    const end = await this.#endOf([...index, ...place], scan, true, filter)
    const within = end === null ? [] : [{ logId: above(end.logId) }]
    const where = matching<'log_entry'>([
      visibleTo(owner),
      ...index,
      ...place,
      ...within,
      ...conditionsOf(span),
    ])
    const bucket = bucketOf('at', bucketMs)
    const names = ['kind', 'connectorType', 'entity', 'action', 'code'] as const
    const rows = await this.db
      .selectFrom('log_entry')
      .select([...names, bucket.as('bucketAt')])
      .select([sumOf(sql`1`).as('calls'), sumOf(sql`took_us`).as('tookUs')])
      .select(sql<number>`max(took_us)`.as('maxUs'))
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
    for (let count = REMOVED_AT_ONCE; count === REMOVED_AT_ONCE; removed += count)
      count = await this.#remove(old, REMOVED_AT_ONCE)
    for (let left = excess - removed; left > 0; left -= REMOVED_AT_ONCE)
      removed += await this.#remove({ organizationId }, Math.min(left, REMOVED_AT_ONCE))
    await this.rows.remove('log_count', {
      organizationId,
      bucketAt: below(beforeMs - LOG_BUCKET_MS),
    })
    return removed
  }

  async #remove(where: Condition & { organizationId: string }, limit: number): Promise<number> {
    const { organizationId } = where
    return await this.rows.transaction(async (tx) => {
      const last = await tx.db
        .selectFrom('log_entry')
        .select('logId')
        .where(matching<'log_entry'>(where))
        .orderBy('logId')
        .limit(limit)
        .execute()
      const end = last.at(-1)
      if (end === undefined) return 0
      const count = await tx.remove('log_entry', { organizationId, logId: atMost(end.logId) })
      await tx.update('log_head', { organizationId }, { entries: sql`entries - ${count}` })
      return count
    })
  }
}

const COLUMNS = [
  'organizationId',
  'logId',
  'kind',
  'at',
  'instanceId',
  'externalUserId',
  'connectorType',
  'clientId',
  'entity',
  'action',
  'code',
  'status',
  'upstreamStatus',
  'tookUs',
  'requestId',
  'data',
] as const satisfies readonly (keyof LogRow)[]

/** Rows of one statement: of any other number it would be another statement. */
const SIZES = [64, 8, 1] as const

const HEAD = `insert into log_entry (${COLUMNS.map(columnName).join(', ')}) values `

/** The statement for so many rows, in the words of a database. */
const INSERTS: Readonly<Record<StoreDatabase['kind'], (size: number) => string>> = {
  sqlite: once((size) => HEAD + listOf(size, () => '?')),
  postgres: once((size) => HEAD + listOf(size, (at) => `$${at + 1}`)),
}

function listOf(size: number, mark: (at: number) => string): string {
  const row = (at: number): string =>
    `(${COLUMNS.map((_column, column) => mark(at * COLUMNS.length + column)).join(', ')})`
  return Array.from({ length: size }, (_row, at) => row(at)).join(', ')
}

function once(make: (size: number) => string): (size: number) => string {
  const made = new Map<number, string>()
  return (size) => {
    const known = made.get(size) ?? make(size)
    made.set(size, known)
    return known
  }
}

function valuesOf(row: LogRow): readonly unknown[] {
  return [
    row.organizationId,
    row.logId,
    row.kind,
    row.at,
    row.instanceId,
    row.externalUserId,
    row.connectorType,
    row.clientId,
    row.entity,
    row.action,
    row.code,
    row.status,
    row.upstreamStatus,
    row.tookUs,
    row.requestId,
    JSON.stringify(row.data),
  ]
}

const COUNT_KEY = [
  'organizationId',
  'bucketAt',
  'kind',
  'connectorType',
  'entity',
  'action',
  'code',
] as const

/** In the order of their keys: two processes that count the same lock them in one order. */
function countsOf(organizationId: string, rows: readonly LogRow[]): readonly Tables['log_count'][] {
  const counts = new Map<string, Tables['log_count']>()
  for (const { kind, at, tookUs, ...row } of rows) {
    const { connectorType, entity, action, code } = countedAs(row)
    const bucketAt = at - (at % LOG_BUCKET_MS)
    const key = `${bucketAt} ${kind} ${connectorType} ${entity} ${action} ${code}`
    const known = counts.get(key)
    counts.set(key, {
      organizationId,
      bucketAt,
      kind,
      connectorType,
      entity,
      action,
      code,
      calls: (known?.calls ?? 0) + 1,
      tookUs: (known?.tookUs ?? 0) + tookUs,
      maxUs: Math.max(known?.maxUs ?? 0, tookUs),
    })
  }
  return [...counts.keys()].toSorted().flatMap((key) => counts.get(key) ?? [])
}

type Named = Pick<LogCount, 'connectorType' | 'entity' | 'action' | 'code'>

/** Names that a caller has made up are counted together: there may be any number of them. */
function countedAs(row: Pick<LogRow, keyof Named>): Named {
  const { connectorType, code } = row
  const [entity, action] = code === 'operation_unknown' ? [null, null] : [row.entity, row.action]
  return {
    connectorType: connectorType ?? '',
    entity: entity ?? '',
    action: action ?? '',
    code: code ?? '',
  }
}

/** PostgreSQL makes a sum of a wider type than its column. */
function sumOf(amount: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`cast(sum(${amount}) as bigint)`
}

function bucketOf(column: 'at' | 'bucket_at', bucketMs: number): RawBuilder<number> {
  return sql<number>`${sql.ref(column)} - ${sql.ref(column)} % ${sql.lit(bucketMs)}`
}

/** Behind the last id of all. */
const LAST_ID = 'g'

/** Ids between which everything of a time lies, both not within. */
function spanOf({ fromMs, toMs }: LogFilter): { readonly fromId: string; readonly toId: string } {
  return {
    fromId: fromMs === undefined ? '' : before(firstLogId(fromMs)),
    toId: toMs === undefined ? LAST_ID : firstLogId(toMs + WRITTEN_WITHIN_MS),
  }
}

/** What an index leads to: the entries of an owner's organisation or instance between two places. */
function rangeOf(
  { organizationId }: Owner,
  filter: LogFilter,
  { beforeId, afterId }: { readonly [M in 'beforeId' | 'afterId']?: string | undefined } = {},
): { readonly index: readonly Condition[]; readonly place: readonly Condition[] } {
  const { fromId, toId } = spanOf(filter)
  return {
    index: [{ organizationId, instanceId: given(filter.instanceId) }],
    place: [
      // What bounds nothing is left out: SQLite prefers a range with two ends to the index of an instance.
      ...(toId === LAST_ID ? [] : [{ logId: below(toId) }]),
      ...(fromId === '' ? [] : [{ logId: above(fromId) }]),
      ...(beforeId === undefined ? [] : [{ logId: below(beforeId) }]),
      ...(afterId === undefined ? [] : [{ logId: above(afterId) }]),
    ],
  }
}

/** Below this id, and above every one that is below it. */
function before(id: string): string {
  const end = id.length - 1
  return id.slice(0, end) + String.fromCodePoint((id.codePointAt(end) ?? 1) - 1) + '~'
}

/** What no index leads to. */
function conditionsOf(filter: LogFilter): readonly Condition[] {
  const { instanceId: _instance, fromMs, toMs, failed, minUs, ...equal } = filter
  return [
    ...Object.entries(equal)
      .filter(([, value]) => value !== undefined)
      .map(([member, value]) => ({ [member]: value })),
    ...(fromMs === undefined ? [] : [{ at: above(fromMs - 1) }]),
    ...(toMs === undefined ? [] : [{ at: below(toMs) }]),
    ...(failed === undefined ? [] : [{ code: failed ? SOMETHING : null }]),
    ...(minUs === undefined ? [] : [{ tookUs: above(minUs - 1) }]),
  ]
}
