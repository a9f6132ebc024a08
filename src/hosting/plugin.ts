// The service inside a host app's own Fastify server. Fastify leads a request here; the routes answer it.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { mountConnect } from '../service/connect/mount-connect.ts'
import { mountApi, refuse } from '../service/http/api.ts'
import { type Answer, bytesIn } from '../service/http/arrival.ts'
import { wrongMediaType } from '../service/http/json-text.ts'
import { NodeArrival, send } from '../service/http/node-arrival.ts'
import { Site } from '../service/http/site.ts'
import { type HostPrincipal, principalOf } from './host-principal.ts'
import { apiPorts, type Service } from './service.ts'

export interface TenonPluginOptions {
  readonly service: Service
  /** Null: the request's bearer token decides. */
  readonly authenticate?: (
    request: FastifyRequest,
  ) => HostPrincipal | null | Promise<HostPrincipal | null>
}

/**
 * Mounts the routes of the API and the connect page: `app.register(tenonPlugin, { prefix: '/tenon', service })`.
 *
 * Encapsulated: its error handler and content-type parser do not reach the host's routes. The host listens and closes;
 * it calls `service.close()` in its `onClose` hook.
 */
export async function tenonPlugin(
  app: FastifyInstance,
  { service, authenticate }: TenonPluginOptions,
): Promise<void> {
  const ports = apiPorts(service)
  const site = new Site((arrival, error) => refuse(ports, arrival, error))
  mountApi(site, ports, { shownUnder: app.prefix })
  mountConnect(site, ports, service.connectPage)

  function arrivalOf(request: FastifyRequest, reply: FastifyReply): NodeArrival {
    return new NodeArrival(request.raw, reply.raw, {
      url: below(app.prefix, request.url),
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
    const paths = scope.prefix === '' ? ['/v1/*', '/api/v1/*', '/connect/*'] : ['/*']
    for (const path of paths)
      scope.all(path, async (request, reply) => {
        const answer = await site.answer(arrivalOf(request, reply))
        return answer === null ? reply : carry(answer, reply)
      })
    done()
  })
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
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    void send(reply.raw, answer)
    return reply
  }
  void reply.code(status).headers(headers)
  if (content === null) return reply.send()
  return reply.send(typeof content === 'string' ? content : bytesIn(content))
}
