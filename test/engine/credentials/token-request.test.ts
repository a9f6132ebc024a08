import { describe, expect, test } from 'vitest'

import {
  compileTokenRequest,
  type OAuthClient,
} from '../../../src/engine/credentials/token-request.ts'
import type { Presentation } from '../../../src/language/manifest/access/grants.ts'
import type { Scope } from '../../../src/language/expression/syntax.ts'
import type { UpstreamRequest } from '../../../src/engine/request/upstream-request.ts'
import { exampleManifest, type ExampleMethod, oauthMethod } from './example-manifest.ts'

const CLIENT: OAuthClient = { id: 'id', secret: 's/e+c' }
const REFRESH: Presentation = { grant_type: 'refresh_token', refresh_token: 'r t' }
const CODE: Presentation = {
  grant_type: 'authorization_code',
  code: 'c',
  redirect_uri: 'https://app.example.com/back?a=1',
}

function requestFor(
  oauth2: ExampleMethod['oauth2'],
  grant: Presentation,
  given: { client?: OAuthClient | null; scope?: Scope; serverUrl?: string } = {},
): UpstreamRequest {
  const { client = CLIENT, scope = {}, serverUrl = null } = given
  const manifest = exampleManifest({ methods: [oauthMethod(oauth2)] })
  const compiled = manifest.auth[0]?.oauth2
  if (compiled == null) throw new Error('there is one method')
  return compileTokenRequest(manifest, compiled, serverUrl)(grant, client, {
    ...scope,
    client: client === null ? {} : { id: client.id },
  })
}

const SAME = { redirects: 0, timeoutMs: 120_000, headMs: 120_000, secretQuery: [] }

