// The connections to one origin: so many calls at once, so many waiting in line.
import type { Dispatcher } from 'undici'

import { ConnectorError } from '../../errors.ts'

/** One call that needs a connection. */
export interface PooledCall {
  /** On whose behalf. */
  readonly lane: string
  /** Ends if something of it is overdue, else has itself looked at again. */
  look(now: number): void
  start(dispatcher: Dispatcher): void
  /** It cannot be carried out, or goes no further. */
  cancel(cause: unknown): void
}

export interface OriginPoolOptions {
  /** For messages. */
  readonly host: string
  readonly connections: number
  readonly queue: number
  /** Called before the first connection; what it gives makes one connection each time. */
  readonly loadClient: () => Promise<() => Dispatcher>
  /** Whether the connections belong to the pool, one call at a time on each, or a dispatcher of the host serves all. */
  readonly owned: boolean
}

/** A call and its connection; null while the client is being loaded. */
interface Running {
  readonly call: PooledCall
  dispatcher: Dispatcher | null
}

/** Its `then` costs less than `queueMicrotask`, which keeps a context for each: bench/README.md, "The direct client". */
const LATER = Promise.resolve()

/** How long a caller should wait before it tries a full queue again. */
const RETRY_AFTER_MS = 1_000

/**
 * Admits calls to one origin and gives each of them a connection of its own.
 *
 * It stands where undici's Pool would: that one opens a second connection for every sequence of calls, because a
 * connection is free again only a turn after its answer, and knows neither a bound for its line nor leaving it.
 */
export class OriginPool {
  readonly #options: OriginPoolOptions
  /**
   * A list, and lists in the lines below: what a Map or Set drops with an entry stays reachable for the collector's
   * quick rounds whenever an outgrown table of it has become old, and a call holds its whole answer.
   */
  readonly #running: Running[] = []
  readonly #perLane = new Map<string, number>()
  /** By lane, the one whose turn is next in front. */
  readonly #waiting = new Map<string, PooledCall[]>()
  #waitingCount = 0
  readonly #opened = new Set<Dispatcher>()
  /** The one used last on top: it is the most likely to be alive. */
  readonly #free: Dispatcher[] = []
  #open: (() => Dispatcher) | null = null
  #timer: NodeJS.Timeout | undefined
  #lookAt = Infinity

  constructor(options: OriginPoolOptions) {
    this.#options = options
  }

  get idle(): boolean {
    return this.#running.length === 0 && this.#waitingCount === 0
  }

  /** Starts the call now or when its turn comes. Throws `overloaded` when the line is full. */
  enter(call: PooledCall): void {
    this.#timer?.ref()
    const line = this.#waiting.get(call.lane)
    if (this.#mayRun(call.lane)) {
      this.#run(call)
    } else if (this.#waitingCount < this.#options.queue || line === undefined) {
      if (line === undefined) this.#waiting.set(call.lane, [call])
      else line.push(call)
      this.#waitingCount++
    } else {
      throw overloaded(
        `${this.#options.queue} calls to ${this.#options.host} wait for a connection already`,
      )
    }
  }

