// Which parts of records make good columns, and what a cell calls an object: the same in the console and the terminal.

/** A part of records that a table shows. */
export interface RecordColumn {
  readonly path: readonly string[]
  /** The path, with dots between its names. */
  readonly title: string
}

const LOOKED_AT = 50
/** Letters from which on an id tells people nothing: what is called by a name stands before it. */
const OPAQUE = 16
/** Names that tell much, the most telling first; compared in small letters. */
const NAMES =
  'id key name title summary subject displayname login email emailaddress status state type amount priority assignee started updated updated_at created created_at'.split(
    ' ',
  )
/** Behind all that name a record, before what only belongs to it. */
const BEHIND_NAMES = NAMES.indexOf('login') - 0.5
/** Records from which on a value that all of them have says little. */
const SEVERAL = 3
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
  known: number
  worth: number
  readonly texts: Set<string>
  /** The text of each record that was looked at; none where it does not have the path. */
  readonly rows: string[]
}

/**
 * The columns of records that nobody described, the most telling first: what names a record, then short values, then
 * lists and links, then what is the same everywhere or what a column before it has said already, and last what is too
 * long for any cell. Objects at the top that nothing names are opened by one level. The first 50 records are looked at.
 */
export function columnsOf(records: readonly unknown[]): readonly RecordColumn[] {
  const found = new Map<string, Found>()
  const looked = records.slice(0, LOOKED_AT)
  for (const [at, record] of looked.entries()) {
    for (const [path, value] of leavesOf(record, [])) {
      const title = path.join('.')
      const column = found.get(title) ?? { path, known: 0, worth: 0, texts: new Set(), rows: [] }
      column.known += (value ?? null) === null ? 0 : knownness(path, value)
      column.worth += worthOf(value)
      const text = textToCompare(value)
      column.texts.add(text)
      column.rows[at] = text
      found.set(title, column)
    }
  }
  const scoreOf = ({ path, known, worth, texts }: Found): number => {
    if (looked.length < SEVERAL || texts.size > 1) return known + worth
    // Below another name, one that tells much says nothing when it is the same everywhere.
    return (path.length > 1 ? 0 : known) + worth / 5
  }
  const ranked = [...found].toSorted(([, a], [, b]) => scoreOf(b) - scoreOf(a))
  const said = new Set<string>()
  const repeated = new Set<Found>()
  for (const [, column] of ranked) {
    // A few values may be alike by chance.
    if (column.texts.size < SEVERAL) continue
    const rows = JSON.stringify(looked.map((_, at) => column.rows[at] ?? ''))
    if (said.has(rows)) repeated.add(column)
    said.add(rows)
  }
  const scoreOfAll = (column: Found): number =>
    repeated.has(column) ? column.worth / 5 : scoreOf(column)
  return ranked
    .toSorted(([, a], [, b]) => scoreOfAll(b) - scoreOfAll(a))
    .map(([title, { path }]) => ({ title, path }))
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

/** Lists and objects without a name are taken for the same: they tell little anyway. */
function textToCompare(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return labelOf(value) ?? (isRawNumber(value) ? JSON.stringify(value) : '')
}

function knownness(path: readonly string[], value: unknown): number {
  const at = NAMES.indexOf(path.at(-1)?.toLowerCase() ?? '')
  const isOpaque = at === 0 && typeof value === 'string' && value.length >= OPAQUE
  // A name deep inside says less about the whole.
  return at === -1 ? 0 : (100 - (isOpaque ? BEHIND_NAMES : at)) / path.length
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
  return isLink || text.length > LONG ? 1 : 10
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
