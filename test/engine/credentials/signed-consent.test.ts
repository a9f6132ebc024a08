// The consent of OAuth 1.0a as a third party sees it: signatures that others made, the answers it may give, the address.
import { describe, expect, test } from 'vitest'
import { compileConsent } from '../../../src/engine/credentials/consent.ts'
import type { Consent } from '../../../src/engine/credentials/consent.ts'
import type { UpstreamRequest } from '../../../src/engine/request/upstream-request.ts'
import { ConnectorError } from '../../../src/errors.ts'
import {
  consentSignature,
  protocolParams,
} from '../../../src/language/manifest/credential-places/oauth1.ts'
import type { AuthMethod } from '../../../src/language/manifest/manifest.ts'
import { createPatientClock } from '../../contracts/scripted-upstream.ts'
import { findingsOf, methodManifest } from '../../fixtures/method-manifest.ts'
import { METHOD, OAUTH1, SERVER } from '../../service/oauth/signed-set-up.ts'

const STATE = 's~1_-x'
const PLACE = { state: STATE, redirectUri: 'https://tenon.example/v1/oauth/callback/acme' }
const CALLBACK = `${PLACE.redirectUri}?state=${STATE}`
const CLIENT = { id: 'dpf43f3p2l4k3l03', secret: 'kd94hf93k423kf44' }
const TEMPORARY = { token: 'hh5s93j4hdidpola', secret: 'hdhd0244k9j7ao03' }

function methodWith(alg: string): AuthMethod {
  const apply = { oauth1: { ...METHOD.apply.oauth1, alg } }
  const [method] = methodManifest({ oauth: { ...METHOD, apply } }, SERVER).auth
  if (method === undefined) throw new TypeError('there is a method')
  return method
}

// Computed by the npm package oauth-1.0a 2.2.6 (MIT) with nonce 0001…0f and time 1191242090; its signatures as facts.
test.for([
  {
    name: 'a temporary token',
    request: { method: 'POST', url: 'https://photos.example.net/initiate' },
    params: [['oauth_callback', CALLBACK]],
    want: 'knyxQFYSVXXFTXTbM9OyUkuS0f0=',
  },
  {
    name: 'a temporary token with a parameter in the form',
    request: { method: 'POST', url: 'https://photos.example.net/initiate' },
    form: 'x_auth_access_type=read%20%26%20write',
    params: [['oauth_callback', CALLBACK]],
    want: '1WW/Ospjt1W6CHuNgcLpRpw8d8s=',
  },
  {
    name: 'a temporary token by GET, with SHA-256',
    alg: 'hmac_sha256',
    request: { method: 'GET', url: 'https://photos.example.net/initiate?a=1&scope=read%2Cwrite' },
    params: [['oauth_callback', CALLBACK]],
    want: 'yYEC42iPvZWlESCd6ogt6yvV1p3tWSdqa0kF7LI16ek=',
  },
  {
    name: 'a token',
    request: { method: 'POST', url: 'https://photos.example.net/token' },
    pair: TEMPORARY,
    params: [['oauth_verifier', 'hfdp7dh39dks9884']],
    want: 'zeIGv/f1PrZrvbyW1Wk/+ciEsnI=',
  },
  {
    name: 'a token whose secret and verifier need encoding',
    alg: 'hmac_sha256',
    request: { method: 'GET', url: 'https://photos.example.net/token' },
    pair: { ...TEMPORARY, secret: 's&=%é+/' },
    params: [['oauth_verifier', 'a b+c/=']],
    want: '5AXndpRtOftVnPeWXBHkGaz4YfoqzjbPNOzCf429oMc=',
  },
] as const)('the request of $name is signed as another program signs it', (given) => {
  const { request, params, want } = given
  const { alg, pair, form } = { alg: 'hmac_sha1', pair: null, form: '', ...given }
  const part = consentSignature(methodWith(alg).apply, { pair, params })
  const texts = [CLIENT.id, CLIENT.secret, pair?.token, pair?.secret]
  const headers: Record<string, string> =
    form === '' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
  const signed = part.sign(texts, {
    ...request,
    headers,
    body: Buffer.from(form),
    now: 1191242090_000,
    nonce: Uint8Array.from({ length: 16 }, (_, index) => index),
    scope: { client: { ...CLIENT } },
  })
  expect(protocolParams(signed.headers['authorization']).get('oauth_signature')).toBe(want)
})

