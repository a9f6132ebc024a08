// Records that cannot be kept are left out and counted; where they are too many, the manifest is wrong about their key. Pure.
import type { LeftOut, LeftOutRecord } from './run-record.ts'

/** Of so many the places are kept. */
const MAX_EXAMPLES = 10
/** So many are a mistake before the end of a reading, where they are more than half. */
const MIN_MISTAKEN = 100

/** What was left out, with more of it. */
export function withLeftOut(
  before: LeftOut | undefined,
  more: readonly LeftOutRecord[],
): LeftOut | undefined {
  if (more.length === 0) return before
  const { records = 0, reasons = {}, examples = [] } = before ?? {}
  const counts = { ...reasons }
  for (const { reason } of more) counts[reason] = (counts[reason] ?? 0) + 1
  return {
    records: records + more.length,
    reasons: counts,
    examples: [...examples, ...more.slice(0, MAX_EXAMPLES - examples.length)],
  }
}

/** Records whose key is not known: any record that a listing lacks may be one of them. */
export function countUnknown(leftOut: LeftOut | undefined): number {
  return leftOut === undefined ? 0 : leftOut.records - (leftOut.reasons.duplicate ?? 0)
}

/**
 * Whether so many records have no usable key that it is no fault of the records: more than half of them, and either the
 * reading is over and was of everything, or they are many. `kept`: those with a usable key.
 */
export function isMistaken(
  leftOut: LeftOut | undefined,
  kept: number,
  { isWhole }: { readonly isWhole: boolean },
): boolean {
  const unknown = countUnknown(leftOut)
  return unknown > kept && (isWhole || unknown >= MIN_MISTAKEN)
}

/** What is left out of a copy after a run; `isWhole`: the run read everything, so that nothing else is. */
export function leftOutAfter(
  before: LeftOut | undefined,
  run: LeftOut | undefined,
  isWhole: boolean,
): LeftOut | undefined {
  if (isWhole || before === undefined) return run
  return run !== undefined && run.records > before.records ? run : before
}
