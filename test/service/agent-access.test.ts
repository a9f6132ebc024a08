// How agents get tokens for /mcp: by the official client, which finds the way alone, from this service and from an
// OpenID provider.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../fixtures/postgres.ts'
import { type RunningService, runService } from '../fixtures/running-service.ts'

const REDIRECT = 'http://127.0.0.1:9/callback'

/** What an agent keeps, and where it sends its user. */
class Agent implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT
  readonly clientMetadata = { redirect_uris: [REDIRECT], client_name: 'Ada’s <agent>' }
  sentTo: URL | null = null
  kept: Record<string, unknown> = {}
  #verifier = ''

  state = () => 'state-1'
  clientInformation = () => this.kept['client'] as never
  saveClientInformation = (client: unknown) => void (this.kept['client'] = client)
  tokens = () => this.kept['tokens'] as never
  saveTokens = (tokens: unknown) => void (this.kept['tokens'] = tokens)
  redirectToAuthorization = (url: URL) => void (this.sentTo = url)
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier)
  codeVerifier = () => this.#verifier

  get accessToken(): string {
    return (this.kept['tokens'] as { access_token: string }).access_token
  }

  get refreshToken(): string {
    return (this.kept['tokens'] as { refresh_token: string }).refresh_token
  }
}

function hidden(page: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''
}

function posted(url: string, form: Record<string, string>, headers: Record<string, string> = {}) {
  return fetch(url, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
    headers,
  })
}

/** What a user does in a browser: gives the token and answers. The address that the agent is led to. */
async function agree(world: RunningService, sentTo: URL, token: string, answer = 'allow') {
  const first = await fetch(sentTo)
  const page = await first.text()
  expect([first.status, page]).toEqual([200, expect.stringContaining('Ada’s &lt;agent&gt;')])
  const second = await posted(`${world.url}/mcp/oauth/sign-in`, {
    request: hidden(page, 'request'),
    token,
  })
  const consent = hidden(await second.text(), 'consent')
  const cookie = second.headers.get('set-cookie')?.split(';')[0] ?? ''
  const third = await posted(
    `${world.url}/mcp/oauth/answer`,
    { consent, answer },
    { cookie, 'sec-fetch-site': 'same-origin' },
  )
  return { third, consent, location: new URL(third.headers.get('location') ?? 'none:') }
}

async function withoutToken(world: RunningService, agent: Agent) {
  const transport = new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), {
    authProvider: agent,
  })
  await expect(new Client({ name: 'test', version: '1' }).connect(transport)).rejects.toThrow()
  expect(agent.sentTo?.href).toContain('code_challenge_method=S256')
  return transport
}

