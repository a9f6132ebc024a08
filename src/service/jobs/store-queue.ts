// Work that waits for its time, as rows of the store: equal jobs are one, and one process at a time does each. They are
// held by leases with fences, in either database, by any number of processes.
import { isConnectorError } from '../../errors.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import type { JobInput, JobRow, JobStore, TakenJob } from '../store/jobs.ts'

/** `plan`: which entities an instance has. `sync`: one entity. `purge`: the copies of an instance that is gone. */
export type JobKind = 'plan' | 'sync' | 'purge'

/** Holds ids only: the worker reads the state where it is kept. */
export type Job = JobInput & { readonly kind: JobKind }

export interface JobContext {
  /** Aborted when the job was cancelled, taken over, or is to be given back. */
  readonly signal: AbortSignal
  readonly attempts: number
}

/** Does a job; the milliseconds until it is due again, or null: it is over. */
export type DoJob = (job: Job, context: JobContext) => Promise<number | null>

export interface StoreQueueOptions {
  readonly jobs: JobStore
  readonly clock: Clock
  /** Of this process. */
  readonly ownerId: string
  /** Whether this process has enough to do: jobs are then done one at a time, so that none waits for ever. */
  readonly isBusy?: () => boolean
  /** Told when a job failed in a way that nobody foresaw, and when the store was away. */
  readonly onError: (error: unknown, job: Job | null) => void
  readonly leaseMs?: number
  readonly beatMs?: number
  readonly pollMs?: number
}

interface Running {
  readonly job: TakenJob
  readonly stop: AbortController
  readonly done: Promise<void>
}

const DEFAULTS = { leaseMs: 30_000, beatMs: 5_000, pollMs: 500, isBusy: (): boolean => false }

/** After an error that nobody foresaw: 10 s, 20 s … 10 min. */
const FIRST_PAUSE_MS = 10_000
const MAX_PAUSE_MS = 600_000
/** Between looks at a store that fails: twice as long each time. */
const MAX_LOOK_MS = 5_000
/** After a store that cannot be written, … */
const MAX_STORE_PAUSE_MS = 60_000
/** … and after one that was away for a moment, or too slow. */
const AWAY_PAUSE_MS = 2_000
const PASSING: ReadonlySet<unknown> = new Set(['away', 'busy', 'conflict'])

/** At least once: where a worker dies, another one follows within the time of a lease. */
export class JobQueue {
  readonly #options: Required<StoreQueueOptions>
  readonly #running = new Set<Running>()
  readonly #closing = new AbortController()
  #wake: () => void = () => {}
  #loop: Promise<void> = Promise.resolve()

  constructor(options: StoreQueueOptions) {
    this.#options = { ...DEFAULTS, ...options }
  }

  /** `joined`: one such job waits already, or runs, and then it runs once more behind. */
  async enqueue(job: Job): Promise<'queued' | 'joined'> {
    const result = await this.#options.jobs.put(job)
    if ((job.delayMs ?? 0) <= 0) this.#wake()
    return result
  }

