// Subscriptions at vendors, one per instance: made, made to last, made again after changes, ended with the instance.
//
// The row is stored before anything is sent, and every change names the version that it replaces. What an attempt left
// behind whose answer was lost is found by the vendor's own list, and ended before another one is made; so there are never
// two, whatever process ends when. A process that was overtaken ends what it made.
import { createHash, randomBytes } from 'node:crypto'
import { ConnectorError, isConnectorError } from '../../errors.ts'
import { compileMethod } from '../../engine/credentials/method-kit.ts'
import { Secret } from '../../engine/credentials/redact.ts'
import {
  type CompiledSubscription,
  compileSubscription,
  isGone,
  type Subscriber,
} from '../../engine/credentials/subscription.ts'
import { canonicalJson } from '../../language/json/canonical-json.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import type { ServiceBase } from '../base.ts'
import type { OpenCredentials } from '../credentials/sealed-credentials.ts'
import type { Connection, Connections } from '../instances/connections.ts'
import type { States } from '../instances/states.ts'
import type { Job, JobContext, JobQueue } from '../jobs/store-queue.ts'
import { codeOf } from '../log.ts'
import { timeOrNull, timeText } from '../store/instance-view.ts'
import type { InstanceRow } from '../store/instances.ts'
import type { SubscriptionInput, SubscriptionRow } from '../store/subscriptions.ts'
import { within } from '../within.ts'
import { webhookAddress } from './address.ts'
import { type KeptSubscription, openSubscription, sealSubscription } from './sealed-subscription.ts'
import { provingSecrets, type SharedSecrets } from './shared-secrets.ts'

export interface SubscriptionsPorts extends Pick<
  ServiceBase,
  'store' | 'vault' | 'clock' | 'log' | 'catalogue' | 'publicUrl' | 'oauthClients' | 'serverUrlOf'
> {
  readonly queue: Pick<JobQueue, 'enqueue'>
  readonly connections: Pick<Connections, 'of'>
  readonly states: Pick<States, 'failed'>
  readonly transport: ServiceBase['transport']
  /** Whether vendors can reach the service at its public URL. */
  readonly isPublic: boolean
  readonly webhookSecrets: Readonly<Record<string, SharedSecrets>>
}

/** What ending a subscription may take, in milliseconds. */
export const ENDING_MS = 5_000
const CREDENTIALS_MS = 30_000
/** An instance that is being made, or connected again, is tried out first, and may be refused. */
const SETTLING_MS = 60_000
/** Another process is at it. */
const BUSY_MS = 10_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
/** After a failure: 30 s, 1 min … 1 h. */
const FIRST_PAUSE_MS = 30_000
const MAX_DETAIL = 500

export function subscriptionOf(instanceId: string): Job {
  return { kind: 'subscribe', instanceId, key: '' }
}

/** What is needed to talk to the vendor about the subscription of one instance. */
interface Talk {
  readonly row: InstanceRow
  readonly compiled: CompiledSubscription
  readonly subscriber: Subscriber
  readonly fresh: Awaited<ReturnType<Connection['keeper']['current']>>
  readonly signal: AbortSignal
}

export class Subscriptions {
  readonly #ports: SubscriptionsPorts
  readonly #running = new Set<Promise<void>>()

  constructor(ports: SubscriptionsPorts) {
    this.#ports = ports
  }

