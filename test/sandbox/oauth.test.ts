// The OAuth side of the sandbox, for the two shipped connectors: they differ in nearly everything the manifest can say.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadManifestFile, requireManifest } from '../../src/language/manifest/load.ts'
import { loadDemo } from '../../src/sandbox/open-sandbox.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { textOf } from '../../src/sandbox/wire/same-scalar.ts'

const CALLBACK = 'https://host.example/callback'

async function load(type: string) {
  const path = `manifests/${type}.yaml`
  const manifest = requireManifest(await loadManifestFile(path))
  return { manifest, demo: await loadDemo(path, manifest) }
}

interface Style {
  readonly type: string
  readonly authorize: string
  readonly consent: Readonly<Record<string, string>>
  readonly token: string
  /** How a token request is sent. */
  readonly request: (
    client: { id: string; secret: string },
    given: Record<string, string>,
  ) => RequestInit
  readonly probe: string
  /** What a consent asks for, enough for the probe. */
  readonly scope: string
  readonly stored: Readonly<Record<string, string>>
}
type RequestInit = NonNullable<Parameters<typeof fetch>[1]>

const STYLES: readonly Style[] = [
  {
    type: 'gong',
    authorize: '/oauth2/authorize',
    consent: {},
    token: '/oauth2/generate-customer-token',
    request: ({ id, secret }, given) => ({
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ client_id: id, ...given }).toString(),
    }),
    probe: '/v2/users',
    scope: 'api:users:read b',
    stored: { api_base_url_for_customer: 'https://us-12345.api.gong.io' },
  },
  {
    type: 'jira',
    authorize: '/authorize',
    consent: { audience: 'api.atlassian.com', prompt: 'consent' },
    token: '/oauth/token',
    request: ({ id, secret }, given) => ({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_id: id, client_secret: secret, ...given }),
    }),
    probe: '/ex/jira/3f0c5f1e-7a52-4f0b-9c55-2d1f6a8be901/rest/api/3/myself',
    scope: 'a b',
    stored: {},
  },
]

