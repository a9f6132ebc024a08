// One request on its way to its answer, whatever carries it: what is checked before its route runs, what the head of
// the answer says, and what log, metrics, activity and traces are told in the end.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { ConnectorError, isConnectorError } from '../../errors.ts'
import type { Clock } from '../../exchange/clock.ts'
import { uuidv7 } from '../../store/uuid.ts'
import type { AnsweredOperation, AnsweredStep } from '../activity.ts'
import type { Lifecycle } from '../lifecycle.ts'
import type { RefusedAccess } from '../refusals.ts'
import type {
  RateShown,
  RequestFacts,
  Route,
  ServiceReply,
  ServiceRequest,
  SurroundedBytes,
} from '../route.ts'
import type { RequestTrace, Tracing } from '../tracing.ts'
import { requireManage, type Principal } from '../tokens/principal.ts'
import type { Window } from '../tokens/rate-window.ts'
import type { BodyReader } from './body-reader.ts'
import type { Inputs } from './inputs.ts'
import { deadlineIn } from './prefer.ts'
import { storeFacts } from '../failure-facts.ts'
import { problemOf, secondsUp } from './problem.ts'

export interface ExchangePorts {
  readonly clock: Clock
  readonly deadlineMs: number
  /** `window` counts by organisation. */
  readonly rateLimit: {
    readonly count: number
    readonly seconds: number
    readonly window: Window
  } | null
  /** One for all who share a process. */
  readonly bodies: BodyReader
  readonly lifecycle: Pick<Lifecycle, 'admit' | 'enter' | 'phase'>
  /** Whether the proxy in front of this service tells the address of the caller. */
  readonly trustProxy: boolean
  /** Origins of browsers that may call. */
  readonly corsOrigins: readonly string[]
  readonly log: RequestLog
  /** Told of every answer, for the metrics. */
  readonly observe: (route: string, status: number, code: string | null, tookMs: number) => void
  /** Told of every answer with an error, for the audit log. */
  readonly refused: (access: RefusedAccess) => void
  /** Told of every operation on an instance, for people who look. */
  readonly answered: (operation: AnsweredOperation) => void
  /** null: nobody traces. */
  readonly tracing: Tracing | null
}

/** The log of requests: facts without secrets, params or bodies. */
export interface RequestLog {
  info(facts: object, message: string): void
  error(facts: object, message: string): void
}

/** Where a request was led. */
export interface Destination {
  readonly route: Route
  /** The spelling that was called, parameters in braces. */
  readonly path: string
}

/** An answer before its head is written: the head is `headers` of the exchange. */
export interface Rendered {
  readonly status: number
  /** null: there is none. */
  readonly content: string | SurroundedBytes | null
}

const REQUEST_ID = /^[\x21-\x7e]{1,128}$/

/** One request. Routes see of it what `ServiceRequest` says. */
export class Exchange implements ServiceRequest {
  readonly requestId: string
  /** Of the answer: names in lower case. */
  readonly headers: Record<string, string>
  path: Inputs['path'] = {}
  query: Inputs['query'] = {}
  body: Inputs['body'] = {}
  deadlineMs: number

  readonly #ports: ExchangePorts
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #route: Route | null
  readonly #trace: RequestTrace | null
  readonly #startedAt: number
  #facts: RequestFacts = {}
  /** Gives the place back that the request holds among the running ones. */
  readonly #leave: () => void
  #principal: Principal | null = null
  #code: string | null = null
  #problem: Readonly<Record<string, unknown>> | null = null
  /** Aborted when the client leaves; made for who asks. */
  #gone: AbortController | null = null

  /** `destination`: null where there is no such route. Whoever begins one sees to it that `finish` is called. */
  constructor(
    ports: ExchangePorts,
    request: IncomingMessage,
    response: ServerResponse,
    destination: Destination | null,
  ) {
    const given = request.headers['x-request-id']
    this.requestId =
      typeof given === 'string' && REQUEST_ID.test(given) ? given : uuidv7(ports.clock.now())
    this.headers = {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'",
      'x-request-id': this.requestId,
    }
    this.deadlineMs = ports.deadlineMs
    this.#ports = ports
    this.#request = request
    this.#response = response
    this.#route = destination?.route ?? null
    this.#startedAt = ports.clock.monotonic()
    this.#trace =
      ports.tracing?.request({
        method: request.method ?? '',
        headers: request.headers,
        route: destination?.path ?? null,
        requestId: this.requestId,
      }) ?? null
    this.#leave = ports.lifecycle.enter()
  }

  // What routes see

