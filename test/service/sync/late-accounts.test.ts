// Accounts with a copy that is late: the list finds those of which their own line tells it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bucketOf } from '../../../src/service/store/jobs.ts'
import { signedIn } from '../../fixtures/console-session.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'

const HOUR = 3_600_000
const COLLECTION = '/v1/integrations/connectors'

interface Case {
  readonly about: string
  readonly type?: 'gong' | 'github'
  /** Hours since their syncs were due; '': the plan, before which there are none. */
  readonly due: Readonly<Record<string, number>>
  readonly settings?: object
  readonly isHeld?: true
  readonly isLate: boolean
}

/** Users of Gong are read once an hour, where nothing else is said, and calls every 15 minutes. */
const CASES: readonly Case[] = [
  { about: 'due for less than its interval', due: { users: 0.5 }, isLate: false },
  { about: 'due for longer', due: { users: 1.5 }, isLate: true },
  { about: 'one of two', due: { users: 0.5, calls: 1.5 }, isLate: true },
  { about: 'not due', due: { users: -1 }, isLate: false },
  { about: 'being read', due: { users: 1.5 }, isHeld: true, isLate: false },
  { about: 'not planned', due: { '': 1.5 }, isLate: true },
  { about: 'to be planned', due: { '': 0.05 }, isLate: false },
  {
    about: 'with a shorter interval of the account',
    due: { users: 0.5 },
    settings: { sync: { interval_seconds: 600 } },
    isLate: true,
  },
  {
    about: 'with a longer interval of the entity',
    due: { users: 1.5 },
    settings: { sync: { entities: { users: { interval_seconds: 7_200 } } } },
    isLate: false,
  },
  {
    about: 'with a paused entity',
    due: { users: 1.5 },
    settings: { sync: { entities: { users: { enabled: false } } } },
    isLate: false,
  },
  {
    about: 'paused',
    due: { users: 1.5 },
    settings: { sync: { enabled: false } },
    isLate: false,
  },
  { about: 'disabled', due: { users: 1.5 }, settings: { enabled: false }, isLate: false },
  { about: 'of what no connector has', due: { nothing: 9 }, isLate: false },
  {
    about: 'read below another entity',
    type: 'github',
    due: { repositories: -1, issues: 99 },
    isLate: true,
  },
  {
    about: 'read below one that is paused',
    type: 'github',
    due: { repositories: 99, issues: 99 },
    settings: { sync: { entities: { repositories: { enabled: false } } } },
    isLate: false,
  },
]

let world: RunningService
const ids = new Map<string, string>()

beforeAll(async () => {
  world = await runService()
  const { jobs } = world.service.store
  for (const { about, type = 'gong', due, settings, isHeld } of CASES) {
    const instanceId = await world.connect(type, { external_user_id: 'late' })
    ids.set(about, instanceId)
    if (settings !== undefined) await world.call('PATCH', `${COLLECTION}/${instanceId}`, settings)
    await jobs.cancel(instanceId, ['plan', 'sync'])
    for (const [key, hours] of Object.entries(due)) {
      const kind = key === '' ? 'plan' : 'sync'
      await jobs.put({ instanceId, kind, key, delayMs: -hours * HOUR })
    }
    if (isHeld !== true) continue
    const bucket = bucketOf(instanceId)
    const wanted = { bucket, kinds: ['sync'], ownerId: 'me', ttlMs: HOUR, limit: 10 }
    for (const job of await jobs.take(wanted))
      if (job.instanceId !== instanceId) await jobs.giveBack(job)
  }
})
afterAll(() => world[Symbol.asyncDispose]())

test('accounts with a copy that is late are found and counted by the rule that tells it of each', async () => {
  const want = CASES.map(({ about, isLate }) => [about, isLate])
  const { body } = await world.call('GET', `${COLLECTION}?sync=late&counts=true&limit=200`)
  // As the schema of the route says.
  const { data, meta } = body as {
    readonly data: readonly { readonly id: string }[]
    readonly meta: { readonly total: number; readonly facets: { readonly sync: readonly object[] } }
  }
  const found = new Set(data.map(({ id }) => id))
  expect(CASES.map(({ about }) => [about, found.has(ids.get(about) ?? '')])).toEqual(want)
  const count = CASES.filter(({ isLate }) => isLate).length
  expect([meta.total, meta.facets.sync]).toEqual([count, [{ value: 'late', count }]])
  const own = await Promise.all(
    CASES.map(async ({ about }) => {
      const answer = await world.call('GET', `${COLLECTION}/${ids.get(about)}/sync`)
      // As the schema of the route says.
      const copies = (answer.body as { readonly data: readonly { readonly late: boolean }[] }).data
      return [about, copies.some(({ late }) => late)]
    }),
  )
  expect(own).toEqual(want)
  const { name, value } = await signedIn(world)
  const lines = await world.call(
    'GET',
    `/console/api/v1/last-syncs?connector_ids=${[...ids.values()].join(',')}`,
    undefined,
    { as: null, headers: { cookie: `${name}=${value}`, 'x-tenon-console': '1' } },
  )
  const told = new Map(
    // As the schema of the route says.
    (
      lines.body as {
        readonly data: readonly {
          readonly connector_id: string
          readonly furthest_behind: { readonly late: boolean } | null
        }[]
      }
    ).data.map((each) => [each.connector_id, each.furthest_behind?.late === true]),
  )
  expect(CASES.map(({ about }) => [about, told.get(ids.get(about) ?? '')])).toEqual(want)
})