describe.for(STYLES)('$type', async (style) => {
  const { manifest, demo } = await load(style.type)
  let vendor: Sandbox
  let client: { id: string; secret: string; access: string; refresh: string }
  beforeEach(async () => {
    vendor = await createSandbox(manifest, demo)
    const { credentials } = vendor.options('oauth')
    client = {
      id: textOf(credentials['client_id']),
      secret: textOf(credentials['client_secret']),
      access: textOf(credentials['access_token']),
      refresh: textOf(credentials['refresh_token']),
    }
  })
  afterEach(() => vendor.close())

  async function token(given: Record<string, string>, who = client) {
    const response = await fetch(vendor.url + style.token, style.request(who, given))
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  async function probe(access: string): Promise<number> {
    const response = await fetch(vendor.url + style.probe, {
      headers: { authorization: `Bearer ${access}` },
    })
    return response.status
  }
  async function consent(more: Record<string, string> = {}): Promise<URL> {
    const query = new URLSearchParams({
      client_id: client.id,
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: style.scope,
      state: 's-1',
      ...style.consent,
      ...more,
    })
    const response = await fetch(`${vendor.url}${style.authorize}?${query.toString()}`, {
      redirect: 'manual',
    })
    expect(response.status).toBe(302)
    return new URL(response.headers.get('location') ?? '')
  }

  test('the demo tokens work at once', async () => {
    expect(await probe(client.access)).toBe(200)
    expect(await probe('something else')).toBe(401)
  })

  test('a consent ends in a code, the code in tokens, once', async () => {
    const back = await consent()
    expect([back.origin + back.pathname, back.searchParams.get('state')]).toEqual([CALLBACK, 's-1'])
    const code = back.searchParams.get('code') ?? ''
    const given = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK }
    const first = await token(given)
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({
      token_type: 'bearer',
      expires_in: 3600,
      scope: style.scope,
      ...style.stored,
    })
    expect(await probe(String(first.body['access_token']))).toBe(200)
    expect(await token(given)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('a browser is shown a page that names app and scopes, and its answer counts', async () => {
    const query = new URLSearchParams({
      client_id: client.id,
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: 'read:a <b>',
      state: 's"1',
      ...style.consent,
    })
    const visit = async (more: string) =>
      await fetch(`${vendor.url}${style.authorize}?${query.toString()}${more}`, {
        redirect: 'manual',
        headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
      })
    const page = await visit('')
    const text = await page.text()
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ])
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(text).toContain(`<strong>${client.id}</strong>`)
    expect([...text.matchAll(/<li>.*<code>(.*?)<\/code>/g)].map(([, scope]) => scope)).toEqual([
      'read:a',
      '&#60;b&#62;',
    ])
    expect(text).toContain('<input type="hidden" name="state" value="s&#34;1">')
    expect([...text.matchAll(/<button .*>(.*)<\/button>/g)].map(([, word]) => word)).toEqual([
      'Allow',
      'Deny',
    ])
    const answers = await Promise.all(
      ['allow', 'deny', 'maybe'].map(async (answer) => {
        const { status, headers } = await visit(`&sandbox_consent=${answer}`)
        return [status, Object.fromEntries(new URL(headers.get('location') ?? '').searchParams)]
      }),
    )
    expect(answers).toEqual([
      [302, { state: 's"1', code: expect.any(String) as unknown }],
      [302, { state: 's"1', error: 'access_denied', error_description: 'the user denied access' }],
      [
        302,
        {
          state: 's"1',
          error: 'invalid_request',
          error_description: 'sandbox_consent must be allow or deny',
        },
      ],
    ])
  })

  test.for([
    { consent: 'allow', want: ['code'] },
    { consent: 'deny', want: ['error', 'error_description'] },
  ] as const)('with consent: $consent nobody is asked', async ({ consent, want }) => {
    await using decided = await createSandbox(manifest, demo, { consent })
    const query = new URLSearchParams({
      client_id: client.id,
      response_type: 'code',
      redirect_uri: CALLBACK,
      ...style.consent,
    })
    for (const accept of ['text/html', '*/*']) {
      const { headers } = await fetch(`${decided.url}${style.authorize}?${query.toString()}`, {
        redirect: 'manual',
        headers: { accept },
      })
      expect([...new URL(headers.get('location') ?? '').searchParams.keys()]).toEqual(want)
    }
  })

  test('a code made for another address is refused', async () => {
    const code = (await consent()).searchParams.get('code') ?? ''
    const given = { grant_type: 'authorization_code', code, redirect_uri: 'https://evil.example/' }
    expect(await token(given)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('a refresh token works once; presenting it again ends the connection', async () => {
    const given = { grant_type: 'refresh_token', refresh_token: client.refresh }
    const first = await token(given)
    expect(first.status).toBe(200)
    const next = String(first.body['refresh_token'])
    expect(next).not.toBe(client.refresh)
    expect(await probe(String(first.body['access_token']))).toBe(200)

    expect(await token(given)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await probe(String(first.body['access_token']))).toBe(401)
    expect((await token({ grant_type: 'refresh_token', refresh_token: next })).status).toBe(400)
  })

  test('access tokens end after an hour, or when they are told to', async () => {
    vendor.advance(3_600_000)
    expect(await probe(client.access)).toBe(401)
    const { body } = await token({ grant_type: 'refresh_token', refresh_token: client.refresh })
    expect(await probe(String(body['access_token']))).toBe(200)
    vendor.expireTokens()
    expect(await probe(String(body['access_token']))).toBe(401)
  })

  test('another client is refused, and a grant that the vendor does not know', async () => {
    const given = { grant_type: 'refresh_token', refresh_token: client.refresh }
    expect(await token(given, { ...client, secret: 'wrong' })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    })
    expect(await token({ grant_type: 'magic' })).toMatchObject({
      status: 400,
      body: { error: 'unsupported_grant_type' },
    })
  })

  test('a token request of the wrong kind is refused', async () => {
    const response = await fetch(vendor.url + style.token, { method: 'POST', body: '<xml/>' })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'invalid_request' })
  })

  test('token requests are recorded under their own name', async () => {
    await token({ grant_type: 'refresh_token', refresh_token: client.refresh })
    expect(vendor.requests('oauth.token').map(({ status }) => status)).toEqual([200])
  })
})

test('Jira: a consent without its constant parameters is sent back with an error', async () => {
  const { manifest, demo } = await load('jira')
  await using vendor = await createSandbox(manifest, demo)
  const { credentials } = vendor.options('oauth')
  const query = new URLSearchParams({
    client_id: textOf(credentials['client_id']),
    response_type: 'code',
    redirect_uri: CALLBACK,
    audience: 'api.atlassian.com',
  })
  const response = await fetch(`${vendor.url}/authorize?${query.toString()}`, {
    redirect: 'manual',
  })
  const back = new URL(response.headers.get('location') ?? '')
  expect(Object.fromEntries(back.searchParams)).toEqual({
    error: 'invalid_request',
    error_description: 'prompt is missing or wrong',
  })
})

test('Jira: the sites that a token may use are listed, for its bearer only', async () => {
  const { manifest, demo } = await load('jira')
  await using vendor = await createSandbox(manifest, demo)
  const url = `${vendor.url}/oauth/token/accessible-resources`
  expect((await fetch(url)).status).toBe(401)
  const { credentials, config } = vendor.options('oauth')
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${textOf(credentials['access_token'])}` },
  })
  expect(await response.json()).toMatchObject([
    { id: '3f0c5f1e-7a52-4f0b-9c55-2d1f6a8be901', url: 'https://tallow-demo.atlassian.net' },
  ])
  expect(config).toEqual({ subdomain: 'tallow-demo' })
})
