// The routes of the table as a Fastify plugin: prefixes, bodies, methods, problems. Encapsulated, so that a host app's
// own routes keep their error handler, their parsers and their time-outs. Checks and answers are the exchange's.
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { ConnectorError, isConnectorError } from '../../errors.ts'
import type { Route } from '../route.ts'
import type { Principal } from '../tokens/principal.ts'
import { type Destination, Exchange, type ExchangePorts, type Rendered } from './exchange.ts'
import { compileInputs, type ReadInputs } from './inputs.ts'
import { wrongMediaType } from './json-text.ts'
import { sendBytes } from './send-bytes.ts'

export const PREFIXES = ['/v1', '/api/v1'] as const

export interface ApiPorts extends ExchangePorts {
  readonly routes: readonly Route[]
  /** Throws or rejects with `token_invalid`. */
  readonly authenticate: (request: FastifyRequest) => Principal | Promise<Principal>
  readonly bodyLimitBytes: number
}

const EXCHANGE = Symbol('tenon.exchange')

/** Mounts every route under both prefixes and all its spellings. */
export function mountApi(app: FastifyInstance, ports: ApiPorts): void {
  app.decorateRequest(EXCHANGE as never, null as never)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    // Anything else goes the longer way and is refused there.
    ['application/json', '*'],
    { parseAs: 'buffer', bodyLimit: ports.bodyLimitBytes },
    async (request: FastifyRequest, body: Buffer) => {
      const exchange = exchangeOf(request)
      if (exchange === null) throw new TypeError('the request has passed no onRequest hook')
      return await exchange.read(body)
    },
  )
  app.setErrorHandler((error, request, reply) => sendProblem(ports, request, reply, error))
  app.addHook('onRequest', (request, reply, done) => {
    try {
      const exchange = begin(ports, request, reply)
      const waits = exchange.admit(() => ports.authenticate(request))
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
        const destination: Destination = { route, path: app.prefix + prefix + path }
        app.route({
          method: route.method,
          url: prefix + fastifyPath(path),
          bodyLimit: bodyLimitOf(route, ports),
          config: { destination } as never,
          handler: async (request, reply) => await answer(route, read, request, reply),
        })
      }
    }
  }
  refuseOtherMethods(app, ports, methods)
  app.setNotFoundHandler((request, reply) => {
    return sendProblem(ports, request, reply, notFound(app, request))
  })
}

/** Who is not known yet may send little: the bytes of an application are counted for each, and nobody's for nobody. */
const UNKNOWN_BODY_BYTES = 32 * 1024

function bodyLimitOf({ token }: Route, { bodyLimitBytes }: ApiPorts): number {
  return token === 'none' ? Math.min(UNKNOWN_BODY_BYTES, bodyLimitBytes) : bodyLimitBytes
}

function notFound(app: FastifyInstance, { method, url }: FastifyRequest): ConnectorError {
  const isKnown = ALL_METHODS.some((known) => known === method)
  if (!isKnown)
    return new ConnectorError('method_not_allowed', `${method} is not possible anywhere`, {
      details: { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE' },
    })
  // What is below no prefix is read only: health, metrics, the OpenAPI document, pages.
  if (app.hasRoute({ method: 'GET', url: url.split('?', 1).join('') }))
    return new ConnectorError('method_not_allowed', `${method} is not possible here; GET is`, {
      details: { allow: 'GET, HEAD' },
    })
  return new ConnectorError(
    'route_unknown',
    'there is no such path; /openapi.json lists those there are',
  )
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
        const { headers } = begin(ports, request, reply)
        if (request.method === 'OPTIONS' && headers['access-control-allow-origin'] !== undefined) {
          return reply
            .code(204)
            .headers({
              ...headers,
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

const ALL_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

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
  route: Route,
  read: ReadInputs,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const exchange = exchangeOf(request)
  if (exchange === null) throw new TypeError('the request has passed no onRequest hook')
  const answered = await exchange.run(route, read(request))
  if (answered.kind !== 'bytes') return send(reply, exchange, exchange.render(answered))
  reply.hijack()
  exchange.take(answered)
  // With what hooks of a host have set.
  await sendBytes(reply.raw, { ...reply.getHeaders(), ...exchange.headers }, answered, exchange)
  return reply
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

function begin(ports: ApiPorts, request: FastifyRequest, reply: FastifyReply): Exchange {
  const known = exchangeOf(request)
  if (known !== null) return known
  const { config } = request.routeOptions
  const { destination = null } = config as { readonly destination?: Destination }
  const exchange = new Exchange(ports, request.raw, reply.raw, destination)
  // The decoration above.
  ;(request as unknown as { [EXCHANGE]: Exchange })[EXCHANGE] = exchange
  // Also where the answer breaks off, which the framework's own hook does not tell.
  reply.raw.on('close', () => exchange.finish())
  return exchange
}

function exchangeOf(request: FastifyRequest): Exchange | null {
  // The decoration above, which requests of other parts of the server do not have: a file that is not there ends here.
  return (request as unknown as { readonly [EXCHANGE]?: Exchange | null })[EXCHANGE] ?? null
}

function send(
  reply: FastifyReply,
  { headers }: Exchange,
  { status, content }: Rendered,
): FastifyReply {
  void reply.code(status).headers(headers)
  if (content === null) return reply.send()
  if (typeof content === 'string') return reply.send(content)
  const { before, bytes, after } = content
  return reply.send(Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]))
}

function sendProblem(
  ports: ApiPorts,
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown,
): FastifyReply {
  const exchange = begin(ports, request, reply)
  return send(reply, exchange, exchange.renderProblem(translate(thrown, request)))
}

/** Fastify's own errors in our terms. */
function translate(thrown: unknown, { routeOptions }: FastifyRequest): unknown {
  if (isConnectorError(thrown)) return thrown
  const { code, statusCode } = thrown as { readonly code?: unknown; readonly statusCode?: unknown }
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ConnectorError(
        'body_too_large',
        `the body is larger than ${routeOptions.bodyLimit} bytes`,
      )
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return wrongMediaType()
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
