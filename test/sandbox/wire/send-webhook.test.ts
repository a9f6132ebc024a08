// Webhooks that a sandbox sends, judged by the code of those who sign them.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateKeyPairSync, verify } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/language/json/json.ts'
import { sandbox } from '../../../src/sandbox/open-sandbox.ts'
import { verifyWebhook } from '../../../src/client/webhooks/verify-webhook.ts'
import { methodText } from '../../fixtures/method-manifest.ts'

const arrived: {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}[] = []
let server: Server
let url = ''
beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      arrived.push({
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      })
      response.writeHead(202).end('taken')
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
})
afterAll(() => server.close())

async function vendorWith(verify: JsonObject) {
  const auth = {
    key: {
      credentials: { properties: { key: { type: 'string', writeOnly: true } } },
      apply: { bearer: '{{ credentials.key }}' },
    },
  }
  return await sandbox(JSON.parse(methodText(auth, { webhooks: { verify } })) as object)
}

test('one that is signed as Standard Webhooks says is taken by its receiver', async () => {
  await using vendor = await vendorWith({
    sign: {
      alg: 'hmac_sha256',
      key: '{{ webhook.secret }}',
      key_encoding: 'base64',
      of: '{{ request.headers.webhook-id }}.{{ request.timestamp }}.{{ request.body }}',
      encoding: 'base64',
      headers: {
        'webhook-signature': 'v1,{{ signature }}',
        'webhook-timestamp': '{{ request.timestamp }}',
      },
    },
  })
  const secret = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
  const event = { type: 'thing.changed', timestamp: '2026-11-20T22:58:00Z', data: { id: 'ß' } }
  const answer = await vendor.webhook({ url, event, secret, headers: { 'Webhook-Id': 'msg_1' } })
  expect(answer).toEqual({ status: 202, text: 'taken' })
  const { headers = {}, body = '' } = arrived.at(-1) ?? {}
  const taken = verifyWebhook(headers, body, `whsec_${secret}`)
  expect(taken).toMatchObject({ id: 'msg_1', ...event })
})

test('one that is signed by a private key is verified by the public one', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  await using vendor = await vendorWith({
    sign: {
      alg: 'ed25519',
      key: '{{ webhook.secret }}',
      of: '{{ request.timestamp }}{{ request.body }}',
      headers: {
        'X-Signature-Ed25519': '{{ signature }}',
        'X-Signature-Timestamp': '{{ request.timestamp }}',
      },
    },
  })
  await vendor.webhook({
    url,
    event: { type: 1 },
    secret: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    signingKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    atMs: 1_700_000_000_000,
  })
  const { headers = {}, body = '' } = arrived.at(-1) ?? {}
  expect(headers['x-signature-timestamp']).toBe('1700000000')
  const signature = Buffer.from(String(headers['x-signature-ed25519']), 'hex')
  expect(verify(null, Buffer.from(`1700000000${body}`), publicKey, signature)).toBe(true)
})

test('a secret is sent along in a header, or in the address', async () => {
  for (const [token, want] of [
    [{ header: 'X-Token', value: '{{ webhook.secret }}' }, { header: 'hush' }],
    [{ query: 'token', value: '{{ webhook.secret }}' }, { url: '/hooks?token=hush' }],
  ] as const) {
    await using vendor = await vendorWith({ token })
    await vendor.webhook({ url, event: {}, secret: 'hush' })
    const last = arrived.at(-1)
    expect({ header: last?.headers['x-token'], url: last?.url }).toMatchObject(want)
  }
})

test('a connector without webhooks says so', async () => {
  await using vendor = await sandbox('gong')
  await expect(vendor.webhook({ url, event: {} })).rejects.toThrow(/has no webhooks/)
})
