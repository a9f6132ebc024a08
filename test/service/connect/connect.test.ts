// The connect page as a browser without scripts sees it: the link, the choice, the form, the consent, and the way back.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serviceClient } from '../../../src/client/service-client.ts'
import { ConnectorError } from '../../../src/errors.ts'
import { auditOf } from '../../../src/service/audit.ts'
import { createApplication } from '../../../src/service/tokens/applications.ts'
import { hashSecret, mintToken } from '../../../src/service/tokens/token-text.ts'
import { JPEG, PNG } from '../../fixtures/pictures.ts'
import { sqliteSubject } from '../../contracts/store/subject.ts'
import { eventually } from '../../faults/resources.ts'
import {
  type CallOptions,
  type RunningService,
  runService,
} from '../../fixtures/running-service.ts'

const RETURN = 'http://localhost:3000/connected'
const GONG = { access_key: 'DEMOACCESSKEY', access_key_secret: 'demo-access-key-secret' }

let world: RunningService

beforeAll(async () => {
  world = await runService()
})
afterAll(() => world[Symbol.asyncDispose]())

const open = (more: object = {}, options: CallOptions = {}) =>
  world.call(
    'POST',
    '/v1/connect/sessions',
    { external_user_id: 'user-42', return_url: RETURN, ...more },
    options,
  )

async function link(more: object = {}, options: CallOptions = {}): Promise<string> {
  const answer = await open(more, options)
  if (answer.status !== 201) throw new Error(answer.text)
  return (answer.body as { connect_url: string }).connect_url
}

interface Seen {
  readonly status: number
  readonly location: string | null
  readonly text: string
  readonly headers: Headers
  readonly cookie: string | undefined
}

