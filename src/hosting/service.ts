// The service put together: a foundation and wings. It listens nowhere; server.ts and plugin.ts mount it.
import { isNodeAway } from '../errors.ts'
import type { JsonObject } from '../language/json/json.ts'
import { loadAtOnce, packageFacts } from '../late-modules.ts'
import type { AgentAccess } from '../service/agent-access/agent-access.ts'
import { auditOf, OPERATOR, SERVICE } from '../service/audit.ts'
import type { ConnectPagePorts } from '../service/connect/mount-connect.ts'
import type { Workshop } from '../service/console/manifest-routes.ts'
import type { OpenId } from '../service/console/open-id.ts'
import { changedSettings, defaultSettings } from '../service/environment.ts'
import type { ApiPorts } from '../service/http/api.ts'
import { BodyReader } from '../service/http/body-reader.ts'
import type { Connections } from '../service/instances/connections.ts'
import { openApiDocument } from '../service/openapi.ts'
import { LOOK_EVERY_MS, LOOK_FAILURE } from '../service/manifests/published-manifests.ts'
import { CLIENTS_LOOK_FAILURE } from '../service/oauth/oauth-clients.ts'
import { Refusals } from '../service/refusals.ts'
import { repeat, type Repeated } from '../service/repeat.ts'
import type { Route } from '../service/route.ts'
import type { ServiceSettings } from '../service/settings.ts'
import type { Syncs } from '../service/sync/syncs.ts'
import { createFirstApplication, type NewApplication } from '../service/tokens/applications.ts'
import { createWindow } from '../service/tokens/rate-window.ts'
import type { Tokens } from '../service/tokens/tokens.ts'
import { within } from '../service/within.ts'
import {
  checkFoundation,
  type Foundation,
  type GivenPorts,
  openFoundation,
  type Told,
} from './foundation.ts'
import { createInProcess, type InProcess } from './in-process.ts'
import { createWorkshop } from './workshop/workshop.ts'
import { openWings } from './wings.ts'
import { createWriteProbe } from './write-probe.ts'

/** Settings, and ports in place of the built-in ones. */
export interface ServiceOptions extends Partial<ServiceSettings>, GivenPorts {}

/** A service that is ready to be mounted. */
export interface Service
  extends
    Told,
    Pick<
      Foundation,
      | 'settings'
      | 'catalogue'
      | 'icons'
      | 'oauthClients'
      | 'operatorClients'
      | 'allowLoopback'
      | 'store'
      | 'clock'
      | 'log'
      | 'logs'
      | 'metrics'
      | 'tracing'
      | 'lifecycle'
      | 'rows'
      | 'gate'
      | 'records'
      | 'streams'
      | 'sandboxes'
      | 'published'
      | 'turns'
    > {
  readonly tokens: Tokens
  /** Where people sign in to the console; null: with the secret of an application only. */
  readonly openId: OpenId | null
  /** Who may call /mcp. */
  readonly agentAccess: AgentAccess
  readonly routes: readonly Route[]
  readonly syncs: Syncs
  /** What the pages below /connect do. */
  readonly connectPage: ConnectPagePorts
  readonly connections: Connections
  /** Counts what applications send, whatever the routes are mounted in. */
  readonly bodies: BodyReader
  readonly refusals: Refusals
  /** For connector authors; null in production where nobody may publish. */
  readonly workshop: Workshop | null
  /** Made because the store was empty. Its secret is shown once, here. */
  readonly firstApplication: NewApplication | null
  /** By name, `ok` or what is wrong. */
  checks(): Promise<Readonly<Record<string, string>>>
  /** Whether the store takes changes; looked at by a change of its own, every two seconds at most. */
  writes(): Promise<boolean>
  openApi(connectorType?: string): JsonObject | null
  /**
   * A typed client for an instance in this process, without HTTP: the interface of `connectHosted`, for the user
   * of the principal.
   */
  readonly connect: InProcess['connect']
  readonly inProcess: InProcess
  /**
   * Ends everything in order: running requests within `shutdownMs`, refreshes always to their commit, downloads last.
   * The server has stopped listening before.
   */
  close(): Promise<void>
}

/**
 * Opens the store, brings its schema up to date, loads manifests and keys, and puts the service together.
 *
 * Throws `config_invalid`, `manifest_invalid`, `store_unavailable`, each with the way out. What was opened is closed
 * again when something fails.
 */
