// The buckets of the queue that a process looks into, and when. Processes share them evenly: each holds a lease of the store,
// and its place among the processes whose leases last says which buckets are its own. Two that disagree for a moment do
// no harm, because jobs have leases of their own.
import type { Clock } from '../../engine/exchange/clock.ts'
import type { HeldLease, LeaseStore } from '../store/credentials.ts'
import { bucketOf, JOB_BUCKETS, type JobPriority, type JobStore, QUEUE_ID } from '../store/jobs.ts'

export interface BucketShareOptions {
  readonly jobs: JobStore
  readonly leases: LeaseStore
  readonly clock: Clock
  /** Of this process. */
  readonly ownerId: string
  readonly leaseMs: number
  /** Between looks at what the processes tell each other. */
  readonly pollMs: number
}

/** What is known of a bucket: when to look into it, by the monotonic clock, and that no job in it is more urgent. */
interface Known {
  readonly lookAt: number
  readonly priority: JobPriority
}

const URGENT = 12
const UNKNOWN: Known = { lookAt: Number.POSITIVE_INFINITY, priority: 0 }
/** A bucket is looked into at least so often, in case that a process ended before it could announce a job. */
const MAX_UNSEEN_MS = 600_000
/** What is due and was not taken is being taken by another process. */
const MIN_UNSEEN_MS = 50
/** A process leaves its buckets to others when it had no place free for so long. */
const MAX_FULL_MS = 5_000
/** A lease that ends although its process lives does no harm, as jobs have leases of their own: it is extended late. */
const EXTEND_PART = 5 / 8
/** Between looks at a store, or a part of it, that fails. */
export const MAX_FAILING_MS = 5_000

export class BucketShare {
  readonly #options: BucketShareOptions
  readonly #own = new Map<number, Known>()
  #changes: ReadonlyMap<number, number> = new Map()
  #lease: HeldLease | null = null
  #extendAt = 0
  #lookAt = 0
  /** When a job could have been taken last. */
  #roomAt = 0
  #failures = 0

  constructor(options: BucketShareOptions) {
    this.#options = options
  }

  /**
   * When it is time: keeps the lease, and finds out which buckets are this process's and which of them have changed. Throws
   * what the store throws; until it answers again the buckets stay as they are, and at first all of them are. `isFull`: this
   * process cannot take a job now; where that lasts, it gives its lease back until it can.
   */
  async look(isFull: boolean): Promise<void> {
    const { jobs, clock, ownerId, leaseMs, pollMs } = this.#options
    const now = clock.monotonic()
    if (!isFull) this.#roomAt = now
    if (now < this.#lookAt) return
    this.#lookAt = now + pollMs
    try {
      const { workers, changes } = await jobs.look()
      if (now - this.#roomAt > MAX_FULL_MS) await this.#release()
      else if (now >= this.#extendAt) {
        await this.#hold(workers)
        this.#extendAt = now + leaseMs * EXTEND_PART
      }
      this.#share(new Set([...workers.values(), ownerId]), changes)
      this.#failures = 0
    } catch (error) {
      this.#failures++
      // From here on: it may have taken as long as a statement may.
      this.#lookAt = clock.monotonic() + Math.min(MAX_FAILING_MS, pollMs * 2 ** this.#failures)
      if (this.#own.size === 0) this.#share(new Set([ownerId]), this.#changes)
      throw error
    }
  }

  /** The bucket to look into now: where the most urgent job may be, then the one that waits longest; null: none. */
  next(): number | null {
    const now = this.#options.clock.monotonic()
    const [first] = [...this.#own]
      .filter(([, { lookAt }]) => lookAt <= now)
      .toSorted(([, one], [, other]) => other.priority - one.priority || one.lookAt - other.lookAt)
    if (first === undefined) return null
    // What becomes known while it is looked into adds to what is found.
    this.#own.set(first[0], UNKNOWN)
    return first[0]
  }

  /** Milliseconds until there may be something to do; `isFull`: no bucket is to be looked into meanwhile. */
  pauseMs(isFull: boolean): number {
    const times = isFull ? [] : [...this.#own.values()].map(({ lookAt }) => lookAt)
    return Math.max(0, Math.min(this.#lookAt, ...times) - this.#options.clock.monotonic())
  }

  /** There is more in a bucket, and nothing more urgent than the job that was taken last. */
  tookFrom(bucket: number, priority: JobPriority): void {
    this.#learn(bucket, 0, priority)
  }

  /** Nothing is left in a bucket for so many milliseconds; null: there are no jobs. */
  emptied(bucket: number, ms: number | null): void {
    this.#learn(bucket, Math.max(MIN_UNSEEN_MS, ms ?? MAX_UNSEEN_MS), URGENT)
  }

  failed(bucket: number): void {
    this.#learn(bucket, MAX_FAILING_MS, URGENT)
  }

  /** A job of an instance is due in so many milliseconds. False: in a bucket that is not this process's. */
  isDue(instanceId: string, ms: number): boolean {
    return this.#learn(bucketOf(instanceId), Math.max(0, ms), URGENT)
  }

  /** Gives all buckets back. Where the store is away, the lease ends by its time. */
  async leave(): Promise<void> {
    this.#own.clear()
    await this.#release().catch(() => {})
  }

  async #release(): Promise<void> {
    if (this.#lease !== null) await this.#options.leases.release(this.#lease)
    this.#lease = null
    this.#extendAt = 0
  }

  /** The lowest place that is free among the leases of the queue. */
  async #hold(workers: ReadonlyMap<string, string>): Promise<void> {
    const { leases, ownerId, leaseMs } = this.#options
    if (this.#lease !== null && (await leases.extend(this.#lease, leaseMs))) return
    this.#lease = null
    for (let place = 1; this.#lease === null; place++) {
      const purpose = `worker ${place}`
      if (workers.has(purpose)) continue
      const granted = await leases.acquire(QUEUE_ID, purpose, ownerId, leaseMs)
      if (granted !== null) this.#lease = { instanceId: QUEUE_ID, purpose, ownerId, ...granted }
    }
  }

  #share(owners: ReadonlySet<string>, changes: ReadonlyMap<number, number>): void {
    const place = [...owners].toSorted().indexOf(this.#options.ownerId)
    for (let bucket = 0; bucket < JOB_BUCKETS; bucket++) {
      // With more processes than buckets, several look into one.
      const isOwn =
        owners.size <= JOB_BUCKETS ? bucket % owners.size === place : place % JOB_BUCKETS === bucket
      if (!isOwn) this.#own.delete(bucket)
      else if (!this.#own.has(bucket) || changes.get(bucket) !== this.#changes.get(bucket))
        this.#own.set(bucket, { lookAt: this.#options.clock.monotonic(), priority: URGENT })
    }
    this.#changes = changes
  }

  #learn(bucket: number, ms: number, priority: JobPriority): boolean {
    const known = this.#own.get(bucket)
    if (known === undefined) return false
    const lookAt = this.#options.clock.monotonic() + Math.min(ms, MAX_UNSEEN_MS)
    this.#own.set(bucket, {
      lookAt: Math.min(known.lookAt, lookAt),
      priority: known.priority > priority ? known.priority : priority,
    })
    return true
  }
}