  /** Whether the connector of an instance has subscriptions. */
  isMeantFor(row: InstanceRow): boolean {
    return (this.#manifestOf(row)?.webhooks?.subscribe ?? null) !== null
  }

  /** After anything that may have changed what an instance is subscribed with. Never fails. */
  changed(instanceId: string): void {
    const { store, queue, log, catalogue } = this.#ports
    if (!catalogue.manifests.some(({ webhooks }) => webhooks !== undefined && webhooks.subscribe))
      return
    const work = (async (): Promise<void> => {
      const row = await store.instances.find(instanceId)
      if (row !== null && this.isMeantFor(row)) await queue.enqueue(subscriptionOf(instanceId))
    })()
      // What is not noted now is noted by the next plan, within an hour.
      .catch((error: unknown) => {
        const facts = { connector_id: instanceId, code: codeOf(error) }
        log.warn(facts, 'a subscription to webhooks waits for its next turn')
      })
      .finally(() => this.#running.delete(work))
    this.#running.add(work)
  }

  /** Brings the subscription of an instance to what it should be; the milliseconds until it is looked at again. */
  async run({ instanceId }: Job, { signal }: Pick<JobContext, 'signal'>): Promise<number | null> {
    const row = await this.#ports.store.instances.find(instanceId)
    if (row === null || !this.isMeantFor(row)) return null
    const waitMs = this.#settlesIn(row)
    if (waitMs > 0) return waitMs
    let connection: Connection | null = null
    try {
      connection = await this.#ports.connections.of(row)
      return await this.#settleRenewed(row, connection, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (!isConnectorError(error) || error.code === 'store_unavailable') throw error
      if (connection !== null) await this.#ports.states.failed(row, connection, error)
      return await this.#noteFailure(row, error)
    }
  }

  /**
   * Ends the subscription of an instance that is about to be deleted, in five seconds or not at all. Null: it has none;
   * else `done`, or the code of what went wrong. Never fails.
   */
  async end(row: InstanceRow): Promise<string | null> {
    const { store, vault, clock, connections } = this.#ports
    const over = new AbortController()
    const work = async (): Promise<string> => {
      const known = await store.subscriptions.find(row.id)
      if (known === null || !this.isMeantFor(row)) return NOTHING
      const kept = await openSubscription(vault, known)
      // A process that is making one meanwhile finds that it was overtaken.
      await this.#put({ ...known, state: 'ending' }, kept, known.version)
      const talk = await this.#talk(row, await connections.of(row), over.signal)
      if (kept !== null) await this.#removeKept(talk, kept)
      if (known.state !== 'active') await this.#removeLost(talk)
      return 'done'
    }
    const outcome = await within(clock, ENDING_MS, work().catch(codeOf)).catch(codeOf)
    over.abort()
    return outcome === NOTHING ? null : (outcome ?? 'upstream_timeout')
  }

  /** Ends what was made with credentials that were replaced, with these, in five seconds or not at all. Never fails. */
  async endWith(before: InstanceRow, old: OpenCredentials): Promise<void> {
    const { store, vault, clock, log } = this.#ports
    const manifest = this.#manifestOf(before)
    if (manifest === null || !this.isMeantFor(before)) return
    const work = async (): Promise<void> => {
      const kept = await openSubscription(vault, await store.subscriptions.find(before.id))
      if (kept === null || !kept.isMade || kept.epoch !== before.credentialEpoch) return
      const method = manifest.auth.find(({ name }) => name === before.authMethod) ?? null
      const ports = this.#methodPorts(before)
      const kit = compileMethod(manifest, method, ports)
      const { config } = kept
      const session = new Secret(old.session)
      const material = { credentials: new Secret(old.credentials), session, config }
      const subscriber = this.#subscriberOf(before, kit.scopeOf(material), kit.appliedOf(material))
      await compileSubscription(manifest, method, ports)?.remove(subscriber, kept.values)
    }
    await within(clock, ENDING_MS, work()).catch((error: unknown) => {
      const facts = { connector_id: before.id, code: codeOf(error) }
      log.warn(facts, 'a subscription of former credentials could not be ended')
    })
  }

  /** What host apps see of it, next to the address. */
  async status(row: InstanceRow): Promise<JsonObject> {
    const url = this.#addressOf(row)
    if (!this.isMeantFor(row)) return { url, subscription: null }
    const known = await this.#ports.store.subscriptions.find(row.id)
    if (known === null) return { url, subscription: NO_SUBSCRIPTION }
    const { state, expiresAt, problem, updatedAt } = known
    const times = { expires_at: timeOrNull(expiresAt), updated_at: timeText(updatedAt) }
    return { url, subscription: { state, problem, ...times } }
  }

  async close(): Promise<void> {
    await Promise.all(this.#running)
  }

  /** Settles it, once more with new credentials where the vendor refuses the ones that there are. */
  async #settleRenewed(
    row: InstanceRow,
    connection: Connection,
    signal: AbortSignal,
  ): Promise<number> {
    const talk = await this.#talk(row, connection, signal)
    try {
      return await this.#settle(talk)
    } catch (error) {
      const { fresh } = talk
      if (!isConnectorError(error, 'credentials_refused') || !fresh.renewable) throw error
      await connection.keeper.renew(fresh, this.#deadline(), signal)
      return await this.#settle(await this.#talk(row, connection, signal))
    }
  }

  async #settle(talk: Talk): Promise<number> {
    const { store, vault, clock, isPublic } = this.#ports
    const { row, compiled, subscriber } = talk
    const known = await store.subscriptions.find(row.id)
    const kept = await openSubscription(vault, known)
    const now = clock.now()
    if (known?.state === 'ending' && now - known.updatedAt < SETTLING_MS) return SETTLING_MS
    if (!compiled.isWanted(subscriber.scope)) {
      if (known !== null) {
        if (kept !== null) await this.#removeKept(talk, kept)
        if (known.state !== 'active') await this.#removeLost(talk)
        await store.subscriptions.remove(row.id, known.version)
      }
      return DAY_MS
    }
    if (!isPublic) throw notPublic()
    const madeFor = this.#markOf(row)
    const isFine = known?.state === 'active' && known.madeFor === madeFor
    if (!isFine || known === null || kept === null) return await this.#make(talk, known, kept)
    const { renewAt, expiresAt } = known
    if (renewAt === null || now < renewAt) return Math.min(DAY_MS, (renewAt ?? Infinity) - now)
    const isOver = expiresAt !== null && expiresAt <= now
    const renewed = isOver ? null : await this.#renew(talk, known, kept)
    return renewed ?? (await this.#make(talk, known, kept))
  }

  async #make(
    talk: Talk,
    known: SubscriptionRow | null,
    before: KeptSubscription | null,
  ): Promise<number> {
    const { row, compiled, subscriber, signal } = talk
    if (before !== null) await this.#removeKept(talk, before)
    const url = this.#addressOf(row)
    const made = { url, config: row.config, epoch: row.credentialEpoch }
    const values = { secret: randomBytes(32).toString('base64url') }
    const version = known?.version ?? 0
    const input = {
      instanceId: row.id,
      madeFor: this.#markOf(row),
      expiresAt: null,
      renewAt: null,
      problem: known?.problem ?? null,
      failures: known?.failures ?? 0,
    }
    const intent = { ...input, state: 'making' } as const
    if (!(await this.#put(intent, { ...made, values, isMade: false }, version))) return BUSY_MS
    await this.#removeLost(talk)
    signal.throwIfAborted()
    const { values: stored, lastsMs } = await compiled.create(subscriber, values.secret)
    const done = { ...input, ...FINE, ...this.#timesOf(lastsMs) }
    const kept = { ...made, values: stored, isMade: true }
    if (await this.#put(done, kept, version + 1)) {
      this.#tell(row, 'the vendor sends webhooks of an instance')
      return lastsMs === null ? DAY_MS : Math.min(DAY_MS, pauseOf(lastsMs))
    }
    // Another process has taken over, or the instance is gone: there may be one only.
    await this.#removeKept(talk, kept)
    return BUSY_MS
  }

  /** Null: the vendor does not have it any more, or has no request for this. */
  async #renew(
    { row, compiled, subscriber }: Talk,
    known: SubscriptionRow,
    kept: KeptSubscription,
  ): Promise<number | null> {
    if (compiled.renew === null) return null
    try {
      const { lastsMs } = await compiled.renew(subscriber, kept.values)
      const next = { ...known, ...FINE, ...this.#timesOf(lastsMs) }
      if (!(await this.#put(next, kept, known.version))) return BUSY_MS
      this.#tell(row, 'a subscription to webhooks was renewed')
      return lastsMs === null ? DAY_MS : Math.min(DAY_MS, pauseOf(lastsMs))
    } catch (error) {
      if (isGone(error)) return null
      throw error
    }
  }

  /** Ends it with what it was made with; where the answer to that was lost, what the vendor has of the same address. */
  async #removeKept(talk: Talk, kept: KeptSubscription): Promise<void> {
    const { row, compiled, subscriber } = talk
    const { applied, scope } = subscriber
    const webhook = { ...scope.webhook, url: kept.url }
    const then = { applied, scope: { ...scope, config: kept.config, webhook } }
    try {
      if (kept.isMade) await compiled.remove(then, kept.values)
      else await this.#removeLost({ compiled, subscriber: then })
    } catch (error) {
      // Of another account, which these credentials do not reach.
      const isOthers = kept.epoch !== row.credentialEpoch
      if (!isOthers || !isConnectorError(error) || !OUT_OF_REACH.has(error.code)) throw error
    }
  }

  /** Ends what nobody knows of: the answer to a request was lost, or could not be read. */
  async #removeLost({
    compiled,
    subscriber,
  }: Pick<Talk, 'compiled' | 'subscriber'>): Promise<void> {
    for (const values of await compiled.find(subscriber)) await compiled.remove(subscriber, values)
  }

  async #noteFailure(row: InstanceRow, error: ConnectorError): Promise<number> {
    const { store, vault, clock, log } = this.#ports
    const known = await store.subscriptions.find(row.id)
    const kept = await openSubscription(vault, known)
    const failures = (known?.failures ?? 0) + 1
    const { expiresAt = null, renewAt = null, madeFor = '' } = known ?? {}
    const isOver = expiresAt !== null && expiresAt <= clock.now()
    const state = known?.state === 'active' && !isOver ? 'active' : 'failed'
    const problem = { code: error.code, detail: error.message.slice(0, MAX_DETAIL) }
    const next = {
      instanceId: row.id,
      madeFor,
      expiresAt,
      renewAt,
      state,
      problem,
      failures,
    } as const
    if (known?.state !== 'ending') await this.#put(next, kept, known?.version ?? 0)
    const facts = { connector_id: row.id, connector_type: row.connectorType, code: error.code }
    log.warn({ ...facts, failures }, 'a subscription to webhooks failed; it is tried again')
    const pause = Math.min(HOUR_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10))
    return Math.max(pause, error.retryAfterMs ?? 0)
  }

  /** Stores it in the place of a version, sealed for the next one. */
  async #put(
    input: Omit<SubscriptionInput, 'sealed'>,
    kept: KeptSubscription | null,
    before: number,
  ): Promise<boolean> {
    const { store, vault } = this.#ports
    const { instanceId, state, madeFor, expiresAt, renewAt, problem, failures } = input
    const sealed =
      kept === null ? null : await sealSubscription(vault, instanceId, before + 1, kept)
    const row = { instanceId, state, sealed, madeFor, expiresAt, renewAt, problem, failures }
    return await store.subscriptions.put(row, before)
  }

  #timesOf(lastsMs: number | null): Pick<SubscriptionInput, 'expiresAt' | 'renewAt'> {
    if (lastsMs === null) return { expiresAt: null, renewAt: null }
    const now = this.#ports.clock.now()
    return { expiresAt: now + Math.round(lastsMs), renewAt: now + pauseOf(lastsMs) }
  }

