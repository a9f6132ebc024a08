// What is to be stored after something has happened: at once where the store takes it, otherwise as soon as it does.
import { ConnectorError, isConnectorError } from '../errors.ts'
import type { Clock } from '../engine/exchange/clock.ts'
import { failureFacts } from './log.ts'
import type { ServiceLog } from './log.ts'

/**
 * Keeps what follows from things that cannot be undone. None of its functions throws for a store that fails, and none
 * keeps an answer back for longer than 2 seconds: a store that is locked by others can take a minute to say so.
 */
export interface Records {
  /**
   * Does `work` now; where the store fails, again and again until it succeeds. True: it is done; false: it may still be
   * under way. `work` may run again although its change was made, where the answer of the store was lost. `facts` are
   * for the log: names, no values.
   */
  keep(facts: object, work: () => Promise<unknown>): Promise<boolean>
  /** Does `work` once. What it would have stored is set right by the next operation. */
  attempt(facts: object, work: () => Promise<unknown>): Promise<void>
  /** Throws `store_unavailable` while more is waiting than this process may hold. */
  admit(): void
  /** Lets what is under way come to its end, tries everything that waits once more, and logs as an error what could not be stored. */
  close(): Promise<void>
}

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

export function createRecords(clock: Clock, log: ServiceLog): Records {
  const waiting: Waiting[] = []
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()
  let repeating: Promise<void> | null = null

  /** What `work` gives; false where it takes too long, and goes on. */
  async function within(work: Promise<boolean>): Promise<boolean> {
    running.add(work)
    const timer = new AbortController()
    const ended = work.finally(() => {
      running.delete(work)
      timer.abort()
    })
    return await Promise.race([
      ended,
      clock.sleep(ANSWER_MS, timer.signal).then(
        () => false,
        () => ended,
      ),
    ])
  }

  /** `away`: the store may take it later. `refused`: it never will, and the log says so. */
  async function tryOnce(
    { facts, work }: Waiting,
    onAway: (error: ConnectorError) => void = () => {},
  ): Promise<'stored' | 'away' | 'refused'> {
    try {
      await work()
      return 'stored'
    } catch (error) {
      if (isConnectorError(error, 'store_unavailable')) {
        onAway(error)
        return 'away'
      }
      log.error({ ...facts, ...failureFacts(error) }, 'a record could not be stored')
      return 'refused'
    }
  }

  async function store(record: Waiting): Promise<boolean> {
    const tried = await tryOnce(record, (error) =>
      log.warn({ ...record.facts, ...failureFacts(error) }, 'a record is stored later'),
    )
    if (tried !== 'away') return tried === 'stored'
    waiting.push(record)
    repeating ??= repeat().finally(() => {
      repeating = null
    })
    return false
  }

  async function repeat(): Promise<void> {
    for (let failures = 0; waiting.length > 0;) {
      const pauseMs = Math.min(MIN_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS)
      await clock.sleep(pauseMs, closing.signal).catch(() => {})
      if (closing.signal.aborted) return
      failures++
      for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
        if ((await tryOnce(first)) === 'away') break
        waiting.shift()
        failures = 0
      }
    }
  }

  return {
    keep: (facts, work) => within(store({ facts, work })),
    async attempt(facts, work) {
      await within(tryOnce({ facts, work }).then((tried) => tried === 'stored'))
    },
    admit() {
      if (waiting.length + running.size < MAX_WAITING) return
      throw new ConnectorError(
        'store_unavailable',
        'the store cannot be written, and too much waits for it; nothing was sent',
        { retryAfterMs: MAX_PAUSE_MS },
      )
    },
    async close() {
      closing.abort()
      await Promise.all(running)
      await repeating
      for (const each of waiting.splice(0))
        if ((await tryOnce(each)) === 'away')
          log.error(each.facts, 'a record was not stored before the process ended')
    },
  }
}
