// The statements that append entries to the logs: as texts with values, because to put a statement together for each entry
// would cost more than to run it.
import { CompiledQuery } from 'kysely'
import { bucketOf, type LogCount, type LogRow } from '../../../store/logs.ts'
import type { StoreDatabase } from '../database.ts'
import { columnName, storedValue } from '../row.ts'
import type { Tables } from '../schema.ts'
import { storedLogs, type StoredLogs } from './log-rows.ts'

type Kind = StoreDatabase['kind']
type Count = Tables['log_count']

/** Rows of the entries, their counts by what happened, and how many an organisation has: for one transaction. */
export function appendingOf(
  kind: Kind,
  organizationId: string,
  entries: readonly LogRow[],
): readonly CompiledQuery[] {
  const rows = storedLogs(entries)
  return [
    ...insertsOf(kind, rows),
    ...upsertsOf(kind, countsOf(rows)),
    CompiledQuery.raw(HEADS[kind], [organizationId, entries.length]),
  ]
}

const MARKS: Readonly<Record<Kind, (at: number) => string>> = {
  // One with a number has a name, and the name of each value is looked for among all.
  sqlite: () => '?',
  postgres: (at) => `$${at + 1}`,
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
  'entries',
  'allUs',
  'several',
] as const satisfies readonly (keyof StoredLogs)[]

/** Rows of one statement, the largest first: any other number would be another statement. With PostgreSQL each is a wait. */
const SIZES: Readonly<Record<Kind, readonly number[]>> = {
  sqlite: [16, 4, 1],
  postgres: [512, 128, 32, 8, 2, 1],
}

const INSERTS: Readonly<Record<Kind, (size: number) => string>> = {
  sqlite: once((size) => insertText('sqlite', 'log_entry', COLUMNS, size)),
  postgres: once((size) => insertText('postgres', 'log_entry', COLUMNS, size)),
}

function insertText(kind: Kind, table: string, columns: readonly string[], size: number): string {
  const mark = MARKS[kind]
  const rows = Array.from({ length: size }, (_row, row) => {
    const values = columns.map((_column, at) => mark(at + row * columns.length))
    return `(${values.join(', ')})`
  })
  return `insert into ${table} (${columns.map(columnName).join(', ')}) values ${rows.join(', ')}`
}

function insertsOf(kind: Kind, rows: readonly StoredLogs[]): readonly CompiledQuery[] {
  return inSizes(rows, SIZES[kind]).map((some) => {
    const values = some.flatMap((row) => COLUMNS.map((column) => storedValue(row[column])))
    return CompiledQuery.raw(INSERTS[kind](some.length), values)
  })
}

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
  sqlite: once((size) => upsertText('sqlite', size)),
  postgres: once((size) => upsertText('postgres', size)),
}

function upsertText(kind: Kind, size: number): string {
  return `${insertText(kind, 'log_count', COUNT_COLUMNS, size)}
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

/** The rows in parts, each as large as the first of the sizes that fits. */
function inSizes<Row>(rows: readonly Row[], sizes: readonly number[]): readonly (readonly Row[])[] {
  const parts: (readonly Row[])[] = []
  for (let at = 0; at < rows.length; at += parts.at(-1)?.length ?? 1) {
    const size = sizes.find((each) => each <= rows.length - at) ?? 1
    parts.push(rows.slice(at, at + size))
  }
  return parts
}

/** A text for each number of rows, made for the first one. */
function once(make: (size: number) => string): (size: number) => string {
  const made = new Map<number, string>()
  return (size) => {
    const known = made.get(size) ?? make(size)
    made.set(size, known)
    return known
  }
}

/** In the order of their keys: two processes that count the same lock them in one order. */
function countsOf(rows: readonly StoredLogs[]): readonly Count[] {
  const counts = new Map<string, Changing<Count>>()
  for (const row of rows) {
    const { organizationId, kind } = row
    const bucketAt = bucketOf(row.at)
    const named = countedAs(row)
    const { connectorType, entity, action, code } = named
    const key = `${bucketAt} ${kind} ${connectorType} ${entity} ${action} ${code}`
    const none = { organizationId, bucketAt, kind, ...named, calls: 0, tookUs: 0, maxUs: 0 }
    const count = counts.get(key) ?? none
    counts.set(key, count)
    count.calls += row.entries
    count.tookUs += row.allUs ?? row.tookUs
    count.maxUs = Math.max(count.maxUs, row.tookUs)
  }
  return [...counts.keys()].toSorted().flatMap((key) => counts.get(key) ?? [])
}

type Changing<T> = { -readonly [M in keyof T]: T[M] }

type Named = Pick<LogCount, 'connectorType' | 'entity' | 'action' | 'code'>

/** Names that a caller has made up are counted together: there may be any number of them. */
export function countedAs(row: Pick<LogRow, keyof Named>): Named {
  const { connectorType, code } = row
  const [entity, action] = code === 'operation_unknown' ? [null, null] : [row.entity, row.action]
  return {
    connectorType: connectorType ?? '',
    entity: entity ?? '',
    action: action ?? '',
    code: code ?? '',
  }
}