async function described(world: RunningService, agent: Agent): Promise<string> {
  const client = new Client({ name: 'test', version: '1' })
  const url = new URL(`${world.url}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider: agent }))
  const { structuredContent } = await client.callTool({ name: 'describe', arguments: {} })
  await client.close()
  return JSON.stringify(structuredContent)
}

async function allowed(world: RunningService, wish: object = {}): Promise<Agent> {
  const agent = new Agent()
  const transport = await withoutToken(world, agent)
  const token = await world.scoped({ external_user_id: 'user-1', ...wish })
  const { location } = await agree(world, agent.sentTo ?? new URL('none:'), token)
  await transport.finishAuth(location.searchParams)
  return agent
}

const STORES = ['SQLite', 'PostgreSQL'] as const

/** A service that issues tokens to agents; null: there is no such database here. */
async function openOn(
  store: (typeof STORES)[number],
): Promise<(AsyncDisposable & { readonly world: RunningService }) | null> {
  const database = store === 'PostgreSQL' ? await createTestDatabase() : null
  if (store === 'PostgreSQL' && database === null) return null
  const world = await runService({
    mcpIssuer: 'self',
    ...(database !== null && { databaseUrl: database.url, masterKeys: [KEY] }),
  })
  return {
    world,
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]()
      await database?.drop()
    },
  }
}

/** The same on each store. */
function onStores(title: string, run: (world: RunningService) => Promise<void>): void {
  // oxlint-disable-next-line vitest/expect-expect -- what runs asserts
  test.for(STORES)(`${title}, on %s`, async (store, context) => {
    await using opened = await openOn(store)
    if (opened === null) return context.skip('there is no PostgreSQL')
    await run(opened.world)
  })
}

const KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`

test('the official client finds the way, registers, and acts for the user who agreed', async () => {
  await using world = await runService({ mcpIssuer: 'self' })
  await world.connect('jira', { external_user_id: 'user-1' })
  await world.connect('gong', { external_user_id: 'user-2' })
  const agent = await allowed(world)
  const told = await described(world, agent)
  expect([told.includes('jira'), told.includes('gong')]).toEqual([true, false])
  // The token is for /mcp alone.
  const elsewhere = await world.call('GET', '/v1/integrations/connectors', undefined, {
    as: agent.accessToken,
  })
  expect(elsewhere.status).toBe(401)
  // Tokens of the service still open the door.
  const own = await world.call(
    'POST',
    '/mcp',
    {},
    { as: await world.scoped({ external_user_id: 'user-1' }) },
  )
  expect(own.status).not.toBe(401)
})

onStores(
  'a refresh token is good for one use, and used twice it ends what was allowed',
  async (world) => {
    await world.connect('jira', { external_user_id: 'user-1' })
    const agent = await allowed(world)
    const { client_id: id } = agent.kept['client'] as { client_id: string }
    const refresh = (token: string) =>
      posted(`${world.url}/mcp/oauth/token`, {
        grant_type: 'refresh_token',
        refresh_token: token,
        client_id: id,
      })
    const first = agent.refreshToken
    const foreign = await posted(`${world.url}/mcp/oauth/token`, {
      grant_type: 'refresh_token',
      refresh_token: first,
      client_id: 'another',
    })
    expect(foreign.status).toBe(400)
    const renewed = await refresh(first)
    expect(renewed.status).toBe(200)
    agent.saveTokens(await renewed.json())
    expect(await described(world, agent)).toContain('jira')
    const again = await refresh(first)
    expect([again.status, await again.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_grant' }),
    ])
    const gone = await world.call('POST', '/mcp', {}, { as: agent.accessToken })
    expect(gone.status).toBe(401)
    expect((await refresh(agent.refreshToken)).status).toBe(400)
  },
)

test('L7 a code is good for one use, by its own client, address and verifier', async () => {
  await using world = await runService({ mcpIssuer: 'self' })
  await world.connect('jira', { external_user_id: 'user-1' })
  const agent = new Agent()
  await withoutToken(world, agent)
  const token = await world.scoped({ external_user_id: 'user-1' })
  const sentTo = agent.sentTo ?? new URL('none:')
  const { location } = await agree(world, sentTo, token)
  expect([location.searchParams.get('state'), location.searchParams.get('iss')]).toEqual([
    'state-1',
    world.url,
  ])
  const form = {
    grant_type: 'authorization_code',
    code: location.searchParams.get('code') ?? '',
    client_id: sentTo.searchParams.get('client_id') ?? '',
    redirect_uri: REDIRECT,
    code_verifier: agent.codeVerifier(),
  }
  const take = async (more: object) => {
    const answer = await posted(`${world.url}/mcp/oauth/token`, { ...form, ...more })
    return [answer.status, ((await answer.json()) as { error?: string }).error]
  }
  const wrong = [400, 'invalid_grant']
  expect(await take({ code_verifier: 'x'.repeat(43) })).toEqual(wrong)
  expect(await take({ client_id: 'another' })).toEqual(wrong)
  expect(await take({ redirect_uri: 'http://127.0.0.1:9/other' })).toEqual(wrong)
  expect(await take({ code: `${form.code.slice(0, -2)}AA` })).toEqual(wrong)
  expect(await take({ resource: 'https://elsewhere.example/mcp' })).toEqual([400, 'invalid_target'])
  expect(await take({ grant_type: 'password' })).toEqual([400, 'unsupported_grant_type'])
  const good = await posted(`${world.url}/mcp/oauth/token`, form)
  const { access_token: as } = (await good.json()) as { access_token: string }
  expect((await world.call('POST', '/mcp', {}, { as })).status).not.toBe(401)
  expect(await take({})).toEqual(wrong)
  expect((await world.call('POST', '/mcp', {}, { as })).status).toBe(401)
})

onStores('an agent gives up what it was allowed, and its access tokens', async (world) => {
  await world.connect('jira', { external_user_id: 'user-1' })
  const metadata = await (await fetch(`${world.url}/.well-known/oauth-authorization-server`)).json()
  const { revocation_endpoint: revocation } = metadata as { revocation_endpoint: string }
  expect(revocation).toBe(`${world.url}/mcp/oauth/revoke`)
  const agent = await allowed(world)
  const { client_id: id } = agent.kept['client'] as { client_id: string }
  const revoke = async (token: string, clientId = id): Promise<readonly [number, string]> => {
    const answer = await posted(revocation, { token, client_id: clientId })
    return [answer.status, await answer.text()]
  }
  const isOpen = async (): Promise<boolean> =>
    (await world.call('POST', '/mcp', {}, { as: agent.accessToken })).status !== 401
  // What is unknown has ended, and a refresh token is of its client alone.
  expect(await revoke('unknown')).toEqual([200, ''])
  expect([await revoke(agent.refreshToken, 'another'), await isOpen()]).toEqual([[200, ''], true])
  expect([await revoke(agent.accessToken), await isOpen()]).toEqual([[200, ''], false])
  const form = { grant_type: 'refresh_token', client_id: id }
  const renewed = await posted(`${world.url}/mcp/oauth/token`, {
    ...form,
    refresh_token: agent.refreshToken,
  })
  agent.saveTokens(await renewed.json())
  expect([await isOpen(), await revoke(agent.refreshToken), await isOpen()]).toEqual([
    true,
    [200, ''],
    false,
  ])
  const late = await posted(`${world.url}/mcp/oauth/token`, {
    ...form,
    refresh_token: agent.refreshToken,
  })
  expect(late.status).toBe(400)
  const without = await posted(revocation, { client_id: id })
  expect([without.status, await without.json()]).toMatchObject([400, { error: 'invalid_request' }])
})

test.for(['register', 'token', 'revoke'])(
  'a page may ask for %s from anywhere, without cookies',
  async (path) => {
    await using world = await runService({ mcpIssuer: 'self' })
    const url = `${world.url}/mcp/oauth/${path}`
    const origin = 'https://inspector.example'
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    })
    const of = ({ headers }: Response, name: string) => headers.get(`access-control-allow-${name}`)
    expect([
      preflight.status,
      of(preflight, 'origin'),
      of(preflight, 'methods'),
      of(preflight, 'headers'),
      of(preflight, 'credentials'),
    ]).toEqual([204, '*', 'POST', expect.stringContaining('content-type'), null])
    const refused = await posted(url, {}, { origin })
    await refused.body?.cancel()
    expect([refused.status >= 400, of(refused, 'origin')]).toEqual([true, '*'])
  },
)

