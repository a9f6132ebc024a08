// Hosted mode in Node.
import type { ClientOf, ConnectorType, Manifest, Settings } from './connectors.ts'
import {
  connectInstance,
  INSTANCE_OPTIONS,
  type OneInstance,
  requireInstanceOptions,
  type WithGetToken,
  type WithToken,
} from './hosted-calls.ts'
import type { OptionNames } from './known-options.ts'
import { manifestOf } from './packaged.ts'
import { nodePlatform, SERVICE_SETTINGS, type ServiceSettings } from './node-platform.ts'

interface HostedWithToken extends ServiceSettings, OneInstance, WithToken {}
interface HostedWithGetToken extends ServiceSettings, OneInstance, WithGetToken {}

/** Where the service is and what says who we are: a token, or a function that gives one. */
export type HostedOptions = HostedWithToken | HostedWithGetToken

const HOSTED_OPTIONS: OptionNames<HostedOptions> = { ...SERVICE_SETTINGS, ...INSTANCE_OPTIONS }

/**
 * A client for one connector instance of a service: the same interface as in direct mode, with `search`.
 *
 * Sends nothing yet; only a type that has no manifest here asks the service's catalogue once. Keep one client per
 * instance.
 */
export function connectHosted<
  C extends { [K in ConnectorType]: K }[ConnectorType] | Manifest<unknown, Settings>,
>(connector: C, options: HostedOptions): Promise<ClientOf<C>>
export async function connectHosted(
  connector: string | Manifest<unknown, Settings>,
  options: HostedOptions,
): Promise<unknown> {
  requireInstanceOptions(options, HOSTED_OPTIONS)
  const wanted = typeof connector === 'string' ? connector : manifestOf(connector)
  return await connectInstance(wanted, options, nodePlatform(options))
}
