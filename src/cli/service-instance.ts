// A connector instance of a running service, as commands use it.
import type { Client } from '../client/client.ts'
import type { ConnectorType } from '../client/connectors.ts'
import { connectHosted } from '../client/hosted.ts'
import type { ConnectorInstance } from '../client/service-bodies.ts'
import type { OpenedService } from './running-service.ts'

export interface ServiceInstance {
  readonly instance: ConnectorInstance
  readonly client: Client
}

/**
 * Asks the service what an instance is, and gives a client of it: with the token of the environment, or with tokens that
 * the application mints for this instance and its user alone. Throws `instance_unknown`.
 */
export async function openServiceInstance(
  { service, baseUrl, token }: OpenedService,
  connectorId: string,
  timeoutMs: number,
): Promise<ServiceInstance> {
  const instance = await service.instances.get(connectorId)
  // The service says which connector it is; the client is used by names that come from outside as well.
  const type = instance.connector_type as ConnectorType
  const client =
    token === null
      ? await service.connect(type, { connectorId, externalUserId: instance.external_user_id })
      : await connectHosted(type, { baseUrl, connectorId, token, timeoutMs })
  return { instance, client: client as unknown as Client }
}
