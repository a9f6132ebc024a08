// The routes of the table as a Fastify plugin: prefixes, tokens, bodies, problems, headers. Encapsulated, so that a host
// app's own routes keep their error handler, their parsers and their time-outs.
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { ConnectorError, isConnectorError } from '../../errors.ts'
import type { Clock } from '../../exchange/clock.ts'
import type { JsonObject } from '../../json/json.ts'
import type { AnsweredOperation } from '../activity.ts'
import type { Lifecycle } from '../lifecycle.ts'
import type { RateShown, Route, ServiceReply, ServiceRequest } from '../route.ts'
import type { RequestTrace, Tracing } from '../tracing.ts'
import { requireManage, type Principal } from '../tokens/principal.ts'
import { createWindow, type Window } from '../tokens/rate-window.ts'
import { uuidv7 } from '../uuid.ts'
import { compileInputs, type ReadInputs } from './inputs.ts'
import { readBody } from './json-text.ts'
import { deadlineIn } from './prefer.ts'
import { type ProblemReply, problemOf, secondsUp } from './problem.ts'
import { sendBytes } from './send-bytes.ts'

export const PREFIXES = ['/v1', '/api/v1'] as const

export interface ApiPorts {
  readonly clock: Clock
  readonly routes: readonly Route[]
  /** Throws or rejects with `token_invalid`. */
  readonly authenticate: (request: FastifyRequest) => Principal | Promise<Principal>
  readonly bodyLimitBytes: number
  readonly deadlineMs: number
  readonly rateLimit: { readonly count: number; readonly seconds: number } | null
  readonly lifecycle: Pick<Lifecycle, 'admit' | 'enter' | 'phase'>
  /** Origins of browsers that may call. */
  readonly corsOrigins: readonly string[]
  readonly log: RequestLog
  /** Told of every answer, for the metrics. */
  readonly observe: (route: string, status: number, code: string | null, tookMs: number) => void
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

interface Exchange {
  readonly requestId: string
  readonly startedAt: number
  readonly route: Route | null
  principal: Principal | null
  code: string | null
  problem: ProblemReply['body'] | null
  readonly facts: Record<string, string | number | null>
  /** Aborted when the client leaves; made for who asks. */
  gone: AbortController | null
  /** null: nobody traces. */
  readonly trace: RequestTrace | null
  /** Gives the place back that the request holds among the running ones. */
  readonly leave: () => void
}

const EXCHANGE = Symbol('tenon.exchange')

/** Mounts every route under both prefixes and all its spellings. */
export function mountApi(app: FastifyInstance, ports: ApiPorts): void {
  const limiter =
    ports.rateLimit === null
      ? null
      : createWindow(ports.clock, {
          count: ports.rateLimit.count,
          ms: ports.rateLimit.seconds * 1000,
        })
  app.decorateRequest(EXCHANGE as never, null as never)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    // Anything else goes the longer way and is refused there.
    ['application/json', '*'],
    { parseAs: 'buffer', bodyLimit: ports.bodyLimitBytes },
    (request, body, done) => {
      try {
        done(null, parseBody(request, body as Buffer))
      } catch (error) {
        done(error as Error)
      }
    },
  )
  app.setErrorHandler((error, request, reply) => sendProblem(ports, request, reply, error))
  /** Says who calls; a promise only where that must be looked up. */
  function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
    const exchange = begin(ports, request)
    // Also where the answer breaks off, which the framework's own hook does not tell.
    reply.raw.on('close', () => finish(ports, exchange, request.method, reply.raw))
    setHeaders(reply, exchange.requestId)
    allowOrigin(ports, request, reply)
    if (ports.lifecycle.phase !== 'running') void reply.header('connection', 'close')
    ports.lifecycle.admit()
    const { route } = exchange
    if (route === null || route.token === 'none') return undefined
    const welcome = (principal: Principal): void => {
      exchange.principal = principal
      admitPrincipal(route, principal)
      if (limiter !== null && ports.rateLimit !== null)
        countRequest(limiter, ports.rateLimit, principal, reply)
    }
    const { trace } = exchange
    const caller =
      trace === null ? ports.authenticate(request) : trace.run(() => ports.authenticate(request))
    if (caller instanceof Promise) return caller.then(welcome)
    welcome(caller)
    return undefined
  }
  app.addHook('onRequest', (request, reply, done) => {
    try {
      const waits = admit(request, reply)
      if (waits === undefined) done()
      else void goOnAfter(waits, done)
    } catch (error) {
      done(error as Error)
    }
  })
  const methods = methodsByUrl(ports.routes)
  for (const route of ports.routes) {
    const read = compileInputs(route)
    for (const path of [route.path, ...route.aliases]) {
      for (const prefix of PREFIXES) {
        app.route({
          method: route.method,
          url: prefix + fastifyPath(path),
          config: { route } as never,
          handler: async (request, reply) => await answer(ports, route, read, request, reply),
        })
      }
    }
  }
  refuseOtherMethods(app, ports, methods)
  app.setNotFoundHandler((request, reply) => {
    const exchange = begin(ports, request)
    setHeaders(reply, exchange.requestId)
    const error = new ConnectorError(
      'route_unknown',
      'there is no such path; /openapi.json lists those there are',
    )
    return sendProblem(ports, request, reply, error)
  })
}

