// Requests and answers of the Fetch standard, as the hosts of today hand them to functions.
import { Readable } from 'node:stream'
import type { ReadableStream as NodeWebStream } from 'node:stream/web'
import {
  type Answer,
  type Arrival,
  bodyAlreadyRead,
  bodyTooLarge,
  bytesIn,
  clientLeft,
} from '../service/http/arrival.ts'

const NOTHING = Buffer.alloc(0)
/** These have no body, not even an empty one. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304])

export class FetchArrival implements Arrival {
  readonly request: Request
  readonly url: string
  readonly base: string
  readonly vouch: Arrival['vouch']
  readonly headers: Arrival['headers']
  /** A request of this kind does not say who its peer is. */
  readonly address = null
  readonly signal: AbortSignal
  readonly #listeners: ((status: number, isComplete: boolean) => void)[] = []

  constructor(
    request: Request,
    host: Readonly<{ url: string; base: string; vouch: Arrival['vouch'] }>,
  ) {
    this.request = request
    this.url = host.url
    this.base = host.base
    this.vouch = host.vouch
    const headers = Object.fromEntries(request.headers)
    // Such hosts compress themselves, and Next sends a body without the Content-Encoding that its answer has.
    delete headers['accept-encoding']
    // What is there to be read is counted against the rate of its caller like everything that announces itself.
    if (request.body !== null && headers['content-length'] === undefined)
      headers['transfer-encoding'] ??= 'chunked'
    this.headers = headers
    this.signal = leaving(request.signal)
  }

  get method(): string {
    return this.request.method
  }

  async body(limitBytes: number): Promise<Buffer> {
    if (Number(this.headers['content-length'] ?? 0) > limitBytes) throw bodyTooLarge(limitBytes)
    const chunks: Uint8Array[] = []
    let length = 0
    try {
      for await (const chunk of this.#content() ?? []) {
        length += chunk.length
        if (length > limitBytes) throw bodyTooLarge(limitBytes)
        chunks.push(chunk)
      }
    } catch (error) {
      throw this.signal.aborted ? clientLeft() : error
    }
    return length === 0 ? NOTHING : Buffer.concat(chunks)
  }

  stream(): Readable {
    const content = this.#content()
    return content === null ? Readable.from([]) : Readable.fromWeb(content)
  }

  /** The host watches how long a request takes to arrive. */
  takeTime(): void {}

  onEnd(listener: (status: number, isComplete: boolean) => void): void {
    this.#listeners.push(listener)
  }

  /** The answer as the host wants it. Streams are read as fast as the host reads them. */
  respond({ status, headers, content }: Answer): Response {
    const end = (isComplete: boolean): void => {
      for (const listener of this.#listeners) listener(status, isComplete)
    }
    const isHead = this.method === 'HEAD'
    if (content instanceof Readable) {
      content.once('close', () => end(content.readableEnded))
      // A failure reaches the host through the stream that it reads.
      if (isHead) content.destroy()
      const body = isHead ? null : (Readable.toWeb(content) as ReadableStream)
      return new Response(body, { status, headers })
    }
    end(!this.signal.aborted)
    if (WITHOUT_BODY.has(status)) return new Response(null, { status, headers })
    const bytes = bytesIn(content ?? '')
    const head = { ...headers, 'content-length': String(bytes.length) }
    return new Response(isHead ? null : new Uint8Array(bytes), { status, headers: head })
  }

  /** Null: there is none. Throws `body_already_read`. */
  #content(): NodeWebStream<Uint8Array> | null {
    const { body, bodyUsed } = this.request
    if (bodyUsed || body?.locked === true) throw bodyAlreadyRead()
    // The same standard, typed twice.
    return body as NodeWebStream<Uint8Array> | null
  }
}

/** The signal of a request, with our reason. */
function leaving(signal: AbortSignal): AbortSignal {
  const left = new AbortController()
  const leave = (): void => left.abort(clientLeft())
  if (signal.aborted) leave()
  else signal.addEventListener('abort', leave, { once: true })
  return left.signal
}
