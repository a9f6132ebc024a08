// A run as a list of listings: one per value of `each` and per window of time. Pure.
import type { Json } from '../../language/json/json.ts'
import type { SyncCursor } from '../../language/manifest/manifest.ts'
import { floorTo, startMs } from './cursor-time.ts'
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
