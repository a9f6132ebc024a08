import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { ArrivedWebhook } from '../../../src/engine/webhooks/arrived.ts'
import { reasonOf } from '../../../src/engine/webhooks/verify.ts'
import { webhooksOf, type WebhookScope } from '../../../src/engine/webhooks/webhooks.ts'
import { isConnectorError } from '../../../src/errors.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import { methodManifest } from '../../fixtures/method-manifest.ts'

const AUTH = {
  key: {
    credentials: { properties: { key: { type: 'string', writeOnly: true } } },
    apply: { bearer: '{{ credentials.key }}' },
  },
}

/** What comes of a delivery: `events`, what a challenge is answered, or the code of the error with its reason. */
function receive(
  webhooks: JsonObject,
  arrived: Partial<Omit<ArrivedWebhook, 'body'>> & { readonly body?: string },
  { scope = {}, now = 0 }: { readonly scope?: WebhookScope; readonly now?: number } = {},
): unknown {
  const compiled = webhooksOf(methodManifest(AUTH, { webhooks }))
  const delivery = {
    method: 'POST',
    url: 'https://app.example/v1/vendor-webhooks/acme',
    headers: {},
    query: {},
    ...arrived,
    body: Buffer.from(arrived.body ?? ''),
  }
  try {
    const received = compiled?.receive(delivery, { config: {}, ...scope }, now)
    return received?.kind === 'challenge' ? received.answer : received?.kind
  } catch (error) {
    return isConnectorError(error) ? [error.code, reasonOf(error)] : error
  }
}

const secret = (text: string): { scope: WebhookScope } => ({ scope: { webhook: { secret: text } } })
const signedBy = (sign: object, more: object = {}): JsonObject => ({
  verify: { sign: { alg: 'hmac_sha256', key: '{{ webhook.secret }}', ...sign }, ...more },
})

const GITHUB = signedBy({
  of: '{{ request.body }}',
  headers: { 'X-Hub-Signature-256': 'sha256={{ signature }}' },
})
const SLACK = signedBy({
  of: 'v0:{{ request.timestamp }}:{{ request.body }}',
  headers: {
    'X-Slack-Signature': 'v0={{ signature }}',
    'X-Slack-Request-Timestamp': '{{ request.timestamp }}',
  },
})
const STRIPE = signedBy({
  of: '{{ request.timestamp }}.{{ request.body }}',
  separator: ',',
  headers: { 'Stripe-Signature': 't={{ request.timestamp }},v1={{ signature }}' },
})
const STANDARD = signedBy({
  key_encoding: 'base64',
  of: '{{ request.headers.webhook-id }}.{{ request.timestamp }}.{{ request.body }}',
  encoding: 'base64',
  separator: ' ',
  headers: {
    'webhook-signature': 'v1,{{ signature }}',
    'webhook-timestamp': '{{ request.timestamp }}',
  },
})
const ED25519 = {
  verify: {
    sign: {
      alg: 'ed25519',
      key: '{{ webhook.secret }}',
      key_encoding: 'hex',
      of: '{{ request.body }}',
      headers: { 'X-Signature': '{{ signature }}' },
    },
  },
}

/** Slack, "Verifying requests from Slack": the worked example. */
const SLACK_EXAMPLE = {
  headers: {
    'content-type': 'application/x-www-form-urlencoded',
    'x-slack-request-timestamp': '1531420618',
    'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
  },
  body: 'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
}
const SLACK_SECRET = secret('8f742231b10e8888abcd99yyyzzz85a5')
const SLACK_MS = 1_531_420_618_000
/** What stripe 23.1.0 signs with `webhooks.generateTestHeaderString`, by whsec_test and by whsec_old. */
const STRIPE_BODY = '{"id":"evt_1","type":"customer.updated","data":{"object":{"id":"cus_1"}}}'
const STRIPE_MS = 1_700_000_000_000
const STRIPE_NEW = 'v1=c25e2ab9145b464c1f1c5ce23b54bfd19d5b0e7fda39aef936ce4e57f564878b'
const STRIPE_OLD = 'v1=50e1d0e9af4d3a48212d74d8d894bc7114a75c4a6c71aab5c4d8be7e76548786'
const stripe = (header: string) => ({ headers: { 'stripe-signature': header }, body: STRIPE_BODY })

