// How long and how large an exchange with a third party may become: every transport holds these limits.

/** The limits that hold unless a transport is made with others; tests run with milliseconds. */
export const DEFAULT_LIMITS = {
  /** Calls under way per origin, each on a connection of its own. */
  connections: 32,
  /** Streamed calls under way per origin, in addition to the others. */
  streams: 64,
  /** Connections to all origins together, those that rest included; a call that needs one more is `overloaded`. */
  sockets: 1_000_000,
  /** Calls waiting for a connection per origin; one more is `overloaded`. */
  queue: 256,
  /** Longest wait in that queue. */
  queueMs: 10_000,
  /** Name look-up, TCP and TLS together. */
  connectMs: 5_000,
  /** From the first byte sent to the head of the answer. */
  headMs: 15_000,
  /** Silence while a body is awaited. */
  idleMs: 15_000,
  /** 32 KiB. */
  headBytes: 32_768,
  /** Of a buffered body as sent, and again after inflating: 32 MiB. */
  bodyBytes: 33_554_432,
  /** Inflated bytes per byte sent, counted beyond the first MiB. */
  inflateRatio: 200,
  /** Of a streamed body, from its head to its end. */
  streamMs: 3_600_000,
  /** A streamed body slower than this over `rateWindowMs` ends; time in which its reader was busy does not count. */
  rateBytesPerSecond: 16_384,
  rateWindowMs: 30_000,
  /** Origins with open connections remembered at once; the oldest idle one is let go. */
  origins: 256,
}

export type TransportLimits = Readonly<typeof DEFAULT_LIMITS>
