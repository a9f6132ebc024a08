// The paths of a service, on a server of its own and in any host app: the API with the connect page, and doors next to
// them that can stay shut.
import { fileURLToPath } from 'node:url'
import type { McpHandler } from '../agents/mcp/mcp-http.ts'
import type { JsonObject } from '../language/json/json.ts'
import { FROM_SOURCES, packageFile } from '../package-file.ts'
import { mountAgentAccess } from '../service/agent-access/mount-agent-access.ts'
import { mountConnect } from '../service/connect/mount-connect.ts'
import { type ConsolePorts, mountConsole } from '../service/console/mount-console.ts'
import { Sessions } from '../service/console/sessions.ts'
import { mountDocs } from '../service/docs/mount-docs.ts'
import { type ApiPorts, mountApi, refuse } from '../service/http/api.ts'
import { type Answer, type Arrival, callerAddress } from '../service/http/arrival.ts'
import { mountHealth, mountMetrics, mountOpenApi } from '../service/http/root-routes.ts'
import { Site } from '../service/http/site.ts'
import { requireAllowedAddress } from '../service/tokens/principal.ts'
import { docPagesOf } from './doc-pages.ts'
import { createMcpRoute } from './mcp-route.ts'
import { apiPorts, type Service } from './service.ts'
import type { Siblings } from './siblings.ts'

/** What stands next to the API. Each is there unless it is `false` here, or the settings of the service leave it out. */
export interface Doors {
  /** `/openapi.json`. */
  readonly openapi?: boolean
  /** `/docs`, the reference made of that document, with the error codes, the guides and `/llms.txt`; the setting `docs` too. */
  readonly docs?: boolean
  /** `/console`. */
  readonly console?: boolean
  /** `/mcp`, for agents; the setting `mcp` too. */
  readonly mcp?: boolean
  /** `/healthz` and `/readyz`. */
  readonly health?: boolean
  /** `/metrics`; the setting `showsMetrics` too. */
  readonly metrics?: boolean
}

