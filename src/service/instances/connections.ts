// The running side of instances: one engine each, kept while it is used.
import type { OAuthClient } from '../../engine/credentials/token-request.ts'
import { Engine } from '../../engine/engine.ts'
import { Breaker, type Reachability } from '../../engine/exchange/breaker.ts'
import type { Budget } from '../../engine/exchange/budget.ts'
import { countedTransport } from '../../engine/exchange/counted-transport.ts'
import { Exchange } from '../../engine/exchange/call.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import type { Transport } from '../../engine/exchange/transport.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import { createSealer, type Sealer } from '../../engine/run/seal.ts'
import type { InstanceRow } from '../store/instances.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../vault/vault.ts'
import type { Catalogue } from '../catalogue.ts'
import { createHostedKeeper, type HostedKeeper } from '../credentials/hosted-keeper.ts'
import type { ServiceLog } from '../log.ts'
import type { OperatorClients } from '../oauth/operator-clients.ts'
import { createUpstreamBudgets } from './upstream-budgets.ts'

/** An instance that can run operations. */
export interface Connection {
  readonly instanceId: string
  readonly manifest: Manifest
  readonly engine: Engine
  readonly keeper: HostedKeeper
  readonly budget: Budget
  /** Seals addresses of next pages. */
  readonly links: LinkSealer
  /** When the check that follows a 401 ran last, in monotonic milliseconds. */
  lastDoubtAt: number
  /** Downloads under way. */
  streams: number
}

export interface Connections {
  /** The connection of an instance as its row is now. Throws `connector_version_unavailable`. */
  of(row: InstanceRow): Promise<Connection>
  /** The same connection at once, where it was used with this very row before; null: ask `of`. */
  known(row: InstanceRow): Connection | null
  /** After a change of credentials or settings, or the end of the instance. */
  forget(instanceId: string): void
  /** Waits for refreshes under way. */
  close(): Promise<void>
}

export interface ConnectionPorts {
  readonly catalogue: Catalogue
  readonly store: Store
  readonly vault: Vault
  readonly transport: Transport
  readonly clock: Clock
  /** What all instances know together of the origins they call. */
  readonly reachability: Reachability
  readonly oauthClients: Readonly<Record<string, OAuthClient>>
  readonly operatorClients: OperatorClients
  /** Where a type is served instead of at its vendor; null: nowhere. */
  readonly serverUrlOf: (type: string) => string | null
  /** Whether the rates of the manifests hold. */
  readonly upstreamRates: boolean
  readonly processId: string
  readonly log: ServiceLog
  /** Told of every refresh, for the metrics. */
  readonly observeRefresh: (connectorType: string, result: string, commitMs: number | null) => void
}

interface LinkSealer extends Sealer {
  /** Looks for data keys that were made anew, every few minutes. */
  keep(): Promise<void>
}

const MAX_CONNECTIONS = 2000
const LINK_KEYS_MS = 5 * 60_000

interface Kept {
  /** The row looked at last: most calls come with the same one. */
  row: InstanceRow
  /** What the promise came to. */
  opened: Connection | null
  readonly key: string
  readonly connection: Promise<Connection>
}

/** The connections of one process. */
export function createConnections(ports: ConnectionPorts): Connections {
  const kept = new Map<string, Kept>()
  const budgets = createUpstreamBudgets(ports)
  const leaving = new Set<Promise<void>>()

  async function open(row: InstanceRow): Promise<Connection> {
    const manifest = ports.catalogue.forInstance(row.connectorType, row.connectorVersion)
    const serverUrl = row.serverUrl ?? ports.serverUrlOf(manifest.type)
    const { clock } = ports
    const breaker = new Breaker(clock, ports.reachability)
    const transport = inLane(ports.transport, row.organizationId)
    const budget = budgets.of(manifest, row.id)
    const links = await openLinks(ports, row.id)
    const keeper = createHostedKeeper({
      manifest,
      instance: {
        id: row.id,
        organizationId: row.organizationId,
        authMethod: row.authMethod,
        config: row.config,
      },
      client: ports.oauthClients[manifest.type] ?? null,
      serverUrl,
      store: ports.store,
      vault: ports.vault,
      transport: countedTransport(transport, budget),
      clock,
      processId: ports.processId,
      log: ports.log,
      onRefresh({ outcome, operatorsClient, error, commitMs }) {
        const { type } = manifest
        if (outcome === 'client_refused') ports.operatorClients.refused(type, error ?? outcome)
        else if (outcome === 'tokens' && operatorsClient) ports.operatorClients.accepted(type)
        ports.observeRefresh(type, outcome, commitMs)
      },
    })
    const engine = new Engine({
      manifest,
      transport,
      clock,
      keeper,
      exchange: new Exchange({ clock, budget, breaker }),
      serverUrl,
      sealer: links,
      numbers: 'exact',
    })
    return {
      instanceId: row.id,
      manifest,
      engine,
      keeper,
      budget,
      links,
      lastDoubtAt: Number.NEGATIVE_INFINITY,
      streams: 0,
    }
  }

  function release({ connection }: Kept): void {
    const closing = connection
      .then(({ keeper }) => keeper.close())
      .catch(() => {})
      .finally(() => leaving.delete(closing))
    leaving.add(closing)
  }

  return {
    known(row) {
      const known = kept.get(row.id)
      return known?.row === row ? known.opened : null
    },
    async of(row) {
      const known = kept.get(row.id)
      const key = keyOf(row)
      if (known?.key === key) {
        known.row = row
        const connection = await known.connection
        await connection.links.keep()
        return connection
      }
      if (known !== undefined) release(known)
      const entry: Kept = { row, opened: null, key, connection: open(row) }
      kept.delete(row.id)
      kept.set(row.id, entry)
      entry.connection.catch(() => {
        if (kept.get(row.id) === entry) kept.delete(row.id)
      })
      const [oldest] = kept
      if (kept.size > MAX_CONNECTIONS && oldest !== undefined) {
        kept.delete(oldest[0])
        release(oldest[1])
      }
      return (entry.opened = await entry.connection)
    },
    forget(instanceId) {
      const known = kept.get(instanceId)
      if (known === undefined) return
      kept.delete(instanceId)
      release(known)
    },
    async close() {
      for (const entry of kept.values()) release(entry)
      kept.clear()
      await Promise.all(leaving)
      await budgets.close()
    },
  }
}

/** A sealer that outlives the data keys it seals under. */
async function openLinks({ vault, clock }: ConnectionPorts, id: string): Promise<LinkSealer> {
  let sealer: Sealer
  let until: number
  async function look(): Promise<void> {
    sealer = createSealer(...(await vault.deriveKeys(id, 'page-links')))
    until = clock.monotonic() + LINK_KEYS_MS
  }
  await look()
  return {
    seal: (text, purpose) => sealer.seal(text, purpose),
    open: (sealed, purpose) => sealer.open(sealed, purpose),
    async keep() {
      // A store that is away is no reason to refuse a call: the keys so far go on.
      if (clock.monotonic() >= until) await look().catch(() => (until += LINK_KEYS_MS))
    },
  }
}

/** What a connection is made of: with anything else changed the same one goes on. */
function keyOf(row: InstanceRow): string {
  return JSON.stringify([
    row.connectorVersion,
    row.authMethod,
    row.config,
    row.serverUrl,
    row.credentialEpoch,
  ])
}

/** A transport whose calls take turns with those of others. */
function inLane(transport: Transport, lane: string): Transport {
  return {
    send: (request, options) => transport.send(request, { ...options, lane }),
    stream: (request, options) => transport.stream(request, { ...options, lane }),
    close: () => transport.close(),
  }
}