test.for<{
  name: string
  oauth2: ExampleMethod['oauth2']
  grant: Presentation
  want: UpstreamRequest
}>([
  {
    name: 'Gong refreshes by a form, its client in a Basic header',
    oauth2: {
      token: {
        url: 'https://app.gong.io/oauth2/generate-customer-token',
        params: { client_id: '{{ client.id }}' },
      },
    },
    grant: REFRESH,
    want: {
      ...SAME,
      method: 'POST',
      url: 'https://app.gong.io/oauth2/generate-customer-token',
      headers: {
        accept: 'application/json',
        // printf 'id:s/e+c' | base64
        authorization: 'Basic aWQ6cy9lK2M=',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=refresh_token&refresh_token=r%20t',
      secretHeaders: ['authorization'],
    },
  },
  {
    name: 'Gong exchanges a code with its client id beside the Basic header',
    oauth2: {
      token: {
        url: 'https://app.gong.io/oauth2/generate-customer-token',
        params: { client_id: '{{ client.id }}' },
      },
    },
    grant: CODE,
    want: {
      ...SAME,
      method: 'POST',
      url: 'https://app.gong.io/oauth2/generate-customer-token',
      headers: {
        accept: 'application/json',
        authorization: 'Basic aWQ6cy9lK2M=',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=authorization_code&code=c&redirect_uri=https%3A%2F%2Fapp.example.com%2Fback%3Fa%3D1&client_id=id',
      secretHeaders: ['authorization'],
    },
  },
  {
    name: 'Jira refreshes by JSON, its client in the body',
    oauth2: {
      token: { url: 'https://auth.atlassian.com/oauth/token', clientAuth: 'body', body: 'json' },
    },
    grant: REFRESH,
    want: {
      ...SAME,
      method: 'POST',
      url: 'https://auth.atlassian.com/oauth/token',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: '{"grant_type":"refresh_token","refresh_token":"r t","client_id":"id","client_secret":"s/e+c"}',
      secretHeaders: [],
    },
  },
  {
    name: 'Facebook exchanges a code by GET, everything in the query',
    oauth2: {
      rotatesRefreshToken: false,
      token: {
        url: 'https://graph.facebook.com/v24.0/oauth/access_token',
        method: 'GET',
        clientAuth: 'query',
      },
    },
    grant: CODE,
    want: {
      method: 'GET',
      url: 'https://graph.facebook.com/v24.0/oauth/access_token?client_id=id&client_secret=s%2Fe%2Bc&grant_type=authorization_code&code=c&redirect_uri=https%3A%2F%2Fapp.example.com%2Fback%3Fa%3D1',
      headers: { accept: 'application/json' },
      body: null,
      redirects: 0,
      timeoutMs: 20_000,
      headMs: 20_000,
      secretHeaders: [],
      secretQuery: ['client_id', 'client_secret', 'code', 'redirect_uri'],
    },
  },
  {
    name: 'a public client names itself and proves the code by its verifier',
    oauth2: { token: { clientAuth: 'none' } },
    grant: { ...CODE, code_verifier: 'v' },
    want: {
      ...SAME,
      method: 'POST',
      url: 'https://auth.example.com/token',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=authorization_code&code=c&redirect_uri=https%3A%2F%2Fapp.example.com%2Fback%3Fa%3D1&code_verifier=v&client_id=id',
      secretHeaders: [],
    },
  },
  {
    name: 'a refresh has its own address and parameters, headers hold for both',
    oauth2: {
      token: {
        headers: { 'X-App': 'app', Accept: 'application/vnd.v2+json' },
        params: { scope: 'a b' },
      },
      refresh: { url: 'https://auth.example.com/renew', params: { audience: 'api' } },
    },
    grant: REFRESH,
    want: {
      ...SAME,
      method: 'POST',
      url: 'https://auth.example.com/renew',
      headers: {
        accept: 'application/vnd.v2+json',
        authorization: 'Basic aWQ6cy9lK2M=',
        'x-app': 'app',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=refresh_token&refresh_token=r%20t&audience=api',
      secretHeaders: ['authorization', 'x-app'],
    },
  },
  {
    name: 'client credentials, with the scope of the manifest',
    oauth2: {
      rotatesRefreshToken: false,
      grant: 'client_credentials',
      token: { params: { scope: 'a b' } },
    },
    grant: { grant_type: 'client_credentials' },
    want: {
      method: 'POST',
      url: 'https://auth.example.com/token',
      headers: {
        accept: 'application/json',
        authorization: 'Basic aWQ6cy9lK2M=',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials&scope=a%20b',
      redirects: 0,
      timeoutMs: 20_000,
      headMs: 20_000,
      secretHeaders: ['authorization'],
      secretQuery: [],
    },
  },
  {
    name: 'a password, with everything reserved encoded',
    oauth2: { rotatesRefreshToken: false, grant: 'password', token: { clientAuth: 'body' } },
    grant: { grant_type: 'password', username: 'ada@example.com', password: "a&b=c+d'(é)" },
    want: {
      method: 'POST',
      url: 'https://auth.example.com/token',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=password&username=ada%40example.com&password=a%26b%3Dc%2Bd%27%28%C3%A9%29&client_id=id&client_secret=s%2Fe%2Bc',
      redirects: 0,
      timeoutMs: 20_000,
      headMs: 20_000,
      secretHeaders: [],
      secretQuery: [],
    },
  },
])('$name', ({ oauth2, grant, want }) => expect(requestFor(oauth2, grant)).toEqual(want))

describe('the address', () => {
  const templated = { token: { url: 'https://{{ config.shop }}.api.example.com/oauth/token' } }

  test('may be made of settings', () => {
    expect(requestFor(templated, REFRESH, { scope: { config: { shop: 'acme' } } }).url).toBe(
      'https://acme.api.example.com/oauth/token',
    )
  })

  test.for([{ shop: 'evil.com/' }, { shop: 'a@evil.com' }])(
    'G1 a setting "$shop" does not lead elsewhere',
    ({ shop }) => {
      expect(() => requestFor(templated, REFRESH, { scope: { config: { shop } } })).toThrow(
        expect.objectContaining({
          code: expect.stringMatching(/^(config_invalid|destination_refused)$/),
        }),
      )
    },
  )

  test('G1 a host that is made of settings must be listed', () => {
    const free = { token: { url: 'https://{{ config.host }}/token' } }
    expect(() =>
      requestFor(free, REFRESH, { scope: { config: { host: 'evil.example' } } }),
    ).toThrow(expect.objectContaining({ code: 'destination_refused' }))
  })

  test('needs its settings', () => {
    expect(() => requestFor(templated, REFRESH, { scope: { config: {} } })).toThrow(
      expect.objectContaining({ code: 'config_invalid' }),
    )
  })

  test('keeps the slash at its end', () => {
    const slashed = { token: { url: 'https://{{ config.shop }}.api.example.com/oauth/token/' } }
    expect(requestFor(slashed, REFRESH, { scope: { config: { shop: 'acme' } } }).url).toBe(
      'https://acme.api.example.com/oauth/token/',
    )
  })

  test('moves to another server with its path', () => {
    expect(requestFor({}, REFRESH, { serverUrl: 'http://127.0.0.1:8080/mock/' }).url).toBe(
      'http://127.0.0.1:8080/mock/token',
    )
  })
})

test.for([
  { client: null, missing: ['client_id', 'client_secret'] },
  { client: { id: 'id', secret: null }, missing: ['client_secret'] },
])('without its client nothing can be asked: $missing', ({ client, missing }) => {
  expect(() => requestFor({}, REFRESH, { client })).toThrow(
    expect.objectContaining({
      code: 'credentials_refused',
      details: { reason: 'not_renewable', missing },
    }),
  )
})