/** An action of the wrong method is 405 with those that exist. */
function refuseOtherMethods(
  app: FastifyInstance,
  ports: ApiPorts,
  methods: ReadonlyMap<string, readonly string[]>,
): void {
  for (const [url, allowed] of methods) {
    // HEAD comes with GET.
    const others = ALL_METHODS.filter(
      (method) => !allowed.includes(method) && !(method === 'HEAD' && allowed.includes('GET')),
    )
    app.route({
      method: [...others] as HTTPMethods[],
      url,
      handler: (request, reply) => {
        if (request.method === 'OPTIONS' && reply.hasHeader('access-control-allow-origin')) {
          return reply
            .code(204)
            .headers({
              'access-control-allow-methods': allowed.join(', '),
              'access-control-allow-headers':
                'authorization, content-type, idempotency-key, prefer, range, x-request-id',
              'access-control-max-age': '600',
            })
            .send()
        }
        return sendProblem(
          ports,
          request,
          reply,
          new ConnectorError(
            'method_not_allowed',
            `${request.method} is not possible here; ${allowed.join(', ')} is`,
            { details: { allow: allowed.join(', ') } },
          ),
        )
      },
    })
  }
}

const ALL_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

function methodsByUrl(routes: readonly Route[]): Map<string, string[]> {
  const methods = new Map<string, string[]>()
  for (const { path, aliases, method } of routes) {
    for (const each of [path, ...aliases]) {
      for (const prefix of PREFIXES) {
        const url = prefix + fastifyPath(each)
        methods.set(url, [...(methods.get(url) ?? []), method])
      }
    }
  }
  return methods
}

function fastifyPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

async function answer(
  ports: ApiPorts,
  route: Route,
  read: ReadInputs,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const exchange = exchangeOf(request)
  const { path, query, body } = read(request)
  const { deadlineMs, applied } = deadlineIn(request.headers['prefer'], ports.deadlineMs, route)
  if (applied !== null) void reply.header('preference-applied', applied)
  const incoming: ServiceRequest = {
    // Routes without a token do not look at it.
    principal: exchange.principal as Principal,
    path,
    query,
    body,
    header: (name) => {
      const value = request.headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    },
    requestId: exchange.requestId,
    deadlineMs,
    get signal() {
      return signalOf(exchange, reply.raw)
    },
    note: (facts) => Object.assign(exchange.facts, facts),
    showRate: (rate) => addRate(reply, rate),
  }
  const { trace } = exchange
  const answered =
    trace === null ? await route.handle(incoming) : await trace.run(() => route.handle(incoming))
  return await send(ports, request, reply, answered)
}

async function goOnAfter(waits: Promise<void>, done: (error?: Error) => void): Promise<void> {
  try {
    await waits
  } catch (error) {
    done(error as Error)
    return
  }
  done()
}

/**
 * Controllers of connections that are kept alive. Making one for each request costs as much as checking its token, and
 * on HTTP/1.1 a client leaves a request by closing the connection.
 */
const controllers = new WeakMap<object, AbortController>()

function signalOf(
  exchange: Exchange,
  { req, closed, writableFinished }: ServerResponse,
): AbortSignal {
  const isOwnConnection = req.httpVersionMajor === 1
  const known = isOwnConnection ? controllers.get(req.socket) : undefined
  const gone = (exchange.gone ??= known ?? new AbortController())
  if (isOwnConnection && gone !== known) controllers.set(req.socket, gone)
  if (closed && !writableFinished) gone.abort(clientLeft())
  return gone.signal
}

function clientLeft(): ConnectorError {
  return new ConnectorError('aborted', 'the client left')
}

