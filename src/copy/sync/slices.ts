// A run as a list of listings: one per value of `each` and per window of time; and the time that a sync advances by: read
// from records, stepped back, written as parameters want it. Pure.
import { compileDuration, compileTimeFormat } from '../../language/expression/time.ts'
import { ValueError } from '../../language/expression/value-error.ts'
import type { Json } from '../../language/json/json.ts'
import type { SyncCursor } from '../../language/manifest/manifest.ts'
import type { CopyFacts, RunKind, RunRecord } from './run-record.ts'

/** One listing of a run, from its beginning to its end. */
export interface Slice {
  /** From 0, the same in every process that works on the run. */
  readonly no: number
  readonly value: Json
  readonly sinceMs: number | null
  readonly untilMs: number
}

export function slicesOf(
  { values, sinceMs, untilMs }: Pick<RunRecord, 'values' | 'sinceMs' | 'untilMs'>,
  windowMs: number | null,
): readonly Slice[] {
  const slices: Slice[] = []
  for (const [index, value] of values.entries()) {
    const since = sinceMs[index] ?? null
    // Nothing new can be there yet, where our clock was set back, but the listing shows that the vendor answers.
    const last = since === null ? untilMs : Math.max(since + 1, untilMs)
    if (since === null || windowMs === null) {
      slices.push({ no: slices.length, value, sinceMs: since, untilMs: last })
      continue
    }
    for (let from = since; from < last; from += windowMs)
      slices.push({
        no: slices.length,
        value,
        sinceMs: from,
        untilMs: Math.min(from + windowMs, last),
      })
  }
  return slices
}

/** What a value of `each` is called in the facts. */
export function valueKey(value: Json): string {
  return JSON.stringify(value)
}

/** From where values are read in a run of this kind; null: from the beginning. */
export function sinceOf(
  kind: RunKind,
  cursor: SyncCursor | null,
  facts: CopyFacts,
  untilMs: number,
): (value: Json) => number | null {
  if (cursor === null) return () => null
  const start = startMs(cursor, untilMs)
  const floored = start === null ? null : floorTo(cursor.format, start)
  return (value) => {
    const highWater = facts.highWaterMs[valueKey(value)]
    if (kind !== 'incremental' || highWater === undefined) return floored
    return latest(floored, floorTo(cursor.format, highWater - (cursor.lookbackMs ?? 0)))
  }
}

/** The later of two times; null: there is none. */
export function latest(left: number | null, right: number | null): number | null {
  return left === null || right === null ? (left ?? right) : Math.max(left, right)
}

const toMs = compileTimeFormat('epoch_ms')
/** Numbers from here on are milliseconds: as seconds they would lie beyond the year 5138. */
const MIN_MS = 1e11

/** A time in a record as milliseconds since 1970; null for what is no time. A date is its midnight in UTC. */
export function cursorMs(value: Json | undefined): number | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'number' && value >= MIN_MS) return Math.floor(value)
  try {
    return Number(toMs(value))
  } catch (error) {
    if (error instanceof ValueError) return null
    throw error
  }
}

/** Where the first run begins; null: there is no lower bound. */
export function startMs({ start }: SyncCursor, nowMs: number): number | null {
  if (start === null) return null
  if (!start.startsWith('P')) return cursorMs(start)
  return cursorMs(compileDuration(`-${start}`)(isoOf(nowMs)))
}

/** Whether the start stays the same: where it moves along, a listing says nothing about records behind it. */
export function hasFixedStart({ start }: SyncCursor): boolean {
  return start?.startsWith('P') !== true
}

/** Units of a format, the finest first. */
const UNITS: readonly (readonly [letters: RegExp, ms: number])[] = [
  [/iso|epoch_ms|SSS/, 1],
  [/epoch_s|ss/, 1_000],
  [/mm/, 60_000],
  [/HH/, 3_600_000],
]
const DAY = 86_400_000

/** The time rounded down to what the format can say. */
export function floorTo(format: string, ms: number): number {
  const plain = format.replaceAll(/'[^']*'/g, '')
  const unit = UNITS.find(([letters]) => letters.test(plain))?.[1] ?? DAY
  return Math.floor(ms / unit) * unit
}

/** The time as a parameter. Throws ValueError for a format that the lint would have refused. */
export function boundOf(format: string, ms: number): Json {
  return compileTimeFormat(format)(isoOf(ms))
}

export function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}