// Source: RFC 5849 section 1.2.
test.for([
  {
    name: 'temporary token',
    url: 'https://photos.example.net/initiate',
    pair: null,
    header:
      'OAuth realm="Photos", oauth_consumer_key="dpf43f3p2l4k3l03", oauth_signature_method="HMAC-SHA1", oauth_timestamp="137131200", oauth_nonce="wIjqoS", oauth_callback="http%3A%2F%2Fprinter.example.com%2Fready", oauth_signature="74KNZJeDHnMBp0EMJ9ZHt%2FXKycU%3D"',
  },
  {
    name: 'token',
    url: 'https://photos.example.net/token',
    pair: TEMPORARY,
    header:
      'OAuth realm="Photos", oauth_consumer_key="dpf43f3p2l4k3l03", oauth_token="hh5s93j4hdidpola", oauth_signature_method="HMAC-SHA1", oauth_timestamp="137131201", oauth_nonce="walatlh", oauth_verifier="hfdp7dh39dks9884", oauth_signature="gKgrFCywp7rO0OXSjdot%2FIHF7IU%3D"',
  },
])(
  'the sandbox accepts the request of a $name of the RFC, and no other',
  ({ url, pair, header }) => {
    const apply = { oauth1: { ...METHOD.apply.oauth1, realm: 'Photos' } }
    const [method] = methodManifest({ oauth: { ...METHOD, apply } }, SERVER).auth
    const part = consentSignature(method?.apply as AuthMethod['apply'], { pair, params: [] })
    const texts = [CLIENT.id, CLIENT.secret, pair?.token, pair?.secret, 'Photos']
    const accepts = (authorization: string, method = 'POST'): boolean =>
      part.accepts(texts, {
        method,
        url,
        headers: { authorization },
        body: Buffer.alloc(0),
        scope: {},
        told: {},
      })
    expect([accepts(header), accepts(header, 'GET')]).toEqual([true, false])
    expect(accepts(header.replace(/printer|hfdp7/, 'other'))).toBe(false)
  },
)

interface Scripted {
  readonly status?: number
  readonly body: string
  readonly type?: string
}

/** A consent whose third party gives these answers, and what it was sent. */
function consentWith(answers: readonly (Scripted | ConnectorError)[], oauth1: object = OAUTH1) {
  const sent: UpstreamRequest[] = []
  const left = [...answers]
  const consent = compileConsent(methodManifest({ oauth: { ...METHOD, oauth1 } }, SERVER), {
    client: CLIENT,
    clock: createPatientClock(),
    serverUrl: null,
    transport: {
      send(request) {
        sent.push(request)
        const next = left.shift()
        if (next === undefined) throw new TypeError('nothing more was expected')
        if (next instanceof ConnectorError) return Promise.reject(next)
        const { status = 200, body, type = 'text/html' } = next
        const headers = { 'content-type': type }
        return Promise.resolve({ status, headers, url: request.url, body: Buffer.from(body) })
      },
      stream: () => Promise.reject(new Error('nothing is streamed here')),
      close: () => Promise.resolve(),
    },
  })
  if (consent === null) throw new TypeError('there is a consent')
  return { consent, sent }
}

const prepare = async (consent: Consent): Promise<string | null> =>
  await consent.prepare({}, { ...PLACE, random: 'unused' })
const outcomeOf = async (promise: Promise<unknown>): Promise<unknown> =>
  await promise.catch(({ code, details: { reason } }: ConnectorError) =>
    reason === undefined ? code : [code, reason],
  )

const CONFIRMED = 'oauth_token=t%2F1&oauth_token_secret=s%261&oauth_callback_confirmed=true'
const KEPT = '{"token":"t/1","secret":"s&1"}'

