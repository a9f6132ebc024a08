// Requests and answers of node:http.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { SurroundedBytes } from '../route.ts'
import { announcedBody, type Answer, type Arrival, clientLeft, requireUnread } from './arrival.ts'

export class NodeArrival implements Arrival {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly url: string
  readonly base: string
  readonly vouch: Arrival['vouch']
  /** Aborted when the client leaves; made for who asks. */
  #gone: AbortController | null = null
  readonly #content: Readable
  readonly #takeTime: () => void

  /**
   * `url` and `base`, `content`, `vouch`: where a host app has changed the address, reads the body, or knows the caller.
   * `takeTime`: where somebody watches how long a request takes to arrive.
   */
  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    host: {
      readonly url?: string
      readonly base?: string
      readonly content?: Readable
      readonly vouch?: Arrival['vouch']
      readonly takeTime?: () => void
    } = NO_HOST,
  ) {
    this.request = request
    this.response = response
    this.url = host.url ?? request.url ?? ''
    this.base = host.base ?? ''
    this.vouch = host.vouch ?? null
    this.#content = host.content ?? request
    this.#takeTime = host.takeTime ?? NOBODY_WATCHES
  }

  get method(): string {
    return this.request.method ?? ''
  }

  get headers(): IncomingHttpHeaders {
    return this.request.headers
  }

  get address(): string | null {
    return this.request.socket.remoteAddress ?? null
  }

  get signal(): AbortSignal {
    const { request, response } = this
    const isOwnConnection = request.httpVersionMajor === 1
    const known = isOwnConnection ? controllers.get(request.socket) : undefined
    const gone = (this.#gone ??= known ?? new AbortController())
    if (isOwnConnection && gone !== known) controllers.set(request.socket, gone)
    if (response.closed && !response.writableFinished) gone.abort(clientLeft())
    return gone.signal
  }

  body(limitBytes: number): Promise<Buffer> | Buffer {
    return announcedBody(this.request.headers, this.#content, limitBytes)
  }

  stream(): Readable {
    requireUnread(this.#content)
    return this.#content
  }

  takeTime(): void {
    this.#takeTime()
  }

  onEnd(listener: (status: number, isComplete: boolean) => void): void {
    const { request, response } = this
    response.on('close', () => {
      const isComplete = response.writableFinished
      if (!isComplete) {
        this.#gone?.abort(clientLeft())
        controllers.delete(request.socket)
      }
      listener(response.statusCode, isComplete)
    })
  }
}

const NO_HOST = {}
const NOBODY_WATCHES = (): void => {}

/**
 * Controllers of connections that are kept alive. Making one for each request costs as much as checking its token, and
 * on HTTP/1.1 a client leaves a request by closing the connection.
 */
const controllers = new WeakMap<object, AbortController>()

/** Larger answers are not copied. */
const ONE_PIECE_BYTES = 64 * 1024

/** Sends an answer. Resolves when it is handed over; a stream when it has ended. */
export function send(response: ServerResponse, answer: Answer): Promise<void> | void {
  const { status, headers, content } = answer
  if (content instanceof Readable) return sendStream(response, answer, content)
  if (content === null || typeof content === 'string') {
    // These two never have a body: RFC 9110, section 8.6.
    if (status !== 204 && status !== 304)
      headers['content-length'] = String(content === null ? 0 : Buffer.byteLength(content))
    response.writeHead(status, headers).end(content ?? undefined)
  } else sendAround(response, answer, content)
}

function sendAround(
  response: ServerResponse,
  { status, headers }: Answer,
  { before, bytes, after }: SurroundedBytes,
): void {
  const length = Buffer.byteLength(before) + bytes.length + Buffer.byteLength(after)
  headers['content-length'] = String(length)
  response.writeHead(status, headers)
  if (length <= ONE_PIECE_BYTES) {
    // A text with one character for each byte leaves in one piece with the head; a buffer would be a second one.
    const text = bytesAsText(before) + bytes.toString('latin1') + bytesAsText(after)
    response.end(text, 'latin1')
  } else {
    response.cork()
    response.write(before)
    response.write(bytes)
    response.end(after)
  }
}

/** One character for each byte of the text in UTF-8: of ASCII the text itself. */
function bytesAsText(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1')
}

/**
 * Backpressure all the way. After the head the only honest way to fail is to destroy the connection: no last chunk, or
 * fewer bytes than announced. When the client leaves, the source is destroyed.
 */
async function sendStream(
  response: ServerResponse,
  { status, headers }: Answer,
  stream: Readable,
): Promise<void> {
  try {
    // At once: a source that breaks before anybody has read of it has a head all the same.
    response.writeHead(status, headers).flushHeaders()
    await pipeline(stream, response)
  } catch {
    stream.destroy()
    response.destroy()
  }
}
