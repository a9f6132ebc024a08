import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  bucketOf,
  type JobPlace,
  type JobPriority,
  type JobRow,
  QUEUE_ID,
  type TakenJob,
} from '../../../src/service/store/jobs.ts'
import type { InstanceRow } from '../../../src/service/store/instances.ts'
import type { Store } from '../../../src/service/store/store.ts'
import { auditEntry, storedInstance, unique } from './rows.ts'
import type { StoreSubject } from './subject.ts'

/** All in one bucket, of instances that are not there. */
export function jobPlace(kind: string, key = 'a'): JobPlace {
  return { instanceId: `${randomUUID().slice(0, -2)}05`, kind, key }
}

/** Jobs of that bucket. */
export async function takeJobs(
  { jobs }: Pick<Store, 'jobs'>,
  kind: string,
  { ownerId = 'me', ttlMs = 60_000, limit = 10 } = {},
): Promise<readonly TakenJob[]> {
  return await jobs.take({ bucket: 5, kinds: [kind], ownerId, ttlMs, limit })
}

/** Jobs of one database, by any number of processes. */
export function jobs(subject: () => StoreSubject, store: () => Store): void {
  const place = jobPlace
  const take = async (kind: string, limit = 10): Promise<readonly TakenJob[]> =>
    await takeJobs(store(), kind, { limit })
  const waiting = ({ key, isHeld, attempts }: JobRow) => ({ key, isHeld, attempts })

  test('what is due is taken once, by priority and time', async () => {
    const kind = unique('kind')
    const [low, late, high] = [place(kind, 'low'), place(kind, 'late'), place(kind, 'high')]
    expect(await store().jobs.put(low)).toBe('queued')
    await store().jobs.put({ ...late, delayMs: 60_000 })
    await store().jobs.put({ ...high, priority: 1, detail: 'full' })
    const taken = await take(kind)
    expect(taken.map(({ key, detail, attempts }) => [key, detail, attempts])).toEqual([
      ['high', 'full', 1],
      ['low', '', 1],
    ])
    expect(await take(kind)).toEqual([])
  })

  test('syncs that nobody took when they were due are told, the longest due first', async () => {
    const HOUR = 3_600_000
    const put = (job: JobPlace, hours: number, priority: JobPriority = 0): Promise<unknown> =>
      store().jobs.put({ ...job, delayMs: -hours * HOUR, priority })
    const [one, other, planned, fresh] = [
      await storedInstance(store()),
      await storedInstance(store()),
      await storedInstance(store()),
      await storedInstance(store()),
    ]
    const sync = ({ id: instanceId }: InstanceRow, key: string): JobPlace => ({
      instanceId,
      kind: 'sync',
      key,
    })
    const plan = ({ id: instanceId }: InstanceRow): JobPlace => ({
      instanceId,
      kind: 'plan',
      key: '',
    })
    await put(sync(one, 'calls'), 3)
    await put(sync(one, 'users'), 5, 1)
    await put(sync(one, 'scorecards'), -1)
    await put(sync(other, 'calls'), 4, 11)
    // Asked for a moment ago.
    await put(sync(other, 'users'), 0.5)
    // It has syncs, which are due by themselves.
    await put(plan(one), 9, 2)
    await put(plan(planned), 2, 2)
    await put({ ...sync(fresh, 'calls'), kind: 'purge' }, 9)
    const ours = [one, other, planned, fresh].map(({ id }) => id)
    const told = async (limit = 10_000): Promise<readonly (readonly [string, string])[]> => {
      const found = await store().jobs.overdue({ forMs: HOUR, limit })
      return found.flatMap(({ instanceId, key, overdueMs }) => {
        expect(overdueMs).toBeGreaterThan(HOUR)
        return ours.includes(instanceId) ? [[instanceId, key] as const] : []
      })
    }
    const want = [
      [one.id, 'users'],
      [other.id, 'calls'],
      [one.id, 'calls'],
      [planned.id, ''],
    ]
    expect(await told()).toEqual(want)
    expect((await store().jobs.overdue({ forMs: HOUR, limit: 1 })).length).toBe(1)
    // What is being done is not late.
    const bucket = bucketOf(other.id)
    const wanted = { bucket, kinds: ['sync'], ownerId: 'me', ttlMs: 60_000, limit: 10 }
    for (const job of await store().jobs.take(wanted))
      if (job.instanceId !== other.id) await store().jobs.giveBack(job)
    expect(await told()).toEqual(want.filter(([id]) => id !== other.id))
  })

  test('tens of a priority are for one turn, and the rest for all of them', async () => {
    const kind = unique('kind')
    const [wanted, usual] = [place(kind, 'wanted'), place(kind, 'usual')]
    const turns = async (): Promise<readonly string[]> => {
      const taken = await take(kind)
      for (const job of taken) await store().jobs.finish(job, 0)
      return taken.map(({ key }) => key)
    }
    await store().jobs.put({ ...usual, priority: 1 })
    await store().jobs.put({ ...wanted, priority: 10 })
    expect(await turns()).toEqual(['wanted', 'usual'])
    expect(await turns()).toEqual(['usual', 'wanted'])
    await store().jobs.put({ ...wanted, priority: 10 })
    const [running] = await take(kind, 1)
    if (running === undefined) throw new TypeError('nothing was taken')
    await store().jobs.put({ ...wanted, priority: 10 })
    await store().jobs.finish(running, 0)
    expect(await turns()).toEqual(['wanted', 'usual'])
  })

  test('equal jobs are one, due at the earlier time', async () => {
    const kind = unique('kind')
    const job = place(kind)
    await store().jobs.put({ ...job, delayMs: 60_000 })
    expect(await store().jobs.add(job)).toBe(false)
    expect(await take(kind)).toEqual([])
    expect(await store().jobs.put(job)).toBe('joined')
    expect(await store().jobs.put({ ...job, delayMs: 60_000 })).toBe('joined')
    expect(await take(kind)).toHaveLength(1)
  })

  test('jobs are counted by kind: those that run, are due, and wait for their time', async () => {
    const kind = unique('kind')
    await store().jobs.put({ ...place(kind), priority: 1 })
    await take(kind, 1)
    await store().jobs.put(place(kind))
    await store().jobs.put(place(kind))
    await store().jobs.put({ ...place(kind), delayMs: 60_000 })
    expect((await store().jobs.count()).filter((counted) => counted.kind === kind)).toEqual([
      { kind, state: 'due', count: 2 },
      { kind, state: 'running', count: 1 },
      { kind, state: 'waiting', count: 1 },
    ])
  })

  test('what is asked for while it runs, runs exactly once more', async () => {
    const kind = unique('kind')
    const job = place(kind)
    await store().jobs.put(job)
    const [first] = await take(kind)
    if (first === undefined) throw new TypeError('nothing was taken')
    await store().jobs.put({ ...job, detail: 'full' })
    await store().jobs.put(job)
    expect(await take(kind)).toEqual([])
    await store().jobs.finish(first, 60_000)
    const [second] = await take(kind)
    if (second === undefined) throw new TypeError('nothing was taken')
    expect([second.detail, second.attempts]).toEqual(['full', 1])
    await store().jobs.finish(second, null)
    expect(await store().jobs.list(job.instanceId)).toEqual([])
  })

  test('a job comes again after its pause', async () => {
    const kind = unique('kind')
    const job = place(kind)
    await store().jobs.put({ ...job, detail: 'full' })
    const [first] = await take(kind)
    if (first === undefined) throw new TypeError('nothing was taken')
    await store().jobs.finish(first, 0)
    const [second] = await take(kind)
    if (second === undefined) throw new TypeError('nothing was taken')
    expect(second.detail).toBe('')
    await store().jobs.finish(second, 60_000)
    const [row] = await store().jobs.list(job.instanceId)
    expect(row).toMatchObject({ isHeld: false, attempts: 0, againAt: null })
    expect((row?.dueAt ?? 0) - Date.now()).toBeGreaterThan(30_000)
  })

  test('what a dead process held is taken by another, and the dead one is refused', async () => {
    const kind = unique('kind')
    let now = 5_000_000_000_000
    const opened = await subject().open({ clock: { now: () => now } })
    const job = place(kind)
    await opened.jobs.put({ ...job, detail: 'full' })
    const [mine] = await takeJobs(opened, kind, { ownerId: 'dead', ttlMs: 1_000 })
    if (mine === undefined) throw new TypeError('nothing was taken')
    expect(await takeJobs(opened, kind, { ownerId: 'next', ttlMs: 1_000 })).toEqual([])
    now += 1_000
    const [theirs] = await takeJobs(opened, kind, { ownerId: 'next', ttlMs: 1_000 })
    expect(theirs).toMatchObject({ detail: 'full', attempts: 2 })
    expect(await opened.jobs.extend(mine, 1_000)).toBe(false)
    await opened.jobs.finish(mine, null)
    expect((await opened.jobs.list(job.instanceId)).map(waiting)).toEqual([
      { key: 'a', isHeld: true, attempts: 2 },
    ])
  })

  test('what is given back is taken at once', async () => {
    const kind = unique('kind')
    await store().jobs.put({ ...place(kind), detail: 'full' })
    const [first] = await take(kind)
    if (first === undefined) throw new TypeError('nothing was taken')
    expect(await store().jobs.extend(first, 60_000)).toBe(true)
    await store().jobs.giveBack(first)
    expect(await take(kind)).toMatchObject([{ detail: 'full' }])
  })

  test('what is given back for later waits, and is taken for what it was asked for', async () => {
    const kind = unique('kind')
    let now = 5_000_000_000_000
    const opened = await subject().open({ clock: { now: () => now } })
    const job = place(kind)
    await opened.jobs.put({ ...job, detail: 'full', priority: 10 })
    const [first] = await takeJobs(opened, kind, { ownerId: 'one' })
    if (first === undefined) throw new TypeError('nothing was taken')
    await opened.jobs.giveBack(first, 2_000)
    expect(await takeJobs(opened, kind, { ownerId: 'two' })).toEqual([])
    expect((await opened.jobs.list(job.instanceId)).map(waiting)).toEqual([
      { key: 'a', isHeld: false, attempts: 1 },
    ])
    now += 2_000
    expect(await takeJobs(opened, kind, { ownerId: 'two' })).toMatchObject([
      { detail: 'full', attempts: 2 },
    ])
  })

  test('many takers get every job once, and each gets as many as it asks for while there are some', async () => {
    const kind = unique('kind')
    const openings = [await subject().open(), await subject().open(), store()]
    for (let n = 0; n < 40; n++) await store().jobs.put(place(kind, `job-${n}`))
    const taken: string[] = []
    const counts: number[] = []
    await Promise.all(
      openings.map(async (opened, n) => {
        for (;;) {
          const some = await takeJobs(opened, kind, { ownerId: `owner-${n}`, limit: 3 })
          counts.push(some.length)
          taken.push(...some.map(({ key }) => key))
          if (some.length < 3) return
        }
      }),
    )
    expect(taken.toSorted()).toEqual(Array.from({ length: 40 }, (_, n) => `job-${n}`).toSorted())
    const full = Array.from({ length: 13 }, () => 3)
    expect(counts.toSorted((one, other) => one - other)).toEqual([0, 0, 1, ...full])
  })

  test('an instance has its plan from the beginning, and one that is deleted leaves the job that takes its copies away, and no other', async () => {
    const row = await storedInstance(store(), { state: 'active' })
    await store().jobs.put({ instanceId: row.id, kind: 'sync', key: 'calls' })
    const kinds = async (): Promise<readonly string[]> =>
      (await store().jobs.list(row.id)).map(({ kind }) => kind)
    expect(await kinds()).toEqual(['plan', 'sync'])
    expect((await store().instances.find(row.id))?.id).toBe(row.id)
    const owner = { organizationId: row.organizationId }
    await store().instances.delete(owner, row.id, auditEntry(row))
    expect(await store().instances.find(row.id)).toBe(null)
    expect(await kinds()).toEqual(['purge'])
    await store().jobs.cancel(row.id, ['purge'])
    expect(await store().jobs.list(row.id)).toEqual([])
  })

  test('a job of another bucket is not taken', async () => {
    const kind = unique('kind')
    await store().jobs.put({ ...place(kind), instanceId: `${randomUUID().slice(0, -2)}06` })
    expect(await take(kind)).toEqual([])
  })

  test.for([
    ['0190a5a0-0000-7000-8000-000000000000', 0],
    ['0190a5a0-0000-7000-8000-00000000000f', 15],
    ['0190a5a0-0000-7000-8000-00000000001f', 31],
    ['0190a5a0-0000-7000-8000-0000000000e5', 5],
    ['0190a5a0-0000-7000-8000-0000000000ff', 31],
  ] as const)('the jobs of %s lie in bucket %i', ([instanceId, bucket]) => {
    expect(bucketOf(instanceId)).toBe(bucket)
  })

  test('a bucket says when its next job is due: the one that waits, is held, or is due', async () => {
    const kind = unique('kind')
    const now = 5_000_000_000_000
    const { jobs } = await subject().open({ clock: { now: () => now } })
    const next = async (): Promise<number | null> =>
      await jobs.nextDue({ bucket: 5, kinds: [kind] })
    expect(await next()).toBe(null)
    await jobs.put({ ...place(kind), priority: 2, delayMs: 5_000 })
    expect(await next()).toBe(5_000)
    await jobs.put({ ...place(kind), delayMs: 3_000 })
    expect(await next()).toBe(3_000)
    await jobs.put(place(kind))
    expect(await next()).toBe(0)
    const [held] = await takeJobs({ jobs }, kind, { ttlMs: 2_000 })
    if (held === undefined) throw new TypeError('nothing was taken')
    expect(await next()).toBe(2_000)
    expect(await jobs.finish(held, 4_000)).toBe(4_000)
    expect(await next()).toBe(3_000)
  })

  test('processes see the leases of each other, and which buckets have changed', async () => {
    const kind = unique('kind')
    const { jobs, leases } = store()
    const purpose = unique('worker')
    const changesOf = async (): Promise<number> => (await jobs.look()).changes.get(5) ?? 0
    const before = await changesOf()
    const fence = await leases.acquire(QUEUE_ID, purpose, 'me', 60_000)
    if (fence === null) throw new TypeError('the lease was not acquired')
    const job = place(kind)
    await jobs.add(job)
    expect(await jobs.add(job)).toBe(false)
    await jobs.put(job)
    await jobs.announce(job.instanceId)
    expect((await changesOf()) - before).toBe(3)
    expect((await jobs.look()).workers.get(purpose)).toBe('me')
    await leases.release({ instanceId: QUEUE_ID, purpose, ownerId: 'me', ...fence })
    expect((await jobs.look()).workers.get(purpose)).toBe(undefined)
  })
}
