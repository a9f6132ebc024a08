// The copies of many instances in a line each, as the console's list shows them.
import { HELD_BACK } from '../../../src/copy/sync/run-record.ts'
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
      {
        connector_id: filling,
        account_state: 'active',
        state: 'initial',
        running: false,
        last_synced_at: null,
        copies: 5,
        paused: 0,
        failing: [],
        limited: [],
        furthest_behind: { entity: 'users', synced_at: null, late: false, interval_seconds: 3600 },
      },
      {
        connector_id: off,
        account_state: 'disabled',
        state: 'paused',
        running: false,
        last_synced_at: null,
        copies: 5,
        // Nobody has paused it: it stands still.
        paused: 0,
        failing: [],
        limited: [],
        furthest_behind: null,
      },
    ],
  })
})

test('copies that somebody has paused are counted', async () => {
  const [all, one] = [await world.connect('gong'), await world.connect('gong')]
  await world.call('PATCH', `/v1/integrations/connectors/${all}`, { sync: { enabled: false } })
  await world.call('PATCH', `/v1/integrations/connectors/${one}`, {
    sync: { entities: { calls: { enabled: false } } },
  })
  expect(await ask('GET', `/last-syncs?connector_ids=${all},${one}`)).toMatchObject({
    data: [
      { connector_id: all, state: 'paused', copies: 5, paused: 5 },
      { connector_id: one, state: 'initial', copies: 5, paused: 1 },
    ],
  })
})

const failure = { code: 'upstream_failed', detail: 'failed (status 500)', failures: 3 }

function put(instanceId: string, entity: string, at: string): Promise<void> {
  return world.service.store.syncFailures.put({
    instanceId,
    entity,
    ...failure,
    since: Date.parse(at),
    failedAt: Date.parse('2026-11-01T10:00:00Z'),
  })
}

test('copies that fail are told by instance, the last to begin first', async () => {
  const [older, newer] = [await world.connect('gong'), await world.connect('jira')]
  await put(older, 'calls', '2026-11-01T08:30:00Z')
  await put(older, 'users', '2026-11-01T08:00:00Z')
  await put(newer, 'issues', '2026-11-01T09:00:00Z')
  const about = { external_user_id: 'user-1', state: 'active' }
  const copy = (entity: string, time: string) => {
    const times = { since: `2026-11-01T${time}:00.000Z`, failed_at: '2026-11-01T10:00:00.000Z' }
    return { entity, ...failure, held: false, ...times }
  }
  const ofJira = {
    connector_id: newer,
    connector_type: 'jira',
    name: 'jira',
    created_at: expect.any(String),
    copies: [copy('issues', '09:00')],
    waiting: ['issue_comments', 'issue_worklogs'],
  }
  const ofGong = {
    connector_id: older,
    connector_type: 'gong',
    name: 'gong',
    created_at: expect.any(String),
    copies: [copy('users', '08:00'), copy('calls', '08:30')],
    waiting: [],
  }
  expect(await ask('GET', '/failing-syncs')).toEqual({
    data: [
      { ...ofJira, ...about },
      { ...ofGong, ...about },
    ],
    causes: [
      {
        connector_type: 'jira',
        code: failure.code,
        accounts: 1,
        users: 1,
        last_at: '2026-11-01T10:00:00.000Z',
        first: [ofJira],
      },
      {
        connector_type: 'gong',
        code: failure.code,
        accounts: 1,
        users: 1,
        last_at: '2026-11-01T10:00:00.000Z',
        first: [ofGong],
      },
    ],
    users: [
      {
        external_user_id: 'user-1',
        accounts: 2,
        last_at: '2026-11-01T10:00:00.000Z',
        first: [ofGong, ofJira],
      },
    ],
    in_two_ways: [],
    whole: true,
    counted: 2,
  })
})

test('many with one cause are counted, and hide no other one', async () => {
  for (let minute = 10; minute < 20; minute++)
    await put(
      await world.connect('gong', { external_user_id: `user-${minute}` }),
      'calls',
      `2026-11-01T09:${minute}:00Z`,
    )
  const needy = await world.connect('gong')
  await put(needy, 'calls', '2026-11-01T09:30:00Z')
  const reason = { code: 'credentials_refused', detail: 'refused', upstreamStatus: 401, since: 0 }
  const change = { from: ['active'], to: 'auth_error', reason } as const
  expect(await world.service.store.instances.setState(needy, change)).toBe('active')
  const told = (await ask('GET', '/failing-syncs')) as {
    readonly data: readonly { readonly connector_type: string }[]
  }
  expect(told.data.map(({ connector_type: type }) => type)).toEqual([
    ...Array.from({ length: 5 }, () => 'gong'),
    'jira',
  ])
  expect(told).toMatchObject({
    causes: [
      {
        connector_type: 'gong',
        accounts: 11,
        users: 11,
        first: Array.from({ length: 5 }, () => ({ name: 'gong' })),
      },
      { connector_type: 'jira', accounts: 1 },
    ],
    // What fails as it does for other users is no matter of one of them.
    users: [],
    // What fails for one user while another account of it is refused has one line for both.
    in_two_ways: [
      {
        external_user_id: 'user-1',
        connector_type: null,
        failing: 2,
        needs_reauthentication: 1,
        first: [{ name: 'jira' }, { name: 'gong', state: 'active' }, { state: 'auth_error' }],
      },
      { external_user_id: null, connector_type: 'gong', failing: 11, needs_reauthentication: 1 },
    ],
    // One that stands still does not fail.
    counted: 12,
  })
})

test('an account is told by what a call of its own met, however long another copy was held back', async () => {
  const user = { external_user_id: 'held-back' }
  const [one, other] = [await world.connect('gong', user), await world.connect('gong', user)]
  const met = 'Gong: users.list failed (status 500)'
  const { syncFailures } = world.service.store
  for (const [instanceId, entity, detail, at] of [
    [one, 'calls', HELD_BACK + met, '2026-11-01T08:00:00Z'],
    [one, 'users', 'Gong: users.list failed (status 403)', '2026-11-01T08:30:00Z'],
    [other, 'calls', HELD_BACK + met, '2026-11-01T09:00:00Z'],
  ] as const) {
    const since = Date.parse(at)
    const code = 'upstream_forbidden'
    await syncFailures.put({ ...failure, code, instanceId, entity, detail, since, failedAt: since })
  }
  const told = (await ask('GET', '/failing-syncs')) as {
    readonly data: readonly { readonly connector_id: string }[]
    readonly users: readonly { readonly external_user_id: string }[]
  }
  const { users } = told
  expect(users.find((each) => each.external_user_id === 'held-back')).toMatchObject({
    first: [
      { connector_id: one, copies: [{ entity: 'calls', held: true }, { entity: 'users' }] },
      { connector_id: other, copies: [{ detail: met, held: true }] },
    ],
  })
  expect(told.data.find(({ connector_id: id }) => id === one)).toMatchObject({
    copies: [
      { entity: 'calls', detail: met, held: true },
      { entity: 'users', held: false },
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
