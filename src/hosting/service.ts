// The service put together: ports in, routes out. It listens nowhere by itself; server.ts and plugin.ts mount it.
import { randomUUID } from 'node:crypto'
import { createStoreQueue } from '../service/jobs/store-queue.ts'
import { createSystemClock } from '../engine/adapters/system-clock.ts'
import { createUndiciTransport } from '../engine/adapters/undici-transport.ts'
import { openStore } from '../service/store/open/open-store.ts'
import { ConnectorError, isConnectorError } from '../errors.ts'
import { createReachability } from '../engine/exchange/breaker.ts'
import type { Clock } from '../engine/exchange/clock.ts'
import type { JsonObject } from '../language/json/json.ts'
import { nearest } from '../language/manifest/suggest.ts'
import { packageVersion } from '../package-file.ts'
import type { Store } from '../service/store/store.ts'
import { type KeyProvider, MasterKeyError } from '../service/vault/key-provider.ts'
import { requireKeys } from '../service/vault/rotate-keys.ts'
import type { Place } from '../service/vault/envelope.ts'
import { createVault } from '../service/vault/vault.ts'
import { type Catalogue, createCatalogue } from '../service/catalogue.ts'
import { loadServedManifests } from './catalogue-files.ts'
import { type Activity, createActivity } from '../service/activity.ts'
import type { Workshop } from '../service/console/manifest-routes.ts'
import { createWorkshop } from './manifest-workshop.ts'
import { consoleReturnUrls } from '../service/console/return-urls.ts'
import { createConnectAttempts } from '../service/connect/connect-attempts.ts'
import { createConnectSessions } from '../service/connect/connect-sessions.ts'
import type { ConnectPagePorts } from '../service/connect/mount-connect.ts'
import { createCursors } from '../service/cursors.ts'
import { auditOf, OPERATOR, SERVICE } from '../service/audit.ts'
import { changedSettings } from '../service/environment.ts'
import { createRefusals, type Refusals } from '../service/refusals.ts'
import { createStreams, type Streams } from '../service/downloads.ts'
import { createEventCursors } from '../service/events/event-cursor.ts'
import { createEmit } from '../service/events/emit.ts'
import { startDeliveries } from '../service/events/delivery-job.ts'
import { createWebhooks } from '../service/events/webhooks.ts'
import { createGate } from '../service/gate.ts'
import { createIdempotency } from '../service/idempotency.ts'
import { createRecords } from '../service/records.ts'
import { type Connections, createConnections } from '../service/instances/connections.ts'
import { createInstances } from '../service/instances/instances.ts'
import { createRows, type Rows } from '../service/instances/rows.ts'
import { createStates } from '../service/instances/states.ts'
import { type Jobs, startJobs } from '../service/jobs.ts'
import { lockFolder } from './folder-lock.ts'
import { apiPorts } from './api-ports.ts'
import { createInProcess, type InProcess } from './in-process.ts'
import { openKeys } from './keys.ts'
import { createLifecycle, type Lifecycle } from '../service/lifecycle.ts'
import { type ServiceLog, SILENT_LOG, failureFacts } from '../service/log.ts'
import { type BodyReader, createBodyReader } from '../service/http/body-reader.ts'
import { createMetrics, type Metrics } from '../service/metrics.ts'
import { createConsents } from '../service/oauth/consents.ts'
import { createOperatorClients } from '../service/oauth/operator-clients.ts'
import { openApiDocument } from '../service/openapi.ts'
import type { Route } from '../service/route.ts'
import { catalogueRoutes } from '../service/routes/catalogue-routes.ts'
import { connectRoutes } from '../service/routes/connect-routes.ts'
import { eventRoutes } from '../service/routes/event-routes.ts'
import { executeRoutes } from '../service/routes/execute-routes.ts'
import { instanceRoutes } from '../service/routes/instance-routes.ts'
import { oauthRoutes } from '../service/routes/oauth-routes.ts'
import { syncRoutes } from '../service/routes/sync-routes.ts'
import { tokenRoutes } from '../service/routes/token-routes.ts'
import { webhookRoutes } from '../service/routes/webhook-routes.ts'
import { type Sandboxes, startSandboxes } from './sandboxes.ts'
import { openCopies, searchesAtOnce } from './copies-place.ts'
import { placeOf, requireStoreOfBefore } from './store-place.ts'
import { exportedInstruments, type Meter } from './exported-instruments.ts'
import { openTelemetry } from './open-telemetry.ts'
import { openWebhookTransport } from './webhook-transport.ts'
import { createWriteProbe } from './write-probe.ts'
import { createServiceLog } from './service-log.ts'
import { defaultSettings, type ServiceSettings } from '../service/settings.ts'
import { createOwnWrites } from '../service/sync/own-writes.ts'
import { createSearchCopies } from '../service/sync/search-copies.ts'
import { createSearchGate } from '../service/sync/search-gate.ts'
import { startSyncJobs } from '../service/sync/sync-jobs.ts'
import { createSyncParts } from '../service/sync/sync-parts.ts'
import { createSyncs, type Syncs } from '../service/sync/syncs.ts'
import {
  createFirstApplication,
  FIRST_ORGANIZATION,
  type NewApplication,
} from '../service/tokens/applications.ts'
import { createTokens, type Tokens } from '../service/tokens/tokens.ts'
import type { Tracing } from '../service/tracing.ts'
import { createTurns, type Turns } from '../service/turns.ts'
import type { Tracer } from '../engine/run/trace.ts'

