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
  readonly append: LogStore['append'] = async (organizationId, rows) => {
    if (rows.length === 0) return
    const { kind } = this.database
    const alike = [...Map.groupBy(rows, keyOf).values()]
    // As text with values: to put a statement together for each entry would cost more than to run it.
    await this.database.together([
      ...(kind === 'sqlite' ? alike : [rows]).flatMap((some) => insertsOf(kind, some)),
      ...upsertsOf(kind, countsOf(alike)),
      CompiledQuery.raw(HEADS[kind], [organizationId, rows.length]),
    ])
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

type Kind = StoreDatabase['kind']
type Column = keyof LogRow
type Count = Tables['log_count']

const MARKS: Readonly<Record<Kind, (at: number) => string>> = {
  sqlite: (at) => `?${at + 1}`,
  postgres: (at) => `$${at + 1}`,
}

/** What entries have in common that are of one operation of an instance and ended the same way. */
const COMMON = [
  'organizationId',
  'kind',
  'instanceId',
  'externalUserId',
  'connectorType',
  'clientId',
  'entity',
  'action',
  'code',
  'status',
  'upstreamStatus',
] as const satisfies readonly Column[]
const OWN = ['logId', 'at', 'tookUs', 'requestId', 'data'] as const satisfies readonly Column[]

/** A statement for rows that share the values of some columns, which it is given once. */
interface Insert {
  readonly common: readonly Column[]
  readonly own: readonly Column[]
  /** Of so many rows, the largest first: any other number would be another statement. */
  readonly sizes: readonly number[]
  readonly text: (size: number) => string
}

/**
 * In SQLite a value that is given costs as much as all else of it; with PostgreSQL every statement is one more wait.
 */
const INSERTS: Readonly<Record<Kind, Insert>> = {
  sqlite: insertOf('sqlite', COMMON, OWN, [64, 16, 4, 1]),
  postgres: insertOf('postgres', [], [...COMMON, ...OWN], [512, 128, 32, 8, 2, 1]),
}

function insertOf(
  kind: Kind,
  common: readonly Column[],
  own: readonly Column[],
  sizes: readonly number[],
): Insert {
  const columns = [...common, ...own]
  const head = `insert into log_entry (${columns.map(columnName).join(', ')}) values `
  const mark = MARKS[kind]
  const rowText = (row: number): string =>
    `(${columns.map((_column, at) => mark(at < common.length ? at : at + row * own.length)).join(', ')})`
  return { common, own, sizes, text: once((size) => head + listOf(size, rowText)) }
}

function insertsOf(kind: Kind, rows: readonly LogRow[]): readonly CompiledQuery[] {
  const { common, own, sizes, text } = INSERTS[kind]
  return inSizes(rows, sizes).map((some) => {
    const values: unknown[] = []
    const [first] = some
    if (first !== undefined) for (const column of common) values.push(first[column])
    for (const row of some)
      for (const column of own)
        values.push(column === 'data' ? JSON.stringify(row.data) : row[column])
    return CompiledQuery.raw(text(some.length), values)
  })
}

/** Of what entries have in common. Names have no control characters; the user, who may have any, stands at the end. */
function keyOf(row: LogRow): string {
  const { kind, instanceId, externalUserId, connectorType, clientId } = row
  const { entity, action, code, status, upstreamStatus } = row
  const names = `${connectorType ?? NONE}\n${clientId ?? NONE}\n${code ?? NONE}\n${entity ?? NONE}\n${action ?? NONE}`
  const user = externalUserId === null ? '' : `\n${externalUserId}`
  return `${kind} ${instanceId ?? NONE} ${status} ${upstreamStatus} ${names}${user}`
}

const NONE = '\t'

const COUNT_KEY = [
  'organizationId',
  'bucketAt',
  'kind',
  'connectorType',
  'entity',
  'action',
  'code',
] as const satisfies readonly (keyof Count)[]
const COUNT_COLUMNS = [...COUNT_KEY, 'calls', 'tookUs', 'maxUs'] as const

const COUNT_SIZES = [16, 4, 1]

const UPSERTS: Readonly<Record<Kind, (size: number) => string>> = {
  sqlite: once((size) => upsertText(MARKS.sqlite, size)),
  postgres: once((size) => upsertText(MARKS.postgres, size)),
}

function upsertText(mark: (at: number) => string, size: number): string {
  const columns = COUNT_COLUMNS.map(columnName).join(', ')
  const rowText = (row: number): string =>
    `(${COUNT_COLUMNS.map((_column, at) => mark(at + row * COUNT_COLUMNS.length)).join(', ')})`
  return `insert into log_count (${columns}) values ${listOf(size, rowText)}
    on conflict (${COUNT_KEY.map(columnName).join(', ')}) do update set
      calls = log_count.calls + excluded.calls, took_us = log_count.took_us + excluded.took_us,
      max_us = case when excluded.max_us > log_count.max_us then excluded.max_us else log_count.max_us end`
}

function upsertsOf(kind: Kind, counts: readonly Count[]): readonly CompiledQuery[] {
  return inSizes(counts, COUNT_SIZES).map((some) => {
    const values = some.flatMap((count) => COUNT_COLUMNS.map((column) => count[column]))
    return CompiledQuery.raw(UPSERTS[kind](some.length), values)
  })
}

const HEADS: Readonly<Record<Kind, string>> = {
  sqlite: headText(MARKS.sqlite),
  postgres: headText(MARKS.postgres),
}

function headText(mark: (at: number) => string): string {
  return `insert into log_head (organization_id, entries) values (${mark(0)}, ${mark(1)})
    on conflict (organization_id) do update set entries = log_head.entries + excluded.entries`
}

function listOf(size: number, rowText: (row: number) => string): string {
  return Array.from({ length: size }, (_row, row) => rowText(row)).join(', ')
}

/** The rows in parts, each as large as the first of the sizes that fits. */
function inSizes<Row>(rows: readonly Row[], sizes: readonly number[]): readonly (readonly Row[])[] {
  const parts: (readonly Row[])[] = []
  for (let at = 0; at < rows.length; at += parts.at(-1)?.length ?? 1) {
    const size = sizes.find((each) => each <= rows.length - at) ?? 1
    parts.push(rows.slice(at, at + size))
  }
  return parts
}

function once(make: (size: number) => string): (size: number) => string {
  const made = new Map<number, string>()
  return (size) => {
    const known = made.get(size) ?? make(size)
    made.set(size, known)
    return known
  }
}

/**
 * Of entries in groups of what they have in common. In the order of their keys: two processes that count the same lock
 * them in one order.
 */
function countsOf(alike: readonly (readonly LogRow[])[]): readonly Count[] {
  const counts = new Map<string, Changing<Count>>()
  for (const rows of alike) {
    let count: Changing<Count> | null = null
    for (const row of rows) {
      const bucketAt = row.at - (row.at % LOG_BUCKET_MS)
      if (count?.bucketAt !== bucketAt) count = countIn(counts, row, bucketAt)
      count.calls++
      count.tookUs += row.tookUs
      count.maxUs = Math.max(count.maxUs, row.tookUs)
    }
  }
  return [...counts.keys()].toSorted().flatMap((key) => counts.get(key) ?? [])
}

type Changing<T> = { -readonly [M in keyof T]: T[M] }

function countIn(
  counts: Map<string, Changing<Count>>,
  row: LogRow,
  bucketAt: number,
): Changing<Count> {
  const { organizationId, kind } = row
  const named = countedAs(row)
  const { connectorType, entity, action, code } = named
  const key = `${bucketAt} ${kind} ${connectorType} ${entity} ${action} ${code}`
  const count = counts.get(key) ?? {
    organizationId,
    bucketAt,
    kind,
    ...named,
    calls: 0,
    tookUs: 0,
    maxUs: 0,
  }
  counts.set(key, count)
  return count
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
