// Counts of whole tables, for people who watch: a cheap one is made whenever somebody looks; a costly one by one process
// for all, and so seldom that the database has the rest of its time for others.
import { randomUUID } from 'node:crypto'
import type { Clock } from '../engine/exchange/clock.ts'
import type { HeldLease } from './store/credentials.ts'
import type { Store } from './store/store.ts'

export interface CountedSeldomOptions<T> {
  /** Tells it from other counts. */
  readonly name: string
  readonly count: () => Promise<T>
  /** Whether that is cheap to count, however long it took: something else may have kept the database. */
  readonly isFew?: (value: T) => boolean
  readonly store: Pick<Store, 'isShared' | 'leases'>
  readonly clock: Pick<Clock, 'monotonic'>
}

export interface Counted<T> {
  readonly value: T
  /** Since it was counted. */
  readonly ageSeconds: number
  /** Whether it was counted for an earlier question. */
  readonly isKept: boolean
}

/** What their leases are taken of, in the place of an instance. */
const COUNTS_ID = 'counts'
/** What takes longer is costly. */
const CHEAP_MS = 200
/** A costly count waits for so many times as long as the last one took. */
const REST = 50
/** After one that failed it waits for no longer: the store may only have been away. */
const MAX_FAILING_MS = 60_000
/** Another process takes over when the one that counts was not looked at for so long. */
const LEASE_MS = 90_000

export class CountedSeldom<T> {
  readonly #options: CountedSeldomOptions<T>
  readonly #ownerId = randomUUID()
  #lease: HeldLease | null = null
  #last: { readonly value: T; readonly atMs: number } | null = null
  #reading: Promise<Counted<T> | null> | null = null
  #isCounting = false
  #tookMs = 0
  #nextAtMs = 0

  constructor(options: CountedSeldomOptions<T>) {
    this.#options = options
  }

  /**
   * Null: another process counts, or nothing is counted yet. Only a first count, and cheap ones, are waited for, and throw
   * what they fail with. Those who ask meanwhile get the same.
   */
  read(): Promise<Counted<T> | null> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  async #read(): Promise<Counted<T> | null> {
    const isKept = this.#tookMs > CHEAP_MS
    if (!isKept) await this.#count()
    else {
      if (!(await this.#isOurs())) return null
      // The next one who asks sees it; after a failure it is tried again.
      if (this.#now >= this.#nextAtMs && !this.#isCounting) this.#count().catch(() => {})
    }
    if (this.#last === null) return null
    const { value, atMs } = this.#last
    return { value, ageSeconds: (this.#now - atMs) / 1_000, isKept }
  }

  get #now(): number {
    return this.#options.clock.monotonic()
  }

  async #isOurs(): Promise<boolean> {
    const {
      name: purpose,
      store: { isShared, leases },
    } = this.#options
    if (!isShared) return true
    if (this.#lease !== null && (await leases.extend(this.#lease, LEASE_MS))) return true
    const ownerId = this.#ownerId
    const granted = await leases.acquire(COUNTS_ID, purpose, ownerId, LEASE_MS)
    this.#lease = granted === null ? null : { instanceId: COUNTS_ID, purpose, ownerId, ...granted }
    return this.#lease !== null
  }

  async #count(): Promise<void> {
    const startedMs = this.#now
    let maxRestMs = MAX_FAILING_MS
    let isFew = false
    this.#isCounting = true
    try {
      const value = await this.#options.count()
      this.#last = { value, atMs: startedMs }
      maxRestMs = Number.POSITIVE_INFINITY
      isFew = this.#options.isFew?.(value) ?? false
    } finally {
      this.#isCounting = false
      this.#tookMs = isFew ? 0 : this.#now - startedMs
      this.#nextAtMs = this.#now + Math.min(maxRestMs, REST * this.#tookMs)
    }
  }
}
