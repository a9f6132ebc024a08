// Subscriptions at a vendor, made and ended with an instance, over HTTP.
import { randomUUID } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSystemClock } from '../../../src/engine/adapters/system-clock.ts'
import { sandbox } from '../../../src/sandbox/open-sandbox.ts'
import { subscriptionOf } from '../../../src/service/vendor-webhooks/subscriptions.ts'
import { folderOf } from '../../cli/run-tenon.ts'
import { eventually } from '../../faults/resources.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'
import { SUBSCRIBE, subscribingText } from './acme.ts'

const DAY_MS = 86_400_000

async function serviceOf(subscribe: object = {}, more: object = {}): Promise<RunningService> {
  const path = join(folderOf({ 'acme.yaml': subscribingText(subscribe) }), 'acme.yaml')
  return await runService({ manifests: [path], connectors: ['acme'], jobs: true, ...more })
}

interface Shown {
  readonly url: string
  readonly subscription: {
    readonly state: string
    readonly problem: { readonly code: string; readonly detail: string } | null
    readonly expires_at: string | null
  } | null
}

async function shown(world: RunningService, id: string): Promise<Shown> {
  const path = `/v1/integrations/connectors/${id}/vendor-webhooks`
  return (await world.call('GET', path)).body as Shown
}

const stateOf = async (world: RunningService, id: string) =>
  (await shown(world, id)).subscription?.state

const requestsOf = (world: RunningService, operation: string) =>
  world.vendor('acme').requests(`webhooks.${operation}`).length

async function remove(world: RunningService, id: string): Promise<void> {
  expect((await world.call('DELETE', `/v1/integrations/connectors/${id}`)).status).toBe(204)
}