  /** The call is over and its connection can take another one. Safe for a call that never entered, and twice. */
  leave(call: PooledCall): void {
    const at = this.#running.findIndex((running) => running.call === call)
    const [running] = at === -1 ? [] : this.#running.splice(at, 1)
    if (running === undefined) this.#stopWaiting(call)
    // It keeps the process alive as long as there are calls.
    if (this.idle) this.#timer?.unref()
    if (running === undefined) return
    const left = (this.#perLane.get(call.lane) ?? 1) - 1
    if (left === 0) this.#perLane.delete(call.lane)
    else this.#perLane.set(call.lane, left)
    if (running.dispatcher !== null) this.#free.push(running.dispatcher)
    // Not within this stack: it may belong to the parser of the connection that has just become free.
    if (this.#waitingCount > 0) void LATER.then(() => this.#next())
  }

  /**
   * Nobody waits for the call any longer, but its connection is still being made. An own connection stays taken until
   * `leave`, so that no call waits behind it and no more than allowed are open.
   */
  abandon(call: PooledCall): void {
    this.#stopWaiting(call)
    const running = this.#running.find((each) => each.call === call)
    if (!this.#options.owned || running?.dispatcher === null) this.leave(call)
  }

  /**
   * Looks at the calls at this moment at the latest, on the clock of `performance.now()`. One timer serves all calls: hardly
   * any is ever overdue, and one each would be set and cleared again and again. It is set again only for a nearer moment;
   * where what it was set for has moved away, as with every chunk, it finds that out when it ends.
   */
  lookBy(at: number): void {
    if (at >= this.#lookAt) return
    clearTimeout(this.#timer)
    this.#lookAt = at
    this.#timer = setTimeout(() => this.#look(), Math.max(1, Math.ceil(at - performance.now())))
  }

  #look(): void {
    this.#lookAt = Infinity
    const now = performance.now()
    const calls = [...this.#running.map(({ call }) => call), ...[...this.#waiting.values()].flat()]
    for (const call of calls) call.look(now)
  }

  /** Closes the connections that rest between two calls. */
  closeIdle(): void {
    if (!this.#options.owned) return
    for (const dispatcher of this.#free.splice(0)) {
      this.#opened.delete(dispatcher)
      void dispatcher.destroy()
    }
  }

  /** Ends every call that has not ended, then its connections. */
  async destroy(cause: unknown): Promise<void> {
    const waiting = [...this.#waiting.values()].flat()
    for (const call of [...waiting, ...this.#running.map((running) => running.call)])
      call.cancel(cause)
    clearTimeout(this.#timer)
    if (!this.#options.owned) return
    for (const dispatcher of this.#opened) await dispatcher.destroy()
  }

  /** Lanes take turns. */
  #next(): void {
    for (const [lane, line] of this.#waiting) {
      if (!this.#mayRun(lane)) continue
      const call = line.shift()
      if (call === undefined) continue
      this.#waitingCount--
      // Behind all others; a line that is alone stays where it is, and the next call to leave finds it there.
      if (line.length === 0 || this.#waiting.size > 1) this.#waiting.delete(lane)
      if (line.length > 0) this.#waiting.set(lane, line)
      this.#run(call)
    }
  }

  /** A lane with nothing under way need not wait for the others: calls that hang would keep it waiting as long as they do. */
  #mayRun(lane: string): boolean {
    const { connections } = this.#options
    return (
      this.#running.length < connections ||
      (!this.#perLane.has(lane) && this.#running.length < 2 * connections)
    )
  }

  #stopWaiting(call: PooledCall): void {
    if (this.#waitingCount === 0) return
    const line = this.#waiting.get(call.lane) ?? []
    const at = line.indexOf(call)
    if (at === -1) return
    line.splice(at, 1)
    this.#waitingCount--
    if (line.length === 0) this.#waiting.delete(call.lane)
  }

  #run(call: PooledCall): void {
    const running: Running = { call, dispatcher: null }
    this.#running.push(running)
    this.#perLane.set(call.lane, (this.#perLane.get(call.lane) ?? 0) + 1)
    if (this.#open === null) void this.#loadThenRun(running)
    else this.#startOn(running, this.#open)
  }

  async #loadThenRun(running: Running): Promise<void> {
    try {
      this.#open ??= await this.#options.loadClient()
    } catch (cause) {
      running.call.cancel(cause)
      return
    }
    if (this.#running.includes(running)) this.#startOn(running, this.#open)
  }

  #startOn(running: Running, open: () => Dispatcher): void {
    running.dispatcher = this.#free.pop() ?? this.#connect(open)
    running.call.start(running.dispatcher)
  }

  #connect(open: () => Dispatcher): Dispatcher {
    const dispatcher = open()
    this.#opened.add(dispatcher)
    return dispatcher
  }
}

/** The caller may come again in a second. */
export function overloaded(text: string): ConnectorError {
  return new ConnectorError('overloaded', text, { retryAfterMs: RETRY_AFTER_MS })
}
