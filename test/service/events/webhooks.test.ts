// Events and webhooks over HTTP: a service, and receivers on loopback.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { principalOf } from '../../../src/hosting/host-principal.ts'
import { createEmit } from '../../../src/service/events/emit.ts'
import { requireWhole } from '../../../src/service/tokens/principal.ts'
import { verifyWebhook } from '../../../src/client/webhooks/verify-webhook.ts'
import type { WebhookEvent } from '../../../src/client/webhooks/event.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'
import { webhookReceiver as receive } from '../../fixtures/webhook-receiver.ts'

let world: RunningService

beforeAll(async () => {
  world = await runService({ jobs: true })
})
afterAll(() => world[Symbol.asyncDispose]())

interface Webhook {
  readonly id: string
  readonly secret: string
}

/** An instance of which nothing happens by itself. */
async function connect(type: string): Promise<string> {
  return await world.connect(type, { sync: { enabled: false } })
}

async function make(wish: object): Promise<Webhook> {
  const answer = await world.call('POST', '/v1/webhooks', wish)
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body as Webhook
}

interface Page {
  readonly data: readonly (WebhookEvent & { readonly data: { readonly id: string } })[]
  readonly meta: { readonly has_more: boolean; readonly next_cursor: string }
}

async function events(query: string): Promise<Page> {
  const answer = await world.call('GET', `/v1/events${query}`)
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body as Page
}

/** The place after all there is. */
async function end(): Promise<string> {
  let page = await events('?limit=200')
  while (page.meta.has_more) page = await events(`?limit=200&cursor=${page.meta.next_cursor}`)
  return page.meta.next_cursor
}

const ONE = (id: string): string => `/v1/integrations/connectors/${id}`