  async #talk(row: InstanceRow, connection: Connection, signal: AbortSignal): Promise<Talk> {
    const { keeper, manifest, transport } = connection
    const fresh = await keeper.current(this.#deadline(), signal)
    const ports = { ...this.#methodPorts(row), transport }
    const compiled = compileSubscription(manifest, fresh.method, ports)
    if (compiled === null) throw new TypeError(`${manifest.type} has no subscriptions`)
    const subscriber = this.#subscriberOf(row, fresh.scope, fresh.applied)
    return { row, compiled, subscriber, fresh, signal }
  }

  #deadline(): number {
    return this.#ports.clock.monotonic() + CREDENTIALS_MS
  }

  #subscriberOf(
    row: InstanceRow,
    scope: Subscriber['scope'],
    applied: Subscriber['applied'],
  ): Subscriber {
    const [shared = {}] = provingSecrets(this.#ports.webhookSecrets[row.connectorType] ?? {})
    return { applied, scope: { ...scope, webhook: { url: this.#addressOf(row), ...shared } } }
  }

  #methodPorts({ organizationId, connectorType: type, serverUrl }: InstanceRow) {
    const { transport, clock, oauthClients, serverUrlOf } = this.#ports
    const client = oauthClients.of(organizationId, type)
    return { transport, clock, client, serverUrl: serverUrl ?? serverUrlOf(type) }
  }

  #addressOf({ connectorType, id }: InstanceRow): string {
    return webhookAddress(this.#ports.publicUrl(), connectorType, id)
  }

  /** What a subscription is made for: with anything else it is made again. */
  #markOf(row: InstanceRow): string {
    const subscribe = this.#manifestOf(row)?.webhooks?.subscribe ?? null
    const { config, serverUrl, credentialEpoch } = row
    const parts = [this.#addressOf(row), config, serverUrl, credentialEpoch, subscribe]
    // The block is plain data.
    const text = canonicalJson(JSON.parse(JSON.stringify(parts)) as Json)
    return createHash('sha256').update(text).digest('base64url')
  }

  #manifestOf({ connectorType: type, connectorVersion: version }: InstanceRow): Manifest | null {
    const { catalogue } = this.#ports
    return catalogue.serves(type, version) ? catalogue.forInstance(type, version) : null
  }

  /** Milliseconds until its credentials are proved, or are looked at again. */
  #settlesIn({ enabled, state, updatedAt }: InstanceRow): number {
    if (!enabled || state === 'disabled' || state === 'auth_error') return HOUR_MS
    if (state === 'active') return 0
    return Math.max(0, updatedAt + SETTLING_MS - this.#ports.clock.now())
  }

  #tell(row: InstanceRow, message: string): void {
    const { log } = this.#ports
    log.info({ connector_id: row.id, connector_type: row.connectorType }, message)
  }
}

/** There was nothing to end. */
const NOTHING = 'nothing'
const FINE = { state: 'active', problem: null, failures: 0 } as const
const NO_SUBSCRIPTION = { state: 'none', problem: null, expires_at: null, updated_at: null }
const OUT_OF_REACH: ReadonlySet<string> = new Set([
  'credentials_refused',
  'upstream_forbidden',
  'upstream_rejected',
])

/** It is renewed when a third of its time is left. */
function pauseOf(lastsMs: number): number {
  return Math.round((lastsMs * 2) / 3)
}

function notPublic(): ConnectorError {
  return new ConnectorError(
    'config_invalid',
    'vendors cannot send webhooks to this service, because it has no public address: set TENON_PUBLIC_URL',
  )
}
