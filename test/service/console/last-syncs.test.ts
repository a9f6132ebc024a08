// The copies of many instances in a line each, as the console's list shows them.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningService, runService } from '../../fixtures/running-service.ts'

let world: RunningService
let cookie: string

beforeAll(async () => {
  world = await runService()
  const { clientId, clientSecret } = world.service.firstApplication ?? {}
  const answer = await world.call(
    'POST',
    '/console/api/v1/session',
    { client_id: clientId, client_secret: clientSecret },
    { as: null, headers: { 'x-tenon-console': '1' } },
  )
  cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
})
afterAll(() => world[Symbol.asyncDispose]())

async function ask(method: string, path: string, body?: unknown): Promise<unknown> {
  const headers = { cookie, 'x-tenon-console': '1' }
  return (await world.call(method, `/console/api/v1${path}`, body, { as: null, headers })).body
}

test('an instance that is read for the first time, one that is switched off, and none that is gone', async () => {
  const filling = await world.connect('gong')
  const off = await world.connect('gong')
  const gone = await world.connect('gong')
  await world.call('PATCH', `/v1/integrations/connectors/${off}`, { enabled: false })
  await world.call('DELETE', `/v1/integrations/connectors/${gone}`)
  expect(await ask('GET', `/last-syncs?connector_ids=${filling},${off},${gone}`)).toEqual({
    data: [
      { connector_id: filling, state: 'initial', running: false, last_synced_at: null },
      { connector_id: off, state: 'paused', running: false, last_synced_at: null },
    ],
  })
})

test('copies that fail are told by instance, the last to begin first', async () => {
  const [older, newer] = [await world.connect('gong'), await world.connect('jira')]
  const { syncFailures } = world.service.store
  const failure = { code: 'upstream_failed', detail: 'failed (status 500)', failures: 3 }
  const put = (instanceId: string, entity: string, at: string): Promise<void> =>
    syncFailures.put({
      instanceId,
      entity,
      ...failure,
      since: Date.parse(at),
      failedAt: Date.parse('2026-11-01T10:00:00Z'),
    })
  await put(older, 'calls', '2026-11-01T08:30:00Z')
  await put(older, 'users', '2026-11-01T08:00:00Z')
  await put(newer, 'issues', '2026-11-01T09:00:00Z')
  const about = { external_user_id: 'user-1', state: 'active' }
  const copy = (entity: string, time: string) => {
    const times = { since: `2026-11-01T${time}:00.000Z`, failed_at: '2026-11-01T10:00:00.000Z' }
    return { entity, ...failure, ...times }
  }
  expect(await ask('GET', '/failing-syncs')).toEqual({
    data: [
      {
        connector_id: newer,
        connector_type: 'jira',
        name: 'jira',
        ...about,
        copies: [copy('issues', '09:00')],
      },
      {
        connector_id: older,
        connector_type: 'gong',
        name: 'gong',
        ...about,
        copies: [copy('users', '08:00'), copy('calls', '08:30')],
      },
    ],
  })
})

test('instances of other organisations are not there', async () => {
  expect(
    await ask('GET', '/last-syncs?connector_ids=0199f3b2-0000-7000-8000-000000000000'),
  ).toEqual({ data: [] })
})

test('the console reaches webhooks and events, and mints no tokens', async () => {
  expect(await ask('GET', '/webhooks')).toEqual({ data: [] })
  expect(await ask('GET', '/events?limit=1')).toMatchObject({ data: [{}] })
  expect(
    await ask('POST', '/account/applications/scoped-token', { external_user_id: 'user-1' }),
  ).toMatchObject({ status: 404 })
})
