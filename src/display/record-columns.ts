// Which parts of records make good columns, and what a cell calls an object: the same in the console and the terminal.
import { momentAt } from './epochs.ts'

/** A part of records that a table shows. */
export interface RecordColumn {
  readonly path: readonly string[]
  /** The path, with dots between its names. */
  readonly title: string
}

const LOOKED_AT = 50
/** Letters from which on an id tells people nothing: what is called by a name stands before it. */
const OPAQUE = 16
/** The same of an id that is a number. */
const OPAQUE_NUMBER = 100_000
/** What records call themselves; the most telling first, in small letters and without what joins them, as all below. */
const TITLES = 'key name title summary subject displayname fullname realname'.split(' ')
/** What they are called by where nothing else names them. */
const TEXTS = 'text message content body description'.split(' ')
/** What tells most of a record after its name, and at the end when it was. */
const FACTS =
  'number status state amount total currency customer priority assignee author user owner channel type login email emailaddress'.split(
    ' ',
  )
const MOMENTS =
  'started date updated updatedat updatedtime created createdat createdtime sent sentat timestamp'.split(
    ' ',
  )
/** Names that tell much, the most telling first. */
const NAMES: readonly string[] = ['id', ...TITLES, ...TEXTS, ...FACTS, ...MOMENTS]
/** Behind what names a record, its state, its amount and whose it is. */
const BEHIND_NAMES = NAMES.indexOf('priority') - 0.5
/** A member that says a part of what the first of its words says: an amount that is due, the name of a customer; or a kind of it. */
const PART = /^(amount)_\w+$|^(customer)_name$|^\w+_(status)$/
const WHOLES: ReadonlySet<string> = new Set(['amount', 'customer', 'status'])
/** What only tells one from another, for programs. */
const TECHNICAL = /(?:^|_)(?:ids?|sha|uuid|guid|hash|etag|token|uri|url)$/
/** What tells something of a record also when it is the same of all: that all have succeeded, and in what amounts are. */
const TELLING_ALIKE: ReadonlySet<string> = new Set(['status', 'state', 'currency'])
/** Objects that hold the members of a record and mean nothing themselves. */
const WRAPPERS: ReadonlySet<string> = new Set(['fields', 'attributes', 'properties', 'data'])
/** Records from which on a value that all of them have says little. */
const SEVERAL = 3
/** Letters from which on two values are hardly alike by chance. */
const TELLING = 8
/** Members that stand for a whole object in a cell, the most telling first; those of one line stand together. */
const LABELS: readonly (readonly string[])[] = [
  ['displayName'],
  ['name'],
  ['firstName', 'lastName'],
  ['first_name', 'last_name'],
  ['givenName', 'familyName'],
  ['given_name', 'family_name'],
  ['title'],
  ['login'],
  ['emailAddress'],
  ['email'],
  ['value'],
  ['key'],
  ['id'],
]

/** All members that `labelOf` may read. */
export const LABEL_MEMBERS: readonly string[] = LABELS.flat()

/** Where records name themselves by the member that names their key: `scorecardName` next to `scorecardId`; null: there is none. */
export function nameNextTo(key: string): string | null {
  const [, stem, id] = /^(.+?)(_id|Id)$/.exec(key) ?? []
  return stem === undefined ? null : `${stem}${id === 'Id' ? 'Name' : '_name'}`
}

interface Found {
  readonly path: readonly string[]
  /** The sums of all records that were looked at. */
  known: number
  worth: number
  readonly texts: Set<string>
  /** The text of each record that was looked at; none where it does not have the path. */
  readonly rows: string[]
  isYesNo: boolean
}

export interface ColumnsOptions {
  /** Whether a value is shown by the name of the record that it names. */
  readonly isNamed?: (path: readonly string[], value: unknown) => boolean
}

/**
 * The columns of records that nobody described, the most telling first: what names a record, what is said of it and when
 * it was, then short values, then lists and links, then what is the same everywhere or what a column before it has said
 * already, and last what is too long for any cell. Objects at the top that nothing names are opened by one level. The
 * first 50 records are looked at.
 */
