// The service that commands talk to over HTTP.
import { serviceClient, type ServiceClient } from '../client/service-client.ts'
import type { CommandContext } from './command.ts'
import { UsageError } from './exit-codes.ts'

export interface ServiceFlags {
  readonly url?: string
  readonly json?: boolean
}

export const DEFAULT_URL = 'http://127.0.0.1:8080'

/** Runs with a client of the service; credentials come from the environment. Throws UsageError without them. */
export async function withService<T>(
  { url }: ServiceFlags,
  { env }: CommandContext,
  run: (service: ServiceClient) => Promise<T>,
): Promise<T> {
  const baseUrl = url ?? env['TENON_URL'] ?? DEFAULT_URL
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
    throw new UsageError(`--url ${baseUrl} is no address of a service, such as ${DEFAULT_URL}`)
  const { TENON_TOKEN: token, TENON_CLIENT_ID: clientId, TENON_CLIENT_SECRET: clientSecret } = env
  if (token !== undefined && token !== '') {
    await using service = serviceClient({ baseUrl, token })
    return await run(service)
  }
  if (clientId === undefined || clientSecret === undefined) {
    throw new UsageError(
      'set TENON_TOKEN, or TENON_CLIENT_ID and TENON_CLIENT_SECRET; tenon apps create makes an application',
    )
  }
  await using service = serviceClient({ baseUrl, clientId, clientSecret })
  return await run(service)
}
