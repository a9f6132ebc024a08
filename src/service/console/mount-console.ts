// The console on a server of our own: its pages, and the API again for the developer who is signed in there.
import { type ConnectorIcons, mountIcons } from '../connector-icons.ts'
import { type ApiPorts, mountApi, refuse } from '../http/api.ts'
import { headerText } from '../http/arrival.ts'
import { pathUnknown, type Mounts } from '../http/site.ts'
import { mountConsolePages } from './console-pages.ts'
import { type ExampleOf, exampleRoutes } from './example-routes.ts'
import { type LastSyncPorts, lastSyncRoutes } from './last-sync-routes.ts'
import { RIGHTS, rightsOf } from './rights.ts'
import { manifestRoutes, type Workshop } from './manifest-routes.ts'
import type { DraftRunPorts } from '../run-draft.ts'
import type { Route } from '../route.ts'
import { type SessionRoutePorts, sessionRoutes, signedOut } from './session-routes.ts'
import { settingsRoutes, type SettingsPorts } from './settings-routes.ts'
import type { PublishedManifests } from '../manifests/published-manifests.ts'
import type { Principal } from '../tokens/principal.ts'
import { requireOwnPage, sessionCookie, sessionPrincipal } from './sessions.ts'

export interface ConsolePorts extends SessionRoutePorts {
  /** Of the API at `/v1`: the console has the same routes, and one more way to prove who calls. */
  readonly api: ApiPorts
  readonly lastSyncs: LastSyncPorts
  readonly settings: SettingsPorts
  /** Null: not in production, but where people may publish. */
  readonly workshop: Workshop | null
  readonly drafts: DraftRunPorts
  /** Null: this is no sandbox. */
  readonly exampleOf: ExampleOf | null
  readonly icons: ConnectorIcons
  readonly published: Pick<PublishedManifests, 'mayPublish' | 'requirePublisher'>
  /** Where the built files are. */
  readonly folder: string
  /** Whether they are built here, and not part of an installed package. */
  readonly isCheckout: boolean
}

/** Leads people who open the address of the service to the console; programs are told that there is no such path. */
export function leadToConsole(site: Mounts, api: ApiPorts): void {
  site.on(['GET', 'HEAD'], '/', ({ arrival }) =>
    (arrival.headers['accept'] ?? '').includes('text/html')
      ? { status: 302, headers: { location: `${arrival.base}/console` }, content: null }
      : refuse(api, arrival, pathUnknown()),
  )
}

/** Mounts `/console` with its files, and `/console/api/v1` with the routes that need a token, here a session. */
export function mountConsole(site: Mounts, ports: ConsolePorts): void {
  const { sessions, publicUrl } = ports
  const routes: readonly Route[] = [
    ...ports.api.routes.filter(({ name }) => RIGHTS[name] !== null),
    ...lastSyncRoutes(ports.lastSyncs),
    ...(ports.workshop === null
      ? []
      : manifestRoutes(ports.workshop, ports.drafts, rightIn(ports))),
    ...(ports.exampleOf === null ? [] : exampleRoutes(ports.exampleOf)),
    ...settingsRoutes(ports.settings, () => rightsOf(routes)),
    ...sessionRoutes(ports),
  ]
  const api: ApiPorts = {
    ...ports.api,
    routes,
    corsOrigins: [],
    async authenticate(headers) {
      requireOwnPage((name) => headerText(headers, name))
      const session = await sessions.find(sessionCookie(publicUrl()).read(headers.cookie))
      if (session === null) throw signedOut()
      return sessionPrincipal(session)
    },
  }
  mountConsolePages(site, ports.folder, ports.isCheckout)
  mountIcons(site, '/console', ports.icons)
  mountApi(site, api, { under: '/console/api' })
  // What is no route of the API is no screen either.
  site.on('*', '/console/api/*', ({ arrival }) => refuse(api, arrival, pathUnknown()))
}

/** In production the workshop is for those who may publish. */
function rightIn({ mode, published }: ConsolePorts): (principal: Principal) => void {
  return (principal) => {
    if (mode === 'production') published.requirePublisher(principal)
  }
}
