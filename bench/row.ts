// What a row of the benchmark is and what it reports.
import type { Spread } from './statistics.ts'

/** A figure that is compared: smaller is better for `atMost`, larger for `atLeast`. */
export interface Target {
  readonly atMost?: number
  readonly atLeast?: number
}

/** One line of the table: what, in which unit, and how the sides did. */
export interface Line {
  /** For example `4 KB record, 16 callers`. */
  readonly title: string
  readonly unit: string
  readonly sides: readonly (Spread & { readonly name: string })[]
  /** The figures that count, each with its targets. */
  readonly figures: readonly Figure[]
}

export interface Figure extends Spread {
  /** For example `tenon / undici.request`. */
  readonly name: string
  readonly unit: string
  /** `--check` fails when this is missed; null: shown for information. */
  readonly must: Target | null
  readonly goal: Target | null
}

/** How large a measurement is to be. */
export interface Scale {
  /** Records in a copy that is filled or searched. */
  readonly records: number
}

export interface Row {
  readonly name: string
  readonly about: string
  /** Records where nobody says how many; 5,000 without. */
  readonly records?: number
  run(scale: Scale): Promise<readonly Line[]>
}

/** Whether a figure meets a target; no target is met by everything. */
export function meets({ median }: Spread, target: Target | null): boolean {
  if (target === null) return true
  const { atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY } = target
  return median <= atMost && median >= atLeast
}
