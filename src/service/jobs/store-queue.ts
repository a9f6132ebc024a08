// Work that waits for its time, as rows of the store: equal jobs are one, and one process at a time does each. They are
// held by leases with fences, in either database, by any number of processes, which share the buckets of the queue.
import { isConnectorError, isNodeAway } from '../../errors.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import type { LeaseStore } from '../store/credentials.ts'
import type { JobInput, JobPriority, JobRow, JobStore, TakenJob } from '../store/jobs.ts'
import { BucketShare, MAX_FAILING_MS } from './bucket-share.ts'

/**
 * `plan`: which entities an instance has. `sync`: one entity. `subscribe`: the subscription to the vendor's webhooks.
 * `purge`: the copies of an instance that is gone.
 */
export type JobKind = 'plan' | 'sync' | 'subscribe' | 'purge'

/** Holds ids only: the worker reads the state where it is kept. */
export type Job = JobInput & { readonly kind: JobKind }

export interface JobContext {
  /** That it has for this turn. */
  readonly priority: JobPriority
  /** Aborted when the job was cancelled, taken over, or is to be given back. */
  readonly signal: AbortSignal
  readonly attempts: number
  /** Gives its place to another job, until the returned function is called: a job that only waits takes none. */
  readonly rest: () => () => void
}

/** Does a job; the milliseconds until it is due again, or null: it is over. */
export type DoJob = (job: Job, context: JobContext) => Promise<number | null>

export interface StoreQueueOptions {
  readonly jobs: JobStore
  readonly leases: LeaseStore
  readonly clock: Clock
  /** Of this process. */
  readonly ownerId: string
  /** Whether this process has enough to do: jobs are then done one at a time, so that none waits for ever. */
  readonly isBusy?: () => boolean
  /** Told when a job failed in a way that nobody foresaw, and when the store was away. */
  readonly onError: (error: unknown, job: Job | null) => void
  readonly leaseMs?: number
  readonly beatMs?: number
  /** Between looks at what other processes announce; default 1 s. */
  readonly pollMs?: number
}

interface Running {
  readonly job: TakenJob
  readonly stop: AbortController
  readonly done: Promise<void>
}

interface Performed extends Pick<Running, 'job' | 'stop'> {
  /** Gives the place to another job. */
  readonly leave: () => void
  readonly rest: () => () => void
}

/**
 * What a process held that was killed is taken by another one when the lease is over and a look has noticed it: within ten
 * seconds. A job that is taken over although its process lives, as after a pause, costs little: it goes on where its last
 * write ended, and the fence keeps the slower of the two from writing.
 */
const DEFAULTS = { leaseMs: 8_000, beatMs: 2_000, pollMs: 1_000, isBusy: (): boolean => false }

/** A job that rests is still held, and its lease is extended: beyond so many they keep their places. */
const MAX_RESTING = 64
/** After an error that nobody foresaw: 10 s, 20 s … 10 min. */
const FIRST_PAUSE_MS = 10_000
const MAX_PAUSE_MS = 600_000
/** After a store that cannot be written, … */
const MAX_STORE_PAUSE_MS = 60_000
/** … and after one that was away for a moment, or too slow. */
const AWAY_PAUSE_MS = 2_000
const PASSING: ReadonlySet<unknown> = new Set(['away', 'node_away', 'busy', 'conflict'])

/** At least once: where a worker dies, another one follows within the time of a lease. */
export class JobQueue {
  readonly #options: Required<StoreQueueOptions>
  /** Those that take a place unless they rest, and the ends of those and of what has left its place. */
  readonly #running = new Set<Running>()
  readonly #resting = new Set<TakenJob>()
  readonly #ending = new Set<Promise<void>>()
  readonly #closing = new AbortController()
  readonly #share: BucketShare
  #wake: () => void = () => {}
  #loop: Promise<void> = Promise.resolve()

  constructor(options: StoreQueueOptions) {
    this.#options = { ...DEFAULTS, ...options }
    this.#share = new BucketShare(this.#options)
  }

  /** `joined`: one such job waits already, or runs, and then it runs once more behind. */
  async enqueue(job: Job): Promise<'queued' | 'joined'> {
    const result = await this.#options.jobs.put(job)
    this.#isDue(job, job.delayMs ?? 0)
    return result
  }