onStores('what ends the tokens of a user ends those of the agents', async (world) => {
  await world.connect('jira', { external_user_id: 'user-1' })
  const agent = await allowed(world)
  const application = await world.service.tokens.authenticate(`Bearer ${world.token}`)
  await world.service.tokens.revoke(application, { externalUserId: 'user-1' })
  expect((await world.call('POST', '/mcp', {}, { as: agent.accessToken })).status).toBe(401)
})

test('what the token of the user is narrowed to holds for the agent', async () => {
  await using world = await runService({ mcpIssuer: 'self' })
  await world.connect('jira', { external_user_id: 'user-1' })
  await world.connect('gong', { external_user_id: 'user-1' })
  const told = await described(world, await allowed(world, { connector_types: ['gong'] }))
  expect([told.includes('jira'), told.includes('gong')]).toEqual([false, true])
})

test('L8 a user who refuses, another browser, another page and a wrong token give no code', async () => {
  await using world = await runService({ mcpIssuer: 'self' })
  const agent = new Agent()
  await withoutToken(world, agent)
  const sentTo = agent.sentTo ?? new URL('none:')
  const token = await world.scoped({ external_user_id: 'user-1' })
  const { location, consent } = await agree(world, sentTo, token, 'refuse')
  expect([location.searchParams.get('error'), location.searchParams.get('code')]).toEqual([
    'access_denied',
    null,
  ])
  const answer = `${world.url}/mcp/oauth/answer`
  const given = { consent, answer: 'allow' }
  expect((await posted(answer, given)).status).toBe(403)
  const cookie = `tenon-agent=${'a'.repeat(43)}`
  expect((await posted(answer, given, { cookie })).status).toBe(403)
  expect((await posted(answer, given, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  const request = hidden(await (await fetch(sentTo)).text(), 'request')
  const signIn = async (text: string) =>
    (await posted(`${world.url}/mcp/oauth/sign-in`, { request, token: text })).status
  expect([await signIn('wrong'), await signIn(world.token)]).toEqual([422, 422])
})

test.for([
  { change: { client_id: 'unknown' }, status: 400, error: null },
  { change: { redirect_uri: 'https://evil.example/' }, status: 400, error: null },
  { change: { response_type: 'token' }, status: 303, error: 'unsupported_response_type' },
  { change: { code_challenge_method: 'plain' }, status: 303, error: 'invalid_request' },
  { change: { code_challenge: '' }, status: 303, error: 'invalid_request' },
  { change: { resource: 'https://elsewhere.example' }, status: 303, error: 'invalid_target' },
])('a request with $change is answered $status', async ({ change, status, error }) => {
  await using world = await runService({ mcpIssuer: 'self' })
  const agent = new Agent()
  await withoutToken(world, agent)
  const url = new URL(agent.sentTo ?? 'none:')
  for (const [name, value] of Object.entries(change)) url.searchParams.set(name, value)
  const answer = await fetch(url, { redirect: 'manual' })
  const led = URL.parse(answer.headers.get('location') ?? '')
  expect([answer.status, led?.searchParams.get('error') ?? null]).toEqual([status, error])
})

test('the page of the host app is where a user signs in, and brings a token back', async () => {
  await using world = await runService({
    mcpIssuer: 'self',
    mcpSignInUrl: 'https://app.example.com/agents?from=tenon',
  })
  const agent = new Agent()
  await withoutToken(world, agent)
  const page = await (await fetch(agent.sentTo ?? 'none:')).text()
  const link = new URL((/href="([^"]+)"/.exec(page)?.[1] ?? 'none:').replaceAll('&amp;', '&'))
  expect([link.origin, link.searchParams.get('from')]).toEqual(['https://app.example.com', 'tenon'])
  const signedIn = await posted(
    link.searchParams.get('return_url') ?? 'none:',
    {
      request: link.searchParams.get('request') ?? '',
      token: await world.scoped({ external_user_id: 'user-1' }),
    },
    { origin: 'https://app.example.com' },
  )
  expect([signedIn.status, await signedIn.text()]).toEqual([
    200,
    expect.stringContaining('<strong>user-1</strong>'),
  ])
})

test('L8 clients register addresses that answers may go to, and no others', async () => {
  await using world = await runService({ mcpIssuer: 'self' })
  const register = async (redirect: unknown) =>
    (await world.call('POST', '/mcp/oauth/register', { redirect_uris: redirect }, { as: null }))
      .status
  expect(
    await register(['https://agent.example/cb', 'http://localhost:1/cb', 'cursor://x/y']),
  ).toBe(201)
  for (const wrong of [
    'http://agent.example/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://a.example/#x',
    'https://user@a.example/',
    'none',
  ])
    expect([wrong, await register([wrong])]).toEqual([wrong, 400])
  expect([await register([]), await register(undefined)]).toEqual([400, 400])
})

test('without an issuer nothing is told and nothing is open', async () => {
  await using world = await runService()
  const asked = await world.call('POST', '/mcp', {}, { as: null })
  expect([asked.status, asked.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  for (const path of [
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-authorization-server',
    '/mcp/oauth/authorize',
  ])
    expect((await world.call('GET', path, undefined, { as: null })).status).toBe(404)
})

test('L7 tokens of an OpenID provider are taken, if they are for /mcp, of it, and signed by its keys', async () => {
  const mine = await generateKeyPair('ES256')
  const other = await generateKeyPair('ES256')
  const keys = { keys: [{ ...(await exportJWK(mine.publicKey)), kid: 'k1', alg: 'ES256' }] }
  const provider = createServer(({ url }, response) => {
    const isDiscovery = url === '/.well-known/openid-configuration'
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(isDiscovery ? { issuer, jwks_uri: `${issuer}/keys` } : keys))
  })
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  await using world = await runService({ mcpIssuer: issuer, mcpUserClaim: 'email' })
  await world.connect('jira', { external_user_id: 'ada@example.com' })
  const good: JWTPayload = {
    iss: issuer,
    aud: `${world.url}/mcp`,
    email: 'ada@example.com',
    exp: Math.floor(Date.now() / 1000) + 600,
  }
  const tokenOf = (payload: JWTPayload, key = mine.privateKey) =>
    new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: 'k1' }).sign(key)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${await tokenOf(good)}` } },
    }),
  )
  const { structuredContent } = await client.callTool({ name: 'describe', arguments: {} })
  expect(JSON.stringify(structuredContent)).toContain('jira')
  await client.close()
  const { exp: _, ...lasting } = good
  const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(good)).toString('base64url')}.`
  for (const [name, token] of Object.entries({
    'for elsewhere': await tokenOf({ ...good, aud: 'https://elsewhere.example/mcp' }),
    'of another issuer': await tokenOf({ ...good, iss: 'https://evil.example' }),
    over: await tokenOf({ ...good, exp: 1 }),
    'without an end': await tokenOf(lasting),
    'without a user': await tokenOf({ ...good, email: '' }),
    'by another key': await tokenOf(good, other.privateKey),
    unsigned: none,
  })) {
    const answer = await world.call('POST', '/mcp', {}, { as: token })
    expect([name, answer.status]).toEqual([name, 401])
  }
  // It is a token for /mcp alone, and the metadata names the provider.
  const elsewhere = await world.call('GET', '/v1/integrations/connectors', undefined, {
    as: await tokenOf(good),
  })
  expect(elsewhere.status).toBe(401)
  const metadata = await world.call('GET', '/.well-known/oauth-protected-resource/mcp')
  expect(metadata.body).toMatchObject({
    resource: `${world.url}/mcp`,
    authorization_servers: [issuer],
  })
  provider.closeAllConnections()
  provider.close()
})
