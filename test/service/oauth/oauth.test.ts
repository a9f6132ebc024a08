// The server-side OAuth flow as document and browser see it: initiate, consent, callback, create.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningService, runService } from '../../fixtures/running-service.ts'

let world: RunningService
let folder: string
let pkceManifest: string

beforeAll(async () => {
  world = await runService()
  folder = await mkdtemp(join(tmpdir(), 'tenon-pkce-'))
  pkceManifest = join(folder, 'pkce.yaml')
  await writeFile(pkceManifest, PKCE)
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const PKCE = `
manifest: 1
connector: { type: pkce, title: Pkce, version: 1.0.0 }
server: { url: https://api.pkce.example }
auth:
  oauth:
    credentials:
      required: [access_token]
      properties:
        access_token: { type: string, writeOnly: true }
        refresh_token: { type: string, writeOnly: true }
    apply: { bearer: "{{ credentials.access_token }}" }
    oauth2:
      authorize: { url: https://login.pkce.example/authorize, scopes: [read] }
      token: { url: https://login.pkce.example/token, client_auth: body }
check: { entity: things, action: list }
entities:
  things:
    record: { properties: { id: { type: string } } }
    actions:
      list:
        summary: List things
        request: { http: GET /things }
        response: { records: $.things }
        pagination: { type: none, reason: there are few }
`

const REDIRECT = 'http://localhost:3000/connected'

async function initiate(type: string, more: object = {}) {
  const answer = await world.call('POST', '/v1/integrations/connectors/oauth/initiate', {
    external_user_id: 'user-42',
    connector_type: type,
    redirect_url: REDIRECT,
    ...more,
  })
  return answer
}

const consentUrl = async (type: string, more: object = {}): Promise<string> =>
  ((await initiate(type, more)).body as { consent_url: string }).consent_url

/** A browser that follows no redirect by itself. */
async function visit(url: string, cookie?: string) {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: cookie === undefined ? {} : { cookie },
  })
  const set = response.headers.get('set-cookie')
  return {
    status: response.status,
    location: response.headers.get('location'),
    cookie: set === null ? undefined : set.split(';')[0],
    setCookie: set,
    text: await response.text(),
    headers: response.headers,
  }
}

/** From the link to the address that the third party sends the browser back to. */
async function consented(type: string, more: object = {}) {
  const begun = await visit(await consentUrl(type, more))
  const agreed = await visit(begun.location ?? '')
  return { callback: agreed.location ?? '', cookie: begun.cookie ?? '' }
}

async function secretFor(type: string, more: object = {}): Promise<string> {
  const { callback, cookie } = await consented(type, more)
  const back = await visit(callback, cookie)
  return new URL(back.location ?? '').searchParams.get('secret_id') ?? ''
}

const create = (type: string, secret: string, more: object = {}) =>
  world.call('POST', '/v1/integrations/connectors', {
    external_user_id: 'user-42',
    connector_type: type,
    name: 'by consent',
    server_side_oauth_secret_id: secret,
    ...more,
  })

