// A server of our own around a service: limits at the front, the routes at the root, and the order of going down.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { Server as NetServer } from 'node:net'
import { getHeapStatistics } from 'node:v8'
import { fileURLToPath } from 'node:url'
import underPressure from '@fastify/under-pressure'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { ConnectorError, isConnectorError } from '../errors.ts'
import type { JsonObject } from '../json/json.ts'
import { packageFile } from '../package-file.ts'
import { mountConnect } from '../service/connect/mount-connect.ts'
import { mountConsole } from '../service/console/mount-console.ts'
import { createSessions } from '../service/console/sessions.ts'
import { type ApiPorts, mountApi } from '../service/http/api.ts'
import { answerClientError } from '../service/http/client-error.ts'
import { createDirectAnswers } from '../service/http/direct.ts'
import { mountFront } from '../service/http/front.ts'
import { frameworkError, problemOf } from '../service/http/problem.ts'
import { mountRoot } from '../service/http/root-routes.ts'
import type { ServiceSettings } from '../service/settings.ts'
import type { Principal } from '../service/tokens/principal.ts'
import { uuidv7 } from '../store/uuid.ts'
import { apiPorts } from './api-ports.ts'
import { createMcpRoute } from './mcp-route.ts'
import type { Service } from './service.ts'

export interface ServiceServer {
  /** Where it listens. */
  readonly url: string
  /** Ends in order; resolves when everything is closed. */
  close(): Promise<void>
}

const MAX_HEAP_SHARE = 0.85
/** What was let in while everything ended is still answered. */
const LAST_ANSWERS_MS = 1000

/** How long a request may take to arrive. Whoever is slower gets 408. */
export interface ArrivalLimits {
  readonly headMs: number
  /** Head and body. */
  readonly wholeMs: number
  /** How often Node looks for requests that take too long. */
  readonly checkEveryMs: number
}

const ARRIVAL: ArrivalLimits = { headMs: 10_000, wholeMs: 15_000, checkEveryMs: 1000 }

export interface ServeOptions {
  readonly arrival?: ArrivalLimits
  /** Folder of the built console; default: the package's own. */
  readonly consoleFolder?: string
}

/** Where the console of this package is built to. */
export function packagedConsole(): string {
  return fileURLToPath(packageFile('dist/console/'))
}

/**
 * Listens for a service, by its settings. Throws `config_invalid` when it cannot listen there, after closing the
 * service.
 */
export async function serve(
  service: Service,
  { arrival = ARRIVAL, consoleFolder = packagedConsole() }: ServeOptions = {},
): Promise<ServiceServer> {
  const { settings, lifecycle, clock } = service
  const api = apiPorts(service)
  const answerDirectly = createDirectAnswers(api)
  const app = Fastify({
    logger: false,
    serverFactory: (handle) => {
      const server = createServer(
        {
          headersTimeout: arrival.headMs,
          requestTimeout: arrival.wholeMs,
          connectionsCheckingInterval: arrival.checkEveryMs,
          maxHeaderSize: 16 * 1024,
          // Asked for by the front, whose answer is a problem.
          requireHostHeader: false,
          keepAliveTimeout: 30_000,
        },
        (request, response) => {
          if (!answerDirectly(request, response)) handle(request, response)
        },
      )
      server.maxRequestsPerSocket = 1000
      return server
    },
    // The routes name their requests themselves.
    genReqId: () => '',
    bodyLimit: settings.bodyLimitBytes,
    trustProxy: settings.trustProxy,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 100, ignoreTrailingSlash: true },
    clientErrorHandler: (error, socket) => answerClientError(error, socket),
    // A path that the router cannot read reaches no route, and no route's error handler.
    frameworkErrors: (error, _request, reply) => {
      const { status, headers, body } = problemOf(frameworkError(error.code), uuidv7(clock.now()))
      // The types of a reply without a route allow no status and no body.
      const bare = reply as unknown as FastifyReply
      void bare
        .code(status)
        .headers({ ...headers, 'cache-control': 'no-store' })
        .send(JSON.stringify(body))
    },
  })
  try {
    await mount(app, service, api, consoleFolder)
    const url = await listen(app, settings)
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
    // No new connections. Those there are stay and hear that they should go elsewhere; the server's own `close` would cut
    // those that rest between two requests, and with them whatever is on its way.
    const stopped = new Promise<void>((resolve) => {
      NetServer.prototype.close.call(app.server, () => resolve())
    })
    await service.close()
    app.server.closeIdleConnections()
    await lifecycle.settled(LAST_ANSWERS_MS)
    app.server.closeAllConnections()
    await stopped
    await app.close()
  }
}