export async function createService(options: ServiceOptions = {}): Promise<Service> {
  loadAtOnce()
  const { store, keyProvider, logger, clock, tracer, meter, upstreamRates, ...overrides } = options
  const given = { store, keyProvider, logger, clock, tracer, meter, upstreamRates }
  const settings = { ...defaultSettings(overrides.mode ?? 'production'), ...overrides }
  const opened = new AsyncDisposableStack()
  try {
    const base = await openFoundation(settings, given, opened)
    return await compose(base, opened)
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

/** Everything that was opened is on `opened`, in its order; the service closes it. */
async function compose(base: Foundation, opened: AsyncDisposableStack): Promise<Service> {
  // The keys stay inside.
  const { told, publicUrl: _url, keys: _keys, vault: _vault, keysInUse: _use, ...shared } = base
  const { settings, store, clock, lifecycle, redirectUrls } = shared
  const refusals = new Refusals(base)
  opened.defer(() => refusals.close())
  const { startJobs, ...parts } = await openWings(base, opened)
  const telling = (): Promise<void> => tellStart(base)
  await telling().catch(async (error: unknown) => {
    if (!isNodeAway(error)) throw error
    await base.records.keep({ action: 'service.start' }, telling)
  })
  const firstApplication = await createFirstApplication(store, {
    redirectUrls,
    clientSecret: settings.clientSecret,
  })
  const jobs = settings.jobs ? [...startJobs()] : []
  const { published } = base
  // Of one process nobody else changes what it knows.
  if (store.isShared) jobs.push(repeat(base, looksFor(base.oauthClients, CLIENTS_LOOK_FAILURE)))
  if (published.isAllowed && store.isShared)
    jobs.push(repeat(base, looksFor(published, LOOK_FAILURE)))
  const workshop =
    base.isDevelopment || published.isAllowed
      ? createWorkshop({ ...base, thread: base.workshopThread })
      : null
  const service = Object.assign(told, {
    ...shared,
    ...parts,
    bodies: new BodyReader({ ...base, bytesPerSecond: settings.bodyRateBytes }),
    refusals,
    workshop,
    firstApplication,
    async checks() {
      const { phase } = lifecycle
      return {
        process: phase === 'running' ? 'ok' : phase,
        ...(await checkFoundation(base)),
        jobs: jobs.every(({ running }) => running) ? 'ok' : 'stopped',
      }
    },
    writes: createWriteProbe(clock, () => store.writable()),
    openApi: (connectorType?: string) => openApi(base, parts.routes, connectorType),
    close: () => opened.disposeAsync(),
  })
  const inProcess = createInProcess(service, apiPorts(service))
  opened.defer(async () => {
    await endRequests(base)
    await Promise.all(jobs.map((each) => each.close()))
    inProcess.close()
  })
  return Object.assign(service, { inProcess, connect: inProcess.connect })
}

function looksFor(kept: { refresh(): Promise<void> }, failure: string): Repeated {
  return { everyMs: LOOK_EVERY_MS, step: () => kept.refresh(), failure }
}

/** Running requests end within `shutdownMs`, downloads in what is left of it. */
async function endRequests({
  lifecycle,
  settings,
  clock,
  log,
  streams,
}: Foundation): Promise<void> {
  lifecycle.drain()
  lifecycle.stop()
  const deadline = clock.monotonic() + settings.shutdownMs
  const settled = await lifecycle.settled(settings.shutdownMs)
  if (!settled) log.warn({ running: lifecycle.running }, 'requests were still running at the end')
  await within(clock, Math.max(0, deadline - clock.monotonic()), streams.settled())
}

async function tellStart({ store, processId, settings }: Foundation): Promise<void> {
  await store.audit.append(
    auditOf({ organizationId: OPERATOR, clientId: SERVICE }, null, 'service.start', {
      target: processId,
      outcome: settings.mode,
      members: changedSettings(settings),
    }),
  )
}

function openApi(
  { catalogue, publicUrl }: Foundation,
  routes: readonly Route[],
  connectorType: string | undefined,
): JsonObject | null {
  const connector = connectorType === undefined ? undefined : catalogue.find(connectorType)
  if (connectorType !== undefined && connector === undefined) return null
  return openApiDocument(routes, {
    version: packageFacts().version,
    serverUrl: publicUrl(),
    ...(connector === undefined ? {} : { connector }),
  })
}

/** Whatever is mounted with the same ports counts requests together. */
export function apiPorts(service: Omit<Service, 'connect' | 'inProcess'>): ApiPorts {
  const { settings, clock, routes, tokens, lifecycle, log, logs, metrics, tracing } = service
  const { rateLimit } = settings
  return {
    clock,
    routes,
    authenticate({ authorization }) {
      return tokens.remembered(authorization) ?? tokens.authenticate(authorization)
    },
    bodyLimitBytes: settings.bodyLimitBytes,
    bodies: service.bodies,
    timeoutMs: settings.deadlineMs,
    rateLimit:
      rateLimit === null
        ? null
        : {
            ...rateLimit,
            window: createWindow(clock, { count: rateLimit.count, ms: rateLimit.seconds * 1000 }),
          },
    trustProxy: settings.trustProxy,
    corsOrigins: settings.corsOrigins,
    lifecycle,
    tracing,
    log,
    logs,
    refused: (access) => service.refusals.note(access),
    observe: (route, status, code, tookMs) => metrics.request(route, status, code, tookMs),
  }
}