describe('pulling', () => {
  test('E1 the life of an instance, in order, page by page, without its credentials', async () => {
    const start = await end()
    expect(await events(`?cursor=${start}`)).toEqual({
      data: [],
      meta: { has_more: false, next_cursor: expect.any(String) },
    })
    const id = await connect('gong')
    await world.call('PATCH', ONE(id), { name: 'renamed' })
    await world.call('DELETE', ONE(id))
    const read: Page['data'][number][] = []
    let cursor = start
    for (let more = true; more;) {
      const page = await events(`?limit=2&cursor=${cursor}`)
      read.push(...page.data)
      cursor = page.meta.next_cursor
      more = page.meta.has_more
    }
    expect(read.map(({ type, data }) => [type, data.id, data['state'], data['name']])).toEqual([
      ['connector.created', id, 'pending', 'gong'],
      ['connector.updated', id, 'active', 'gong'],
      ['connector.updated', id, 'active', 'renamed'],
      ['connector.deleted', id, 'active', 'renamed'],
    ])
    expect(Object.keys(read[0] ?? {})).toEqual(['id', 'type', 'timestamp', 'data'])
    const { credentials } = world.vendor('gong').options()
    for (const secret of Object.values(credentials ?? {}))
      expect(JSON.stringify(read)).not.toContain(String(secret))
    expect(await events(`?cursor=${cursor}`)).toMatchObject({ data: [] })
  })

  test('credentials that are refused at creation leave created and deleted', async () => {
    const start = await end()
    const body = { external_user_id: 'u', connector_type: 'gong', name: 'n' }
    const credentials = { access_key: 'wrong', access_key_secret: 'wrong' }
    const answer = await world.call('POST', '/v1/integrations/connectors', { ...body, credentials })
    expect(answer.status).toBe(424)
    const { data } = await events(`?cursor=${start}`)
    expect(data.map(({ type }) => type)).toEqual(['connector.created', 'connector.deleted'])
  })

  test('credentials that are refused later, and new ones: auth_error, then reauthorized', async () => {
    const id = await connect('gong')
    const { store } = world.service
    const reason = { code: 'credentials_refused', detail: '', since: 0, upstreamStatus: 401 }
    await store.instances.setState(id, { from: ['active'], to: 'auth_error', reason })
    const start = await end()
    const wrong = { credentials: { access_key: 'wrong', access_key_secret: 'wrong' } }
    expect((await world.call('PATCH', ONE(id), wrong)).status).toBe(424)
    const { credentials } = world.vendor('gong').options()
    expect((await world.call('PATCH', ONE(id), { credentials })).status).toBe(200)
    const { data } = await events(`?cursor=${start}`)
    expect(data.map(({ type, data }) => [type, data['state']])).toEqual([
      ['connector.updated', 'pending'],
      ['connector.auth_error', 'auth_error'],
      ['connector.updated', 'pending'],
      ['connector.reauthorized', 'active'],
    ])
  })

  test('a sync tells of its first load, of a failure once, and of what it changed', async () => {
    const start = await end()
    const vendor = world.vendor('gong')
    const others = world.service.catalogue
      .get('gong')
      .entities.filter(({ name, sync }) => sync !== null && name !== 'users')
      .map(({ name }) => name)
    const sync = {
      entities: Object.fromEntries(others.map((name) => [name, { enabled: false }])),
    }
    const id = await world.connect('gong', { sync })
    const told = async (): Promise<readonly (readonly unknown[])[]> =>
      (await events(`?cursor=${start}&limit=200`)).data
        .filter(({ type }) => !type.startsWith('connector.'))
        .map(({ type, data }) => [type, data])
    const about = { connector_id: id, external_user_id: 'user-1', connector_type: 'gong' }
    const run_id = expect.any(String) as string
    const changed = expect.any(Number) as number
    await expect.poll(told).toEqual([
      ['sync.completed', { ...about, entity: 'users', run_id, runs: ['initial'], changed }],
      ['records.changed', { ...about, entity: 'users', run_id, changed, since: null }],
    ])
    vendor.fail('users.list', { mode: 'status', status: 404, times: 100 })
    await world.call('POST', `${ONE(id)}/sync`, {})
    await expect
      .poll(async () => (await told()).slice(2))
      .toEqual([
        [
          'sync.failed',
          { ...about, entity: 'users', code: expect.any(String), detail: expect.any(String) },
        ],
      ])
    await world.call('DELETE', ONE(id))
  })

  test.for(['x', 'ZTEuOTk5OTk5OTk', Buffer.from('e1.-1').toString('base64url')])(
    'a cursor that is none is refused: %s',
    async (cursor) => {
      const answer = await world.call('GET', `/v1/events?cursor=${cursor}`)
      expect([answer.status, answer.body]).toEqual([
        400,
        expect.objectContaining({ code: 'cursor_invalid' }),
      ])
    },
  )

  test('whoever was away until events were removed is told so', async () => {
    await connect('gong')
    const { next_cursor: old } = (await events('?limit=1')).meta
    await connect('gong')
    const { store } = world.service
    expect(await store.events.purgeBefore(Date.now() + 60_000)).toBeGreaterThan(1)
    const answer = await world.call('GET', `/v1/events?cursor=${old}`)
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.objectContaining({ code: 'cursor_invalid' }),
    ])
    const { data, meta } = await events('')
    expect(data).toEqual([])
    await connect('gong')
    expect((await events(`?cursor=${meta.next_cursor}`)).data[0]?.type).toBe('connector.created')
  })
})

