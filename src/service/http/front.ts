// What holds for every path of a server of our own: one way to read a head, and refusals of what is no request.
import type { IncomingMessage, Server } from 'node:http'
import { ConnectorError } from '../../errors.ts'
import { answerClientError, answerOnSocket } from './client-error.ts'

/** Answers what reaches no handler. The server must not insist on a Host header itself: it would answer no problem. */
export function guardServer(server: Server): void {
  server.on('clientError', answerClientError)
  server.on('connect', (_request, socket) => {
    const error = new ConnectorError('method_not_allowed', 'this is no proxy', {
      details: { allow: 'GET, HEAD, POST, PATCH, DELETE' },
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
