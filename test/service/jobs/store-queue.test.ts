// The queue of jobs over a real store, on both databases.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type DoJob, type JobKind, JobQueue } from '../../../src/service/jobs/store-queue.ts'
import { createSystemClock } from '../../../src/engine/adapters/system-clock.ts'
import { ConnectorError } from '../../../src/errors.ts'
import type { JobStore } from '../../../src/service/store/jobs.ts'
import type { Store } from '../../../src/service/store/store.ts'
import { postgresSubject, sqliteSubject, type StoreSubject } from '../../contracts/store/subject.ts'
import { eventually } from '../../faults/resources.ts'

describe.for([
  ['SQLite', sqliteSubject],
  ['PostgreSQL', postgresSubject],
] as const)('%s', ([, openSubject]) => {
  let subject: StoreSubject | null
  let store: Store
  const queues: JobQueue[] = []

  beforeAll(async () => {
    subject = await openSubject()
    if (subject !== null) store = await subject.open()
  })
  // Kinds are shared by the whole database: what a test that failed left working would take the jobs of the next one.
  afterEach(async () => {
    for (const open of queues.splice(0)) await open.close(0)
  })
  afterAll(() => subject?.close())

  function queue(
    more: { jobs?: JobStore; leaseMs?: number; beatMs?: number; isBusy?: () => boolean } = {},
  ): JobQueue {
    const made = new JobQueue({
      jobs: store.jobs,
      leases: store.leases,
      clock: createSystemClock(),
      ownerId: randomUUID(),
      pollMs: 20,
      onError: () => {},
      ...more,
    })
    queues.push(made)
    return made
  }
  const job = (key: string, kind: JobKind = 'sync') => ({ kind, instanceId: randomUUID(), key })

  test('jobs over three queues are done once each, although one of them dies', async (context) => {
    if (subject === null) return context.skip()
    const done: string[] = []
    const run: DoJob = async ({ key }) => {
      // Waits for time: a job lasts a moment.
      await new Promise((resolve) => setTimeout(resolve, 2))
      done.push(key)
      return null
    }
    const keys = Array.from({ length: 60 }, (_, n) => `job-${n}`)
    for (const key of keys) await queue().add(job(key))
    // It takes jobs and never comes back: what it holds is taken over when its leases have run out.
    const dead = { kinds: ['sync'], ownerId: 'dead', ttlMs: 300, limit: 5 }
    for (let bucket = 0; bucket < 5; bucket++) await store.jobs.take({ ...dead, bucket })
    const workers = [queue(), queue(), queue()]
    for (const worker of workers) worker.work(['sync'], 4, run)
    await eventually(() => done.length === keys.length)
    expect(done.toSorted()).toEqual(keys.toSorted())
    for (const worker of workers) await worker.close(1_000)
  })

  test('a busy process does one job at a time', async (context) => {
    if (subject === null) return context.skip()
    const worker = queue({ isBusy: () => true })
    for (let n = 0; n < 5; n++) await worker.add(job(`busy-${n}`))
    let [now, most, done] = [0, 0, 0]
    worker.work(['sync'], 4, async () => {
      most = Math.max(most, ++now)
      // Waits for time: a job that lasts shows which others run with it.
      await new Promise((resolve) => setTimeout(resolve, 30))
      now--
      done++
      return null
    })
    await eventually(() => done === 5)
    expect(most).toBe(1)
  })

  test.for([
    ['that rests leaves its place to another one', true, ['first', 'second']],
    ['keeps its place else', false, ['first']],
  ] as const)('a job %s', async ([, rests, want], context) => {
    if (subject === null) return context.skip()
    const worker = queue()
    const [first, second] = [job('first'), job('second')]
    await worker.enqueue(first)
    const begun: string[] = []
    let proceed: () => void = () => {}
    const held = new Promise<void>((resolve) => {
      proceed = resolve
    })
    worker.work(['sync'], 1, async ({ key }, { rest }) => {
      begun.push(key)
      if (key !== 'first') return null
      const takeBack = rests ? rest() : () => {}
      await held
      takeBack()
      return null
    })
    await eventually(() => begun.length === 1)
    await worker.enqueue(second)
    // Of a job that is not to begin there is nothing to wait for but the looks of the queue.
    if (rests) await eventually(() => begun.length === 2)
    else await eventually(async () => (await worker.jobsOf(second.instanceId)).length === 1)
    expect(begun).toEqual(want)
    proceed()
    await eventually(async () => (await worker.jobsOf(second.instanceId)).length === 0)
    expect(begun).toEqual(['first', 'second'])
    await worker.close(1_000)
  })

  test('a job that rests is cancelled as any other', async (context) => {
    if (subject === null) return context.skip()
    const worker = queue()
    const wanted = job('rests')
    await worker.enqueue(wanted)
    let isResting = false
    worker.work(['sync'], 1, (_job, { rest, signal }) => {
      rest()
      isResting = true
      return new Promise((resolve) =>
        signal.addEventListener('abort', () => resolve(null), { once: true }),
      )
    })
    await eventually(() => isResting)
    await worker.cancel(wanted.instanceId, 'sync')
    expect(await worker.jobsOf(wanted.instanceId)).toEqual([])
    await worker.close(1_000)
  })

  test('a job that is asked for while it runs, runs once more behind', async (context) => {
    if (subject === null) return context.skip()
    const worker = queue()
    const wanted = job('again')
    const turns: string[] = []
    let proceed: () => void = () => {}
    worker.work(['sync'], 2, async ({ detail = '' }) => {
      turns.push(detail)
      if (turns.length === 1)
        await new Promise<void>((resolve) => {
          proceed = resolve
        })
      return turns.length === 1 ? 60_000 : null
    })
    expect(await worker.enqueue({ ...wanted, detail: 'first' })).toBe('queued')
    await eventually(() => turns.length === 1)
    expect(await worker.enqueue({ ...wanted, detail: 'second' })).toBe('joined')
    expect(await worker.enqueue(wanted)).toBe('joined')
    expect(await worker.jobsOf(wanted.instanceId)).toMatchObject([
      { key: 'again', isHeld: true, againAt: expect.any(Number) },
    ])
    proceed()
    await eventually(async () => (await worker.jobsOf(wanted.instanceId)).length === 0)
    expect(turns).toEqual(['first', 'second'])
    await worker.close(1_000)
  })

  test('a job that throws is done again later', async (context) => {
    if (subject === null) return context.skip()
    const worker = queue()
    const wanted = job('throws')
    let turns = 0
    worker.work(['sync'], 1, () => {
      turns++
      return Promise.reject(new Error('broken'))
    })
    await worker.enqueue(wanted)
    await eventually(async () => {
      const [row] = await worker.jobsOf(wanted.instanceId)
      return turns === 1 && row?.isHeld === false
    })
    const [row] = await worker.jobsOf(wanted.instanceId)
    expect((row?.dueAt ?? 0) - Date.now()).toBeGreaterThan(5_000)
    await worker.cancel(wanted.instanceId, 'sync')
    await worker.close(1_000)
  })

  test('D2 a store that was away for a moment is told of the end later, and the job goes on within seconds', async (context) => {
    if (subject === null) return context.skip()
    const away = (): Error =>
      new ConnectorError('store_unavailable', 'away', { details: { reason: 'away' } })
    let ends = 0
    const jobs: JobStore = {
      ...store.jobs,
      async giveBack(...given) {
        if (++ends < 4) throw away()
        await store.jobs.giveBack(...given)
      },
    }
    const worker = queue({ jobs })
    const wanted = job('away')
    const details: (string | undefined)[] = []
    worker.work(['sync'], 1, ({ detail }) => {
      details.push(detail)
      return details.length === 1 ? Promise.reject(away()) : Promise.resolve(60_000)
    })
    await worker.enqueue({ ...wanted, detail: 'full' })
    await eventually(() => details.length === 2)
    expect([ends, details]).toEqual([4, ['full', 'full']])
    await worker.close(1_000)
    await worker.cancel(wanted.instanceId, 'sync')
  })

  test('a bucket that does not answer keeps no other one waiting', async (context) => {
    if (subject === null) return context.skip()
    const [lost, there] = ['07', '08'].map((end) => ({
      ...job(end),
      instanceId: `${randomUUID().slice(0, -2)}${end}`,
    })) as [ReturnType<typeof job>, ReturnType<typeof job>]
    const jobs: JobStore = {
      ...store.jobs,
      take: (wanted) =>
        wanted.bucket === 7
          ? Promise.reject(new ConnectorError('store_unavailable', 'away'))
          : store.jobs.take(wanted),
    }
    const worker = queue({ jobs })
    const done: string[] = []
    await worker.enqueue(lost)
    worker.work(['sync'], 1, ({ key }) => {
      done.push(key)
      return Promise.resolve(null)
    })
    for (const turn of [1, 2, 3]) {
      await worker.enqueue(there)
      await eventually(() => done.length === turn)
    }
    expect(done).toEqual(['08', '08', '08'])
    await worker.cancel(lost.instanceId, 'sync')
  })

  test('a process without a free place keeps no job waiting that another one could do', async (context) => {
    if (subject === null) return context.skip()
    const workers = [1, 2].map(() => queue({ leaseMs: 600, beatMs: 50 }))
    const done: string[] = []
    const long = job('long')
    let isRunning = false
    for (const worker of workers)
      worker.work(['sync'], 1, async ({ key }, { signal }) => {
        if (key !== long.key) done.push(key)
        else
          await new Promise((resolve) => {
            isRunning = true
            signal.addEventListener('abort', resolve, { once: true })
          })
        return null
      })
    await eventually(async () => (await store.jobs.look()).workers.size === 2)
    await queue().add(long)
    await eventually(() => isRunning)
    // One for each of both, at least.
    const keys = ['00', '01', '02', '03']
    for (const end of keys)
      await queue().add({ ...job(end), instanceId: `${randomUUID().slice(0, -2)}${end}` })
    await eventually(() => done.length === keys.length, 20_000)
    expect(done.toSorted()).toEqual(keys)
    await store.jobs.cancel(long.instanceId, ['sync'])
  })

  test('a job that fails again and again waits longer each time', async (context) => {
    if (subject === null) return context.skip()
    const wanted = job('fails on')
    const pauses: number[] = []
    for (const _ of [1, 2, 3]) {
      const worker = queue()
      worker.work(['sync'], 1, () => Promise.reject(new Error('broken')))
      await worker.enqueue(wanted)
      const now = Date.now()
      await eventually(async () => {
        const [row] = await worker.jobsOf(wanted.instanceId)
        return row?.isHeld === false && row.dueAt > now + 5_000
      })
      const [row] = await worker.jobsOf(wanted.instanceId)
      pauses.push(Math.round(((row?.dueAt ?? 0) - now) / 10_000))
      await worker.close(1_000)
    }
    expect(pauses).toEqual([1, 2, 4])
    await queue().cancel(wanted.instanceId, 'sync')
  })

  test('a cancelled job is aborted, and gone', async (context) => {
    if (subject === null) return context.skip()
    const worker = queue()
    const wanted = job('cancelled')
    let ended = false
    worker.work(['sync'], 1, async (_, { signal }) => {
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve, { once: true })
      })
      ended = true
      return 0
    })
    await worker.enqueue(wanted)
    await eventually(async () => (await worker.jobsOf(wanted.instanceId))[0]?.isHeld === true)
    await worker.cancel(wanted.instanceId, wanted.kind)
    expect([ended, await worker.jobsOf(wanted.instanceId)]).toEqual([true, []])
    await worker.close(1_000)
  })

  test('closing gives back what is not finished, and another queue takes it at once', async (context) => {
    if (subject === null) return context.skip()
    const [first, second] = [queue(), queue()]
    const wanted = job('handed on')
    const taken: string[] = []
    first.work(['sync'], 1, async (_, { signal }) => {
      taken.push('first')
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve, { once: true })
      })
      throw signal.reason
    })
    await first.enqueue(wanted)
    await eventually(() => taken.length === 1)
    await first.close(10)
    second.work(['sync'], 1, () => {
      taken.push('second')
      return Promise.resolve(null)
    })
    await eventually(() => taken.length === 2)
    expect(taken).toEqual(['first', 'second'])
    await second.close(1_000)
  })

  test('who lost the lease of a job is told to stop', async (context) => {
    if (subject === null) return context.skip()
    const worker = queue({ leaseMs: 200, beatMs: 20 })
    const wanted = job('taken over')
    let stopped = false
    worker.work(['sync'], 1, async (_, { signal }) => {
      await store.jobs.cancel(wanted.instanceId, ['sync'])
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve, { once: true })
      })
      stopped = true
      return null
    })
    await worker.enqueue(wanted)
    await eventually(() => stopped)
    expect(stopped).toBe(true)
    await worker.close(1_000)
  })
})
