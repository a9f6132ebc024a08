// Deliveries over a real store, by a clock that tests move; the receivers are scripted.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { readMasterKeys } from '../../../src/service/vault/keys/local-keys.ts'
import { openStore } from '../../../src/service/store/open/open-store.ts'
import { ConnectorError } from '../../../src/errors.ts'
import type { Transport } from '../../../src/engine/exchange/transport.ts'
import type { UpstreamRequest } from '../../../src/engine/request/upstream-request.ts'
import { Deliveries, type DeliveryPorts } from '../../../src/service/events/deliveries.ts'
import { createEmit } from '../../../src/service/events/emit.ts'
import { Webhooks, type NewSecret } from '../../../src/service/events/webhooks.ts'
import { SILENT_LOG } from '../../../src/service/log.ts'
import { Records } from '../../../src/service/records.ts'
import { principalOf } from '../../../src/hosting/host-principal.ts'
import type { EventRow } from '../../../src/service/store/events.ts'
import type { Store } from '../../../src/service/store/store.ts'
import type { DeliveryRow } from '../../../src/service/store/webhooks.ts'
import { Vault } from '../../../src/service/vault/vault.ts'
import { verifyWebhook } from '../../../src/client/webhooks/verify-webhook.ts'
import { storedInstance } from '../../contracts/store/rows.ts'
import { createTestClock, type TestClock } from '../../fixtures/test-clock.ts'
import { eventually } from '../../faults/resources.ts'

const ORGANIZATION = 'org-1'
const CALLER = { principal: principalOf({ organizationId: ORGANIZATION }), requestId: 'r' }

/** What a receiver does with a request: a status, or more. */
type Receiver = (
  request: UpstreamRequest,
  signal: AbortSignal | undefined,
) => number | Promise<{ readonly status: number; readonly headers?: Record<string, string> }>

interface World {
  readonly store: Store
  readonly clock: TestClock
  /** As many processes as are asked for. */
  process(): Deliveries
  /** What was sent, by host, in order. */
  readonly sent: UpstreamRequest[]
  readonly outcomes: string[]
  /** A webhook at a host of its own. */
  webhook(host: string, receiver: Receiver): Promise<NewSecret>
  event(): Promise<EventRow>
  rows(webhook: NewSecret): Promise<readonly DeliveryRow[]>
  rotate(webhook: NewSecret, keepSeconds: number): Promise<NewSecret>
  test(webhook: NewSecret): Promise<unknown>
}

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function open(random = 0.5): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-events-'))
  closers.push(() => rm(folder, { recursive: true }))
  const clock = createTestClock({ random })
  const store = await openStore({ folder }, { clock })
  closers.push(() => store.close())
  const vault = new Vault({
    provider: readMasterKeys(`k1:${Buffer.alloc(32, 1).toString('base64')}`),
    dataKeys: store.dataKeys,
    clock,
  })
  const receivers = new Map<string, Receiver>()
  const sent: UpstreamRequest[] = []
  const outcomes: string[] = []
  const transport: Transport = {
    async send(request, { signal } = {}) {
      sent.push(request)
      const { hostname } = new URL(request.url)
      const answer = await receivers.get(hostname)?.(request, signal)
      const { status = 500, headers = {} } =
        typeof answer === 'number' ? { status: answer } : (answer ?? {})
      return { status, headers, url: request.url, body: Buffer.alloc(0) }
    },
    stream: () => Promise.reject(new TypeError('nothing streams')),
    close: () => Promise.resolve(),
  }
  const ports: DeliveryPorts = {
    store,
    vault,
    clock,
    transport,
    log: SILENT_LOG,
    logs: { note: () => {} },
    observe: (outcome) => void outcomes.push(outcome),
  }
  const webhooks = new Webhooks({
    ...ports,
    records: new Records(clock, SILENT_LOG),
    admit: () => {},
  })
  const instance = await storedInstance(store, { organizationId: ORGANIZATION })
  const emit = createEmit(store)
  return {
    store,
    clock,
    sent,
    outcomes,
    process: () => new Deliveries(ports),
    async webhook(host, receiver) {
      receivers.set(host, receiver)
      return await webhooks.create(CALLER, { url: `https://${host}/hooks` })
    },
    async event() {
      await emit(instance, 'sync.completed', { entity: 'users', records: 3 })
      const { events } = await store.events.list(
        { organizationId: ORGANIZATION },
        { afterSeq: 0, limit: 1000 },
      )
      const last = events.at(-1)
      if (last === undefined) throw new TypeError('no event')
      return last
    },
    rows: ({ row }) =>
      store.webhooks.deliveries(
        { organizationId: ORGANIZATION, webhookId: row.id },
        { limit: 200 },
      ),
    rotate: ({ row }, keepSeconds) => webhooks.rotate(CALLER, row.id, keepSeconds),
    test: ({ row }) => webhooks.test({ ...CALLER, signal: new AbortController().signal }, row.id),
  }
}

