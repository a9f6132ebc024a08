// The signature of Standard Webhooks, against values that were not made by this code.
import { describe, expect, test } from 'vitest'
import {
  isSignedWebhook,
  newWebhookSecret,
  signWebhook,
} from '../../../src/client/webhooks/signature.ts'
import { verifyWebhook as verifyByWebCrypto } from '../../../src/client/fetch/verify-webhook.ts'
import {
  verifyWebhook as verifyInNode,
  type WebhookHeaders,
} from '../../../src/client/webhooks/verify-webhook.ts'

// The example of the Standard Webhooks libraries. With OpenSSL:
//   printf '%s' 'msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}' | openssl dgst -sha256 -mac HMAC \
//     -macopt hexkey:$(echo -n MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw | base64 -d | xxd -p -c 99) -binary | base64
const PUBLIC = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  message: {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1614265330,
    body: '{"test": 2432232314}',
  },
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}

// By OpenSSL in the same way.
const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
const OTHER_SECRET = 'whsec_Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA='
const ID = '0199f3b2-6f0e-7c31-9a57-2f4f5d1f9a10'
const TIMESTAMP = 1_795_000_000
const BODY =
  '{"type":"connector.deleted","timestamp":"2026-11-18T11:06:40.000Z","data":{"name":"Größe 😀"}}'
const SIGNATURE = 'v1,YYS/5x2rCQHDD4JWOTeKeBXsRgpio7DhUXCso3UZFWw='
const OTHER_SIGNATURE = 'v1,raFk6bFHvKnjbJHRL831prrr5TK27ELOi6BCc8g4XSE='
const HEADERS = {
  'webhook-id': ID,
  'webhook-timestamp': String(TIMESTAMP),
  'webhook-signature': SIGNATURE,
}
const EVENT = {
  id: ID,
  type: 'connector.deleted',
  timestamp: '2026-11-18T11:06:40.000Z',
  data: { name: 'Größe 😀' },
}
const at = (seconds: number) => ({ now: () => seconds * 1000 })

describe('E1 signing', () => {
  test('the public example', () => {
    expect(signWebhook(PUBLIC.message, [PUBLIC.secret])).toBe(PUBLIC.signature)
    expect(isSignedWebhook(PUBLIC.message, PUBLIC.signature, [PUBLIC.secret])).toBe(true)
  })

  test('what another implementation computes, for text and bytes alike', () => {
    const message = { id: ID, timestamp: TIMESTAMP, body: BODY }
    expect([
      signWebhook(message, [SECRET]),
      signWebhook({ ...message, body: Buffer.from(BODY) }, [SECRET]),
      signWebhook(message, [OTHER_SECRET, SECRET]),
      signWebhook(message, [SECRET.slice('whsec_'.length)]),
    ]).toEqual([SIGNATURE, SIGNATURE, `${OTHER_SIGNATURE} ${SIGNATURE}`, SIGNATURE])
  })

  test('a new secret is 32 bytes, and never the same', () => {
    const secrets = Array.from({ length: 100 }, newWebhookSecret)
    expect(new Set(secrets).size).toBe(100)
    for (const secret of secrets)
      expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(32)
  })

  test.for(['', 'whsec_', 'whsec_***', 'whsec_AAE', 'a secret'])('%j is no secret', (secret) => {
    expect(() => signWebhook(PUBLIC.message, [secret])).toThrow(TypeError)
  })
})

