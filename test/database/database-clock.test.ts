// Statements carry the time of the database as a parameter; whatever clock their process has, it is the database's.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabaseClock, DatabaseTime } from '../../src/database/database-clock.ts'
import { openPostgresSearchIndex } from '../../src/copy/postgres/postgres-search-index.ts'
import { openStore } from '../../src/service/store/open/open-store.ts'
import type { CopyId, SearchIndex } from '../../src/copy/search/search-index.ts'
import type { Store } from '../../src/service/store/store.ts'
import { storedInstance } from '../contracts/store/rows.ts'
import { createTestDatabase } from '../fixtures/postgres.ts'
import { makeLayout } from '../copy/search/make-layout.ts'
import type { Task } from './wrong-clock-process.ts'

/** A process and a database in one story: both clocks are set by hand, and a round trip takes its time on both. */
function story(roundTripMs = 2) {
  const state = { monotonic: 0, wall: 5_000, database: 1_000_000, asked: 0 }
  function pass(ms: number): void {
    state.monotonic += ms
    state.wall += ms
    state.database += ms
  }
  const connection = () => ({
    query: () => {
      state.asked++
      pass(roundTripMs / 2)
      const rows = [{ now: String(state.database) }]
      pass(roundTripMs / 2)
      return Promise.resolve({ rows })
    },
  })
  const clock = createDatabaseClock({
    monotonic: () => state.monotonic,
    wall: () => state.wall,
  })
  const read = async (on: ReturnType<typeof connection>): Promise<unknown> =>
    (await clock.fill(on, [new DatabaseTime()]))[0]
  return { state, pass, connection, clock, read }
}

describe('the clock of a database', () => {
  test('fills in one moment for all times of a statement, and leaves the other values alone', async () => {
    const { connection, clock } = story()
    const on = connection()
    expect(clock.fill(on, ['a', 1, null])).toEqual(['a', 1, null])
    expect(await clock.fill(on, ['a', new DatabaseTime(), new DatabaseTime(-60_000)])).toEqual([
      'a',
      1_000_002,
      940_002,
    ])
  })

  // A correction goes as far as it must: to one end of a round trip of two milliseconds.
  test.for([
    { name: 'a time that passes', change: {}, asked: 1, reckoned: 1_030_002 },
    {
      name: 'a clock of this process that is set by an hour',
      change: { wall: 3_600_000 },
      asked: 2,
      reckoned: 1_030_004,
    },
    {
      name: 'a process that slept for an hour',
      change: { wall: 3_600_000, database: 3_600_000 },
      asked: 2,
      reckoned: 4_630_003,
    },
    {
      name: 'a clock of the database that is set back by an hour, within a minute',
      change: { database: -3_600_000, monotonic: 60_000, wall: 60_000 },
      asked: 2,
      reckoned: -2_569_995,
    },
  ])('$name', async ({ change, asked, reckoned }) => {
    const { state, pass, connection, read } = story()
    const on = connection()
    expect(await read(on)).toBe(1_000_002)
    pass(30_000)
    state.monotonic += change.monotonic ?? 0
    state.wall += change.wall ?? 0
    state.database += change.database ?? 0
    expect(await read(on)).toBe(reckoned)
    expect(state.asked).toBe(asked)
  })

  test('connections agree: what one wrote as now is over for the next one', async () => {
    const { state, connection, read } = story()
    const first = await read(connection())
    // Its answer is late, or its question: the time may be off by half of it, and is not believed.
    state.database -= 1
    const second = await read(connection())
    expect(second).toBeGreaterThanOrEqual(first as number)
  })

  test('a slow round trip is repeated, and a quick one corrects it', async () => {
    const { state, connection, read } = story(100)
    await read(connection())
    expect(state.asked).toBe(3)
  })
})

const database = await createTestDatabase()

describe.skipIf(database === null)('a process whose clock is an hour off', () => {
  const url = database?.url ?? ''
  let store: Store
  let index: SearchIndex
  beforeAll(async () => {
    store = await openStore({ url })
    index = await openPostgresSearchIndex({ url })
  })
  afterAll(async () => {
    await index.close()
    await store.close()
    await database?.drop()
  })

  async function newLeases(): Promise<Pick<Task, 'instanceId' | 'copy'>> {
    const { id } = await storedInstance(store)
    const layout = makeLayout({ fields: { id: 'string' } })
    const { instanceId, entity, epoch } = await index.prepare(
      { instanceId: id, entity: 'things' },
      layout,
    )
    return { instanceId, copy: { instanceId, entity, epoch } }
  }

  async function acquire(task: Task): Promise<{
    readonly now: number
    readonly store: { readonly fence: number } | null
    readonly copy: number | null
  }> {
    const program = fileURLToPath(new URL('./wrong-clock-process.ts', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(task)])
    return JSON.parse(stdout) as Awaited<ReturnType<typeof acquire>>
  }

  const take = async (instanceId: string, copy: CopyId): Promise<readonly unknown[]> => [
    await store.leases.acquire(instanceId, 'refresh', 'right clock', 60_000),
    await index.takeLease(copy, 'right clock', 60_000),
  ]

  test.for([
    { name: 'ahead', offMs: 3_600_000 },
    { name: 'behind', offMs: -3_600_000 },
  ])(
    '$name: its leases last as long as all others, and it takes none that others have',
    async ({ offMs }) => {
      const its = await newLeases()
      const got = await acquire({ url, offMs, ...its })
      expect(Math.abs(got.now - Date.now())).toBeGreaterThan(3_000_000)
      expect(got).toMatchObject({ store: { fence: 1 }, copy: 1 })
      expect(await take(its.instanceId, its.copy)).toEqual([null, null])
      const left = 'floor(extract(epoch from now()) * 1000)::bigint'
      const [row] =
        (await database?.run(
          `select held_until - ${left} as refresh, lease_until - ${left} as copy from lease join replica_scope using (instance_id) where instance_id = '${its.instanceId}'`,
        )) ?? []
      for (const ms of [Number(row?.['refresh']), Number(row?.['copy'])]) {
        expect(ms).toBeGreaterThan(0)
        expect(ms).toBeLessThan(120_000)
      }

      const ours = await newLeases()
      expect(await take(ours.instanceId, ours.copy)).toEqual([{ fence: 1 }, 1])
      expect(await acquire({ url, offMs, ...ours })).toMatchObject({ store: null, copy: null })

      for (const statement of [
        `update lease set held_until = ${left} - 1000`,
        `update replica_scope set lease_until = ${left} - 1000`,
      ])
        await database?.run(`${statement} where instance_id = '${ours.instanceId}'`)
      expect(await acquire({ url, offMs, ...ours })).toMatchObject({ store: { fence: 2 }, copy: 2 })
    },
  )
})
