// Rows as files that a browser saves.
import type { Json } from '../api/json-text.ts'
import { textOf } from '../form/field-text.ts'

/**
 * CSV as RFC 4180 has it, with a mark of UTF-8 at its start, because spreadsheets guess otherwise. A text that a
 * spreadsheet would run as a formula begins with an apostrophe.
 */
export function csvOf<Row>(
  columns: readonly {
    readonly title: string
    readonly value: (row: Row) => Json | undefined
  }[],
  rows: readonly Row[],
): string {
  const lines = [
    columns.map(({ title }) => quoted(title)),
    ...rows.map((row) => columns.map(({ value }) => quoted(value(row)))),
  ]
  return `\uFEFF${lines.map((cells) => `${cells.join(',')}\r\n`).join('')}`
}

function quoted(value: Json | undefined): string {
  const text = textOf(value)
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