describe('webhooks', () => {
  test('E1 what happens arrives within seconds, signed with the secret that was shown once', async () => {
    await using receiver = await receive()
    const { id: webhook, secret } = await make({
      url: receiver.url,
      event_types: ['connector.created', 'connector.deleted', 'sync.completed'],
    })
    const id = await connect('jira')
    await world.call('DELETE', ONE(id))
    const instance = {
      id,
      organizationId: 'default',
      externalUserId: 'user-1',
      connectorType: 'jira',
    }
    await createEmit(world.service.store)(instance, 'sync.completed', { entity: 'issues' })
    await expect.poll(() => receiver.got).toHaveLength(3)
    const verified = receiver.got.map(({ headers, body }) => verifyWebhook(headers, body, secret))
    const pulled = (await events('?limit=200')).data.slice(-4)
    // In whatever order they came.
    expect(new Set(verified.map((event) => JSON.stringify(event)))).toEqual(
      new Set(
        pulled
          .filter(({ type }) => type !== 'connector.updated')
          .map((event) => JSON.stringify(event)),
      ),
    )
    const { id: _, ...sent } = pulled.at(-1) ?? { id: '' }
    const shown = async (): Promise<unknown> =>
      (await world.call('GET', `/v1/webhooks/${webhook}/deliveries?limit=2`)).body
    await expect.poll(shown).toEqual({
      data: [
        {
          event_id: pulled.at(-1)?.id,
          type: 'sync.completed',
          state: 'delivered',
          attempts: 1,
          next_attempt_at: null,
          last_attempt_at: expect.any(String),
          last_status: 200,
          last_error: null,
          body: sent,
        },
        expect.objectContaining({ type: 'connector.deleted', state: 'delivered' }),
      ],
      meta: { has_more: true, next_cursor: expect.any(String) },
    })
    const { next_cursor: cursor } = ((await shown()) as Page).meta
    const rest = await world.call('GET', `/v1/webhooks/${webhook}/deliveries?cursor=${cursor}`)
    expect(rest.body).toMatchObject({
      data: [{ type: 'connector.created' }],
      meta: { has_more: false, next_cursor: null },
    })
    await world.call('DELETE', `/v1/webhooks/${webhook}`)
  })

  test('one is made, shown, changed, rotated and deleted; its secret is in no other answer', async () => {
    const made = await world.call('POST', '/v1/webhooks', { url: 'https://app.example.com/hooks' })
    const { id, secret, ...view } = made.body as Webhook & Record<string, unknown>
    expect([made.status, made.headers.get('location')]).toEqual([
      201,
      `${world.url}/v1/webhooks/${id}`,
    ])
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
    expect(view).toEqual({
      url: 'https://app.example.com/hooks',
      description: '',
      event_types: null,
      enabled: true,
      disabled_reason: null,
      previous_secret_ends_at: null,
      created_at: expect.any(String),
      updated_at: view['created_at'],
    })
    const path = `/v1/webhooks/${id}`
    expect((await world.call('GET', path)).body).toEqual({ id, ...view })
    const change = { description: 'd', event_types: ['sync.failed'], enabled: false }
    const changed = await world.call('PATCH', path, change)
    expect(changed.body).toMatchObject({ ...change, disabled_reason: 'by_hand' })
    expect(
      (await world.call('PATCH', path, { enabled: true, event_types: null })).body,
    ).toMatchObject({ enabled: true, disabled_reason: null, event_types: null, description: 'd' })
    const rotated = await world.call('POST', `${path}/rotate-secret`)
    const { secret: next, ...after } = rotated.body as { secret: string } & Record<string, unknown>
    expect(next).not.toBe(secret)
    const endsIn = Date.parse(String(after['previous_secret_ends_at'])) - Date.now()
    expect(Math.abs(endsIn - 86_400_000)).toBeLessThan(10_000)
    const leaked = await world.call('POST', `${path}/rotate-secret`, { keep_seconds: 0 })
    expect(leaked.body).toMatchObject({ previous_secret_ends_at: null })
    const list = await world.call('GET', '/v1/webhooks')
    expect((list.body as { data: Webhook[] }).data.map((each) => each.id)).toEqual([id])
    expect(list.text).not.toContain('whsec_')
    expect((await world.call('DELETE', path)).status).toBe(204)
    expect((await world.call('GET', path)).body).toMatchObject({ code: 'webhook_unknown' })
    const { store } = world.service
    const audit = await store.audit.list({ organizationId: 'default' }, { limit: 6 })
    expect(audit.toReversed().map(({ action, members }) => [action, members])).toEqual([
      ['webhook.create', ['url']],
      ['webhook.update', ['description', 'event_types', 'enabled']],
      ['webhook.update', ['enabled', 'event_types']],
      ['webhook.rotate_secret', ['secret']],
      ['webhook.rotate_secret', ['secret']],
      ['webhook.delete', []],
    ])
    const lines = JSON.stringify(world.lines)
    for (const each of [secret, next]) expect(lines).not.toContain(each)
  })

  test('a test tells what the receiver answers', async () => {
    await using receiver = await receive()
    const { id, secret } = await make({ url: receiver.url })
    const path = `/v1/webhooks/${id}/test`
    receiver.status = 418
    expect((await world.call('POST', path)).body).toEqual({
      delivered: false,
      status: 418,
      error: null,
      took_ms: expect.any(Number),
    })
    receiver.status = 200
    expect((await world.call('POST', path)).body).toMatchObject({ delivered: true, status: 200 })
    const { headers, body } = receiver.got.at(-1) ?? { headers: {}, body: '' }
    expect(verifyWebhook(headers, body, secret).type).toBe('webhook.test')
    await world.call('DELETE', `/v1/webhooks/${id}`)
  })

  test('redelivery of one event, to one webhook or all', async () => {
    await using receiver = await receive()
    const start = await end()
    await connect('gong')
    const [event] = (await events(`?cursor=${start}`)).data
    const { id, secret } = await make({ url: receiver.url })
    const path = `/v1/events/${event?.id}/redeliver`
    const first = await world.call('POST', path, { webhook_id: id })
    expect([first.status, first.body]).toEqual([202, { event_id: event?.id, webhooks: 1 }])
    await expect.poll(() => receiver.got).toHaveLength(1)
    await expect
      .poll(async () => (await world.call('GET', `/v1/webhooks/${id}/deliveries`)).body)
      .toMatchObject({ data: [{ state: 'delivered' }] })
    expect((await world.call('POST', path)).body).toMatchObject({ webhooks: 1 })
    await expect.poll(() => receiver.got).toHaveLength(2)
    expect(receiver.got.map(({ headers, body }) => verifyWebhook(headers, body, secret))).toEqual([
      event,
      event,
    ])
    await world.call('DELETE', `/v1/webhooks/${id}`)
  })

  test('an organisation has twenty at most', async () => {
    const made: string[] = []
    for (let i = 0; i < 20; i++)
      made.push((await make({ url: 'https://app.example.com/hooks' })).id)
    const more = await world.call('POST', '/v1/webhooks', { url: 'https://app.example.com/hooks' })
    expect([more.status, more.body]).toEqual([
      400,
      expect.objectContaining({ code: 'request_malformed' }),
    ])
    for (const id of made) await world.call('DELETE', `/v1/webhooks/${id}`)
  })

  test.for([
    { body: {}, pointer: '/url' },
    { body: { url: 'https://a.example', types: [] }, pointer: '/types' },
    {
      body: { url: 'https://a.example', event_types: ['connector.create'] },
      pointer: '/event_types/0',
    },
    { body: { url: 'https://a.example', event_types: [] }, pointer: '/event_types' },
  ])('a wrong body is refused: $body', async ({ body, pointer }) => {
    const answer = await world.call('POST', '/v1/webhooks', body)
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.objectContaining({
        code: 'request_malformed',
        errors: [expect.objectContaining({ pointer })],
      }),
    ])
  })

  test('who sees only a part of an organisation has no access to its webhooks', () => {
    const whole = { organizationId: 'acme' }
    expect(() => requireWhole(principalOf(whole))).not.toThrow()
    for (const part of [
      { externalUserId: 'u' },
      { connectorTypes: ['gong'] },
      { connectorIds: ['i'] },
    ])
      expect(() => requireWhole(principalOf({ ...whole, ...part }))).toThrow(
        expect.objectContaining({ code: 'scope_denied' }) as Error,
      )
  })
})

