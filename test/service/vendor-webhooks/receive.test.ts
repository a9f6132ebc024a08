// A vendor's webhooks over HTTP: proved, matched to instances, brought into the copy, told to host apps, once.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { folderOf } from '../../cli/run-tenon.ts'
import { eventually } from '../../faults/resources.ts'
import { type CallAnswer, type RunningService, runService } from '../../fixtures/running-service.ts'
import { acmeText, signedHeaders } from './acme.ts'

const OPERATORS = 'the-operators-secret'
const BEFORE = 'what-the-operator-shared-before'
const OWN = 'the-secret-of-one-instance'

let world: RunningService
let first: string
let second: string
beforeAll(async () => {
  world = await runService({
    manifests: [join(folderOf({ 'acme.yaml': acmeText() }), 'acme.yaml')],
    connectors: ['acme'],
    webhookSecrets: { acme: { secret: [OPERATORS, BEFORE] } },
    jobs: true,
  })
  const { credentials } = world.vendor('acme').options()
  first = await world.connect('acme', { config: { account: 'A1' } })
  second = await world.connect('acme', {
    config: { account: 'A2' },
    credentials: { ...credentials, webhook_secret: OWN },
  })
  for (const id of [first, second]) await eventually(async () => (await titles(id)).length > 1)
})
afterAll(() => world[Symbol.asyncDispose]())

interface Delivered {
  readonly to?: string
  readonly secret?: string
  readonly atMs?: number
}

/** Sends a delivery as the vendor does. */
async function deliver(
  event: object | string,
  { to, secret, atMs }: Delivered = {},
): Promise<CallAnswer> {
  const body = typeof event === 'string' ? event : JSON.stringify(event)
  const path = `/v1/vendor-webhooks/acme${to === undefined ? '' : `/${to}`}`
  const headers = signedHeaders(body, secret ?? (to === undefined ? OPERATORS : OWN), atMs)
  return await world.call('POST', path, body, { as: null, headers })
}

async function titles(id: string): Promise<readonly (readonly [string, unknown])[]> {
  const { body } = await world.call('POST', `/api/v1/connectors/sources/${id}/execute`, {
    entity: 'things',
    action: 'search',
    params: { query: { filter: {} }, limit: 100 },
  })
  const { hits = [] } = body as {
    readonly hits?: readonly { readonly id: string; readonly data: Record<string, unknown> }[]
  }
  return hits.map(({ id: thing, data }) => [thing, data['title']] as const)
}

async function titleOf(id: string, thing: string): Promise<unknown> {
  return (await titles(id)).find(([each]) => each === thing)?.[1]
}

/** What host apps were told of an instance, but for what its syncs say. */
async function told(id: string): Promise<readonly Record<string, unknown>[]> {
  const { body } = await world.call('GET', '/v1/events?limit=200')
  const { data } = body as {
    readonly data: readonly { readonly type: string; readonly data: Record<string, unknown> }[]
  }
  return data
    .filter(({ type, data: about }) => type === 'vendor.event' && about['connector_id'] === id)
    .map(({ data: about }) => about)
}

