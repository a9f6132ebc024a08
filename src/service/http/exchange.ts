// One request on its way to its answer, whatever carries it: what is checked before its route runs, what the head of
// the answer says, and what log, logs of operations, metrics and traces are told in the end.
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { ConnectorError, isConnectorError, problemError } from '../../errors.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { InstanceRow } from '../store/instances.ts'
import { uuidv7 } from '../store/uuid.ts'
import type { ExchangeObserver } from '../../engine/exchange/call.ts'
import { requireRight } from '../console/rights.ts'
import type { Lifecycle } from '../lifecycle.ts'
import type { ServiceLog } from '../log.ts'
import type { LoggedContent, Logs } from '../logs/logs.ts'
import { StepRecorder } from '../logs/step-recorder.ts'
import type { LogKind } from '../store/logs.ts'
import { UNKNOWN } from '../audit.ts'
import type { RefusedAccess } from '../refusals.ts'
import type {
  ArrivedRequest,
  RateShown,
  RequestFacts,
  Route,
  ServiceReply,
  ServiceRequest,
} from '../route.ts'
import { ANSWER_HEADERS } from '../routes/answer-headers.ts'
import type { RequestTrace, Tracing } from '../tracing.ts'
import { requireAllowedAddress, requireManage, type Principal } from '../tokens/principal.ts'
import type { Window } from '../tokens/rate-window.ts'
import { type Answer, type Arrival, callerAddress, headerText } from './arrival.ts'
import type { BodyReader } from './body-reader.ts'
import { type ArrivingFiles, NO_FILES } from './form.ts'
import type { Inputs } from './inputs.ts'
import { storeFacts } from '../log.ts'
import { problemOf, secondsUp } from './problem.ts'

export interface ExchangePorts {
  readonly clock: Clock
  /** Throws or rejects with `token_invalid`. */
  readonly authenticate: (headers: IncomingHttpHeaders) => Principal | Promise<Principal>
  /** Of a request that names none. */
  readonly timeoutMs: number
  /** `window` counts by organisation. */
  readonly rateLimit: {
    readonly count: number
    readonly seconds: number
    readonly window: Window
  } | null
  readonly bodies: BodyReader
  readonly lifecycle: Pick<Lifecycle, 'admit' | 'enter' | 'phase'>
  /** Whether the proxy in front of this service tells the address of the caller. */
  readonly trustProxy: boolean
  readonly corsOrigins: readonly string[]
  /** Gets facts without secrets, params or bodies. */
  readonly log: Pick<ServiceLog, 'info' | 'error'>
  readonly observe: (route: string, status: number, code: string | null, tookMs: number) => void
  /** Told of every answer with an error, for the audit log. */
  readonly refused: (access: RefusedAccess) => void
  /** Told of every operation on an instance, for people who look. */
  readonly logs: Pick<Logs, 'isOn' | 'keepsContent' | 'note'>
  /** null: nobody traces. */
  readonly tracing: Tracing | null
}

/** A route of the API, or a page that proves its caller itself. */
type RouteFacts =
  Pick<Route, 'name' | 'token' | 'manage'> | { readonly name: string; readonly token: 'none' }

export interface Destination {
  readonly route: RouteFacts
  /** The spelling that was called, parameters in braces. */
  readonly path: string
}

const NO_BYTES = Buffer.alloc(0)
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/

/** One request. Routes see of it what `ServiceRequest` says. */
export class HttpExchange implements ServiceRequest {
  readonly requestId: string
  /** Of the answer: names in lower case. */
  readonly headers: Record<string, string>
  path: Inputs['path'] = {}
  query: Inputs['query'] = {}
  body: Inputs['body'] = {}
  bytes: Buffer = NO_BYTES
  files: ArrivingFiles = NO_FILES
  timeoutMs: number

  readonly #ports: ExchangePorts
  readonly #arrival: Arrival
  readonly #route: RouteFacts | null
  readonly #trace: RequestTrace | null
  readonly #startedAt: number
  #facts: RequestFacts = {}
  /** Gives the request's place among the running ones back. */
  readonly #leave: () => void
  #principal: Principal | null = null
  #claimed: { readonly organizationId: string; readonly why: string } | null = null
  #code: string | null = null
  #problem: Readonly<Record<string, unknown>> | null = null
  #instance: InstanceRow | null = null
  #steps: StepRecorder | null = null
  /** What the operation was given; null: nobody keeps it. */
  #said: Omit<LoggedContent, 'content'> | null = null
  #content: LoggedContent['content'] = null

