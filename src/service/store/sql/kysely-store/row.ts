// Rows as the port has them and columns as the tables hold them: the same members under other names, lists and objects
// as JSON text, truth values as numbers.
import { parseJson } from '../../../../language/json/parse-json.ts'
import type { Columns } from '../schema.ts'

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
  'scope',
  'state_reason',
  'granted_scopes',
  'connector_types',
  'event_types',
  'members',
  'headers',
  'used',
])

/** The row of the port that columns hold. Columns that the row does not have have to be left out before. */
export function readRow<Row extends object>(columns: Columns<Row>): Row {
  const row: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(columns)) row[memberName(name)] = read(name, value)
  // `Columns` is the inverse of this function.
  return row as Row
}

function read(name: string, value: unknown): unknown {
  if (typeof value === 'string') {
    if (OBJECTS.has(name)) return parseJson(value)
    return JSON_TEXTS.has(name) ? JSON.parse(value) : value
  }
  if (value instanceof Uint8Array) return readBytes(value)
  return name === 'enabled' ? value === 1 : value
}

/** Bytes as one type, whatever class a driver has for them. */
export function readBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** The columns of the members that a row or a patch has. */
export function writeRow<Row extends object>(row: Row): Columns<Row> {
  const columns: Record<string, unknown> = {}
  for (const [member, value] of Object.entries(row))
    if (value !== undefined) columns[columnName(member)] = written(value)
  // `Columns` describes this function.
  return columns as Columns<Row>
}

function written(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  const isJson = typeof value === 'object' && value !== null && !(value instanceof Uint8Array)
  return isJson ? JSON.stringify(value) : value
}

const memberNames = new Map<string, string>()
const columnNames = new Map<string, string>()

function memberName(column: string): string {
  return remember(memberNames, column, (text) =>
    text.replaceAll(/_(.)/g, (_match, letter: string) => letter.toUpperCase()),
  )
}

function columnName(member: string): string {
  return remember(columnNames, member, (text) =>
    text.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  )
}

/** There are as many names as columns. */
function remember(
  names: Map<string, string>,
  name: string,
  convert: (name: string) => string,
): string {
  const known = names.get(name)
  if (known !== undefined) return known
  const converted = convert(name)
  names.set(name, converted)
  return converted
}
