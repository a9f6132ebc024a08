// The service inside a host app's own Fastify server.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { mountConnect } from '../service/connect/mount-connect.ts'
import { mountApi } from '../service/http/api.ts'
import { type HostPrincipal, principalOf } from './host-principal.ts'
import { apiPorts } from './api-ports.ts'
import type { Service } from './service.ts'

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
  await app.register(async (api) => {
    mountApi(api, {
      ...ports,
      async authenticate(request) {
        const vouched = (await authenticate?.(request)) ?? null
        return vouched === null ? await ports.authenticate(request) : principalOf(vouched)
      },
    })
  })
  await mountConnect(app, ports, service.connectPage)
}
