// The service inside a host app's own Fastify server.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { mountApi } from '../service/http/api.ts'
import { apiPorts } from './server.ts'
import type { Service } from './service.ts'
import type { Principal } from '../service/tokens/principal.ts'

/** Whom a host app vouches for. */
export interface HostPrincipal {
  readonly organizationId: string
  /** Left out: every user of the organisation. */
  readonly externalUserId?: string
  readonly connectorTypes?: readonly string[]
  readonly connectorIds?: readonly string[]
  readonly actions?: readonly string[]
  /** Default true. */
  readonly manage?: boolean
}

export interface TenonPluginOptions {
  readonly service: Service
  /** Null: the request's bearer token decides. */
  readonly authenticate?: (
    request: FastifyRequest,
  ) => HostPrincipal | null | Promise<HostPrincipal | null>
}

/**
 * Mounts the routes of the API: `app.register(tenonPlugin, { prefix: '/tenon', service })`.
 *
 * Encapsulated: its error handler and content-type parser do not reach the host's routes. The host listens and closes;
 * it calls `service.close()` in its `onClose` hook.
 */
export async function tenonPlugin(
  app: FastifyInstance,
  { service, authenticate }: TenonPluginOptions,
): Promise<void> {
  const ports = apiPorts(service)
  mountApi(app, {
    ...ports,
    async authenticate(request) {
      const vouched = (await authenticate?.(request)) ?? null
      return vouched === null ? await ports.authenticate(request) : principalOf(vouched)
    },
  })
}

function principalOf(host: HostPrincipal): Principal {
  return {
    kind: host.externalUserId === undefined ? 'application' : 'scoped',
    organizationId: host.organizationId,
    clientId: null,
    externalUserId: host.externalUserId ?? null,
    connectorTypes: host.connectorTypes ?? null,
    connectorIds: host.connectorIds ?? null,
    actions: host.actions ?? null,
    manage: host.manage ?? true,
    tokenHash: null,
  }
}