export function columnsOf(
  records: readonly unknown[],
  { isNamed = () => false }: ColumnsOptions = {},
): readonly RecordColumn[] {
  const found = new Map<string, Found>()
  const looked = records.slice(0, LOOKED_AT)
  for (const [at, record] of looked.entries()) {
    for (const [path, value] of leavesOf(record, [])) {
      const title = path.join('.')
      const column = found.get(title) ?? {
        path,
        known: 0,
        worth: 0,
        texts: new Set(),
        rows: [],
        isYesNo: true,
      }
      column.known += (value ?? null) === null ? 0 : knownness(path, value)
      column.worth += isNamed(path, value) ? WORTH_OF_NAME : worthAt(path, value)
      column.isYesNo &&= typeof value === 'boolean' || (value ?? null) === null
      const text = textToCompare(path, value)
      column.texts.add(text)
      column.rows[at] = text
      found.set(title, column)
    }
  }
  const columns = [...found.values()]
  const hasTitle = columns.some(({ path, known }) => known > 0 && isOneOf(TITLES, path))
  const isConstant = ({ texts }: Found): boolean => looked.length >= SEVERAL && texts.size === 1
  const scoreOf = (column: Found): number => {
    const known = hasTitle && isOneOf(TEXTS, column.path) ? 0 : column.known
    if (isConstant(column)) return known / (isToldAlike(column) ? 1.25 : 100) + column.worth / 5
    // Two may be alike by chance.
    return known + column.worth * (looked.length > 1 && column.texts.size === 1 ? 0.6 : 1)
  }
  const inOrder = (score: (column: Found) => number): readonly Found[] =>
    columns.toSorted((a, b) => score(b) - score(a))
  const behind = new Set<Found>()
  const parts = new Set<Found>()
  const said = new Set<string>()
  const partsSaid = new Set<string>()
  for (const column of inOrder(scoreOf)) {
    const rows = JSON.stringify(looked.map((_, at) => column.rows[at] ?? ''))
    if (!isByChance(column, looked.length)) {
      if (said.has(rows)) behind.add(column)
      said.add(rows)
    }
    const whole = wholeOf(wordsIn(column.path))
    if (whole === null || isConstant(column) || behind.has(column)) continue
    if (partsSaid.has(whole)) parts.add(column)
    partsSaid.add(whole)
  }
  const scoreOfAll = (column: Found): number =>
    behind.has(column)
      ? column.worth / 5
      : parts.has(column)
        ? column.worth + column.known / 10
        : scoreOf(column)
  return inOrder(scoreOfAll).map(({ path }) => ({ title: path.join('.'), path }))
}

/** Whether what repeats these values may mean something else: a few yes and no, or figures of few records. */
function isByChance({ texts, isYesNo }: Found, records: number): boolean {
  if (texts.size >= SEVERAL) return false
  if (records < SEVERAL && texts.size === records && records > 1) return isYesNo
  return ![...texts].every((text) => text.length >= TELLING)
}

/** Whether a column has what people copy, and what is of no use when it is cut. */
export function isCopied(title: string): boolean {
  return COPIED.test(title)
}

