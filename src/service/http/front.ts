// What holds for every path of a server of our own, whoever answers it: one way to read a head, and errors as problems.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyError, FastifyInstance } from 'fastify'
import { ConnectorError, isConnectorError } from '../../errors.ts'
import { uuidv7 } from '../../store/uuid.ts'
import type { ServiceLog } from '../log.ts'
import { answerOnSocket } from './client-error.ts'
import { problemOf } from './problem.ts'

/** To be mounted before anything else. The server must not insist on a Host header itself: it would answer no problem. */
export function mountFront(app: FastifyInstance, log: ServiceLog): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const problem = problemOfHead(request.raw)
    if (problem === null) done()
    else done(problem)
  })
  // Of what has none of its own: the pages of the documentation, and this hook before them.
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const requestId = uuidv7(Date.now())
    const shown = inOurTerms(error)
    if (!isConnectorError(shown))
      log.error(
        { request_id: requestId, stack: error.stack },
        'a request failed for a reason of ours',
      )
    const { status, headers, body } = problemOf(shown, requestId)
    // What was prepared for an answer that does not come.
    reply.removeHeader('content-length')
    return reply
      .code(status)
      .headers({ ...headers, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      .send(request.method === 'HEAD' ? '' : JSON.stringify(body))
  })
  app.server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    const error = new ConnectorError('method_not_allowed', 'this is no proxy', {
      details: { allow: 'GET, HEAD, POST, PATCH, DELETE' },
    })
    answerOnSocket(error, socket)
  })
  app.server.on('checkExpectation', (request: IncomingMessage) => {
    const error = new ConnectorError(
      'request_malformed',
      'nothing can be expected but 100-continue; leave the header Expect out',
    )
    answerOnSocket(error, request.socket)
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

/** Errors of plugins: a file that is not there, or that must not be asked for. */
function inOurTerms(error: FastifyError): unknown {
  if (isConnectorError(error)) return error
  const { statusCode = 500 } = error
  if (statusCode === 403 || statusCode === 404)
    return new ConnectorError('route_unknown', 'there is no such path')
  return statusCode < 500
    ? new ConnectorError('request_malformed', 'the request cannot be read')
    : error
}