  /** Enqueues unless there is one already, which keeps its time. */
  async add(job: Job): Promise<void> {
    if ((await this.#options.jobs.add(job)) && (job.delayMs ?? 0) <= 0) this.#wake()
  }

  jobsOf(instanceId: string): Promise<readonly JobRow[]> {
    return this.#options.jobs.list(instanceId)
  }

  /** Does jobs of these kinds, at most so many at once, until the queue is closed. Called once per queue. */
  work(kinds: readonly JobKind[], concurrency: number, run: DoJob): void {
    this.#loop = this.#lookForWork(kinds, concurrency, run)
  }

  /** Takes jobs away; those that run here have ended when it resolves. */
  async cancel(instanceId: string, kind: JobKind): Promise<void> {
    await this.#options.jobs.cancel(instanceId, [kind])
    const ending = [...this.#running].filter(
      ({ job }) => job.instanceId === instanceId && job.kind === kind,
    )
    for (const { stop } of ending) stop.abort()
    await Promise.all(ending.map(({ done }) => done))
  }

  /** Ends the work: what is not finished after so many milliseconds is aborted, and all of it given back. */
  async close(graceMs: number): Promise<void> {
    this.#closing.abort()
    this.#wake()
    await this.#loop
    const grace = new AbortController()
    const all = Promise.all([...this.#running].map(({ done }) => done)).then(() => grace.abort())
    await this.#options.clock.sleep(graceMs, grace.signal).catch(() => {})
    for (const { stop } of this.#running) stop.abort()
    await all
  }

  async #lookForWork(kinds: readonly JobKind[], concurrency: number, run: DoJob): Promise<void> {
    const { jobs, clock, ownerId, leaseMs, pollMs, isBusy, onError } = this.#options
    let failures = 0
    while (!this.#closing.signal.aborted) {
      const woken = new AbortController()
      this.#wake = () => woken.abort()
      let taken = 0
      try {
        const free = (isBusy() ? 1 : concurrency) - this.#running.size
        const found = await jobs.take(kinds, ownerId, leaseMs, free)
        taken = found.length
        failures = 0
        for (const job of found) this.#begin(job, run)
      } catch (error) {
        onError(error, null)
        failures++
      }
      // With places left there may be more that is due.
      if (taken > 0 && this.#running.size < concurrency) continue
      const pause = Math.min(Math.max(pollMs, MAX_LOOK_MS), pollMs * 2 ** failures)
      await clock
        .sleep(pause, AbortSignal.any([this.#closing.signal, woken.signal]))
        .catch(() => {})
    }
  }

  #begin(job: TakenJob, run: DoJob): void {
    const stop = new AbortController()
    const entry: Running = { job, stop, done: this.#perform(job, stop, run) }
    this.#running.add(entry)
    void entry.done.finally(() => {
      this.#running.delete(entry)
      this.#wake()
    })
  }

  async #perform(job: TakenJob, stop: AbortController, run: DoJob): Promise<void> {
    const { jobs, onError } = this.#options
    const ended = new AbortController()
    const beating = this.#beat(job, stop, ended.signal)
    const { kind, instanceId, key, detail, attempts } = job
    // Only kinds that were asked for are taken.
    const given: Job = { kind: kind as JobKind, instanceId, key, detail }
    let end: () => Promise<void> = () => jobs.giveBack(job)
    try {
      const again = await run(given, { signal: stop.signal, attempts })
      if (!stop.signal.aborted || !this.#closing.signal.aborted) end = () => jobs.finish(job, again)
    } catch (error) {
      if (!stop.signal.aborted) {
        onError(error, given)
        const pause = pauseBehind(error, attempts)
        end = () => jobs.giveBack(job, pause)
      }
    }
    ended.abort()
    await beating
    await this.#tellEnd(end, given)
  }

  /** A store that is away when a job ends is told of it later, as long as the lease lasts. */
  async #tellEnd(end: () => Promise<void>, job: Job): Promise<void> {
    const { clock, leaseMs, beatMs, pollMs, onError } = this.#options
    const giveUpAt = clock.monotonic() + leaseMs - beatMs
    for (let isTold = false; ;) {
      try {
        return await end()
      } catch (error) {
        if (!isTold) onError(error, job)
        isTold = true
        // The lease runs out, and another process finds it done already.
        if (this.#closing.signal.aborted || !isAway(error) || clock.monotonic() > giveUpAt) return
        await clock.sleep(pollMs, this.#closing.signal).catch(() => {})
      }
    }
  }

  async #beat(job: TakenJob, stop: AbortController, ended: AbortSignal): Promise<void> {
    const { jobs, clock, leaseMs, beatMs } = this.#options
    let keptAt = clock.monotonic()
    for (;;) {
      await clock.sleep(beatMs, ended).catch(() => {})
      if (ended.aborted) return
      const before = clock.monotonic()
      const kept = await jobs.extend(job, leaseMs).catch(() => null)
      if (kept === true) keptAt = before
      if (kept === false || clock.monotonic() - keptAt > leaseMs - beatMs) {
        stop.abort()
        return
      }
    }
  }
}

function isAway(error: unknown): boolean {
  return isConnectorError(error, 'store_unavailable')
}

function pauseBehind(error: unknown, attempts: number): number {
  if (isConnectorError(error, 'store_unavailable') && PASSING.has(error.details['reason']))
    return AWAY_PAUSE_MS
  const maximum = isAway(error) ? MAX_STORE_PAUSE_MS : MAX_PAUSE_MS
  return Math.min(maximum, FIRST_PAUSE_MS * 2 ** Math.min(attempts - 1, 10))
}
