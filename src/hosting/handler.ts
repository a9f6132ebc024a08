// The service as a function that a host app calls with a request: of node:http, or of the Fetch standard.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { McpHandler } from '../agents/mcp/mcp-http.ts'
import type { Answer } from '../service/http/arrival.ts'
import { problemOfHead } from '../service/http/front.ts'
import { NodeArrival } from '../service/http/node-arrival.ts'
import { type Doors, type McpBody, mountService } from './doors.ts'
import { FetchArrival } from './fetch-arrival.ts'
import { type HostPrincipal, principalOf } from './host-principal.ts'
import { carry, passOnNode } from './node-carrier.ts'
import type { Service } from './service.ts'

export interface HandlerOptions {
  /** What stands before the service's paths: `/tenon`. Express and Hono's `mount` take it away themselves. Default: none. */
  readonly basePath?: string
  /** What there is next to the API. Default: all that the settings allow. */
  readonly doors?: Doors
  /** Who calls, where the host app knows it. Null, the default: the request's bearer token decides. */
  readonly authenticate?: (
    request: IncomingMessage | Request,
  ) => HostPrincipal | null | Promise<HostPrincipal | null>
}

/** Answers every path below the one that it is mounted at. It closes nothing but itself: the host closes the service. */
export interface ServiceHandler {
  /**
   * For `node:http` and what is built on it: `app.use('/tenon', handler.node)` of Express. Resolves when the answer is
   * handed over; never rejects.
   */
  readonly node: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  /** For hosts of the Fetch standard: Hono, a route of Next. Never rejects. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Ends what agents have under way. */
  readonly close: () => Promise<void>
}

/**
 * Makes the function, in both forms. A request whose body was read before is refused with `body_already_read`.
 * Throws TypeError for a base path that is none, and for a door that does not exist.
 */
export function createHandler(
  service: Service,
  { basePath = '', doors, authenticate }: HandlerOptions = {},
): ServiceHandler {
  if (!/^(?:\/[\w.~-]+)*$/.test(basePath))
    throw new TypeError('basePath begins with a slash and ends without one: "/tenon"')
  const mounted = mountService<NodeArrival | FetchArrival>(service, {
    doors,
    shownUnder: basePath,
    passToMcp: (handler, arrival, body) =>
      arrival instanceof FetchArrival
        ? passOnFetch(handler, arrival, body)
        : passOnNode(handler, arrival, body),
  })

  function vouchFor(request: IncomingMessage | Request): NodeArrival['vouch'] {
    if (authenticate === undefined) return null
    return async () => {
      const vouched = await authenticate(request)
      return vouched === null ? null : principalOf(vouched)
    }
  }

  return {
    async node(request, response) {
      const { url = '' } = request
      // Express takes the path of a router away, and says so here.
      const taken = 'baseUrl' in request ? String(request.baseUrl) : ''
      const place = { ...placeOf(url, basePath, taken), vouch: vouchFor(request) }
      const problem = request.httpVersionMajor === 1 ? problemOfHead(request) : null
      await carry(mounted, new NodeArrival(request, response, place), problem)
    },
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const place = { ...placeOf(pathname + search, basePath, ''), vouch: vouchFor(request) }
      const arrived = new FetchArrival(request, place)
      // `passOnFetch` gives its answer, as every route does.
      return arrived.respond((await mounted.site.answer(arrived)) as Answer)
    },
    close: mounted.close,
  }
}

/** The address as the routes know it, and what stands before it in links. */
function placeOf(url: string, basePath: string, taken: string): { url: string; base: string } {
  const isWhole = basePath !== '' && /^[/?]?$/.test(url.slice(basePath.length, basePath.length + 1))
  if (!isWhole || !url.startsWith(basePath)) return { url, base: taken || basePath }
  const rest = url.slice(basePath.length)
  return { url: rest.startsWith('/') ? rest : `/${rest}`, base: taken + basePath }
}

async function passOnFetch(
  handler: McpHandler,
  { request }: FetchArrival,
  body: McpBody | null,
): Promise<Answer> {
  const { method, headers, url, signal } = request
  const passed =
    body === null
      ? request
      : new Request(url, { method, headers, signal, body: new Uint8Array(body.bytes) })
  const response = await handler.fetch(passed)
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    content: response.body === null ? null : Readable.fromWeb(response.body),
  }
}
