// Where commands write, and what the other side of it can show.
import type { Writable } from 'node:stream'
import { styleText } from 'node:util'
import type { Json } from '../language/json/json.ts'
import type { ExitCode } from './exit-codes.ts'
import { formatRecord, tableFor } from './table.ts'

export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number }
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
  write(text: string): void
  /** The text in colour where colour can be shown, else unchanged. */
  paint(style: Style, text: string): string
}

/** What a command may write to: results go to `out`, all else to `err`. */
export interface Terminal {
  readonly out: Channel
  readonly err: Channel
}

/** What a command has found or done. */
export interface Result {
  /** For programs: JSON, one line where no person looks at it. */
  readonly value: unknown
  /** For programs a line of JSON for each element of the value. */
  readonly isLines?: true
  /** For people: a text, or the rows of a table. Left out: the value, as a table or with a line for each member. */
  readonly shown?: string | readonly object[]
  /** For people, on the error channel; also next to JSON. */
  readonly note?: string
  /** Default: done. */
  readonly code?: ExitCode
}

/** Writes a result, for programs or for people. */
export function print({ out, err }: Terminal, json: boolean | undefined, result: Result): void {
  const { value, isLines, shown = value as string | object, note = '' } = result
  if (json === true && isLines === true) writeLines(out, value as readonly unknown[])
  else if (json === true) out.write(jsonText(out, value))
  else if (typeof shown === 'string') out.write(shown)
  // Rows are JSON.
  else out.write(Array.isArray(shown) ? tableFor(out, shown as Json[]) : formatRecord(shown))
  if (note !== '') err.write(note)
}

/** One JSON document; people get it indented. */
export function jsonText({ isTerminal }: Channel, value: unknown): string {
  return `${JSON.stringify(value, null, isTerminal ? 2 : undefined)}\n`
}

function writeLines(out: Channel, values: readonly unknown[]): void {
  for (const value of values) out.write(`${JSON.stringify(value)}\n`)
}

/** How the records of all pages are shown. */
interface Walk<P, R> {
  /** What they are called in the progress line. */
  readonly label: string
  readonly recordsOf: (page: P) => readonly R[]
  readonly limit: number | undefined
  /** A line for each record as it comes; else one table at the end. */
  readonly json: boolean | undefined
  readonly tableOf: (records: readonly R[]) => string
}

/** Shows the records of all pages, or as many as `limit` says. Gives what was read. */
export async function showPages<P, R>(
  pages: AsyncIterable<P>,
  { label, recordsOf, limit = Number.POSITIVE_INFINITY, json, tableOf }: Walk<P, R>,
  { out }: Terminal,
): Promise<{ readonly records: number; readonly pages: number; readonly last: P | null }> {
  const shown: R[] = []
  const read = { records: 0, pages: 0, last: null as P | null }
  await withProgress(label, async (update) => {
    for await (const page of pages) {
      const records = recordsOf(page).slice(0, limit - read.records)
      read.records += records.length
      read.pages++
      read.last = page
      if (json === true) writeLines(out, records)
      else shown.push(...records)
      update(read.records, null)
      if (read.records >= limit) break
    }
  })
  if (json !== true) out.write(tableOf(shown))
  return read
}

/** Amounts by name, a line each. */
export function formatCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name}  ${count}\n`)
    .join('')
}

/** The terminal of a process. `FORCE_COLOR` wins over `NO_COLOR`, both over what the stream is. */
export function createTerminal(out: Output, err: Output, env: Environment): Terminal {
  return { out: createChannel(out, env), err: createChannel(err, env) }
}

function createChannel(stream: Output, env: Environment): Channel {
  const isTerminal = stream.isTTY === true
  const isColoured = wantsColour(isTerminal, env)
  return {
    isTerminal,
    isColoured,
    columns: stream.columns ?? 80,
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

/** Tells how far it is: `done` and `total` in the same unit; total null when it is unknown. */
type Update = (done: number, total: number | null) => void

const BAR = 24
const EVERY_MS = 80
const CLEAR = '\r\u001B[2K'

/** Runs with a progress line on standard error, which is cleared at the end. */
export async function withProgress<T>(
  label: string,
  run: (update: Update) => Promise<T>,
  format: (amount: number) => string = String,
): Promise<T> {
  const { stderr } = process
  if (!stderr.isTTY) return await run(() => {})
  const started = performance.now()
  let drawnAt = Number.NEGATIVE_INFINITY
  const update: Update = (done, total) => {
    const now = performance.now()
    if (now - drawnAt < EVERY_MS && done !== total) return
    drawnAt = now
    const seconds = (now - started) / 1000
    const rate = seconds > 0.5 ? `  ${format(Math.round(done / seconds))}/s` : ''
    const amount =
      total === null ? format(done) : `${bar(done / total)} ${format(done)} of ${format(total)}`
    stderr.write(`${CLEAR}${`${label}  ${amount}${rate}`.slice(0, (stderr.columns ?? 80) - 1)}`)
  }
  try {
    return await run(update)
  } finally {
    stderr.write(CLEAR)
  }
}

/** Bytes for people: 1.5 MiB. */
export function formatBytes(bytes: number): string {
  const power = Math.min(3, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const amount = bytes / 1024 ** power
  return `${power === 0 ? amount : amount.toFixed(1)} ${['B', 'KiB', 'MiB', 'GiB'][power]}`
}

function bar(share: number): string {
  const full = Math.min(BAR, Math.max(0, Math.round(share * BAR)))
  return `${'█'.repeat(full)}${'░'.repeat(BAR - full)}`
}
