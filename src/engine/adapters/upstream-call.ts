// One call to a third party from its turn in the line to its end: phases, deadlines, abort, redirects.
// undici drives it as a dispatch handler; what becomes of the body is up to the subclasses.
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'

import type { Dispatcher } from 'undici'

import type { ConnectorError } from '../../errors.ts'
import { type AbortWatcher, endWatch, watchAbort } from '../exchange/abort-watch.ts'
import { streamedBody } from '../exchange/streamed.ts'
import type { SendOptions, UpstreamHead } from '../exchange/transport.ts'
import type { TransportLimits } from '../exchange/transport-limits.ts'
import type { ClientCertificate, UpstreamRequest } from '../request/upstream-request.ts'

import type { OriginPool, PooledCall } from './origin-pool.ts'
import { overloaded } from './origin-pool.ts'
import { followRedirect } from './redirect.ts'
import { RequestFeed } from './request-feed.ts'
import type { Phase, Standing } from './transport-error.ts'
import { transportError, translateFailure } from './transport-error.ts'
import { announcedLength, readCookies, readHeaders, writeHeaders } from './wire-headers.ts'

/** Streams last long: they must not take the connections of calls that want an answer. */
export type CallKind = 'buffered' | 'streamed'

/** Where a URL leads. `path` is the rest of the URL as written, query included. */
export interface Route {
  readonly pools: Readonly<Record<CallKind, OriginPool>>
  readonly origin: string
  readonly host: string
  readonly path: string
  /** The proxy that is between, for messages. */
  readonly proxy: string | null
}

/** What calls of one transport share. */
export interface CallTransport {
  readonly limits: TransportLimits
  /** Throws `destination_refused`, and `aborted` once the transport is closed. */
  route(url: string, tls?: ClientCertificate): Route
}

/** What a hop takes over from the one before it. */
export interface CallHistory {
  /** On the clock of `performance.now()`; null before the first start. */
  readonly endsAt: number | null
  readonly sent: boolean
}

const FIRST_HOP: CallHistory = { endsAt: null, sent: false }

/** A request, and the promise that waits for its answer. `R`: the answer, whole or with its body as a stream. */
export interface Asked<R> {
  readonly transport: CallTransport
  readonly request: UpstreamRequest
  readonly options: SendOptions
  resolve(answer: R): void
  reject(error: ConnectorError): void
}

type Controller = Dispatcher.DispatchController
type State = 'queue' | 'send' | Phase | 'over'

const PHASE_LIMIT = {
  queue: 'queueMs',
  connect: 'connectMs',
  send: 'idleMs',
  head: 'headMs',
  body: 'idleMs',
} as const satisfies Record<Exclude<State, 'over'>, keyof TransportLimits>

/** More than this of a redirect's own body is not awaited; the connection is given up instead. */
const REDIRECT_BODY_BYTES = 64 * 1024

