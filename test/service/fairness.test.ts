// Several organisations in one process: what one of them does much of, the others do not wait for.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSystemClock } from '../../src/engine/adapters/system-clock.ts'
import { Gate } from '../../src/service/gate.ts'
import { createApplication } from '../../src/service/tokens/applications.ts'
import { type AcmeVendor, startAcmeVendor } from '../chaos/acme-vendor.ts'
import { eventually, turnsOfTheLoop } from '../faults/resources.ts'
import { type CallAnswer, type RunningService, runService } from '../fixtures/running-service.ts'

const MANIFEST = join(import.meta.dirname, '../chaos/acme.yaml')
/** Each of them runs ten operations at once at most. */
const LOUD_INSTANCES = 6

let vendor: AcmeVendor
let world: RunningService
/** A token for each of two organisations. */
let loud: string
let quiet: string

beforeAll(async () => {
  vendor = await startAcmeVendor()
  world = await runService({
    mode: 'dev',
    manifests: [MANIFEST],
    connectors: ['acme'],
    allowHosts: ['127.0.0.1'],
  })
  loud = world.token
  const { clientId, clientSecret } = await createApplication(
    { store: world.service.store, clock: world.service.clock },
    { name: 'the quiet one', redirectUrls: [] },
  )
  quiet = (await world.service.tokens.mintApplication(clientId, clientSecret)).token
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await vendor[Symbol.asyncDispose]()
})

async function instance(as: string, serverUrl: string = vendor.url): Promise<string> {
  const body = {
    external_user_id: 'user-1',
    connector_type: 'acme',
    name: 'acme',
    credentials: { api_key: 'key-of-acme' },
    server_url: serverUrl,
  }
  const made = await world.call('POST', '/v1/integrations/connectors?check=false', body, { as })
  return (made.body as { readonly id: string }).id
}

function run(as: string, id: string, action: string, params: object = {}): Promise<CallAnswer> {
  const body = { entity: 'customers', action, params }
  return world.call('POST', `/api/v1/connectors/sources/${id}/execute`, body, { as })
}

describe('T9 one organisation keeps a third party’s whole host busy', () => {
  test('another one’s calls to that host do not wait', async () => {
    const gate = vendor.hold('/customers')
    const instances = await Promise.all(
      Array.from({ length: LOUD_INSTANCES }, () => instance(loud)),
    )
    const hanging = instances.flatMap((id) =>
      Array.from({ length: 15 }, () => run(loud, id, 'list')),
    )
    // All connections that one organisation may have.
    await gate.arrived(32)
    const id = await instance(quiet)
    for (let call = 0; call < 10; call++)
      expect((await run(quiet, id, 'create', { name: `quiet ${call}` })).status).toBe(200)
    // Those of the first organisation hang as before: nobody waited for them.
    expect(gate.waiting).toBe(32)
    gate.open()
    expect(new Set((await Promise.all(hanging)).map(({ status }) => status))).toEqual(
      new Set([200]),
    )
  })

  test('neither with downloads that go on for long', async () => {
    const instances = await Promise.all(Array.from({ length: 5 }, () => instance(loud)))
    const leaving = new AbortController()
    const streams = await Promise.all(
      instances.flatMap((id) =>
        Array.from({ length: 8 }, () =>
          fetch(`${world.url}/api/v1/connectors/sources/${id}/execute`, {
            method: 'POST',
            headers: { authorization: `Bearer ${loud}`, 'content-type': 'application/json' },
            body: JSON.stringify({
              entity: 'files',
              action: 'download',
              params: { bytes: 'endless' },
            }),
            signal: leaving.signal,
          }),
        ),
      ),
    )
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]))
    const ids = [await instance(quiet), instances[0] ?? '']
    for (const [index, as] of [quiet, loud].entries())
      expect((await run(as, ids[index] ?? '', 'list')).status).toBe(200)
    // The downloads go on as before: nobody waited for them.
    expect(vendor.sending).toBe(40)
    leaving.abort()
    await eventually(() => vendor.sending === 0)
  })
})

test('U2 requests of one organisation that a third party fails at suspend nobody else', async () => {
  vendor.indigestible.add('heavy')
  const [failing, sibling, other] = [
    await instance(loud),
    await instance(loud),
    await instance(quiet),
  ]
  const codes: unknown[] = []
  for (let call = 0; call < 6; call++) {
    const { body } = await run(loud, failing, 'create', { name: 'heavy' })
    codes.push((body as { readonly code: string }).code)
  }
  expect(codes.at(-2)).toBe('upstream_failed')
  expect(codes.at(-1)).toBe('upstream_suspended')
  expect((await run(quiet, other, 'create', { name: 'light' })).status).toBe(200)
  expect((await run(loud, sibling, 'list')).status).toBe(200)
})

test('U2 a third party that cannot be connected is left alone by all', async () => {
  const gone = await startAcmeVendor()
  const [first, second] = [await instance(loud, gone.url), await instance(quiet, gone.url)]
  await gone[Symbol.asyncDispose]()
  for (let call = 0; call < 5; call++) await run(loud, first, 'create', { name: 'x' })
  expect(await run(quiet, second, 'create', { name: 'x' })).toMatchObject({
    body: { code: 'upstream_suspended', outcome: 'not_applied' },
  })
})

test('T9 an application that sends more than its share of bytes is told to wait, and nobody else', async () => {
  // At this rate the first body is paid for after most of a minute: the others come too early on a busy machine, too.
  await using small = await runService({ connectors: ['jira'], bodyRateBytes: 16 * 1024 })
  const { clientId, clientSecret } = await createApplication(
    { store: small.service.store, clock: small.service.clock },
    { name: 'the quiet one', redirectUrls: [] },
  )
  const quietOne = await small.service.tokens.mintApplication(clientId, clientSecret)
  const path = `/api/v1/connectors/sources/${await small.connect('jira')}/execute`
  const heavy = `{"entity":"issues","action":"get","params":{"x":[9007199254740993${',1'.repeat(400_000)}]}}`
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => small.call('POST', path, heavy)),
  )
  const codes = answers.map(({ body }) => (body as { readonly code: string }).code)
  expect(codes.filter((code) => code === 'params_invalid')).toHaveLength(1)
  const refused = answers.filter(({ body }) => (body as { code: string }).code === 'rate_limited')
  expect(refused).toHaveLength(11)
  for (const { status, headers } of refused) {
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  }
  const as = quietOne.token
  const light = { entity: 'issues', action: 'get', params: { issueIdOrKey: 'OPS-1' } }
  // Not its instance: what counts is that its body is read.
  expect(await small.call('POST', path, light, { as })).toMatchObject({
    status: 404,
    body: { code: 'instance_unknown' },
  })
})

test('T9 of places that come free every second one goes to whoever waits for few', async () => {
  const gate = new Gate(createSystemClock(), { running: 4, waiting: 100 })
  const { signal } = new AbortController()
  const order: string[] = []
  const enter = async (organization: string): Promise<void> => {
    const leave = await gate.enter(organization, 10_000, signal)
    order.push(organization)
    await turnsOfTheLoop()
    leave()
  }
  await Promise.all([
    ...Array.from({ length: 60 }, () => enter('loud')),
    ...Array.from({ length: 3 }, () => enter('quiet')),
  ])
  // Four ran before anybody waited; from then on they take turns.
  expect(order.slice(0, 4)).toEqual(['loud', 'loud', 'loud', 'loud'])
  expect(order.lastIndexOf('quiet')).toBeLessThan(12)
  expect(order).toHaveLength(63)
})