async function round(deliveries: Deliveries): Promise<number> {
  const started = await deliveries.round()
  await deliveries.settled()
  return started
}

const verify = ({ headers, body }: UpstreamRequest, secret: string, clock: TestClock) =>
  verifyWebhook(headers, body as string, secret, { now: () => clock.now() })

describe('E1 a delivery', () => {
  test('is signed, and the same in every attempt but for the time', async () => {
    const world = await open()
    let status = 503
    const webhook = await world.webhook('a.example', () => status)
    const event = await world.event()
    const deliveries = world.process()
    expect(await round(deliveries)).toBe(1)
    status = 204
    world.clock.advance(5000)
    expect(await round(deliveries)).toBe(1)
    const [first, second] = world.sent
    expect(first).toEqual({
      method: 'POST',
      url: 'https://a.example/hooks',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'tenon-webhooks',
        'webhook-id': event.id,
        'webhook-timestamp': '1767225600',
        'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}=$/),
      },
      body: `{"type":"sync.completed","timestamp":"2026-01-01T00:00:00.000Z","data":{"connector_id":"${event.instanceId}","external_user_id":"user-42","connector_type":"gong","entity":"users","records":3}}`,
      redirects: 0,
      timeoutMs: 15_000,
      secretHeaders: ['webhook-signature'],
      secretQuery: [],
    })
    expect([
      second?.body,
      second?.headers['webhook-id'],
      second?.headers['webhook-timestamp'],
    ]).toEqual([first?.body, event.id, '1767225605'])
    expect(second?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature'])
    expect(verify(second!, webhook.secret, world.clock)).toEqual({
      id: event.id,
      type: 'sync.completed',
      timestamp: '2026-01-01T00:00:00.000Z',
      data: event.data,
    })
    expect(await world.rows(webhook)).toMatchObject([
      { eventId: event.id, state: 'delivered', attempts: 2, lastStatus: 204, lastError: null },
    ])
    expect(world.outcomes).toEqual(['retry', 'delivered'])
  })

  test.for([
    {
      random: 0,
      waits: [4_500, 270_000, 1_620_000, 6_480_000, 16_200_000, 32_400_000, 32_400_000],
    },
    {
      random: 0.5,
      waits: [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000],
    },
  ])('is tried eight times, with these waits between: $waits', async ({ random, waits }) => {
    const world = await open(random)
    const webhook = await world.webhook('a.example', () => 500)
    await world.event()
    const deliveries = world.process()
    expect(await round(deliveries)).toBe(1)
    for (const wait of waits) {
      world.clock.advance(wait - 1)
      expect(await round(deliveries)).toBe(0)
      world.clock.advance(1)
      expect(await round(deliveries)).toBe(1)
    }
    world.clock.advance(1e9)
    expect(await round(deliveries)).toBe(0)
    expect(world.sent).toHaveLength(8)
    expect(await world.rows(webhook)).toMatchObject([
      { state: 'failed', attempts: 8, lastStatus: 500 },
    ])
    expect(world.outcomes).toEqual([...Array.from({ length: 7 }, () => 'retry'), 'failed'])
  })

  test.for<{
    name: string
    answer: Receiver
    status: number | null
    error: string | null
    state: string
  }>([
    { name: 'a redirect', answer: () => 302, status: 302, error: null, state: 'pending' },
    { name: 'a refusal', answer: () => 401, status: 401, error: null, state: 'pending' },
    {
      name: 'no answer',
      answer: () => Promise.reject(new ConnectorError('upstream_timeout', 'no')),
      status: null,
      error: 'upstream_timeout',
      state: 'pending',
    },
    {
      name: 'an address that became private',
      answer: () => Promise.reject(new ConnectorError('destination_refused', 'no')),
      status: null,
      error: 'destination_refused',
      state: 'pending',
    },
    {
      name: 'a 200 whose body breaks off',
      answer: () =>
        Promise.reject(
          new ConnectorError('upstream_unreachable', 'no', { details: { status: 200 } }),
        ),
      status: 200,
      error: null,
      state: 'delivered',
    },
  ])('with $name is $state', async ({ answer, status, error, state }) => {
    const world = await open()
    const webhook = await world.webhook('a.example', answer)
    await world.event()
    await round(world.process())
    expect(await world.rows(webhook)).toMatchObject([
      { state, attempts: 1, lastStatus: status, lastError: error },
    ])
  })

  test('waits longer where the receiver asks for it', async () => {
    const world = await open()
    const headers = { 'retry-after': '120' }
    await world.webhook('a.example', () => Promise.resolve({ status: 429, headers }))
    await world.event()
    const deliveries = world.process()
    await round(deliveries)
    world.clock.advance(119_999)
    expect(await round(deliveries)).toBe(0)
    world.clock.advance(1)
    expect(await round(deliveries)).toBe(1)
  })

  test('410 switches the webhook off, and what waits is not sent', async () => {
    const world = await open()
    const webhook = await world.webhook('a.example', () => 410)
    for (let i = 0; i < 3; i++) await world.event()
    const deliveries = world.process()
    await round(deliveries)
    await world.event()
    world.clock.advance(1e9)
    expect(await round(deliveries)).toBe(0)
    const place = { organizationId: ORGANIZATION, webhookId: webhook.row.id }
    expect(await world.store.webhooks.get(place)).toMatchObject({ disabledReason: 'gone' })
    const states = (await world.rows(webhook)).map(({ state }) => state)
    expect(states).toHaveLength(3)
    expect(states).not.toContain('pending')
    const audit = await world.store.audit.list({ organizationId: ORGANIZATION }, { limit: 10 })
    expect(audit.map(({ action }) => action)).toEqual(['webhook.gone', 'webhook.create'])
  })

  test('two secrets sign while one replaces the other', async () => {
    const world = await open()
    const old = await world.webhook('a.example', () => 200)
    const next = await world.rotate(old, 3600)
    const deliveries = world.process()
    const secretsOf = async (): Promise<readonly boolean[]> => {
      await world.event()
      await round(deliveries)
      return [old, next].map(({ secret }) => {
        try {
          return verify(world.sent.at(-1)!, secret, world.clock).type === 'sync.completed'
        } catch {
          return false
        }
      })
    }
    expect(await secretsOf()).toEqual([true, true])
    world.clock.advance(3_600_000)
    expect(await secretsOf()).toEqual([false, true])
    const last = await world.rotate(next, 0)
    expect(await secretsOf()).toEqual([false, false])
    expect(verify(world.sent.at(-1)!, last.secret, world.clock).type).toBe('sync.completed')
  })

  test('once more, by hand, is the same message from its first attempt', async () => {
    const world = await open()
    const webhook = await world.webhook('a.example', () => 200)
    const event = await world.event()
    const deliveries = world.process()
    await round(deliveries)
    const audit = {
      organizationId: ORGANIZATION,
      instanceId: null,
      requestId: null,
      actor: 'test',
      action: 'event.redeliver',
      target: event.id,
      outcome: 'done',
      members: [],
      address: null,
      token: null,
    }
    expect(await world.store.events.redeliver(ORGANIZATION, event.id, null, audit)).toBe(1)
    expect(await round(deliveries)).toBe(1)
    expect(world.sent.map(({ headers, body }) => [headers['webhook-id'], body])).toEqual([
      [event.id, world.sent[0]?.body],
      [event.id, world.sent[0]?.body],
    ])
    expect(await world.rows(webhook)).toMatchObject([{ state: 'delivered', attempts: 1 }])
  })

  test('a test is signed and is no event', async () => {
    const world = await open()
    const webhook = await world.webhook('a.example', () => 202)
    expect(await world.test(webhook)).toMatchObject({ status: 202, error: null })
    const [request] = world.sent
    expect(verify(request!, webhook.secret, world.clock)).toMatchObject({
      type: 'webhook.test',
      data: { webhook_id: webhook.row.id },
    })
    expect(await world.rows(webhook)).toEqual([])
  })
})

