// Which parts of records make good columns of a table.
import { isObject, type Json } from '../../api/json-text.ts'
import { textOf } from '../../form/field-text.ts'

export interface Column {
  readonly path: readonly string[]
  readonly title: string
}

export const SHOWN_AT_FIRST = 8
const LOOKED_AT = 50
const NAMES = ['id', 'key', 'name', 'title', 'summary', 'displayname', 'status', 'state', 'type']
/** Members that stand for a whole object in a cell. */
const LABELS = ['displayName', 'name', 'title', 'value', 'key', 'id'] as const

/** The records in an answer's data: those of a list, those in a page object, or the one; null: there is none. */
export function recordsIn(data: Json, paged: boolean): readonly Json[] | null {
  if (data === null) return null
  if (Array.isArray(data)) return data
  if (!isObject(data)) return [data]
  const lists = Object.values(data).filter((value) => Array.isArray(value))
  const [only] = lists
  return paged && lists.length === 1 && only !== undefined ? only : [data]
}

export function columnsOf(records: readonly Json[]): readonly Column[] {
  const found = new Map<string, { readonly path: readonly string[]; score: number; seen: number }>()
  const looked = records.slice(0, LOOKED_AT)
  for (const record of looked) {
    for (const [path, value] of leavesOf(record, [])) {
      const title = path.join('.')
      const column = found.get(title) ?? { path, score: 0, seen: 0 }
      column.score += scoreOf(path, value)
      column.seen += 1
      found.set(title, column)
    }
  }
  return [...found]
    .map(([title, { path, score }]) => ({ title, path, score: score / looked.length }))
    .toSorted((a, b) => b.score - a.score)
    .map(({ title, path }) => ({ title, path }))
}

/** The value at a column's path; undefined: the record has none. */
export function valueAt(record: Json, path: readonly string[]): Json | undefined {
  let value: Json | undefined = record
  for (const name of path) value = isObject(value) ? value[name] : undefined
  return value
}

export function cellText(value: Json | undefined): string {
  if (value === undefined) return ''
  if (value === null) return 'null'
  if (Array.isArray(value)) {
    const texts = value.map(cellText)
    return value.every((each) => typeof each !== 'object') && texts.join(', ').length <= 80
      ? texts.join(', ')
      : `${value.length} items`
  }
  if (!isObject(value)) return textOf(value)
  const label = labelOf(value)
  return label ?? `${Object.keys(value).length} members`
}

/** What people know an object by: its name, key or id; null: it has none of them. */
export function labelOf(value: Json): string | null {
  if (!isObject(value)) return null
  for (const name of LABELS) {
    const label = value[name]
    if (typeof label === 'string' || typeof label === 'number' || typeof label === 'bigint')
      return String(label)
  }
  return null
}

function leavesOf(
  value: Json,
  path: readonly string[],
): readonly (readonly [readonly string[], Json])[] {
  if (!isObject(value)) return [[path.length === 0 ? ['value'] : path, value]]
  return Object.entries(value).flatMap(([name, each]) =>
    isObject(each) && path.length === 0 && labelOf(each) === null
      ? leavesOf(each, [...path, name])
      : [[[...path, name], each] as const],
  )
}

function scoreOf(path: readonly string[], value: Json): number {
  const name = path.at(-1)?.toLowerCase() ?? ''
  const at = NAMES.indexOf(name)
  // A name deep inside says less about the whole.
  const known = at === -1 ? 0 : (100 - at) / path.length
  return known + worthOf(value)
}

function worthOf(value: Json): number {
  if (value === null) return 0
  if (Array.isArray(value)) return 2
  if (typeof value === 'string') return /^https?:/.test(value) || value.length > 60 ? 1 : 10
  return isObject(value) ? (labelOf(value) === null ? 1 : 8) : 9
}
