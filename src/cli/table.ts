// Records as a table for people.
import {
  type Duration,
  durationAt,
  durationWords,
  type Epoch,
  epochAt,
  momentAt,
} from '../display/epochs.ts'
import { plainLine } from '../display/plain-text.ts'
import { columnsOf, isCopied, labelOf, valueAt } from '../display/record-columns.ts'
import { relativeTo } from '../display/relative-time.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { isExactNumber } from '../language/json/exact-number.ts'
import { isJsonObject } from '../language/json/members.ts'
import { type NameAt, NO_NAMES } from './record-names.ts'
import type { Channel } from './terminal.ts'
import { widthOf } from './text-width.ts'
import { wrapLine } from './wrap.ts'

/** Where a table is shown: in a terminal it fits the line, and moments say how long ago they are. */
export type Shown = Pick<Channel, 'isTerminal' | 'columns'>

/** One record: a line for each member, or more of the width of a terminal, whose values stand below each other. Lists show their elements, objects are JSON. */
export function formatRecord(place: Shown, record: object): string {
  const { isTerminal } = place
  const width = Math.max(20, ...Object.keys(record).map((name) => name.length + 2))
  const nowMs = Date.now()
  const lines = Object.entries(record).map(([name, value]: [string, unknown]) => {
    const text = plainLine(
      Array.isArray(value)
        ? value.join(', ')
        : typeof value === 'object' && value !== null
          ? JSON.stringify(value)
          : `${(value ?? '') as string | number | boolean}`,
    )
    const ago = isTerminal ? relativeTo(nowMs, text) : null
    const said = ago === null ? text : `${text}  (${ago})`
    return `${wrapLine(`${name.padEnd(width)}${said}`.trimEnd(), place, width)}\n`
  })
  return lines.join('')
}

/** A column before it is fitted in. */
interface Column {
  readonly name: string
  readonly cells: readonly string[]
  readonly width: number
  /** What it may shrink to. */
  readonly least: number
  /** What it is given before columns behind the first few are shown. */
  readonly wanted: number
  /** It becomes narrower before others do. */
  readonly givesFirst: boolean
  /** Figures stand below each other by their last digit. */
  readonly isRight: boolean
  /** Cut in the middle: its end tells one from another. */
  readonly keepsEnd: boolean
  /** It is left out after the others. */
  readonly outranks: boolean
}

/** What went wrong: it matters more than how much of something there is. */
const ERROR_NAME = /^(?:last_)?error$/

const MIN_COLUMN = 6
const MAX_COLUMN = 48
/** A text that is cut to this still says something. */
const SHRUNK_COLUMN = 16
/** An id of which so much stands, cut in the middle, is told from others, and taken back by the commands. */
export const SHORT_ID = 17
/** Columns that are there before one of them has more than its least. */
const FIRST_COLUMNS = 4
const GAP = '  '
const MAX_LISTED = 5

/** How a column gives way where a line has no room for all of them. */
export interface ColumnForm {
  /** Another form of its cells. */
  readonly short?: (cell: string) => string
  /** What it may shrink to. */
  readonly least?: number
  /** What it is given before columns behind the first few are shown; default: its least. */
  readonly wanted?: number
  /** It becomes narrower before others do. */
  readonly givesFirst?: true
  /** It is cut in the middle. */
  readonly keepsEnd?: true
  /** It is left out after the others. */
  readonly outranks?: true
  /** Its numbers are moments. */
  readonly epoch?: Epoch | null
  /** Its numbers are how long something takes. */
  readonly duration?: Duration | null
  /** What the record is called that a value names. */
  readonly named?: (value: unknown) => string | null
}

export type ColumnForms = Readonly<Record<string, ColumnForm>>

/**
 * A table of rows that a command has made: their members as columns, in their order.
 * See `recordTable` for what is shown where it is narrow.
 */
export function tableFor(place: Shown, rows: readonly Json[], forms: ColumnForms = {}): string {
  const names = new Set(rows.flatMap((row) => (isJsonObject(row) ? Object.keys(row) : ['value'])))
  const filled = [...names].filter((name) =>
    rows.some((row) => !isJsonObject(row) || (row[name] ?? null) !== null),
  )
  return tableOf(
    place,
    rows,
    filled.map((name) => {
      const form = forms[name] ?? {}
      return {
        name,
        path: [name],
        form: ERROR_NAME.test(name) ? { ...form, outranks: true } : form,
      }
    }),
  )
}

export interface RecordTableOptions {
  /** Titles of columns that stand before the others. */
  readonly first?: readonly string[]
  /** The schema of a record, which says what numbers are moments; null: nobody knows it. */
  readonly record?: JsonObject | null
  /** What the records are called that values name. */
  readonly names?: NameAt
}

