// Downloads through the service: who may have how many, and what happens upstream when a client leaves.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Streams } from '../../src/service/downloads.ts'
import { type AcmeVendor, startAcmeVendor } from '../chaos/acme-vendor.ts'
import { eventually } from '../faults/resources.ts'
import { type RunningService, runService } from '../fixtures/running-service.ts'

const MANIFEST = join(import.meta.dirname, '../chaos/acme.yaml')
const TOKEN = 'token-of-a-developer'

let vendor: AcmeVendor
let world: RunningService

beforeAll(async () => {
  vendor = await startAcmeVendor()
  world = await runService({
    mode: 'dev',
    devToken: TOKEN,
    manifests: [MANIFEST],
    connectors: ['acme'],
    allowHosts: ['127.0.0.1'],
  })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await vendor[Symbol.asyncDispose]()
})

async function instance(): Promise<string> {
  const made = await world.call('POST', '/v1/integrations/connectors?check=false', {
    external_user_id: 'user-1',
    connector_type: 'acme',
    name: 'acme',
    credentials: { api_key: 'key-of-acme' },
    server_url: vendor.url,
  })
  return (made.body as { readonly id: string }).id
}

function download(id: string, signal?: AbortSignal): Promise<Response> {
  return fetch(`${world.url}/api/v1/connectors/sources/${id}/execute`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ entity: 'files', action: 'download', params: { bytes: 'endless' } }),
    ...(signal === undefined ? {} : { signal }),
  })
}

test('M1 when the client leaves, the third party stops sending', async () => {
  const id = await instance()
  const leaving = new AbortController()
  const response = await download(id, leaving.signal)
  await response.body?.getReader().read()
  expect([response.status, vendor.sending, world.service.streams.active]).toEqual([200, 1, 1])
  leaving.abort()
  await eventually(() => vendor.sending === 0 && world.service.streams.active === 0)
  await eventually(() => world.lines.some(({ facts }) => facts['code'] === 'aborted'))
  const line = world.lines.findLast(({ message }) => message === 'request')
  expect(line?.facts).toMatchObject({ action: 'download', bytes: expect.any(Number) })
})

test('M1 a client that does not read holds the third party back', async () => {
  const id = await instance()
  const leaving = new AbortController()
  const before = process.memoryUsage().rss
  const slow = await Promise.all(Array.from({ length: 4 }, () => download(id, leaving.signal)))
  // Waits for time: a vendor that is not held back would send gigabytes meanwhile.
  await new Promise((resolve) => setTimeout(resolve, 500))
  // Four vendors that could send gigabytes have sent what fits into the buffers between.
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 ** 2)
  expect(slow.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  leaving.abort()
  await eventually(() => vendor.sending === 0)
})

test('M1 the ninth download of an instance is 429, another instance has places, and a free place is given again', async () => {
  const [one, two] = [await instance(), await instance()]
  const leaving = Array.from({ length: 9 }, () => new AbortController())
  const eight = await Promise.all(leaving.slice(0, 8).map(({ signal }) => download(one, signal)))
  expect(eight.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
  const ninth = await download(one)
  expect([ninth.status, ninth.headers.get('retry-after'), await ninth.json()]).toEqual([
    429,
    '1',
    expect.objectContaining({ code: 'rate_limited', outcome: 'not_applied' }),
  ])
  const other = await download(two, leaving[8]?.signal)
  expect(other.status).toBe(200)
  leaving[0]?.abort()
  await eventually(() => world.service.streams.active === 8)
  leaving[0] = new AbortController()
  expect((await download(one, leaving[0].signal)).status).toBe(200)
  for (const each of leaving) each.abort()
  await eventually(() => vendor.sending === 0 && world.service.streams.active === 0)
})

test('M1 the 65th download of a process is overloaded', () => {
  const streams = new Streams()
  const instances = Array.from({ length: 9 }, () => ({ streams: 0 }))
  const leave = instances
    .slice(0, 8)
    .flatMap((each, at) =>
      Array.from({ length: 8 }, () => streams.enter(each, `organization ${at % 2}`)),
    )
  const last = instances[8] ?? { streams: 0 }
  expect(() => streams.enter(last, 'another')).toThrow(
    expect.objectContaining({ code: 'overloaded', retryAfterMs: 1000 }),
  )
  leave[0]?.()
  streams.enter(last, 'another')
  expect([streams.active, last.streams]).toEqual([64, 1])
})

test('T9 the downloads of one organisation leave places to others', () => {
  const streams = new Streams()
  const instances = Array.from({ length: 7 }, () => ({ streams: 0 }))
  const leave = instances
    .slice(0, 6)
    .flatMap((each) => Array.from({ length: 8 }, () => streams.enter(each, 'loud')))
  const last = instances[6] ?? { streams: 0 }
  expect(() => streams.enter(last, 'loud')).toThrow(
    expect.objectContaining({ code: 'rate_limited', retryAfterMs: 1000 }),
  )
  streams.enter(last, 'quiet')
  leave[0]?.()
  leave[0]?.()
  streams.enter(last, 'loud')
  expect(() => streams.enter(last, 'loud')).toThrow()
  expect([streams.active, last.streams]).toEqual([49, 2])
})