describe('the four steps', () => {
  test.for([
    [
      'gong',
      {},
      { auth_method: 'oauth', config: { api_base_url: 'https://us-12345.api.gong.io' } },
    ],
    ['jira', { config: { subdomain: 'tallow-demo' } }, { auth_method: 'oauth' }],
    [
      'facebook-marketing',
      { replication_config: { account_ids: '1001' } },
      { auth_method: 'oauth' },
    ],
  ] as const)('%s ends in an active instance', async ([type, more, wanted]) => {
    const config = 'config' in more ? { config: more.config } : {}
    const secret = await secretFor(type, config)
    expect(secret).toMatch(/^tenon_os_[0-9A-Za-z]{49}$/)
    const answer = await create(type, secret, more)
    expect([answer.status, answer.body]).toEqual([
      201,
      expect.objectContaining({
        state: 'active',
        connector_type: type,
        last_checked_at: expect.stringMatching(/Z$/),
        ...wanted,
      }),
    ])
  })

  test('the answer of initiate, and a consent at our own origin that binds the browser', async () => {
    const answer = await initiate('gong')
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        consent_url: expect.stringMatching(
          new RegExp(`^${world.url}/v1/oauth/consent/[\\w-]{43}$`),
        ),
        expires_at: expect.any(String),
      },
    ])
    const begun = await visit((answer.body as { consent_url: string }).consent_url)
    expect([begun.status, begun.setCookie, begun.headers.get('referrer-policy')]).toEqual([
      303,
      expect.stringMatching(
        /^tenon-oauth=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
      'no-referrer',
    ])
    const url = new URL(begun.location ?? '')
    expect([url.origin, Object.fromEntries(url.searchParams)]).toEqual([
      world.vendor('gong').url,
      {
        response_type: 'code',
        client_id: world.vendor('gong').client.id,
        redirect_uri: `${world.url}/v1/oauth/callback/gong`,
        scope: expect.stringMatching(/^api:users:read /),
        state: expect.stringMatching(/^[\w-]{43}$/),
      },
    ])
  })

  test.for([
    ['jira', 'scope=offline_access%20read%3Ajira-work%20write%3Ajira-work%20read%3Ajira-user&'],
    [
      'gong',
      'scope=api%3Ausers%3Aread%20api%3Acalls%3Aread%3Abasic%20api%3Acalls%3Aread%3Aextensive%20api%3Acalls%3Aread%3Amedia-url%20api%3Aworkspaces%3Aread%20api%3Acalls%3Aread%3Atranscript%20api%3Astats%3Auser-actions%20api%3Astats%3Auser-actions%3Adetailed%20api%3Astats%3Ainteraction%20api%3Asettings%3Ascorecards%3Aread%20api%3Asettings%3Atrackers%3Aread%20api%3Alibrary%3Aread%20api%3Acoaching%3Aread%20api%3Astats%3Ascorecards&',
    ],
    ['facebook-marketing', 'scope=ads_read%2Cads_management%2Cbusiness_management&'],
  ] as const)(
    '%s is asked for the scopes of the method and of every action',
    async ([type, scope]) => {
      const { location } = await visit(await consentUrl(type))
      expect(location).toContain(scope)
    },
  )

  test('what was granted is enough for every action', async () => {
    const secret = await secretFor('jira', { config: { subdomain: 'tallow-demo' } })
    const made = await create('jira', secret, { config: { subdomain: 'tallow-demo' } })
    const { id, granted_scopes: granted } = made.body as { id: string; granted_scopes: unknown }
    expect(granted).toEqual([
      'offline_access',
      'read:jira-work',
      'write:jira-work',
      'read:jira-user',
    ])
    const described = await world.call('GET', `/v1/integrations/connectors/${id}/describe`)
    const { entities } = described.body as {
      entities: readonly { entity: string; actions: readonly { action: string }[] }[]
    }
    expect(entities.map(({ entity, actions }) => [entity, actions.length])).toEqual([
      ['issues', 5],
      ['projects', 2],
      ['users', 3],
      ['issue_fields', 2],
      ['issue_comments', 5],
      ['issue_worklogs', 2],
      ['issues_assignee', 1],
    ])
  })

  test('O1 PKCE with S256 where the manifest does not say no', async () => {
    await using own = await runService({ manifests: [pkceManifest] })
    const answer = await own.call('POST', '/v1/integrations/connectors/oauth/initiate', {
      external_user_id: 'user-42',
      connector_type: 'pkce',
      redirect_url: REDIRECT,
    })
    const begun = await visit((answer.body as { consent_url: string }).consent_url)
    const query = new URL(begun.location ?? '').searchParams
    // The local vendor refuses a consent without challenge, and a code whose verifier does not fit.
    const agreed = await visit(begun.location ?? '')
    const back = await visit(agreed.location ?? '', begun.cookie)
    expect([
      query.get('code_challenge_method'),
      query.get('code_challenge'),
      new URL(back.location ?? '').searchParams.get('secret_id'),
    ]).toEqual(['S256', expect.stringMatching(/^[\w-]{43}$/), expect.stringMatching(/^tenon_os_/)])
  })

  test('the state of the host app comes back', async () => {
    const { callback, cookie } = await consented('gong', { state: 'mine & yours' })
    const back = new URL((await visit(callback, cookie)).location ?? '')
    expect([back.origin + back.pathname, back.searchParams.get('state')]).toEqual([
      REDIRECT,
      'mine & yours',
    ])
  })
})

