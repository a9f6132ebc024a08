// When an entity is read, and how much of it. Pure.
import { hash } from 'node:crypto'

import type { ErrorCode } from '../../errors.ts'
import type { Sync } from '../../language/manifest/manifest.ts'
import type { CopyFacts, CountedFailures, RunKind } from './run-record.ts'

export type SyncMode = 'incremental' | 'full'

/** The kinds of runs that are due now, in the order in which they run. */
export function dueKinds(
  sync: Sync,
  state: { readonly complete: boolean; readonly facts: CopyFacts },
  mode: SyncMode | null,
  nowMs: number,
): readonly RunKind[] {
  const { facts } = state
  if (sync.parent !== null) return ['children']
  if (!state.complete) return ['initial']
  const isDue = (lastMs: number | null, everyMs: number): boolean =>
    lastMs === null || nowMs - lastMs >= everyMs
  const isFull =
    sync.cursor === null ||
    mode === 'full' ||
    (sync.fullMs !== null && isDue(facts.fullAtMs, sync.fullMs))
  const first: RunKind = isFull ? 'full' : 'incremental'
  const { reconcile } = sync
  // A full reading has looked at every key as well.
  return reconcile === null || isFull || !isDue(facts.reconciledAtMs, reconcile.everyMs)
    ? [first]
    : [first, 'reconcile']
}

const MINUTE = 60_000
const MAX_PAUSE_MS = 60 * MINUTE
/** No third party is asked more often than this. */
export const MIN_INTERVAL_MS = 30_000

/**
 * How long after the end of a run the next one begins: the interval give or take a tenth, the same for the same name, so
 * that instances spread; after failures 1, 2, 4 … 60 minutes, if that is sooner than never.
 */
export function pauseMs(intervalMs: number, failures: number, name: string): number {
  if (failures > 0) return Math.min(MAX_PAUSE_MS, MINUTE * 2 ** Math.min(failures - 1, 10))
  const interval = Math.max(MIN_INTERVAL_MS, intervalMs)
  const share = hash('sha256', name, 'buffer').readUInt32BE() / 2 ** 32
  return Math.round(interval * (0.9 + 0.2 * share))
}

/**
 * A run that somebody asked for and that fails lengthens no wait, unless it is the first that fails. One between two that
 * count: what was asked for is tried again as such until it is done, and a third party that is down is asked less and less.
 */
export function countFailure(
  before: CountedFailures,
  { isAsked, atMs }: { readonly isAsked: boolean; readonly atMs: number },
): CountedFailures {
  return isAsked && before.failures > 0 && before.isSpared !== true
    ? { ...before, isSpared: true }
    : { failures: before.failures + 1, atMs }
}

/** Failures of a third party as a whole: once it answers, everything that met them may be well again. */
const OF_WHOLE: ReadonlySet<ErrorCode> = new Set([
  'upstream_failed',
  'upstream_timeout',
  'upstream_unreachable',
])

/**
 * How soon a copy that fails is tried ahead of its plan, because a turn of another copy of the account that began at
 * `beganMs` was read well: null: it is not. Once between two failures that count, as what somebody asks for: a call that
 * fails for ever while others go well is made twice as often at most.
 */
export function earlyAttemptMs(
  { failures, lastError, counted }: Pick<CopyFacts, 'failures' | 'lastError' | 'counted'>,
  { beganMs, nowMs }: { readonly beganMs: number; readonly nowMs: number },
): number | null {
  if (failures === 0 || lastError === null || counted?.isSpared === true) return null
  const { code, atMs, cause } = lastError
  if (atMs > beganMs || !OF_WHOLE.has(cause?.code ?? code)) return null
  return Math.max(0, atMs + MIN_INTERVAL_MS - nowMs)
}

/**
 * How long after a failure the next attempt is: when it was planned for, also where one that was asked for failed
 * meanwhile, `elapsedMs` after the last failure that counts.
 */
export function pauseAfterFailure(failures: number, elapsedMs: number): number {
  const pause = pauseMs(0, failures, '')
  // A clock that was set back makes no wait longer.
  return Math.min(pause, Math.max(MIN_INTERVAL_MS, pause - elapsedMs))
}
