// The public API of the hosted client on `fetch` alone: browsers, workers, edge runtimes. Nothing of Node is reachable from
// here: a test bundles it for browsers.
import { fileFrom } from '../../engine/adapters/file-inputs.ts'
import type { Manifest as LoadedManifest } from '../../language/manifest/manifest.ts'
import type { ClientOf, ConnectorType, Manifest, Settings } from '../connectors.ts'
import {
  connectInstance,
  INSTANCE_OPTIONS,
  type InstanceOptions,
  requireInstanceOptions,
} from '../hosted-calls.ts'
import { type OptionNames, requireKnown } from '../known-options.ts'
import {
  APPLICATION_OPTIONS,
  type ApplicationOptions,
  callsOf,
  type ServiceClient,
} from '../service-calls.ts'
import { FETCH_SETTINGS, fetchPlatform, type FetchSettings } from './fetch-platform.ts'
import { isInBrowser } from './runtime.ts'

export { ConnectorError, isConnectorError } from '../../errors.ts'
export { consoleLogger } from '../observe.ts'
export { verifyWebhook } from './verify-webhook.ts'
export { fileFrom }
export type { FetchSettings } from './fetch-platform.ts'
export type { ServiceClient } from '../service-calls.ts'

/** Where the service is and what says who we are: a token, or a function that gives one. */
export type HostedOptions = InstanceOptions<FetchSettings>

/** An application's client, or a token that was minted elsewhere. */
export type ServiceClientOptions = ApplicationOptions<FetchSettings>

const HOSTED_OPTIONS: OptionNames<HostedOptions> = { ...FETCH_SETTINGS, ...INSTANCE_OPTIONS }
const CLIENT_OPTIONS: OptionNames<ServiceClientOptions> = {
  ...FETCH_SETTINGS,
  ...APPLICATION_OPTIONS,
}

/**
 * A client for one connector instance of a service: the same interface as `connectHosted` of `tenon`.
 *
 * A connector that is named by its type is described by the catalogue of the service, which is asked once. What needs Node
 * is refused: files to disk and paths of files, `body` of a download, a proxy, a transport. In a page give a scoped token
 * only, which your server mints.
 */
export function connectHosted<
  C extends { [K in ConnectorType]: K }[ConnectorType] | Manifest<unknown, Settings>,
>(connector: C, options: HostedOptions): Promise<ClientOf<C>>
export async function connectHosted(
  connector: string | LoadedManifest,
  options: HostedOptions,
): Promise<unknown> {
  refuseNodeOptions('connectHosted', options)
  requireInstanceOptions(options, HOSTED_OPTIONS)
  return await connectInstance(connector, options, fetchPlatform(options))
}

/**
 * Talks to a service for one application, as `serviceClient` of `tenon` does. In a page the secret of an application is
 * refused: everybody who opens the page could read it.
 */
export function serviceClient(options: ServiceClientOptions): ServiceClient {
  refuseNodeOptions('serviceClient', options)
  requireKnown('serviceClient', options, CLIENT_OPTIONS)
  const { clientId: _, clientSecret, token: __, ...settings } = options
  if (clientSecret !== undefined && isInBrowser())
    throw new TypeError(
      'clientSecret must not be in a page, where everybody can read it: mint a scoped token on your server, and give that',
    )
  return callsOf(options, fetchPlatform(options), (type, one) =>
    connectHosted(type, { ...settings, ...one }),
  )
}

/** Refuses: credentials of a third party belong on a server. Throws a TypeError that says the ways out. */
export function connect(): never {
  throw new TypeError(
    'tenon/fetch has no client with the credentials of a third party: use connectHosted with a token of your service, or connect of tenon in Node',
  )
}

/** Options of `tenon` that only Node has. */
const NODE_OPTIONS: Readonly<Record<string, string>> = {
  dispatcher: 'connections are made by the runtime; give fetch',
  proxy: 'connections are made by the runtime, and so is the choice of a proxy',
  transport: 'give fetch',
}

function refuseNodeOptions(of: string, options: object): void {
  const told = Object.entries(NODE_OPTIONS).find(([name]) => Object.hasOwn(Object(options), name))
  if (told !== undefined)
    throw new TypeError(`${of} of tenon/fetch has no option "${told[0]}": ${told[1]}`)
}
