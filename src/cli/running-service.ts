// The service that commands talk to over HTTP, and an instance of it.
import type { Client } from '../client/client.ts'
import type { ConnectorType } from '../client/connectors.ts'
import { connectHosted } from '../client/hosted.ts'
import type { ConnectorInstance } from '../client/service-bodies.ts'
import { serviceClient, type ServiceClient } from '../client/service-client.ts'
import {
  type CommandContext,
  type Configure,
  JSON_OPTION,
  type LeafOver,
  leafOver,
} from './command.ts'
import type { EntityDescription } from '../language/manifest/describe.ts'
import { UsageError } from './exit-codes.ts'
import { wholeInstanceId } from './whole-ids.ts'

const DEFAULT_URL = 'http://127.0.0.1:8080'

/** Options of every command that talks to a service. */
export const SERVICE_OPTIONS: Readonly<Record<'--url <address>' | '--json', string>> = {
  '--url <address>': `of the service; default: TENON_URL, or ${DEFAULT_URL}`,
  ...JSON_OPTION,
}

/** A command that asks a service, and prints what it answers. */
export const askService: LeafOver<ServiceClient> = leafOver(
  SERVICE_OPTIONS,
  async (flags: { readonly url?: string }, context, run) => {
    await using open = openService(flags, context)
    return await run(open.service)
  },
)

/** What commands of a service say about credentials. */
export const SERVICE_NOTES = `Credentials come from the environment: TENON_TOKEN, or TENON_CLIENT_ID and TENON_CLIENT_SECRET of an application.`

/** A command that deletes what an id names, once somebody has confirmed it. */
export function deleting(
  named: { readonly '<id>': string },
  consequence: string,
  erase: (service: ServiceClient, id: string) => Promise<unknown>,
  wholeId: (service: ServiceClient, text: string) => Promise<string> = (_, text) =>
    Promise.resolve(text),
): Configure {
  return askService({
    arguments: named,
    options: { '--yes': 'confirm: this cannot be undone' },
    async run(service, { id: named, yes }) {
      if (yes !== true) throw new UsageError(`this ${consequence}: say --yes`)
      const id = await wholeId(service, named)
      await erase(service, id)
      return { value: { id, deleted: true }, shown: `deleted ${id}\n` }
    },
  })
}

/** A client of the service, and how an instance of it is reached. */
export interface OpenedService extends AsyncDisposable {
  readonly service: ServiceClient
  readonly baseUrl: string
  /** Given by the environment; null: an application, which mints tokens. */
  readonly token: string | null
}

/** Opens a client of the service; credentials come from the environment. Throws UsageError without them. */
export function openService(
  { url }: { readonly url?: string },
  { env, docs }: CommandContext,
  more: { readonly timeoutMs?: number } = {},
): OpenedService {
  const baseUrl = url ?? env['TENON_URL'] ?? DEFAULT_URL
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
    throw new UsageError(`--url ${baseUrl} is no address of a service, such as ${DEFAULT_URL}`)
  docs.talksTo(baseUrl)
  const { TENON_TOKEN: token, TENON_CLIENT_ID: clientId, TENON_CLIENT_SECRET: clientSecret } = env
  if (token !== undefined && token !== '')
    return opened(serviceClient({ baseUrl, token, ...more }), baseUrl, token)
  if (clientId === undefined || clientSecret === undefined) {
    throw new UsageError(
      'set TENON_TOKEN, or TENON_CLIENT_ID and TENON_CLIENT_SECRET; tenon apps create makes an application',
    )
  }
  return opened(serviceClient({ baseUrl, clientId, clientSecret, ...more }), baseUrl, null)
}

function opened(service: ServiceClient, baseUrl: string, token: string | null): OpenedService {
  return { service, baseUrl, token, [Symbol.asyncDispose]: () => service.close() }
}

/**
 * Asks the service what an instance is, and gives a client of it: with the token of the environment, or with tokens that
 * the application mints for this instance and its user alone. Throws `instance_unknown`.
 */
export async function openServiceInstance(
  { service, baseUrl, token }: OpenedService,
  connectorId: string,
  timeoutMs: number,
): Promise<{ readonly instance: ConnectorInstance; readonly client: Client }> {
  const instance = await service.instances.get(
    await wholeInstanceId(service.instances, connectorId),
  )
  const { id } = instance
  // The service says which connector it is; the client is used by names that come from outside as well.
  const type = instance.connector_type as ConnectorType
  const client =
    token === null
      ? await service.connect(type, { connectorId: id, externalUserId: instance.external_user_id })
      : await connectHosted(type, { baseUrl, connectorId: id, token, timeoutMs })
  return { instance, client: client as unknown as Client }
}

/**
 * What the connector of an instance has, as the service describes it: what tells moments from numbers to those who read
 * a table. None where nobody reads one, or the service does not say it. Throws where it is needed all the same.
 */
export async function entitiesFor(
  open: OpenedService,
  instance: string,
  { isRead, isNeeded = false }: { readonly isRead: boolean; readonly isNeeded?: boolean },
): Promise<readonly EntityDescription[]> {
  if (!isRead && !isNeeded) return []
  try {
    const { client } = await openServiceInstance(open, instance, SCHEMA_TIMEOUT_MS)
    await using described = client
    return described.describe()
  } catch (error) {
    if (isNeeded) throw error
    // The command itself says what is wrong with the instance; a table without it shows numbers.
    return []
  }
}

const SCHEMA_TIMEOUT_MS = 10_000