async function listen(
  app: FastifyInstance,
  { host, port }: Pick<ServiceSettings, 'host' | 'port'>,
): Promise<string> {
  try {
    return await app.listen({ host, port })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why =
      code === 'EADDRINUSE' ? 'the port is in use' : code === undefined ? 'it failed' : code
    throw new ConnectorError(
      'config_invalid',
      `cannot listen on ${host}:${port}: ${why}; TENON_HOST and TENON_PORT say where`,
      { cause: error },
    )
  }
}

async function mount(
  app: FastifyInstance,
  service: Service,
  api: ApiPorts,
  consoleFolder: string,
): Promise<void> {
  const { settings, metrics, store, clock, tokens } = service
  mountFront(app, service.log)
  await app.register(underPressure, {
    maxEventLoopDelay: settings.maxLoopDelayMs,
    maxHeapUsedBytes: Math.floor(getHeapStatistics().heap_size_limit * MAX_HEAP_SHARE),
    // The routes of the API ask for themselves; health and metrics must always answer.
    pressureHandler: () => {},
  })
  service.pressure = () => app.isUnderPressure()
  await app.register(async (scope) => {
    mountApi(scope, api)
  })
  await mountConnect(app, apiPorts(service), service.connectPage)
  if (settings.mcp !== 'off') await mountMcp(app, service)
  await mountRoot(app, {
    mode: settings.mode,
    metrics,
    showsMetrics: settings.showsMetrics,
    metricsToken: settings.metricsToken,
    docs: settings.docs,
    checks: () => service.checks(),
    writes: () => service.writes(),
    openApi: (type) => service.openApi(type),
  })
  await mountConsole(app, {
    api: apiPorts(service),
    sessions: createSessions({ store, clock, tokens }),
    publicUrl: () => service.publicUrl,
    mode: settings.mode,
    demo: demoOf(service),
    activity: service.activity,
    lastSyncs: { rows: service.rows, syncs: service.syncs },
    workshop: service.workshop,
    folder: consoleFolder,
  })
}

/** What to connect with in the sandbox, by connector type. */
function demoOf({ sandboxes }: Service): JsonObject | null {
  if (sandboxes === null) return null
  const entries = [...sandboxes.demo].map(([type, vendor]) => {
    const { credentials, config } = vendor.options()
    return [type, { credentials, config }]
  })
  // Credentials and settings are JSON.
  return Object.fromEntries(entries) as JsonObject
}

/** Outside of the API's routes: the protocol has bodies, errors and streams of its own. */
async function mountMcp(app: FastifyInstance, service: Service): Promise<void> {
  const handler = createMcpRoute(service, service.inProcess)
  // Nobody's body is looked at before its token: of one that is wrong the handler says so.
  const callerOf = async ({ authorization }: IncomingHttpHeaders): Promise<Principal | null> => {
    try {
      return await service.tokens.authenticate(authorization)
    } catch (error) {
      if (isConnectorError(error, 'token_invalid')) return null
      throw error
    }
  }
  await app.register(async (scope) => {
    scope.removeContentTypeParser('application/json')
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer' },
      async ({ headers }: FastifyRequest, body: Buffer) => {
        const caller = await callerOf(headers)
        return caller === null ? undefined : await service.bodies.read(caller, headers, body)
      },
    )
    scope.route({
      method: ['GET', 'POST', 'DELETE', 'OPTIONS'],
      url: '/mcp',
      onRequest: async () => service.lifecycle.admit(),
      async handler(request, reply) {
        reply.hijack()
        const leave = service.lifecycle.enter()
        reply.raw.once('close', leave)
        await handler.node(request.raw, reply.raw, request.body)
      },
    })
  })
  app.addHook('onClose', () => handler.close())
}
