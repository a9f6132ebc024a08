// From where applications may be used: lists as they are read, and every way in to the service.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeApplication, createApplication } from '../../../src/service/tokens/applications.ts'
import { isAllowed, readAddresses } from '../../../src/service/tokens/allowed-addresses.ts'
import { refusedUses } from '../../../src/service/tokens/refused-uses.ts'
import { type CallAnswer, type RunningService, runService } from '../../fixtures/running-service.ts'

test.for([
  ['203.0.113.7', '203.0.113.7'],
  [' 203.0.113.7/32 ', '203.0.113.7'],
  ['10.0.0.0/8', '10.0.0.0/8'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8:0:0::7', '2001:db8::7'],
  ['2001:db8::/32', '2001:db8::/32'],
  ['2001:db8::/33', '2001:db8::/33'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.0/120', '203.0.113.0/24'],
  ['::/0', '::/0'],
])('T13 %s is read as %s', ([given = '', want]) => {
  expect(readAddresses([given])).toEqual({ addresses: [want], wrong: [] })
})

const FORMS = /^must be an IP address or a network/
test.for([
  ['', FORMS],
  ['app.example.com', FORMS],
  ['10', FORMS],
  ['10/8', FORMS],
  ['10.0/16', FORMS],
  ['010.0.0.1', FORMS],
  ['0x7f.0.0.1', FORMS],
  ['203.0.113.256', FORMS],
  ['203.0.113.0/33', FORMS],
  ['203.0.113.0/-1', FORMS],
  ['203.0.113.0/', FORMS],
  ['203.0.113.7:8080', FORMS],
  ['[2001:db8::7]', FORMS],
  ['fe80::1%eth0', FORMS],
  ['2001:db8::/129', FORMS],
  ['*', FORMS],
  ['10.1.2.3/8', /^is an address and not a network: write 10\.0\.0\.0\/8 .* or 10\.1\.2\.3 /],
  ['2001:db8::7/64', /write 2001:db8::\/64 .* or 2001:db8::7 /],
] as const)('T13 %s is no entry of a list', ([given, want]) => {
  expect(readAddresses(['203.0.113.7', given])).toEqual({
    addresses: ['203.0.113.7'],
    wrong: [{ index: 1, text: given, problem: expect.stringMatching(want) }],
  })
})

test.for([
  [[], null, true],
  [[], '192.0.2.1', true],
  [['203.0.113.0/24'], '203.0.113.255', true],
  [['203.0.113.0/24'], '203.0.114.0', false],
  [['203.0.113.0/24'], '::ffff:203.0.113.7', true],
  [['203.0.113.0/24'], '2001:db8::7', false],
  [['203.0.113.0/24'], null, false],
  [['203.0.113.0/24'], 'unknown', false],
  [['192.0.2.1', '2001:db8::/32'], '2001:db8:ffff::1', true],
  [['192.0.2.1', '2001:db8::/32'], '2001:db9::1', false],
  [['0.0.0.0/0'], '2001:db8::7', false],
] as const)('T13 of %s the address %s: %s', ([addresses, address, want]) => {
  expect(isAllowed(addresses, address)).toBe(want)
})

const INSIDE = '203.0.113.7'
const OUTSIDE = '198.51.100.9'
const DENIED = [403, 'address_denied']

let world: RunningService
let made: { readonly clientId: string; readonly clientSecret: string }

beforeAll(async () => {
  world = await runService({ mode: 'dev', trustProxy: true, mcp: 'read' })
  const { service } = world
  made = await createApplication(service, {
    name: 'limited',
    organizationId: 'default',
    redirectUrls: [],
    addresses: ['203.0.113.0/24'],
  })
})
afterAll(() => world[Symbol.asyncDispose]())

function from(address: string, more: object = {}): { readonly headers: Record<string, string> } {
  return { headers: { 'x-forwarded-for': address, ...more } }
}

function told({ status, body }: CallAnswer): readonly unknown[] {
  return [status, (body as { code?: string } | undefined)?.code]
}

async function mint(address: string, secret = made.clientSecret): Promise<CallAnswer> {
  const body = { client_id: made.clientId, client_secret: secret }
  return await world.call('POST', '/v1/account/applications/token', body, {
    as: null,
    ...from(address),
  })
}

async function tokenOf(answer: CallAnswer): Promise<string> {
  return (answer.body as { access_token: string }).access_token
}

test('T13 a secret is good from its addresses alone, and only who has it learns that', async () => {
  expect(told(await mint(INSIDE))).toEqual([200, undefined])
  const answer = await mint(OUTSIDE)
  expect(told(answer)).toEqual(DENIED)
  // Where it came from and the way out, and not the list.
  expect(answer.text).toContain(`may not be used from ${OUTSIDE}.`)
  expect(answer.text).toContain('Settings, Applications')
  expect(answer.text).not.toContain('203.0.113')
  expect(told(await mint(OUTSIDE, 'wrong'))).toEqual([401, 'client_invalid'])
})

test('T13 a token of the application is good from there alone, one of an end user from everywhere', async () => {
  const token = await tokenOf(await mint(INSIDE))
  const scoped = await world.call(
    'POST',
    '/v1/account/applications/scoped-token',
    { external_user_id: 'user-1' },
    { as: token, ...from(INSIDE) },
  )
  const { token: ofUser } = scoped.body as { token: string }
  const list = async (as: string, address: string): Promise<readonly unknown[]> =>
    told(
      await world.call('GET', '/v1/integrations/connectors', undefined, { as, ...from(address) }),
    )
  expect(await list(token, INSIDE)).toEqual([200, undefined])
  expect(await list(token, OUTSIDE)).toEqual(DENIED)
  expect(await list(ofUser, OUTSIDE)).toEqual([200, undefined])
  const agent = async (as: string, address: string): Promise<number> => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    const accept = { accept: 'application/json, text/event-stream' }
    return (await world.call('POST', '/mcp', message, { as, ...from(address, accept) })).status
  }
  expect(await agent(token, OUTSIDE)).toBe(403)
  expect(await agent(token, INSIDE)).not.toBe(403)
  expect(await agent(ofUser, OUTSIDE)).not.toBe(403)
})

test('T13 a session of the application is good from there alone', async () => {
  const mark = { 'x-tenon-console': '1' }
  const signIn = async (address: string): Promise<CallAnswer> =>
    await world.call(
      'POST',
      '/console/api/v1/session',
      { client_id: made.clientId, client_secret: made.clientSecret },
      { as: null, ...from(address, mark) },
    )
  expect(told(await signIn(OUTSIDE))).toEqual(DENIED)
  const cookie = /^[^;]+/.exec((await signIn(INSIDE)).headers.get('set-cookie') ?? '')?.[0] ?? ''
  const get = async (path: string, address: string): Promise<readonly unknown[]> => {
    const options = { as: null, ...from(address, { ...mark, cookie }) }
    return told(await world.call('GET', `/console/api/v1${path}`, undefined, options))
  }
  expect(await get('/session', INSIDE)).toEqual([200, undefined])
  expect(await get('/settings/applications', INSIDE)).toEqual([200, undefined])
  expect(await get('/settings/applications', OUTSIDE)).toEqual(DENIED)
  // Back to the form, where the secret is told why.
  expect(await get('/session', OUTSIDE)).toEqual([401, 'token_invalid'])
  const check = async (addresses: readonly string[]): Promise<unknown> => {
    const options = { as: null, ...from(INSIDE, { ...mark, cookie }) }
    const path = '/console/api/v1/settings/addresses'
    return (await world.call('POST', path, { addresses }, options)).body
  }
  const own = { address: INSIDE }
  expect(await check([])).toEqual({ ...own, addresses: [], contains: true })
  expect(await check(['203.0.113.7/32'])).toEqual({ ...own, addresses: [INSIDE], contains: true })
  expect(await check(['10.0.0.0/8'])).toEqual({
    ...own,
    addresses: ['10.0.0.0/8'],
    contains: false,
  })
  expect(await check(['10/8', INSIDE, '10.1.2.3/8'])).toMatchObject({
    code: 'request_malformed',
    detail: expect.stringMatching(/^the address "10\/8" must be an IP address or a network/),
    errors: [{ pointer: '/addresses/0' }, { pointer: '/addresses/2' }],
  })
})

test('T13 a change holds at once for tokens that are there, and is in the audit log', async () => {
  const { store } = world.service
  const token = await tokenOf(await mint(INSIDE))
  const change = { addresses: ['192.0.2.0/24'] }
  await changeApplication(store, made.clientId, change, { verb: 'update' })
  const list = async (): Promise<readonly unknown[]> => {
    const options = { as: token, ...from(INSIDE) }
    return told(await world.call('GET', '/v1/integrations/connectors', undefined, options))
  }
  await expect.poll(list).toEqual(DENIED)
  const [event] = await store.audit.list({ organizationId: 'default' }, { limit: 1 })
  expect(event).toMatchObject({
    action: 'application.update',
    target: made.clientId,
    members: ['addresses'],
  })
  await changeApplication(store, made.clientId, { addresses: [] }, { verb: 'update' })
  await expect.poll(list).toEqual([200, undefined])
})

test('T13 refusals for the address are told at the application', async () => {
  const { service } = world
  await service.refusals.close()
  const uses = (await refusedUses(service, 'default'))(made.clientId)
  expect(uses.reasons.map(({ reason }) => reason)).toEqual(['address', 'wrong_secret'])
  const { reasons } = uses
  expect(reasons.at(-1)).toEqual({ reason: 'wrong_secret', times: 1 })
  // Of secrets and sessions, tokens and agents.
  const { events } = await service.store.audit.search('default', {
    action: 'access.refuse',
    outcome: 'address_denied, 1 time',
    limit: 100,
  })
  expect(new Set(events.map(({ target, actor }) => `${target} ${actor}`))).toEqual(
    new Set([
      'mintApplicationToken unknown',
      'consoleSignIn unknown',
      `listConnectorInstances ${made.clientId}`,
      `none ${made.clientId}`,
      `consoleApplications ${made.clientId}`,
    ]),
  )
})
