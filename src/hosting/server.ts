// A server of our own around a service: limits at the front, the routes at the root, and the order of going down.
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { getHeapStatistics } from 'node:v8'
import underPressure from '@fastify/under-pressure'
import { mountApi } from '../service/http/api.ts'
import { answerClientError } from '../service/http/client-error.ts'
import { frameworkError, problemOf } from '../service/http/problem.ts'
import { mountRoot } from '../service/http/root-routes.ts'
import { uuidv7 } from '../service/uuid.ts'
import type { Service } from './service.ts'

export interface ServiceServer {
  /** Where it listens. */
  readonly url: string
  /** Ends in order; resolves when everything is closed. */
  close(): Promise<void>
}

const MAX_LOOP_DELAY_MS = 250
const MAX_HEAP_SHARE = 0.85
/** How often Node looks for requests that take too long. */
const CHECK_EVERY_MS = 1000

/** Listens for a service, by its settings. Throws what listening on a port throws, after closing the service. */
export async function serve(service: Service): Promise<ServiceServer> {
  const { settings, lifecycle, clock } = service
  const app = Fastify({
    logger: false,
    genReqId: () => uuidv7(clock.now()),
    requestTimeout: 15_000,
    keepAliveTimeout: 30_000,
    maxRequestsPerSocket: 1000,
    bodyLimit: settings.bodyLimitBytes,
    trustProxy: settings.trustProxy,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 100, ignoreTrailingSlash: true },
    http: {
      headersTimeout: 10_000,
      maxHeaderSize: 16 * 1024,
      connectionsCheckingInterval: CHECK_EVERY_MS,
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket),
    // A path that the router cannot read reaches no route, and no route's error handler.
    frameworkErrors: (error, request, reply) => {
      const { status, headers, body } = problemOf(frameworkError(error.code), request.id)
      // The types of a reply without a route allow no status and no body.
      const bare = reply as unknown as FastifyReply
      void bare
        .code(status)
        .headers({ ...headers, 'cache-control': 'no-store' })
        .send(JSON.stringify(body))
    },
  })
  try {
    await mount(app, service)
    const url = await app.listen({ host: settings.host, port: settings.port })
    if (settings.publicUrl === null) service.publicUrl = url
    return { url, close: () => goDown(app, service) }
  } catch (error) {
    await app.close()
    await service.close()
    throw error
  }

  async function goDown(app: FastifyInstance, service: Service): Promise<void> {
    lifecycle.drain()
    await clock.sleep(settings.drainMs)
    lifecycle.stop()
    // No new connections; those there are hear that they should go elsewhere.
    const stopped = new Promise<void>((resolve) => app.server.close(() => resolve()))
    await service.close()
    app.server.closeIdleConnections()
    app.server.closeAllConnections()
    await stopped
    await app.close()
  }
}

async function mount(app: FastifyInstance, service: Service): Promise<void> {
  const { settings, metrics } = service
  await app.register(underPressure, {
    maxEventLoopDelay: MAX_LOOP_DELAY_MS,
    maxHeapUsedBytes: Math.floor(getHeapStatistics().heap_size_limit * MAX_HEAP_SHARE),
    // The routes of the API ask for themselves; health and metrics must always answer.
    pressureHandler: () => {},
  })
  service.pressure = () => app.isUnderPressure()
  await app.register(async (api) => {
    mountApi(api, apiPorts(service))
  })
  await mountRoot(app, {
    mode: settings.mode,
    metrics,
    metricsToken: settings.metricsToken,
    docs: settings.docs,
    checks: () => service.checks(),
    openApi: (type) => service.openApi(type),
  })
}

/** What the API needs of a service. */
export function apiPorts(service: Service): Parameters<typeof mountApi>[1] {
  const { settings, clock, routes, tokens, lifecycle, log, metrics } = service
  return {
    clock,
    routes,
    authenticate: (request) => tokens.authenticate(request.headers.authorization),
    bodyLimitBytes: settings.bodyLimitBytes,
    deadlineMs: settings.deadlineMs,
    rateLimit: settings.rateLimit,
    corsOrigins: settings.corsOrigins,
    lifecycle,
    log,
    observe: (route, status, code, tookMs) => metrics.request(route, status, code, tookMs),
  }
}
