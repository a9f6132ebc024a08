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
  const rows = readRows(text)
  const header = rows.shift()
  if (header === undefined) return []
  const names = header.fields
  if (new Set(names).size < names.length) {
    throw new CsvError('two columns have the same name', header.line)
  }
  return rows.map(({ fields, line }) => {
    if (fields.length !== names.length) {
      throw new CsvError(`a row has ${fields.length} fields, not ${names.length}`, line)
    }
    return Object.fromEntries(names.map((name, index) => [name, fields[index] ?? '']))
  })
}

interface Row {
  readonly fields: string[]
  readonly line: number
}

function readRows(text: string): Row[] {
  const rows: Row[] = []
  let fields: string[] = []
  let line = 1
  let rowLine = 1
  let at = 0
  while (at < text.length) {
    const field = text[at] === '"' ? quotedField(text, at, line) : plainField(text, at)
    fields.push(field.value)
    line += field.lines
    at = field.end
    if (text[at] === ',') {
      at += 1
      // A comma at the very end is followed by one more, empty field.
      if (at === text.length) fields.push('')
      else continue
    }
    if (!isEmptyLine(fields, field.quoted)) rows.push({ fields, line: rowLine })
    at += text.startsWith('\r\n', at) ? 2 : 1
    fields = []
    rowLine = ++line
  }
  if (fields.length > 0) rows.push({ fields, line: rowLine })
  return rows
}

interface Field {
  readonly value: string
  readonly quoted: boolean
  /** Where the comma or line end behind the field stands. */
  readonly end: number
  /** Line ends inside the field. */
  readonly lines: number
}

function plainField(text: string, start: number): Field {
  let end = start
  while (end < text.length && text[end] !== ',' && !isLineEnd(text, end)) end++
  return { value: text.slice(start, end), quoted: false, end, lines: 0 }
}

function quotedField(text: string, start: number, line: number): Field {
  let value = ''
  let from = start + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote === -1) throw new CsvError('a quotation mark is not closed', line)
    value += text.slice(from, quote)
    if (text[quote + 1] !== '"') {
      const end = quote + 1
      if (end < text.length && text[end] !== ',' && !isLineEnd(text, end)) {
        throw new CsvError('text follows a closing quotation mark', line)
      }
      return { value, quoted: true, end, lines: value.split('\n').length - 1 }
    }
    value += '"'
    from = quote + 2
  }
}

function isLineEnd(text: string, at: number): boolean {
  return text[at] === '\n' || text.startsWith('\r\n', at)
}

function isEmptyLine(fields: readonly string[], quoted: boolean): boolean {
  return fields.length === 1 && fields[0] === '' && !quoted
}