export abstract class UpstreamCall<R = unknown>
  implements Dispatcher.DispatchHandler, PooledCall, AbortWatcher
{
  protected readonly asked: Asked<R>
  protected controller: Controller | null = null
  protected received = 0
  /** Length the head announces for the body, null where it does not say. */
  protected announced: number | null = null
  /** Beginning of the phase, then of the present silence. */
  protected since = 0
  /** End of the call whatever its phase. */
  protected endsAt: number

  #state: State = 'queue'
  #sent: boolean
  #status: number | null = null
  #next: UpstreamRequest | null = null
  #route: Route | null = null
  #pool: OriginPool | undefined
  #feed: RequestFeed | null = null

  constructor(asked: Asked<R>, history: CallHistory = FIRST_HOP) {
    this.asked = asked
    this.endsAt = history.endsAt ?? Infinity
    this.#sent = history.sent
  }

  protected abstract readonly kind: CallKind
  /** Value of the accept-encoding header. */
  protected abstract readonly encodings: string
  /** The head has come and is the answer. Throws what is wrong with it. */
  protected abstract accept(head: UpstreamHead): void
  protected abstract take(chunk: Buffer): void
  protected abstract complete(): void
  /** Gives the error to the caller that waits. Called once. */
  protected abstract reject(error: ConnectorError): void
  protected abstract again(asked: Asked<R>, history: CallHistory): UpstreamCall<R>

  get lane(): string {
    return this.asked.options.lane ?? ''
  }

  /**
   * Takes its place in the line of its origin, whose pool calls `start` with a connection: at once, when one becomes free,
   * or when the client has been loaded. undici then calls the handlers below. Failures arrive through `reject`.
   */
  launch(): void {
    try {
      if (this.asked.options.signal?.aborted === true) throw this.aborted()
      const route = this.asked.transport.route(this.asked.request.url, this.asked.request.tls)
      this.#route = route
      this.#pool = route.pools[this.kind]
      if (this.asked.options.signal !== undefined) watchAbort(this.asked.options.signal, this)
      this.#setState('queue')
      this.#pool.enter(this)
      this.watch()
    } catch (error) {
      this.cancel(error)
    }
  }

  start(dispatcher: Dispatcher): void {
    const route = this.#route
    if (route === null) return
    this.#setState('connect')
    if (this.endsAt === Infinity) this.endsAt = this.since + this.asked.request.timeoutMs
    this.watch()
    const { method, headers, body } = this.asked.request
    try {
      const streamed = streamedBody({ body })
      if (streamed !== null) this.#feed = new RequestFeed(streamed, (isSent) => this.#feeds(isSent))
      dispatcher.dispatch(
        {
          origin: route.origin,
          path: route.path,
          method,
          headers: writeHeaders(headers, this.encodings, streamed?.length ?? null),
          // undici takes what can be iterated, although its types do not say so.
          body: this.#feed === null ? (body as string) : (this.#feed as unknown as Readable),
        },
        this,
      )
    } catch (error) {
      this.cancel(error)
    }
  }

  cancel(cause: unknown): void {
    this.fail(translateFailure(cause, this.standing))
  }

  /** Ends the call with an error, unless it has ended, and gives up the connection it may hold. */
  fail(error: ConnectorError): void {
    if (this.#state === 'over') return
    this.release()
    this.reject(error)
    if (this.controller === null) {
      this.#pool?.abandon(this)
    } else {
      this.controller.abort(error)
      this.#pool?.leave(this)
    }
  }

  onAbort(): void {
    this.fail(this.aborted())
  }

  onRequestStart(controller: Controller): void {
    const isSecond = this.controller !== null
    this.controller = controller
    if (this.#state === 'over') {
      controller.abort(new Error('the call ended before it was connected'))
      this.#pool?.leave(this)
    } else if (isSecond) {
      // undici puts a request back in line when a connection dies under it in certain ways. Whether to repeat is
      // decided above the transport, where it is known what the request does.
      this.fail(this.error('upstream_unreachable', 'closed the connection', 'resent'))
    } else {
      this.#sent = true
      this.#setState(this.#feed === null ? 'head' : 'send')
      // A file takes as long as it takes: the time of the attempt counts from its last byte.
      if (this.#feed !== null) this.endsAt = this.since + this.asked.transport.limits.streamMs
      this.watch()
    }
  }

  /** A piece of the body was read or taken. */
  #feeds(isSent: boolean): void {
    if (this.#state !== 'send') return
    this.since = performance.now()
    if (!isSent) return this.watch()
    this.#setState('head')
    this.endsAt = this.since + this.asked.request.timeoutMs
    this.watch()
  }

  onResponseStart(controller: Controller, status: number, fields: IncomingHttpHeaders): void {
    if (status < 200 || this.#state === 'over') return
    this.controller = controller
    this.#sent = true
    this.#status = status
    this.#setState('body')
    const headers = readHeaders(fields)
    this.#next = followRedirect(this.asked.request, status, headers['location'])
    if (this.#next !== null) return
    this.announced = announcedLength(this.asked.request.method, status, headers)
    try {
      const { url, keepsCookies } = this.asked.request
      const cookies = keepsCookies === true ? { cookies: readCookies(fields, Date.now()) } : {}
      this.accept({ status, headers, url, ...cookies })
    } catch (error) {
      this.cancel(error)
    }
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    if (this.#state === 'over') return
    this.since = performance.now()
    this.received += chunk.length
    if (this.#next === null) this.take(chunk)
    else if (this.received > REDIRECT_BODY_BYTES) this.#hop(this.#next)
  }

  onResponseEnd(): void {
    if (this.#state === 'over') return
    if (this.#next !== null) {
      this.#hop(this.#next)
    } else if (this.announced !== null && this.received < this.announced) {
      this.fail(
        this.error('upstream_unreachable', 'ended its answer before the announced length', 'short'),
      )
    } else {
      this.release()
      this.#pool?.leave(this)
      this.complete()
    }
  }

  onResponseError(_controller: Controller | null, error: Error): void {
    if (this.#state !== 'over') this.cancel(error)
    this.#pool?.leave(this)
  }

  /** Ends the call with what has come, and gives up the connection. */
  protected finish(): void {
    if (this.#state === 'over') return
    this.release()
    this.controller?.abort(new Error('the answer is complete'))
    this.#pool?.leave(this)
    this.complete()
  }

  /** Ends the call: its listener goes, and nothing that comes later is looked at. */
  protected release(): void {
    this.#state = 'over'
    this.#feed?.stop()
    if (this.asked.options.signal !== undefined) endWatch(this.asked.options.signal, this)
  }

  protected get standing(): Standing {
    return {
      host: this.#route?.host ?? '',
      phase: this.#phase,
      sent: this.#sent,
      status: this.#status,
    }
  }

  get #via(): string {
    const proxy = this.#route?.proxy ?? null
    return proxy === null ? '' : `, through the proxy ${proxy}`
  }

  get #phase(): Phase {
    if (this.#status !== null) return 'body'
    return this.controller === null ? 'connect' : 'head'
  }

  /** An error about the host, in the words of `text`. */
  protected error(code: ConnectorError['code'], text: string, reason: string): ConnectorError {
    return transportError(code, `${this.standing.host} ${text}`, this.standing, { reason })
  }

  protected aborted(): ConnectorError {
    return transportError('aborted', 'The call was aborted', this.standing, {
      cause: this.asked.options.signal?.reason,
    })
  }

  /** The next moment at which something is overdue if nothing happens until then. */
  protected deadline(): number {
    return Math.min(this.endsAt, this.since + this.#phaseMs())
  }

  /** What is overdue now, or null where the deadline has moved on. */
  protected overdue(now: number): ConnectorError | null {
    if (now < this.deadline()) return null
    const { limits } = this.asked.transport
    if (this.#state === 'queue') {
      const text = `No connection to ${this.standing.host} became free in ${limits.queueMs} ms`
      return translateFailure(overloaded(text), this.standing)
    }
    if (this.#state === 'connect') {
      const isCut = this.endsAt < this.since + limits.connectMs
      return this.error(
        'upstream_unreachable',
        `could not be connected within ${isCut ? this.asked.request.timeoutMs : limits.connectMs} ms${this.#via}`,
        isCut ? 'total_timeout' : 'connect_timeout',
      )
    }
    if (this.#state === 'send') return this.#unsent(now)
    if (now >= this.endsAt) {
      return this.error('upstream_timeout', 'did not answer completely in time', 'total_timeout')
    }
    return this.#state === 'head'
      ? this.error('upstream_timeout', `sent no answer for ${this.#phaseMs()} ms`, 'head_timeout')
      : this.error('upstream_timeout', `fell silent for ${this.#phaseMs()} ms`, 'idle_timeout')
  }

  /** A body that does not move: its file is silent, or the third party takes nothing. */
  #unsent(now: number): ConnectorError {
    const ms = now >= this.endsAt ? this.asked.transport.limits.streamMs : this.#phaseMs()
    if (this.#feed?.isReading === true)
      return this.error('upload_interrupted', `was sent no byte of the file for ${ms} ms`, 'file')
    return this.error('upstream_timeout', `took nothing of the file for ${ms} ms`, 'send_timeout')
  }

  /** Makes sure that the deadline is looked at. */
  protected watch(): void {
    if (this.#state !== 'over') this.#pool?.lookBy(this.deadline())
  }

  look(now: number): void {
    if (this.#state === 'over') return
    const error = this.overdue(now)
    if (error === null) this.watch()
    else this.fail(error)
  }

  #setState(state: State): void {
    this.#state = state
    this.since = performance.now()
  }

  #phaseMs(): number {
    if (this.#state === 'over') return Infinity
    const limit = this.asked.transport.limits[PHASE_LIMIT[this.#state]]
    const { headMs = 0, restMs = 0, endOf } = this.asked.request
    if (this.#state === 'send' && this.#feed?.isReading === false) return Math.max(limit, restMs)
    const isAwaited = this.#state === 'head' || (this.#state === 'body' && endOf !== undefined)
    return isAwaited ? Math.max(limit, headMs) : limit
  }

  #hop(next: UpstreamRequest): void {
    this.release()
    this.controller?.abort(new Error('redirected'))
    this.#pool?.leave(this)
    const asked = { ...this.asked, request: next }
    this.again(asked, { endsAt: this.endsAt, sent: this.#sent }).launch()
  }
}