/** The paths of each door; `*` is anything below. */
export const DOOR_PATHS: Readonly<Record<keyof Doors, readonly string[]>> = {
  openapi: ['/openapi.json'],
  docs: ['/docs', '/docs.md', '/docs/*', '/llms.txt'],
  console: ['/console', '/console/*'],
  mcp: [
    '/mcp',
    '/mcp/*',
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/*',
    '/.well-known/oauth-authorization-server',
  ],
  health: ['/healthz', '/readyz'],
  metrics: ['/metrics'],
}

/** Always there. */
export const API_PATHS = ['/v1/*', '/api/v1/*', '/connect/*'] as const

export interface MountOptions<A extends Arrival> {
  readonly doors?: Doors | undefined
  /** Hands a request over to the protocol of agents, which has an answer of its own; null: it has sent it. */
  readonly passToMcp: (
    handler: McpHandler,
    arrival: A,
    body: McpBody | null,
  ) => Promise<Answer | null>
  /** What stands before our paths, in traces. */
  readonly shownUnder?: string
  /** Folder of the built pages, the console and the reference; default: the package's own. */
  readonly consoleFolder?: string | undefined
  /** The other processes of the same command, for which health and metrics speak as well; null: there are none. */
  readonly siblings?: Siblings | null
}

/** A body that was read for its caller: as it came, and its value. */
export interface McpBody {
  readonly bytes: Buffer
  readonly value: JsonObject | undefined
}

export interface Mounted<A extends Arrival> {
  readonly site: Site<A>
  readonly api: ApiPorts
  /** The doors that are open. */
  readonly open: ReadonlySet<keyof Doors>
  /** Ends what agents have under way. */
  readonly close: () => Promise<void>
}

export function packagedConsole(): string {
  return fileURLToPath(packageFile('dist/console/'))
}

/** Mounts the API, the connect page, and every door that is open. */
export function mountService<A extends Arrival>(
  service: Service,
  {
    doors = {},
    passToMcp,
    shownUnder = '',
    consoleFolder = packagedConsole(),
    siblings = null,
  }: MountOptions<A>,
): Mounted<A> {
  const { settings, metrics, store } = service
  const api = apiPorts(service)
  const site = new Site<A>((arrived, error) => refuse(api, arrived, error))
  const open = openDoors(doors, service)
  mountApi(site, api, { shownUnder })
  mountConnect(site, api, service.connectPage, consoleFolder)
  if (open.has('health'))
    mountHealth(site, {
      mode: settings.mode,
      checks: async () => (await siblings?.checks()) ?? { checks: await service.checks() },
      writes: () => service.writes(),
      nodesAway: () => store.nodesAway(),
    })
  if (open.has('metrics')) {
    const { contentType } = metrics
    const text = (): Promise<string> => siblings?.metrics() ?? metrics.text()
    mountMetrics(site, { metrics: { text, contentType }, metricsToken: settings.metricsToken })
  }
  if (open.has('openapi')) mountOpenApi(site, (type) => service.openApi(type))
  if (open.has('docs'))
    mountDocs(site, docPagesOf(service), { folder: consoleFolder, isCheckout: FROM_SOURCES })
  if (open.has('console')) mountConsoleOf(site, service, consoleFolder)
  const mcp = open.has('mcp') ? createMcpRoute(service, service.inProcess) : null
  if (mcp !== null) {
    mountMcp(site, service, mcp, { api, pass: passToMcp })
    mountAgentAccess(site, api, {
      access: service.agentAccess,
      tokens: service.tokens,
      publicUrl: () => service.publicUrl,
      signInUrl: settings.mcpSignInUrl,
      mayWrite: settings.mcp === 'write',
      now: () => service.clock.now(),
    })
  }
  return { site, api, open, close: async () => await mcp?.close() }
}

function openDoors(doors: Doors, { settings }: Service): ReadonlySet<keyof Doors> {
  const isSet: Readonly<Record<keyof Doors, boolean>> = {
    openapi: true,
    docs: settings.docs,
    console: true,
    mcp: settings.mcp !== 'off',
    health: true,
    metrics: settings.showsMetrics,
  }
  // The keys of a literal.
  const names = Object.keys(isSet) as (keyof Doors)[]
  const unknown = Object.keys(doors).find((name) => !Object.hasOwn(isSet, name))
  if (unknown !== undefined)
    throw new TypeError(`there is no door "${unknown}"; there are ${names.join(', ')}`)
  return new Set(names.filter((name) => isSet[name] && doors[name] !== false))
}

function mountConsoleOf<A extends Arrival>(site: Site<A>, service: Service, folder: string): void {
  const { settings, store, clock, tokens, openId } = service
  mountConsole(site, {
    // With a window of its own: what people look at does not count against programs.
    api: apiPorts(service),
    sessions: new Sessions({ store, clock, tokens, openId, settings }),
    publicUrl: () => service.publicUrl,
    mode: settings.mode,
    demo: () => demoOf(service),
    published: service.published,
    lastSyncs: service,
    settings: { ...service, publicUrl: () => service.publicUrl },
    workshop: service.workshop,
    drafts: service,
    exampleOf: exampleOf(service),
    icons: service.icons,
    folder,
    isCheckout: FROM_SOURCES,
  })
}

/** What to connect with in the sandbox, by connector type. */
function demoOf({ sandboxes }: Service): JsonObject | null {
  if (sandboxes === null) return null
  const entries = [...sandboxes].map(([type, vendor]) => {
    const { credentials, config } = vendor.options()
    return [type, { credentials, config }]
  })
  // Credentials and settings are JSON.
  return Object.fromEntries(entries) as JsonObject
}

function exampleOf({ sandboxes }: Service): ConsolePorts['exampleOf'] {
  if (sandboxes === null) return null
  return (type, operation) => {
    const vendor = sandboxes.get(type)
    try {
      return vendor?.example(operation) ?? null
    } catch (error) {
      // The sandbox says so of an operation that it does not have.
      if (error instanceof TypeError) return null
      throw error
    }
  }
}

/** Outside of the API's routes: the protocol has bodies, errors and streams of its own. */
function mountMcp<A extends Arrival>(
  site: Site<A>,
  service: Service,
  handler: McpHandler,
  { api, pass }: { readonly api: ApiPorts; readonly pass: MountOptions<A>['passToMcp'] },
): void {
  const { lifecycle, agentAccess, bodies, settings } = service
  site.on(['GET', 'POST', 'DELETE', 'OPTIONS'], '/mcp', async ({ arrival }) => {
    const { headers, method } = arrival
    lifecycle.admit()
    // Nobody's body is looked at before its token: of one that is wrong the handler says so.
    const caller = method === 'OPTIONS' ? null : await agentAccess.callerOf(headers.authorization)
    try {
      if (caller !== null) requireAllowedAddress(caller, callerAddress(arrival, settings))
    } catch (error) {
      return refuse(api, arrival, error, caller)
    }
    let body: McpBody | null = null
    if (caller !== null && method === 'POST') {
      const bytes = await arrival.body(settings.bodyLimitBytes)
      body = { bytes, value: await bodies.read(caller, headers, bytes) }
    }
    arrival.onEnd(lifecycle.enter())
    return await pass(handler, arrival, body)
  })
}
