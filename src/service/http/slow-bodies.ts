// How long bodies take to arrive: Node knows one limit for all requests, and a file that is passed on needs another.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'

export class SlowBodies {
  readonly #server: Server
  readonly #wholeMs: number
  /** Since when each is awaited, the oldest in front. */
  readonly #awaited = new Map<IncomingMessage, number>()
  readonly #timer: NodeJS.Timeout

  /** A body that is not there `wholeMs` behind its head ends as Node itself ends one: with `clientError`. */
  constructor(
    server: Server,
    { wholeMs, checkEveryMs }: { readonly wholeMs: number; readonly checkEveryMs: number },
  ) {
    this.#server = server
    this.#wholeMs = wholeMs
    this.#timer = setInterval(() => this.#look(), checkEveryMs).unref()
  }

  /** Watches a request whose head has come. */
  watch(request: IncomingMessage): void {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers
    if (request.complete || (length === '0' && encoding === undefined)) return
    this.#awaited.set(request, performance.now())
    request.once('close', () => this.#awaited.delete(request))
  }

  /** Leaves a request to its reader until it is answered: what is still to come then is read by nobody, and is watched. */
  leave(request: IncomingMessage, response: ServerResponse): void {
    this.#awaited.delete(request)
    response.once('finish', () => this.watch(request))
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const overdue = performance.now() - this.#wholeMs
    for (const [request, since] of this.#awaited) {
      if (since > overdue) return
      this.#awaited.delete(request)
      if (request.complete) continue
      const error = Object.assign(new Error('Request timeout'), {
        code: 'ERR_HTTP_REQUEST_TIMEOUT',
      })
      this.#server.emit('clientError', error, request.socket)
    }
  }
}