describe('O1, O3 a callback that belongs to no consent of this browser', () => {
  test.for([
    ['without cookie', (url: string) => visit(url)],
    ['with another cookie', (url: string) => visit(url, `tenon-oauth=${'a'.repeat(43)}`)],
    [
      'with another state',
      (url: string, cookie: string) =>
        visit(url.replace(/state=[\w-]+/, `state=${'b'.repeat(43)}`), cookie),
    ],
    [
      'without state',
      (url: string, cookie: string) => visit(url.replace(/&?state=[\w-]+/, ''), cookie),
    ],
    [
      'at the path of another connector',
      (url: string, cookie: string) =>
        visit(url.replace('/callback/gong', '/callback/jira'), cookie),
    ],
  ] as const)('%s is a plain page, no redirect', async ([, attempt]) => {
    const { callback, cookie } = await consented('gong')
    const answer = await attempt(callback, cookie)
    expect([answer.status, answer.location, answer.headers.get('content-type')]).toEqual([
      400,
      null,
      'text/html; charset=utf-8',
    ])
    expect(answer.text).toContain('This link is over')
  })

  test('of 100 equal callbacks one exchanges the code', async () => {
    const before = world.vendor('gong').requests('oauth.token').length
    const { callback, cookie } = await consented('gong')
    const answers = await Promise.all(Array.from({ length: 100 }, () => visit(callback, cookie)))
    expect([
      answers.filter(({ status }) => status === 303).length,
      answers.filter(({ status }) => status === 400).length,
      world.vendor('gong').requests('oauth.token').length - before,
    ]).toEqual([1, 99, 1])
  })

  test('O5 the first browser to open the link wins', async () => {
    const url = await consentUrl('gong')
    const first = await visit(url)
    const second = await visit(url)
    const reload = await visit(url, first.cookie)
    expect([first.status, second.status, reload.status]).toEqual([303, 400, 303])
  })

  test.for(['c'.repeat(43), 'short', '..%2f..'])('an unknown ticket %s', async (ticket) => {
    const answer = await visit(`${world.url}/v1/oauth/consent/${ticket}`)
    expect([answer.status, answer.location]).toEqual([400, null])
  })
})