/**
 * A table of a third party's records: one line each, the most telling columns first. Objects are shown by their name or
 * size, lists by their elements or length. In a terminal columns become narrower before the last of them are left out,
 * which are counted in the last line; files and pipes have all.
 */
export function recordTable(
  place: Shown,
  records: readonly Json[],
  { first = [], record = null, names = NO_NAMES }: RecordTableOptions = {},
): string {
  const isNamed = (path: readonly string[], value: unknown): boolean => names(path, value) !== null
  const ranked = columnsOf(records, { isNamed }).filter(({ path }) =>
    records.some((record) => (valueAt(record, path) ?? null) !== null),
  )
  const readable = readableIn(place.columns)
  const front = first.flatMap((name) => ranked.filter(({ title }) => title === name))
  const columns = [...new Set([...front, ...ranked])]
  const lastNames = columns.map(({ path }) => path.at(-1))
  return tableOf(
    place,
    records,
    columns.map(({ title, path }) => {
      const short = path.at(-1) ?? title
      const isPlain = lastNames.filter((name) => name === short).length === 1
      const form: ColumnForm = {
        epoch: epochAt(record, path),
        duration: durationAt(record, path),
        named: (value: unknown) => names(path, value),
        ...(isCopied(short) ? ID_FORM : { least: SHRUNK_COLUMN, wanted: readable }),
      }
      return { name: isPlain ? short : title, path, form }
    }),
    { most: Math.max(MAX_COLUMN, readable), areRecords: true },
  )
}

/** Ids give way before texts do: the commands take those of accounts and entries back as they are cut. */
export const ID_FORM: ColumnForm = { least: SHORT_ID, keepsEnd: true, givesFirst: true }

/** What a column has of a text before another column is shown: more in a wider line. */
function readableIn(columns: number): number {
  return Math.max(SHRUNK_COLUMN, Math.round(columns * 0.4))
}

interface RowsShown {
  /** Letters that a column has at most. */
  readonly most?: number
  /** Of third parties, whose ids no command takes back cut. */
  readonly areRecords?: boolean
}

function tableOf(
  { isTerminal, columns: width }: Shown,
  records: readonly Json[],
  columns: readonly {
    readonly name: string
    readonly path: readonly string[]
    readonly form: ColumnForm
  }[],
  { most = MAX_COLUMN, areRecords = false }: RowsShown = {},
): string {
  if (records.length === 0) return '(no records)\n'
  const nowMs = Date.now()
  const columnFor = (
    { name, path, form }: (typeof columns)[number],
    index: number,
    isShort: boolean,
  ): Column => {
    const { epoch = null, duration = null, named = () => null } = form
    const values = records.map((record) => valueAt(record, path))
    const cells = values.map((value) => {
      const said = momentAt(value, epoch, path)
      const moment = said ?? (typeof value === 'string' ? value : null)
      const ago = isTerminal && moment !== null ? relativeTo(nowMs, moment) : null
      const lasted = isTerminal ? durationWords(value, duration) : null
      const cell = ago ?? lasted ?? cellOf(withNames(value, named))
      return isShort && form.short !== undefined ? form.short(cell) : cell
    })
    const widest = cells.reduce((most, cell) => Math.max(most, widthOf(cell)), widthOf(name))
    const natural = Math.min(Math.max(widest, MIN_COLUMN), isTerminal ? most : MAX_COLUMN)
    const keeps = index === 0 || isCopied(name)
    const least = Math.min(natural, form.least ?? (keeps ? natural : SHRUNK_COLUMN))
    return {
      name,
      cells,
      width: natural,
      least,
      wanted: Math.max(least, Math.min(natural, form.wanted ?? least)),
      givesFirst: form.givesFirst === true,
      isRight:
        !keeps && epoch === null && areFigures(values.map((value) => withNames(value, named))),
      keepsEnd: form.keepsEnd === true,
      outranks: form.outranks === true,
    }
  }
  const full = columns.map((column, index) => columnFor(column, index, false))
  const hasRoom = !isTerminal || widthOfAll(full) <= width
  const whole = hasRoom ? full : columns.map((column, index) => columnFor(column, index, true))
  const shown = hasRoom ? whole : fitted(whole, width)
  const line = (cells: readonly string[]): string =>
    shown
      .map((column, index) => fit(cells[index] ?? '', column))
      .join(GAP)
      .trimEnd()
  const lines = [
    line(shown.map((column) => column.name)),
    line(shown.map((column) => '─'.repeat(column.width))),
    ...records.map((_, row) => line(shown.map((column) => column.cells[row] ?? ''))),
  ]
  const hidden = whole.length - shown.length
  const areCut = areRecords && shown.some(isCutId)
  const lacks = [
    ...(hidden > 0 ? [`${hidden} more ${hidden === 1 ? 'column' : 'columns'}`] : []),
    ...(areCut ? ['ids are cut'] : []),
  ]
  if (lacks.length > 0) lines.push(`(${lacks.join(', ')}; --json shows everything)`)
  return `${lines.join('\n')}\n`
}

