// The connections to one origin: so many calls at once, so many waiting in line.
import type { Dispatcher } from 'undici'

import { ConnectorError } from '../errors.ts'

/** One call that needs a connection. */
export interface PooledCall {
  /** Its turn has come. */
  start(dispatcher: Dispatcher): void
  /** It cannot be carried out, or goes no further. */
  cancel(cause: unknown): void
}

/** How long a caller should wait before it tries a full queue again. */
const RETRY_AFTER_MS = 1_000

/**
 * Admits calls to one origin. It keeps its own line instead of the dispatcher's, so that a call that gave up leaves
 * the line at once and a full line is known before anything is built.
 */
export class OriginPool {
  readonly #host: string
  readonly #connections: number
  readonly #queue: number
  readonly #load: () => Dispatcher | Promise<Dispatcher>
  readonly #running = new Set<PooledCall>()
  readonly #waiting = new Set<PooledCall>()
  #dispatcher: Dispatcher | null = null
  #loading: Promise<void> | null = null

  /** `load` gives the dispatcher when the first call comes. */
  constructor(
    host: string,
    limits: { readonly connections: number; readonly queue: number },
    load: () => Dispatcher | Promise<Dispatcher>,
  ) {
    this.#host = host
    this.#connections = limits.connections
    this.#queue = limits.queue
    this.#load = load
  }

  get idle(): boolean {
    return this.#running.size === 0 && this.#waiting.size === 0
  }

  /** Starts the call now or when its turn comes. Throws `overloaded` when the line is full. */
  enter(call: PooledCall): void {
    if (this.#running.size < this.#connections) {
      this.#run(call)
    } else if (this.#waiting.size < this.#queue) {
      this.#waiting.add(call)
    } else {
      throw overloaded(`${this.#queue} calls to ${this.#host} are waiting already`)
    }
  }

  /** Gives the call's place to the next one in line. Safe for a call that never entered. */
  leave(call: PooledCall): void {
    if (this.#running.delete(call)) {
      // Not within this stack: it may belong to the parser of the connection that has just become free.
      if (this.#waiting.size > 0) queueMicrotask(() => this.#next())
    } else {
      this.#waiting.delete(call)
    }
  }

  /** Every call that has not ended fails for the same cause. */
  cancelAll(cause: unknown): void {
    for (const call of [...this.#waiting, ...this.#running]) call.cancel(cause)
  }

  #next(): void {
    for (const call of this.#waiting) {
      if (this.#running.size >= this.#connections) return
      this.#waiting.delete(call)
      this.#run(call)
    }
  }

  #run(call: PooledCall): void {
    this.#running.add(call)
    if (this.#dispatcher !== null) {
      call.start(this.#dispatcher)
    } else {
      void this.#startLoaded(call)
    }
  }

  async #startLoaded(call: PooledCall): Promise<void> {
    try {
      this.#loading ??= this.#open()
      await this.#loading
    } catch (cause) {
      this.#loading = null
      call.cancel(
        new ConnectorError('internal_error', 'The HTTP client could not be loaded', { cause }),
      )
      return
    }
    if (this.#dispatcher !== null && this.#running.has(call)) call.start(this.#dispatcher)
  }

  async #open(): Promise<void> {
    this.#dispatcher = await this.#load()
  }
}

/** The caller may come again in a second. */
export function overloaded(text: string): ConnectorError {
  return new ConnectorError('overloaded', text, { retryAfterMs: RETRY_AFTER_MS })
}
