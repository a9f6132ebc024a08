// Events and webhooks as an application's client sees them, over the HTTP of a real service.
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type EventPage,
  serviceClient,
  type ServiceClient,
} from '../../src/client/service-client.ts'
import { verifyWebhook } from '../../src/client/webhooks/verify-webhook.ts'
import { type RunningService, runService } from '../fixtures/running-service.ts'
import { openTcpGate } from '../fixtures/tcp-gate.ts'
import { webhookReceiver } from '../fixtures/webhook-receiver.ts'

let world: RunningService
let client: ServiceClient

beforeAll(async () => {
  world = await runService({ jobs: true })
  client = serviceClient({ baseUrl: world.url, token: world.token })
})
afterAll(async () => {
  await client.close()
  await world[Symbol.asyncDispose]()
})

async function connect(): Promise<string> {
  return await world.connect('gong', { sync: { enabled: false } })
}

test('a listing of events goes through all of them, and its last page has a place to go on from', async () => {
  const id = await connect()
  await client.instances.delete(id)
  const events = await client.events.list({ limit: 1 }).toArray({ limit: 100 })
  expect(
    events.filter(({ data }) => data['id'] === id).map(({ type, timestamp }) => [type, timestamp]),
  ).toEqual([
    ['connector.created', expect.stringMatching(/^\d{4}-.*Z$/)],
    ['connector.updated', expect.any(String)],
    ['connector.deleted', expect.any(String)],
  ])
  const all = await client.events.list()
  expect(all.meta).toMatchObject({ has_more: false, next: null })
  const rest = await client.events.list({ cursor: all.meta.next_cursor })
  expect([rest.records, rest.meta.has_more]).toEqual([[], false])
})

test('whoever follows gets what comes, from its place on, until the signal', async () => {
  const { meta } = await client.events.list()
  const over = new AbortController()
  const seen: EventPage[] = []
  const following = (async () => {
    for await (const page of client.events.follow({
      cursor: meta.next_cursor,
      everyMs: 20,
      signal: over.signal,
    }))
      seen.push(page)
  })()
  const id = await connect()
  await client.instances.delete(id)
  await expect
    .poll(() => seen.flatMap(({ records }) => records.map(({ type }) => type)))
    .toEqual(['connector.created', 'connector.updated', 'connector.deleted'])
  over.abort()
  await following
  expect(seen.at(-1)?.meta.next_cursor).not.toBe(meta.next_cursor)
})

test('a reader that follows goes on where it was once a service that was away is back', async () => {
  await using gate = await openTcpGate(Number(new URL(world.url).port))
  let refused = 0
  await using far = serviceClient({
    baseUrl: `http://127.0.0.1:${gate.port}`,
    token: world.token,
    retries: 1,
    logger: { debug() {}, info: () => refused++, warn() {}, error() {} },
  })
  const over = new AbortController()
  const seen: (readonly [type: string, id: unknown])[] = []
  const following = (async () => {
    for await (const { records } of far.events.follow({ everyMs: 20, signal: over.signal }))
      seen.push(...records.map(({ type, data }) => [type, data['id']] as const))
  })()
  await expect.poll(() => seen.length).toBeGreaterThan(0)
  gate.cut()
  const before = seen.length
  const id = await connect()
  // Each call is repeated once: the second repetition is of another call.
  await expect.poll(() => refused).toBeGreaterThan(1)
  gate.mend()
  const made = ['connector.created', 'connector.updated'].map((type) => [type, id])
  await expect.poll(() => seen.slice(before)).toEqual(made)
  over.abort()
  await following
})

test('a service that never answered is told to a reader that follows', async () => {
  await using nobody = serviceClient({ baseUrl: 'http://127.0.0.1:1', token: 'none', retries: 0 })
  const first = nobody.events.follow()[Symbol.asyncIterator]().next()
  await expect(first).rejects.toMatchObject({ code: 'service_unreachable' })
})

test('a webhook is made, tested, changed, given another secret, and deleted', async () => {
  await using receiver = await webhookReceiver()
  const made = await client.webhooks.create({
    url: receiver.url,
    event_types: ['connector.deleted'],
  })
  const { secret, ...shown } = made
  expect(await client.webhooks.get(made.id)).toEqual(shown)
  expect((await client.webhooks.list()).data).toEqual([shown])
  expect(await client.webhooks.test(made.id)).toMatchObject({ delivered: true, status: 200 })
  const [tested] = receiver.got
  expect(verifyWebhook(tested?.headers ?? {}, tested?.body ?? '', secret).type).toBe('webhook.test')

  await client.instances.delete(await connect())
  const deliveries = (): ReturnType<ReturnType<typeof client.webhooks.deliveries>['toArray']> =>
    client.webhooks.deliveries(made.id).toArray({ limit: 10 })
  // The receiver has it before the service has written down that it was taken.
  await expect
    .poll(deliveries)
    .toMatchObject([
      { type: 'connector.deleted', state: 'delivered', attempts: 1, last_status: 200 },
    ])
  expect(receiver.got.length).toBe(2)
  const [delivery] = await deliveries()

  const rotated = await client.webhooks.rotateSecret(made.id, { keep_seconds: 0 })
  expect(rotated.secret).not.toBe(secret)
  const eventId = delivery?.event_id ?? ''
  expect(await client.events.redeliver(eventId, { webhook_id: made.id })).toEqual({
    event_id: eventId,
    webhooks: 1,
  })
  await expect.poll(() => receiver.got.length).toBe(3)
  const again = receiver.got[2]
  expect(verifyWebhook(again?.headers ?? {}, again?.body ?? '', rotated.secret).id).toBe(eventId)

  expect(
    await client.webhooks.update(made.id, { enabled: false, event_types: null }),
  ).toMatchObject({ enabled: false, disabled_reason: 'by_hand', event_types: null })
  await client.webhooks.delete(made.id)
  await expect(client.webhooks.get(made.id)).rejects.toMatchObject({ code: 'webhook_unknown' })
})
