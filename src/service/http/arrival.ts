// What comes in and what goes out of a site: a request and its answer, whatever carries them. The bare server, a host's
// Fastify and clients in the same process each have an arrival of their own. Requests from outside come in through
// src/hosting/server.ts.
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { ConnectorError } from '../../errors.ts'
import type { ServiceReply, SurroundedBytes } from '../route.ts'
import type { Principal } from '../tokens/principal.ts'

export interface Arrival {
  readonly method: string
  /** Path and query, as they came, without `base`. */
  readonly url: string
  /** What stands before our paths in a host app: `/tenon`; empty on a server of our own. */
  readonly base: string
  readonly headers: IncomingHttpHeaders
  /** IP address of the peer; null: it is gone, or there is none. */
  readonly address: string | null
  /** Aborted with `aborted` when the client has left before its answer was complete. */
  readonly signal: AbortSignal
  /** Where the carrier itself may know who calls. `null` from it: the request's token decides. */
  readonly vouch: (() => Principal | null | Promise<Principal | null>) | null
  /** For whom it came, where that is no program of a host app. */
  readonly via?: 'mcp' | undefined
  /**
   * The whole body; empty where there is none. Rejects with `body_too_large`. Never settles when the client leaves before
   * all is there: then nobody waits for an answer either.
   */
  body(limitBytes: number): Promise<Buffer> | Buffer
  /** The body as it arrives, instead of `body`. It breaks with an error when the client leaves before all is there. */
  stream(): Readable
  /** From here on what is still to come may take as long as it takes: its reader watches that it moves. */
  takeTime(): void
  /** The listener is called once: when the answer was sent, or broke off. */
  onEnd(listener: (status: number, isComplete: boolean) => void): void
}

/** The answer. Header names are in lower case; the carrier adds `content-length` where the content is not a stream. */
export interface Answer {
  readonly status: number
  readonly headers: Record<string, string>
  /** null: there is none. A stream that fails never ends cleanly for the client. */
  readonly content: ServiceReply['content']
  /**
   * It may be compressed. `kept`: a name for these very bytes, which are compressed once; null: for this answer alone.
   * `file`: where they come from; it may stand there compressed, with `.br` and `.gz` behind its name.
   */
  readonly compressible?: { readonly kept: string | null; readonly file?: string }
}

/** The reason of the signal of an arrival. */
export function clientLeft(): ConnectorError {
  return new ConnectorError('aborted', 'the client left')
}

/**
 * Throws `body_already_read` where somebody in front of us has read from a body, or reads it now: what is left would be
 * waited for in vain.
 */
export function requireUnread(body: Readable): void {
  if (body.readableDidRead || body.readableEnded || body.readableFlowing === true)
    throw bodyAlreadyRead()
}

export function bodyAlreadyRead(): ConnectorError {
  return new ConnectorError(
    'body_already_read',
    'the host app has read the body before the service could; mount the service in front of what parses bodies, such as express.json(), or hand it a request that nobody has read',
  )
}

/** All bytes of a body that arrives in pieces. Rejects with `body_too_large`, and reads no further then. */
function bytesOf(body: Readable, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    body.on('data', (chunk: Buffer) => {
      length += chunk.length
      chunks.push(chunk)
      if (length <= limitBytes) return
      body.pause().removeAllListeners('data')
      reject(bodyTooLarge(limitBytes))
    })
    body.on('end', () => {
      const [first] = chunks
      resolve(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks))
    })
  })
}

/**
 * The body that a head announces; empty where it announces none. Rejects with `body_too_large`, also before anything of
 * it is read, and throws `body_already_read`.
 */
export function announcedBody(
  headers: IncomingHttpHeaders,
  body: Readable,
  limitBytes: number,
): Promise<Buffer> | Buffer {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers
  if (length === '0' && encoding === undefined) return NOTHING
  if (Number(length) > limitBytes) return Promise.reject(bodyTooLarge(limitBytes))
  requireUnread(body)
  return bytesOf(body, limitBytes)
}

const NOTHING = Buffer.alloc(0)

export function bodyTooLarge(limitBytes: number): ConnectorError {
  return new ConnectorError('body_too_large', `the body is larger than ${limitBytes} bytes`)
}

export function bytesIn(content: string | SurroundedBytes): Buffer {
  if (typeof content === 'string') return Buffer.from(content)
  const { before, bytes, after } = content
  return Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)])
}

/** One text of a header that may have come several times. */
export function headerText(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/** As `ServiceRequest.address` says it. */
export function callerAddress(
  { headers, address }: Pick<Arrival, 'headers' | 'address'>,
  { trustProxy }: { readonly trustProxy: boolean },
): string | null {
  const forwarded = trustProxy ? headerText(headers, 'x-forwarded-for') : undefined
  // The last one is what the proxy saw; those before are what the caller says.
  const seen = forwarded?.split(',').at(-1)?.trim() ?? ''
  return seen === '' ? address : seen
}
