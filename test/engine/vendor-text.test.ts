import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { ConnectorError } from '../../src/errors.ts'
import type { Transport } from '../../src/engine/exchange/transport.ts'

const TOKEN = 'canary-token-5d41'

/** A third party that gives one answer to everything, and one file. */
function vendor(
  status: number,
  body: string,
  type = 'application/json',
  file: Record<string, string> = {},
  headers: Record<string, string> = {},
): Transport {
  return {
    send: () =>
      Promise.resolve({
        status,
        headers: { 'content-type': type, ...headers },
        url: 'https://api.gong.io/',
        body: Buffer.from(body),
      }),
    stream: () =>
      Promise.resolve({
        status: 200,
        headers: file,
        url: 'https://media.example.com/',
        body: Readable.from([Buffer.from('sound')]),
      }),
    close: () => Promise.resolve(),
  }
}

async function failure(
  status: number,
  body: string,
  type?: string,
  headers?: Record<string, string>,
): Promise<ConnectorError> {
  await using gong = await connect('gong', {
    credentials: { access_key: 'key-of-canary', access_key_secret: TOKEN },
    transport: vendor(status, body, type, {}, headers),
    retries: 0,
  })
  const error: unknown = await gong.execute('users', 'list').catch((reason: unknown) => reason)
  if (error instanceof ConnectorError) return error
  throw new Error('the call succeeded')
}

test.for([
  [{ 'x-request-id': 'r-7' }, 'r-7'],
  [{ 'x-arequestid': 'r-7' }, 'r-7'],
  [{ 'x-slack-req-id': 'r-7', 'x-trace-id': 't-1' }, 'r-7'],
  [{ 'x-correlation-id': 'c-1' }, 'c-1'],
  [{ 'x-fb-trace-id': 't-1' }, 't-1'],
  [{ 'x-required': 'no', 'x-grid': 'no' }, null],
  [{ 'x-request-id': TOKEN }, '[secret]'],
] as const)('without a request id in the body it is that of %j', async ([headers, id]) => {
  const { upstream } = await failure(400, '{"errors":[]}', undefined, headers)
  expect(upstream?.requestId).toBe(id)
})

test('the words of the third party stand in quotes', async () => {
  const { message } = await failure(401, '{"errors":["The service failed"]}')
  expect(message).toMatch(
    /users\.list was refused, .*\(status 401\)\. The third party said: "The service failed"$/,
  )
})

describe("U8 a vendor's error text is bounded and masked", () => {
  test.for([
    { name: 'in the message', body: { requestId: 'r-1', errors: [`key ${TOKEN} is wrong`] } },
    { name: 'in the request id', body: { requestId: TOKEN, errors: [] } },
    {
      name: 'in a member nobody reads',
      body: { errors: ['no'], echo: { authorization: `Bearer ${TOKEN}`, access_token: TOKEN } },
    },
    {
      name: 'percent-encoded',
      body: { errors: [`https://x.example/?t=${encodeURIComponent(TOKEN)}`] },
    },
  ])('$name', async ({ body }) => {
    expect(JSON.stringify(await failure(400, JSON.stringify(body)))).not.toContain(TOKEN)
  })

  test('at most 2 KiB of it, and one line of message', async () => {
    const error = await failure(
      400,
      JSON.stringify({ errors: [`${'long '.repeat(10_000)}\nline`] }),
    )
    expect(Buffer.byteLength(error.upstream?.body ?? '')).toBeLessThanOrEqual(2048)
    expect(error.message).not.toContain('\n')
    expect(error.message.length).toBeLessThan(700)
  })

  test('U7 a page for people is no error text', async () => {
    const { upstream, code } = await failure(
      502,
      '<html><script>alert(1)</script></html>',
      'text/html',
    )
    expect([code, upstream?.body]).toEqual(['upstream_failed', null])
  })
})

test('M2 of the headers of a media host only those of the allow-list are shown', async () => {
  const body = JSON.stringify({
    calls: [{ media: { audioUrl: 'https://media.example.com/a.mp3?sig=1' } }],
  })
  const headers = {
    'content-type': 'audio/mpeg',
    'content-length': '5',
    'accept-ranges': 'bytes',
    etag: '"v1"',
    'last-modified': 'Sat, 31 Jan 2026 12:00:00 GMT',
    'content-disposition': 'inline; filename="../../x"',
    'x-amz-request-id': 'abc',
    location: 'https://evil.example',
  }
  await using gong = await connect('gong', {
    credentials: { access_key: 'k', access_key_secret: 's' },
    transport: vendor(200, body, 'application/json', headers),
  })
  const file = await gong.execute('call_audio', 'download', {
    filter: { callIds: ['1'] },
    contentSelector: { exposedFields: { media: true } },
  })
  expect(JSON.parse(JSON.stringify(file))).toEqual({
    status: 200,
    contentType: 'audio/mpeg',
    contentLength: 5,
    contentRange: null,
    etag: '"v1"',
    lastModified: 'Sat, 31 Jan 2026 12:00:00 GMT',
    acceptRanges: 'bytes',
  })
  file.cancel()
})
