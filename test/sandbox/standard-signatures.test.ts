// `apply.aws_v4` and `apply.oauth1`: what leaves is what their authors published, and the sandbox checks it as a vendor does.
import { expect, test } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { compileApply } from '../../src/engine/credentials/apply.ts'
import type { JsonObject } from '../../src/language/json/json.ts'
import { carriedBy } from '../../src/language/manifest/credential-places/places.ts'
import type { SignedMessage } from '../../src/language/signing/request-facts.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { findingsOf, methodManifest } from '../fixtures/method-manifest.ts'

/** A method with these words, which takes every credential that they name. */
function method(apply: object): object {
  const names = [...JSON.stringify(apply).matchAll(/credentials\.(\w+)/g)].map(([, name]) => name)
  const properties = Object.fromEntries(
    names.map((name) => [name, { type: 'string', writeOnly: true }]),
  )
  return { key: { credentials: { required: names.slice(0, 1), properties }, apply } }
}

interface Leaving {
  readonly apply: object
  readonly credentials: JsonObject
  readonly now: number
  readonly request: Partial<SignedMessage> & { readonly url: string }
}

function leaving({ apply, credentials, now, request }: Leaving): SignedMessage | undefined {
  const [resolved] = methodManifest(method(apply)).auth
  const { sign } = compileApply(carriedBy(resolved?.apply as never))({
    credentials,
    now: () => now,
  })
  return sign?.({ method: 'GET', headers: {}, body: Buffer.alloc(0), ...request })
}

