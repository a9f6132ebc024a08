// The service inside a host app's own Fastify server. Fastify leads a request here; the routes answer it.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../service/http/api.ts'
import { type Answer, bytesIn } from '../service/http/arrival.ts'
import { wrongMediaType } from '../service/http/json-text.ts'
import { NodeArrival, send } from '../service/http/node-arrival.ts'
import { API_PATHS, DOOR_PATHS, type Doors, mountService } from './doors.ts'
import { type HostPrincipal, principalOf } from './host-principal.ts'
import { passOnNode } from './node-carrier.ts'
import type { Service } from './service.ts'

export interface TenonPluginOptions {
  readonly service: Service
  /** What there is next to the API. Default: all that the settings allow. */
  readonly doors?: Doors
  /** Null: the request's bearer token decides. */
  readonly authenticate?: (
    request: FastifyRequest,
  ) => HostPrincipal | null | Promise<HostPrincipal | null>
}

/**
 * Mounts the routes of the API, the connect page, and the doors that are open: `app.register(tenonPlugin, { prefix: '/tenon', service })`.
 *
 * Encapsulated: its error handler and content-type parser do not reach the host's routes. The host listens and closes;
 * it calls `service.close()` in its `onClose` hook.
 */
export async function tenonPlugin(
  app: FastifyInstance,
  { service, doors, authenticate }: TenonPluginOptions,
): Promise<void> {
  const {
    site,
    api: ports,
    open,
    close,
  } = mountService<HijackingArrival>(service, {
    doors,
    shownUnder: app.prefix,
    async passToMcp(handler, arrival, body) {
      arrival.hijack()
      return await passOnNode(handler, arrival, body)
    },
  })
  app.addHook('onClose', close)

  function arrivalOf(request: FastifyRequest, reply: FastifyReply): HijackingArrival {
    const url = below(app.prefix, request.url)
    return new HijackingArrival(reply, request.raw, {
      url,
      base: request.url.slice(0, request.url.length - url.length),
      content: request.body instanceof Readable ? request.body : request.raw,
      vouch:
        authenticate === undefined
          ? null
          : async () => {
              const vouched = await authenticate(request)
              return vouched === null ? null : principalOf(vouched)
            },
    })
  }

  await app.register((scope, _options, done) => {
    // A body is read when the routes know who sends it.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, body, parsed) => parsed(null, body))
    // Of the host's hooks, and of heads that Fastify does not take.
    scope.setErrorHandler((error, request, reply) => {
      const { statusCode } = error as { readonly statusCode?: unknown }
      const shown = statusCode === 415 ? wrongMediaType() : error
      return carry(refuse(ports, arrivalOf(request, reply), shown), reply)
    })
    const paths =
      scope.prefix === ''
        ? [...API_PATHS, ...[...open].flatMap((door) => DOOR_PATHS[door])]
        : ['/*']
    for (const path of paths)
      scope.all(path, async (request, reply) => {
        const answer = await site.answer(arrivalOf(request, reply))
        return answer === null ? reply : carry(answer, reply)
      })
    done()
  })
}

/** A request whose answer something else than Fastify may write, with what hooks of the host have set. */
class HijackingArrival extends NodeArrival {
  readonly #reply: FastifyReply

  constructor(
    reply: FastifyReply,
    request: FastifyRequest['raw'],
    host: ConstructorParameters<typeof NodeArrival>[2],
  ) {
    super(request, reply.raw, host)
    this.#reply = reply
  }

  hijack(): void {
    hijack(this.#reply)
  }
}

function hijack(reply: FastifyReply): void {
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value)
}

/** The address without as many parts as the prefix has; some of them may be parameters. */
function below(prefix: string, url: string): string {
  const parts = prefix.split('/').length - 1
  return url.replace(new RegExp(`^(?:/[^/?]*){${parts}}`), '')
}

/** Sends with what hooks of the host have set. */
function carry(answer: Answer, reply: FastifyReply): FastifyReply {
  const { status, headers, content } = answer
  if (content instanceof Readable) {
    hijack(reply)
    void send(reply.raw, answer)
    return reply
  }
  void reply.code(status).headers(headers)
  if (content === null) return reply.send()
  return reply.send(typeof content === 'string' ? content : bytesIn(content))
}
