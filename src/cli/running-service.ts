// The service that commands talk to over HTTP.
import { serviceClient, type ServiceClient } from '../client/service-client.ts'
import type { CommandContext } from './command.ts'
import { UsageError } from './exit-codes.ts'

export interface ServiceFlags {
  readonly url?: string
  readonly json?: boolean
}

export const DEFAULT_URL = 'http://127.0.0.1:8080'

/** A client of the service, and how an instance of it is reached. */
export interface OpenedService extends AsyncDisposable {
  readonly service: ServiceClient
  readonly baseUrl: string
  /** Given by the environment; null: an application, which mints tokens. */
  readonly token: string | null
}

/** Opens a client of the service; credentials come from the environment. Throws UsageError without them. */
export function openService(
  { url }: Pick<ServiceFlags, 'url'>,
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

/** Runs with a client of the service, as `openService` gives it. */
export async function withService<T>(
  flags: ServiceFlags,
  context: CommandContext,
  run: (service: ServiceClient) => Promise<T>,
): Promise<T> {
  await using open = openService(flags, context)
  return await run(open.service)
}
