// Clients of a service in its own process: the same routes, without a socket.
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { CLIENT_CLOSED } from '../client/client.ts'
import { connectHosted } from '../client/hosted.ts'
import type { ClientOf, ConnectorType, Manifest, Settings } from '../client/connectors.ts'
import { ConnectorError } from '../errors.ts'
import type { Transport, UpstreamHead } from '../engine/exchange/transport.ts'
import type { UpstreamRequest } from '../engine/request/upstream-request.ts'
import { type ApiPorts, mountApi, refuse } from '../service/http/api.ts'
import {
  type Answer,
  type Arrival,
  bodyTooLarge,
  bytesIn,
  clientLeft,
} from '../service/http/arrival.ts'
import { BodyReader } from '../service/http/body-reader.ts'
import { Site } from '../service/http/site.ts'
import type { Principal } from '../service/tokens/principal.ts'
import { type HostPrincipal, principalOf } from './host-principal.ts'
import type { Service } from './service.ts'

export interface InProcessOptions {
  readonly connectorId: string
  /** Whom the calls are for; it sees and may do what a token of the same shape does. */
  readonly principal: HostPrincipal | Principal
  /** Left out: a program of the host app. */
  readonly via?: Arrival['via']
}

export interface InProcess {
  readonly connect: ConnectInProcess
  /** From then on no client may call. */
  readonly close: () => void
}

export type ConnectInProcess = <C extends ConnectorType | Manifest<unknown, Settings>>(
  connector: C,
  options: InProcessOptions,
) => Promise<ClientOf<C>>

/** Never leaves the process: it names the routes only. */
const ORIGIN = 'http://in-process'

/** `apiPorts`: what the routes need, as for a server. */
export function createInProcess(
  service: Pick<Service, 'clock' | 'turns'>,
  apiPorts: ApiPorts,
): InProcess {
  const open = new Set<Principal>()
  let mounted: Site | null = null

  /** Routes are compiled when somebody connects for the first time. */
  function routes(): Site {
    if (mounted !== null) return mounted
    const ports: ApiPorts = {
      ...apiPorts,
      rateLimit: null,
      bodies: new BodyReader({ ...service, bytesPerSecond: null }),
    }
    mounted = new Site((arrival, error) => refuse(ports, arrival, error))
    mountApi(mounted, ports)
    return mounted
  }

  async function connect<C extends ConnectorType | Manifest<unknown, Settings>>(
    connector: C,
    { connectorId, principal, via }: InProcessOptions,
  ): Promise<ClientOf<C>> {
    const caller = 'kind' in principal ? { ...principal } : principalOf(principal)
    open.add(caller)
    const vouch = (): Principal => {
      if (open.has(caller)) return caller
      throw new ConnectorError('token_invalid', CLIENT_CLOSED)
    }
    const transport = transportTo(routes(), { vouch, via, closed: () => open.delete(caller) })
    const options = { baseUrl: ORIGIN, connectorId, token: 'vouched', transport }
    return await connectHosted(connector, options)
  }

  return { connect, close: () => open.clear() }
}

/** Requests as calls of the routes. Bodies of answers stream, so that a download is never in memory as a whole. */
function transportTo(
  site: Site,
  { closed, ...caller }: Caller & { readonly closed: () => void },
): Transport {
  async function call(
    request: UpstreamRequest,
    signal = new AbortController().signal,
  ): Promise<UpstreamHead & { readonly content: Readable | Buffer }> {
    const arrival = new OwnArrival(request, signal, caller)
    const answering = Promise.resolve(site.answer(arrival)).then((answer) => arrival.take(answer))
    const { status, headers, content } = await unlessAborted(answering, signal)
    return { status, headers, url: request.url, content }
  }

  return {
    async stream(request, { signal } = {}) {
      const { content, ...head } = await call(request, signal)
      return { ...head, body: content instanceof Readable ? content : Readable.from([content]) }
    },
    async send(request, { signal } = {}) {
      const { content, ...head } = await call(request, signal)
      return { ...head, body: content instanceof Readable ? await buffer(content) : content }
    },
    close: async () => closed(),
  }
}

interface Caller {
  readonly vouch: () => Principal
  readonly via: Arrival['via']
}

class OwnArrival implements Arrival {
  readonly method: string
  readonly url: string
  readonly base = ''
  readonly headers: Arrival['headers']
  readonly address = null
  readonly signal: AbortSignal
  readonly vouch: () => Principal
  readonly via: Arrival['via']
  readonly #body: UpstreamRequest['body']
  #stream: Readable | null = null
  readonly #listeners: ((status: number, isComplete: boolean) => void)[] = []

  constructor(
    { method, url, headers, body }: UpstreamRequest,
    signal: AbortSignal,
    { vouch, via }: Caller,
  ) {
    this.method = method
    this.url = url.slice(ORIGIN.length)
    this.headers = headers
    this.signal = signal
    this.vouch = vouch
    this.via = via
    this.#body = body
  }

  body(limitBytes: number): Promise<Buffer> {
    const body = this.#body ?? ''
    if (typeof body !== 'string' && !(body instanceof Uint8Array))
      return buffer(Readable.from(body.open()))
    const bytes = Buffer.from(body)
    return bytes.length > limitBytes
      ? Promise.reject(bodyTooLarge(limitBytes))
      : Promise.resolve(bytes)
  }

  stream(): Readable {
    const body = this.#body ?? ''
    const isWhole = typeof body === 'string' || body instanceof Uint8Array
    const stream = (this.#stream = Readable.from(isWhole ? [Buffer.from(body)] : body.open()))
    const leave = (): unknown => stream.destroy(clientLeft())
    if (this.signal.aborted) leave()
    this.signal.addEventListener('abort', leave)
    stream.once('close', () => this.signal.removeEventListener('abort', leave))
    return stream
  }

  /** The client itself ends a call that takes too long. */
  takeTime(): void {}

  onEnd(listener: (status: number, isComplete: boolean) => void): void {
    this.#listeners.push(listener)
  }

  /** The answer with its content as a stream or as bytes. It ends with its stream, others at once. */
  take(answer: Answer | null): Omit<Answer, 'content'> & { readonly content: Readable | Buffer } {
    // Routes that answer by means of their own are those of a server.
    if (answer === null) throw new TypeError('the routes of the API give their answers')
    // What nobody has read until now is read by nobody.
    this.#stream?.destroy()
    const { status, content } = answer
    const end = (isComplete: boolean): void => {
      for (const listener of this.#listeners) listener(status, isComplete)
    }
    if (!(content instanceof Readable)) {
      end(!this.signal.aborted)
      return { ...answer, content: bytesIn(content ?? '') }
    }
    content.once('close', () => end(content.readableEnded))
    if (this.signal.aborted) content.destroy()
    return { ...answer, content }
  }
}

/** Rejects with `aborted` as soon as the signal says so, whatever is still under way. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return await new Promise((resolve, reject) => {
    const abort = (): void =>
      reject(new ConnectorError('aborted', 'the call was aborted', { cause: signal.reason }))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