async function send(
  ports: ApiPorts,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: ServiceReply,
): Promise<unknown> {
  void reply.code(answer.status)
  void reply.headers(answer.headers ?? {})
  switch (answer.kind) {
    case 'json':
      void reply.header('content-type', 'application/json; charset=utf-8')
      return reply.send(JSON.stringify(answer.body))
    case 'text':
      // A replayed problem brings its own type.
      if (!reply.hasHeader('content-type'))
        void reply.header('content-type', 'application/json; charset=utf-8')
      return reply.send(answer.text)
    case 'page':
      void reply.header('content-type', 'text/html; charset=utf-8')
      return reply.send(answer.html)
    case 'empty':
      return reply.send()
    case 'bytes': {
      reply.hijack()
      const exchange = exchangeOf(request)
      await sendBytes(reply, answer, {
        sent(bytes) {
          exchange.facts['bytes'] = bytes
        },
        failed(error) {
          exchange.code ??= isConnectorError(error) ? error.code : 'aborted'
        },
      })
      return reply
    }
  }
}

function parseBody(request: FastifyRequest, bytes: Buffer): JsonObject | undefined {
  if (bytes.length === 0) return undefined
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity')
    throw unsupported('a request body must not be compressed')
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  if (type !== 'application/json')
    throw unsupported('the body must be sent as Content-Type: application/json')
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset))
    throw unsupported('the body must be UTF-8')
  return readBody(bytes)
}

function unsupported(message: string): ConnectorError {
  return new ConnectorError('media_type_unsupported', message)
}

function admitPrincipal(route: Route, principal: Principal): void {
  if (route.token === 'application' && principal.kind !== 'application') {
    throw new ConnectorError(
      'scope_denied',
      'this route needs an application token; a scoped token cannot call it',
    )
  }
  if (route.manage === true) requireManage(principal)
}

function countRequest(
  limiter: Window,
  limit: { readonly count: number; readonly seconds: number },
  { organizationId }: Principal,
  reply: FastifyReply,
): void {
  const wait = limiter.wait(organizationId)
  if (wait <= 0) limiter.take(organizationId)
  addRate(reply, {
    name: 'org',
    count: limit.count,
    windowSeconds: limit.seconds,
    remaining: limiter.left(organizationId),
    resetSeconds: wait <= 0 ? limit.seconds : secondsUp(wait),
  })
  if (wait > 0) {
    throw new ConnectorError('rate_limited', 'this organisation sends too many requests', {
      retryAfterMs: Math.ceil(wait),
    })
  }
}

/** draft-ietf-httpapi-ratelimit-headers: one more policy, and what is left of it. */
function addRate(reply: FastifyReply, rate: RateShown): void {
  const { name, count, windowSeconds, remaining, resetSeconds } = rate
  const add = (header: string, item: string): void => {
    const before = reply.getHeader(header)
    void reply.header(header, before === undefined ? item : `${String(before)}, ${item}`)
  }
  add('ratelimit-policy', `"${name}";q=${count};w=${windowSeconds}`)
  add('ratelimit', `"${name}";r=${remaining};t=${resetSeconds}`)
}

function allowOrigin(
  { corsOrigins }: ApiPorts,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { origin } = request.headers
  if (corsOrigins.length > 0) void reply.header('vary', 'Origin')
  if (origin === undefined || !corsOrigins.includes(origin)) return
  void reply.headers({
    'access-control-allow-origin': origin,
    'access-control-expose-headers':
      'x-request-id, retry-after, ratelimit, ratelimit-policy, location, idempotent-replayed',
  })
}

const REQUEST_ID = /^[\x21-\x7e]{1,128}$/

function begin(ports: ApiPorts, request: FastifyRequest): Exchange {
  const known = exchangeOrNull(request)
  if (known !== null) return known
  const given = request.headers['x-request-id']
  const requestId =
    typeof given === 'string' && REQUEST_ID.test(given) ? given : uuidv7(ports.clock.now())
  const route = (request.routeOptions.config as { readonly route?: Route }).route ?? null
  const exchange: Exchange = {
    requestId,
    startedAt: ports.clock.monotonic(),
    route,
    principal: null,
    code: null,
    problem: null,
    facts: {},
    gone: null,
    trace: ports.tracing === null ? null : traceOf(ports.tracing, request, route, requestId),
    leave: ports.lifecycle.enter(),
  }
  // The decoration above.
  ;(request as unknown as { [EXCHANGE]: Exchange })[EXCHANGE] = exchange
  return exchange
}