describe('the life of a subscription', () => {
  let world: RunningService
  let id: string
  beforeAll(async () => {
    world = await serviceOf()
    id = await world.connect('acme', { config: { account: 'A1' } })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('it is made behind the instance, of its address, and a delivery with its secret is proved', async () => {
    const vendor = world.vendor('acme')
    await expect.poll(() => stateOf(world, id), { timeout: 20_000 }).toBe('active')
    const url = `${world.url}/v1/vendor-webhooks/acme/${id}`
    expect((await shown(world, id)).url).toBe(url)
    const [one] = vendor.subscriptions()
    expect([vendor.subscriptions().length, one?.url]).toEqual([1, url])
    const event = { id: randomUUID(), type: 'thing.told', thing: { id: 't-1', title: 'told' } }
    await eventually(async () => (await titles(world, id)).size > 0)
    expect(await vendor.webhook({ event })).toEqual({ status: 200, text: '{}' })
    expect((await titles(world, id)).get('t-1')).toBe('told')
    const events = await world.call('GET', '/v1/events?limit=200')
    expect(events.text).not.toContain(one?.values.secret)
    expect(events.text).toContain('thing.told')
    expect(JSON.stringify(world.lines)).not.toContain(one?.values.secret)
  })

  test('other settings make it again, and settings that want none end it', async () => {
    const [before] = world.vendor('acme').subscriptions()
    const patch = async (account: string | null) => {
      const path = `/v1/integrations/connectors/${id}`
      expect((await world.call('PATCH', path, { config: { account } })).status).toBe(200)
    }
    await patch('A2')
    const current = () => world.vendor('acme').subscriptions()
    await expect
      .poll(() => current()[0]?.values['id'], { timeout: 20_000 })
      .not.toBe(before?.values['id'])
    await expect.poll(() => current().length).toBe(1)
    await patch(null)
    await expect.poll(() => stateOf(world, id), { timeout: 20_000 }).toBe('none')
    expect(current()).toEqual([])
    await patch('A1')
    await expect.poll(() => stateOf(world, id), { timeout: 20_000 }).toBe('active')
  })

  test('other credentials make it again, and the one of the former ones ends with them', async () => {
    const vendor = world.vendor('acme')
    const [before] = vendor.subscriptions()
    const { credentials } = vendor.options()
    const answer = await world.call('PATCH', `/v1/integrations/connectors/${id}`, { credentials })
    expect(answer.status).toBe(200)
    const ids = () => vendor.subscriptions().map(({ values }) => values['id'])
    await expect
      .poll(
        async () => [
          ids().length,
          ids().includes(before?.values['id'] ?? ''),
          await stateOf(world, id),
        ],
        { timeout: 20_000 },
      )
      .toEqual([1, false, 'active'])
  })

  test('it ends with the instance, before the credentials, and that is recorded', async () => {
    const owner = { organizationId: 'default' }
    await remove(world, id)
    expect(world.vendor('acme').subscriptions()).toEqual([])
    const told = await world.service.store.audit.list(owner, { instanceId: id, limit: 20 })
    const actions = told.map(({ action, outcome }) => `${action} ${outcome}`)
    expect(actions).toContain('instance.unsubscribe done')
    expect(await world.service.store.subscriptions.find(id)).toBeNull()
  })

  test('a vendor that hangs does not keep an instance from being deleted', async () => {
    const other = await world.connect('acme', { config: { account: 'A3' } })
    await expect.poll(() => stateOf(world, other), { timeout: 20_000 }).toBe('active')
    world.vendor('acme').fail('webhooks.delete', { mode: 'hang' })
    const before = performance.now()
    await remove(world, other)
    expect(performance.now() - before).toBeLessThan(15_000)
    const owner = { organizationId: 'default' }
    const told = await world.service.store.audit.list(owner, { instanceId: other, limit: 20 })
    expect(told.map(({ action, outcome }) => `${action} ${outcome}`)).toContain(
      'instance.unsubscribe upstream_timeout',
    )
  })
})

async function titles(world: RunningService, id: string): Promise<Map<string, unknown>> {
  const { body } = await world.call('POST', `/api/v1/connectors/sources/${id}/execute`, {
    entity: 'things',
    action: 'search',
    params: { query: { filter: {} }, limit: 100 },
  })
  const { hits = [] } = body as {
    readonly hits?: readonly { readonly id: string; readonly data: Record<string, unknown> }[]
  }
  return new Map(hits.map(({ id: thing, data }) => [thing, data['title']]))
}

describe('what goes wrong', () => {
  let world: RunningService
  beforeAll(async () => {
    world = await serviceOf()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('an answer that is lost leaves one subscription, whose secret is the known one', async () => {
    const vendor = world.vendor('acme')
    vendor.fail('webhooks.create', { mode: 'reset-after-apply' })
    const id = await world.connect('acme', { config: { account: 'B1' } })
    await expect.poll(() => stateOf(world, id), { timeout: 20_000 }).toBe('failed')
    expect(vendor.subscriptions()).toHaveLength(1)
    const problem = (await shown(world, id)).subscription?.problem
    expect(problem?.code).toBe('upstream_unreachable')
    // As the queue does in half a minute.
    await world.service.store.jobs.put({ kind: 'subscribe', instanceId: id, key: '' })
    await expect.poll(() => stateOf(world, id), { timeout: 20_000 }).toBe('active')
    expect(vendor.subscriptions()).toHaveLength(1)
    const event = { id: randomUUID(), type: 'other' }
    expect((await vendor.webhook({ event })).status).toBe(200)
    await remove(world, id)
  })

  test('an answer without what is to be stored is a failure that is told, and is tidied up', async () => {
    const vendor = world.vendor('acme')
    vendor.fail('webhooks.create', { mode: 'status', status: 200, body: '{"ok":true}' })
    const id = await world.connect('acme', { config: { account: 'B2' } })
    await expect.poll(() => stateOf(world, id), { timeout: 20_000 }).toBe('failed')
    expect((await shown(world, id)).subscription?.problem?.code).toBe('upstream_malformed')
    await remove(world, id)
    expect(vendor.subscriptions()).toEqual([])
  })

  test('a permission that is missing leaves the instance as it is', async () => {
    world.vendor('acme').fail('webhooks.create', { mode: 'status', status: 403 })
    const id = await world.connect('acme', { config: { account: 'B3' } })
    await expect.poll(() => stateOf(world, id), { timeout: 20_000 }).toBe('failed')
    expect((await shown(world, id)).subscription?.problem?.code).toBe('upstream_forbidden')
    const { body } = await world.call('GET', `/v1/integrations/connectors/${id}`)
    expect((body as { state: string }).state).toBe('active')
    await remove(world, id)
  })

  test('an instance whose settings want none has none', async () => {
    const id = await world.connect('acme', { config: {} })
    await expect
      .poll(
        async () =>
          (await world.service.store.jobs.list(id)).some(
            ({ kind, isHeld, attempts }) => kind === 'subscribe' && !isHeld && attempts === 0,
          ),
        { timeout: 20_000 },
      )
      .toBe(true)
    expect(await stateOf(world, id)).toBe('none')
    expect(requestsOf(world, 'create')).toBeGreaterThan(0)
  })
})

test('a subscription is renewed before it ends, and keeps its secret', async () => {
  let passedMs = 0
  const system = createSystemClock()
  const clock = { ...system, now: () => system.now() + passedMs }
  await using world = await serviceOf(
    { create: { ...SUBSCRIBE.create, expires: undefined, ttl: '3d' } },
    { clock },
  )
  const { store } = world.service
  const id = await world.connect('acme', { config: { account: 'C1' } })
  await expect.poll(async () => (await store.subscriptions.find(id))?.state).toBe('active')
  const endsAt = (await store.subscriptions.find(id))?.expiresAt ?? 0
  passedMs = 2.5 * DAY_MS
  await expect
    .poll(async () => {
      await store.jobs.put(subscriptionOf(id))
      return (await store.subscriptions.find(id))?.expiresAt ?? 0
    })
    .toBeGreaterThan(endsAt + 20 * DAY_MS)
  expect([requestsOf(world, 'create'), requestsOf(world, 'renew')]).toEqual([1, 1])
  // The vendor has it for longer than it was made for. What a delivery is signed with is the time of this machine.
  world.vendor('acme').advance(4 * DAY_MS)
  passedMs = 0
  expect((await world.vendor('acme').webhook({ event: { id: 'e', type: 'other' } })).status).toBe(
    200,
  )
})

describe('other processes', () => {
  const event = () => ({ id: randomUUID(), type: 'other' })

  test('one that follows a process which ended between the answer and its commit leaves one subscription', async () => {
    const manifest = subscribingText()
    const path = join(folderOf({ 'acme.yaml': manifest }), 'acme.yaml')
    const data = await mkdtemp(join(tmpdir(), 'tenon-subscriptions-'))
    await using vendor = await sandbox(path)
    const options = {
      manifests: [path],
      connectors: ['acme'],
      allowHosts: ['127.0.0.1'],
      jobs: true,
      data,
      shutdownMs: 0,
    }
    vendor.fail('webhooks.create', { mode: 'hang-after-apply' })
    const { credentials } = vendor.options()
    const first = await runService({ ...options, mode: 'dev' })
    const more = { credentials, config: { account: 'P1' }, server_url: vendor.url }
    const named = { external_user_id: 'user-1', connector_type: 'acme', name: 'acme' }
    const made = await first.call('POST', '/v1/integrations/connectors', { ...named, ...more })
    expect(made.status).toBe(201)
    const { id } = made.body as { readonly id: string }
    await eventually(() => vendor.subscriptions().length === 1)
    await first.service.store.subscriptions
      .find(id)
      .then((row) => expect(row?.state).toBe('making'))
    const [lost] = vendor.subscriptions()
    await first[Symbol.asyncDispose]()
    await using second = await runService({ ...options, mode: 'dev' })
    const state = async () => (await second.service.store.subscriptions.find(id))?.state
    await expect.poll(state, { timeout: 30_000 }).toBe('active')
    const [one] = vendor.subscriptions()
    expect([vendor.subscriptions().length, one?.values['id'] === lost?.values['id']]).toEqual([
      1,
      false,
    ])
    const url = `${second.url}/v1/vendor-webhooks/acme/${id}`
    expect(one?.url.endsWith(`/v1/vendor-webhooks/acme/${id}`)).toBe(true)
    const secret = one?.values.secret ?? ''
    expect((await vendor.webhook({ event: event(), url, secret })).status).toBe(200)
  })

  test('one that was overtaken ends what it made', async () => {
    await using world = await serviceOf()
    const vendor = world.vendor('acme')
    const { subscriptions } = world.service.store
    vendor.fail('webhooks.create', { mode: 'delay', delayMs: 1_000 })
    const id = await world.connect('acme', { config: { account: 'P2' } })
    await eventually(async () => (await subscriptions.find(id))?.state === 'making')
    const row = await subscriptions.find(id)
    if (row === null) throw new Error('nothing was stored before the request')
    // As another process does whose lease began when this one stood still.
    expect(await subscriptions.put({ ...row, state: 'failed', sealed: null }, row.version)).toBe(
      true,
    )
    await eventually(() => vendor.requests('webhooks.delete').length === 1)
    expect(vendor.subscriptions()).toEqual([])
  })
})

test('a service without a public address says so', async () => {
  const path = join(folderOf({ 'acme.yaml': subscribingText() }), 'acme.yaml')
  await using vendor = await sandbox(path)
  await using world = await runService({
    manifests: [path],
    connectors: ['acme'],
    jobs: true,
    mode: 'production',
    allowServerUrl: true,
    allowHosts: ['127.0.0.1'],
  })
  const { credentials } = vendor.options()
  const made = await world.call('POST', '/v1/integrations/connectors', {
    external_user_id: 'user-1',
    connector_type: 'acme',
    name: 'acme',
    credentials,
    config: { account: 'Q1' },
    server_url: vendor.url,
  })
  expect(made.status).toBe(201)
  const { id } = made.body as { readonly id: string }
  await expect.poll(() => stateOf(world, id), { timeout: 20_000 }).toBe('failed')
  const problem = (await shown(world, id)).subscription?.problem
  expect([problem?.code, problem?.detail.includes('TENON_PUBLIC_URL')]).toEqual([
    'config_invalid',
    true,
  ])
  expect(vendor.subscriptions()).toEqual([])
})