describe('E2 signatures that others have made', () => {
  test('GitHub, "Validating webhook deliveries": the worked example', () => {
    const header = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
    const example = { headers: { 'x-hub-signature-256': header }, body: 'Hello, World!' }
    // It is proved, and then it is no JSON.
    expect(receive(GITHUB, example, secret("It's a Secret to Everybody"))).toEqual([
      'request_malformed',
      null,
    ])
    expect(receive(GITHUB, example, secret('another secret'))).toEqual([
      'webhook_unverified',
      'signature_wrong',
    ])
  })

  test('@octokit/webhooks-methods 6.0.0', () => {
    const header = 'sha256=1a7f61da79a4ba270abd522fe25e458e03b99046e191524078e9287b7e8bfd51'
    const body = '{"action":"opened","issue":{"number":7}}'
    const headers = { 'x-hub-signature-256': header }
    expect(receive(GITHUB, { headers, body }, secret('it-is-a-secret'))).toBe('events')
    expect(receive(GITHUB, { headers, body: `${body} ` }, secret('it-is-a-secret'))).toEqual([
      'webhook_unverified',
      'signature_wrong',
    ])
  })

  test('Slack, whose time may be five minutes away, either way', () => {
    for (const now of [SLACK_MS, SLACK_MS + 300_000, SLACK_MS - 300_000])
      expect(receive(SLACK, SLACK_EXAMPLE, { ...SLACK_SECRET, now })).toBe('events')
    for (const now of [SLACK_MS + 300_001, SLACK_MS - 300_001])
      expect(receive(SLACK, SLACK_EXAMPLE, { ...SLACK_SECRET, now })).toEqual([
        'webhook_expired',
        null,
      ])
  })

  test.for([
    ['one', `t=1700000000,${STRIPE_NEW}`],
    ['several, of which one is by another secret', `t=1700000000,${STRIPE_OLD},${STRIPE_NEW}`],
    ['in another order, with a scheme that nobody reads', `v0=abc, ${STRIPE_NEW} , t=1700000000`],
  ] as const)('Stripe: %s', ([, header]) => {
    const given = { ...secret('whsec_test'), now: STRIPE_MS }
    expect(receive(STRIPE, stripe(header), given)).toBe('events')
  })

  test('Standard Webhooks, by its own library (standardwebhooks 1.1.1)', () => {
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': '1700000000',
      'webhook-signature': 'v2,abc v1,LZKh8/2fHo2sNPdtu2KnKlF6qcLpKBydldj+39Y+0do=',
    }
    const given = { ...secret('AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='), now: STRIPE_MS }
    expect(receive(STANDARD, { headers, body: STRIPE_BODY }, given)).toBe('events')
    const other = { ...headers, 'webhook-id': 'msg_2' }
    expect(receive(STANDARD, { headers: other, body: STRIPE_BODY }, given)).toEqual([
      'webhook_unverified',
      'signature_wrong',
    ])
  })

  test('Ed25519 by a public key: RFC 8032 section 7.1, TEST 2', () => {
    const signature =
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00'
    const key = '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c'
    const given = { headers: { 'x-signature': signature }, body: 'r' }
    expect(receive(ED25519, given, secret(key))).toEqual(['request_malformed', null])
    expect(receive(ED25519, { ...given, body: 's' }, secret(key))).toEqual([
      'webhook_unverified',
      'signature_wrong',
    ])
    expect(receive(ED25519, given, secret('00ff'))).toEqual([
      'webhook_unverified',
      'secret_unusable',
    ])
  })
})

describe('E2 what proves nothing', () => {
  test.for([
    ['no header', stripe(''), 'signature_missing'],
    ['no signature', stripe('t=1700000000'), 'signature_missing'],
    ['no time', stripe(STRIPE_NEW), 'signature_missing'],
    ['another time', stripe(`t=1700000001,${STRIPE_NEW}`), 'signature_wrong'],
    ['a time that is none', stripe(`t=now,${STRIPE_NEW}`), 'signature_wrong'],
    ['a signature that is no hex', stripe('t=1700000000,v1=zz'), 'signature_wrong'],
    ['an empty signature', stripe('t=1700000000,v1='), 'signature_missing'],
    [
      'more signatures than any vendor sends',
      stripe(`t=1700000000,${`${STRIPE_OLD},`.repeat(8)}${STRIPE_NEW}`),
      'signature_wrong',
    ],
  ] as const)('%s', ([, arrived, reason]) => {
    const given = { ...secret('whsec_test'), now: STRIPE_MS }
    expect(receive(STRIPE, arrived, given)).toEqual(['webhook_unverified', reason])
  })

  test('a secret that is missing or empty', () => {
    const arrived = stripe(`t=1700000000,${STRIPE_NEW}`)
    for (const scope of [{}, { webhook: { secret: '' } }])
      expect(receive(STRIPE, arrived, { scope, now: STRIPE_MS })).toEqual([
        'webhook_unverified',
        'secret_missing',
      ])
  })

  test('a delivery that is signed and is no POST', () => {
    const arrived = { ...stripe(`t=1700000000,${STRIPE_NEW}`), method: 'GET' }
    const given = { ...secret('whsec_test'), now: STRIPE_MS }
    expect(receive(STRIPE, arrived, given)).toEqual(['webhook_unverified', 'not_a_delivery'])
  })
})

