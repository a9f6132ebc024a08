// Leaves a dead vendor alone: a circuit breaker per client and origin, one per origin for connections that cannot be
// made, and a bound on repetitions per origin.
import { ConnectorError } from '../../errors.ts'
import type { Clock } from './clock.ts'

const FAILURES_IN_A_ROW = 5
const WINDOW_MS = 10_000
const WINDOW_MINIMUM = 20
const OPEN_MS = 30_000
const RETRY_SHARE = 0.1
const MIN_RETRIES = 3

/**
 * What an attempt said about an origin. `failure`: an answer of 5xx, none in time, or a connection that broke.
 * `unconnected`: no connection could be made, which is the same for every caller. `unknown`: the attempt was given up
 * before it could tell anything. A 4xx is a success.
 */
export type CallEnd = 'success' | 'failure' | 'unconnected' | 'unknown'

interface OwnHealth extends Circuit {
  readonly shared: Circuit
}

interface Circuit {
  /** Repetitions under way. */
  retrying: number
  inARow: number
  openUntil: number
  probing: boolean
  windowStart: number
  calls: number
  failures: number
  /** The failure at which it was opened last; null: it was not, or nobody said. */
  why: ConnectorError | null
  /** Calls of the window before, so that a fresh window does not forget everything at once. */
  callsBefore: number
}

/** What the clients of one process know together of origins. It is used through the breaker of each client. */
export class Reachability {
  readonly #clock: Clock
  readonly #byOrigin = new Map<string, Circuit>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  of(origin: string): Circuit {
    let health = this.#byOrigin.get(origin)
    if (health === undefined) {
      health = closedCircuit(this.#clock.monotonic())
      this.#byOrigin.set(origin, health)
    }
    return health
  }
}

/**
 * Health of the origins that one client calls, in memory. What one client's calls come to (bodies that make the vendor
 * fail, a tenant whose server is down) suspends no other client; only connections that cannot be made count for all who
 * share `reachability`.
 */
export class Breaker {
  readonly #clock: Clock
  readonly #reachability: Reachability
  readonly #byOrigin = new Map<string, OwnHealth>()

  constructor(clock: Clock, reachability: Reachability = new Reachability(clock)) {
    this.#clock = clock
    this.#reachability = reachability
  }

  /**
   * Throws `upstream_suspended` while the origin is left alone, with `retryAfterMs` and, as its cause, the failure that
   * led to it; one probe passes after 30 s.
   */
  check(origin: string): void {
    const own = this.#healthOf(origin)
    const { shared } = own
    const now = this.#clock.monotonic()
    // Both are asked before either takes the call for its probe.
    const unconnectedMs = closedFor(shared, now)
    if (unconnectedMs > 0)
      throw suspended(`no connection to ${origin} could be made`, unconnectedMs, shared.why)
    const failingMs = closedFor(own, now)
    if (failingMs > 0) throw suspended(`${origin} failed again and again`, failingMs, own.why)
    begin(shared, now)
    begin(own, now)
  }

  /** `why`: what a failure was; asked only where the origin is left alone for it. */
  record(origin: string, end: CallEnd, why: () => ConnectorError | null = noReason): void {
    const own = this.#healthOf(origin)
    const now = this.#clock.monotonic()
    conclude(own, end === 'unconnected' ? 'failure' : end, { now, why })
    // Whatever came of a connection, it was made.
    const reached = end === 'failure' ? 'success' : end
    conclude(own.shared, reached === 'unconnected' ? 'failure' : reached, { now, why })
  }

  /**
   * Whether one more repetition may start: at most 10 % of the calls of the last 10 s, at least 3 at a time. A client
   * with none under way may start one beyond that, up to twice as many.
   */
  startRetry(origin: string): boolean {
    const own = this.#healthOf(origin)
    const { shared } = own
    const calls = shared.calls + shared.callsBefore
    const allowed = Math.max(MIN_RETRIES, Math.floor(calls * RETRY_SHARE))
    if (shared.retrying >= (own.retrying === 0 ? 2 * allowed : allowed)) return false
    own.retrying++
    shared.retrying++
    return true
  }

  endRetry(origin: string): void {
    const own = this.#healthOf(origin)
    own.retrying--
    own.shared.retrying--
  }

  #healthOf(origin: string): OwnHealth {
    let health = this.#byOrigin.get(origin)
    if (health === undefined) {
      const shared = this.#reachability.of(origin)
      health = { ...closedCircuit(this.#clock.monotonic()), shared }
      this.#byOrigin.set(origin, health)
    }
    return health
  }
}

function closedCircuit(now: number): Circuit {
  return {
    retrying: 0,
    inARow: 0,
    openUntil: 0,
    probing: false,
    windowStart: now,
    calls: 0,
    failures: 0,
    why: null,
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

function conclude(
  circuit: Circuit,
  end: Exclude<CallEnd, 'unconnected'>,
  { now, why }: { readonly now: number; readonly why: () => ConnectorError | null },
): void {
  circuit.probing = false
  if (end === 'unknown') return
  if (end === 'success') {
    circuit.inARow = 0
    circuit.openUntil = 0
    circuit.why = null
    return
  }
  circuit.inARow++
  circuit.failures++
  const isHalf = circuit.calls >= WINDOW_MINIMUM && circuit.failures * 2 >= circuit.calls
  if (circuit.inARow < FAILURES_IN_A_ROW && !isHalf) return
  circuit.openUntil = now + OPEN_MS
  circuit.why = why()
}

function noReason(): null {
  return null
}

function suspended(what: string, ms: number, why: ConnectorError | null): ConnectorError {
  return new ConnectorError(
    'upstream_suspended',
    `${what}, so it is left alone for now${why === null ? '' : `. It failed with: ${why.message}`}`,
    { retryAfterMs: Math.ceil(ms), cause: why },
  )
}
