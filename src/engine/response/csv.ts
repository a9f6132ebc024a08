// Comma-separated values. Source: RFC 4180.
import type { JsonObject } from '../../language/json/json.ts'

/** The text is no table: `line` counts from 1. */
export class CsvError extends Error {
  override readonly name = 'CsvError'
  readonly line: number

  constructor(message: string, line: number) {
    super(`${message} (line ${line})`)
    this.line = line
  }
}

/**
 * Reads a table whose first row names its columns; each further row becomes an object of texts.
 *
 * Lines end with CR LF or LF; empty lines are skipped. Throws CsvError for a row with more or fewer fields than
 * columns, two columns of one name, an unclosed quotation mark, or text behind a closed one.
 */
export function parseCsv(text: string): JsonObject[] {
  const records: JsonObject[] = []
  let names: readonly string[] | null = null
  readRows(text, (fields, line) => {
    if (names === null) {
      names = fields
      if (new Set(names).size < names.length)
        throw new CsvError('two columns have the same name', line)
      return
    }
    if (fields.length !== names.length)
      throw new CsvError(`a row has ${fields.length} fields, not ${names.length}`, line)
    records.push(recordOf(names, fields))
  })
  return records
}

/** Millions of fields are read by this: nothing is made next to the record. */
function recordOf(names: readonly string[], fields: readonly string[]): JsonObject {
  const record: Record<string, string> = {}
  for (let index = 0; index < names.length; index++) {
    const name = names[index] ?? ''
    const value = fields[index] ?? ''
    // It would be no member otherwise.
    if (name === '__proto__') Object.defineProperty(record, name, { ...OWN, value })
    else record[name] = value
  }
  return record
}

const OWN = { configurable: true, enumerable: true, writable: true }

function readRows(text: string, take: (fields: readonly string[], line: number) => void): void {
  let fields: string[] = []
  let line = 1
  let rowLine = 1
  for (let at = 0; at < text.length;) {
    const end = endOfField(text, at, line)
    const written = text.slice(at, end)
    const isQuoted = written.startsWith('"')
    fields.push(isQuoted ? written.slice(1, -1).replaceAll('""', '"') : written)
    if (isQuoted) line += written.split('\n').length - 1
    if (text[end] === ',') {
      at = end + 1
      if (at < text.length) continue
      // A comma at the very end is followed by one more, empty field.
      fields.push('')
    }
    const isEmptyLine = fields.length === 1 && written === ''
    if (!isEmptyLine) take(fields, rowLine)
    at = end + (text[end] === '\r' ? 2 : 1)
    fields = []
    rowLine = ++line
  }
}

/** Where the comma or line end behind the field stands that begins at `start`, or the end of the text. */
function endOfField(text: string, start: number, line: number): number {
  if (text[start] !== '"') return indexOfEnd(text, start)
  let end = start
  do {
    end = text.indexOf('"', end + 1) + 1
    if (end === 0) throw new CsvError('a quotation mark is not closed', line)
  } while (text[end] === '"')
  if (indexOfEnd(text, end) !== end)
    throw new CsvError('text follows a closing quotation mark', line)
  return end
}

const END = /[,\n]/g

function indexOfEnd(text: string, from: number): number {
  END.lastIndex = from
  const end = END.test(text) ? END.lastIndex - 1 : text.length
  return end > from && text.startsWith('\r\n', end - 1) ? end - 1 : end
}
