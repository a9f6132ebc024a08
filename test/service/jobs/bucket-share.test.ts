// How processes share the buckets of the queue, and what a process asks of the store that has nothing to do: by a clock that
// goes on whenever somebody sleeps.
import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Clock } from '../../../src/engine/exchange/clock.ts'
import { BucketShare } from '../../../src/service/jobs/bucket-share.ts'
import { type DeliveryPorts, startDeliveries } from '../../../src/service/events/deliveries.ts'
import { type JobPorts, startJobs } from '../../../src/service/jobs.ts'
import { JobQueue } from '../../../src/service/jobs/store-queue.ts'
import { JOB_BUCKETS } from '../../../src/service/store/jobs.ts'
import type { Store } from '../../../src/service/store/store.ts'
import { postgresSubject, sqliteSubject, type StoreSubject } from '../../contracts/store/subject.ts'

const LEASE_MS = 8_000
const LOOK_MS = 1_000
const ALL = Array.from({ length: JOB_BUCKETS }, (_, bucket) => bucket)

function idIn(bucket: number): string {
  return `${randomUUID().slice(0, -2)}${bucket.toString(16).padStart(2, '0')}`
}

describe.for([
  ['SQLite', sqliteSubject],
  ['PostgreSQL', postgresSubject],
] as const)('%s', ([, openSubject]) => {
  let subject: StoreSubject | null
  let store: Store
  let statements = 0
  let now = 5_000_000_000_000

  beforeAll(async () => {
    subject = await openSubject()
    if (subject === null) return
    const clock = { now: () => now }
    store = await subject.open({ clock, onStatement: () => statements++ })
  })
  afterAll(() => subject?.close())

  async function goOn(ms: number, signal?: AbortSignal): Promise<void> {
    now += ms
    await setImmediate()
    signal?.throwIfAborted()
  }
  const clock: Clock = { now: () => now, monotonic: () => now, random: () => 0.5, sleep: goOn }
  const share = () =>
    new BucketShare({
      jobs: store.jobs,
      leases: store.leases,
      clock,
      ownerId: randomUUID(),
      leaseMs: LEASE_MS,
      pollMs: LOOK_MS,
    })
  const ownOf = (of: BucketShare): readonly number[] =>
    ALL.filter((bucket) => of.isDue(idIn(bucket), LEASE_MS * 1_000))
  /** Whether each bucket has one process, and none has two more than another one. */
  function expectShared(shares: readonly BucketShare[]): void {
    const owned = shares.map(ownOf)
    expect(owned.flat().toSorted((one, other) => one - other)).toEqual(ALL)
    const sizes = owned.map(({ length }) => length)
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(2)
  }
  async function lookAll(shares: readonly BucketShare[]): Promise<void> {
    now += LOOK_MS
    for (const each of shares) await each.look(false)
  }

  test('processes share all buckets evenly; those of one that leaves are shared at the next look, those of one that died when its lease ends', async (context) => {
    if (subject === null) return context.skip()
    const [dying, leaving, ...staying] = [share(), share(), share(), share(), share()]
    const all = [dying, leaving, ...staying]
    await lookAll(all)
    await lookAll(all)
    expectShared(all)
    await leaving.leave()
    await lookAll([dying, ...staying])
    expectShared([dying, ...staying])
    const diedAt = now
    while (now + LOOK_MS < diedAt + LEASE_MS / 2) {
      await lookAll(staying)
      expect(staying.flatMap(ownOf).length).toBe(JOB_BUCKETS - ownOf(dying).length)
    }
    while (now < diedAt + LEASE_MS) await lookAll(staying)
    expectShared(staying)
    for (const each of staying) await each.leave()
  })

  test('of more processes than buckets each has one bucket, and each bucket a process', async (context) => {
    if (subject === null) return context.skip()
    const all = Array.from({ length: JOB_BUCKETS + 5 }, share)
    await lookAll(all)
    await lookAll(all)
    const owned = all.map(ownOf)
    expect(owned.every(({ length }) => length === 1)).toBe(true)
    expect(new Set(owned.flat()).size).toBe(JOB_BUCKETS)
    for (const each of all) await each.leave()
  })

  test('a bucket is looked into when another process announces a job, before those where nothing as urgent may be', async (context) => {
    if (subject === null) return context.skip()
    const own = share()
    await lookAll([own])
    for (let bucket = own.next(); bucket !== null; bucket = own.next()) own.emptied(bucket, null)
    own.isDue(idIn(3), 0)
    expect(own.next()).toBe(3)
    own.tookFrom(3, 1)
    await store.jobs.announce(idIn(9))
    await lookAll([own])
    expect([own.next(), own.next(), own.next()]).toEqual([9, 3, null])
    await own.leave()
  })

  test('what becomes due while a bucket is looked into is not forgotten', async (context) => {
    if (subject === null) return context.skip()
    const own = share()
    await lookAll([own])
    const looked: number[] = []
    for (let bucket = own.next(); bucket !== null; bucket = own.next()) {
      looked.push(bucket)
      // A job of it ends, or is put by this process, after it was looked into.
      if (bucket === 7 && looked.indexOf(7) === looked.length - 1) own.isDue(idIn(7), 0)
      own.emptied(bucket, null)
    }
    expect(looked.toSorted((one, other) => one - other)).toEqual([
      ...ALL.slice(0, 8),
      ...ALL.slice(7),
    ])
    await own.leave()
  })

  test('a process that has nothing to do sends about two statements a second in all', async (context) => {
    if (subject === null) return context.skip()
    const seconds = 600
    const loops = startLoops(now + seconds * 1_000)
    statements = 0
    await loops.until
    const sent = statements
    await loops.close()
    expect(loops.errors).toEqual([])
    expect(sent / seconds).toBeGreaterThan(1)
    expect(sent / seconds).toBeLessThan(2.05)
  })

  /** All that a process does without being asked, by a clock that goes on to the next of them when all of them sleep. */
  function startLoops(end: number) {
    const errors: unknown[] = []
    const sleeping = new Map<() => void, number>()
    const { promise: until, resolve: reached } = Promise.withResolvers<void>()
    const jumping: Clock = {
      ...clock,
      sleep: async (ms, signal) => {
        const { promise, resolve, reject } = Promise.withResolvers<void>()
        signal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true })
        sleeping.set(resolve, now + ms)
        // The queue, its refreshes, its purges, and deliveries.
        if (sleeping.size === 4) {
          const [first, at] = [...sleeping].reduce((one, other) =>
            other[1] < one[1] ? other : one,
          )
          sleeping.delete(first)
          now = at
          if (now < end) first()
          else reached()
        }
        await promise
      },
    }
    const log = { warn: (facts: unknown) => errors.push(facts), debug: () => {} }
    const queue = new JobQueue({
      ...store,
      clock: jumping,
      ownerId: randomUUID(),
      onError: (error) => errors.push(error),
    })
    queue.work(['plan', 'sync', 'purge'], 4, () => Promise.reject(new Error('there is no job')))
    // What is used of them where there is nothing to do.
    const ports = {
      store,
      clock: jumping,
      log,
      eventDays: 30,
      auditDays: 90,
      logs: { days: 7, maxEntries: 10 },
    } as unknown
    const repeated = [...startJobs(ports as JobPorts), startDeliveries(ports as DeliveryPorts)]
    return {
      errors,
      until,
      async close() {
        await Promise.all(repeated.map((each) => each.close()))
        await queue.close(0)
      },
    }
  }
})