describe('O3 iss tells who answered', () => {
  const ISSUER = 'https://issuer.pkce.example/tenant'

  /** A callback of a service with the manifest above, as it is changed, and what the browser is sent back with. */
  async function answered(manifest: string, change: (callback: URL) => void): Promise<unknown> {
    const path = join(await mkdtemp(join(folder, 'issuer-')), 'pkce.yaml')
    await writeFile(path, manifest)
    await using own = await runService({ manifests: [path], connectors: ['pkce'] })
    const answer = await own.call('POST', '/v1/integrations/connectors/oauth/initiate', {
      external_user_id: 'user-42',
      connector_type: 'pkce',
      redirect_url: REDIRECT,
    })
    const begun = await visit((answer.body as { consent_url: string }).consent_url)
    const agreed = await visit(begun.location ?? '')
    const callback = new URL(agreed.location ?? '')
    change(callback)
    const back = new URL((await visit(callback.href, begun.cookie)).location ?? '')
    const again = await visit(callback.href, begun.cookie)
    const rows = await own.service.store.audit.list({ organizationId: 'default' }, { limit: 100 })
    return {
      back: back.searchParams.has('secret_id') ? 'secret' : back.searchParams.get('error'),
      again: again.status,
      refused: rows.filter(({ action }) => action === 'oauth.refuse').map(({ outcome }) => outcome),
    }
  }

  const declared = PKCE.replace('scopes: [read] }', `scopes: [read], issuer: "${ISSUER}" }`)
  const USED = { back: 'secret', again: 400, refused: [] }
  const REFUSED = { back: 'upstream_error', again: 400, refused: ['issuer_refused'] }

  test.for<[string, string, (callback: URL) => void, unknown]>([
    ['the declared one is used', declared, () => {}, USED],
    [
      'another one than the declared one',
      declared,
      ({ searchParams }) => searchParams.set('iss', 'https://evil.example'),
      REFUSED,
    ],
    [
      'the declared one in another spelling',
      declared,
      ({ searchParams }) => searchParams.set('iss', `${ISSUER}/`),
      REFUSED,
    ],
    [
      'none, although one is declared',
      declared,
      ({ searchParams }) => searchParams.delete('iss'),
      REFUSED,
    ],
    [
      'a refusal in the name of another one',
      declared,
      ({ searchParams }) => {
        searchParams.delete('code')
        searchParams.set('error', 'access_denied')
        searchParams.set('iss', 'https://evil.example')
      },
      REFUSED,
    ],
    ['none, where none is declared, is used', PKCE, () => {}, USED],
    [
      'one of another origin, where none is declared',
      PKCE,
      ({ searchParams }) => searchParams.set('iss', 'https://evil.example'),
      REFUSED,
    ],
  ])('O3 %s', async ([, manifest, change, want]) => {
    expect(await answered(manifest, change)).toEqual(want)
  })
})

describe('what goes wrong at the third party', () => {
  test('O6 its words are never echoed', async () => {
    const { callback, cookie } = await consented('gong')
    const url = new URL(callback)
    url.searchParams.delete('code')
    url.searchParams.set('error', 'access_denied')
    url.searchParams.set('error_description', '<script>alert(1)</script>')
    const back = new URL((await visit(url.href, cookie)).location ?? '')
    expect(Object.fromEntries(back.searchParams)).toEqual({
      error: 'access_denied',
      error_description: 'The user did not agree.',
    })
  })

  test('a token endpoint that fails sends the user back with upstream_error', async () => {
    world.vendor('gong').fail('oauth.token', { mode: 'status', status: 500, times: 1 })
    const { callback, cookie } = await consented('gong')
    const back = new URL((await visit(callback, cookie)).location ?? '')
    expect([back.origin + back.pathname, back.searchParams.get('error')]).toEqual([
      REDIRECT,
      'upstream_error',
    ])
  })
})

describe('O2 redirect_url', () => {
  test.for([
    'https://evil.example/connected',
    'http://localhost:3000/connected/',
    'http://localhost:3000/Connected',
    'http://localhost:3000/connected?x=1',
    'http://localhost:3000/connected#x',
    'http://localhost:3000/connected%2f',
    'http://localhost.:3000/connected',
    'http://user@localhost:3000/connected',
    'http://localhost:3001/connected',
    'http://LOCALHOST:3000/connected',
    'https://localhost:3000/connected',
    'http://127.0.0.1:3000/connected',
    'http://localhost:3000/../connected',
    'http://localhost:3000/connected ',
    'javascript:alert(1)',
    '//localhost:3000/connected',
    'http://localhost:3000/connected?secret_id=1',
    'http://app.localhost:3000/connected',
    'http://localhost:3000.evil.example/connected',
    'http://localhost:3000\\@evil.example/connected',
  ])('%s is refused', async (url) => {
    const answer = await initiate('gong', { redirect_url: url })
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.objectContaining({ code: 'redirect_url_refused' }),
    ])
  })
})