describe('a secret that is sent along', () => {
  const BY_HEADER = {
    verify: { token: { header: 'X-Gitlab-Token', value: '{{ webhook.secret }}' } },
  }
  const BY_BODY = {
    verify: { token: { body: '$.value[*].clientState', value: '{{ webhook.secret }}' } },
  }
  test.for([
    ['right', BY_HEADER, { headers: { 'x-gitlab-token': 'hush' }, body: '{}' }, 'events'],
    ['wrong', BY_HEADER, { headers: { 'x-gitlab-token': 'hus' }, body: '{}' }, 'token_wrong'],
    ['not there', BY_HEADER, { body: '{}' }, 'token_wrong'],
    [
      'in every part of the body',
      BY_BODY,
      { body: '{"value":[{"clientState":"hush"},{"clientState":"hush"}]}' },
      'events',
    ],
    [
      'in one part of the body only',
      BY_BODY,
      { body: '{"value":[{"clientState":"hush"},{"clientState":"no"}]}' },
      'token_wrong',
    ],
    ['in no part of the body', BY_BODY, { body: '{"value":[]}' }, 'token_wrong'],
  ] as const)('%s', ([, webhooks, arrived, want]) => {
    expect(receive(webhooks, arrived, secret('hush'))).toEqual(
      want === 'events' ? want : ['webhook_unverified', want],
    )
  })
})

describe('challenges', () => {
  const slack = {
    ...SLACK,
    challenges: [
      {
        when: { body: { '$.type': 'url_verification' } },
        answer: { text: '{{ event.body.challenge }}' },
      },
    ],
  }
  const facebook = {
    ...GITHUB,
    challenges: [
      {
        when: { method: 'GET', query: { 'hub.mode': 'subscribe' } },
        token: { query: 'hub.verify_token', value: '{{ webhook.secret }}' },
        answer: { text: '{{ event.query.[hub.challenge] }}' },
      },
    ],
  }
  const microsoft = {
    verify: { token: { body: '$.value[*].clientState', value: '{{ webhook.secret }}' } },
    challenges: [
      {
        when: { query: { validationToken: { exists: true } } },
        verify: false,
        answer: { text: '{{ event.query.validationToken }}' },
      },
    ],
  }
  const zoom = {
    ...SLACK,
    challenges: [
      {
        when: { body: { '$.event': 'endpoint.url_validation' } },
        verify: false,
        answer: {
          json: {
            plainToken: '{{ event.body.payload.plainToken }}',
            encryptedToken: '{{ hmac_sha256 event.body.payload.plainToken webhook.secret }}',
          },
        },
      },
    ],
  }
  const text = (content: string) => ({
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    content,
  })

  test('a signed one is answered once it is proved (Slack)', () => {
    const body = '{"type":"url_verification","challenge":"3eZbrw"}'
    // printf 'v0:1531420618:{"type":…}' | openssl dgst -sha256 -hmac hush
    const signature = 'v0=2dcf3bf8cc44c2721a520e411aad1dc1ba36bd76bb65f449ae86d1914879e4a9'
    const headers = { 'x-slack-request-timestamp': '1531420618', 'x-slack-signature': signature }
    const given = { ...secret('hush'), now: SLACK_MS }
    expect(receive(slack, { headers, body }, given)).toEqual(text('3eZbrw'))
    expect(receive(slack, { body }, given)).toEqual(['webhook_unverified', 'signature_missing'])
  })

  test('one with a secret of its own (Facebook)', () => {
    const query = { 'hub.mode': 'subscribe', 'hub.verify_token': 'hush', 'hub.challenge': '1158' }
    expect(receive(facebook, { method: 'GET', query }, secret('hush'))).toEqual(text('1158'))
    const wrong = { ...query, 'hub.verify_token': 'guess' }
    expect(receive(facebook, { method: 'GET', query: wrong }, secret('hush'))).toEqual([
      'webhook_unverified',
      'token_wrong',
    ])
    expect(receive(facebook, { query, body: '{}' }, secret('hush'))).toEqual([
      'webhook_unverified',
      'signature_missing',
    ])
  })

  test('one that proves nothing (Microsoft), of a bounded length', () => {
    const query = { validationToken: 'Validation: Testing client <&>' }
    expect(receive(microsoft, { query }, secret('hush'))).toEqual(text(query.validationToken))
    const long = { validationToken: 'x'.repeat(4097) }
    expect(receive(microsoft, { query: long }, secret('hush'))).toEqual([
      'webhook_unverified',
      'not_a_delivery',
    ])
  })

  test('an answer that is computed (Zoom)', () => {
    const body =
      '{"event":"endpoint.url_validation","payload":{"plainToken":"qgg8vlvZRS6UYooatFL8Aw"}}'
    expect(receive(zoom, { body }, secret('hush'))).toEqual({
      headers: { 'content-type': 'application/json' },
      // printf qgg8vlvZRS6UYooatFL8Aw | openssl dgst -sha256 -hmac hush
      content:
        '{"plainToken":"qgg8vlvZRS6UYooatFL8Aw","encryptedToken":"36517668f50730dfc6247803d9cc2b23e89a05172ec38cd1797466a23164362a"}',
    })
  })
})

