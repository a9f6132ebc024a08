// Jobs taken from the queue: by many processes at once, none of which may lose its claim to another, beside the simplest
// statement that one process could send.
import { randomUUID } from 'node:crypto'
import pg from 'pg'

import { createSystemClock } from '../src/engine/adapters/system-clock.ts'
import { BucketShare } from '../src/service/jobs/bucket-share.ts'
import { databaseOf, openStore } from '../src/service/store/open/open-store.ts'
import { bucketOf, type TakenJob } from '../src/service/store/jobs.ts'
import { createTestDatabase, type TestDatabase } from '../test/fixtures/postgres.ts'
import { startPostgres } from './copy/stores.ts'
import type { Row } from './row.ts'
import { ratioOf, spreadOf } from './statistics.ts'

const JOBS = 40_000
const ROUNDS = 3
const AT_ONCE = 10

export const queueRow: Row = {
  name: 'queue',
  about: `${JOBS.toLocaleString('en')} due jobs taken by 1 and 10 workers on one PostgreSQL, ${AT_ONCE} at a time`,
  async run() {
    using _server = startPostgres()
    const rounds: Round[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const taken = await measure()
      if (taken === null) return []
      rounds.push(taken)
    }
    const all = (read: (round: Round) => number): readonly number[] => rounds.map(read)
    return [
      {
        title: `take of ${AT_ONCE}, ${JOBS.toLocaleString('en')} due, median`,
        unit: 'ms',
        sides: [
          { name: '10 workers', ...spreadOf(all(({ ten }) => ten.ms)) },
          { name: '1 worker', ...spreadOf(all(({ one }) => one.ms)) },
          { name: 'by hand, 1 process', ...spreadOf(all(({ hand }) => hand)) },
        ],
        figures: [
          {
            name: '1 worker / by hand',
            unit: '×',
            ...ratioOf(
              all(({ one }) => one.ms),
              all(({ hand }) => hand),
            ),
            must: { atMost: 5 },
            goal: { atMost: 3 },
          },
          {
            name: 'take of 10 workers',
            unit: 'ms',
            ...spreadOf(all(({ ten }) => ten.ms)),
            must: null,
            goal: { atMost: 5 },
          },
          {
            name: 'lost claims of 10 workers',
            unit: '%',
            ...spreadOf(all(({ ten }) => ten.lostPercent)),
            must: { atMost: 2 },
            goal: { atMost: 0.1 },
          },
        ],
      },
    ]
  },
}

interface Taken {
  /** Median of a take. */
  readonly ms: number
  /** Of all claims: those that found a job due, and not theirs. */
  readonly lostPercent: number
}

interface Round {
  readonly ten: Taken
  readonly one: Taken
  readonly hand: number
}

/** Null: no PostgreSQL can be started. */
async function measure(): Promise<Round | null> {
  const database = await createTestDatabase()
  if (database === null) return null
  try {
    await (await openStore({ url: database.url })).close()
    const ten = await byWorkers(database, 10)
    const one = await byWorkers(database, 1)
    return { ten, one, hand: await byHand(database) }
  } finally {
    await database.drop()
  }
}

async function byWorkers(database: TestDatabase, count: number): Promise<Taken> {
  await database.run('truncate job')
  for (let from = 0; from < JOBS; from += 10_000) {
    const rows = Array.from({ length: 10_000 }, (_, n) => {
      const id = randomUUID()
      return `(${bucketOf(id)}, '${id}', 'sync', 'calls', '', '', ${from + n}, null, ${n % 2}, '', 0, 0, 0)`
    })
    await database.run(`insert into job values ${rows.join(', ')}`)
  }
  await database.run('vacuum analyze job')
  const times: number[] = []
  let [left, lost] = [JOBS, 0]
  async function takeAll(): Promise<void> {
    const ownerId = randomUUID()
    await using store = await openWorker(database)
    const { jobs, leases } = store
    const share = new BucketShare({ jobs, leases, clock, ownerId, leaseMs: 30_000, pollMs: 1_000 })
    while (left > 0) {
      await share.look(false)
      const bucket = share.next()
      if (bucket === null) {
        await clock.sleep(Math.min(50, share.pauseMs(false)))
        continue
      }
      const wanted = { bucket, kinds: ['sync'], ownerId, ttlMs: 30_000, limit: AT_ONCE }
      const started = performance.now()
      const found = await jobs.take(wanted)
      times.push(performance.now() - started)
      left -= found.length
      const last = found.at(-1)
      if (last !== undefined && found.length === AT_ONCE) share.tookFrom(bucket, last.priority)
      else {
        const ms = await jobs.nextDue(wanted)
        if (ms !== null && ms <= 0) lost += AT_ONCE - found.length
        share.emptied(bucket, ms)
      }
      await store.end(bucket, found)
    }
    await share.leave()
  }
  await Promise.all(Array.from({ length: count }, takeAll))
  return { ms: spreadOf(times).median, lostPercent: (100 * lost) / (JOBS + lost) }
}

const clock = createSystemClock()

/** A process's own connections, and the end of jobs in one statement: what is measured is taking them. */
async function openWorker({ url }: TestDatabase) {
  const store = await openStore({ url, poolSize: 1 })
  return {
    ...store,
    async end(bucket: number, jobs: readonly TakenJob[]): Promise<void> {
      const ids = jobs.map(({ instanceId }) => instanceId)
      if (ids.length === 0) return
      await databaseOf(store)
        .db.deleteFrom('job')
        .where('bucket', '=', bucket)
        .where('instanceId', 'in', ids)
        .execute()
    },
    [Symbol.asyncDispose]: () => store.close(),
  }
}

/** Milliseconds of the median take: what is due longest, without priorities, buckets and fences. */
async function byHand(database: TestDatabase): Promise<number> {
  await database.run(`create table by_hand as
    select n as id, n::bigint as due_at, 0::bigint as held_until from generate_series(1, ${JOBS}) as n`)
  await database.run('create unique index on by_hand (id)')
  await database.run('create index on by_hand (due_at)')
  await database.run('vacuum analyze by_hand')
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const times: number[] = []
  try {
    for (let left = JOBS; left > 0; left -= AT_ONCE) {
      const started = performance.now()
      const { rows } = await client.query<{ readonly id: number }>(
        `update by_hand set held_until = $1 where due_at in (select due_at from by_hand
          where due_at <= $2 and held_until <= $2 order by due_at limit $3 for update skip locked) returning id`,
        [JOBS + 30_000, JOBS, AT_ONCE],
      )
      times.push(performance.now() - started)
      await client.query('delete from by_hand where id = any($1)', [rows.map(({ id }) => id)])
    }
  } finally {
    await client.end()
  }
  return spreadOf(times).median
}