const COPIED = /^(?:.*[._])?(?:id|key|instance)$/

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
  for (const names of LABELS) {
    const texts = names.flatMap((name) => {
      const part = Object.hasOwn(value, name) ? value[name] : undefined
      const isText =
        typeof part === 'string' || typeof part === 'number' || typeof part === 'bigint'
      return isText && part !== '' ? [String(part)] : []
    })
    if (texts.length > 0) return texts.join(' ')
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

/** Whether all records say it with the same value, which is none of nothing. */
function isToldAlike({ path, texts }: Found): boolean {
  return isOfRecord(path) && TELLING_ALIKE.has(wordsIn(path)) && !texts.has('null')
}

/** Lists and objects without a name are taken for the same: they tell little anyway. One moment is the same, however it is written. */
function textToCompare(path: readonly string[], value: unknown): string {
  const moment = momentAt(value, null, path) ?? (typeof value === 'string' ? value : '')
  const atMs = DATE_TIME.test(moment) ? Date.parse(moment) : Number.NaN
  if (!Number.isNaN(atMs)) return String(atMs)
  if (typeof value !== 'object' || value === null) return String(value)
  return labelOf(value) ?? (isRawNumber(value) ? JSON.stringify(value) : '')
}

/** The last name of a path, in small letters, with `_` between its words: `updatedAt` is `updated_at`. */
function wordsIn(path: readonly string[]): string {
  const last = path.at(-1) ?? ''
  return last
    .replaceAll('-', '_')
    .replaceAll(/([a-z\d])(?=[A-Z])/g, '$1_')
    .toLowerCase()
}

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/

/** What a member says a part of, as an amount; null: none. */
function wholeOf(words: string): string | null {
  const [whole = null] =
    PART.exec(words)
      ?.slice(1)
      .filter((part) => part !== undefined) ?? []
  return whole ?? (WHOLES.has(words) ? words : null)
}

function isOneOf(names: readonly string[], path: readonly string[]): boolean {
  return isOfRecord(path) && names.includes(wordsIn(path).replaceAll('_', ''))
}

/** Whether it is a member of the record, and of no part of it. */
function isOfRecord(path: readonly string[]): boolean {
  return path.length === 1 || (path.length === 2 && WRAPPERS.has(path[0]?.toLowerCase() ?? ''))
}

function knownness(path: readonly string[], value: unknown): number {
  const words = wordsIn(path)
  const at = NAMES.indexOf(wholeOf(words) ?? words.replaceAll('_', ''))
  if (at === -1) return 0
  const isHidden = at === 0 && isOpaque(value)
  // A name deep inside says little about the whole.
  return (100 - (isHidden ? BEHIND_NAMES : at)) / (isOfRecord(path) ? 1 : 25)
}

const WORTH_OF_NAME = 10
/** Of what only tells one from another. */
const WORTH_OF_ID = 5

function worthAt(path: readonly string[], value: unknown): number {
  const words = wordsIn(path)
  const most = words !== 'id' && TECHNICAL.test(words) ? WORTH_OF_ID : WORTH_OF_NAME
  return Math.min(most, worthOf(value)) * (isOfRecord(path) ? 1 : 0.6)
}

function worthOf(value: unknown): number {
  if (value === null || value === undefined) return 0
  if (Array.isArray(value)) return 2
  if (typeof value === 'string') return worthOfText(value)
  if (typeof value === 'boolean') return 4
  return isMembers(value) ? (labelOf(value) === null ? 1 : 8) : 9
}

/** Letters from which on a cell shows a small part: of a text its beginning, of a link nothing that tells it from others. */
const LONG = 60
const TOO_LONG = 120

function worthOfText(text: string): number {
  const isLink = /^https?:/.test(text)
  if (isLink && text.length > TOO_LONG) return 0.1
  if (isLink || text.length > LONG) return 1
  return isMixed(text) ? WORTH_OF_ID : WORTH_OF_NAME
}

function isOpaque(id: unknown): boolean {
  if (typeof id === 'string') return id.length >= OPAQUE || isMixed(id)
  if (typeof id === 'bigint') return id >= OPAQUE_NUMBER
  const isNumber = typeof id !== 'object' || (id !== null && isRawNumber(id))
  return isNumber && Number(JSON.stringify(id)) >= OPAQUE_NUMBER
}

/** Letters and digits through each other, as a program makes them and nobody says them: `R_df4fe69d5656`. */
function isMixed(text: string): boolean {
  if (text.length < 10 || !/^[\w-]+$/.test(text)) return false
  return (text.replaceAll(/[_-]/g, '').match(/\d+|\D+/g) ?? []).length > 4
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