async function visit(
  url: string,
  form?: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Seen> {
  const response = await fetch(url, {
    redirect: 'manual',
    headers,
    ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
  })
  return {
    status: response.status,
    location: response.headers.get('location'),
    text: (await response.text()).replaceAll(/\s+/g, ' '),
    headers: response.headers,
    cookie: response.headers.get('set-cookie')?.split(';')[0],
  }
}

const formOf = (credentials: Readonly<Record<string, string>>) => ({
  connector: 'gong',
  way: 'access_key',
  ...Object.fromEntries(
    Object.entries(credentials).map(([name, value]) => [`credentials.${name}`, value]),
  ),
})

const instancesOf = async (user: string) =>
  (
    (await world.call('GET', `/v1/integrations/connectors?external_user_id=${user}`)).body as {
      readonly data: readonly Readonly<Record<string, unknown>>[]
    }
  ).data

/** What a page says in its heading and in its notice. */
const saysOf = (text: string) =>
  [
    ...text
      .replaceAll(/<template.*<\/template>/g, '')
      .matchAll(/<h[12][^>]*>\s*(.*?)\s*<\/h[12]>/g),
  ].map(([, words]) => words)

describe('a session', () => {
  test('is a link at our origin that works for ten minutes', async () => {
    const answer = await open({ connector_types: ['Gong'] })
    const body = answer.body as { connect_url: string; token: string; expires_at: string }
    expect([answer.status, body]).toEqual([
      201,
      {
        connect_url: `${world.url}/connect/${body.token}`,
        token: expect.stringMatching(/^tenon_ct_[0-9A-Za-z]{49}$/),
        expires_at: expect.any(String),
      },
    ])
    const seconds = (Date.parse(body.expires_at) - Date.now()) / 1000
    expect(seconds).toBeGreaterThan(590)
    expect(seconds).toBeLessThanOrEqual(600)
  })

  test('is made by the client of the service, too', async () => {
    const { clientId, clientSecret } = world.service.firstApplication ?? {
      clientId: '',
      clientSecret: '',
    }
    await using client = serviceClient({ baseUrl: world.url, clientId, clientSecret })
    const { connect_url: url } = await client.connectSessions.create({
      external_user_id: 'user-42',
      connector_types: ['jira'],
      return_url: RETURN,
    })
    expect(saysOf((await visit(url)).text)).toEqual(['Connect Jira Cloud to first application'])
  })

  test('T1 its token is no bearer of anything else', async () => {
    const { token } = (await open()).body as { token: string }
    const answers = await Promise.all([
      world.call('GET', '/v1/integrations/connectors', undefined, { as: token }),
      open({}, { as: token }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([401, 401])
  })

  test('an unknown connector is pointed at in the list', async () => {
    const { body } = await open({ connector_types: ['gong', 'jirra'] })
    expect((body as { errors: unknown }).errors).toEqual([
      {
        pointer: '/connector_types/1',
        code: 'unknown',
        detail: 'unknown connector type, did you mean "jira"?',
        allowed: world.service.catalogue.manifests.map(({ type }) => type).toSorted(),
      },
    ])
  })

  test.for([
    ['an unknown connector', { connector_types: ['gongg'] }, 400, 'connector_unknown'],
    ['no return address', { return_url: undefined }, 400, 'request_malformed'],
    ['an unknown member', { return_to: RETURN }, 400, 'request_malformed'],
    ['an unknown instance', { instance_id: 'x' }, 404, 'instance_unknown'],
    [
      'an origin that is not on the list',
      { allowed_origin: 'https://evil.example' },
      400,
      'redirect_url_refused',
    ],
    [
      'an origin with a path',
      { allowed_origin: 'http://localhost:3000/' },
      400,
      'redirect_url_refused',
    ],
    ['any origin', { allowed_origin: '*' }, 400, 'redirect_url_refused'],
    [
      'an origin that smuggles a policy',
      { allowed_origin: "http://localhost:3000; script-src 'unsafe-inline'" },
      400,
      'redirect_url_refused',
    ],
  ] as const)('%s is refused', async ([, more, status, code]) => {
    const answer = await open(more)
    expect([answer.status, answer.body]).toEqual([status, expect.objectContaining({ code })])
  })

  test.for([
    'https://evil.example/connected',
    'http://localhost:3000/connected/',
    'http://localhost:3000/Connected',
    'http://localhost:3000/connected?x=1',
    'http://localhost:3000/connected?connection=1',
    'http://localhost:3000/connected#x',
    'http://localhost:3000/connected%2f',
    'http://localhost.:3000/connected',
    'http://user@localhost:3000/connected',
    'http://localhost:3001/connected',
    'https://localhost:3000/connected',
    'http://127.0.0.1:3000/connected',
    'http://localhost:3000/../connected',
    'http://localhost:3000/connected ',
    'javascript:alert(1)',
    '//localhost:3000/connected',
    'http://app.localhost:3000/connected',
    'http://localhost:3000.evil.example/connected',
    String.raw`http://localhost:3000\@evil.example/connected`,
  ])('O2 %s is no return address', async (url) => {
    const answer = await open({ return_url: url })
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.objectContaining({
        code: 'redirect_url_refused',
        // The way out is named.
        errors: [expect.objectContaining({ pointer: '/return_url', allowed: [RETURN] })],
      }),
    ])
  })

  test('what a link may lead back to, and which pages may embed it, is told to whoever may make one', async () => {
    const { clientId, clientSecret } = await createApplication(
      { store: world.service.store, clock: world.service.clock },
      {
        name: 'two apps',
        redirectUrls: [
          'https://app.example.com/connected',
          'https://app.example.com/back?tab=2',
          'https://staging.example.com:8443/connected',
          // The page puts one of its own there.
          'https://other.example.com/?connection=1',
        ],
      },
    )
    await using client = serviceClient({ baseUrl: world.url, clientId, clientSecret })
    expect(await client.connectSessions.returnUrls()).toEqual({
      return_urls: [
        'https://app.example.com/connected',
        'https://app.example.com/back?tab=2',
        'https://staging.example.com:8443/connected',
      ],
      allowed_origins: [
        'https://app.example.com',
        'https://staging.example.com:8443',
        'https://other.example.com',
      ],
    })
    const [mine, weak] = await Promise.all([
      world.scoped({ external_user_id: 'user-7' }),
      world.scoped({ external_user_id: 'user-7', manage: false }),
    ])
    const answers = await Promise.all(
      [mine, weak, null].map((as) =>
        world.call('GET', '/v1/connect/return-urls', undefined, { as }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 401])
    expect(answers[0]?.body).toEqual({
      return_urls: [RETURN],
      allowed_origins: ['http://localhost:3000'],
    })
  })

  test('T3 a scoped token opens one for its own user and types, and only with manage', async () => {
    const mine = await world.scoped({ external_user_id: 'user-7', connector_types: ['gong'] })
    const weak = await world.scoped({ external_user_id: 'user-7', manage: false })
    const certain = await world.scoped({ external_user_id: 'user-7', connector_ids: ['none'] })
    const as = (token: string, more: object) => open(more, { as: token })
    const answers = await Promise.all([
      as(mine, { external_user_id: 'user-7' }),
      as(mine, { external_user_id: 'user-8' }),
      as(mine, { external_user_id: 'user-7', connector_types: ['gong', 'jira'] }),
      as(weak, { external_user_id: 'user-7' }),
      as(certain, { external_user_id: 'user-7' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([201, 403, 403, 403, 403])
    expect(answers[2]?.body).toMatchObject({ errors: [{ pointer: '/connector_types/1' }] })
    const [opened] = answers
    const { connect_url: url } = (opened.body ?? {}) as { connect_url: string }
    expect(saysOf((await visit(url)).text)).toEqual(['Connect Gong to first application'])
  })

  test('T4 an instance of another user or organisation cannot be reconnected', async () => {
    const mine = await world.connect('gong', { external_user_id: 'user-42' })
    const theirs = await world.connect('gong', { external_user_id: 'user-43' })
    const { clientId, clientSecret } = await createApplication(
      { store: world.service.store, clock: world.service.clock },
      { name: 'another', redirectUrls: [RETURN] },
    )
    const { token } = await world.service.tokens.mintApplication(clientId, clientSecret)
    const answers = await Promise.all([
      open({ instance_id: mine }),
      open({ instance_id: theirs }),
      open({ instance_id: mine }, { as: token }),
      open({ instance_id: mine, connector_types: ['jira'] }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([201, 404, 404, 400])
  })
})

describe('the page', () => {
  test('may be framed by its origin alone, loads nothing from elsewhere and is kept nowhere', async () => {
    const framed = await visit(await link({ allowed_origin: 'http://localhost:3000' }))
    const alone = await visit(await link())
    const policy = (ancestors: string) =>
      `default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors ${ancestors}`
    const headersOf = ({ headers }: Seen) =>
      [
        'content-security-policy',
        'x-frame-options',
        'cross-origin-opener-policy',
        'referrer-policy',
        'cache-control',
        'x-content-type-options',
      ].map((name) => headers.get(name))
    expect([headersOf(framed), headersOf(alone)]).toEqual([
      [policy('http://localhost:3000'), null, 'unsafe-none', 'no-referrer', 'no-store', 'nosniff'],
      [policy("'none'"), 'DENY', 'same-origin', 'no-referrer', 'no-store', 'nosniff'],
    ])
  })

  test('has the colour of its application, in a style sheet of its own', async () => {
    const { clientId, clientSecret } = await createApplication(
      { store: world.service.store, clock: world.service.clock },
      { name: 'Coloured', redirectUrls: [RETURN] },
    )
    const { token } = await world.service.tokens.mintApplication(clientId, clientSecret)
    const url = await link({}, { as: token })
    expect((await visit(url)).text).not.toContain('theme.css')
    expect((await visit(`${url}/theme.css`)).status).toBe(404)
    await world.service.store.applications.update(clientId, { accent: '#ffcc00' })
    expect((await visit(url)).text).toContain(
      `<link rel="stylesheet" href="${new URL(url).pathname}/theme.css" />`,
    )
    const style = await visit(`${url}/theme.css`)
    expect([style.status, style.headers.get('content-type')]).toEqual([
      200,
      'text/css; charset=utf-8',
    ])
    expect(style.text).toContain(
      '--button: #ffcc00; --button-strong: #ffd426; --on-button: #000000;',
    )
  })

  test('P11 shows the picture of its application, of which the bytes say what it is', async () => {
    const { clientId, clientSecret } = await createApplication(
      { store: world.service.store, clock: world.service.clock },
      { name: 'Acme "<b>"', redirectUrls: [RETURN] },
    )
    const { token } = await world.service.tokens.mintApplication(clientId, clientSecret)
    const url = await link({}, { as: token })
    const pictureOf = async () => /<img [^>]*src="([^"]+)"[^>]*>/.exec((await visit(url)).text)
    expect(await pictureOf()).toBe(null)
    expect((await visit(`${url}/logo`)).status).toBe(404)
    await world.service.store.applications.update(clientId, { logo: PNG })
    const [element = '', address = ''] = (await pictureOf()) ?? []
    expect(element).toContain('alt="Acme &quot;&lt;b&gt;&quot;"')
    const answer = await fetch(new URL(address, url))
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(PNG)
    expect(
      [
        'content-type',
        'x-content-type-options',
        'content-security-policy',
        'cross-origin-resource-policy',
      ].map((name) => answer.headers.get(name)),
    ).toEqual(['image/png', 'nosniff', "default-src 'none'; sandbox", 'same-origin'])
    await world.service.store.applications.update(clientId, { logo: JPEG })
    expect((await pictureOf())?.[1]).not.toBe(address)
    // The link of another application has not got it.
    expect((await visit(`${await link()}/logo`)).status).toBe(404)
  })

  test('offers what the session names', async () => {
    const url = await link({ connector_types: ['gong', 'jira'] })
    const { text } = await visit(url)
    const choices = [...text.matchAll(/\?connector=([\w-]+)/g)].map(([, type]) => type)
    expect(choices).toEqual(['gong', 'jira'])
    const ways = await visit(`${url}?connector=jira`)
    expect([...ways.text.matchAll(/&amp;way=(\w+)/g)].map(([, way]) => way)).toEqual([
      'oauth',
      'api_token',
    ])
    // Back to the choice, where there is one.
    expect(ways.text).toContain(`<a href="${new URL(url).pathname}">Choose another</a>`)
    const only = await visit(await link({ connector_types: ['jira'] }))
    expect(only.text).not.toContain('Choose another')
    const other = await visit(url, { connector: 'facebook-marketing', way: 'oauth' })
    expect([other.status, saysOf(other.text)]).toEqual([400, ['This is not possible']])
  })

  test('has a field for every credential and setting, secrets as passwords', async () => {
    const { text } = await visit(`${await link()}?connector=gong&way=access_key`)
    const inputs = [...text.matchAll(/<input type="(\w+)"[^>]* name="([\w.]+)"/g)].map(
      ([, type, name]) => [type, name],
    )
    expect(inputs).toEqual([
      ['hidden', 'connector'],
      ['hidden', 'way'],
      ['text', 'credentials.access_key'],
      ['password', 'credentials.access_key_secret'],
      ['url', 'config.api_base_url'],
    ])
  })

  test.for(['never', `tenon_ct_${'A'.repeat(49)}`, '..%2f..', `tenon_st_${'A'.repeat(49)}`])(
    'for %s is a plain one that says that the link is over',
    async (token) => {
      const answer = await visit(`${world.url}/connect/${token}`)
      expect([answer.status, saysOf(answer.text)]).toEqual([404, ['This link is over']])
    },
  )

  test('K5 the token is in no line of the log', async () => {
    const url = await link()
    await visit(url)
    await visit(url, formOf({ access_key: 'a', access_key_secret: 'canary-secret' }))
    const log = JSON.stringify(world.lines)
    expect([log.includes('tenon_ct_'), log.includes('canary-secret')]).toEqual([false, false])
    expect(world.lines.some(({ facts }) => facts['route'] === 'connectPage')).toBe(true)
  })
})

describe('credentials', () => {
  test('that are accepted make an instance of the user, and the link is used up', async () => {
    const url = await link({ external_user_id: 'user-ok' })
    const sent = await visit(url, formOf(GONG))
    expect([sent.status, sent.location]).toEqual([303, new URL(url).pathname])
    const [instance, ...others] = await instancesOf('user-ok')
    expect([instance, others]).toEqual([
      expect.objectContaining({
        connector_type: 'gong',
        state: 'active',
        auth_method: 'access_key',
        name: 'Call analytics (Gong)',
      }),
      [],
    ])
    const after = await visit(url)
    expect(saysOf(after.text)).toEqual(['Gong is connected'])
    expect(after.text).toContain(`href="${RETURN}?connection=${String(instance?.['id'])}"`)
    const again = await visit(url, formOf(GONG))
    expect([again.status, saysOf(again.text), (await instancesOf('user-ok')).length]).toEqual([
      409,
      ['Gong is connected'],
      1,
    ])
  })

  test('are in the audit log as those of an end user who came by a link', async () => {
    const url = await link({ external_user_id: 'user-audited', connector_types: ['gong'] })
    await visit(url, formOf(GONG))
    const [instance] = await instancesOf('user-audited')
    const first = String(instance?.['id'])
    const again = await link({ external_user_id: 'user-audited', instance_id: first })
    await visit(again, formOf(GONG))
    const query = `connector_id=${first}&limit=100`
    const { body } = await world.call('GET', `/v1/audit?${query}`)
    const { data } = body as {
      readonly data: readonly Readonly<Record<'action' | 'token' | 'actor_name', string>>[]
    }
    const tokensOf = (action: string): ReadonlySet<string> =>
      new Set(data.filter((event) => event.action === action).map(({ token }) => token))
    const digitsOf = (page: string): string =>
      `connect:${hashSecret(page.split('/').at(-1)?.split('?')[0] ?? '').slice(0, 12)}`
    expect(tokensOf('instance.create')).toEqual(new Set([digitsOf(url)]))
    expect(tokensOf('instance.update')).toEqual(new Set([digitsOf(again)]))
    expect(new Set(data.map(({ actor_name: name }) => name))).toContain('first application')
  })

  test('that connected an account connect it once, also where the store fails behind it', async () => {
    const subject = await sqliteSubject()
    const store = await subject.open()
    const { connectSessions } = store
    let isAway = true
    const failing = await runService({
      connectors: ['gong'],
      store: {
        ...store,
        connectSessions: {
          ...connectSessions,
          async finish(...given) {
            if (isAway) throw new ConnectorError('store_unavailable', 'the store is away')
            await connectSessions.finish(...given)
          },
        },
      },
    })
    const made = await failing.call('POST', '/v1/connect/sessions', {
      external_user_id: 'user-1',
      return_url: RETURN,
    })
    const url = (made.body as { readonly connect_url: string }).connect_url
    const connected = async (): Promise<number> =>
      (await store.instances.list({ organizationId: 'default' }, { limit: 10 })).rows.length
    expect((await visit(url, formOf(GONG))).status).toBe(303)
    expect(await connected()).toBe(1)
    // Whoever sends the form once more meets the attempt that is not told yet.
    await visit(url, formOf(GONG))
    isAway = false
    await eventually(async () => saysOf((await visit(url)).text)[0] === 'Gong is connected')
    expect(await connected()).toBe(1)
    await failing[Symbol.asyncDispose]()
    await subject.close()
  })

  test('that are refused are said so, the link goes on working, and nothing remains', async () => {
    const url = await link({ external_user_id: 'user-refused' })
    const sent = await visit(url, formOf({ access_key: 'typo', access_key_secret: 'canary' }))
    expect([sent.status, saysOf(sent.text)]).toEqual([
      422,
      ['Connect Gong to first application', 'Gong refused these credentials'],
    ])
    expect([sent.text.includes('value="typo"'), sent.text.includes('canary')]).toEqual([
      true,
      false,
    ])
    expect(await instancesOf('user-refused')).toEqual([])
    expect((await visit(url, formOf(GONG))).status).toBe(303)
  })

  test('that are missing are marked at their fields', async () => {
    const { status, text } = await visit(await link(), formOf({ access_key: 'a' }))
    expect(status).toBe(422)
    expect(text).toContain('<a href="#credentials.access_key_secret">')
    expect(text).toMatch(/id="credentials\.access_key_secret"[^>]*aria-invalid="true"/)
  })

  test('that nobody can try now are kept, and the page says so', async () => {
    const url = await link({ external_user_id: 'user-later' })
    world.vendor('gong').fail('users.list', { mode: 'status', status: 503, times: 3 })
    await visit(url, formOf(GONG))
    expect((await instancesOf('user-later')).map(({ state }) => state)).toEqual(['pending'])
    const { text } = await visit(url)
    expect(text).toContain('Gong could not be asked just now, or gave no clear answer')
    expect(text).toContain('>Saved, but not confirmed by Gong yet</h1>')
    expect(text).not.toMatch(/is connected|class="tick"/)
  })

  test('sent 20 times at once make one instance', async () => {
    const url = await link({ external_user_id: 'user-often' })
    const sent = await Promise.all(Array.from({ length: 20 }, () => visit(url, formOf(GONG))))
    const statuses = sent.map(({ status }) => status).toSorted((a, b) => a - b)
    expect([statuses[0], new Set(statuses.slice(1))]).toEqual([303, new Set([409])])
    expect(await instancesOf('user-often')).toHaveLength(1)
  })

  test('cannot be tried without end', async () => {
    const url = await link()
    let last: Seen | null = null
    for (let count = 0; count < 21; count++) last = await visit(url, formOf({ access_key: 'a' }))
    expect(saysOf(last?.text ?? '').at(-1)).toBe('This was tried too often')
  })

  test('O1 a form of another page is refused', async () => {
    const url = await link()
    const cases = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
    ]
    for (const headers of cases) expect((await visit(url, formOf(GONG), headers)).status).toBe(403)
    const own = { 'sec-fetch-site': 'same-origin', origin: 'null' }
    expect((await visit(url, formOf(GONG), own)).status).toBe(303)
  })

  test('a body that is no form, or too large, is refused as a page', async () => {
    const url = await link()
    const send = (type: string, body: string) =>
      fetch(url, { method: 'POST', headers: { 'content-type': type }, body })
    const answers = await Promise.all([
      send('application/json', '{}'),
      send('application/x-www-form-urlencoded', `a=${'x'.repeat(70_000)}`),
    ])
    expect(answers.map(({ status, headers }) => [status, headers.get('content-type')])).toEqual([
      [415, 'text/html; charset=utf-8'],
      [413, 'text/html; charset=utf-8'],
    ])
  })

  test('what was typed is text in the page, never markup', async () => {
    const evil = '"><script>alert(1)</script>'
    const { text } = await visit(await link(), formOf({ access_key: evil }))
    expect([text.includes('<script>alert'), text.includes('&lt;script&gt;alert(1)')]).toEqual([
      false,
      true,
    ])
  })
})

describe('languages', () => {
  const langOf = ({ text }: Seen) => /<html lang="([^"]+)"/.exec(text)?.[1]

  test('a page is in the language of the browser, of the address, of the link', async () => {
    const url = await link({ connector_types: ['gong'] })
    const german = { 'accept-language': 'de-CH, en;q=0.5' }
    const pages = await Promise.all([
      visit(url),
      visit(url, undefined, german),
      visit(`${url}?lang=en`, undefined, german),
      visit(await link({ connector_types: ['gong'], lang: 'de' })),
      visit(`${world.url}/connect/never?lang=de`),
    ])
    expect(pages.map(langOf)).toEqual(['en', 'de', 'en', 'de', 'de'])
    expect(saysOf(pages[1]?.text ?? '')).toEqual(['Gong mit first application verbinden'])
    expect(saysOf(pages[4]?.text ?? '')).toEqual(['Dieser Link ist abgelaufen'])
    expect((await open({ lang: 'fr' })).status).toBe(400)
  })

  test('the language of the link stays, from the choice to the end', async () => {
    const url = await link({ external_user_id: 'deutsch', connector_types: ['gong'], lang: 'de' })
    const ways = await visit(url)
    expect(ways.text).toContain('?connector=gong&amp;way=access_key&amp;lang=de"')
    const refused = await visit(url, formOf({ access_key: 'a', access_key_secret: 'b' }))
    expect(saysOf(refused.text)[1]).toBe('Gong hat diese Zugangsdaten abgelehnt')
    const missing = await visit(url, formOf({ access_key: 'a' }))
    expect(missing.text).toContain('Diese Angabe fehlt')
    const done = await visit(url, formOf(GONG))
    expect(done.location).toBe(`${new URL(url).pathname}?lang=de`)
    expect(saysOf((await visit(url)).text)).toEqual(['Gong ist verbunden'])
  })
})

test('a site that the user has connected is asked about: it is connected again, or a second time', async () => {
  const user = 'user-twice'
  const { credentials } = world.vendor('jira').options() as {
    credentials: Readonly<Record<string, string>>
  }
  const form = {
    connector: 'jira',
    way: 'api_token',
    'config.subdomain': 'acme',
    'credentials.username': credentials['username'] ?? '',
    'credentials.password': credentials['password'] ?? '',
  }
  const wanted = { connector_types: ['jira'], external_user_id: user }
  const first = await visit(await link(wanted), form)
  expect(first.status).toBe(303)
  const [one] = await instancesOf(user)
  expect(one).toMatchObject({ name: 'Issue tracking (Jira Cloud), acme' })
  // Another site is another account, and so is that of another user.
  const [elsewhere, other] = [await link(wanted), await link({ ...wanted, external_user_id: 'x' })]
  expect((await visit(elsewhere, { ...form, 'config.subdomain': 'acme-two' })).status).toBe(303)
  expect((await visit(other, { ...form, again: String(one?.['id']) })).status).toBe(303)
  expect(await instancesOf('x')).toHaveLength(1)
  const url = await link(wanted)
  const asked = await visit(url, form)
  expect([asked.status, saysOf(asked.text)[1]]).toEqual([
    200,
    'Jira Cloud is connected already: acme',
  ])
  expect(asked.text).toContain(`name="again" value="${String(one?.['id'])}"`)
  expect((await visit(url, { ...form, again: String(one?.['id']) })).status).toBe(303)
  expect(await instancesOf(user)).toHaveLength(2)
  expect((await visit(await link(wanted), { ...form, again: 'new' })).status).toBe(303)
  expect(await instancesOf(user)).toHaveLength(3)
})

test('an address that is pasted where a part of it is asked for is taken apart, which the page says', async () => {
  const user = 'user-pasted'
  const url = await link({ connector_types: ['jira'], external_user_id: user })
  const page = await visit(`${url}?connector=jira&way=api_token`)
  expect(page.text).toContain('For example <span class="sample">acme</span>')
  expect(page.text).toContain('https://acme.atlassian.net/_edge/tenant_info')
  const { credentials } = world.vendor('jira').options() as {
    credentials: Readonly<Record<string, string>>
  }
  const form = {
    connector: 'jira',
    way: 'api_token',
    'config.subdomain': 'https://acme.atlassian.net/jira/software/projects',
    'credentials.username': credentials['username'] ?? '',
    'credentials.password': 'wrong',
  }
  const refused = await visit(url, form)
  expect([refused.status, saysOf(refused.text)[1]]).toEqual([
    422,
    'Jira Cloud refused these credentials',
  ])
  expect(refused.text).toMatch(/value="acme"[^>]*aria-describedby="[^"]*config\.subdomain-taken/)
  expect(refused.text).toContain('Taken from the address that you entered.')
  const done = await visit(url, { ...form, 'credentials.password': credentials['password'] ?? '' })
  expect([done.status, (await visit(url)).text.includes('Subdomain: acme')]).toEqual([303, true])
  expect(await instancesOf(user)).toMatchObject([{ config: { subdomain: 'acme' } }])
})

test('a form says where its credentials are found, a consent what it allows', async () => {
  const url = await link({ connector_types: ['gong'] })
  const form = await visit(`${url}?connector=gong&way=access_key`)
  const helps = [
    ...form.text.matchAll(/id="([\w.]+)-help">([^<]*?) ?<a href="([^"]+)"[^>]*>([^<]+)</g),
  ]
  const GUIDE = 'https://help.gong.io/docs/receive-access-to-the-api'
  expect(helps.map(([, ...parts]) => parts)).toEqual([
    [
      'credentials.access_key',
      'In Gong: Admin center, Settings, Ecosystem, API, Get API Key.',
      GUIDE,
      'Where to find “Access key” at Gong',
    ],
    [
      'credentials.access_key_secret',
      'Shown only once, together with the key. If it is lost, make another key.',
      GUIDE,
      'Where to find “Secret of the access key” at Gong',
    ],
  ])
  expect(form.text).toContain('rel="noopener noreferrer"')
  // The method says it where not every field does.
  const jira = await link({ connector_types: ['jira'] })
  const { text } = await visit(`${jira}?connector=jira&way=api_token`)
  expect(text).toMatch(/>Where to find this at Jira Cloud<.*Where to find “API token” at Jira/)
  const consent = await visit(`${url}?connector=gong&way=oauth`)
  expect(consent.text).toContain('You are asked to allow first application:')
  expect(consent.text).toContain('<li>Read transcripts of calls</li>')
})

describe('consent', () => {
  /** From the form to the address that the third party sends the browser back to. */
  async function agreed(url: string, form: Readonly<Record<string, string>>) {
    const leaving = await visit(url, form)
    const consent = /url=(http[^"]+)"/.exec(leaving.text)?.[1] ?? ''
    const begun = await visit(consent)
    const vendor = await visit(begun.location ?? '')
    const cookie = [leaving.cookie, begun.cookie].filter(Boolean).join('; ')
    return { leaving, callback: vendor.location ?? '', cookie }
  }

  const GONG_CONSENT = { connector: 'gong', way: 'oauth' }

  test.for([
    ['gong', {}],
    ['jira', { 'config.subdomain': 'tallow-demo' }],
    ['facebook-marketing', { 'config.account_ids': '1101' }],
  ] as const)('of %s ends in an active instance and a clean address', async ([type, config]) => {
    const user = `consent-${type}`
    const url = await link({ external_user_id: user, connector_types: [type] })
    const { leaving, callback, cookie } = await agreed(url, {
      connector: type,
      way: 'oauth',
      ...config,
    })
    expect(leaving.headers.get('set-cookie')).toMatch(
      /^tenon-connect-[0-9a-f]{16}=tenon_ct_\w+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    const back = await visit(callback, undefined, { cookie })
    expect(new URL(back.location ?? '').pathname).toBe('/connect/return')
    const home = await visit(back.location ?? '', undefined, { cookie })
    expect([home.status, home.location]).toEqual([303, new URL(url).pathname])
    expect(await instancesOf(user)).toEqual([
      expect.objectContaining({ connector_type: type, state: 'active', auth_method: 'oauth' }),
    ])
    expect((await visit(url)).text).toContain(`${RETURN}?connection=`)
    const replay = await visit(back.location ?? '', undefined, { cookie })
    expect([replay.status, (await instancesOf(user)).length]).toEqual([303, 1])
    // Who finishes it is the end user who came by the link, as who started it.
    for (const action of ['oauth.start', 'oauth.finish']) {
      const { body } = await world.call('GET', `/v1/audit?action=${action}&limit=1`)
      expect(body).toMatchObject({ data: [{ action, token: expect.stringMatching(/^connect:/) }] })
    }
  })

  test('that connects anew takes the settings of the page', async () => {
    const user = 'consent-again'
    const config = { account_ids: '1101', api_version: 'v24.0' }
    const id = await world.connect('facebook-marketing', { external_user_id: user, config })
    const url = await link({ external_user_id: user, instance_id: id })
    const { callback, cookie } = await agreed(url, {
      connector: 'facebook-marketing',
      way: 'oauth',
      'config.account_ids': '1102',
      // Only the application sets it.
      'config.api_version': 'v19.0',
    })
    const back = await visit(callback, undefined, { cookie })
    await visit(back.location ?? '', undefined, { cookie })
    expect((await instancesOf(user)).map((each) => each['config'])).toMatchObject([
      { account_ids: '1102', api_version: 'v24.0' },
    ])
  })

  test('O5 comes back to the browser that began, and to no other', async () => {
    const user = 'consent-stolen'
    const { callback, cookie } = await agreed(await link({ external_user_id: user }), GONG_CONSENT)
    const back = await visit(callback, undefined, { cookie })
    const stolen = await visit(back.location ?? '')
    expect([stolen.status, saysOf(stolen.text), await instancesOf(user)]).toEqual([
      404,
      ['This link is over'],
      [],
    ])
  })

  test('that the user did not give is told, in our words', async () => {
    const url = await link()
    const { callback, cookie } = await agreed(url, GONG_CONSENT)
    const denied = new URL(callback)
    denied.searchParams.delete('code')
    denied.searchParams.set('error', 'access_denied')
    denied.searchParams.set('error_description', '<script>alert(1)</script>')
    const back = await visit(denied.href, undefined, { cookie })
    await visit(back.location ?? '', undefined, { cookie })
    const { text } = await visit(url)
    expect([saysOf(text), text.includes('alert(1)')]).toEqual([
      ['Connect Gong to first application', 'You did not agree at Gong'],
      false,
    ])
    const status = await visit(`${url}/status`)
    expect(JSON.parse(status.text)).toEqual({ state: 'failed', attempts: 2 })
  })

  test('whose code brings nothing says who did not answer', async () => {
    world.vendor('gong').fail('oauth.token', { mode: 'status', status: 500, times: 1 })
    const url = await link()
    const { callback, cookie } = await agreed(url, GONG_CONSENT)
    await visit(callback, undefined, { cookie })
    expect(saysOf((await visit(url)).text)).toEqual([
      'Connect Gong to first application',
      'Gong is not working right now',
    ])
  })

  test('a setting that the connector cannot do without is asked for before', async () => {
    const url = await link({ connector_types: ['facebook-marketing'] })
    const { status, text } = await visit(url, { connector: 'facebook-marketing', way: 'oauth' })
    expect([status, text.includes('<a href="#config.account_ids">')]).toEqual([422, true])
  })
})

describe('reconnecting', () => {
  test('keeps the instance, and the old credentials when new ones are refused', async () => {
    const user = 'user-again'
    const id = await world.connect('gong', { external_user_id: user, name: 'Gong of ACME' })
    const url = await link({ external_user_id: user, instance_id: id })
    const page = await visit(url)
    expect(saysOf(page.text)).toEqual(['Reconnect Gong to first application'])
    expect(page.text).toContain('“Gong of ACME”')
    const refused = await visit(url, formOf({ access_key: 'a', access_key_secret: 'b' }))
    expect([refused.status, refused.text.includes('Until then the connection stays')]).toEqual([
      422,
      true,
    ])
    expect((await instancesOf(user)).map(({ state }) => state)).toEqual(['active'])
    expect((await visit(url, formOf(GONG))).status).toBe(303)
    expect((await instancesOf(user)).map((each) => [each['id'], each['state']])).toEqual([
      [id, 'active'],
    ])
    expect(saysOf((await visit(url)).text)).toEqual(['Gong is connected again'])
  })

  test.for([
    { name: 'keeps good credentials', before: 'active', status: 422, after: 'active', check: 'ok' },
    {
      name: 'takes them in the place of refused ones',
      before: 'auth_error',
      status: 303,
      after: 'pending',
      check: 'refused',
    },
  ] as const)('while nobody can try new ones $name', async (row) => {
    const user = `user-untried-${row.before}`
    const id = await world.connect('gong', { external_user_id: user })
    if (row.before === 'auth_error') {
      const reason = { code: 'revoked_upstream', detail: 'gone', since: 0, upstreamStatus: 401 }
      await world.service.store.instances.setState(id, {
        from: ['active'],
        to: 'auth_error',
        reason,
      })
    }
    world.vendor('gong').fail('users.list', { mode: 'status', status: 503, times: 3 })
    const url = await link({ external_user_id: user, instance_id: id })
    const sent = await visit(url, formOf({ access_key: 'a', access_key_secret: 'typo' }))
    expect([sent.status, sent.text.includes('Until then the connection stays')]).toEqual([
      row.status,
      row.status === 422,
    ])
    expect((await instancesOf(user)).map(({ state }) => state)).toEqual([row.after])
    // Whose credentials they are is seen once they can be tried.
    const checked = await world.call('POST', `/v1/integrations/connectors/${id}/check`, {})
    expect(checked.body).toMatchObject({ result: row.check })
  })

  test('an instance that was deleted meanwhile says so', async () => {
    const id = await world.connect('gong', { external_user_id: 'user-gone' })
    const url = await link({ external_user_id: 'user-gone', instance_id: id })
    await world.call('DELETE', `/v1/integrations/connectors/${id}`)
    const answer = await visit(url)
    expect([answer.status, saysOf(answer.text)]).toEqual([404, ['This connection is gone']])
  })
})

test('a link is over after ten minutes, and when its application is disabled', async () => {
  const { store, clock } = world.service
  const { clientId, clientSecret } = await createApplication(
    { store, clock },
    { name: 'Acme', redirectUrls: [RETURN] },
  )
  const { token } = await world.service.tokens.mintApplication(clientId, clientSecret)
  const url = await link({ connector_types: ['gong'] }, { as: token })
  expect(saysOf((await visit(url)).text)).toEqual(['Connect Gong to Acme'])
  await store.applications.update(clientId, { disabledAt: clock.now() })
  expect([(await visit(url)).status, (await visit(url, formOf(GONG))).status]).toEqual([404, 404])
})

test('a link that is over leads back to its app, which hears why', async () => {
  const { store, clock } = world.service
  const { clientId } = await createApplication(
    { store, clock },
    { name: 'Acme', organizationId: 'default', redirectUrls: [RETURN] },
  )
  const token = mintToken('connect')
  await store.connectSessions.insert(
    {
      tokenHash: hashSecret(token),
      organizationId: 'default',
      clientId,
      externalUserId: 'user-late',
      connectorTypes: ['gong'],
      instanceId: null,
      returnUrl: `${RETURN}?page=2`,
      allowedOrigin: null,
      expiresAt: clock.now() - 1,
    },
    auditOf({ organizationId: 'default', clientId }, null, 'connect.open', { user: 'user-late' }),
  )
  const url = `${world.url}/connect/${token}`
  for (const seen of [await visit(url), await visit(url, formOf(GONG))]) {
    expect([seen.status, saysOf(seen.text)]).toEqual([404, ['This link is over']])
    expect(seen.text).toContain(`href="${RETURN}?page=2&amp;error=expired"`)
    expect(seen.text).toContain('Return to Acme')
  }
  await store.applications.update(clientId, { disabledAt: clock.now() })
  expect((await visit(url)).text).not.toContain('Return to')
})

const REVOKE = '/api/v1/account/applications/revoke'

test('T2 a link ends with the token that made it, and with that one’s own maker', async () => {
  const { store, clock } = world.service
  const { clientId, clientSecret } = await createApplication(
    { store, clock },
    { name: 'Acme', redirectUrls: [RETURN] },
  )
  const maker = await world.service.tokens.mintApplication(clientId, clientSecret)
  const other = await world.service.tokens.mintApplication(clientId, clientSecret)
  const minted = await world.call(
    'POST',
    '/api/v1/account/applications/scoped-token',
    { external_user_id: 'user-42' },
    { as: maker.token },
  )
  const { token: scoped } = minted.body as { readonly token: string }
  const links = [
    await link({}, { as: maker.token }),
    await link({}, { as: scoped }),
    await link({}, { as: other.token }),
  ]
  const seen = async () => await Promise.all(links.map(async (url) => (await visit(url)).status))
  expect(await seen()).toEqual([200, 200, 200])
  await world.call('POST', REVOKE, { token: maker.token }, { as: other.token })
  expect(await seen()).toEqual([404, 404, 200])
  // A token that was looked up is believed for half a second.
  await expect
    .poll(async () => (await world.call('GET', '/v1/connectors', undefined, { as: scoped })).status)
    .toBe(401)
})

test('T2 the links for a user end with the tokens of the user', async () => {
  const mine = await link({ external_user_id: 'user-leaving' })
  const others = await link({ external_user_id: 'user-staying' })
  await world.call('POST', REVOKE, { external_user_id: 'user-leaving' })
  expect([(await visit(mine)).status, (await visit(others)).status]).toEqual([404, 200])
  expect((await visit(mine, formOf(GONG))).status).toBe(404)
})
