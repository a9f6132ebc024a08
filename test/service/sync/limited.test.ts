// A third party that asks for a longer wait with 429: what met it says so, nothing is sent until then, and nothing else fails.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConsoleLastSync } from '../../../src/client/service-bodies.ts'
import { tenonHere } from '../../cli/run-here.ts'
import { eventually } from '../../faults/resources.ts'
import { signedIn } from '../../fixtures/console-session.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'
import { connectRead, copiesOf, syncPath } from './copies-of.ts'

let world: RunningService
beforeAll(async () => {
  world = await runService({ jobs: true })
})
afterAll(() => world[Symbol.asyncDispose]())

const isAhead = (moment: string | null): boolean => Date.parse(moment ?? '') > Date.now()

test('copies that were refused fail with it, the others wait, and all are read once it is over', async () => {
  const id = await connectRead(world, 'gong')
  const before = await copiesOf(world, id)
  world.vendor('gong').fail('users.list', { mode: 'rate-limited', retryAfter: 20, times: 1 })
  const first = await world.call(
    'POST',
    syncPath(id),
    { entities: ['users'] },
    { headers: { prefer: 'wait=60' } },
  )
  expect(first.body).toMatchObject({ data: [{ entity: 'users', state: 'failed' }] })
  const met = (await copiesOf(world, id)).find(({ entity }) => entity === 'users')
  expect(met).toMatchObject({
    state: 'error',
    failures: 1,
    last_error: { code: 'upstream_rate_limited', cause: null },
  })
  expect(isAhead(met?.limited_until ?? null)).toBe(true)
  expect(Date.parse(met?.next_run_at ?? '')).toBeGreaterThanOrEqual(
    Date.parse(met?.limited_until ?? ''),
  )
  const sent = world.vendor('gong').requests().length
  const asked = world.call('POST', syncPath(id), {}, { headers: { prefer: 'wait=60' } })
  // Each has its turn, for which nothing is sent.
  await eventually(async () =>
    (await copiesOf(world, id)).every(
      ({ limited_until: until, next_run_at: next }) => isAhead(until) && isAhead(next),
    ),
  )
  const told = await copiesOf(world, id)
  expect(told.map(({ entity, state, failures }) => [entity, state, failures])).toEqual(
    before.map(({ entity }) => (entity === 'users' ? [entity, 'error', 1] : [entity, 'ready', 0])),
  )
  expect(world.vendor('gong').requests().length).toBe(sent)
  // What is limited is told with what fails.
  const limited = before.flatMap(({ entity }) => (entity === 'users' ? [] : [entity]))
  const { name, value } = await signedIn(world)
  const query = `/console/api/v1/last-syncs?connector_ids=${id}`
  const headers = { cookie: `${name}=${value}`, 'x-tenon-console': '1' }
  const { body } = await world.call('GET', query, undefined, { as: null, headers })
  const [line] = (body as { readonly data: readonly ConsoleLastSync[] }).data
  expect(line?.failing.map(({ entity }) => entity)).toEqual(['users'])
  expect(line?.limited.map(({ entity }) => entity)).toEqual(limited)
  const env = { TENON_URL: world.url, TENON_TOKEN: world.token }
  const { out } = await tenonHere(['sync', 'status'], { env })
  expect(out).toMatch(/^ {2}users: .*upstream_rate_limited/m)
  expect(out.replaceAll(/\s+/g, ' ')).toContain(
    `${limited.join(', ')}: the third party limits how often it is asked, nothing is sent until `,
  )
  await asked
  await eventually(
    async () =>
      (await copiesOf(world, id)).every(
        ({ state, failures }) => state === 'ready' && failures === 0,
      ),
    60_000,
  )
}, 120_000)
