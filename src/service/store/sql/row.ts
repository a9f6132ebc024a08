// Rows as the port has them, and columns as the tables hold them: the same members under other names, lists and objects
// as JSON text, truth values as numbers. Statements name members; what a dialect compiles and reads goes through here.
import type { DefaultQueryCompiler, Dialect, KyselyPlugin, UnknownRow } from 'kysely'
import { DatabaseTime } from '../../../database/database-clock.ts'
import { parseJson } from '../../../language/json/parse-json.ts'
import { defect } from '../../../database/database-errors.ts'

/** Objects whose digits stay as they were written. In all tables a column name has one meaning. */
const OBJECTS: ReadonlySet<string> = new Set([
  'config',
  'replication_config',
  'sync',
  'problem',
  'data',
])
/** Other values that are kept as JSON. */
const JSON_TEXTS: ReadonlySet<string> = new Set([
  'redirect_urls',
  'addresses',
  'allows',
  'scope',
  'state_reason',
  'granted_scopes',
  'connector_types',
  'event_types',
  'members',
  'headers',
  'used',
  'several',
])

/** Reads the rows of every statement. A database `withoutPlugins` gives them as they are stored. */
export const ROW_READER: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => ({ ...result, rows: result.rows.map(readRow) }),
}

/** A dialect whose statements name members, and columns hold the values in them as `storedValue` says. */
export function withMembers(dialect: Dialect): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => dialect.createDriver(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler() {
      // The compiler of every dialect is made from this one.
      const compiler = dialect.createQueryCompiler() as DefaultQueryCompiler
      const add = compiler['addParameter'].bind(compiler)
      compiler['sanitizeIdentifier'] = columnName
      compiler['addParameter'] = (value) => add(storedValue(value))
      return compiler
    },
  }
}

export function readRow(columns: UnknownRow): UnknownRow {
  const row: UnknownRow = {}
  for (const [name, value] of Object.entries(columns)) row[memberName(name)] = read(name, value)
  return row
}

function read(name: string, value: unknown): unknown {
  if (typeof value === 'string') {
    if (OBJECTS.has(name)) return parseJson(value)
    return JSON_TEXTS.has(name) ? JSON.parse(value) : value
  }
  // Bytes are of one type, whatever class a driver has for them.
  if (value instanceof Uint8Array)
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  return name === 'enabled' ? value === 1 : value
}

/** What a column holds for a value of a statement. Throws `internal_error` for a number that cannot be stored. */
export function storedValue(value: unknown): unknown {
  if (typeof value === 'number' && isUnreadable(value)) throw outOfRange()
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value !== 'object' || value === null) return value
  const isKept = value instanceof Uint8Array || value instanceof DatabaseTime
  return isKept ? value : JSON.stringify(value)
}

const memberName = remembering((column) =>
  column.replaceAll(/_(.)/g, (_match, letter: string) => letter.toUpperCase()),
)

/** `created_at` for `createdAt`, as it stands between quotes. Names of tables and of columns stay as they are. */
export const columnName: (member: string) => string = remembering((member) =>
  member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('"', '""'),
)

/** There are as many names as columns. */
function remembering(convert: (name: string) => string): (name: string) => string {
  const names = new Map<string, string>()
  return (name) => {
    const known = names.get(name)
    if (known !== undefined) return known
    const converted = convert(name)
    names.set(name, converted)
    return converted
  }
}

/** The longest time that anything may be put off, in milliseconds: 100 years. */
const MAX_DISTANCE_MS = 100 * 365 * 86_400_000

/** Throws `internal_error` for a distance in time that would lead out of what can be stored. */
export function requireDistance(ms: number): void {
  if (!(Math.abs(ms) <= MAX_DISTANCE_MS)) throw outOfRange()
}

/** Whether a value of a row is a number that does not come back as it was written. */
export function isUnreadable(value: unknown): boolean {
  return typeof value === 'number' ? !Number.isSafeInteger(value) : typeof value === 'bigint'
}

function outOfRange(): Error {
  return defect('the store', new RangeError('a number that was to be stored is out of range'))
}
