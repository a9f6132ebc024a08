// Leaves a dead vendor alone: a circuit breaker per client and origin, one per origin for connections that cannot be
// made, and a bound on repetitions per origin.
import { ConnectorError } from '../../errors.ts'
import type { Clock } from './clock.ts'

const FAILURES_IN_A_ROW = 5
const WINDOW_MS = 10_000
const WINDOW_MINIMUM = 20
const OPEN_MS = 30_000
const RETRY_SHARE = 0.1
const RETRIES_ALWAYS = 3

/**
 * What an attempt said about an origin. `failure`: an answer of 5xx, none in time, or a connection that broke.
 * `unconnected`: no connection could be made, which is the same for every caller. `unknown`: the attempt was given up
 * before it could tell anything. A 4xx is a success.
 */
export type CallEnd = 'success' | 'failure' | 'unconnected' | 'unknown'

/** Health of the origins one client talks to. */
export interface Breaker {
  /** Throws `upstream_suspended` with `retryAfterMs` while the origin is left alone; one probe passes after 30 s. */
  check(origin: string): void
  record(origin: string, end: CallEnd): void
  /**
   * Whether one more repetition may start: at most 10 % of the calls of the last 10 s, at least 3 at a time. A client
   * with none under way may start one beyond that, up to twice as many.
   */
  startRetry(origin: string): boolean
  endRetry(origin: string): void
}

/** What the clients of one process know together of origins. It is used through the breaker of each client. */
export interface Reachability {
  of(origin: string): SharedHealth
}

interface SharedHealth extends Circuit {
  retrying: number
}

interface OwnHealth extends Circuit {
  readonly shared: SharedHealth
  retrying: number
}

interface Circuit {
  inARow: number
  openUntil: number
  probing: boolean
  windowStart: number
  calls: number
  failures: number
  /** Calls of the window before, so that a fresh window does not forget everything at once. */
  callsBefore: number
}

/** What clients share, in memory. */
export function createReachability(clock: Clock): Reachability {
  const byOrigin = new Map<string, SharedHealth>()
  return {
    of(origin) {
      let health = byOrigin.get(origin)
      if (health === undefined) {
        health = { ...closedCircuit(clock.monotonic()), retrying: 0 }
        byOrigin.set(origin, health)
      }
      return health
    },
  }
}

/**
 * A breaker that lives in memory. What one client's calls come to (bodies that make the vendor fail, a tenant whose
 * server is down) suspends nobody else; only connections that cannot be made count for all who share `reachability`.
 */
export function createBreaker(
  clock: Clock,
  reachability: Reachability = createReachability(clock),
): Breaker {
  const byOrigin = new Map<string, OwnHealth>()

  function healthOf(origin: string): OwnHealth {
    let health = byOrigin.get(origin)
    if (health === undefined) {
      const shared = reachability.of(origin)
      health = { ...closedCircuit(clock.monotonic()), shared, retrying: 0 }
      byOrigin.set(origin, health)
    }
    return health
  }

  return {
    check(origin) {
      const own = healthOf(origin)
      const { shared } = own
      const now = clock.monotonic()
      // Both are asked before either takes the call for its probe.
      const unconnectedMs = closedFor(shared, now)
      if (unconnectedMs > 0)
        throw suspended(`no connection to ${origin} could be made`, unconnectedMs)
      const failingMs = closedFor(own, now)
      if (failingMs > 0) throw suspended(`${origin} failed again and again`, failingMs)
      begin(shared, now)
      begin(own, now)
    },
    record(origin, end) {
      const own = healthOf(origin)
      const now = clock.monotonic()
      conclude(own, end === 'unconnected' ? 'failure' : end, now)
      // Whatever came of a connection, it was made.
      conclude(
        own.shared,
        end === 'unconnected' ? 'failure' : end === 'failure' ? 'success' : end,
        now,
      )
    },
    startRetry(origin) {
      const own = healthOf(origin)
      const { shared } = own
      const calls = shared.calls + shared.callsBefore
      const allowed = Math.max(RETRIES_ALWAYS, Math.floor(calls * RETRY_SHARE))
      if (shared.retrying >= (own.retrying === 0 ? 2 * allowed : allowed)) return false
      own.retrying++
      shared.retrying++
      return true
    },
    endRetry(origin) {
      const own = healthOf(origin)
      own.retrying--
      own.shared.retrying--
    },
  }
}

function closedCircuit(now: number): Circuit {
  return {
    inARow: 0,
    openUntil: 0,
    probing: false,
    windowStart: now,
    calls: 0,
    failures: 0,
    callsBefore: 0,
  }
}

/** Milliseconds for which no call may pass; 0: one may. */
function closedFor({ openUntil, probing }: Circuit, now: number): number {
  if (openUntil === 0 || (now >= openUntil && !probing)) return 0
  return Math.max(openUntil - now, 1000)
}

/** Counts a call that passes; of a circuit that was open it is the probe. */
function begin(circuit: Circuit, now: number): void {
  if (now - circuit.windowStart > WINDOW_MS) {
    circuit.callsBefore = now - circuit.windowStart > 2 * WINDOW_MS ? 0 : circuit.calls
    circuit.windowStart = now
    circuit.calls = 0
    circuit.failures = 0
  }
  circuit.probing = circuit.openUntil > 0
  circuit.calls++
}

function conclude(circuit: Circuit, end: Exclude<CallEnd, 'unconnected'>, now: number): void {
  circuit.probing = false
  if (end === 'unknown') return
  if (end === 'success') {
    circuit.inARow = 0
    circuit.openUntil = 0
    return
  }
  circuit.inARow++
  circuit.failures++
  const isHalf = circuit.calls >= WINDOW_MINIMUM && circuit.failures * 2 >= circuit.calls
  if (circuit.inARow >= FAILURES_IN_A_ROW || isHalf) circuit.openUntil = now + OPEN_MS
}

function suspended(what: string, ms: number): ConnectorError {
  return new ConnectorError(
    'upstream_suspended',
    `${what}, so it is left alone for ${Math.ceil(ms / 1000)} s; nothing was sent`,
    { retryAfterMs: Math.ceil(ms) },
  )
}
