// The near end of a thread: its start, its answers by number, its end, and another one in its place.
import { type Transferable, Worker } from 'node:worker_threads'

import type { ThreadProgram } from '../late-modules.ts'

export interface ThreadOptions<Reply, Answer> {
  readonly program: ThreadProgram
  readonly data: unknown
  readonly transferred?: readonly Transferable[]
  /** Whether the process goes on while the thread owes nothing. */
  readonly holdsProcess: boolean
  /** The answer in a reply; throws what its caller is told. */
  readonly read: (reply: Reply) => Answer
  /** What callers are told when the thread has ended for this cause. */
  readonly failure: (cause: Error) => Error
  readonly onEnd: OnEnd
}

/** Told once of a thread that has ended without being asked to, with what its callers were told. */
export type OnEnd = (cause: Error, failure: Error) => void

/** One thread, and the requests that it owes answers to. Its replies come one or several at a time. */
export class Thread<Reply extends { readonly id: number }, Answer> {
  /** Of a thread that replies to the number 0 when it has begun, or why it could not. */
  readonly ready: Promise<Answer>
  readonly #options: ThreadOptions<Reply, Answer>
  readonly #worker: Worker
  readonly #waiting = new Map<number, PromiseWithResolvers<Answer>>()
  readonly #beginning = Promise.withResolvers<Answer>()
  readonly #exited = Promise.withResolvers<undefined>()
  /** What callers are told from now on; null: it runs. */
  #failure: Error | null = null
  #lastId = 0

  constructor(options: ThreadOptions<Reply, Answer>) {
    this.#options = options
    this.ready = this.#beginning.promise
    // Callers are told, too.
    this.ready.catch(() => {})
    const { program, data, transferred = [], holdsProcess } = options
    this.#worker = new Worker(program, {
      workerData: data,
      transferList: [...transferred],
      eval: typeof program === 'string',
    })
    this.#worker.on('message', (replies: Reply | readonly Reply[]) => {
      for (const reply of [replies].flat() as readonly Reply[]) this.#take(reply)
    })
    this.#worker.on('error', (error: unknown) => {
      this.#end(error instanceof Error ? error : new Error(String(error)))
    })
    this.#worker.on('exit', () => {
      this.#end(new Error('the thread has ended'))
      this.#exited.resolve(undefined)
    })
    if (!holdsProcess) this.#worker.unref()
  }

  /** A number for a request that is posted next, and the answer to it. Throws when the thread has ended. */
  expect(): { readonly id: number; readonly answer: Promise<Answer> } {
    if (this.#failure !== null) throw this.#failure
    const id = ++this.#lastId
    const waiting = Promise.withResolvers<Answer>()
    this.#waiting.set(id, waiting)
    if (!this.#options.holdsProcess) this.#worker.ref()
    return { id, answer: waiting.promise }
  }

  /** A thread that has ended gets nothing any more. */
  post(message: unknown, transferred: readonly Transferable[] = []): void {
    if (this.#failure === null) this.#worker.postMessage(message, transferred)
  }

  giveUp(id: number, error: Error): void {
    this.#waiting.get(id)?.reject(error)
  }

  /** Resolves once the thread, which was asked to, has ended. */
  exit(): Promise<unknown> {
    return this.#exited.promise
  }

  /** Ends the thread now; callers are told of `failure`. */
  async terminate(failure: Error): Promise<void> {
    this.#fail(failure)
    await this.#worker.terminate()
  }

  #take(reply: Reply): void {
    const { id } = reply
    const waiting = id === 0 ? this.#beginning : this.#waiting.get(id)
    this.#waiting.delete(id)
    try {
      waiting?.resolve(this.#options.read(reply))
    } catch (error) {
      waiting?.reject(error)
      if (id === 0 && error instanceof Error) this.#end(error, error)
    }
    if (this.#waiting.size === 0 && !this.#options.holdsProcess) this.#worker.unref()
  }

  #end(cause: Error, failure: Error = this.#options.failure(cause)): void {
    if (this.#failure !== null) return
    this.#fail(failure)
    this.#options.onEnd(cause, failure)
  }

  #fail(failure: Error): void {
    this.#failure ??= failure
    this.#beginning.reject(failure)
    for (const { reject } of this.#waiting.values()) reject(failure)
    this.#waiting.clear()
  }
}

/**
 * A place that threads take one after the other; the first one begins when it is first asked for. Calls under way fail with
 * the one that has ended, and so do all within the pause that follows, so that what ends threads again and again does not
 * take a core.
 */
export class ThreadPlace<T> {
  readonly #start: (onEnd: OnEnd) => T
  readonly #onLoss: (cause: Error, pauseMs: number) => void
  readonly #losses = new ThreadLosses()
  #current: T | null = null
  #failure = new Error('no thread has begun')
  #closing: Promise<void> | null = null
  #started = 0

  constructor(
    start: (onEnd: OnEnd) => T,
    onLoss: (cause: Error, pauseMs: number) => void = () => {},
  ) {
    this.#start = start
    this.#onLoss = onLoss
  }

  /** How many have taken it, the present one included. */
  get count(): number {
    this.#fill()
    return this.#started
  }

  /** Throws what callers of the last one were told while there is none. */
  get now(): T {
    this.#fill()
    if (this.#current === null) throw this.#failure
    return this.#current
  }

  /** Ends the present one, and lets no other one follow; `failure` is for calls that come later. */
  close(end: (current: T) => Promise<unknown>, failure: Error): Promise<void> {
    this.#closing ??= (async () => {
      this.#failure = failure
      if (this.#current !== null) await end(this.#current)
      this.#current = null
    })()
    return this.#closing
  }

  #fill(): void {
    const isWanted = this.#current === null && this.#closing === null
    if (!isWanted || !this.#losses.isOver(performance.now())) return
    const number = ++this.#started
    this.#current = this.#start((cause, failure) => {
      if (number !== this.#started) return
      this.#current = null
      if (this.#closing !== null) return
      this.#failure = failure
      this.#onLoss(cause, this.#losses.note(performance.now()))
    })
  }
}

/** The first pause; twice as long each time, up to the maximum. */
const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 60_000
/** After so long without a loss the counting begins again. */
const CALM_MS = 600_000

/** How long to wait before the next thread. Times are those of a clock that never goes back, in milliseconds. */
export class ThreadLosses {
  #count = 0
  #lastMs = -Infinity

  /** A thread has ended. Gives the pause that follows. */
  note(atMs: number): number {
    this.#count = atMs - this.#lastMs > CALM_MS ? 1 : this.#count + 1
    this.#lastMs = atMs
    return this.#pauseMs
  }

  /** Whether another one may be started. */
  isOver(nowMs: number): boolean {
    return nowMs >= this.#lastMs + this.#pauseMs
  }

  get #pauseMs(): number {
    return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#count - 1))
  }
}