  get principal(): Principal {
    if (this.#principal === null) throw new TypeError('a route without a token knows no caller')
    return this.#principal
  }

  get address(): string | null {
    const forwarded = this.#ports.trustProxy ? this.header('x-forwarded-for') : undefined
    // The last one is what the proxy saw; those before are what the caller says.
    const seen = forwarded?.split(',').at(-1)?.trim() ?? ''
    return seen === '' ? (this.#request.socket.remoteAddress ?? null) : seen
  }

  header(name: string): string | undefined {
    return headerText(this.#request.headers, name)
  }

  get signal(): AbortSignal {
    const { req, closed, writableFinished } = this.#response
    const isOwnConnection = req.httpVersionMajor === 1
    const known = isOwnConnection ? controllers.get(req.socket) : undefined
    const gone = (this.#gone ??= known ?? new AbortController())
    if (isOwnConnection && gone !== known) controllers.set(req.socket, gone)
    if (closed && !writableFinished) gone.abort(clientLeft())
    return gone.signal
  }

  note(facts: RequestFacts): void {
    this.#facts = { ...this.#facts, ...facts }
  }

  /** draft-ietf-httpapi-ratelimit-headers: one more policy, and what is left of it. */
  showRate({ name, count, windowSeconds, remaining, resetSeconds }: RateShown): void {
    this.#add('ratelimit-policy', `"${name}";q=${count};w=${windowSeconds}`)
    this.#add('ratelimit', `"${name}";r=${remaining};t=${resetSeconds}`)
  }

  // Before the route

  /** Checks who calls, and whether that is possible now. A promise only where the caller must be looked up. */
  admit(authenticate: () => Principal | Promise<Principal>): Promise<void> | undefined {
    const { lifecycle } = this.#ports
    this.#allowOrigin()
    if (lifecycle.phase !== 'running') this.headers['connection'] = 'close'
    lifecycle.admit()
    const route = this.#route
    if (route === null || route.token === 'none') return undefined
    const caller = this.#trace === null ? authenticate() : this.#trace.run(authenticate)
    if (caller instanceof Promise)
      return caller.then((principal) => this.#welcome(route, principal))
    this.#welcome(route, caller)
    return undefined
  }

  #welcome(route: Route, principal: Principal): void {
    this.#principal = principal
    if (route.token === 'application' && principal.kind !== 'application') {
      throw new ConnectorError(
        'scope_denied',
        'this route needs an application token; a scoped token cannot call it',
      )
    }
    if (route.manage === true) requireManage(principal)
    this.#countRequest(principal)
    if (this.#request.headers['content-length'] !== undefined) this.#ports.bodies.admit(principal)
  }

  #countRequest({ organizationId }: Principal): void {
    const limit = this.#ports.rateLimit
    if (limit === null) return
    const { window } = limit
    const wait = window.wait(organizationId)
    if (wait <= 0) window.take(organizationId)
    this.showRate({
      name: 'org',
      count: limit.count,
      windowSeconds: limit.seconds,
      remaining: window.left(organizationId),
      resetSeconds: wait <= 0 ? limit.seconds : secondsUp(wait),
    })
    if (wait > 0) {
      throw new ConnectorError('rate_limited', 'this organisation sends too many requests', {
        retryAfterMs: Math.ceil(wait),
      })
    }
  }

  #allowOrigin(): void {
    const { corsOrigins } = this.#ports
    if (corsOrigins.length === 0) return
    this.headers['vary'] = 'Origin'
    const { origin } = this.#request.headers
    if (origin === undefined || !corsOrigins.includes(origin)) return
    this.headers['access-control-allow-origin'] = origin
    this.headers['access-control-expose-headers'] =
      'x-request-id, retry-after, ratelimit, ratelimit-policy, location, idempotent-replayed'
  }

  /** What the bytes of the body say: a promise where there are many. */
  read(bytes: Buffer): ReturnType<BodyReader['read']> {
    return this.#ports.bodies.read(this.#principal, this.#request.headers, bytes)
  }

  // The route

  /** Runs the route with inputs that were checked. */
  run(route: Route, { path, query, body }: Inputs): Promise<ServiceReply> {
    this.path = path
    this.query = query
    this.body = body
    const { prefer } = this.#request.headers
    const { deadlineMs, applied } = deadlineIn(prefer, this.#ports.deadlineMs, route)
    if (applied !== null) this.headers['preference-applied'] = applied
    this.deadlineMs = deadlineMs
    return this.#trace === null ? route.handle(this) : this.#trace.run(() => route.handle(this))
  }

  /** Takes over the head of an answer. */
  take({ headers }: ServiceReply): void {
    if (headers !== undefined) Object.assign(this.headers, headers)
  }

  /** An answer with a body that is there. */
  render(reply: Exclude<ServiceReply, { readonly kind: 'bytes' }>): Rendered {
    const { status } = reply
    this.take(reply)
    switch (reply.kind) {
      case 'json':
        this.headers['content-type'] = JSON_TYPE
        return { status, content: JSON.stringify(reply.body) }
      case 'text':
        // A replayed problem brings its own type.
        this.headers['content-type'] ??= JSON_TYPE
        return { status, content: reply.text }
      case 'page':
        this.headers['content-type'] = 'text/html; charset=utf-8'
        return { status, content: reply.html }
      case 'empty':
        return { status, content: null }
    }
  }

  /** The answer for an error. */
  renderProblem(error: unknown): Rendered {
    const { status, headers, body } = problemOf(error, this.requestId)
    const { code } = body
    this.#code = String(code)
    this.#problem = body
    this.note(storeFacts(error))
    if (code === 'internal_error') {
      const cause = isConnectorError(error) ? (error.cause ?? error) : error
      this.#ports.log.error(
        {
          request_id: this.requestId,
          route: this.#route?.name ?? null,
          stack: cause instanceof Error ? cause.stack : String(cause),
        },
        'a request failed for a reason of ours',
      )
    }
    Object.assign(this.headers, headers)
    return { status, content: JSON.stringify(body) }
  }

  /** What a stream tells while it is sent: the log's line is written as soon as the connection is done. */
  sent(bytes: number): void {
    this.note({ bytes })
  }

  failed(error: unknown): void {
    this.#code ??= isConnectorError(error) ? error.code : 'aborted'
  }

  // After the answer

  /** The answer was sent, or broke off. Called once. */
  finish(): void {
    const { statusCode: status, writableFinished, req } = this.#response
    this.#leave()
    if (!writableFinished) {
      this.#code ??= 'aborted'
      this.#gone?.abort(clientLeft())
      controllers.delete(req.socket)
    }
    const { clock, observe, refused, log } = this.#ports
    const tookMs = clock.monotonic() - this.#startedAt
    const tookTenths = Math.round(tookMs * 10) / 10
    const route = this.#route?.name ?? 'none'
    observe(route, status, this.#code, tookMs)
    if (this.#code !== null) refused({ principal: this.#principal, code: this.#code, route })
    if (route === 'execute') this.#tellOperation(status, tookTenths)
    const trace = this.#trace
    trace?.end({ status, code: this.#code })
    log.info(
      {
        request_id: this.requestId,
        trace_id: trace?.traceId,
        route,
        method: this.#request.method,
        status,
        code: this.#code,
        organization_id: this.#principal?.organizationId ?? null,
        ...this.#facts,
        took_ms: tookTenths,
      },
      'request',
    )
  }

  /** An operation that named its instance, entity and action before it ended. */
  #tellOperation(status: number, tookMs: number): void {
    const principal = this.#principal
    const problem = this.#problem
    const {
      connector_id: id,
      connector_type: type,
      entity,
      action,
      upstream_requests: sent,
      bytes,
    } = this.#facts
    if (principal === null || typeof id !== 'string' || typeof action !== 'string') return
    this.#ports.answered({
      requestId: this.requestId,
      organizationId: principal.organizationId,
      clientId: principal.clientId,
      externalUserId: principal.externalUserId,
      connectorId: id,
      connectorType: String(type),
      entity: String(entity),
      action,
      status,
      code: this.#code,
      detail: problem === null ? null : String(problem['detail']),
      outcome: problem === null ? null : String(problem['outcome']),
      steps: problem === null ? null : stepsIn(problem),
      tookMs,
      // How often a failed operation was tried is not told.
      upstreamRequests:
        problem !== null && (problem['upstream'] !== null || problem['origin'] === 'upstream')
          ? null
          : typeof sent === 'number'
            ? sent
            : 0,
      bytes: typeof bytes === 'number' ? bytes : null,
      at: this.#ports.clock.now(),
    })
  }

  #add(name: string, item: string): void {
    const before = this.headers[name]
    this.headers[name] = before === undefined ? item : `${before}, ${item}`
  }
}

const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * Controllers of connections that are kept alive. Making one for each request costs as much as checking its token, and
 * on HTTP/1.1 a client leaves a request by closing the connection.
 */
const controllers = new WeakMap<object, AbortController>()

/** What a problem says of each request of an operation; null: it had one. */
function stepsIn({ steps }: Readonly<Record<string, unknown>>): readonly AnsweredStep[] | null {
  // Written by problem.ts.
  return Array.isArray(steps)
    ? (steps as readonly AnsweredStep[]).map(({ name, outcome }) => ({ name, outcome }))
    : null
}

function clientLeft(): ConnectorError {
  return new ConnectorError('aborted', 'the client left')
}

/** One text of a header that may have come several times. */
function headerText(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
