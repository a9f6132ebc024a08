// Where commands write, and what the other side of it can show.
import type { Writable } from 'node:stream'
import { styleText } from 'node:util'
import type { Json } from '../language/json/json.ts'
import type { ExitCode } from './exit-codes.ts'
import { page, pagerIn } from './pager.ts'
import { withProgress } from './progress.ts'
import { formatRecord, tableFor } from './table.ts'
import { wrapText } from './wrap.ts'

export type Output = Writable & {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
}
/** The variables that a command sees. */
export type Environment = Readonly<Record<string, string | undefined>>
export type Style = Parameters<typeof styleText>[0]

/** One of the two outputs of a process. */
export interface Channel {
  /** Whether a person looks at it: progress and prompts are for people. */
  readonly isTerminal: boolean
  readonly isColoured: boolean
  /** Characters in a line; 80 where it is unknown. */
  readonly columns: number
  /** Lines of a screen; 24 where it is unknown. */
  readonly rows: number
  write(text: string): void
  /** The text in colour where colour can be shown, else unchanged. */
  paint(style: Style, text: string): string
}

/** What a command may write to: results go to `out`, all else to `err`. */
export interface Terminal {
  readonly out: Channel
  readonly err: Channel
  /** Writes a result to `out`; to a person who looks at a terminal a screen at a time, where it is longer than one. */
  showLong(text: string): Promise<void>
}

/** What a command has found or done. */
export interface Result {
  /** For programs. A list is a line of JSON for each of its elements; all else is one document. */
  readonly value: object
  /** For people: a text, or the rows of a table. Left out: the value, as a table or with a line for each member. */
  readonly shown?: string | readonly object[]
  /** For people, where there are no rows. */
  readonly none?: string
  /** For people, on the error channel; also next to JSON. */
  readonly note?: string
  /** Default: done. */
  readonly code?: ExitCode
}

/** Writes a result, for programs or for people. */
export async function print(
  terminal: Terminal,
  json: boolean | undefined,
  result: Result,
): Promise<void> {
  const { out, err } = terminal
  const { value, shown = value, none, note = '' } = result
  if (json === true && Array.isArray(value)) writeLines(out, value)
  else if (json === true) await terminal.showLong(jsonText(out, value))
  else if (none !== undefined && Array.isArray(shown) && shown.length === 0) out.write(none)
  else if (typeof shown === 'string') await terminal.showLong(shown)
  else
    await terminal.showLong(
      // Rows are JSON.
      Array.isArray(shown) ? tableFor(out, shown as Json[]) : formatRecord(out, shown),
    )
  if (note !== '') err.write(json === true ? note : wrapText(note, err))
}

/** One JSON document; people get it indented. */
export function jsonText({ isTerminal }: Channel, value: unknown): string {
  return `${JSON.stringify(value, null, isTerminal ? 2 : undefined)}\n`
}

/** A line of JSON for each row of a list; the one way in which commands write them. */
export function writeLines(out: Pick<Channel, 'write'>, rows: readonly unknown[]): void {
  for (const row of rows) out.write(`${JSON.stringify(row)}\n`)
}

/** How the records of all pages are shown. */
interface Walk<P, R> {
  /** What they are called in the progress line. */
  readonly label: string
  readonly recordsOf: (page: P) => readonly R[]
  readonly limit: number | undefined
  /** A line for each record as it comes; else one table at the end. */
  readonly json: boolean | undefined
  readonly tableOf: (records: readonly R[]) => string | Promise<string>
}

/** Shows the records of all pages, or as many as `limit` says. Gives what was read. */
export async function showPages<P, R>(
  pages: AsyncIterable<P>,
  { label, recordsOf, limit = Number.POSITIVE_INFINITY, json, tableOf }: Walk<P, R>,
  terminal: Terminal,
): Promise<{ readonly records: number; readonly pages: number; readonly last: P | null }> {
  const { out, err } = terminal
  const shown: R[] = []
  const read = { records: 0, pages: 0, last: null as P | null }
  const total = Number.isFinite(limit) ? limit : null
  await withProgress(err, { label }, async (update) => {
    for await (const page of pages) {
      const records = recordsOf(page).slice(0, limit - read.records)
      read.records += records.length
      read.pages++
      read.last = page
      if (json === true) writeLines(out, records)
      else shown.push(...records)
      update(read.records, total)
      if (read.records >= limit) break
    }
  })
  if (json !== true) await terminal.showLong(await tableOf(shown))
  return read
}

/** A table whose rows come a page at a time. */
export interface GrowingTable<R> {
  add(rows: readonly R[]): Promise<void>
  /** Shows what is not shown yet, also where the listing has failed. */
  end(): Promise<void>
}

/** Rows that a person gets as one table. */
const MAX_GATHERED = 2_000

/** To a person at a terminal pages are one table, which a pager may show; else, and while `follows`, each page is written as it comes. */
export function growingTable<R>(
  terminal: Terminal,
  tableOf: (rows: readonly R[]) => string,
  { follows }: { readonly follows: boolean },
): GrowingTable<R> {
  const { out } = terminal
  let gathered: R[] = []
  const end = async (): Promise<void> => {
    const rows = gathered
    gathered = []
    if (rows.length > 0) await terminal.showLong(tableOf(rows))
  }
  return {
    end,
    async add(rows) {
      if (follows || !out.isTerminal) {
        if (rows.length > 0) out.write(tableOf(rows))
        return
      }
      gathered.push(...rows)
      if (gathered.length >= MAX_GATHERED) await end()
    },
  }
}

/** Amounts by name, a line each. */
export function formatCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name}  ${count}\n`)
    .join('')
}

/** The terminal of a process. `FORCE_COLOR` wins over `NO_COLOR`, both over what the stream is. */
export function createTerminal(out: Output, err: Output, env: Environment): Terminal {
  const channel = createChannel(out, env)
  const pager = pagerIn(env)
  return {
    out: channel,
    err: createChannel(err, env),
    async showLong(text) {
      const isLong = channel.isTerminal && text.split('\n').length > channel.rows
      if (!isLong || pager === null || !(await page(pager, text, env))) channel.write(text)
    },
  }
}

/** The same terminal without a pager: for `--no-pager`. */
export function withoutPager({ out, err }: Terminal): Terminal {
  return { out, err, showLong: (text) => Promise.resolve(out.write(text)) }
}

function createChannel(stream: Output, env: Environment): Channel {
  const isTerminal = stream.isTTY === true
  const isColoured = wantsColour(isTerminal, env)
  return {
    isTerminal,
    isColoured,
    columns: stream.columns ?? 80,
    rows: stream.rows ?? 24,
    write(text) {
      stream.write(text)
    },
    paint(style, text) {
      return isColoured ? styleText(style, text, { validateStream: false }) : text
    },
  }
}

function wantsColour(isTerminal: boolean, env: Environment): boolean {
  const { FORCE_COLOR: force, NO_COLOR: no, TERM: term } = env
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false'
  if (no !== undefined && no !== '') return false
  return isTerminal && term !== 'dumb'
}
