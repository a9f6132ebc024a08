// A server of our own around a service: limits at the front, the routes at the root, and the order of going down.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import { ConnectorError } from '../errors.ts'
import { guardServer, problemOfHead } from '../service/http/front.ts'
import { NodeArrival } from '../service/http/node-arrival.ts'
import { SlowBodies } from '../service/http/slow-bodies.ts'
import { leadToConsole } from '../service/console/mount-console.ts'
import type { ServiceSettings } from '../service/settings.ts'
import { boundCallers, socketsOf, tellDescriptors } from './descriptors.ts'
import { mountService } from './doors.ts'
import { carry, passOnNode } from './node-carrier.ts'
import { watchPressure } from './pressure.ts'
import type { Service } from './service.ts'
import type { Siblings } from './siblings.ts'
import { within } from '../service/within.ts'

export { packagedConsole } from './doors.ts'

export interface ServiceServer {
  /** Where it listens. */
  readonly url: string
  /** Ends in order; resolves when everything is closed. */
  close(): Promise<void>
  /**
   * The same, where another process listens on the same port already: connections that are open are answered to their
   * end, or until `stopped`.
   */
  leave(stopped: AbortSignal): Promise<void>
}

/** What was let in while everything ended is still answered. */
const LAST_ANSWERS_MS = 1000

/** A connection that rests so long between two requests is closed. */
const KEEP_ALIVE_MS = 30_000

/** How long a request may take to arrive. A slower one is answered with 408. */
export interface ArrivalLimits {
  readonly headMs: number
  /** A body behind its head, unless it is a file that is passed on as it arrives. */
  readonly wholeMs: number
  /** Head and body, whatever they are. */
  readonly fileMs: number
  /** How often Node looks for requests that take too long. */
  readonly checkEveryMs: number
}

const ARRIVAL: ArrivalLimits = {
  headMs: 10_000,
  wholeMs: 15_000,
  // A little more than a file may take to be sent to a third party, whose error says more.
  fileMs: 61 * 60_000,
  checkEveryMs: 1000,
}

export interface ServeOptions {
  readonly arrival?: ArrivalLimits
  /** Folder of the built console; default: the package's own. */
  readonly consoleFolder?: string
  /** The other processes that listen on the same port; null: there are none. */
  readonly siblings?: Siblings | null
}

/**
 * Listens for a service, by its settings. Throws `config_invalid` when it cannot listen there, after closing the
 * service.
 */
export async function serve(
  service: Service,
  { arrival = ARRIVAL, consoleFolder, siblings = null }: ServeOptions = {},
): Promise<ServiceServer> {
  const { settings } = service
  const server = createServer({
    headersTimeout: arrival.headMs,
    // Bodies have a watch of their own: a file takes as long as it takes, up to this.
    requestTimeout: arrival.fileMs,
    connectionsCheckingInterval: arrival.checkEveryMs,
    maxHeaderSize: 16 * 1024,
    // Asked for by the front, whose answer is a problem.
    requireHostHeader: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
  })
  server.maxRequestsPerSocket = 1000
  guardServer(server)
  const slowBodies = new SlowBodies(server, arrival)
  const refusalOf = boundCallers(server, socketsOf(settings).callers, service.log)
  tellDescriptors(service.log, settings)
  const pressure = watchPressure(settings.maxLoopDelayMs)
  service.pressure = () => pressure.isHigh()
  const mounted = mountService<NodeArrival>(service, {
    passToMcp: passOnNode,
    consoleFolder,
    siblings,
  })
  let isLeaving = false
  if (mounted.open.has('console')) leadToConsole(mounted.site, mounted.api)
  server.on('request', (request, response) => {
    if (isLeaving) response.shouldKeepAlive = false
    const problem = problemOfHead(request) ?? refusalOf(request, response)
    slowBodies.watch(request)
    const takeTime = (): void => slowBodies.leave(request, response)
    void carry(mounted, new NodeArrival(request, response, { takeTime }), problem)
  })
  const closeRest = async (): Promise<void> => {
    pressure.close()
    slowBodies.close()
    await mounted.close()
  }
  try {
    const url = await listen(server, settings)
    if (settings.publicUrl === null) service.publicUrl = url
    siblings?.join({ checks: () => service.checks(), metrics: () => service.metrics.text() })
    const close = async (drainMs = settings.drainMs): Promise<void> => {
      await goDown(server, service, drainMs)
      await closeRest()
    }
    return {
      url,
      close,
      async leave(stopped) {
        isLeaving = true
        const left = stopListening(server)
        const { clock, shutdownMs } = { ...service, ...settings }
        const stop = once(stopped, 'abort')
        if (!stopped.aborted)
          await within(clock, KEEP_ALIVE_MS + shutdownMs, Promise.race([left, stop]))
        await close(0)
      },
    }
  } catch (error) {
    await closeRest()
    await service.close()
    throw error
  }
}

async function goDown(server: Server, service: Service, drainMs: number): Promise<void> {
  const { lifecycle, clock } = service
  lifecycle.drain()
  await clock.sleep(drainMs)
  lifecycle.stop()
  const stopped = stopListening(server)
  await service.close()
  server.closeIdleConnections()
  await lifecycle.settled(LAST_ANSWERS_MS)
  server.closeAllConnections()
  await stopped
}

/**
 * No new connections; resolves when there is none left. Those there are stay and hear that they should go elsewhere; the
 * server's own `close` would cut those that rest between two requests, and with them whatever is on its way.
 */
function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => {
    NetServer.prototype.close.call(server, () => resolve())
  })
}

/** Resolves with the origin that leads there from this machine. */
async function listen(server: Server, { host, port }: ServiceSettings): Promise<string> {
  try {
    server.listen({ host, port })
    await once(server, 'listening')
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
  // A server that listens on a port has such an address.
  const { address, family, port: bound } = server.address() as AddressInfo
  const shown = address === '0.0.0.0' ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address
  return `http://${shown}:${bound}`
}