  /** Enqueues unless there is one already, which keeps its time. */
  async add(job: Job): Promise<void> {
    if (await this.#options.jobs.add(job)) this.#isDue(job, job.delayMs ?? 0)
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
    const all = Promise.all(this.#ending).then(() => grace.abort())
    await this.#options.clock.sleep(graceMs, grace.signal).catch(() => {})
    for (const { stop } of this.#running) stop.abort()
    await all
    await this.#share.leave()
  }

  async #lookForWork(kinds: readonly JobKind[], concurrency: number, run: DoJob): Promise<void> {
    const { clock, pollMs, isBusy, onError } = this.#options
    const share = this.#share
    let failures = 0
    while (!this.#closing.signal.aborted) {
      const woken = new AbortController()
      this.#wake = () => woken.abort()
      const placesFree = (): number => (isBusy() ? 1 : concurrency) - this.#taken()
      await share.look(placesFree() <= 0).catch((error: unknown) => onError(error, null))
      const free = placesFree()
      const bucket = free > 0 ? share.next() : null
      try {
        if (bucket !== null) await this.#takeFrom(bucket, kinds, free, run)
        failures = 0
      } catch (error) {
        if (bucket !== null) share.failed(bucket)
        // The buckets of other nodes of the database have jobs, too; that a node is away is told once.
        if (!isNodeAway(error)) {
          onError(error, null)
          failures++
        }
      }
      if (bucket !== null && failures < 2) continue
      const failing = failures < 2 ? 0 : Math.min(MAX_FAILING_MS, pollMs * 2 ** failures)
      await clock
        .sleep(
          Math.max(failing, share.pauseMs(free <= 0)),
          AbortSignal.any([this.#closing.signal, woken.signal]),
        )
        .catch(() => {})
    }
  }

  /** Places that are taken; more than there are, for a while, once several have rested. */
  #taken(): number {
    return this.#running.size - this.#resting.size
  }

  async #takeFrom(
    bucket: number,
    kinds: readonly JobKind[],
    limit: number,
    run: DoJob,
  ): Promise<void> {
    const { jobs, ownerId, leaseMs } = this.#options
    const found = await jobs.take({ bucket, kinds, ownerId, ttlMs: leaseMs, limit })
    for (const job of found) this.#begin(job, run)
    const last = found.at(-1)
    if (last !== undefined && found.length === limit) this.#share.tookFrom(bucket, last.priority)
    else this.#share.emptied(bucket, await jobs.nextDue({ bucket, kinds }))
  }

  /** A job is due in so many milliseconds. False: another process looks for it. */
  #isDue({ instanceId }: Pick<Job, 'instanceId'>, ms: number): boolean {
    const isOwn = this.#share.isDue(instanceId, ms)
    if (isOwn) this.#wake()
    return isOwn
  }

  #begin(job: TakenJob, run: DoJob): void {
    const stop = new AbortController()
    const leave = (): void => {
      this.#resting.delete(job)
      if (this.#running.delete(entry)) this.#wake()
    }
    const rest = (): (() => void) => {
      if (this.#resting.size >= MAX_RESTING) return () => {}
      this.#resting.add(job)
      this.#wake()
      return () => void this.#resting.delete(job)
    }
    const done = this.#perform({ job, stop, leave, rest }, run)
    const entry: Running = { job, stop, done }
    this.#running.add(entry)
    this.#ending.add(done)
    void done.finally(() => {
      this.#ending.delete(done)
      leave()
    })
  }

  async #perform({ job, stop, leave, rest }: Performed, run: DoJob): Promise<void> {
    const { jobs, onError } = this.#options
    const ended = new AbortController()
    const beating = this.#beat(job, stop, ended.signal)
    const { kind, instanceId, key, detail, attempts, priority } = job
    // Only kinds that were asked for are taken.
    const given: Job = { kind: kind as JobKind, instanceId, key, detail }
    const giveBack = async (pause = 0): Promise<number> => {
      await jobs.giveBack(job, pause === 0 ? undefined : pause)
      return pause
    }
    let end: () => Promise<number | null> = giveBack
    try {
      const again = await run(given, { signal: stop.signal, attempts, priority, rest })
      if (!stop.signal.aborted || !this.#closing.signal.aborted) end = () => jobs.finish(job, again)
    } catch (error) {
      if (!stop.signal.aborted) {
        onError(error, given)
        const pause = pauseBehind(error, attempts)
        end = () => giveBack(pause)
      }
    }
    ended.abort()
    await beating
    await this.#tellEnd(end, given, leave)
  }

  /** A store that is away when a job ends is told of it later, as long as the lease lasts. */
  async #tellEnd(end: () => Promise<number | null>, job: Job, leave: () => void): Promise<void> {
    const { jobs, clock, leaseMs, beatMs, pollMs, onError } = this.#options
    const giveUpAt = clock.monotonic() + leaseMs - beatMs
    for (let isTold = false; ;) {
      try {
        const dueMs = await end()
        // Its bucket may be another process's by now, which believes that this one still works on it.
        if (dueMs !== null && !this.#isDue(job, dueMs)) await jobs.announce(job.instanceId)
        return
      } catch (error) {
        if (!isTold) onError(error, job)
        isTold = true
        // Jobs on other nodes of the database need its place.
        if (isNodeAway(error)) leave()
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