/** Settings, and ports in place of the built-in ones. */
export interface ServiceOptions extends Partial<ServiceSettings> {
  /** A store of the host's own; it is not closed with the service. */
  readonly store?: Store
  readonly keyProvider?: KeyProvider
  readonly logger?: ServiceLog
  readonly clock?: Clock
  /**
   * A tracer of OpenTelemetry: one trace from a request, continuing its `traceparent`, to calls of third parties and of
   * the store. The package @opentelemetry/api must be installed.
   */
  readonly tracer?: Tracer
  /** A meter of OpenTelemetry: it gets what /metrics shows, but for what Node tells of its process. */
  readonly meter?: Meter
  /** Whether the rates of the manifests hold; default: yes, but with local vendors. */
  readonly upstreamRates?: boolean
}

/** A service that is ready to be mounted. */
export interface Service {
  readonly settings: ServiceSettings
  readonly catalogue: Catalogue
  readonly store: Store
  readonly clock: Clock
  readonly log: ServiceLog
  readonly metrics: Metrics
  /** null: nobody traces. */
  readonly tracing: Tracing | null
  readonly lifecycle: Lifecycle
  readonly tokens: Tokens
  readonly routes: readonly Route[]
  readonly rows: Rows
  readonly syncs: Syncs
  /** What the pages below /connect do. */
  readonly connectPage: ConnectPagePorts
  readonly streams: Streams
  readonly connections: Connections
  readonly sandboxes: Sandboxes | null
  readonly activity: Activity
  /** Counts what applications send, whatever the routes are mounted in. */
  readonly bodies: BodyReader
  /** For work that takes longer than others should wait. */
  readonly turns: Turns
  readonly refusals: Refusals
  /** For connector authors; null in production. */
  readonly workshop: Workshop | null
  /** Made because the store was empty. Its secret is shown once, here. */
  readonly firstApplication: NewApplication | null
  /** The origin in links of ours; set by whoever listens, when the settings name none. */
  publicUrl: string
  /** Sees to it that a process which cannot keep up refuses early. */
  pressure: () => boolean
  /** By name, `ok` or what is wrong. */
  checks(): Promise<Readonly<Record<string, string>>>
  /** Whether the store takes changes; looked at by a change of its own, every two seconds at most. */
  writes(): Promise<boolean>
  openApi(connectorType?: string): JsonObject | null
  /**
   * A typed client for an instance in this process, without HTTP: the interface of `connectHosted`, for whom the
   * principal says.
   */
  readonly connect: InProcess['connect']
  readonly inProcess: InProcess
  /**
   * Ends everything in order: running requests within `shutdownMs`, refreshes always to their commit, downloads last.
   * Whoever listens has stopped listening before.
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
  const { store, keyProvider, logger, clock, tracer, meter, upstreamRates, ...overrides } = options
  const settings: ServiceSettings = {
    ...defaultSettings(overrides.mode ?? 'production'),
    ...overrides,
  }
  const closers: (() => unknown)[] = []
  try {
    return await compose(
      settings,
      {
        store,
        keyProvider,
        logger,
        clock,
        tracer,
        meter,
        upstreamRates: upstreamRates ?? settings.mode !== 'sandbox',
      },
      closers,
    )
  } catch (error) {
    for (const close of closers.toReversed()) await close()
    throw error
  }
}

interface Given {
  readonly store: Store | undefined
  readonly keyProvider: KeyProvider | undefined
  readonly logger: ServiceLog | undefined
  readonly clock: Clock | undefined
  readonly tracer: Tracer | undefined
  readonly meter: Meter | undefined
  readonly upstreamRates: boolean
}

async function compose(
  settings: ServiceSettings,
  given: Given,
  closers: (() => unknown)[],
): Promise<Service> {
  const clock = given.clock ?? createSystemClock()
  const ownLog = given.logger === undefined ? createServiceLog(settings.logLevel) : null
  const log = given.logger ?? ownLog ?? SILENT_LOG
  const { served, types } = await loadServedManifests(settings.manifests, settings.connectors)
  const catalogue = createCatalogue(
    served.map(({ manifest }) => manifest),
    settings.connectors,
  )
  // All that the settings alone can have wrong comes before anything is touched.
  requireKnownClients(settings, types)
  const telemetry = given.tracer === undefined ? null : await openTelemetry(given.tracer)
  const tracing = telemetry?.tracing ?? null
  const plain = openTransport(settings, settings.mode === 'sandbox' ? ['127.0.0.1'] : [])
  closers.push(() => plain.close())
  const transport = telemetry?.transport(plain) ?? plain
  const webhookTransport = openWebhookTransport(settings)
  closers.push(() => webhookTransport.transport.close())
  const keys = given.keyProvider ?? (await openKeys(settings))
  // Only this process can have the store: every process that held something in it has ended.
  const isAlone = given.store === undefined && settings.databaseUrl === null
  if (isAlone) {
    closers.push(await lockFolder(settings.data))
    requireStoreOfBefore(settings.data)
  }
  const opened = given.store ?? (await openStore(placeOf(settings), { migrate: false }))
  if (given.store === undefined) closers.push(() => opened.close())
  const store =
    telemetry?.store(opened, settings.databaseUrl === null ? 'sqlite' : 'postgresql') ?? opened
  await prepareSchema(store, settings, log)
  if (isAlone) {
    await store.endLeases()
    await store.audit.closeAbandoned(0)
  }
  await requireKnownKeys(store, keys)
  const gate = createGate(clock)
  const turns = createTurns(clock)
  const streams = createStreams()
  const metrics = createMetrics(
    {
      instancesByState: () => store.instances.countByState(),
      jobs: () => store.jobs.count(),
      connections: () => store.connections(),
      activeStreams: () => streams.active,
      runningOperations: () => gate.running,
      waitingOperations: () => gate.waiting,
    },
    given.meter === undefined ? undefined : exportedInstruments(given.meter),
  )
  const vault = createVault({
    provider: keys,
    dataKeys: store.dataKeys,
    clock,
    onTampered(place) {
      metrics.tampered(place.column)
      log.error({ ...place }, 'a sealed value does not open: was it altered?')
      tellTampered(store, place).catch(() => {
        log.warn(
          { ...place },
          'a sealed value that does not open could not be told to the audit log',
        )
      })
    },
  })
  const sandboxes =
    settings.mode === 'sandbox'
      ? await startSandboxes(
          served.filter(({ manifest }) => catalogue.find(manifest.type) === manifest),
        )
      : null
  if (sandboxes !== null) closers.push(() => sandboxes.close())
  let pressure: () => boolean = () => false
  const isDevelopment = settings.mode !== 'production'
  const processId = randomUUID()
  const rows = createRows(store, clock)
  const oauthClients = { ...sandboxes?.oauthClients, ...settings.oauthClients }
  const operatorClients = createOperatorClients(log)
  const serverUrlOf = (type: string): string | null => sandboxes?.urlOf(type) ?? null
  const connections = createConnections({
    catalogue,
    store,
    vault,
    transport,
    clock,
    reachability: createReachability(clock),
    oauthClients,
    operatorClients,
    serverUrlOf,
    upstreamRates: given.upstreamRates,
    processId,
    log,
    observeRefresh: (type, result, commitMs) => metrics.refresh(type, result, commitMs),
  })
  const index = await openCopies(settings, { log, isAlone })
  closers.push(() => index.close())
  const queue = createStoreQueue({
    jobs: store.jobs,
    clock,
    ownerId: processId,
    isBusy: () => pressure(),
    onError: (error, job) =>
      log.warn(
        {
          ...failureFacts(error),
          ...(job === null ? {} : { job: job.kind, connector_id: job.instanceId, entity: job.key }),
        },
        job === null
          ? 'jobs could not be looked for; it is tried again'
          : 'a background job failed; it runs again',
      ),
  })
  const syncs = createSyncs({
    index,
    queue,
    clock,
    log,
    manifestOf: (row) => catalogue.forInstance(row.connectorType, row.connectorVersion),
    syncIntervalSeconds: settings.syncIntervalSeconds,
  })
  const states = createStates(store, clock, (id) => {
    rows.forget(id)
    syncs.changed(id)
  })
  const partsOf = createSyncParts({ index, queue, connections, vault, clock, log })
  const ownWrites = createOwnWrites({ partsOf, queue, clock, log, emit: createEmit(store) })
  const records = createRecords(clock, log)
  const idempotency = createIdempotency({ store, vault, records, processId, turns })
  const redirectUrls =
    settings.redirectUrls.length > 0 || !isDevelopment ? settings.redirectUrls : [DEV_REDIRECT_URL]
  const tokens = createTokens({
    store,
    clock,
    devToken:
      settings.devToken === null
        ? null
        : { token: settings.devToken, organizationId: FIRST_ORGANIZATION },
  })
  let publicUrl = settings.publicUrl ?? ''
  const lifecycle = createLifecycle(clock, () => pressure())
  const instances = createInstances({
    catalogue,
    store,
    vault,
    clock,
    rows,
    states,
    connections,
    allowServerUrl: settings.allowServerUrl || isDevelopment,
    syncsChanged: (id) => syncs.changed(id),
    syncsRescheduled: (before, row) => syncs.rescheduled(before, row),
  })
  const connectSessions = createConnectSessions({
    catalogue,
    store,
    clock,
    rows,
    publicUrl: () => publicUrl,
    redirectUrls,
    allowLoopback: isDevelopment,
  })
  const consents = createConsents({
    catalogue,
    store,
    vault,
    clock,
    transport,
    oauthClients,
    operatorClients,
    serverUrlOf,
    publicUrl: () => publicUrl,
    redirectUrls,
    ownReturnUrls: () => consoleReturnUrls(publicUrl),
    allowLoopback: isDevelopment,
    log,
    records,
    onFailure: (row, failure, requestId) =>
      connectPage.attempts.noteFailure(row, failure, requestId),
  })
  const connectPage: ConnectPagePorts = {
    catalogue,
    rows,
    oauthClients,
    sessions: connectSessions,
    publicUrl: () => publicUrl,
    attempts: createConnectAttempts({
      catalogue,
      rows,
      oauthClients,
      store,
      sessions: connectSessions,
      instances,
      consents,
      records,
      publicUrl: () => publicUrl,
      log,
    }),
  }
  const cursors = createCursors(vault, clock)
  const eventCursors = createEventCursors(cursors)
  const routes: readonly Route[] = [
    ...instanceRoutes({
      store,
      rows,
      idempotency,
      cursors,
      publicUrl: () => publicUrl,
      instances,
      syncIntervalSeconds: settings.syncIntervalSeconds,
    }),
    ...oauthRoutes(consents),
    ...connectRoutes(connectSessions),
    ...executeRoutes({
      clock,
      rows,
      states,
      connections,
      gate,
      idempotency,
      streams,
      search: createSearchCopies({
        index,
        vault,
        clock,
        gate: createSearchGate(clock, searchesAtOnce(settings)),
        intervalMs: (row, entity) => syncs.intervalMs(row, entity),
      }),
      ownWrites,
      observe: (operation) => metrics.operation(operation),
      audit: store.audit,
      records,
      tracing,
    }),
    ...syncRoutes({ rows, syncs }),
    ...catalogueRoutes({ catalogue, settings, rows, connections, oauthClients }),
    ...tokenRoutes(tokens),
    ...eventRoutes({ store, cursors: eventCursors }),
    ...webhookRoutes({
      store,
      cursors: eventCursors,
      clock,
      publicUrl: () => publicUrl,
      webhooks: createWebhooks({ store, vault, clock, records, ...webhookTransport }),
    }),
  ]
  await store.audit.append(
    auditOf({ organizationId: OPERATOR, clientId: SERVICE }, null, 'service.start', {
      target: processId,
      outcome: settings.mode,
      members: changedSettings(settings),
    }),
  )
  const refusals = createRefusals({ audit: store.audit, clock, log })
  const firstApplication = await createFirstApplication(store, {
    redirectUrls,
    clientSecret: settings.clientSecret,
  })
  const stopLooking = new AbortController()
  const looking = settings.jobs
    ? startSyncJobs(
        {
          store,
          index,
          queue,
          clock,
          states,
          partsOf,
          log,
          syncIntervalSeconds: settings.syncIntervalSeconds,
          syncBounds: {
            pages: settings.syncMaxPages,
            records: settings.syncMaxRecords,
            bytes: settings.syncMaxBytes,
            pagesWithoutNew: settings.syncMaxPagesWithoutNew,
          },
          observe: (turn) => metrics.sync(turn),
        },
        { concurrency: SYNC_JOBS, signal: stopLooking.signal },
      )
    : null

  const jobs: Jobs | null = settings.jobs
    ? startJobs({
        store,
        vault,
        clock,
        connections,
        log,
        eventDays: settings.eventDays,
        auditDays: settings.auditDays,
      })
    : null

  const deliveries: Jobs | null = settings.jobs
    ? startDeliveries({
        store,
        vault,
        clock,
        log,
        transport: webhookTransport.transport,
        observe: (result) => metrics.delivery(result),
      })
    : null

  async function close(): Promise<void> {
    lifecycle.drain()
    lifecycle.stop()
    const deadline = clock.monotonic() + settings.shutdownMs
    const settled = await lifecycle.settled(settings.shutdownMs)
    if (!settled) log.warn({ running: lifecycle.running }, 'requests were still running at the end')
    await streams.settle(Math.max(0, deadline - clock.monotonic()))
    // Syncs end at their next page: what is written stays, and the lease goes back for another process.
    stopLooking.abort()
    await looking
    await queue.close(0)
    await ownWrites.close()
    await Promise.all([jobs?.close(), deliveries?.close(), refusals.close()])
    inProcess.close()
    // A refresh under way is carried to its commit, whatever time it takes.
    await connections.close()
    await records.close()
    for (const release of closers.toReversed()) await release()
    ownLog?.close()
  }

  const service: Service = {
    settings,
    catalogue,
    store,
    clock,
    log,
    metrics,
    tracing,
    lifecycle,
    tokens,
    routes,
    rows,
    syncs,
    connectPage,
    streams,
    connections,
    sandboxes,
    activity: createActivity(),
    turns,
    bodies: createBodyReader({ clock, turns, bytesPerSecond: settings.bodyRateBytes }),
    refusals,
    workshop: isDevelopment ? createWorkshop(served, catalogue) : null,
    firstApplication,
    get publicUrl() {
      return publicUrl
    },
    set publicUrl(url) {
      publicUrl = url
    },
    get pressure() {
      return pressure
    },
    set pressure(read) {
      pressure = read
    },
    async checks() {
      // At once: each waits for a store that is away, and whoever asks waits for none of them long.
      const [health, migrations, known] = await Promise.all([
        store.health().catch(reasonOf),
        store.migrations
          .pending()
          .then((count) => (count === 0 ? 'ok' : `${count} steps behind`), reasonOf),
        requireKnownKeys(store, keys).then(() => 'ok', reasonOf),
      ])
      return {
        process: lifecycle.phase === 'running' ? 'ok' : lifecycle.phase,
        store: health,
        migrations,
        keys: known,
        jobs: jobs === null ? 'ok' : jobs.running ? 'ok' : 'stopped',
      }
    },
    writes: createWriteProbe(clock, () => store.writable()),
    openApi(connectorType) {
      const connector = connectorType === undefined ? undefined : catalogue.find(connectorType)
      if (connectorType !== undefined && connector === undefined) return null
      return openApiDocument(routes, {
        version: packageVersion(),
        serverUrl: publicUrl,
        ...(connector === undefined ? {} : { connector }),
      })
    },
    get connect() {
      return inProcess.connect
    },
    get inProcess() {
      return inProcess
    },
    close,
  }
  const inProcess = createInProcess(service, apiPorts(service))
  return service
}

/** Entities that one process synchronizes at once. */
const SYNC_JOBS = 4

/** On the allow-list of the first application in development, where none is given. */
const DEV_REDIRECT_URL = 'http://localhost:3000/connected'

async function prepareSchema(
  store: Store,
  settings: ServiceSettings,
  log: ServiceLog,
): Promise<void> {
  if (settings.migrate) {
    const steps = await store.migrations.run()
    if (steps.length > 0) log.info({ steps: steps.length }, 'the schema of the store is up to date')
    return
  }
  const pending = await store.migrations.pending()
  if (pending > 0) {
    throw new ConnectorError(
      'config_invalid',
      `the schema of the store is ${pending} steps behind; run tenon migrate`,
    )
  }
}

/** An OAuth client of a type that is not there would never be asked for: a slip in its name. */
function requireKnownClients(
  { oauthClients }: Pick<ServiceSettings, 'oauthClients'>,
  types: readonly string[],
): void {
  const unknown = Object.keys(oauthClients).find((type) => !types.includes(type))
  if (unknown === undefined) return
  const near = nearest(unknown, types)
  throw new ConnectorError(
    'config_invalid',
    `there is an OAuth client for ${unknown}, and no such connector${near === null ? '' : `; did you mean ${near}?`}`,
  )
}

function openTransport(
  { allowHosts, upstreamLimitBytes }: ServiceSettings,
  alsoAllowed: readonly string[],
): ReturnType<typeof createUndiciTransport> {
  try {
    return createUndiciTransport({
      allowHosts: [...allowHosts, ...alsoAllowed],
      allowedBy: 'TENON_ALLOW_HOSTS',
      limits: { bodyBytes: upstreamLimitBytes },
    })
  } catch (error) {
    // What it says of an entry that is no host.
    if (!(error instanceof TypeError)) throw error
    throw new ConnectorError('config_invalid', error.message, { cause: error })
  }
}

/** A key that still wraps data keys cannot be missing: what it protects could not be read. */
async function requireKnownKeys(store: Store, keys: KeyProvider): Promise<void> {
  try {
    await requireKeys(store.dataKeys, keys)
  } catch (error) {
    if (!(error instanceof MasterKeyError)) throw error
    throw new ConnectorError('config_invalid', error.message, { cause: error })
  }
}

function reasonOf(error: unknown): string {
  return isConnectorError(error) ? error.message : 'failed'
}

/** In the log of the instance or organisation whose value it is. */
async function tellTampered(store: Store, { owner, column }: Place): Promise<void> {
  const isInstance = !owner.startsWith('org:')
  const row = isInstance ? await store.instances.find(owner) : null
  const organizationId = isInstance ? (row?.organizationId ?? OPERATOR) : owner.slice('org:'.length)
  await store.audit.append(
    auditOf({ organizationId, clientId: SERVICE }, null, 'value.tampered', {
      instanceId: row?.id ?? null,
      target: column,
      outcome: 'refused',
    }),
  )
}
