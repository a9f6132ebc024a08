// The queue over rows of the store: held by leases with fences, in either database, by any number of processes.
import { isConnectorError } from '../../errors.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import type { JobStore, TakenJob } from '../store/jobs.ts'
import type { DoJob, Job, JobKind, JobQueue } from '../../copy/sync/job-queue.ts'

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

/** After an error that nobody foresaw: 10 s, 20 s … 10 min. */
const FIRST_PAUSE_MS = 10_000
const LONGEST_PAUSE_MS = 600_000
/** Between looks at a store that fails: twice as long each time. */
const LONGEST_LOOK_MS = 5_000
/** After a store that cannot be written, … */
const LONGEST_STORE_PAUSE_MS = 60_000
/** … and after one that was away for a moment, or too slow. */
const AWAY_PAUSE_MS = 2_000
const PASSING: ReadonlySet<unknown> = new Set(['away', 'busy', 'conflict'])

/** Creates the queue of one process. */
export function createStoreQueue(options: StoreQueueOptions): JobQueue {
  const { jobs, clock, ownerId, onError } = options
  const { leaseMs = 30_000, beatMs = 5_000, pollMs = 500, isBusy = () => false } = options
  const running = new Set<Running>()
  const closing = new AbortController()
  let wake: () => void = () => {}
  let loop: Promise<void> = Promise.resolve()

  async function lookForWork(
    kinds: readonly JobKind[],
    concurrency: number,
    run: DoJob,
  ): Promise<void> {
    let failures = 0
    while (!closing.signal.aborted) {
      const woken = new AbortController()
      wake = () => {
        woken.abort()
      }
      let taken = 0
      try {
        const free = (isBusy() ? 1 : concurrency) - running.size
        const found = await jobs.take(kinds, ownerId, leaseMs, free)
        taken = found.length
        failures = 0
        for (const job of found) begin(job, run)
      } catch (error) {
        onError(error, null)
        failures++
      }
      // With places left there may be more that is due.
      if (taken > 0 && running.size < concurrency) continue
      const pause = Math.min(Math.max(pollMs, LONGEST_LOOK_MS), pollMs * 2 ** failures)
      await clock.sleep(pause, AbortSignal.any([closing.signal, woken.signal])).catch(() => {})
    }
  }

  function begin(job: TakenJob, run: DoJob): void {
    const stop = new AbortController()
    const entry: Running = { job, stop, done: perform(job, stop, run) }
    running.add(entry)
    void entry.done.finally(() => {
      running.delete(entry)
      wake()
    })
  }

  async function perform(job: TakenJob, stop: AbortController, run: DoJob): Promise<void> {
    const ended = new AbortController()
    const beating = beat(job, stop, ended.signal)
    const { kind, instanceId, key, detail, attempts } = job
    // Only kinds that were asked for are taken.
    const given: Job = { kind: kind as JobKind, instanceId, key, detail }
    let end: () => Promise<void> = () => jobs.giveBack(job)
    try {
      const again = await run(given, { signal: stop.signal, attempts })
      if (!stop.signal.aborted || !closing.signal.aborted) end = () => jobs.finish(job, again)
    } catch (error) {
      if (!stop.signal.aborted) {
        onError(error, given)
        const pause = pauseBehind(error, attempts)
        end = () => jobs.giveBack(job, pause)
      }
    }
    ended.abort()
    await beating
    await tellEnd(end, given)
  }

  /** A store that is away when a job ends is told of it later, as long as the lease lasts. */
  async function tellEnd(end: () => Promise<void>, job: Job): Promise<void> {
    const giveUpAt = clock.monotonic() + leaseMs - beatMs
    for (let isTold = false; ;) {
      try {
        return await end()
      } catch (error) {
        if (!isTold) onError(error, job)
        isTold = true
        // The lease runs out, and another process finds it done already.
        if (closing.signal.aborted || !isAway(error) || clock.monotonic() > giveUpAt) return
        await clock.sleep(pollMs, closing.signal).catch(() => {})
      }
    }
  }

  async function beat(job: TakenJob, stop: AbortController, ended: AbortSignal): Promise<void> {
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

  return {
    async enqueue(job) {
      const result = await jobs.put(job)
      if ((job.delayMs ?? 0) <= 0) wake()
      return result
    },
    async add(job) {
      if ((await jobs.add(job)) && (job.delayMs ?? 0) <= 0) wake()
    },
    async jobsOf(instanceId) {
      const rows = await jobs.list(instanceId)
      return rows.map(({ kind, key, dueAt, againAt, isHeld }) => ({
        kind,
        key,
        dueAt,
        isRunning: isHeld,
        isWantedAgain: isHeld && againAt !== null,
      }))
    },
    work(kinds, { concurrency }, run) {
      loop = lookForWork(kinds, concurrency, run)
    },
    async cancel({ instanceId, kind }) {
      await jobs.cancel(instanceId, [kind])
      const ending = [...running].filter(
        ({ job }) => job.instanceId === instanceId && job.kind === kind,
      )
      for (const { stop } of ending) stop.abort()
      await Promise.all(ending.map(({ done }) => done))
    },
    async close(graceMs) {
      closing.abort()
      wake()
      await loop
      const grace = new AbortController()
      const all = Promise.all([...running].map(({ done }) => done)).then(() => grace.abort())
      await clock.sleep(graceMs, grace.signal).catch(() => {})
      for (const { stop } of running) stop.abort()
      await all
    },
  }
}

function isAway(error: unknown): boolean {
  return isConnectorError(error, 'store_unavailable')
}

/** The milliseconds until a job that threw is done again. */
function pauseBehind(error: unknown, attempts: number): number {
  if (isConnectorError(error, 'store_unavailable') && PASSING.has(error.details['reason']))
    return AWAY_PAUSE_MS
  const longest = isAway(error) ? LONGEST_STORE_PAUSE_MS : LONGEST_PAUSE_MS
  return Math.min(longest, FIRST_PAUSE_MS * 2 ** Math.min(attempts - 1, 10))
}
