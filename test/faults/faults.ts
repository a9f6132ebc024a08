// What can go wrong on the wire, by name. Each fault is a script for one exchange, to be played by a TCP vendor.
import { gzipSync } from 'node:zlib'

import { deepJson, gzipBomb } from './hostile-bodies.ts'
import { turnsOfTheLoop } from './resources.ts'
import type { Conversation, Script } from './tcp-vendor.ts'

const JSON_BODY = '{"ok":true}'

/** A complete answer; headers are added before the ones that frame the body. */
export function answer(
  body: string | Uint8Array,
  options: { readonly status?: string; readonly headers?: readonly string[] } = {},
): Script {
  return (conversation) => {
    const head = [
      `HTTP/1.1 ${options.status ?? '200 OK'}`,
      ...(options.headers ?? ['content-type: application/json']),
      `content-length: ${Buffer.byteLength(body)}`,
    ]
    return conversation.write(Buffer.concat([lines(head), Buffer.from(body)]))
  }
}

/** The answer every well-behaved vendor would give. */
export const fine: Script = answer(JSON_BODY)

/** Bytes exactly as given, then the connection stays open. */
export function raw(...parts: readonly (string | Uint8Array)[]): Script {
  return (conversation) => conversation.write(Buffer.concat(parts.map((part) => Buffer.from(part))))
}

/** The same, then a proper end of the connection. */
export function rawThenEnd(...parts: readonly (string | Uint8Array)[]): Script {
  return async (conversation) => {
    await raw(...parts)(conversation)
    conversation.end()
  }
}

/** The same, then a TCP reset a moment later, so that the bytes are read first. */
export function rawThenReset(...parts: readonly (string | Uint8Array)[]): Script {
  return async (conversation) => {
    await raw(...parts)(conversation)
    await turnsOfTheLoop()
    conversation.reset()
  }
}

/** One byte per `everyMs`, as long as the client stays. */
export function drip(everyMs: number, head: string, byte = ' '): Script {
  return async (conversation) => {
    await conversation.write(head)
    await conversation.drip(forever(byte), everyMs)
  }
}

function* forever(piece: string): Generator<string> {
  for (;;) yield piece
}

/** 429 with a Retry-After as given, or none. */
export function tooMany(retryAfter: string | null): Script {
  return answer('{"error":"slow down"}', {
    status: '429 Too Many Requests',
    headers: [
      'content-type: application/json',
      ...(retryAfter === null ? [] : [`retry-after: ${retryAfter}`]),
    ],
  })
}

/** A redirect to an address. */
export function redirect(status: number, location: string): Script {
  return answer('', { status: `${status} Elsewhere`, headers: [`location: ${location}`] })
}

/**
 * Listing pages `{"items":[…],"next":"…"}` whose cursors repeat after `length` pages. The cursor is read from the
 * query parameter `cursor`.
 */
export function loopingCursors(length: number): Script {
  return (conversation) => {
    const cursor = new URLSearchParams(conversation.request.path.split('?')[1]).get('cursor')
    const page = cursor === null ? 0 : Number(cursor)
    const next = String((page + 1) % length)
    return answer(JSON.stringify({ items: [{ id: page }], next }))(conversation)
  }
}

const hang: Script = (conversation) => conversation.hang()
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
const CHUNKED = `${HEAD}transfer-encoding: chunked\r\n\r\n`
const GZIP = ['content-type: application/json', 'content-encoding: gzip']
const ZIPPED = gzipSync(JSON_BODY)

