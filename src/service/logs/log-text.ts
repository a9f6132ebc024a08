// Log entries as files: a JSON object per line, or a table for spreadsheets.
import type { Json } from '../../language/json/json.ts'
import type { LogRow } from '../store/logs.ts'
import { entryOf } from './log-view.ts'

export type LogTextForm = 'ndjson' | 'csv'

interface LogText {
  readonly type: string
  readonly ending: string
  readonly write: (pages: AsyncIterable<readonly LogRow[]>) => AsyncGenerator<string>
}

const FORMS: Readonly<Record<LogTextForm, LogText>> = {
  ndjson: {
    type: 'application/x-ndjson',
    ending: 'ndjson',
    async *write(pages) {
      for await (const rows of pages)
        yield rows.map((row) => `${JSON.stringify(entryOf(row))}\n`).join('')
    },
  },
  csv: {
    type: 'text/csv; charset=utf-8',
    ending: 'csv',
    async *write(pages) {
      let isFirst = true
      for await (const rows of pages) {
        const entries = rows.map(entryOf)
        if (isFirst) yield `${Object.keys(entries[0] ?? NO_ENTRY).join(',')}\r\n`
        isFirst = false
        yield entries.map((entry) => `${Object.values(entry).map(cellOf).join(',')}\r\n`).join('')
      }
    },
  },
}

/** The head of a table without rows. */
const NO_ENTRY = { id: null }

export function logsAsText(form: LogTextForm): LogText {
  return FORMS[form]
}

/** RFC 4180; a cell that a spreadsheet would take for a formula begins with an apostrophe. */
function cellOf(value: Json | undefined): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const FORMULA = /^[=+\-@\t\r]/
const NEEDS_QUOTES = /[",\r\n]/
