// A vendor whose app acts as a bot or as a person: both consents walked on the connect page, refreshed, and their webhooks
// matched. Source of the answers: docs.slack.dev, oauth.v2.access and "Using token rotation". And a vendor with a consent of
// OAuth 1.0a next to one of OAuth 2.0.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { methodFile } from '../../fixtures/method-manifest.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'
import { METHOD, SERVER } from './signed-set-up.ts'

const RETURN = 'http://localhost:3000/connected'
const SECRET = 'the-signing-secret'

let world: RunningService
beforeAll(async () => {
  world = await runService({
    connectors: ['slack', 'gong'],
    webhookSecrets: { slack: { secret: [SECRET] } },
  })
})
afterAll(() => world[Symbol.asyncDispose]())

interface Seen {
  readonly status: number
  readonly location: string
  readonly text: string
  readonly cookie: string | undefined
}

async function visit(
  url: string,
  { form, cookie }: { form?: Record<string, string>; cookie?: string } = {},
): Promise<Seen> {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: cookie === undefined ? {} : { cookie },
    ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
  })
  return {
    status: response.status,
    location: response.headers.get('location') ?? '',
    text: await response.text(),
    cookie: response.headers.get('set-cookie')?.split(';')[0],
  }
}

async function openPage(user: string): Promise<string> {
  const { body } = await world.call('POST', '/v1/connect/sessions', {
    external_user_id: user,
    connector_types: ['slack'],
    return_url: RETURN,
  })
  return (body as { readonly connect_url: string }).connect_url
}

