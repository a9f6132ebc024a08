// Which parts of records make good columns, and what a cell calls an object: the same in the console and the terminal.

/** A part of records that a table shows. */
export interface RecordColumn {
  readonly path: readonly string[]
  /** The path, with dots between its names. */
  readonly title: string
}

const LOOKED_AT = 50
const NAMES = ['id', 'key', 'name', 'title', 'summary', 'displayname', 'status', 'state', 'type']
/** Members that stand for a whole object in a cell. */
const LABELS = ['displayName', 'name', 'title', 'value', 'key', 'id'] as const

/**
 * The columns of records that nobody described, the most telling first: what names a record, then short values, then
 * lists and links. Objects at the top that nothing names are opened by one level. The first 50 records are looked at.
 */
export function columnsOf(records: readonly unknown[]): readonly RecordColumn[] {
  const found = new Map<string, { readonly path: readonly string[]; score: number }>()
  const looked = records.slice(0, LOOKED_AT)
  for (const record of looked) {
    for (const [path, value] of leavesOf(record, [])) {
      const title = path.join('.')
      const column = found.get(title) ?? { path, score: 0 }
      column.score += scoreOf(path, value)
      found.set(title, column)
    }
  }
  return [...found]
    .toSorted(([, a], [, b]) => b.score - a.score)
    .map(([title, { path }]) => ({ title, path }))
}

/** The value at a column's path; undefined: the record has none. Records that are no objects are their only value. */
export function valueAt<T>(record: T, path: readonly string[]): T | undefined {
  if (!isMembers(record)) return path.length === 1 && path[0] === VALUE ? record : undefined
  let value: unknown = record
  for (const name of path)
    value = isMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined
  // What lies in JSON is JSON of the same kind.
  return value as T | undefined
}

/** What people know an object by: its name, key or id; null: it has none of them. */
export function labelOf(value: unknown): string | null {
  if (!isMembers(value)) return null
  for (const name of LABELS) {
    const label = Object.hasOwn(value, name) ? value[name] : undefined
    if (typeof label === 'string' || typeof label === 'number' || typeof label === 'bigint')
      return String(label)
  }
  return null
}

/** The column of records that are no objects. */
const VALUE = 'value'

function leavesOf(
  value: unknown,
  path: readonly string[],
): readonly (readonly [readonly string[], unknown])[] {
  if (!isMembers(value)) return [[path.length === 0 ? [VALUE] : path, value]]
  return Object.entries(value).flatMap(([name, each]) =>
    isMembers(each) && path.length === 0 && labelOf(each) === null
      ? leavesOf(each, [...path, name])
      : [[[...path, name], each] as const],
  )
}

function scoreOf(path: readonly string[], value: unknown): number {
  const name = path.at(-1)?.toLowerCase() ?? ''
  const at = NAMES.indexOf(name)
  // A name deep inside says less about the whole.
  const known = at === -1 ? 0 : (100 - at) / path.length
  return known + worthOf(value)
}

function worthOf(value: unknown): number {
  if (value === null || value === undefined) return 0
  if (Array.isArray(value)) return 2
  if (typeof value === 'string') return /^https?:/.test(value) || value.length > 60 ? 1 : 10
  return isMembers(value) ? (labelOf(value) === null ? 1 : 8) : 9
}

/** Tells an object with members from lists, null and numbers that are kept as text. */
function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)
}

/** `JSON.isRawJSON` is newer than the library's types, and than some browsers, which have no such numbers. */
function isRawNumber(value: object): boolean {
  const { isRawJSON } = JSON as { readonly isRawJSON?: (value: object) => boolean }
  return isRawJSON?.(value) ?? false
}