describe('E1 in production events leave for public https addresses only', () => {
  let production: RunningService
  beforeAll(async () => {
    production = await runService({
      mode: 'production',
      webhookAllowHosts: ['hooks.internal:8443'],
    })
  })
  afterAll(() => production[Symbol.asyncDispose]())

  test.for([
    'http://app.example.com/hooks',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://10.1.2.3/',
    'https://169.254.169.254/latest/meta-data',
    'https://app.example.com:8443/',
    'https://user:password@app.example.com/',
    'https://app.example.com/#fragment',
    'ftp://app.example.com/',
    'no url',
  ])('%s is refused, when it is made and when it is changed', async (url) => {
    const made = await production.call('POST', '/v1/webhooks', { url })
    expect([made.status, made.body]).toEqual([
      400,
      expect.objectContaining({ code: 'destination_refused' }),
    ])
    const good = await production.call('POST', '/v1/webhooks', {
      url: 'https://hooks.internal:8443/',
    })
    const { id } = good.body as Webhook
    const changed = await production.call('PATCH', `/v1/webhooks/${id}`, { url })
    expect(changed.body).toMatchObject({ code: 'destination_refused' })
    await production.call('DELETE', `/v1/webhooks/${id}`)
  })

  test('a refusal names the setting that would allow the host', async () => {
    const made = await production.call('POST', '/v1/webhooks', { url: 'https://10.1.2.3/' })
    expect(made.body).toMatchObject({
      detail:
        '10.1.2.3 is not a public address; calls go to public https addresses only, unless the host is named in TENON_WEBHOOK_ALLOW_HOSTS',
    })
  })

  test('a name that leads to a private address is refused when something is sent', async () => {
    const made = await production.call('POST', '/v1/webhooks', { url: 'https://localhost/hooks' })
    const { id } = made.body as Webhook
    const tried = await production.call('POST', `/v1/webhooks/${id}/test`)
    expect(tried.body).toMatchObject({
      delivered: false,
      status: null,
      error: 'destination_refused',
    })
  })
})
