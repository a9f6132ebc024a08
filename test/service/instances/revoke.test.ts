// `revoke`: what the credentials gave is ended at the third party when the instance is deleted.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findingsOf, methodFile } from '../../fixtures/method-manifest.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'
import { IS_FULL } from '../../fixtures/sizes.ts'

const SECRET = { type: 'string', writeOnly: true }
const METHOD = {
  credentials: {
    required: ['refresh_token'],
    properties: {
      access_token: SECRET,
      refresh_token: SECRET,
      client_id: { type: 'string' },
      client_secret: SECRET,
    },
  },
  apply: { bearer: '{{ credentials.access_token }}' },
  oauth2: {
    authorize: { url: 'https://login.acme.example/authorize' },
    token: { url: 'https://login.acme.example/token' },
  },
  revoke: {
    http: 'POST https://login.acme.example/revoke',
    auth: 'none',
    timeout: '300ms',
    headers: { Authorization: "Basic {{ base64 (concat client.id ':' client.secret) }}" },
    form: [{ token: '{{ credentials.refresh_token }}' }, { token_type_hint: 'refresh_token' }],
  },
}
const SERVER = {
  server: { url: 'https://api.acme.example', hosts: ['api.acme.example', 'login.acme.example'] },
}

let file: Awaited<ReturnType<typeof methodFile>>
let world: RunningService
beforeAll(async () => {
  file = await methodFile({ oauth: METHOD }, SERVER)
  world = await runService({ manifests: [file.path] })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await file[Symbol.asyncDispose]()
})

const remove = async (id: string): Promise<number> =>
  (await world.call('DELETE', `/v1/integrations/connectors/${id}`)).status

const revocations = () =>
  world
    .vendor('acme')
    .requests()
    .filter(({ operations }) => operations.includes('revoke'))

async function toldOf(id: string): Promise<readonly string[]> {
  const owner = { organizationId: 'default' }
  const events = await world.service.store.audit.list(owner, { instanceId: id, limit: 10 })
  return events
    .toReversed()
    .map(({ action, outcome }) => `${action} ${outcome}`)
    .filter((event) => /revoke|delete/.test(event))
}

test('the request is that of RFC 7009 section 2.1, byte by byte, and goes before the deletion', async () => {
  const credentials = {
    access_token: 'mF_9.B5f-4.1JqM',
    refresh_token: '45ghiukldjahdnhzdauz',
    client_id: 's6BhdRkqt3',
    client_secret: 'gX1fBat3bV',
  }
  const created = await world.call('POST', '/v1/integrations/connectors?check=false', {
    external_user_id: 'user-1',
    connector_type: 'acme',
    name: 'acme',
    credentials,
  })
  const { id } = created.body as { id: string }
  expect(await remove(id)).toBe(204)
  const [sent] = revocations()
  expect([sent?.method, sent?.target, sent?.headers, sent?.body]).toMatchObject([
    'POST',
    '/revoke',
    {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: 'Basic czZCaGRSa3F0MzpnWDFmQmF0M2JW',
    },
    'token=45ghiukldjahdnhzdauz&token_type_hint=refresh_token',
  ])
  expect(await toldOf(id)).toEqual(['instance.revoke done', 'instance.delete done'])
  expect(JSON.stringify(world.lines)).not.toContain('45ghiukldjahdnhzdauz')
})

test('the tokens work no longer at the vendor', async () => {
  const vendor = world.vendor('acme')
  const { access_token: token } = vendor.options().credentials as { access_token: string }
  const ask = async (): Promise<number> =>
    (await fetch(`${vendor.url}/things`, { headers: { authorization: `Bearer ${token}` } })).status
  const id = await world.connect('acme')
  expect(await ask()).toBe(200)
  expect(await remove(id)).toBe(204)
  expect(await ask()).toBe(401)
})

test.for([
  { name: 'fails', fault: { mode: 'status', status: 500 }, outcome: 'upstream_failed' },
  { name: 'refuses', fault: { mode: 'status', status: 403 }, outcome: 'upstream_forbidden' },
  { name: 'breaks off', fault: { mode: 'reset' }, outcome: 'upstream_unreachable' },
  { name: 'does not answer', fault: { mode: 'hang' }, outcome: 'upstream_timeout' },
  { name: 'answers what is no JSON', fault: { mode: 'html' }, outcome: 'done' },
] as const)('a vendor that $name does not keep the instance', async ({ fault, outcome }) => {
  const id = await world.connect('acme', {}, {}).catch(async () => {
    // The demo tokens were revoked by the test before.
    const { credentials } = world.vendor('acme').options()
    const { body } = await world.call('POST', '/v1/integrations/connectors?check=false', {
      external_user_id: 'user-1',
      connector_type: 'acme',
      name: 'acme',
      credentials,
    })
    return (body as { id: string }).id
  })
  world.vendor('acme').fail('revoke', fault)
  expect(await remove(id)).toBe(204)
  expect(await toldOf(id)).toEqual([`instance.revoke ${outcome}`, 'instance.delete done'])
  expect((await world.call('GET', `/v1/integrations/connectors/${id}`)).status).toBe(404)
})

test.runIf(IS_FULL)('a vendor is waited for five seconds at most', async () => {
  const { timeout: _, ...slow } = METHOD.revoke
  await using own = await methodFile({ oauth: { ...METHOD, revoke: slow } }, SERVER)
  await using other = await runService({ manifests: [own.path] })
  const id = await other.connect('acme')
  other.vendor('acme').fail('revoke', { mode: 'hang' })
  const from = performance.now()
  const { status } = await other.call('DELETE', `/v1/integrations/connectors/${id}`)
  const tookMs = performance.now() - from
  expect(status).toBe(204)
  expect(tookMs).toBeGreaterThan(4_000)
})

test.for([
  {
    name: 'a credential that there is not',
    change: { revoke: { ...METHOD.revoke, form: { token: '{{ credentials.refresh }}' } } },
    want: 'expression/unknown-path',
  },
  {
    name: 'a host that is not listed',
    change: { revoke: { http: 'DELETE https://elsewhere.example/keys' } },
    want: 'server/credentials-elsewhere',
  },
  {
    name: 'a look-up next to that of oauth2',
    change: { after_token: [{ request: { http: 'GET /me' }, store: { 'config.id': '$.id' } }] },
    want: 'schema',
  },
])('lint refuses $name', ({ change, want }) => {
  const [found = ''] = findingsOf({ oauth: { ...METHOD, ...change } }, SERVER)
  expect(found).toContain(want)
})