  /** `destination`: null where there is no such route. */
  constructor(ports: ExchangePorts, arrival: Arrival, destination: Destination | null) {
    const given = arrival.headers['x-request-id']
    this.requestId =
      typeof given === 'string' && REQUEST_ID.test(given) ? given : uuidv7(ports.clock.now())
    this.headers = {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'",
      'x-request-id': this.requestId,
    }
    this.timeoutMs = ports.timeoutMs
    this.#ports = ports
    this.#arrival = arrival
    this.#route = destination?.route ?? null
    this.#startedAt = ports.clock.monotonic()
    this.#trace =
      ports.tracing?.request({
        method: arrival.method,
        headers: arrival.headers,
        route: destination?.path ?? null,
        requestId: this.requestId,
      }) ?? null
    this.#leave = ports.lifecycle.enter()
    arrival.onEnd((status, isComplete) => this.#finish(status, isComplete))
  }

  get principal(): Principal {
    if (this.#principal === null) throw new TypeError('a route without a token knows no caller')
    return this.#principal
  }

  get address(): string | null {
    return callerAddress(this.#arrival, this.#ports)
  }

  header(name: string): string | undefined {
    return headerText(this.#arrival.headers, name)
  }

  get arrived(): ArrivedRequest {
    const { method, url, headers: given } = this.#arrival
    const names = Object.keys(given)
    const headers = Object.fromEntries(names.map((name) => [name, headerText(given, name) ?? '']))
    return { method, url, headers, body: this.bytes }
  }

  get signal(): AbortSignal {
    return this.#arrival.signal
  }

  note(facts: RequestFacts): void {
    this.#facts = { ...this.#facts, ...facts }
  }

  about(row: InstanceRow): void {
    this.#instance = row
  }

  get observer(): ExchangeObserver | undefined {
    if (!this.#ports.logs.isOn) return undefined
    return (this.#steps ??= new StepRecorder(this.#ports.clock, this.#startedAt))
  }

  say(params: JsonObject, credentials: LoggedContent['credentials']): void {
    if (this.#ports.logs.keepsContent) this.#said = { params, credentials }
  }

  claimed(organizationId: string, why: string): void {
    this.#claimed = { organizationId, why }
  }

  /** draft-ietf-httpapi-ratelimit-headers: one more policy, and what is left of it. */
  showRate({ name, count, windowSeconds, remaining, resetSeconds }: RateShown): void {
    this.#add('ratelimit-policy', `"${name}";q=${count};w=${windowSeconds}`)
    this.#add('ratelimit', `"${name}";r=${remaining};t=${resetSeconds}`)
  }

  /** Whom an answer outside of a route refuses. */
  refuses(principal: Principal): void {
    this.#principal = { ...principal, address: this.address }
  }

  /** Checks whether a request is possible now. Throws `shutting_down` or `overloaded`. */
  open(): void {
    const { lifecycle } = this.#ports
    this.#allowOrigin()
    if (lifecycle.phase !== 'running') this.headers['connection'] = 'close'
    lifecycle.admit()
  }

  /** Checks that, and who calls. A promise only where the caller must be looked up. */
  admit(): Promise<void> | void {
    this.open()
    const route = this.#route
    if (route === null || route.token === 'none') return undefined
    const caller = this.within(() => this.#authenticate())
    if (caller instanceof Promise)
      return caller.then((principal) => this.#welcome(route, principal))
    return this.#welcome(route, caller)
  }

  #authenticate(): Principal | Promise<Principal> {
    const { headers, vouch } = this.#arrival
    const vouched = vouch?.() ?? null
    if (vouched === null) return this.#ports.authenticate(headers)
    if (!(vouched instanceof Promise)) return vouched
    return vouched.then((known) => known ?? this.#ports.authenticate(headers))
  }

  #welcome(route: Exclude<RouteFacts, { readonly token: 'none' }>, principal: Principal): void {
    this.#principal =
      principal.kind === 'application' ? { ...principal, address: this.address } : principal
    requireAllowedAddress(principal, this.address)
    if (route.token === 'application' && principal.kind !== 'application') {
      throw new ConnectorError(
        'scope_denied',
        'this route needs an application token; a scoped token cannot call it',
      )
    }
    if (route.manage === true) requireManage(principal)
    requireRight(principal, route.name)
    this.#countRequest(principal)
    if (this.#arrival.headers['content-length'] !== undefined) this.#ports.bodies.admit(principal)
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
    const { origin } = this.#arrival.headers
    if (origin === undefined || !corsOrigins.includes(origin)) return
    this.headers['access-control-allow-origin'] = origin
    this.headers['access-control-expose-headers'] = EXPOSED
  }

  readBody(bytes: Buffer): ReturnType<BodyReader['read']> {
    return this.#ports.bodies.read(this.#principal, this.#arrival.headers, bytes)
  }

  /** JSON that is a part of the body. */
  readJson(bytes: Buffer): ReturnType<BodyReader['read']> {
    return this.#ports.bodies.read(this.#principal, { 'content-type': 'application/json' }, bytes)
  }

  run(route: Route, { path, query, body }: Inputs): Promise<ServiceReply> {
    this.path = path
    this.query = query
    this.body = body
    const { prefer } = this.#arrival.headers
    const seconds = route.headers.includes('prefer') ? waitIn(prefer) : null
    if (seconds !== null) {
      this.headers['preference-applied'] = `wait=${seconds}`
      this.timeoutMs = seconds * 1000
    }
    return this.within(() => route.handle(this))
  }

  /** Runs what answers the request, in its trace where there is one. */
  within<T>(work: () => T): T {
    return this.#trace === null ? work() : this.#trace.run(work)
  }

  render({ status, headers: given, content }: ServiceReply): Answer {
    const { headers } = this
    if (given !== undefined) Object.assign(headers, given)
    if (content === null) return { status, headers, content }
    // A replayed problem and a page bring their own type.
    headers['content-type'] ??= JSON_TYPE
    if (this.#said !== null && !(content instanceof Readable)) this.#content = content
    if (content instanceof Readable) return { status, headers, content: this.#watch(content) }
    return this.#isCompressible()
      ? { ...COMPRESSIBLE, status, headers, content }
      : { status, headers, content }
  }

  /** Reading routes tell no secrets; of the others `execute` does not. */
  #isCompressible(): boolean {
    const { method } = this.#arrival
    return method === 'GET' || method === 'HEAD' || this.#route?.name === 'execute'
  }

  /** What a stream tells while it is sent: the log's line is written as soon as the connection is done. */
  #watch(stream: Readable): Readable {
    let bytes = 0
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      this.note({ bytes })
    })
    stream.on('error', (error) => {
      this.#code ??= isConnectorError(error) ? error.code : 'aborted'
    })
    return stream.pause()
  }

  renderProblem(error: unknown): Answer {
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
    // What is left of the body is not read.
    if (code === 'body_too_large') this.headers['connection'] = 'close'
    return { status, headers: this.headers, content: JSON.stringify(body) }
  }

  #finish(status: number, isComplete: boolean): void {
    this.#leave()
    if (!isComplete) this.#code ??= 'aborted'
    const { clock, observe, log } = this.#ports
    const tookMs = clock.monotonic() - this.#startedAt
    const tookTenths = Math.round(tookMs * 10) / 10
    const route = this.#route?.name ?? 'none'
    observe(route, status, this.#code, tookMs)
    if (this.#code !== null) this.#tellRefusal(this.#code, route)
    if (this.#instance !== null && this.#ports.logs.isOn && !this.#isAskedByConsole)
      this.#tellOperation(this.#instance, status, tookMs)
    const trace = this.#trace
    trace?.end({ status, code: this.#code })
    log.info(
      {
        request_id: this.requestId,
        trace_id: trace?.traceId,
        route,
        method: this.#arrival.method,
        status,
        code: this.#code,
        organization_id: this.#principal?.organizationId ?? null,
        ...this.#facts,
        took_ms: tookTenths,
      },
      'request',
    )
  }

  #tellRefusal(code: string, route: string): void {
    const principal = this.#principal
    const claimed = this.#claimed
    const { connector_id: connectorId = null } = this.path
    const isDenied = code === 'scope_denied' && principal !== null
    this.#ports.refused({
      principal: principal ?? (claimed && { ...claimed, clientId: UNKNOWN }),
      address: principal === null ? this.address : (principal.address ?? null),
      code,
      route,
      connectorId,
      requestId: this.requestId,
      // Its first sentence; the rest says what the caller can do.
      why: claimed?.why ?? (isDenied ? firstSentence(String(this.#problem?.['detail'])) : null),
    })
  }

  /** An operation that named its instance before it ended. */
  #tellOperation(instance: InstanceRow, status: number, tookMs: number): void {
    const problem = this.#problem
    const { entity = null, action = null, bytes, draft } = this.#facts
    this.#steps?.end(this.#code)
    this.#ports.logs.note({
      kind: draft === true ? 'draft' : this.#kindOfCall(),
      instance,
      clientId: this.#principal?.clientId ?? null,
      entity,
      action,
      code: this.#code,
      status,
      tookMs,
      requestId: this.requestId,
      steps: this.#steps,
      ...((problem !== null || bytes !== undefined) && {
        facts: {
          ...(problem !== null && failureIn(problem)),
          ...(bytes !== undefined && { bytes }),
        },
      }),
      said:
        this.#said === null
          ? null
          : { ...this.#said, content: this.#content ?? answeredIn(problem).body },
    })
  }

  #kindOfCall(): LogKind {
    if (this.#route?.name !== 'execute') return 'request'
    return this.#arrival.via === 'mcp' ? 'mcp_call' : 'operation'
  }

  /**
   * The console asks by its searches whether a copy has records yet, again and again: that it has none is no failure. And
   * it asks behind what somebody looks at, which has its entry where that was searched or called.
   */
  get #isAskedByConsole(): boolean {
    if (this.#principal?.sessionHash === undefined) return false
    return (
      this.#code === 'search_not_ready' || (this.#code === null && this.#facts.console_own === true)
    )
  }

  #add(name: string, item: string): void {
    const before = this.headers[name]
    this.headers[name] = before === undefined ? item : `${before}, ${item}`
  }
}

/** Header fields that pages of the origins that are let in can read. */
const EXPOSED = [...Object.keys(ANSWER_HEADERS), 'content-encoding'].join(', ')
/** Of answers that may be compressed for their caller; what is made of them is not kept. */
const COMPRESSIBLE = { compressible: { kept: null } } as const
const JSON_TYPE = 'application/json; charset=utf-8'
const MAX_WAIT_SECONDS = 300

/**
 * The seconds of `Prefer: wait=n` (RFC 7240), which a caller is ready to wait; null: it does not say. Throws
 * `request_malformed` for a wait that is no whole number from 1 to 300; other preferences are ignored.
 */
function waitIn(prefer: string | readonly string[] | undefined): number | null {
  if (prefer === undefined) return null
  const parts = [prefer].flat().join(',').split(/[,;]/)
  const wait = parts.map((part) => part.trim()).find((part) => /^wait\b/i.test(part))
  if (wait === undefined) return null
  const seconds = Number(/^wait\s*=\s*"?(\d{1,4})"?$/i.exec(wait)?.[1])
  if (seconds >= 1 && seconds <= MAX_WAIT_SECONDS) return seconds
  const detail = `Prefer: wait must be a whole number of seconds from 1 to ${MAX_WAIT_SECONDS}`
  throw problemError('request_malformed', { pointer: '', code: 'header', detail })
}

const MAX_DETAIL = 500

/** What a problem says of an operation that failed, and of each of its requests where it had several. */
function failureIn(problem: Readonly<Record<string, unknown>>): JsonObject {
  const { detail, outcome, steps } = problem
  const { request_id: upstreamId } = answeredIn(problem)
  // Written by problem.ts.
  const known = steps as readonly { name: string; outcome: string }[] | undefined
  return {
    detail: String(detail).slice(0, MAX_DETAIL),
    outcome: String(outcome),
    ...(upstreamId !== null && { upstream_request_id: upstreamId }),
    ...(known !== undefined && {
      step_outcomes: known.map(({ name, outcome: became }) => ({ name, outcome: became })),
    }),
  }
}

/** What a problem says of the answer of the third party; nothing where there was none. */
function answeredIn(problem: Readonly<Record<string, unknown>> | null): {
  readonly request_id: string | null
  readonly body: string | null
} {
  // Written by problem.ts.
  const upstream = problem?.['upstream'] as ReturnType<typeof answeredIn> | null | undefined
  return upstream ?? { request_id: null, body: null }
}

function firstSentence(text: string): string {
  return text.split('. ', 1)[0] ?? text
}
