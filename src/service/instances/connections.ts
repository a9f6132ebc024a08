// The running side of instances: one engine each, kept while it is used.
import type { RefreshReport } from '../../engine/credentials/refreshing-keeper.ts'
import { Engine } from '../../engine/engine.ts'
import { Breaker } from '../../engine/exchange/breaker.ts'
import type { Budget } from '../../engine/exchange/budget.ts'
import { countedTransport } from '../../engine/exchange/counted-transport.ts'
import { Exchange } from '../../engine/exchange/call.ts'
import type { Transport } from '../../engine/exchange/transport.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import { createSealer, type Sealer } from '../../engine/run/seal.ts'
import type { InstanceRow } from '../store/instances.ts'
import type { ServiceBase } from '../base.ts'
import { createHostedKeeper, type HostedKeeper } from '../credentials/hosted-keeper.ts'
import { createUpstreamBudgets, type UpstreamBudgets } from './upstream-budgets.ts'

export interface Connection {
  readonly instanceId: string
  readonly manifest: Manifest
  readonly engine: Engine
  readonly keeper: HostedKeeper
  /** For what is no call of an action; what it sends counts all the same. */
  readonly transport: Transport
  readonly budget: Budget
  /**
   * An engine of a manifest that is being worked on, with the same credentials, counted by the same rates. What its rules make of
   * answers, such as a wait for all calls, holds for itself alone; its cursors open at no other engine.
   */
  readonly draftEngine: (manifest: Manifest, around: (transport: Transport) => Transport) => Engine
  /** Seals addresses of next pages. */
  readonly links: LinkSealer
  /** When the check that follows a 401 ran last, in monotonic milliseconds. */
  lastDoubtAt: number
  streams: number
}

export interface ConnectionPorts extends ServiceBase {
  readonly observeRefresh: (connectorType: string, result: string, commitMs: number | null) => void
}

interface LinkSealer extends Sealer {
  /** Looks for renewed data keys, every few minutes. */
  keep(): Promise<void>
}

const MAX_CONNECTIONS = 2000
const LINK_KEYS_MS = 5 * 60_000

interface Kept {
  /** The row looked at last: most calls come with the same one. */
  row: InstanceRow
  /** Of the catalogue and of the OAuth clients. */
  generation: number
  opened: Connection | null
  readonly key: string
  readonly connection: Promise<Connection>
}

export class Connections {
  readonly #ports: ConnectionPorts
  readonly #kept = new Map<string, Kept>()
  readonly #budgets: UpstreamBudgets
  readonly #leaving = new Set<Promise<void>>()

  constructor(ports: ConnectionPorts) {
    this.#ports = ports
    this.#budgets = createUpstreamBudgets(ports)
  }

  /** The connection of this very row, where it was used before; null: ask `of`. */
  known(row: InstanceRow): Connection | null {
    const known = this.#kept.get(row.id)
    const generation = this.#generation()
    return known?.row === row && known.generation === generation ? known.opened : null
  }

  /** The connection of an instance as its row is now. Throws `connector_version_unavailable`. */
  async of(row: InstanceRow): Promise<Connection> {
    const known = this.#kept.get(row.id)
    const { catalogue, oauthClients } = this.#ports
    const generation = this.#generation()
    const { hash, type } = catalogue.forInstance(row.connectorType, row.connectorVersion)
    const key = keyOf(row, hash, oauthClients.markOf(row.organizationId, type))
    if (known?.key === key) {
      known.row = row
      known.generation = generation
      const connection = await known.connection
      await connection.links.keep()
      return connection
    }
    this.forget(row.id)
    const entry: Kept = { row, generation, opened: null, key, connection: this.#open(row) }
    this.#kept.set(row.id, entry)
    entry.connection.catch(() => {
      if (this.#kept.get(row.id) === entry) this.#kept.delete(row.id)
    })
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MAX_CONNECTIONS && oldest !== undefined) this.forget(oldest)
    return (entry.opened = await entry.connection)
  }

  /** After a change of credentials or settings, or the end of the instance. */
  forget(instanceId: string): void {
    const known = this.#kept.get(instanceId)
    if (known === undefined) return
    this.#kept.delete(instanceId)
    const closing = known.connection
      .then(({ keeper }) => keeper.close())
      .catch(() => {})
      .finally(() => this.#leaving.delete(closing))
    this.#leaving.add(closing)
  }

  /** Waits for refreshes under way. */
  async close(): Promise<void> {
    for (const id of this.#kept.keys()) this.forget(id)
    await Promise.all(this.#leaving)
    await this.#budgets.close()
  }

  /** Grows with each change of either. */
  #generation(): number {
    return this.#ports.catalogue.generation + this.#ports.oauthClients.generation
  }

  async #open(row: InstanceRow): Promise<Connection> {
    const { catalogue, clock, reachability } = this.#ports
    const manifest = catalogue.forInstance(row.connectorType, row.connectorVersion)
    const serverUrl = row.serverUrl ?? this.#ports.serverUrlOf(manifest.type)
    const breaker = new Breaker(clock, reachability)
    const transport = inLane(this.#ports.transport, row.organizationId)
    const budget = this.#budgets.of(manifest, row.id)
    const counted = countedTransport(transport, budget)
    const links = await openLinks(this.#ports, row.id)
    const keeper = createHostedKeeper({
      ...this.#ports,
      manifest,
      instance: row,
      client: this.#ports.oauthClients.of(row.organizationId, manifest.type),
      serverUrl,
      transport: counted,
      onRefresh: (report) => this.#tellRefresh(manifest, row, report),
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
    const draftEngine: Connection['draftEngine'] = (draft, around) =>
      new Engine({
        manifest: draft,
        transport: around(transport),
        clock,
        keeper,
        exchange: new Exchange({
          clock,
          budget: { enter: (deadline, signal) => budget.enter(deadline, signal), block() {} },
          breaker: new Breaker(clock),
        }),
        serverUrl,
        sealer: createSealer(),
        numbers: 'text',
      })
    const lastDoubtAt = Number.NEGATIVE_INFINITY
    return {
      instanceId: row.id,
      manifest,
      engine,
      keeper,
      transport: counted,
      budget,
      draftEngine,
      links,
      lastDoubtAt,
      streams: 0,
    }
  }

  #tellRefresh({ type }: Manifest, instance: InstanceRow, report: RefreshReport): void {
    const { outcome, operatorsClient, error, commitMs, tookMs, reason } = report
    const { oauthClients, operatorClients, observeRefresh, logs } = this.#ports
    const client = oauthClients.of(instance.organizationId, type)
    if (outcome === 'client_refused') operatorClients.refused(type, client, error ?? outcome)
    else if (outcome === 'tokens' && operatorsClient) operatorClients.accepted(type, client)
    observeRefresh(type, outcome, commitMs)
    const code = outcome === 'tokens' || outcome === 'dropped' ? null : (error ?? outcome)
    logs.note({ kind: 'refresh', instance, action: reason, code, tookMs, facts: { outcome } })
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
function keyOf(row: InstanceRow, manifestHash: string, client: number): string {
  const { connectorVersion: version, authMethod, config, serverUrl, credentialEpoch: epoch } = row
  return JSON.stringify([manifestHash, version, authMethod, config, serverUrl, epoch, client])
}

/** A transport whose calls take turns with those of others. */
function inLane(transport: Transport, lane: string): Transport {
  return {
    send: (request, options) => transport.send(request, { ...options, lane }),
    stream: (request, options) => transport.stream(request, { ...options, lane }),
    close: () => transport.close(),
  }
}
