// The time a sync advances by: read from records, stepped back, written as parameters want it. Pure.
import { compileDuration, compileTimeFormat } from '../../language/expression/time.ts'
import { ValueError } from '../../language/expression/value-error.ts'
import type { Json } from '../../language/json/json.ts'
import type { SyncCursor } from '../../language/manifest/manifest.ts'

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