test.for([
  { name: 'at the end', query: 'a=1&b=%zz&sig=' },
  { name: 'in front', query: 'sig=SIG&a=1&b=%zz' },
  { name: 'with another query', query: 'a=2&b=%zz&sig=', want: 'signature_wrong' },
])('a signature of the query stands in the query: $name', ({ query, want }) => {
  const webhooks = signedBy({
    of: '{{ request.url }}|{{ request.query }}|{{ request.body }}',
    query: { sig: '{{ signature }}' },
  })
  const address = 'https://app.example/v1/vendor-webhooks/acme'
  const sig = createHmac('sha256', 'hush').update(`${address}?a=1&b=%zz|a=1&b=%zz|{}`).digest('hex')
  const whole = query.includes('SIG') ? query.replace('SIG', sig) : query + sig
  const given = { url: `${address}?${whole}`, query: { sig }, body: '{}' }
  expect(receive(webhooks, given, secret('hush'))).toEqual(
    want === undefined ? 'events' : ['webhook_unverified', want],
  )
})

describe('what cannot be believed', () => {
  const hashed = {
    verify: {
      sign: {
        alg: 'sha256',
        of: '{{ webhook.secret }}{{ request.body }}',
        headers: { 'X-Signature': '{{ signature }}' },
      },
    },
  }
  // printf 'hush{}' | sha256sum, printf '{}' | sha256sum
  test.for([
    ['hush', '5178f5203c3826aaa016dd6d3a27d037b55afc6be7d8af2f185a4fb51bb93c32'],
    ['', '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'],
  ] as const)('a hash is made with a secret: "%s"', ([text, signature]) => {
    const given = { headers: { 'x-signature': signature }, body: '{}' }
    expect(receive(hashed, given, secret(text))).toEqual(
      text === '' ? ['webhook_unverified', 'secret_missing'] : 'events',
    )
  })

  const listed = {
    verify: { token: { header: 'x-token', value: '{{ webhook.secret }}' } },
    each: '$.events',
  }
  const events = (length: number): object => ({ events: Array.from({ length }, () => ({})) })
  test.for([
    { name: 'as many events as are taken', body: events(1000), want: 'events' },
    { name: 'one more', body: events(1001) },
    { name: 'no list', body: { other: [] } },
    { name: 'an object in its place', body: { events: { id: 1 } } },
    { name: 'null in its place', body: { events: null } },
    { name: 'an empty list', body: { events: [] }, want: 'events' },
  ])(
    '$name: nothing is left out without a word',
    ({ body, want = ['request_malformed', null] }) => {
      const given = { headers: { 'x-token': 'hush' }, body: JSON.stringify(body) }
      expect(receive(listed, given, secret('hush'))).toEqual(want)
    },
  )
})
