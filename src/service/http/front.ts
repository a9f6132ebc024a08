// What holds for every path of a server of our own: one way to read a head, and refusals of what is no request.
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { ConnectorError } from '../../errors.ts'
import { uuidv7 } from '../store/uuid.ts'
import { problemOf } from './problem.ts'

/** Answers what reaches no handler. The server must not insist on a Host header itself: it would answer no problem. */
export function guardServer(server: Server): void {
  server.on('clientError', answerClientError)
  server.on('connect', (_request, socket) => {
    const error = new ConnectorError('method_not_allowed', 'this is no proxy', {
      details: { allow: 'GET, HEAD, POST, PATCH, DELETE, OPTIONS' },
    })
    answerOnSocket(error, socket)
  })
  server.on('checkExpectation', ({ socket }) => {
    const error = new ConnectorError(
      'request_malformed',
      'nothing can be expected but 100-continue; leave the header Expect out',
    )
    answerOnSocket(error, socket)
  })
}

/**
 * Answers a request that breaks off before there is one: too slow, too long, no HTTP. Writes on the bare socket and
 * closes it.
 */
function answerClientError(error: Error & { readonly code?: string }, socket: Duplex): void {
  // The client has left, or an answer is under way already.
  if (
    error.code === 'ECONNRESET' ||
    !socket.writable ||
    ('bytesWritten' in socket && Number(socket.bytesWritten) > 0)
  ) {
    socket.destroy()
    return
  }
  answerOnSocket(errorOf(error.code), socket)
}

/** A problem written by hand, and the end of the connection. */
export function answerOnSocket(error: ConnectorError, socket: Duplex): void {
  const { status, headers, body } = problemOf(error, uuidv7(Date.now()))
  const text = JSON.stringify(body)
  const lines = Object.entries({
    ...headers,
    'content-length': String(Buffer.byteLength(text)),
    'cache-control': 'no-store',
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}\r\n${lines.join('')}\r\n${text}`)
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  503: 'Service Unavailable',
}

function errorOf(code: string | undefined): ConnectorError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ConnectorError('request_timeout', 'the request did not arrive in time')
  return new ConnectorError(
    'request_malformed',
    code === 'HPE_HEADER_OVERFLOW'
      ? 'the head of the request is larger than 16 KiB'
      : 'this is no HTTP request that can be read',
  )
}

/** Given twice they would be read one way here and perhaps another way by whatever stands in front. */
const SINGLE: ReadonlySet<string> = new Set([
  'host',
  'authorization',
  'content-type',
  'idempotency-key',
])

/** What is wrong with a head that the parser let through. */
export function problemOfHead({
  rawHeaders,
  headers,
  httpVersion,
}: IncomingMessage): ConnectorError | null {
  if (headers.host === undefined && httpVersion !== '1.0')
    return new ConnectorError('request_malformed', 'the header Host is missing')
  let seen = ''
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    // Most names have another length than any of these.
    if (!LENGTHS.has(name.length)) continue
    const lower = name.toLowerCase()
    if (!SINGLE.has(lower)) continue
    const mark = `${lower} `
    if (seen.includes(mark))
      return new ConnectorError('request_malformed', `the header ${lower} is given more than once`)
    seen += mark
  }
  return null
}

const LENGTHS: ReadonlySet<number> = new Set([...SINGLE].map(({ length }) => length))