function isCutId({ givesFirst, cells, width }: Column): boolean {
  return givesFirst && cells.some((cell) => widthOf(cell) > width)
}

/**
 * As many of the first columns as a line has room for, the widest of them made narrower; those that outrank others before
 * these. Behind the first few there is a column where those before it have what they want.
 */
function fitted(columns: readonly Column[], width: number): readonly Column[] {
  const [main, ...others] = columns
  const ranked = [
    ...(main === undefined ? [] : [main]),
    ...others.filter(({ outranks }) => outranks),
    ...others.filter(({ outranks }) => !outranks),
  ]
  let [used, asked] = [-GAP.length, -GAP.length]
  const roomy = ranked.filter((column, index) => {
    used += column.least + GAP.length
    asked += column.wanted + GAP.length
    return index === 0 || (index < FIRST_COLUMNS ? used : Math.max(used, asked)) <= width
  })
  const kept = columns.filter((column) => roomy.includes(column))
  const first = kept.filter(({ givesFirst }) => givesFirst)
  return narrowed(narrowed(kept, width, first), width, kept)
}

/** The columns with less width, taken a letter at a time from the widest of some of them, until a line has room or these are at their least. */
function narrowed(
  columns: readonly Column[],
  width: number,
  some: readonly Column[],
): readonly Column[] {
  const names = new Set(some.map(({ name }) => name))
  const widths = columns.map((column) => column.width)
  for (let excess = widthOfAll(columns) - width; excess > 0; excess--) {
    const over = columns.map(({ name, least }, index) => {
      const each = widths[index] ?? 0
      return names.has(name) && each > least ? each : 0
    })
    const most = Math.max(...over)
    if (most === 0) break
    widths[over.indexOf(most)] = most - 1
  }
  return columns.map((column, index) => ({ ...column, width: widths[index] ?? column.width }))
}

function widthOfAll(columns: readonly Column[]): number {
  return columns.reduce((sum, column) => sum + column.width + GAP.length, -GAP.length)
}

/** A value, or the elements of a list, with the names of the records that they name. */
function withNames(
  value: Json | undefined,
  named: (value: unknown) => string | null,
): Json | undefined {
  return Array.isArray(value)
    ? value.map((each: Json) => named(each) ?? each)
    : (named(value) ?? value)
}

function cellOf(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  if (isExactNumber(value)) return value.rawJSON
  if (Array.isArray(value)) return listText(value) ?? `[${value.length}]`
  if (isJsonObject(value)) return nameIn(value) ?? `{${Object.keys(value).length}}`
  return plainLine(`${value as string | number | boolean}`)
}

/** A list of few texts and names as it reads; null for any other. */
function listText(items: readonly Json[]): string | null {
  if (items.length === 0) return '[]'
  if (items.length > MAX_LISTED || items.some((item) => Array.isArray(item))) return null
  const texts = items.map((item) => (isJsonObject(item) ? nameIn(item) : cellOf(item)))
  return texts.includes(null) ? null : texts.join(', ')
}

/** What people call the thing that an object stands for. */
function nameIn(value: Json): string | null {
  const label = labelOf(value)
  return label === null ? null : plainLine(label)
}

/** Whether all that there is are numbers. */
function areFigures(values: readonly (Json | undefined)[]): boolean {
  const known = values.filter((value) => value !== undefined && value !== null)
  return (
    known.length > 0 && known.every((value) => typeof value === 'number' || isExactNumber(value))
  )
}

function fit(cell: string, { width, isRight, keepsEnd }: Column): string {
  const excess = widthOf(cell) - width
  if (excess <= 0) return isRight ? ' '.repeat(-excess) + cell : cell + ' '.repeat(-excess)
  const parts = Array.from(new Intl.Segmenter().segment(cell), ({ segment }) => segment)
  const end = keepsEnd ? lastOf(parts, Math.floor((width - 1) / 2)) : ''
  const begin = firstOf(parts, width - 1 - widthOf(end))
  return `${begin}…${end}${' '.repeat(Math.max(0, width - 1 - widthOf(begin + end)))}`
}

/** As many characters as there is room for. */
function firstOf(parts: readonly string[], room: number): string {
  let text = ''
  for (const part of parts) {
    if (widthOf(text + part) > room) break
    text += part
  }
  return text
}

function lastOf(parts: readonly string[], room: number): string {
  let text = ''
  for (const part of parts.toReversed()) {
    if (widthOf(part + text) > room) break
    text = part + text
  }
  return text
}
