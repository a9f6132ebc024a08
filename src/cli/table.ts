// Records as a table for people.
import type { Json } from '../language/json/json.ts'
import { isExactNumber } from '../language/json/exact-number.ts'
import { isJsonObject } from '../language/json/members.ts'
import type { Channel } from './terminal.ts'

/** One record: a line for each member. Lists show their elements, objects are JSON. */
export function formatRecord(record: object): string {
  const width = Math.max(20, ...Object.keys(record).map((name) => name.length + 2))
  const lines = Object.entries(record).map(([name, value]: [string, unknown]) => {
    const text = Array.isArray(value)
      ? value.join(', ')
      : typeof value === 'object' && value !== null
        ? JSON.stringify(value)
        : `${(value ?? '') as string | number | boolean}`
    return `${`${name.padEnd(width)}${text}`.trimEnd()}\n`
  })
  return lines.join('')
}

const MIN_COLUMN = 6
const MAX_COLUMN = 48
const GAP = '  '
const MAX_LISTED = 5

/**
 * A table of records: one line each, the scalar members of the first records as columns, those of `first` before the
 * others. Objects are shown by their name or size, lists by their elements or length. Columns that do not fit a terminal
 * are left out and counted in the last line; files and pipes have all.
 */
export function tableFor(
  { isTerminal, columns: width }: Pick<Channel, 'isTerminal' | 'columns'>,
  records: readonly Json[],
  first: readonly string[] = [],
): string {
  if (records.length === 0) return '(no records)\n'
  const columns = columnsOf(records, first).map((name) => {
    const cells = records.map((record) =>
      cellOf(name === '' ? record : isJsonObject(record) ? record[name] : undefined),
    )
    const widest = Math.max(name.length, ...cells.map(widthOf))
    return {
      name: name === '' ? 'value' : name,
      cells,
      width: Math.min(Math.max(widest, MIN_COLUMN), MAX_COLUMN),
    }
  })
  let used = 0
  const shown = columns.filter((column, index) => {
    used += column.width + GAP.length
    return index === 0 || !isTerminal || used <= width
  })
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => fit(cell, shown[index]?.width ?? 0))
      .join(GAP)
      .trimEnd()
  const lines = [
    line(shown.map((column) => column.name)),
    line(shown.map((column) => '─'.repeat(column.width))),
    ...records.map((_, row) => line(shown.map((column) => column.cells[row] ?? ''))),
  ]
  const hidden = columns.length - shown.length
  if (hidden > 0) lines.push(`(${hidden} more columns; --json shows everything)`)
  return `${lines.join('\n')}\n`
}

function columnsOf(records: readonly Json[], first: readonly string[]): string[] {
  const names = new Set<string>()
  for (const record of records.slice(0, 20)) {
    if (!isJsonObject(record)) return ['']
    for (const name of Object.keys(record)) names.add(name)
  }
  const front = first.filter((name) => names.has(name))
  const filled = [...names].filter((name) =>
    records.some((record) => isJsonObject(record) && record[name] !== null),
  )
  return [...new Set([...front, ...filled])]
}

function cellOf(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  if (isExactNumber(value)) return value.rawJSON
  if (Array.isArray(value)) return listText(value) ?? `[${value.length}]`
  if (isJsonObject(value)) return nameIn(value) ?? `{${Object.keys(value).length}}`
  // Control characters of a record must not drive the terminal.
  return `${value as string | number | boolean}`.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
}

/** A list of few texts and names as it reads; null for any other. */
function listText(items: readonly Json[]): string | null {
  if (items.length === 0) return '[]'
  if (items.length > MAX_LISTED || items.some((item) => Array.isArray(item))) return null
  const texts = items.map((item) => (isJsonObject(item) ? nameIn(item) : cellOf(item)))
  return texts.includes(null) ? null : texts.join(', ')
}

/** What people call the thing that an object stands for. */
function nameIn(value: { readonly [name: string]: Json }): string | null {
  for (const member of ['displayName', 'name', 'summary', 'title', 'key', 'value']) {
    const text = Object.hasOwn(value, member) ? value[member] : undefined
    if (typeof text === 'string') return text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
  }
  return null
}

function fit(cell: string, width: number): string {
  const excess = widthOf(cell) - width
  if (excess <= 0) return cell + ' '.repeat(-excess)
  let cut = ''
  for (const { segment } of new Intl.Segmenter().segment(cell)) {
    if (widthOf(cut) + widthOf(segment) > width - 1) break
    cut += segment
  }
  return `${cut}…${' '.repeat(Math.max(0, width - 1 - widthOf(cut)))}`
}

const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u

/** Columns that a terminal gives to a text: wide East Asian characters and emoji take two. */
function widthOf(text: string): number {
  let width = 0
  for (const { segment } of new Intl.Segmenter().segment(text)) width += WIDE.test(segment) ? 2 : 1
  return width
}
