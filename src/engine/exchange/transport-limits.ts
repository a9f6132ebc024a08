// How long and how large an exchange with a third party may become: every transport holds these limits.

/** All of it can be lowered or raised per transport; tests run with milliseconds. */
export interface TransportLimits {
  /** Calls under way per origin, each on a connection of its own. */
  readonly connections: number
  /** Streamed calls under way per origin, beside the others. */
  readonly streams: number
  /** Calls waiting for a connection per origin; one more is `overloaded`. */
  readonly queue: number
  /** Longest wait in that queue. */
  readonly queueMs: number
  /** Name look-up, TCP and TLS together. */
  readonly connectMs: number
  /** From the first byte sent to the head of the answer. */
  readonly headMs: number
  /** Silence while a body is awaited. */
  readonly idleMs: number
  readonly headBytes: number
  /** Of a buffered body as sent, and again after inflating. */
  readonly bodyBytes: number
  /** Inflated bytes per byte sent, counted beyond the first MiB. */
  readonly inflateRatio: number
  /** Of a streamed body, from its head to its end. */
  readonly streamMs: number
  /** A streamed body slower than this over `rateWindowMs` ends; time in which its reader was busy does not count. */
  readonly rateBytesPerSecond: number
  readonly rateWindowMs: number
  /** Origins with open connections remembered at once; the oldest idle one is let go. */
  readonly origins: number
}

const MIB = 1024 * 1024

/** The limits that hold unless a transport is made with others. */
export const DEFAULT_LIMITS: TransportLimits = {
  connections: 32,
  streams: 64,
  queue: 256,
  queueMs: 10_000,
  connectMs: 5_000,
  headMs: 15_000,
  idleMs: 15_000,
  headBytes: 32 * 1024,
  bodyBytes: 32 * MIB,
  inflateRatio: 200,
  streamMs: 3_600_000,
  rateBytesPerSecond: 16 * 1024,
  rateWindowMs: 30_000,
  origins: 256,
}
