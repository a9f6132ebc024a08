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
