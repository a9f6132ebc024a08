// The client of an application in Node.
import { connectHosted } from './hosted.ts'
import { type OptionNames, requireKnown } from './known-options.ts'
import { nodePlatform, SERVICE_SETTINGS, type ServiceSettings } from './node-platform.ts'
import {
  APPLICATION_OPTIONS,
  callsOf,
  type ServiceClient,
  type WithApplication,
  type WithMintedToken,
} from './service-calls.ts'

export type {
  ChangesFrom,
  ChangesPage,
  EventPage,
  FollowOptions,
  LogFilter,
  LogsPage,
  NewInstance,
  ServiceClient,
} from './service-calls.ts'

interface ApplicationOptions extends ServiceSettings, WithApplication {}
interface TokenOptions extends ServiceSettings, WithMintedToken {}

/** An application's client, or a token that was minted elsewhere. */
export type ServiceClientOptions = ApplicationOptions | TokenOptions

const CLIENT_OPTIONS: OptionNames<ServiceClientOptions> = {
  ...SERVICE_SETTINGS,
  ...APPLICATION_OPTIONS,
}

/**
 * Talks to a service for one application. Application tokens are renewed when they end, a token that was given is used
 * until it ends; nothing is sent before the first call.
 */
export function serviceClient(options: ServiceClientOptions): ServiceClient {
  requireKnown('serviceClient', options, CLIENT_OPTIONS)
  const { clientId: _, clientSecret: __, token: ___, ...settings } = options
  return callsOf(options, nodePlatform(options), (type, one) =>
    connectHosted(type, { ...settings, ...one }),
  )
}
