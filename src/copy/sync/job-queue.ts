// The port to work that waits for its time: equal jobs are one, and one process at a time does each.

/** `plan`: which entities an instance has. `sync`: one entity. `purge`: the copies of an instance that is gone. */
export type JobKind = 'plan' | 'sync' | 'purge'

/** Holds ids only: the worker reads the state where it is kept. */
export interface Job {
  readonly kind: JobKind
  readonly instanceId: string
  /** What it is about within the instance. */
  readonly key: string
  /** An option of the next turn; '' for none. */
  readonly detail?: string
  /** Not before so many milliseconds; default 0. */
  readonly delayMs?: number
  /** The highest first; default 0. Tens are for the next turn only: afterwards the rest is left. */
  readonly priority?: number
}

export interface QueuedJob {
  readonly kind: string
  readonly key: string
  /** Milliseconds since 1970. */
  readonly dueAt: number
  readonly isRunning: boolean
  /** Asked for while it ran. */
  readonly isWantedAgain: boolean
}

export interface JobContext {
  /** Aborted when the job was cancelled, taken over, or is to be given back. */
  readonly signal: AbortSignal
  readonly attempts: number
}

/** Does a job; the milliseconds until it is due again, or null: it is over. */
export type DoJob = (job: Job, context: JobContext) => Promise<number | null>

/** At least once: where a worker dies, another one follows within the time of a lease. */
export interface JobQueue {
  /** `joined`: one such job waits already, or runs, and then it runs once more behind. */
  enqueue(job: Job): Promise<'queued' | 'joined'>
  /** Enqueues unless there is one already, which keeps its time. */
  add(job: Job): Promise<void>
  jobsOf(instanceId: string): Promise<readonly QueuedJob[]>
  /** Does jobs of these kinds, so many at once, until the queue is closed. Once per queue. */
  work(kinds: readonly JobKind[], options: { readonly concurrency: number }, run: DoJob): void
  /** Takes jobs away; those that run here have ended when it resolves. */
  cancel(filter: { readonly instanceId: string; readonly kind: JobKind }): Promise<void>
  /** Ends the work: what is not finished after so many milliseconds is aborted, and all of it given back. */
  close(graceMs: number): Promise<void>
}
