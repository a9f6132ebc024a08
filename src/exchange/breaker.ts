// Leaves a dead vendor alone: a circuit breaker per origin, and a bound on repetitions per origin.
import { ConnectorError } from '../errors.ts'
import type { Clock } from './clock.ts'

const FAILURES_IN_A_ROW = 5
const WINDOW_MS = 10_000
const WINDOW_MINIMUM = 20
const OPEN_MS = 30_000
const RETRY_SHARE = 0.1
const RETRIES_ALWAYS = 3

/** Health of the origins one client talks to. Only network failures, time-outs and 5xx count, never a 4xx. */
export interface Breaker {
  /** Throws `upstream_suspended` with `retryAfterMs` while the origin is left alone; one probe passes after 30 s. */
  check(origin: string): void
  /** `unknown`: the attempt was given up before it could tell anything. */
  record(origin: string, result: 'success' | 'failure' | 'unknown'): void
  /** Whether one more repetition may start: at most 10 % of the calls of the last 10 s, at least 3 at a time. */
  startRetry(origin: string): boolean
  endRetry(origin: string): void
}

interface Health {
  inARow: number
  openUntil: number
  probing: boolean
  windowStart: number
  calls: number
  failures: number
  /** Calls of the window before, so that a fresh window does not forget everything at once. */
  callsBefore: number
  retrying: number
}

/** A breaker that lives in memory. */
export function createBreaker(clock: Clock): Breaker {
  const byOrigin = new Map<string, Health>()

  function healthOf(origin: string): Health {
    let health = byOrigin.get(origin)
    if (health === undefined) {
      health = {
        inARow: 0,
        openUntil: 0,
        probing: false,
        windowStart: clock.monotonic(),
        calls: 0,
        failures: 0,
        callsBefore: 0,
        retrying: 0,
      }
      byOrigin.set(origin, health)
    }
    return health
  }

  return {
    check(origin) {
      const health = healthOf(origin)
      const now = clock.monotonic()
      if (now - health.windowStart > WINDOW_MS) {
        health.callsBefore = now - health.windowStart > 2 * WINDOW_MS ? 0 : health.calls
        health.windowStart = now
        health.calls = 0
        health.failures = 0
      }
      if (health.openUntil > 0) {
        if (now < health.openUntil || health.probing)
          throw suspended(origin, Math.max(health.openUntil - now, 1000))
        health.probing = true
      }
      health.calls++
    },
    record(origin, result) {
      const health = healthOf(origin)
      health.probing = false
      if (result === 'unknown') return
      if (result === 'success') {
        health.inARow = 0
        health.openUntil = 0
        return
      }
      health.inARow++
      health.failures++
      const half = health.calls >= WINDOW_MINIMUM && health.failures * 2 >= health.calls
      if (health.inARow >= FAILURES_IN_A_ROW || half) health.openUntil = clock.monotonic() + OPEN_MS
    },
    startRetry(origin) {
      const health = healthOf(origin)
      const allowed = Math.max(
        RETRIES_ALWAYS,
        Math.floor((health.calls + health.callsBefore) * RETRY_SHARE),
      )
      if (health.retrying >= allowed) return false
      health.retrying++
      return true
    },
    endRetry(origin) {
      healthOf(origin).retrying--
    },
  }
}

function suspended(origin: string, ms: number): ConnectorError {
  return new ConnectorError(
    'upstream_suspended',
    `${origin} failed again and again and is left alone for ${Math.ceil(ms / 1000)} s; nothing was sent`,
    { retryAfterMs: Math.ceil(ms) },
  )
}
