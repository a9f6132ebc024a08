// When a copy that is kept up is late: one rule, for what is told of an account and for finding accounts.
import type { EntityReport } from './syncs.ts'

/** What is read once an hour is not behind after 20 minutes: that was planned. */
export function isOverdue(overdueMs: number, intervalMs: number): boolean {
  return overdueMs > intervalMs
}

/** Of a copy that is not paused. One that fails is late, and so is what waits for it. */
export function isLate({
  failures,
  waitsFor,
  nextRunAtMs,
  nowMs,
  setting,
}: Pick<EntityReport, 'failures' | 'waitsFor' | 'nextRunAtMs' | 'nowMs' | 'setting'>): boolean {
  if (failures > 0 || waitsFor?.state === 'error') return true
  return nextRunAtMs !== null && isOverdue(nowMs - nextRunAtMs, setting.intervalMs)
}