/** Walks the consent of one way; the address of the vendor's page, and the instance that was made. */
async function agree(user: string, way: string) {
  const url = await openPage(user)
  const leaving = await visit(url, { form: { connector: 'slack', way } })
  const begun = await visit(/url=(http[^"]+)"/.exec(leaving.text)?.[1] ?? '')
  const agreed = await visit(begun.location)
  const cookie = [leaving.cookie, begun.cookie].filter(Boolean).join('; ')
  const back = await visit(agreed.location, { cookie })
  await visit(back.location, { cookie })
  const { body } = await world.call('GET', `/v1/integrations/connectors?external_user_id=${user}`)
  const [instance] = (body as { readonly data: readonly Record<string, unknown>[] }).data
  return { page: new URL(begun.location).searchParams, instance: instance ?? {} }
}

async function execute(id: unknown, entity: string, action: string, params: object = {}) {
  const path = `/api/v1/connectors/sources/${String(id)}/execute`
  return await world.call('POST', path, { entity, action, params })
}

/** The tokens that calls of one operation carried, in order. */
const tokensOf = (operation: string) =>
  world
    .vendor('slack')
    .requests(operation)
    .map(({ headers }) => headers['authorization'])

test('the connect page offers both consents of one app', async () => {
  const { text } = await visit(await openPage('user-ways'))
  expect(text).toContain('Sign in with Slack: As a bot')
  expect(text).toContain('Sign in with Slack: As a person')
})

test.for([
  {
    way: 'oauth',
    param: 'scope',
    other: 'user_scope',
    asks: ['channels:manage', 'channels:join', 'chat:write.customize'],
    without: ['search:read', 'users.profile:write', 'channels:write'],
    begins: /^Bearer xoxb-/,
  },
  {
    way: 'oauth_user',
    param: 'user_scope',
    other: 'scope',
    asks: ['channels:write', 'search:read', 'users.profile:write'],
    without: ['channels:manage', 'channels:join', 'chat:write.customize'],
    begins: /^Bearer xoxp-/,
  },
])(
  '$way: page, consent, tokens, first call, refresh, webhook of the team',
  async ({ way, param, other, asks, without, begins }) => {
    const user = `user-${way}`
    const { page, instance } = await agree(user, way)
    const scopes = (page.get(param) ?? '').split(',')
    expect(page.has(other)).toBe(false)
    expect(scopes).toEqual(expect.arrayContaining(asks))
    expect(scopes.filter((scope) => without.includes(scope))).toEqual([])
    expect(instance).toMatchObject({
      state: 'active',
      auth_method: way,
      config: { team_id: 'T07TALLOW' },
    })

    const before = tokensOf('conversations.list').length
    expect((await execute(instance['id'], 'conversations', 'list')).status).toBe(200)
    world.vendor('slack').expireTokens()
    expect((await execute(instance['id'], 'conversations', 'list')).status).toBe(200)
    // The refresh token is spent: the next one comes of the refresh.
    world.vendor('slack').expireTokens()
    expect((await execute(instance['id'], 'conversations', 'list')).status).toBe(200)
    const tokens = [...new Set(tokensOf('conversations.list').slice(before))]
    expect(tokens).toHaveLength(3)
    for (const token of tokens) expect(token).toMatch(begins)

    const event = {
      type: 'event_callback',
      event_id: `Ev-${way}`,
      team_id: 'T07TALLOW',
      event: { type: 'app_mention', channel: 'C1', ts: '1.0' },
    }
    const sent = { url: `${world.url}/v1/vendor-webhooks/slack`, event, secret: SECRET }
    expect((await world.vendor('slack').webhook(sent)).status).toBe(200)
    const { body } = await world.call('GET', '/v1/events?limit=200')
    const told = (body as { readonly data: readonly { readonly type: string; data: object }[] })
      .data
    expect(
      told.filter(({ type }) => type === 'vendor.event').map(({ data }) => data),
    ).toContainEqual(
      expect.objectContaining({ connector_id: instance['id'], vendor_event_id: `Ev-${way}` }),
    )
    const elsewhere = { ...sent, event: { ...event, event_id: 'Ev-other', team_id: 'T0OTHER' } }
    expect((await world.vendor('slack').webhook(elsewhere)).status).toBe(404)
  },
)

test('what only persons may do is refused to the bot, and channels are managed by both', async () => {
  const bot = await agree('user-bot', 'oauth')
  const person = await agree('user-person', 'oauth_user')
  const search = { query: 'invoice' }
  const refused = await execute(bot.instance['id'], 'messages', 'api_search', search)
  expect([refused.status, refused.body]).toEqual([
    424,
    expect.objectContaining({ code: 'upstream_forbidden' }),
  ])
  expect((await execute(person.instance['id'], 'messages', 'api_search', search)).status).toBe(200)
  for (const { instance } of [bot, person]) {
    const name = `made-by-${String(instance['auth_method']).replace('_', '-')}`
    expect((await execute(instance['id'], 'conversations', 'create', { name })).status).toBe(200)
  }
})

test('a host app names the method, and is told which there are', async () => {
  const begin = async (type: string, method: string) =>
    await world.call('POST', '/v1/integrations/connectors/oauth/initiate', {
      external_user_id: 'user-1',
      connector_type: type,
      auth_method: method,
      redirect_url: RETURN,
    })
  const started = await begin('slack', 'oauth_user')
  const { location } = await visit((started.body as { consent_url: string }).consent_url)
  expect(new URL(location).searchParams.has('user_scope')).toBe(true)
  const wrong = await begin('slack', 'bot_token')
  expect([wrong.status, (wrong.body as { errors: unknown }).errors]).toEqual([
    400,
    [expect.objectContaining({ pointer: '/auth_method', allowed: ['oauth', 'oauth_user'] })],
  ])
})

/** With names of its own for state and code, so that its answer is no answer of the other method. */
const CODE_METHOD = {
  credentials: {
    required: ['refresh_token'],
    properties: {
      access_token: { type: 'string', writeOnly: true },
      refresh_token: { type: 'string', writeOnly: true },
    },
  },
  apply: { bearer: '{{ credentials.access_token }}' },
  oauth2: {
    authorize: {
      url: 'https://acme.example/oauth2/authorize',
      names: { state: 'st', code: 'grant' },
      store: { 'config.realm_id': '$callback.realmId' },
    },
    token: { url: 'https://api.acme.example/oauth2/token' },
    store: { 'config.user_id': '$.user_id' },
  },
}
const SIGNED_METHOD = { ...METHOD, oauth1: { ...METHOD.oauth1, same_client: true } }

test.for([
  { first: 'oauth', auth: { oauth: CODE_METHOD, signed: SIGNED_METHOD } },
  {
    first: 'signed',
    auth: {
      signed: METHOD,
      oauth: { ...CODE_METHOD, oauth2: { ...CODE_METHOD.oauth2, same_client: true } },
    },
  },
])('consents of both protocols, $first first: each by its name', async ({ first, auth }) => {
  await using file = await methodFile(auth, SERVER)
  await using acme = await runService({ manifests: [file.path], connectors: ['acme'] })
  /** What the host app is told at the end of a consent; `more` goes to the vendor's page. */
  const consent = async (method: string | undefined, more = ''): Promise<URLSearchParams> => {
    const started = await acme.call('POST', '/v1/integrations/connectors/oauth/initiate', {
      external_user_id: 'user-44',
      connector_type: 'acme',
      redirect_url: RETURN,
      ...(method !== undefined && { auth_method: method }),
    })
    const begun = await visit((started.body as { consent_url: string }).consent_url)
    const agreed = await visit(begun.location + more)
    const { location } = await visit(agreed.location, { cookie: begun.cookie ?? '' })
    return new URL(location).searchParams
  }
  const ways = [
    { method: undefined, want: first },
    { method: 'oauth', want: 'oauth' },
    { method: 'signed', want: 'signed' },
  ]
  for (const { method, want } of ways) {
    const created = await acme.call('POST', '/v1/integrations/connectors', {
      external_user_id: 'user-44',
      connector_type: 'acme',
      name: `by ${method ?? 'the first'}`,
      server_side_oauth_secret_id: (await consent(method)).get('secret_id'),
    })
    expect([created.status, created.body]).toMatchObject([
      201,
      { state: 'active', auth_method: want, config: { realm_id: 'demo-realm-id' } },
    ])
    const { id } = created.body as { id: string }
    const path = `/api/v1/connectors/sources/${id}/execute`
    const listed = await acme.call('POST', path, { entity: 'things', action: 'list' })
    expect(listed.status).toBe(200)
    const call = acme.vendor('acme').requests('things.list').at(-1)
    expect(call?.headers['authorization']).toMatch(want === 'signed' ? /^OAuth / : /^Bearer /)
    expect((await consent(method, '&sandbox_consent=deny')).get('error')).toBe('access_denied')
  }

  const session = await acme.call('POST', '/v1/connect/sessions', {
    external_user_id: 'user-45',
    connector_types: ['acme'],
    return_url: RETURN,
  })
  const { text } = await visit((session.body as { connect_url: string }).connect_url)
  expect(text).toContain('Sign in with Acme: oauth')
  expect(text).toContain('Sign in with Acme: signed')
})
