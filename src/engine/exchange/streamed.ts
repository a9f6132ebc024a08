// Bodies that are read while they are sent, told from those that are in memory.
import { amendError, ConnectorError } from '../../errors.ts'
import type { UpstreamRequest } from '../request/upstream-request.ts'

export type StreamedBody = Exclude<UpstreamRequest['body'], string | Uint8Array | null>

/** The body of a request that is read while it is sent; null: it is in memory, or there is none. */
export function streamedBody({ body }: Pick<UpstreamRequest, 'body'>): StreamedBody | null {
  return body === null || typeof body === 'string' || body instanceof Uint8Array ? null : body
}

/** Whether a request cannot be sent again: its body was read from a stream. */
export function isSpent(request: Pick<UpstreamRequest, 'body'>): boolean {
  return streamedBody(request)?.canOpen() === false
}

/** The error of an attempt that would have been repeated, had its body not been read. */
export function notRepeated(error: ConnectorError): ConnectorError {
  return amendError(error, {
    message: `${error.message}; the file was read from a stream and cannot be sent again: call again with a new one`,
    details: { repeatable: false },
  })
}

/** The error of a request whose credentials were renewed too late for it: the next call has the new ones. */
export function renewedTooLate(): ConnectorError {
  return new ConnectorError(
    'upload_interrupted',
    'the third party refused the credentials, and they were renewed; the file was read from a stream and cannot be sent again: call again with a new one',
    { details: { repeatable: false } },
  )
}