describe('E1 nobody is lost, and nobody waits for another', () => {
  test('any number of processes make each attempt once', async () => {
    const world = await open()
    await world.webhook('a.example', () => 200)
    const seen = new Set<string>()
    for (let i = 0; i < 40; i++) seen.add((await world.event()).id)
    const processes = [world.process(), world.process(), world.process()]
    for (let turn = 0; turn < 20; turn++) await Promise.all(processes.map(round))
    expect(world.sent).toHaveLength(40)
    expect(new Set(world.sent.map(({ headers }) => headers['webhook-id']))).toEqual(seen)
  })

  test('what a process had under way when it died is delivered by another one', async () => {
    const world = await open()
    let answers = false
    const webhook = await world.webhook('a.example', () => (answers ? 200 : new Promise(() => {})))
    const event = await world.event()
    await world.process().round() // and never heard of again
    await expect.poll(() => world.sent).toHaveLength(1)
    const other = world.process()
    answers = true
    world.clock.advance(59_999)
    expect(await round(other)).toBe(0)
    world.clock.advance(1)
    expect(await round(other)).toBe(1)
    expect(world.sent.map(({ headers }) => headers['webhook-id'])).toEqual([event.id, event.id])
    expect(await world.rows(webhook)).toMatchObject([{ state: 'delivered', attempts: 1 }])
  })

  test('a receiver that does not answer has four attempts at once, and delays nobody', async () => {
    const world = await open()
    const never = Promise.withResolvers<{ readonly status: number }>()
    await world.webhook('slow.example', () => never.promise)
    const quick = await world.webhook('quick.example', () => 200)
    for (let i = 0; i < 30; i++) await world.event()
    const deliveries = world.process()
    for (let turn = 0; turn < 20; turn++) {
      await deliveries.round()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await eventually(async () => {
      await deliveries.round()
      return world.outcomes.length >= 30
    })
    const states = (await world.rows(quick)).map(({ state }) => state)
    expect(states).toEqual(Array.from({ length: 30 }, () => 'delivered'))
    expect(world.sent.filter(({ url }) => url.includes('slow')).length).toBe(4)
    never.resolve({ status: 200 })
    await deliveries.settled()
  })

  test('a receiver that has just failed gets one attempt at a time', async () => {
    const world = await open()
    await world.webhook('a.example', () => 500)
    for (let i = 0; i < 10; i++) await world.event()
    const deliveries = world.process()
    expect([await round(deliveries), await round(deliveries), await round(deliveries)]).toEqual([
      4, 1, 1,
    ])
  })

  test('a process that ends gives back what does not end in time', async () => {
    const world = await open()
    let answers = false
    const webhook = await world.webhook('a.example', (_, signal) =>
      answers
        ? 200
        : new Promise((_resolve, reject) => {
            signal?.addEventListener('abort', () =>
              reject(new ConnectorError('aborted', 'the transport is closed')),
            )
          }),
    )
    await world.event()
    const deliveries = world.process()
    await deliveries.round()
    await expect.poll(() => world.sent).toHaveLength(1)
    await deliveries.close()
    expect(await deliveries.round()).toBe(0)
    answers = true
    expect(await round(world.process())).toBe(1)
    expect(await world.rows(webhook)).toMatchObject([{ state: 'delivered', attempts: 1 }])
  })
})