describe('O4 the secret', () => {
  test('of 100 creates at once one makes an instance', async () => {
    const secret = await secretFor('gong')
    const answers = await Promise.all(Array.from({ length: 100 }, () => create('gong', secret)))
    const statuses = answers.map(({ status }) => status)
    expect([
      statuses.filter((status) => status === 201).length,
      statuses.filter((status) => status === 409).length,
    ]).toEqual([1, 99])
  })

  test('opens for no other user, type or organisation', async () => {
    const secret = await secretFor('gong')
    const user = await create('gong', secret, { external_user_id: 'somebody-else' })
    const type = await create('jira', secret, { config: { subdomain: 'tallow-demo' } })
    const unknown = await create('gong', `tenon_os_${'A'.repeat(49)}`)
    const known = (status: number) => [
      status,
      expect.objectContaining({ code: 'oauth_secret_unknown' }),
    ]
    expect([
      [user.status, user.body],
      [type.status, type.body],
      [unknown.status, unknown.body],
    ]).toEqual([known(404), known(404), known(404)])
  })

  test('is not used up by settings that are wrong, whenever that is found out', async () => {
    const ads = await secretFor('facebook-marketing')
    const without = await create('facebook-marketing', ads)
    const right = await create('facebook-marketing', ads, {
      replication_config: { account_ids: '1101' },
    })
    // Which sites there are is asked of the third party, with the tokens of the consent.
    const jira = await secretFor('jira', { config: { subdomain: 'tallow-demo' } })
    const site = await create('jira', jira, { config: { subdomain: 'elsewhere' } })
    const mended = await create('jira', jira, { config: { subdomain: 'tallow-demo' } })
    const again = await create('jira', jira, { config: { subdomain: 'tallow-demo' } })
    expect(
      [without, right, site, mended, again].map(({ status, body }) => [
        status,
        (body as { readonly code?: string }).code ?? 'made',
      ]),
    ).toEqual([
      [400, 'config_invalid'],
      [201, 'made'],
      [400, 'config_invalid'],
      [201, 'made'],
      [409, 'oauth_secret_used'],
    ])
  })

  test('re-authenticates with the settings that its consent began with, and keeps the others', async () => {
    const first = await create('facebook-marketing', await secretFor('facebook-marketing'), {
      config: { account_ids: '1101', api_version: 'v23.0' },
    })
    const { id } = first.body as { id: string }
    const again = async (settings: object): Promise<unknown> => {
      const secret = await secretFor('facebook-marketing', settings)
      const { body } = await world.call('PATCH', `/v1/integrations/connectors/${id}`, {
        server_side_oauth_secret_id: secret,
      })
      const { config } = body as { readonly config: Readonly<Record<string, unknown>> }
      return [config['account_ids'], config['api_version']]
    }
    expect(await again({})).toEqual(['1101', 'v23.0'])
    expect(await again({ config: { account_ids: '1102' } })).toEqual(['1102', 'v23.0'])
  })

  test('re-authenticates an instance in place', async () => {
    const first = await create('gong', await secretFor('gong'))
    const { id } = first.body as { id: string }
    const secret = await secretFor('gong')
    const patched = await world.call('PATCH', `/v1/integrations/connectors/${id}`, {
      server_side_oauth_secret_id: secret,
    })
    const again = await world.call('PATCH', `/v1/integrations/connectors/${id}`, {
      server_side_oauth_secret_id: secret,
    })
    expect([patched.status, patched.body, again.status]).toEqual([
      200,
      expect.objectContaining({ id, state: 'active' }),
      409,
    ])
  })
})

test('a connector without an OAuth client says what the operator sets', async () => {
  await using bare = await runService({ mode: 'dev', redirectUrls: [REDIRECT] })
  const answer = await bare.call('POST', '/v1/integrations/connectors/oauth/initiate', {
    external_user_id: 'u',
    connector_type: 'gong',
    redirect_url: REDIRECT,
  })
  expect([answer.status, answer.body]).toEqual([
    409,
    expect.objectContaining({
      code: 'oauth_not_configured',
      detail: expect.stringContaining('TENON_OAUTH_GONG_CLIENT_ID'),
    }),
  ])
})