/** Faults by name. Names say what the vendor does; what the caller should see stands in the tests. */
export const FAULTS = {
  'hangs before the head': hang,
  'hangs within the head': async (conversation: Conversation) => {
    await conversation.write(HEAD)
    await conversation.hang()
  },
  'hangs after the head': async (conversation: Conversation) => {
    await conversation.write(`${HEAD}content-length: 11\r\n\r\n`)
    await conversation.hang()
  },
  'hangs within the body': async (conversation: Conversation) => {
    await conversation.write(`${HEAD}content-length: 11\r\n\r\n{"ok"`)
    await conversation.hang()
  },
  'hangs before the last chunk': async (conversation: Conversation) => {
    await conversation.write(`${CHUNKED}b\r\n${JSON_BODY}\r\n`)
    await conversation.hang()
  },
  'drips the head': drip(5, 'HTTP/1.1 200 OK\r\nx-drip: ', 'x'),
  'drips the body': drip(5, `${HEAD}content-length: 100000\r\n\r\n`),
  'drips chunks': async (conversation: Conversation) => {
    await conversation.write(CHUNKED)
    await conversation.drip(forever('1\r\n \r\n'), 5)
  },
  'sends 103 for ever': async (conversation: Conversation) => {
    await conversation.drip(forever('HTTP/1.1 103 Early Hints\r\n\r\n'), 5)
  },

  'resets before the head': (conversation: Conversation) => conversation.reset(),
  'closes before the head': (conversation: Conversation) => conversation.end(),
  'resets within the head': rawThenReset(HEAD),
  'closes within the head': rawThenEnd(HEAD),
  'resets after the head': rawThenReset(`${HEAD}content-length: 11\r\n\r\n`),
  'resets within the body': rawThenReset(`${HEAD}content-length: 11\r\n\r\n{"ok"`),
  'closes within the body': rawThenEnd(`${HEAD}content-length: 11\r\n\r\n{"ok"`),
  'closes within the body of a closing connection': rawThenEnd(
    `${HEAD}connection: close\r\ncontent-length: 11\r\n\r\n{"ok"`,
  ),
  'leaves out the last chunk': rawThenEnd(`${CHUNKED}b\r\n${JSON_BODY}\r\n`),
  'leaves out the last chunk of a closing connection': rawThenEnd(
    `${HEAD}connection: close\r\ntransfer-encoding: chunked\r\n\r\nb\r\n${JSON_BODY}\r\n`,
  ),
  'closes within a chunk': rawThenEnd(`${CHUNKED}b\r\n{"ok"`),

  'says nothing but garbage': raw('\u0000\u0001\u0002 no HTTP at all\r\n\r\n'),
  'speaks another protocol': raw('SSH-2.0-OpenSSH_9.9\r\n'),
  'has another HTTP version': raw('HTTP/7.3 200 OK\r\ncontent-length: 0\r\n\r\n'),
  'has a status of two digits': raw('HTTP/1.1 20 OK\r\ncontent-length: 0\r\n\r\n'),
  'has a status of letters': raw('HTTP/1.1 two OK\r\ncontent-length: 0\r\n\r\n'),
  'has status 100 only': raw('HTTP/1.1 100 Continue\r\n\r\n'),
  'switches protocols unasked': raw(
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
  ),
  'has 256 KiB in one header': raw(`${HEAD}x-large: ${'a'.repeat(256 * 1024)}\r\n\r\n`),
  'has 256 KiB of small headers': raw(
    HEAD,
    Array.from({ length: 16 * 1024 }, (_, index) => `x-${index}: aaaaaa\r\n`).join(''),
    '\r\n',
  ),
  'has a header without a colon': raw(`${HEAD}no colon here\r\ncontent-length: 0\r\n\r\n`),
  'has a header with NUL': raw(`${HEAD}x-nul: a\u0000b\r\ncontent-length: 0\r\n\r\n`),
  'has a space before the colon': raw(`${HEAD}content-length : 0\r\n\r\n`),

  'has two different lengths': raw(
    `${HEAD}content-length: 11\r\ncontent-length: 12\r\n\r\n${JSON_BODY} `,
  ),
  'has a length and chunks': raw(
    `${HEAD}content-length: 11\r\ntransfer-encoding: chunked\r\n\r\nb\r\n${JSON_BODY}\r\n0\r\n\r\n`,
  ),
  'has a negative length': raw(`${HEAD}content-length: -11\r\n\r\n${JSON_BODY}`),
  'has a length with a sign': raw(`${HEAD}content-length: +11\r\n\r\n${JSON_BODY}`),
  'has a length of letters': raw(`${HEAD}content-length: eleven\r\n\r\n${JSON_BODY}`),
  'has a length beyond 64 bits': raw(
    `${HEAD}content-length: 99999999999999999999999\r\n\r\n${JSON_BODY}`,
  ),
  'has a bad chunk size': raw(`${CHUNKED}zz\r\n${JSON_BODY}\r\n0\r\n\r\n`),
  'has a chunk longer than its size': raw(`${CHUNKED}5\r\n${JSON_BODY}\r\n0\r\n\r\n`),
  'has a chunk size beyond 64 bits': raw(`${CHUNKED}fffffffffffffffff\r\n${JSON_BODY}\r\n`),
  'sends more than it announced': raw(`${HEAD}content-length: 11\r\n\r\n${JSON_BODY}surplus`),

  'sends broken gzip': answer(Buffer.concat([ZIPPED.subarray(0, 12), Buffer.from('broken')]), {
    headers: GZIP,
  }),
  'sends half of the gzip': answer(ZIPPED.subarray(0, 20), { headers: GZIP }),
  'calls plain text gzip': answer(JSON_BODY, { headers: GZIP }),
  'sends gzip without saying so': answer(ZIPPED),
  'sends gzip in gzip': answer(gzipSync(ZIPPED), {
    headers: ['content-type: application/json', 'content-encoding: gzip, gzip'],
  }),
  'sends gzip in gzip by two headers': answer(gzipSync(ZIPPED), {
    headers: [...GZIP, 'content-encoding: gzip'],
  }),
  'sends brotli': answer(JSON_BODY, {
    headers: ['content-type: application/json', 'content-encoding: br'],
  }),
  'sends deflate': answer(JSON_BODY, {
    headers: ['content-type: application/json', 'content-encoding: deflate'],
  }),
  'sends an unknown coding': answer(JSON_BODY, {
    headers: ['content-type: application/json', 'content-encoding: \u00e9'],
  }),
  'sends 64 MiB of zeros in gzip': answer(gzipBomb(64), { headers: GZIP }),

  'sends no JSON': answer('{"ok":tru'),
  'sends nothing as JSON': answer(''),
  'sends JSON 100,000 deep': answer(deepJson(100_000)),
  'sends a page of HTML as success': answer('<html><body>Please log in</body></html>', {
    headers: ['content-type: text/html'],
  }),
  'sends JSON with a byte order mark': answer(`\uFEFF${JSON_BODY}`),
  'sends JSON in Latin-1': answer(Buffer.from('{"name":"\u00e9"}', 'latin1')),
  'sends JSON that names __proto__': answer('{"__proto__":{"polluted":true}}'),
  'sends a member twice': answer('{"ok":true,"ok":false}'),

  'answers 500': answer('{"error":"oops"}', { status: '500 Internal Server Error' }),
  'answers 502 in HTML': answer('<html>Bad Gateway</html>', {
    status: '502 Bad Gateway',
    headers: ['content-type: text/html'],
  }),
  'answers 503': answer('', { status: '503 Service Unavailable' }),
  'answers 504': answer('', { status: '504 Gateway Timeout' }),
  'answers 429': tooMany(null),
  'answers 429 for one second': tooMany('1'),
  'answers 429 for an hour': tooMany('3600'),
  'answers 429 for no time': tooMany('0'),
  'answers 429 for soon': tooMany('soon'),
  'answers 429 for less than nothing': tooMany('-5'),
  'answers 429 until 1994': tooMany('Sun, 06 Nov 1994 08:49:37 GMT'),
  'answers 429 for ages': tooMany('99999999999999999999'),
} as const satisfies Readonly<Record<string, Script>>

export type FaultName = keyof typeof FAULTS

function lines(head: readonly string[]): Buffer {
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1')
}