function traceOf(
  tracing: Tracing,
  { method, headers, routeOptions }: FastifyRequest,
  route: Route | null,
  requestId: string,
): RequestTrace {
  return tracing.request({
    method,
    headers,
    route: route === null ? null : (routeOptions.url ?? route.path).replaceAll(/:(\w+)/g, '{$1}'),
    requestId,
  })
}

function exchangeOrNull(request: FastifyRequest): Exchange | null {
  // The decoration above.
  return (request as unknown as { readonly [EXCHANGE]: Exchange | null })[EXCHANGE]
}

function exchangeOf(request: FastifyRequest): Exchange {
  const exchange = exchangeOrNull(request)
  if (exchange === null) throw new TypeError('the request has passed no onRequest hook')
  return exchange
}

function setHeaders(reply: FastifyReply, requestId: string): void {
  void reply.headers({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'",
    'x-request-id': requestId,
  })
}

function sendProblem(
  ports: ApiPorts,
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown,
): FastifyReply {
  const exchange = begin(ports, request)
  setHeaders(reply, exchange.requestId)
  const problem: ProblemReply = problemOf(translate(thrown, ports), exchange.requestId)
  const { code } = problem.body
  exchange.code = String(code)
  exchange.problem = problem.body
  if (code === 'internal_error') {
    const cause = isConnectorError(thrown) ? (thrown.cause ?? thrown) : thrown
    ports.log.error(
      {
        request_id: exchange.requestId,
        route: exchange.route?.name ?? null,
        stack: cause instanceof Error ? cause.stack : String(cause),
      },
      'a request failed for a reason of ours',
    )
  }
  void reply.code(problem.status)
  void reply.headers(problem.headers)
  return reply.send(JSON.stringify(problem.body))
}

/** Fastify's own errors in our terms. */
function translate(thrown: unknown, { bodyLimitBytes }: ApiPorts): unknown {
  if (isConnectorError(thrown)) return thrown
  const { code, statusCode } = thrown as { readonly code?: unknown; readonly statusCode?: unknown }
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ConnectorError('body_too_large', `the body is larger than ${bodyLimitBytes} bytes`)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupported('the body must be sent as Content-Type: application/json')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ConnectorError(
        'request_malformed',
        'the body is not as long as Content-Length says',
      )
    default:
      return statusCode === 400
        ? new ConnectorError('request_malformed', 'the request cannot be read')
        : thrown
  }
}

function finish(
  ports: ApiPorts,
  exchange: Exchange,
  method: string,
  { statusCode: status, writableFinished, req }: ServerResponse,
): void {
  exchange.leave()
  if (!writableFinished) {
    exchange.code ??= 'aborted'
    exchange.gone?.abort(clientLeft())
    controllers.delete(req.socket)
  }
  const tookMs = ports.clock.monotonic() - exchange.startedAt
  const route = exchange.route?.name ?? 'none'
  ports.observe(route, status, exchange.code, tookMs)
  if (route === 'execute') tellOperation(ports, exchange, status, tookMs)
  const { trace } = exchange
  trace?.end({ status, code: exchange.code })
  ports.log.info(
    {
      request_id: exchange.requestId,
      ...(trace === null ? {} : { trace_id: trace.traceId }),
      route,
      method,
      status,
      code: exchange.code,
      organization_id: exchange.principal?.organizationId ?? null,
      ...exchange.facts,
      took_ms: Math.round(tookMs * 10) / 10,
    },
    'request',
  )
}

/** An operation that named its instance, entity and action before it ended. */
function tellOperation(
  ports: ApiPorts,
  { requestId, principal, facts, code, problem }: Exchange,
  status: number,
  tookMs: number,
): void {
  const { connector_id: id, connector_type: type, entity, action, upstream_requests: sent } = facts
  if (principal === null || typeof id !== 'string' || typeof action !== 'string') return
  const { bytes } = facts
  ports.answered({
    requestId,
    organizationId: principal.organizationId,
    clientId: principal.clientId,
    externalUserId: principal.externalUserId,
    connectorId: id,
    connectorType: String(type),
    entity: String(entity),
    action,
    status,
    code,
    detail: problem === null ? null : String(problem['detail']),
    outcome: problem === null ? null : String(problem['outcome']),
    tookMs: Math.round(tookMs * 10) / 10,
    // How often a failed operation was tried is not told.
    upstreamRequests:
      problem !== null && (problem['upstream'] !== null || problem['origin'] === 'upstream')
        ? null
        : typeof sent === 'number'
          ? sent
          : 0,
    bytes: typeof bytes === 'number' ? bytes : null,
    at: ports.clock.now(),
  })
}
