// Jobs that wait for their time.
import type { InstanceRow } from './instances.ts'

/** Jobs that take away the copies of an instance that is gone. */
export const PURGE_JOB = 'purge'

/** What a job is about. There is one job per instance, kind and key. */
export interface JobPlace {
  readonly instanceId: string
  readonly kind: string
  readonly key: string
}

export interface JobInput extends JobPlace {
  /** For the process that takes it; left out: nothing in particular. */
  readonly detail?: string
  /** Not before so many milliseconds; default 0. */
  readonly delayMs?: number
  /** The highest first; default 0. Tens are for the next turn only: afterwards the rest is left. */
  readonly priority?: number
}

/** A job as the process holds it that does it. */
export interface TakenJob extends JobPlace {
  readonly ownerId: string
  readonly fence: number
  readonly detail: string
  /** How often it was taken since it was done last. */
  readonly attempts: number
}

export interface JobRow extends JobPlace, Pick<TakenJob, 'attempts'> {
  readonly dueAt: number
  /** Asked for while it was held. */
  readonly againAt: number | null
  readonly isHeld: boolean
}

export interface JobStore {
  /** Adds a job, unless there is one already; false: there is. */
  add(job: JobInput): Promise<boolean>
  /**
   * Adds a job; one that waits already is due at the earlier of the two times, and one that is held runs once more
   * behind. Then `joined`.
   */
  put(job: JobInput): Promise<'queued' | 'joined'>
  /** Takes what is due and held by nobody, by priority and time. */
  take(
    kinds: readonly string[],
    ownerId: string,
    ttlMs: number,
    limit: number,
  ): Promise<readonly TakenJob[]>
  /** False: it is somebody else's by now, or was cancelled. */
  extend(job: TakenJob, ttlMs: number): Promise<boolean>
  /** Done; due again after `againMs`, or sooner when it was asked for meanwhile. Null: gone, unless it was asked for. */
  finish(job: TakenJob, againMs: number | null): Promise<void>
  /** Not finished: the next process that looks takes it, for what it was asked for; `afterMs`: not before. */
  giveBack(job: TakenJob, afterMs?: number): Promise<void>
  cancel(instanceId: string, kinds: readonly string[]): Promise<void>
  list(instanceId: string): Promise<readonly JobRow[]>
  /** How many there are of each kind, over all instances. */
  count(): Promise<readonly StoredJobs[]>
  /** Instances that work but have no job of a kind. */
  idleInstances(kind: string, limit: number): Promise<readonly InstanceRow[]>
}

/** `due`: the next process that looks takes them. `waiting`: they wait for their time. */
export interface StoredJobs {
  readonly kind: string
  readonly state: 'running' | 'due' | 'waiting'
  readonly count: number
}
