// Rows as files to download: a JSON object per line, or a table for spreadsheets.
import { Readable } from 'node:stream'
import type { Json, JsonObject } from '../language/json/json.ts'
import type { ServiceReply } from './route.ts'

export const ROW_FORMS = ['ndjson', 'csv'] as const
export type RowForm = (typeof ROW_FORMS)[number]

interface RowText {
  readonly type: string
  readonly head: (columns: readonly string[]) => string
  readonly line: (row: JsonObject) => string
}

/** Every row has all columns, in their order. */
export const ROW_TEXTS: Readonly<Record<RowForm, RowText>> = {
  ndjson: {
    type: 'application/x-ndjson',
    head: () => '',
    line: (row) => `${JSON.stringify(row)}\n`,
  },
  csv: {
    type: 'text/csv; charset=utf-8',
    head: (columns) => `${columns.join(',')}\r\n`,
    line: (row) => `${Object.values(row).map(cellOf).join(',')}\r\n`,
  },
}

export async function* rowsAsText(
  form: RowForm,
  columns: readonly string[],
  pages: AsyncIterable<readonly JsonObject[]>,
): AsyncGenerator<string> {
  const { head, line } = ROW_TEXTS[form]
  yield head(columns)
  for await (const rows of pages) yield rows.map(line).join('')
}

/** `name`: of the file, without its ending. */
export function fileReply(
  name: string,
  form: RowForm,
  content: AsyncIterable<string>,
): ServiceReply {
  return {
    status: 200,
    headers: {
      'content-type': ROW_TEXTS[form].type,
      'content-disposition': `attachment; filename="${name}.${form}"`,
    },
    content: Readable.from(content),
  }
}

/** RFC 4180; a cell that a spreadsheet would take for a formula begins with an apostrophe. */
function cellOf(value: Json): string {
  if (value === null) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const FORMULA = /^[=+\-@\t\r]/
const NEEDS_QUOTES = /[",\r\n]/