/** Changes a thing at the vendor, past the service. */
async function changeAtVendor(thing: string, title: string): Promise<void> {
  const vendor = world.vendor('acme')
  const key = String(vendor.options().credentials['key'])
  const answer = await fetch(`${vendor.url}/things/${thing}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title }),
  })
  expect(answer.status).toBe(200)
}

const refused = (answer: CallAnswer) => [
  answer.status,
  (answer.body as { readonly code: string }).code,
]

describe('what an event means for the copy', () => {
  test('the record is read again, and is there when the vendor has its answer', async () => {
    const [thing = ''] = (await titles(first)).map(([id]) => id)
    await changeAtVendor(thing, 'changed at the vendor')
    const event = { id: 'e1', type: 'thing.changed', account: 'A1', thing: { id: thing } }
    expect((await deliver(event)).status).toBe(200)
    expect(await titleOf(first, thing)).toBe('changed at the vendor')
    expect(await told(first)).toEqual([
      {
        connector_id: first,
        external_user_id: 'user-1',
        connector_type: 'acme',
        vendor_event_id: 'e1',
        vendor_type: 'thing.changed',
        entity: 'things',
        payload: event,
      },
    ])
    expect(await told(second)).toEqual([])
  })

  test('the record is taken from the event, and an older form of it changes nothing', async () => {
    const [, thing = ''] = (await titles(second)).map(([id]) => id)
    const send = async (id: string, title: string, updated_at: string) =>
      await deliver(
        { id, type: 'thing.told', thing: { id: thing, title, updated_at } },
        { to: second },
      )
    expect((await send('t1', 'told', '2099-01-02T00:00:00Z')).status).toBe(200)
    expect(await titleOf(second, thing)).toBe('told')
    expect((await send('t2', 'late', '2099-01-01T00:00:00Z')).status).toBe(200)
    expect(await titleOf(second, thing)).toBe('told')
  })

  test('the record is gone', async () => {
    const all = await titles(second)
    const thing = all.at(-1)?.[0] ?? ''
    const event = { id: 'g1', type: 'thing.gone', thing: { id: thing } }
    expect((await deliver(event, { to: second })).status).toBe(200)
    expect(await titles(second)).toHaveLength(all.length - 1)
  })

  test('an event of a kind that the manifest does not know is told, with digits and without secrets', async () => {
    const body = `{"id":"k1","type":"other","n":12345678901234567890,"echo":"${OWN}"}`
    expect((await deliver(body, { to: second })).status).toBe(200)
    const [last] = (await told(second)).slice(-1)
    expect(last).toMatchObject({ vendor_type: 'other', entity: null })
    expect(JSON.stringify(last?.['payload'])).toContain('"echo":"[secret]"')
  })
})

describe('E2 repetitions', () => {
  test('are answered and not told again, also where they arrive at once', async () => {
    const event = { id: randomUUID(), type: 'other', account: 'A1' }
    const answers = await Promise.all(Array.from({ length: 5 }, () => deliver(event)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect((await deliver(event)).status).toBe(200)
    const same = (await told(first)).filter(({ vendor_event_id: id }) => id === event.id)
    expect(same).toHaveLength(1)
  })

  test('of another instance are no repetitions', async () => {
    const third = await world.connect('acme', { config: { account: 'A1' } })
    const event = { id: randomUUID(), type: 'other', account: 'A1' }
    await expect
      .poll(async () => {
        await deliver({ ...event, id: randomUUID() })
        return (await told(third)).length
      })
      .toBeGreaterThan(0)
    await deliver(event)
    const ids = await Promise.all(
      [first, third].map(async (id) => (await told(id)).map(({ vendor_event_id: each }) => each)),
    )
    for (const each of ids) expect(each).toContain(event.id)
  })
})

test('while there are two secrets of the operator, either proves a delivery, and neither is told', async () => {
  const sent = { type: 'other', account: 'A1', echo: `${OPERATORS} ${BEFORE}` }
  for (const secret of [OPERATORS, BEFORE])
    expect((await deliver({ ...sent, id: `two-${secret}` }, { secret })).status).toBe(200)
  const payloads = (await told(first)).map(({ payload }) => JSON.stringify(payload))
  expect(payloads.filter((text) => text.includes('"echo":"[secret]"'))).toHaveLength(2)
})

describe('E2 what is refused', () => {
  const event = { id: 'never', type: 'other', account: 'A1' }

  test('nobody learns from the answer which instances there are, or why', async () => {
    const answers = [
      await deliver(event, { secret: 'wrong' }),
      await deliver(event, { to: first, secret: 'wrong' }),
      await deliver(event, { to: randomUUID(), secret: 'wrong' }),
      await deliver(event, { to: 'no-uuid' }),
      await world.call('POST', '/v1/vendor-webhooks/none', event, { as: null }),
      await world.call('POST', `/v1/vendor-webhooks/none/${first}`, event, { as: null }),
      await world.call('GET', `/v1/vendor-webhooks/acme/${first}`, undefined, { as: null }),
    ]
    const bodies = answers.map(({ body }) => {
      const { request_id: _, instance: __, ...rest } = body as Record<string, unknown>
      return JSON.stringify(rest)
    })
    expect(new Set(bodies).size).toBe(1)
    expect(answers.map(refused)).toEqual(answers.map(() => [401, 'webhook_unverified']))
    // The operator is told why, now and then.
    const reasons = world.lines
      .filter(({ level }) => level === 'warn')
      .map(({ facts }) => facts['reason'])
    expect(new Set(reasons)).toContain('signature_wrong')
    expect(JSON.stringify(world.lines)).not.toContain(OPERATORS)
  })

  test('a delivery that was signed too long ago', async () => {
    const old = await deliver(event, { atMs: Date.now() - 301_000 })
    expect(refused(old)).toEqual([401, 'webhook_expired'])
  })

  test('a proved delivery for no instance, and one that cannot be read', async () => {
    expect(refused(await deliver({ ...event, account: 'A9' }))).toEqual([404, 'instance_unknown'])
    expect(refused(await deliver('no json'))).toEqual([400, 'request_malformed'])
  })

  test('a body beyond the bound, before it is looked at', async () => {
    const large = await deliver('x'.repeat(1024 ** 2 + 1))
    expect(refused(large)).toEqual([413, 'body_too_large'])
  })

  test('nothing of it was done', async () => {
    const ids = (await told(first)).map(({ vendor_event_id: id }) => id)
    expect(ids).not.toContain('never')
  })
})

test('a challenge is answered at both addresses', async () => {
  const ping = { type: 'ping', challenge: 'c-1' }
  for (const to of [undefined, second]) {
    const answer = await deliver(ping, to === undefined ? {} : { to })
    expect([answer.status, answer.text]).toEqual([200, 'c-1'])
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  }
})

test('an account that is connected to another one by its settings gets its webhooks from then on', async () => {
  const moved = await world.connect('acme', { config: { account: 'B1' } })
  const patched = await world.call('PATCH', `/v1/integrations/connectors/${moved}`, {
    config: { account: 'B2' },
  })
  expect(patched.status).toBe(200)
  await expect
    .poll(async () => (await deliver({ id: randomUUID(), type: 'other', account: 'B2' })).status)
    .toBe(200)
  expect(refused(await deliver({ id: 'b', type: 'other', account: 'B1' }))).toEqual([
    404,
    'instance_unknown',
  ])
  expect((await world.call('DELETE', `/v1/integrations/connectors/${moved}`)).status).toBe(204)
  expect(refused(await deliver({ id: 'c', type: 'other', account: 'B2' }))).toEqual([
    404,
    'instance_unknown',
  ])
})

test('the sandbox sends what the vendor would', async () => {
  const url = `${world.url}/v1/vendor-webhooks/acme`
  const event = { id: randomUUID(), type: 'other', account: 'A1' }
  const vendor = world.vendor('acme')
  const credentials = { key: 'k' }
  const sent = { url, event, credentials }
  expect(await vendor.webhook({ ...sent, secret: OPERATORS })).toEqual({ status: 200, text: '{}' })
  expect((await vendor.webhook({ ...sent, secret: 'another' })).status).toBe(401)
  const ids = (await told(first)).map(({ vendor_event_id: id }) => id)
  expect(ids).toContain(event.id)
})

test('a disabled instance says so', async () => {
  const { credentials } = world.vendor('acme').options()
  const off = await world.connect('acme', {
    config: { account: 'D1' },
    credentials: { ...credentials, webhook_secret: OWN },
  })
  await world.call('PATCH', `/v1/integrations/connectors/${off}`, { enabled: false })
  const answer = await deliver({ id: 'd', type: 'other' }, { to: off })
  expect(refused(answer)).toEqual([409, 'instance_disabled'])
})
