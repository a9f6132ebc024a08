// Jobs that wait for their time, and the buckets in which they lie.

/** The job that finds out what an instance has to synchronize: each instance has one from its first row on. */
export const PLAN_JOB = 'plan'
/** One turn of an entity, which is its key. */
export const SYNC_JOB = 'sync'
/** Jobs that take away the copies of an instance that is gone. */
export const PURGE_JOB = 'purge'

/** The jobs of one instance lie in one bucket, for ever: the number is part of the schema. */
export const JOB_BUCKETS = 32
/** What the leases of the processes that share the buckets are taken of, in the place of an instance. */
export const QUEUE_ID = 'queue'

/** The bucket of an instance, by the last two digits of its id, which are random. The migrations reckon the same in SQL. */
export function bucketOf(instanceId: string): number {
  const digit = (at: number): number => '123456789abcdef'.indexOf(instanceId.at(at) ?? '') + 1
  return (16 * digit(-2) + digit(-1)) % JOB_BUCKETS
}

/** All that there are, the highest first: jobs of one bucket are looked for by priority. Tens are for one turn only. */
export const JOB_PRIORITIES = [12, 11, 10, 2, 1, 0] as const

export type JobPriority = (typeof JOB_PRIORITIES)[number]

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
  readonly priority?: JobPriority
}

/** A job as the process holds it that does it. */
export interface TakenJob extends JobPlace {
  readonly ownerId: string
  readonly fence: number
  readonly detail: string
  readonly priority: JobPriority
  /** How often it was taken since it was done last. */
  readonly attempts: number
}

export interface JobRow extends JobPlace, Pick<TakenJob, 'attempts'> {
  readonly dueAt: number
  /** Asked for while it was held. */
  readonly againAt: number | null
  readonly isHeld: boolean
}

/** A job of syncs that nobody has taken since it was due. */
export interface OverdueJob extends JobPlace {
  readonly overdueMs: number
}

export interface JobStore {
  /** Adds a job, unless there is one already; false: there is. */
  add(job: JobInput): Promise<boolean>
  /**
   * Adds a job; one that waits already is due at the earlier of the two times, and one that is held runs once more
   * behind. Then `joined`.
   */
  put(job: JobInput): Promise<'queued' | 'joined'>
  /** Takes what is due and held by nobody, by priority and time. What another process is about to take is left to it. */
  take(wanted: WantedJobs): Promise<readonly TakenJob[]>
  /** Milliseconds until a job of the bucket is due or its lease ends, 0 or less: by now; null: it has none. */
  nextDue(wanted: Pick<WantedJobs, 'bucket' | 'kinds'>): Promise<number | null>
  /** What processes that share the queue tell each other. */
  look(): Promise<QueueLook>
  /** Tells the process that has the bucket of an instance to look into it. Adding and putting jobs does so. */
  announce(instanceId: string): Promise<void>
  /** False: it is somebody else's by now, or was cancelled. */
  extend(job: TakenJob, ttlMs: number): Promise<boolean>
  /**
   * Done; due again after `againMs`, or sooner when it was asked for meanwhile. Null: gone, unless it was asked for. Gives
   * the milliseconds until then; null: it is gone, or another process has it.
   */
  finish(job: TakenJob, againMs: number | null): Promise<number | null>
  /** Not finished: the next process that looks takes it, for what it was asked for; `afterMs`: not before. */
  giveBack(job: TakenJob, afterMs?: number): Promise<void>
  cancel(instanceId: string, kinds: readonly string[]): Promise<void>
  list(instanceId: string): Promise<readonly JobRow[]>
  /**
   * Syncs of all instances, and plans of those that have no sync yet, which were due more than `forMs` ago and are held by
   * nobody: at most `limit`, the longest due first. Those on nodes of the database that are away are left out.
   */
  overdue(wanted: {
    readonly forMs: number
    readonly limit: number
  }): Promise<readonly OverdueJob[]>
  /** How many there are of each kind, over all instances. */
  count(): Promise<readonly StoredJobs[]>
}

/** Jobs of one bucket, so that a cluster is asked for one part of the table. */
export interface WantedJobs {
  readonly bucket: number
  readonly kinds: readonly string[]
  readonly ownerId: string
  readonly ttlMs: number
  readonly limit: number
}

export interface QueueLook {
  /** The processes whose leases of the queue last, by the purposes of these leases. */
  readonly workers: ReadonlyMap<string, string>
  /** By bucket: how often jobs were added to it or became due sooner. Those that are missing: never. */
  readonly changes: ReadonlyMap<number, number>
}

/** `due`: the next process that looks takes them. `waiting`: they wait for their time. */
export interface StoredJobs {
  readonly kind: string
  readonly state: 'running' | 'due' | 'waiting'
  readonly count: number
}
