// What every part of the service stands on: what the settings name is opened, in an order that can be taken back.
import { randomUUID } from 'node:crypto'
import { openStore } from '../service/store/open/open-store.ts'
import { createSystemClock } from '../engine/adapters/system-clock.ts'
import { proxyOf } from './egress-proxy.ts'
import { createUndiciTransport } from '../engine/adapters/undici-transport.ts'
import { ConnectorError, isConnectorError, isNodeAway } from '../errors.ts'
import { Reachability } from '../engine/exchange/breaker.ts'
import type { Clock } from '../engine/exchange/clock.ts'
import type { Transport } from '../engine/exchange/transport.ts'
import { DEFAULT_LIMITS } from '../engine/exchange/transport-limits.ts'
import { nearest } from '../language/manifest/suggest.ts'
import type { Tracer } from '../engine/run/trace.ts'
import { auditTampered } from '../service/audit.ts'
import type { ServiceBase } from '../service/base.ts'
import { Catalogue } from '../service/catalogue.ts'
import { Streams } from '../service/downloads.ts'
import { Gate } from '../service/gate.ts'
import { Rows } from '../service/instances/rows.ts'
import { Lifecycle } from '../service/lifecycle.ts'
import { failureFacts, type ServiceLog } from '../service/log.ts'
import { Logs } from '../service/logs/logs.ts'
import { Metrics } from '../service/metrics.ts'
import { OAuthClients } from '../service/oauth/oauth-clients.ts'
import { OperatorClients } from '../service/oauth/operator-clients.ts'
import { Records } from '../service/records.ts'
import type { ServiceSettings } from '../service/settings.ts'
import { createTurns } from '../service/turns.ts'
import type { Store } from '../service/store/store.ts'
import type { KeyProvider } from '../service/vault/key-provider.ts'
import { KeysInUse } from '../service/vault/keys-in-use.ts'
import { Vault } from '../service/vault/vault.ts'
import { loadServedManifests } from './catalogue-files.ts'
import { exportedInstruments, type Meter } from './exported-instruments.ts'
import {
  lockFolder,
  noteSandbox,
  openKeys,
  placeOf,
  requireNoSandbox,
  requireStoreOfBefore,
} from './data-place.ts'
import { socketsOf, withinSockets } from './descriptors.ts'
import { loadIcons } from './icon-files.ts'
import { openTelemetry } from './open-telemetry.ts'
import { createServiceLog } from './service-log.ts'
import { serveManifests, type Serving } from './serve-manifests.ts'
import { hostsInvalid, openWebhookTransport, type WebhookTransport } from './webhook-transport.ts'

