// The connections to one origin: so many calls at once, so many waiting in line.
import type { Dispatcher } from 'undici'

import { ConnectorError } from '../errors.ts'

/** One call that needs a connection. */
export interface PooledCall {
  /** On whose behalf. */
  readonly lane: string
  /** Its turn has come. */
  start(dispatcher: Dispatcher): void
  /** It cannot be carried out, or goes no further. */
  cancel(cause: unknown): void
}

export interface OriginPoolOptions {
  /** For messages. */
  readonly host: string
  /** Calls under way at once. */
  readonly connections: number
  /** Calls waiting at once. */
  readonly queue: number
  /** Called before the first connection; what it gives makes one connection each time. */
  readonly load: () => Promise<() => Dispatcher>
  /** Whether the connections belong to the pool, one call at a time on each, or somebody else's dispatcher serves all. */
  readonly owned: boolean
}

/** How long a caller should wait before it tries a full queue again. */
const RETRY_AFTER_MS = 1_000

/**
 * Admits calls to one origin and lends each of them a connection of its own.
 *
 * It stands where undici's Pool would: that one opens a second connection for every sequence of calls, because a
 * connection is free again only a turn after its answer, and knows neither a bound for its line nor leaving it.
 */
export class OriginPool {
  readonly #options: OriginPoolOptions
  /** With the connection lent to each; null while the client is being loaded. */
  readonly #running = new Map<PooledCall, Dispatcher | null>()
  /** How many calls of each lane are under way. */
  readonly #perLane = new Map<string, number>()
  /** By lane, the one whose turn is next in front. */
  readonly #waiting = new Map<string, Set<PooledCall>>()
  #waitingCount = 0
  readonly #opened = new Set<Dispatcher>()
  /** The one used last on top: it is the most likely to be alive. */
  readonly #free: Dispatcher[] = []
  #open: (() => Dispatcher) | null = null

  constructor(options: OriginPoolOptions) {
    this.#options = options
  }

  get idle(): boolean {
    return this.#running.size === 0 && this.#waitingCount === 0
  }

  /** Starts the call now or when its turn comes. Throws `overloaded` when the line is full. */
  enter(call: PooledCall): void {
    const line = this.#waiting.get(call.lane)
    if (this.#mayRun(call.lane)) {
      this.#run(call)
    } else if (this.#waitingCount < this.#options.queue || line === undefined) {
      if (line === undefined) this.#waiting.set(call.lane, new Set([call]))
      else line.add(call)
      this.#waitingCount++
    } else {
      throw overloaded(
        `${this.#options.queue} calls to ${this.#options.host} wait for a connection already`,
      )
    }
  }

  /** The call is over and its connection can take another one. Safe for a call that never entered, and twice. */
  leave(call: PooledCall): void {
    this.#stopWaiting(call)
    const dispatcher = this.#running.get(call)
    if (dispatcher === undefined) return
    this.#running.delete(call)
    const left = (this.#perLane.get(call.lane) ?? 1) - 1
    if (left === 0) this.#perLane.delete(call.lane)
    else this.#perLane.set(call.lane, left)
    if (dispatcher !== null) this.#free.push(dispatcher)
    // Not within this stack: it may belong to the parser of the connection that has just become free.
    if (this.#waitingCount > 0) queueMicrotask(() => this.#next())
  }

  /**
   * Nobody waits for the call any longer, but its connection is still being made. An own connection stays taken until
   * `leave`, so that no call waits behind it and no more than allowed are open.
   */
  abandon(call: PooledCall): void {
    this.#stopWaiting(call)
    if (!this.#options.owned || this.#running.get(call) === null) this.leave(call)
  }

  /** Ends every call that has not ended, then its connections. */
  async destroy(cause: unknown): Promise<void> {
    const waiting = [...this.#waiting.values()].flatMap((line) => [...line])
    for (const call of [...waiting, ...this.#running.keys()]) call.cancel(cause)
    if (!this.#options.owned) return
    for (const dispatcher of this.#opened) await dispatcher.destroy()
  }

  /** Lanes take turns. */
  #next(): void {
    for (const [lane, line] of this.#waiting) {
      if (!this.#mayRun(lane)) continue
      const [call] = line
      this.#waiting.delete(lane)
      if (call === undefined) continue
      line.delete(call)
      this.#waitingCount--
      // Behind all others, where this very loop meets it again while there is room.
      if (line.size > 0) this.#waiting.set(lane, line)
      this.#run(call)
    }
  }

  /** A lane with nothing under way need not wait for the others: calls that hang would keep it waiting as long as they do. */
  #mayRun(lane: string): boolean {
    const { connections } = this.#options
    return (
      this.#running.size < connections ||
      (!this.#perLane.has(lane) && this.#running.size < 2 * connections)
    )
  }

  #stopWaiting(call: PooledCall): void {
    const line = this.#waiting.get(call.lane)
    if (line?.delete(call) !== true) return
    this.#waitingCount--
    if (line.size === 0) this.#waiting.delete(call.lane)
  }

  #run(call: PooledCall): void {
    this.#running.set(call, null)
    this.#perLane.set(call.lane, (this.#perLane.get(call.lane) ?? 0) + 1)
    if (this.#open === null) void this.#loadThenRun(call)
    else this.#lend(call, this.#open)
  }

  async #loadThenRun(call: PooledCall): Promise<void> {
    try {
      this.#open ??= await this.#options.load()
    } catch (cause) {
      call.cancel(cause)
      return
    }
    if (this.#running.has(call)) this.#lend(call, this.#open)
  }

  #lend(call: PooledCall, open: () => Dispatcher): void {
    const dispatcher = this.#free.pop() ?? open()
    this.#opened.add(dispatcher)
    this.#running.set(call, dispatcher)
    call.start(dispatcher)
  }
}

/** The caller may come again in a second. */
export function overloaded(text: string): ConnectorError {
  return new ConnectorError('overloaded', text, { retryAfterMs: RETRY_AFTER_MS })
}