describe('the temporary token', () => {
  test('is asked for with the address to come back to, and nothing else of the user', async () => {
    const { consent, sent } = consentWith([{ body: CONFIRMED }])
    expect(await prepare(consent)).toBe(KEPT)
    const [request] = sent
    const { authorization = '', ...headers } = request?.headers ?? {}
    expect([request?.method, request?.url, request?.body, request?.redirects, headers]).toEqual([
      'POST',
      'https://api.acme.example/oauth/request_token',
      null,
      0,
      { accept: '*/*' },
    ])
    expect(request?.secretHeaders).toContain('authorization')
    expect([...protocolParams(authorization).keys()]).toEqual([
      'oauth_consumer_key',
      'oauth_nonce',
      'oauth_signature_method',
      'oauth_timestamp',
      'oauth_version',
      'oauth_callback',
      'oauth_signature',
    ])
    expect(protocolParams(authorization).get('oauth_callback')).toBe(CALLBACK)
  })

  test.for<{ name: string; answer: Scripted | ConnectorError; more?: object; want: unknown }>([
    { name: 'a line end behind a form', answer: { body: `${CONFIRMED}\n` }, want: KEPT },
    {
      name: 'JSON, its values deep in it',
      more: {
        request_token: { ...OAUTH1.request_token, token: '$.data.id', token_secret: '$.key' },
      },
      answer: { body: '{"data":{"id":"t/1"},"key":"s&1","oauth_callback_confirmed":true}' },
      want: KEPT,
    },
    {
      name: 'no confirmation',
      answer: { body: 'oauth_token=t&oauth_token_secret=s' },
      want: 'upstream_malformed',
    },
    {
      name: 'a confirmation that says no',
      answer: { body: 'oauth_token=t&oauth_token_secret=s&oauth_callback_confirmed=false' },
      want: 'upstream_malformed',
    },
    {
      name: 'no confirmation, of a vendor that gives none',
      more: { authorize: { ...OAUTH1.authorize, callback: 'unconfirmed' } },
      answer: { body: 'oauth_token=t%2F1&oauth_token_secret=s%261' },
      want: KEPT,
    },
    {
      name: 'no secret',
      answer: { body: 'oauth_token=t&oauth_callback_confirmed=true' },
      want: 'upstream_malformed',
    },
    {
      name: 'a page',
      answer: { body: '<html><body>oauth_token=1</body></html>' },
      want: 'upstream_malformed',
    },
    { name: 'an empty answer', answer: { body: '' }, want: 'upstream_malformed' },
    {
      name: 'a token with a line break',
      answer: { body: 'oauth_token=a%0D%0Ab&oauth_token_secret=s&oauth_callback_confirmed=true' },
      want: 'upstream_malformed',
    },
    {
      name: 'more than 1 MiB',
      answer: { body: `${CONFIRMED}&x=${'x'.repeat(1 << 20)}` },
      want: 'upstream_malformed',
    },
    { name: 'a redirect', answer: { status: 302, body: '' }, want: 'upstream_malformed' },
    {
      name: 'a refusal without a word',
      answer: { status: 401, body: 'Failed to validate oauth signature and token' },
      want: ['oauth_not_configured', 'status_401'],
    },
    {
      name: 'a refusal of the client',
      answer: { status: 400, body: 'oauth_problem=consumer_key_unknown' },
      want: ['oauth_not_configured', 'consumer_key_unknown'],
    },
    {
      name: 'a refusal in words of its own',
      answer: { status: 403, body: 'oauth_problem=%3Cscript%3E' },
      want: ['oauth_not_configured', 'status_403'],
    },
    { name: 'a failure', answer: { status: 503, body: '' }, want: 'upstream_failed' },
    { name: 'a limit', answer: { status: 429, body: '' }, want: 'upstream_failed' },
    {
      name: 'no connection',
      answer: new ConnectorError('upstream_unreachable', 'x', { details: { sent: false } }),
      want: 'upstream_unreachable',
    },
    {
      name: 'an answer that breaks off',
      answer: new ConnectorError('upstream_unreachable', 'x'),
      want: 'upstream_malformed',
    },
  ])('of $name', async ({ answer, more = {}, want }) => {
    const { consent } = consentWith([answer], { ...OAUTH1, ...more })
    expect(await outcomeOf(prepare(consent))).toEqual(want)
  })
})

test.for([
  {
    name: 'the token',
    authorize: OAUTH1.authorize,
    want: 'https://acme.example/oauth/authorize?oauth_token=t%2F1&name=Acme%20app',
  },
  {
    name: 'the token and the address, of a vendor that reads it there',
    authorize: { url: 'https://acme.example/confirm?a=1', callback: 'page' },
    want: `https://acme.example/confirm?a=1&oauth_token=t%2F1&oauth_callback=${encodeURIComponent(CALLBACK)}`,
  },
])('the page is asked with $name', ({ authorize, want }) => {
  const { consent } = consentWith([], {
    ...OAUTH1,
    authorize: { store: OAUTH1.authorize.store, ...authorize },
  })
  expect(consent.url({}, { ...PLACE, kept: KEPT })).toBe(want)
})