const AWS = {
  access_key_id: '{{ credentials.id }}',
  secret_access_key: '{{ credentials.secret }}',
  session_token: '{{ credentials.session }}',
  region: 'us-east-1',
  service: 'service',
}
const KEY = { id: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
const UNRESERVED = '-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const VANILLA = '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'
const SESSION = '6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267'

// Source: awslabs/aws-c-auth, tests/aws-signing-test-suite/v4 (Apache-2.0): requests and signatures as facts. The form's
// signature is that of the suite's first edition, without a hash of the body in a header.
test.for<{ name: string; target: string; want: string; request?: object; session?: string }>([
  { name: 'get-vanilla', target: '/', want: VANILLA },
  { name: 'get-relative', target: '/example/..', want: VANILLA },
  { name: 'get-relative-relative', target: '/example1/example2/../..', want: VANILLA },
  { name: 'get-slash-dot-slash', target: '/./', want: VANILLA },
  { name: 'get-slash', target: '//', want: VANILLA },
  {
    name: 'get-slash-pointless-dot',
    target: '/./example',
    want: 'ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5',
  },
  {
    name: 'get-slashes',
    target: '//example//',
    want: '9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84',
  },
  {
    name: 'get-unreserved',
    target: `/${UNRESERVED}`,
    want: '07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f',
  },
  {
    name: 'get-vanilla-empty-query-key',
    target: '/?Param1=value1',
    want: 'a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb',
  },
  {
    name: 'get-vanilla-query-order-encoded',
    target: '/?Param-3=Value3&Param=Value2&%E1%88%B4=Value1',
    want: '371d3713e185cc334048618a97f809c9ffe339c62934c032af5a0e595648fcac',
  },
  {
    name: 'get-vanilla-query-order-key-case',
    target: '/?Param2=value2&Param1=value1',
    want: 'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  },
  {
    name: 'get-vanilla-query-unreserved',
    target: `/?${UNRESERVED}=${UNRESERVED}`,
    want: '9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197',
  },
  {
    name: 'get-vanilla-utf8-query',
    target: '/?%E1%88%B4=bar',
    want: '2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04',
  },
  {
    name: 'get-vanilla-with-session-token',
    target: '/',
    session: SESSION,
    want: '07ec1639c89043aa0e3e2de82b96708f198cceab042d4a97044c66dd9f74e7f8',
  },
  {
    name: 'get-header-value-trim',
    target: '/',
    request: { headers: { 'my-header1': ' value1', 'my-header2': ' "a   b   c"' } },
    want: 'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
  },
  {
    name: 'post-vanilla',
    target: '/',
    request: { method: 'POST' },
    want: '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  },
  {
    name: 'post-header-key-sort',
    target: '/',
    request: { method: 'POST', headers: { 'my-header1': 'value1', 'user-agent': 'unsigned' } },
    want: 'c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c',
  },
  {
    name: 'post-vanilla-query',
    target: '/?Param1=value1',
    request: { method: 'POST' },
    want: '28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11',
  },
  {
    name: 'post-x-www-form-urlencoded',
    target: '/',
    request: {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from('Param1=value1'),
    },
    want: 'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  },
])('aws_v4 is the published signature: $name', ({ target, want, request, session }) => {
  const signed = leaving({
    apply: { aws_v4: AWS },
    credentials: { ...KEY, ...(session === undefined ? {} : { session }) },
    now: Date.parse('2015-08-30T12:36:00Z'),
    request: { url: `https://example.amazonaws.com${target}`, ...request },
  })
  expect(signed?.headers['authorization']?.split('Signature=')[1]).toBe(want)
  expect(signed?.headers['x-amz-date']).toBe('20150830T123600Z')
  expect(signed?.headers['x-amz-security-token']).toBe(session)
})

// Source: Amazon S3 API Reference, "Examples: Signature Calculations in AWS Signature Version 4" (facts only).
test('aws_v4 with the variant s3 is the published signature', () => {
  const signed = leaving({
    apply: { aws_v4: { ...AWS, service: 's3', variant: 's3' } },
    credentials: { id: 'AKIAIOSFODNN7EXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' },
    now: Date.parse('2013-05-24T00:00:00Z'),
    request: {
      url: 'https://examplebucket.s3.amazonaws.com/test.txt',
      headers: { range: 'bytes=0-9' },
    },
  })
  expect(signed?.headers).toEqual({
    range: 'bytes=0-9',
    'x-amz-date': '20130524T000000Z',
    'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  })
})

const OAUTH1 = {
  consumer_key: '{{ credentials.key }}',
  consumer_secret: '{{ credentials.secret }}',
  token: '{{ credentials.token }}',
  token_secret: '{{ credentials.token_secret }}',
}
/** What is in the header. */
const partsOf = (signed: SignedMessage | undefined): Record<string, string> =>
  Object.fromEntries(
    [...(signed?.headers['authorization'] ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, decodeURIComponent(value)],
    ),
  )

/** The nonce of the published examples, in place of a random one. */
function withNonce(header: string, nonce: string): string {
  return header.replace(/oauth_nonce="\w+"/, `oauth_nonce="${nonce}"`)
}

// Facts of published examples: the request, the secrets, and the signature that a vendor must accept. Sources: RFC 5849
// section 1.2; the documentation of X, "Creating a signature".
test.for<{ name: string; request: object; credentials: JsonObject; header: string }>([
  {
    name: 'RFC 5849 section 1.2',
    request: {
      method: 'GET',
      url: 'http://photos.example.net/photos?file=vacation.jpg&size=original',
    },
    credentials: {
      key: 'dpf43f3p2l4k3l03',
      secret: 'kd94hf93k423kf44',
      token: 'nnch734d00sl2jdk',
      token_secret: 'pfkkdhi9sl3r4s00',
    },
    header:
      'OAuth realm="Photos", oauth_consumer_key="dpf43f3p2l4k3l03", oauth_token="nnch734d00sl2jdk", oauth_signature_method="HMAC-SHA1", oauth_timestamp="137131202", oauth_nonce="chapoH", oauth_signature="MdpQcU8iPSUjWoN%2FUDMsK2sui9I%3D"',
  },
  {
    name: 'a form with a query, as X documents it',
    request: {
      method: 'POST',
      url: 'https://api.twitter.com/1.1/statuses/update.json?include_entities=true',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(
        'status=Hello%20Ladies%20%2B%20Gentlemen%2C%20a%20signed%20OAuth%20request%21',
      ),
    },
    credentials: {
      key: 'xvz1evFS4wEEPTGEFPHBog',
      secret: 'kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw',
      token: '370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb',
      token_secret: 'LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE',
    },
    header:
      'OAuth oauth_consumer_key="xvz1evFS4wEEPTGEFPHBog", oauth_nonce="kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg", oauth_signature="hCtSmYh%2BiHYCEqBWrE7C7hYmtUk%3D", oauth_signature_method="HMAC-SHA1", oauth_timestamp="1318622958", oauth_token="370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb", oauth_version="1.0"',
  },
])(
  'oauth1 accepts the published request, and no other: $name',
  ({ request, credentials, header }) => {
    const realm = /realm="(\w+)"/.exec(header)?.[1]
    const apply = { oauth1: { ...OAUTH1, ...(realm === undefined ? {} : { realm }) } }
    const [resolved] = methodManifest(method(apply)).auth
    const [part] = carriedBy(resolved?.apply as never)
    if (part?.in !== 'signature') throw new Error('oauth1 carries a signature')
    const texts = [
      credentials['key'],
      credentials['secret'],
      credentials['token'],
      credentials['token_secret'],
      realm,
    ]
    const accepts = (authorization: string): boolean =>
      part.accepts(texts as string[], {
        method: 'GET',
        url: '',
        body: Buffer.alloc(0),
        ...request,
        headers: { ...(request as { headers?: object }).headers, authorization },
        scope: {},
        told: {},
      })
    expect([accepts(header), accepts(withNonce(header, 'another'))]).toEqual([true, false])
  },
)

test('oauth1 signs with what it sends', () => {
  const credentials = { key: 'k', secret: 's&s', token: 't', token_secret: 'ü' }
  const signed = leaving({
    apply: { oauth1: { ...OAUTH1, alg: 'hmac_sha256', realm: '1234_SB1', body_hash: true } },
    credentials,
    now: 1_318_622_958_000,
    request: {
      method: 'POST',
      url: 'https://api.acme.example:8443/a%20b?z=1&a=%2B',
      body: Buffer.from('{"a":1}'),
    },
  })
  const { oauth_nonce: nonce, oauth_signature: signature, ...parts } = partsOf(signed)
  expect(parts).toEqual({
    realm: '1234_SB1',
    oauth_consumer_key: 'k',
    oauth_signature_method: 'HMAC-SHA256',
    oauth_timestamp: '1318622958',
    oauth_token: 't',
    oauth_version: '1.0',
    oauth_body_hash: 'AVq9f1zFei3ZS3WQ8ErYCEJzkF7jPsXOvq5iJ2qX+GI=',
  })
  expect([nonce?.length, signature?.length]).toEqual([32, 44])
})

const APPLIES: readonly { name: string; apply: object; other: string }[] = [
  { name: 'aws_v4', apply: { aws_v4: AWS }, other: 'secret' },
  { name: 'aws_v4 for S3', apply: { aws_v4: { ...AWS, variant: 's3' } }, other: 'session' },
  { name: 'oauth1', apply: { oauth1: OAUTH1 }, other: 'token_secret' },
  {
    name: 'oauth1 with RSA and a realm',
    apply: { oauth1: { ...OAUTH1, alg: 'rsa_sha256', realm: '{{ credentials.area }}' } },
    other: 'area',
  },
  {
    name: 'oauth1 of an application',
    apply: {
      oauth1: { consumer_key: OAUTH1.consumer_key, consumer_secret: OAUTH1.consumer_secret },
    },
    other: 'secret',
  },
]
test.for(APPLIES)(
  'the sandbox accepts what is signed with its credentials, and refuses others: $name',
  async ({ apply, other }) => {
    const manifest = methodManifest(method(apply))
    await using vendor = await createSandbox(manifest, null)
    const { credentials, ...options } = vendor.options()
    const list = async (given: object): Promise<string> => {
      await using client = await connect(manifest, { ...options, retries: 0, credentials: given })
      return await client.execute('things', 'list').then(
        () => 'ok',
        (error: unknown) => String((error as { code?: string }).code),
      )
    }
    expect([
      await list(credentials),
      await list({ ...credentials, [other]: 'another one' }),
    ]).toEqual(['ok', 'credentials_refused'])
    await using client = await connect(manifest, { ...options, credentials })
    const preview = JSON.stringify(await client.preview('things', 'list'))
    expect(preview).not.toMatch(/Signature=|oauth_signature/)
  },
)

test.for([
  { name: 'aws_v4', apply: { aws_v4: AWS }, given: { id: 'a' }, missing: ['credentials.secret'] },
  {
    name: 'oauth1',
    apply: { oauth1: OAUTH1 },
    given: { key: 'a', secret: 'b', token: 'c' },
    missing: ['credentials.token_secret'],
  },
])('$name names what is missing, and nothing is sent', async ({ apply, given, missing }) => {
  const manifest = methodManifest(method(apply))
  await using vendor = await createSandbox(manifest, null)
  await using client = await connect(manifest, { ...vendor.options(), credentials: given })
  await expect(client.execute('things', 'list')).rejects.toMatchObject({
    code: 'credentials_invalid',
    details: { missing },
  })
  expect(vendor.requests()).toEqual([])
})

test('a secret of a token without the token is found before a request', () => {
  const { token: _token, ...rest } = OAUTH1
  expect(findingsOf(method({ oauth1: rest })).join()).toContain('token')
})

test('a header that is encoded wrongly is refused by the sandbox, as any wrong signature', async () => {
  await using vendor = await createSandbox(methodManifest(method({ oauth1: OAUTH1 })), null)
  const authorization = 'OAuth oauth_consumer_key="%zz", oauth_signature="%"'
  const answer = await fetch(`${vendor.url}/things`, { headers: { authorization } })
  expect(answer.status).toBe(401)
})