describe.for([
  ['in Node', async (...given: Parameters<typeof verifyInNode>) => verifyInNode(...given)],
  ['by Web Crypto', verifyByWebCrypto],
] as const)('E1 verifying %s', ([, verifyWebhook]) => {
  test.for<{ name: string; headers: WebhookHeaders; secret?: string | readonly string[] }>([
    { name: 'fields of Node', headers: HEADERS },
    { name: 'a Headers', headers: new Headers(HEADERS) },
    {
      name: 'other cases, and lists of one',
      headers: {
        'Webhook-Id': [ID],
        'WEBHOOK-TIMESTAMP': String(TIMESTAMP),
        'Webhook-Signature': SIGNATURE,
      },
    },
    {
      name: 'one of several signatures',
      headers: {
        ...HEADERS,
        'webhook-signature': `v1a,${SIGNATURE.slice(3)} v1,AAAA ${OTHER_SIGNATURE} ${SIGNATURE}`,
      },
    },
    { name: 'one of several secrets', headers: HEADERS, secret: [OTHER_SECRET, SECRET] },
  ])('takes $name', async ({ headers, secret = SECRET }) => {
    expect(await verifyWebhook(headers, BODY, secret, at(TIMESTAMP))).toEqual(EVENT)
    expect(await verifyWebhook(headers, Buffer.from(BODY), secret, at(TIMESTAMP))).toEqual(EVENT)
  })

  test.for([
    { name: '5 minutes old', late: 300, taken: true },
    { name: '5 minutes and a second old', late: 301, taken: false },
    { name: '5 minutes ahead', late: -300, taken: true },
    { name: '5 minutes and a second ahead', late: -301, taken: false },
  ])('a message that is $name: $taken', async ({ late, taken }) => {
    const verify = () => verifyWebhook(HEADERS, BODY, SECRET, at(TIMESTAMP + late))
    if (taken) expect(await verify()).toEqual(EVENT)
    else await expect(verify()).rejects.toThrow(refusal('timestamp'))
  })

  test('the system’s clock decides where none is given', async () => {
    const body = BODY
    const timestamp = Math.floor(Date.now() / 1000)
    const headers = {
      'webhook-id': ID,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signWebhook({ id: ID, timestamp, body }, [SECRET]),
    }
    expect(await verifyWebhook(headers, body, SECRET)).toEqual(EVENT)
    await expect(verifyWebhook(HEADERS, BODY, SECRET)).rejects.toThrow(refusal('timestamp'))
  })

  test.for<{ name: string; headers?: object; body?: string; secret?: string; reason: string }>([
    { name: 'another id', headers: { 'webhook-id': 'other' }, reason: 'signature' },
    { name: 'another time', headers: { 'webhook-timestamp': '1795000001' }, reason: 'signature' },
    { name: 'another body', body: `${BODY} `, reason: 'signature' },
    { name: 'another secret', secret: OTHER_SECRET, reason: 'signature' },
    {
      name: 'another version',
      headers: { 'webhook-signature': SIGNATURE.replace('v1', 'v2') },
      reason: 'signature',
    },
    {
      name: 'a shorter signature',
      headers: { 'webhook-signature': SIGNATURE.slice(0, 20) },
      reason: 'signature',
    },
    { name: 'an empty one', headers: { 'webhook-signature': 'v1,' }, reason: 'signature' },
    { name: 'none', headers: { 'webhook-signature': undefined }, reason: 'headers' },
    {
      name: 'two fields',
      headers: { 'webhook-signature': [SIGNATURE, SIGNATURE] },
      reason: 'headers',
    },
    {
      name: 'thousands',
      headers: { 'webhook-signature': `${SIGNATURE} `.repeat(1000) },
      reason: 'headers',
    },
    { name: 'no id', headers: { 'webhook-id': '' }, reason: 'headers' },
    { name: 'no time', headers: { 'webhook-timestamp': undefined }, reason: 'headers' },
    { name: 'a time that is none', headers: { 'webhook-timestamp': '1e9' }, reason: 'headers' },
  ])('refuses $name', async ({ headers = {}, body = BODY, secret = SECRET, reason }) => {
    const given = { ...HEADERS, ...headers } as WebhookHeaders
    await expect(verifyWebhook(given, body, secret, at(TIMESTAMP))).rejects.toThrow(refusal(reason))
  })

  test.for(['', 'null', '[]', '{"type":1}', '{"type":"t","timestamp":"now","data":[]}'])(
    'a signed body that is no event is refused: %j',
    async (body) => {
      const signature = signWebhook({ id: ID, timestamp: TIMESTAMP, body }, [SECRET])
      const headers = { ...HEADERS, 'webhook-signature': signature }
      await expect(verifyWebhook(headers, body, SECRET, at(TIMESTAMP))).rejects.toThrow(
        refusal('body'),
      )
    },
  )

  test('a secret that is none is a TypeError', async () => {
    await expect(verifyWebhook(HEADERS, BODY, 'whsec_***', at(TIMESTAMP))).rejects.toThrow(
      TypeError,
    )
  })
})

function refusal(reason: string): Error {
  return expect.objectContaining({ code: 'webhook_refused', details: { reason } }) as Error
}