describe('the token', () => {
  const callback = { oauth_token: 't/1', oauth_verifier: 'v+1', realmId: 'demo-realm' }
  const exchange = (consent: Consent): Promise<unknown> =>
    consent.exchange({}, { callback, redirectUri: PLACE.redirectUri, kept: KEPT })

  test('is asked for with the verifier, and the secret of the temporary token signs', async () => {
    const { consent, sent } = consentWith([
      { body: 'oauth_token=a1&oauth_token_secret=b1&user_id=38895958&screen_name=x' },
    ])
    expect(await exchange(consent)).toEqual({
      credentials: { access_token: 'a1', token_secret: 'b1' },
      config: { realm_id: 'demo-realm', user_id: '38895958' },
      grantedScopes: null,
      lifeMs: null,
    })
    const [request] = sent
    const authorization = request?.headers['authorization']
    const given = protocolParams(authorization)
    expect([request?.url, given.get('oauth_token'), given.get('oauth_verifier')]).toEqual([
      'https://api.acme.example/oauth/access_token',
      't/1',
      'v+1',
    ])
    const pair = JSON.parse(KEPT) as typeof TEMPORARY
    const part = consentSignature(methodWith('hmac_sha1').apply, { pair, params: [] })
    const accepts = (secret: string): boolean =>
      part.accepts([CLIENT.id, CLIENT.secret, pair.token, secret], {
        method: 'POST',
        url: request?.url ?? '',
        headers: { authorization: authorization ?? '' },
        body: Buffer.alloc(0),
        scope: {},
        told: {},
      })
    expect([accepts(pair.secret), accepts('s')]).toEqual([true, false])
  })

  test.for<{ name: string; answer: Scripted; want: unknown }>([
    {
      name: 'a refusal without a word',
      answer: { status: 401, body: '' },
      want: 'credentials_refused',
    },
    {
      name: 'a token that was used',
      answer: { status: 401, body: 'oauth_problem=token_used' },
      want: 'credentials_refused',
    },
    {
      name: 'a refusal of the client',
      answer: { status: 401, body: 'oauth_problem=signature_invalid' },
      want: ['oauth_not_configured', 'signature_invalid'],
    },
    { name: 'a failure', answer: { status: 500, body: '' }, want: 'upstream_failed' },
    { name: 'no secret', answer: { body: 'oauth_token=a1' }, want: 'upstream_malformed' },
  ])('of $name', async ({ answer, want }) => {
    const { consent } = consentWith([answer])
    expect(await outcomeOf(exchange(consent))).toEqual(want)
  })
})

test.for([
  {
    name: 'no place for the secret of the token',
    change: {
      credentials: {
        required: ['access_token'],
        properties: { access_token: { type: 'string', writeOnly: true } },
      },
      apply: { oauth1: { ...METHOD.apply.oauth1, token_secret: '{{ client.secret }}' } },
    },
    want: ['auth/token-secret-missing auth.oauth.credentials'],
  },
  {
    name: 'nothing that signs',
    change: {
      apply: {
        headers: { 'X-Token': '{{ credentials.access_token }} {{ credentials.token_secret }}' },
      },
    },
    want: ['schema/missing-key auth.oauth.apply'],
  },
  {
    name: 'a block of another protocol next to it',
    change: {
      oauth2: { grant: 'client_credentials', token: { url: 'https://api.acme.example/token' } },
    },
    want: ['schema/misplaced-key auth.oauth.oauth1'],
  },
  {
    name: 'a host that any setting names',
    change: {
      oauth1: {
        ...OAUTH1,
        access_token: { url: 'https://{{ config.realm_id }}.acme.example/token' },
      },
    },
    want: ['server/hosts-missing auth.oauth.oauth1.access_token.url'],
  },
  {
    name: 'a value of the body in authorize.store',
    change: {
      oauth1: {
        ...OAUTH1,
        authorize: { ...OAUTH1.authorize, store: { 'config.realm_id': '$.realmId' } },
      },
    },
    want: ['path/root-out-of-place auth.oauth.oauth1.authorize.store["config.realm_id"]'],
  },
  {
    name: 'a setting that there is not',
    change: { oauth1: { ...OAUTH1, store: { ...OAUTH1.store, 'config.other': '$.other' } } },
    want: ['auth/undeclared-target auth.oauth.oauth1.store["config.other"]'],
  },
])('lint tells $name', ({ change, want }) => {
  const found = findingsOf({ oauth: { ...METHOD, ...change } }, SERVER)
  expect(found.map((each) => each.split(': ')[0])).toEqual(want)
})