/** Ports in place of the built-in ones. */
export interface GivenPorts {
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

/** What only the server that listens can know. */
export interface Told {
  /** The origin in links of ours; set by the server, when the settings name none. */
  publicUrl: string
  /** Whether this process can hardly keep up: then it refuses early. */
  pressure: () => boolean
}

/** The parts bear the names by which the ports of the service ask for them. */
export interface Foundation extends ServiceBase, Serving {
  readonly settings: ServiceSettings
  readonly told: Told
  readonly isDevelopment: boolean
  /** Whether no other process can have the store: every process that held something in it has ended. */
  readonly isAlone: boolean
  readonly keys: KeyProvider
  readonly keysInUse: KeysInUse
  readonly webhookTransport: WebhookTransport
  readonly metrics: Metrics
  readonly lifecycle: Lifecycle
}

const NODES_AWAY =
  'nodes of the database cannot be reached; lists and jobs go on with what the others have'

/** On the allow-list of the first application in development, where none is given. */
const DEV_REDIRECT_URL = 'http://localhost:3000/connected'

/**
 * Opens the foundation. What must be closed again goes onto `opened` at once, also where a later step fails.
 * Throws `config_invalid`, `manifest_invalid`, `store_unavailable`, each with the way out.
 */
export async function openFoundation(
  settings: ServiceSettings,
  given: { readonly [Name in keyof GivenPorts]: GivenPorts[Name] | undefined },
  opened: AsyncDisposableStack,
): Promise<Foundation> {
  const clock = given.clock ?? createSystemClock()
  const log =
    given.logger ?? opened.adopt(createServiceLog(settings.logLevel), (own) => own.close())
  const mayPublish = settings.publishOrganization !== null
  const { manifests: sources, connectors } = settings
  const { served, types } = await loadServedManifests(sources, connectors, { mayLack: mayPublish })
  const manifests = served.map(({ manifest }) => manifest)
  const catalogue = new Catalogue(manifests, connectors)
  // All that the settings alone can have wrong comes before anything is touched; a type may be a published one.
  if (!mayPublish) requireKnownClients(settings, types)
  const icons = await loadIcons(settings.icons, mayPublish ? null : types)
  const telemetry = given.tracer === undefined ? null : await openTelemetry(given.tracer)
  const plain = opened.adopt(openTransport(settings), (own) => own.close())
  const webhookTransport = opened.adopt(openWebhookTransport(settings), ({ transport }) =>
    transport.close(),
  )
  const keys = given.keyProvider ?? (await openKeys(settings, opened))
  const isAlone = given.store === undefined && settings.databaseUrl === null
  if (isAlone) {
    opened.defer(await lockFolder(settings.data))
    requireStoreOfBefore(settings.data)
    if (settings.mode === 'sandbox') await noteSandbox(settings.data)
  }
  const store = given.store ?? (await openOwnStore(settings, log, opened))
  const system = settings.databaseUrl === null ? 'sqlite' : 'postgresql'
  const traced = telemetry?.store(store, system) ?? store
  await bringUpToDate(traced, settings, log)
  if (isAlone) {
    if (settings.mode === 'production') await requireNoSandbox(settings.data, traced)
    await traced.endLeases()
    await traced.audit.closeAbandoned(0)
  }
  const keysInUse = await countKeys(new KeysInUse(traced.dataKeys, keys, clock), log)
  const isDevelopment = settings.mode !== 'production'
  const ports = { settings, served, store: traced, catalogue, log }
  const serving = await serveManifests(ports, opened)
  requireKnownClients(settings, [...types, ...catalogue.manifests.map(({ type }) => type)])
  const records = opened.adopt(new Records(clock, log), (own) => own.close())
  const told: Told = { publicUrl: settings.publicUrl ?? '', pressure: () => false }
  const parts = { clock, log, store: traced, gate: new Gate(clock), streams: new Streams() }
  const { meter } = given
  const metrics = new Metrics(parts, meter === undefined ? undefined : exportedInstruments(meter))
  const vault = openVault(parts, keys, metrics, () => keysInUse.changed())
  const oauthClients = new OAuthClients({ ...parts, vault, given: serving.givenClients })
  await oauthClients.refresh()
  const logs = opened.adopt(openLogs({ ...parts, vault, metrics }, settings), (own) => own.close())
  return {
    ...parts,
    settings,
    logs,
    told,
    publicUrl: () => told.publicUrl,
    isDevelopment,
    isAlone,
    processId: randomUUID(),
    catalogue,
    icons,
    ...serving,
    keys,
    keysInUse,
    vault,
    transport: telemetry?.transport(plain) ?? plain,
    webhookTransport,
    reachability: new Reachability(clock),
    upstreamRates: given.upstreamRates ?? settings.mode !== 'sandbox',
    tracing: telemetry?.tracing ?? null,
    metrics,
    lifecycle: new Lifecycle(clock, () => told.pressure()),
    turns: createTurns(clock),
    records,
    rows: new Rows(traced, clock),
    oauthClients,
    operatorClients: new OperatorClients(log),
    serverUrlOf: (type) => serving.sandboxes?.get(type)?.url ?? null,
    redirectUrls: redirectUrlsOf(settings),
    allowLoopback: isDevelopment,
  }
}

function redirectUrlsOf({ redirectUrls, mode }: ServiceSettings): readonly string[] {
  return redirectUrls.length > 0 || mode === 'production' ? redirectUrls : [DEV_REDIRECT_URL]
}

/** What is wrong with the foundation, by name; `ok` where nothing is. */
export async function checkFoundation({
  store,
  keysInUse,
}: Pick<Foundation, 'store' | 'keysInUse'>): Promise<
  Readonly<Record<'store' | 'migrations' | 'keys', string>>
> {
  // At once: each waits for a store that is away, and the caller should not wait for one after the other.
  const [health, migrations] = await Promise.all([
    store.health().catch(reasonOf),
    store.migrations
      .pending()
      .then((count) => (count === 0 ? 'ok' : `${count} steps behind`), reasonOf),
  ])
  return { store: health, migrations, keys: keysInUse.state }
}

async function openOwnStore(
  settings: ServiceSettings,
  log: ServiceLog,
  opened: AsyncDisposableStack,
): Promise<Store> {
  const store = await openStore(
    { ...placeOf(settings), isOwner: settings.databaseUrl === null },
    {
      migrate: false,
      onNodesAway(count) {
        if (count > 0) log.warn({ nodes: count }, NODES_AWAY)
        else log.info({}, 'all nodes of the database can be reached again')
      },
    },
  )
  opened.defer(() => store.close())
  return store
}

/** Throws `config_invalid` where one is missing. While a node of the database is away, a process starts without the count. */
async function countKeys(keysInUse: KeysInUse, log: ServiceLog): Promise<KeysInUse> {
  await keysInUse.count().catch((error: unknown) => {
    if (!isNodeAway(error)) throw error
    log.warn(failureFacts(error), 'the master keys in use are counted later')
  })
  return keysInUse
}

function openLogs(
  { metrics, ...ports }: Pick<Foundation, 'store' | 'vault' | 'clock' | 'log' | 'metrics'>,
  { logsDays: days, logsMax: maxEntries, logsContent: keepsContent }: ServiceSettings,
): Logs {
  const observe = (outcome: string, count: number): void => metrics.logEntries(outcome, count)
  return new Logs({ ...ports, observe }, { days, maxEntries, keepsContent })
}

function openVault(
  { clock, log, store }: Pick<Foundation, 'clock' | 'log' | 'store'>,
  provider: KeyProvider,
  metrics: Metrics,
  onForeignKey: () => void,
): Vault {
  return new Vault({
    provider,
    dataKeys: store.dataKeys,
    clock,
    onForeignKey,
    onTampered(place) {
      metrics.tampered(place.column)
      log.error({ ...place }, 'a sealed value does not open: was it altered?')
      auditTampered(store, place).catch(() => {
        log.warn(
          { ...place },
          'a sealed value that does not open could not be written to the audit log',
        )
      })
    },
  })
}

/** Throws `config_invalid` where the settings leave the schema behind. */
async function bringUpToDate(
  store: Store,
  { migrate }: ServiceSettings,
  log: ServiceLog,
): Promise<void> {
  if (migrate) {
    const steps = await store.migrations.run()
    if (steps.length > 0) log.info({ steps: steps.length }, 'the schema of the store is up to date')
  } else {
    const pending = await store.migrations.pending()
    if (pending > 0)
      throw new ConnectorError(
        'config_invalid',
        `the schema of the store is ${pending} steps behind; run tenon migrate`,
      )
  }
}

/** An OAuth client of a type that is not there would never be asked for: a slip in its name. */
function requireKnownClients({ oauthClients }: ServiceSettings, types: readonly string[]): void {
  const unknown = Object.keys(oauthClients).find((type) => !types.includes(type))
  if (unknown === undefined) return
  const near = nearest(unknown, types)
  throw new ConnectorError(
    'config_invalid',
    `there is an OAuth client for ${unknown}, and no such connector${near === null ? '' : `; did you mean ${near}?`}`,
  )
}

function openTransport(settings: ServiceSettings): Transport {
  const { allowHosts, upstreamLimitBytes, mode } = settings
  const { upstreams } = socketsOf(settings)
  try {
    return createUndiciTransport({
      allowHosts: mode === 'sandbox' ? [...allowHosts, '127.0.0.1'] : allowHosts,
      allowedBy: 'TENON_ALLOW_HOSTS',
      proxy: proxyOf(settings),
      limits: { bodyBytes: upstreamLimitBytes, ...withinSockets(upstreams, DEFAULT_LIMITS) },
    })
  } catch (error) {
    throw hostsInvalid('TENON_ALLOW_HOSTS', error)
  }
}

function reasonOf(error: unknown): string {
  return isConnectorError(error) ? error.message : 'failed'
}
