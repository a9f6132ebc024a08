// What is to be stored after something has happened: at once where the store takes it, otherwise as soon as it does.
import { ConnectorError, isConnectorError, isNodeAway } from '../errors.ts'
import type { Clock } from '../engine/exchange/clock.ts'
import { failureFacts, type ServiceLog } from './log.ts'
import { within } from './within.ts'

interface Waiting {
  readonly facts: object
  readonly work: () => Promise<unknown>
}

/** What a caller waits for the store. */
const ANSWER_MS = 2000
const MIN_PAUSE_MS = 200
const MAX_PAUSE_MS = 15_000
/** Of about 1 KiB each. */
const MAX_WAITING = 10_000

/**
 * Keeps what follows from things that cannot be undone. No method throws for a store that fails, and none keeps an
 * answer back for longer than 2 seconds: a store that is locked by others can take a minute to say so.
 */
export class Records {
  readonly #clock: Clock
  readonly #log: ServiceLog
  readonly #waiting: Waiting[] = []
  readonly #running = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()
  #repeating: Promise<void> | null = null

  constructor(clock: Clock, log: ServiceLog) {
    this.#clock = clock
    this.#log = log
  }

  /**
   * Does `work` now; where the store fails, again and again until it succeeds. True: it is done; false: it may still be
   * under way. `work` may run again although its change was made, where the answer of the store was lost. `facts` are
   * for the log: names, no values.
   */
  keep(facts: object, work: () => Promise<unknown>): Promise<boolean> {
    return this.#within(this.#store({ facts, work }))
  }

  /** Does `work` once. What it would have stored is set right by the next operation. */
  async attempt(facts: object, work: () => Promise<unknown>): Promise<void> {
    await this.#within(this.#tryOnce({ facts, work }).then((tried) => tried === 'stored'))
  }

  /** Throws `store_unavailable` while more is waiting than this process may hold. */
  admit(): void {
    if (this.#waiting.length + this.#running.size < MAX_WAITING) return
    throw new ConnectorError(
      'store_unavailable',
      'the store cannot be written, and too much waits for it; nothing was sent',
      { retryAfterMs: MAX_PAUSE_MS },
    )
  }

  /** Lets what is under way come to its end, tries all that waits once more, and logs as an error what could not be stored. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#running)
    await this.#repeating
    for (const each of this.#waiting.splice(0))
      if (isAway(await this.#tryOnce(each)))
        this.#log.error(each.facts, 'a record was not stored before the process ended')
  }

  /** What `work` gives; false where it takes too long, and goes on. */
  async #within(work: Promise<boolean>): Promise<boolean> {
    this.#running.add(work)
    const ended = work.finally(() => this.#running.delete(work))
    return (await within(this.#clock, ANSWER_MS, ended)) ?? false
  }

  async #store(record: Waiting): Promise<boolean> {
    const tried = await this.#tryOnce(record, (error) =>
      this.#log.warn({ ...record.facts, ...failureFacts(error) }, 'a record is stored later'),
    )
    if (!isAway(tried)) return tried === 'stored'
    this.#waiting.push(record)
    this.#repeating ??= this.#repeat().finally(() => {
      this.#repeating = null
    })
    return false
  }

  /** `away`: the store may take it later; `node_away`: it may take others now. `refused`: it never will, and the log says so. */
  async #tryOnce(
    { facts, work }: Waiting,
    onAway: (error: ConnectorError) => void = () => {},
  ): Promise<Tried> {
    try {
      await work()
      return 'stored'
    } catch (error) {
      if (isConnectorError(error, 'store_unavailable')) {
        onAway(error)
        return isNodeAway(error) ? 'node_away' : 'away'
      }
      this.#log.error({ ...facts, ...failureFacts(error) }, 'a record could not be stored')
      return 'refused'
    }
  }

  async #repeat(): Promise<void> {
    const { signal } = this.#closing
    for (let failures = 0; this.#waiting.length > 0;) {
      const pauseMs = Math.min(MIN_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS)
      await this.#clock.sleep(pauseMs, signal).catch(() => {})
      if (signal.aborted) return
      failures++
      for (const each of this.#waiting.slice()) {
        const tried = await this.#tryOnce(each)
        if (tried === 'away') break
        if (tried === 'node_away') continue
        this.#waiting.splice(this.#waiting.indexOf(each), 1)
        failures = 0
      }
    }
  }
}

type Tried = 'stored' | 'away' | 'node_away' | 'refused'

function isAway(tried: Tried): boolean {
  return tried === 'away' || tried === 'node_away'
}
