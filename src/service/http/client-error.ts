// Requests that break off before there is a request: too slow, too long, no HTTP.
import type { Duplex } from 'node:stream'
import { ConnectorError } from '../../errors.ts'
import { uuidv7 } from '../store/uuid.ts'
import { problemOf } from './problem.ts'

/** Answers on the bare socket and closes it. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Duplex): void {
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
