// Instances: created, changed, checked and deleted.
import { marginOf } from '../../engine/credentials/refresh-state.ts'
import { bodyText } from '../body-text.ts'
import {
  ConnectorError,
  type ErrorCode,
  isConnectorError,
  isNodeAway,
  problemError,
  raiseOutcome,
} from '../../errors.ts'
import { REVOCATION_MS } from '../../engine/credentials/method-kit.ts'
import { worksWithoutCredentials } from '../../engine/credentials/choose-method.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import type { CheckResult } from '../../engine/run/check.ts'
import type { AuditAction } from '../../display/audit-actions.ts'
import type { AuditEntry } from '../store/audit.ts'
import type { CredentialInput } from '../store/credentials.ts'
import type { InstancePatch, InstanceRow } from '../store/instances.ts'
import { uuidv7 } from '../store/uuid.ts'
import type { ServiceBase } from '../base.ts'
import { majorOf } from '../catalogue.ts'
import {
  openCredentials,
  type OpenCredentials,
  sealCredentials,
} from '../credentials/sealed-credentials.ts'
import {
  type NamedConsent,
  readOAuthSecret,
  secretRefused,
  type TokenLife,
} from '../oauth/oauth-secret.ts'
import {
  ownerOf,
  type Principal,
  requireAnyInstance,
  requireType,
  requireUser,
} from '../tokens/principal.ts'
import { auditOf } from '../audit.ts'
import { codeOf } from '../log.ts'
import { changedMembers } from './changed-members.ts'
import type { Connections } from './connections.ts'
import {
  changedConfig,
  type InstanceInput,
  otherThanDefault,
  readInstanceInput,
  settingsIn,
} from './input.ts'
import { type LoggedCheck, loggedCheck } from './logged-check.ts'
import { instanceUnknown } from './rows.ts'
import type { Subscriptions } from '../vendor-webhooks/subscriptions.ts'
import { within } from '../within.ts'
import { disabled, type States } from './states.ts'
import { readSyncInput } from './sync-input.ts'

export interface InstancePorts extends ServiceBase {
  readonly states: States
  readonly connections: Connections
  readonly subscriptions: Pick<Subscriptions, 'end' | 'endWith'>
  readonly allowServerUrl: boolean
  /** Told of everything that may start, stop or change the syncs of an instance. */
  readonly syncsChanged: (instanceId: string) => void
  /** Told of other settings of its syncs, and of nothing else. */
  readonly syncsRescheduled: (before: InstanceRow, row: InstanceRow) => Promise<void>
}

export interface ChangeOptions {
  readonly requestId: string
  readonly signal: AbortSignal
  /** Whether the credentials are tried at the third party; default true. */
  readonly check?: boolean
  /** Whether all settings were chosen when the consent began, defaults included; default false. */
  readonly consentSettles?: boolean
  /**
   * Whether new credentials which could not be tried leave those of an active instance as they were, with the error that
   * the try met; default false: they take their place, and the instance is `pending`. A consent has been tried already.
   */
  readonly keepsProved?: boolean
  /** When the instance was changed last, as the caller knows it; another time is `precondition_failed`. */
  readonly unchangedSince?: number
}

/** A change of an instance that gets new credentials. */
interface Reconnection {
  readonly principal: Principal
  readonly before: InstanceRow
  readonly manifest: Manifest
  readonly body: JsonObject
  readonly patch: InstancePatch
  readonly options: ChangeOptions
  readonly audit: AuditEntry
}

type ConsentSecret = NamedConsent['secret']

const CHECK_TIMEOUT_MS = 10_000
/** Errors of a check that say that the instance can never work as it was described. */
const USELESS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'config_invalid',
  'credentials_invalid',
  'destination_refused',
])

/** With every second node away, one of so many ids is fine, but for a chance of 1 in 100. */
const MAX_IDS = 16

export class Instances {
  readonly #ports: InstancePorts

  constructor(ports: InstancePorts) {
    this.#ports = ports
  }

  async create(
    principal: Principal,
    body: JsonObject,
    options: ChangeOptions,
  ): Promise<InstanceRow> {
    const { catalogue, clock, store, allowServerUrl, syncsChanged } = this.#ports
    const externalUserId = bodyText(body, 'external_user_id')
    requireUser(principal, externalUserId)
    requireAnyInstance(principal)
    const manifest = catalogue.get(bodyText(body, 'connector_type'))
    requireType(principal, manifest.type)
    const mayBeNone = worksWithoutCredentials(manifest)
    requireOneForm(body, mayBeNone)
    requireUsedMethod(body, mayBeNone)
    const serverUrl = serverUrlIn(body, allowServerUrl)
    const { config, replicationConfig } = settingsIn(body)
    const { input, grantedScopes, life, secret } = await this.#readInput(
      principal,
      manifest,
      body,
      {
        externalUserId,
        configWith: (consented) => ({ ...consented, ...config }),
        replicationConfig,
        serverUrl,
      },
    )
    const now = clock.now()
    const columns: Omit<InstanceRow, 'id'> = {
      organizationId: principal.organizationId,
      externalUserId,
      connectorType: manifest.type,
      connectorVersion: manifest.version,
      name: bodyText(body, 'name'),
      state: 'pending',
      stateReason: null,
      enabled: true,
      authMethod: input.method?.name ?? null,
      grantedScopes,
      config: input.config,
      replicationConfig,
      sync: readSyncInput(body, manifest, { enabled: true }),
      serverUrl,
      credentialEpoch: 1,
      createdAt: now,
      updatedAt: now,
      lastCheckedAt: null,
      nextRefreshAt: null,
    }
    const insert = async (id: string) => {
      const row: InstanceRow = { id, ...columns }
      const inserted = await store.instances
        .insert(row, await this.#seal({ id, generation: 1 }, input, life), {
          oauthSecretHash: secret?.hash ?? null,
          audit: auditInstance(principal, options, 'instance.create', {
            id,
            members: Object.keys(body),
          }),
        })
        .catch((error: unknown) => this.#findAgain(id, error))
      return { row, inserted }
    }
    const { row, inserted } = await insert(uuidv7(now)).catch(async (error: unknown) => {
      if (!isConnectorError(error) || !isNodeAway(error) || error.outcome === 'uncertain')
        throw error
      return await insert(await this.#idThatAnswers(now, error))
    })
    if (inserted !== 'inserted') throw secretRefused(inserted)
    if (options.check !== false) return await this.#settleNew(principal, row, secret, options)
    syncsChanged(row.id)
    return row
  }

  async update(
    principal: Principal,
    id: string,
    body: JsonObject,
    options: ChangeOptions,
  ): Promise<InstanceRow> {
    const isMerged =
      isJsonObject(body['sync']) &&
      options.unchangedSince === undefined &&
      !FORMS.some((name) => body[name] !== undefined)
    if (!isMerged) return await this.#update(principal, id, body, options)
    // What is set of syncs goes into what is there: of two changes at once, the later one keeps what the earlier one set.
    for (let attempt = 1; ; attempt += 1) {
      const { updatedAt: unchangedSince } = await this.#ports.rows.read(principal, id)
      try {
        return await this.#update(principal, id, body, { ...options, unchangedSince })
      } catch (error) {
        const isLate = isConnectorError(error, 'precondition_failed')
        if (!isLate || attempt === MAX_MERGES) throw error
      }
    }
  }

  async #update(
    principal: Principal,
    id: string,
    body: JsonObject,
    options: ChangeOptions,
  ): Promise<InstanceRow> {
    const { catalogue, rows, store, syncsChanged, syncsRescheduled } = this.#ports
    const before = await rows.read(principal, id)
    requireUnchanged(before, options)
    const { connectorType: type, connectorVersion } = before
    const { connector_version: wanted } = body
    const manifest =
      typeof wanted === 'string'
        ? catalogue.version(type, wanted)
        : catalogue.forInstance(type, connectorVersion)
    const patch = patchOf(body, before, manifest)
    const members = changedMembers(body, before, patch)
    const audit = auditInstance(principal, options, 'instance.update', { id, members })
    requireUsedMethod(body, false)
    if (FORMS.some((name) => body[name] !== undefined)) {
      requireOneForm(body, false)
      return await this.#reconnect({ principal, before, manifest, body, patch, options, audit })
    }
    const touchesSettings =
      body['config'] !== undefined ||
      body['replication_config'] !== undefined ||
      patch.connectorVersion !== undefined
    const config = touchesSettings ? await this.#changeSettings(before, manifest, body) : undefined
    const row = await store.instances.update(
      ownerOf(principal),
      id,
      {
        ...patch,
        ...(config === undefined ? {} : { config }),
        unchangedSince: options.unchangedSince,
      },
      audit,
    )
    this.#forget(id)
    if (row === null) throw goneMeanwhile(options)
    if (row.enabled !== before.enabled || config !== undefined) syncsChanged(id)
    else if (patch.sync !== undefined) await syncsRescheduled(before, row)
    return row
  }

  async remove(principal: Principal, id: string, options: ChangeOptions): Promise<void> {
    const { rows, store } = this.#ports
    const row = await rows.read(principal, id)
    const { unchangedSince } = options
    requireUnchanged(row, options)
    // Of two that have read the same one asks the vendor, and the other nobody.
    if (
      unchangedSince !== undefined &&
      !(await store.instances.claim(ownerOf(principal), row.id, unchangedSince))
    ) {
      this.#forget(row.id)
      throw goneMeanwhile(options)
    }
    // Both need the credentials, and the second one ends them.
    await this.#unsubscribe(principal, row, options)
    await this.#revoke(principal, row, options)
    const audit = auditInstance(principal, options, 'instance.delete', row)
    if (!(await store.instances.delete(ownerOf(principal), row.id, audit))) throw instanceUnknown()
    this.#forget(row.id)
  }

  async check(
    principal: Principal,
    id: string,
    { timeoutMs, signal, requestId }: ChangeOptions & { readonly timeoutMs: number },
  ): Promise<LoggedCheck & { readonly row: InstanceRow; readonly checkedAt: number }> {
    const { clock, rows, states, connections } = this.#ports
    const row = await rows.read(principal, id)
    if (!row.enabled) throw disabled()
    const told = (outcome: string): Promise<void> =>
      this.#record('instance.check', principal, { id, outcome }, { requestId })
    const tryOut = async (): Promise<LoggedCheck> =>
      await loggedCheck(this.#ports, await connections.of(row), {
        instance: row,
        reason: 'asked',
        clientId: principal.clientId,
        requestId,
        timeoutMs,
        signal,
      })
    const result = await tryOut().catch(async (error: unknown) => {
      await told(codeOf(error))
      throw error
    })
    await told(result.error?.code ?? 'done')
    await states.checked(row, result, { principal, requestId })
    rows.forget(id)
    const now = await rows.read(principal, id)
    const isNoted = result.result !== 'inconclusive' && now.lastCheckedAt !== null
    return { ...result, row: now, checkedAt: isNoted ? now.lastCheckedAt : clock.now() }
  }

  /** Ends the subscription to the vendor's webhooks. Whatever comes of it, the instance can be deleted. */
  async #unsubscribe(
    principal: Principal,
    row: InstanceRow,
    options: ChangeOptions,
  ): Promise<void> {
    const outcome = await this.#ports.subscriptions.end(row)
    if (outcome === null) return
    await this.#record('instance.unsubscribe', principal, { id: row.id, outcome }, options)
  }

  /** Ends what the credentials gave at the third party. Whatever comes of it, the instance can be deleted. */
  async #revoke(principal: Principal, row: InstanceRow, options: ChangeOptions): Promise<void> {
    const { catalogue, clock, connections } = this.#ports
    const { id, connectorType, connectorVersion } = row
    if (!catalogue.serves(connectorType, connectorVersion)) return
    const { auth } = catalogue.forInstance(connectorType, connectorVersion)
    const method = auth.find(({ name }) => name === row.authMethod)
    if (method?.revoke === undefined) return
    const work = connections.of(row).then(({ keeper }) => keeper.withdraw())
    const outcome = await within(clock, REVOCATION_MS, work).then(
      (isDone) => (isDone === null ? 'upstream_timeout' : 'done'),
      codeOf,
    )
    await this.#record('instance.revoke', principal, { id, outcome }, options)
  }

  async #record(
    action: AuditAction,
    principal: Principal,
    about: { readonly id: string; readonly outcome: string },
    options: Pick<ChangeOptions, 'requestId'>,
  ): Promise<void> {
    const { records, store } = this.#ports
    const audit = auditInstance(principal, options, action, about)
    const facts = { request_id: options.requestId, record: action }
    await records.attempt(facts, () => store.audit.append(audit))
  }

  #forget(id: string): void {
    this.#ports.rows.forget(id)
    this.#ports.connections.forget(id)
  }

  async #readInput(
    principal: Principal,
    manifest: Manifest,
    body: JsonObject,
    options: {
      readonly externalUserId: string
      /** The settings, with those that a consent brought; none without one. */
      readonly configWith: (consented: JsonObject) => JsonObject
      readonly replicationConfig: JsonObject | null
      readonly serverUrl: string | null
    },
  ) {
    const { externalUserId, configWith, replicationConfig, serverUrl } = options
    const { credentials, server_side_oauth_secret_id: secretId, auth_method: authMethod } = body
    const wanted = { externalUserId, connectorType: manifest.type }
    const { config, ...given } =
      typeof secretId === 'string'
        ? await readOAuthSecret(this.#ports, principal, { ...wanted, secret: secretId })
        : {
            credentials: isJsonObject(credentials) ? credentials : {},
            authMethod: typeof authMethod === 'string' ? authMethod : undefined,
            config: {},
            grantedScopes: null,
            life: null,
            secret: null,
          }
    const settings = { config: configWith(config), replicationConfig, serverUrl }
    return { ...given, input: readInstanceInput(manifest, { ...given, ...settings }) }
  }

  /** `life`: of the access token of a consent; null: nothing is known of it. */
  async #seal(
    place: { readonly id: string; readonly generation: number },
    { credentials }: InstanceInput,
    life: TokenLife | null,
  ): Promise<CredentialInput> {
    const { vault, clock } = this.#ports
    const times =
      life === null
        ? { expiresAt: null }
        : {
            expiresAt: life.receivedAt + life.lifeMs,
            receivedAt: life.receivedAt,
            marginMs: marginOf(life.lifeMs, clock.random()),
          }
    return await sealCredentials(vault, place, { credentials, session: {}, ...times })
  }

  /** What is found of credentials that are not kept, `isUndone`, is not told as of the instance. */
  async #tryOut(
    row: InstanceRow,
    by: {
      readonly reason: 'connected' | 'reconnected'
      readonly principal: Principal
      readonly options: ChangeOptions
    },
    isUndone: (result: CheckResult) => boolean,
  ): Promise<CheckResult> {
    const { reason, principal, options } = by
    return await loggedCheck(this.#ports, await this.#ports.connections.of(row), {
      instance: row,
      reason,
      clientId: principal.clientId,
      requestId: options.requestId,
      timeoutMs: CHECK_TIMEOUT_MS,
      signal: options.signal,
      isLogged: (result) => !isUndone(result),
    })
  }

  /**
   * Where the rows of an instance lie follows from its id: one for a new instance whose rows, and whose bucket of jobs, lie
   * on nodes that answer. Throws `error` where none is found.
   */
  async #idThatAnswers(now: number, error: unknown): Promise<string> {
    const { instances, jobs } = this.#ports.store
    for (let tried = 0; tried < MAX_IDS; tried++) {
      const id = uuidv7(now)
      try {
        await Promise.all([instances.find(id), jobs.list(id)])
        return id
      } catch (away) {
        if (!isNodeAway(away)) throw away
      }
    }
    throw error
  }

  /** The answer of an insert was lost: whether the instance is there says what it was. */
  async #findAgain(id: string, error: unknown): Promise<'inserted'> {
    if (!isConnectorError(error, 'store_unavailable')) throw error
    const found = await this.#ports.store.instances.find(id).catch(() => undefined)
    if (found === undefined) throw raiseOutcome(error, 'uncertain')
    if (found === null) throw error
    return 'inserted'
  }

  /** After the insert: the check decides whether the instance stays, and in which state. */
  async #settleNew(
    principal: Principal,
    row: InstanceRow,
    secret: ConsentSecret | null,
    options: ChangeOptions,
  ): Promise<InstanceRow> {
    const { store, states, rows, syncsChanged } = this.#ports
    const erase = async (): Promise<void> => {
      const audit = auditInstance(principal, options, 'instance.refused', row)
      await store.instances.delete(ownerOf(principal), row.id, audit).catch(notUndone)
      this.#forget(row.id)
    }
    let result: CheckResult
    try {
      result = await this.#tryOut(row, { reason: 'connected', principal, options }, isRefused)
    } catch (error) {
      const credential = await store.credentials.read(row.id).catch(notUndone)
      await erase()
      if (credential?.generation === 1) await this.#giveBack(principal, secret)
      throw error
    }
    if (isRefused(result)) {
      const credential = await store.credentials.read(row.id).catch(notUndone)
      // A single-use token that was rotated by the check is the user's only one: erasing it would burn it.
      if (credential === null || credential.generation === 1) {
        await erase()
        if (result.error.code === 'config_invalid') await this.#giveBack(principal, secret)
        throw result.error
      }
    }
    await states.checked(row, result, { principal, requestId: options.requestId })
    // Nothing was found out: its state is not another one, and its copies are begun all the same.
    if (result.result === 'inconclusive') syncsChanged(row.id)
    rows.forget(row.id)
    // It is there, and as it was made, also while the store says nothing more of it.
    return await rows.read(principal, row.id).catch((error: unknown) => {
      if (isConnectorError(error, 'store_unavailable')) return row
      throw error
    })
  }

  /** The consent was fine, and what failed was not: the user need not consent again. */
  async #giveBack({ organizationId }: Principal, secret: ConsentSecret | null): Promise<void> {
    if (secret === null) return
    await this.#ports.store.oauthSecrets.putBack(organizationId, secret.hash, secret.sealed)
  }

  /** New credentials for an instance that stays the same one. When they are refused, the old ones come back. */
  async #reconnect(change: Reconnection): Promise<InstanceRow> {
    const { principal, before, manifest, body, patch, options, audit } = change
    const { vault, store } = this.#ports
    const { unchangedSince } = options
    const given = settingsIn(body)
    const { input, grantedScopes, life, secret } = await this.#readInput(
      principal,
      manifest,
      body,
      {
        externalUserId: before.externalUserId,
        configWith: (consented) => {
          const chosen =
            options.consentSettles === true ? consented : otherThanDefault(manifest, consented)
          const settings = { ...consented, ...before.config, ...chosen }
          return changedConfig(manifest, settings, given.config)
        },
        replicationConfig: given.replicationConfig ?? before.replicationConfig,
        serverUrl: before.serverUrl,
      },
    )
    const old = await openCredentials(vault, store, before.id)
    const replaced = await store.credentials.replace(
      ownerOf(principal),
      before.id,
      {
        seal: (generation) => this.#seal({ id: before.id, generation }, input, life),
        config: input.config,
        authMethod: input.method?.name ?? null,
        grantedScopes,
        oauthSecretHash: secret?.hash ?? null,
        patch,
        ...(unchangedSince === undefined ? {} : { unchangedSince }),
      },
      audit,
    )
    this.#forget(before.id)
    if (replaced === 'changed') throw changedMeanwhile()
    if (replaced === 'instance_unknown') throw goneMeanwhile(options)
    if (replaced !== 'replaced') throw secretRefused(replaced)
    return await this.#settleChanged(change, old, secret).catch(notUndone)
  }

  async #settleChanged(
    change: Reconnection,
    old: OpenCredentials | null,
    secret: ConsentSecret | null,
  ): Promise<InstanceRow> {
    const { rows, store, states, subscriptions, syncsChanged } = this.#ports
    const { principal, options, before } = change
    const { id } = before
    const row = await rows.read(principal, id)
    let result: CheckResult | null = null
    if (options.check !== false && row.enabled) {
      const keepsOld = options.keepsProved === true && before.state === 'active' && secret === null
      const isUndone = (found: CheckResult): boolean =>
        isRefused(found) || (keepsOld && found.result === 'inconclusive')
      result = await this.#tryOut(row, { reason: 'reconnected', principal, options }, isUndone)
      const now = await store.credentials.read(id)
      const { error } = result
      if (
        error !== null &&
        isUndone(result) &&
        old !== null &&
        now?.generation === old.generation + 1
      ) {
        await this.#putBack(change, old)
        if (error.code === 'config_invalid') await this.#giveBack(principal, secret)
        throw error
      }
    }
    // Before the next one is made, which the new state may cause.
    if (old !== null) await subscriptions.endWith(before, old)
    if (result !== null)
      await states.checked(row, result, { principal, requestId: options.requestId })
    this.#forget(id)
    syncsChanged(id)
    return await rows.read(principal, id)
  }

  async #putBack(
    { principal, before, patch, audit }: Reconnection,
    old: OpenCredentials,
  ): Promise<void> {
    const { store, vault } = this.#ports
    const { id, config, authMethod, grantedScopes } = before
    await store.credentials.replace(
      ownerOf(principal),
      id,
      {
        seal: (generation) => sealCredentials(vault, { id, generation }, old),
        config,
        authMethod,
        grantedScopes,
        oauthSecretHash: null,
        patch: valuesBefore(patch, before),
        state: before,
      },
      { ...audit, action: PUT_BACK },
    )
    this.#forget(id)
  }

  async #presentCredentials(before: InstanceRow, manifest: Manifest): Promise<JsonObject> {
    const { connections, vault, store } = this.#ports
    if (majorOf(manifest.version) === majorOf(before.connectorVersion)) {
      const connection = await connections.of(before)
      return (await connection.keeper.peek()).credentials
    }
    // The version that it comes from need not be loaded any more.
    return (await openCredentials(vault, store, before.id))?.credentials ?? {}
  }

  async #changeSettings(
    before: InstanceRow,
    manifest: Manifest,
    body: JsonObject,
  ): Promise<JsonObject> {
    const { config, replicationConfig } = settingsIn(body)
    return readInstanceInput(manifest, {
      credentials: await this.#presentCredentials(before, manifest),
      authMethod: before.authMethod ?? undefined,
      config: changedConfig(manifest, before.config, config),
      replicationConfig,
      serverUrl: before.serverUrl,
    }).config
  }
}

/** The error of a change that was meant for something else than what is there. */
export function changedMeanwhile(): ConnectorError {
  return new ConnectorError(
    'precondition_failed',
    'the instance has changed since it was read; read it again, and decide again',
  )
}

/** Of an instance that was there when the change began, and is not any more as it was. */
function goneMeanwhile({ unchangedSince }: Pick<ChangeOptions, 'unchangedSince'>): ConnectorError {
  return unchangedSince === undefined ? instanceUnknown() : changedMeanwhile()
}

function requireUnchanged(
  { updatedAt }: InstanceRow,
  { unchangedSince }: Pick<ChangeOptions, 'unchangedSince'>,
): void {
  if (unchangedSince !== undefined && unchangedSince !== updatedAt) throw changedMeanwhile()
}

/** A store that fails behind a change undoes nothing: what was stored before may stay. */
function notUndone(error: unknown): never {
  throw isConnectorError(error, 'store_unavailable') ? raiseOutcome(error, 'uncertain') : error
}

/** The third party said no, or the instance can never work as it was described. */
function isRefused(
  result: CheckResult,
): result is CheckResult & { readonly error: ConnectorError } {
  return result.error !== null && (result.result === 'refused' || USELESS.has(result.error.code))
}

/** So often a change of `sync` is merged with what others change at the same time. */
const MAX_MERGES = 10

const FORMS = ['credentials', 'server_side_oauth_secret_id'] as const

function requireOneForm(body: JsonObject, mayBeNone: boolean): void {
  const given = FORMS.filter((name) => body[name] !== undefined)
  if (given.length === 1 || (given.length === 0 && mayBeNone)) return
  const both = 'credentials and server_side_oauth_secret_id exclude each other; give one of them'
  const none = 'credentials or server_side_oauth_secret_id must be given'
  const [code, detail] = given.length === 0 ? ['required', none] : ['exclusive', both]
  throw problemError('request_malformed', { pointer: '/credentials', code, detail })
}

/** A method without credentials would say nothing: a consent has one already. */
function requireUsedMethod(body: JsonObject, mayBeNone: boolean): void {
  const isUsed =
    body['credentials'] !== undefined ||
    (mayBeNone && body['server_side_oauth_secret_id'] === undefined)
  if (body['auth_method'] === undefined || isUsed) return
  const detail = 'auth_method goes with credentials only'
  throw problemError('request_malformed', { pointer: '/auth_method', code: 'requires', detail })
}

function serverUrlIn(body: JsonObject, isAllowed: boolean): string | null {
  const url = body['server_url']
  if (typeof url !== 'string') return null
  const refused = (code: string, detail: string, hint = ''): ConnectorError =>
    problemError(
      'destination_refused',
      { pointer: '/server_url', code, detail },
      `server_url ${detail}${hint}`,
    )
  if (!isAllowed)
    throw refused(
      'refused',
      'is not enabled here',
      '; the operator allows it with TENON_ALLOW_SERVER_URL',
    )
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.username !== '')
    throw refused('format', 'must be an http or https URL')
  return parsed.href.replace(/\/$/, '')
}

function patchOf(body: JsonObject, before: InstanceRow, manifest: Manifest): InstancePatch {
  const { name, enabled } = body
  return {
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof enabled === 'boolean' ? { enabled } : {}),
    ...(isJsonObject(body['sync']) ? { sync: readSyncInput(body, manifest, before.sync) } : {}),
    // Within a major nothing is to be decided.
    ...(majorOf(manifest.version) === majorOf(before.connectorVersion)
      ? {}
      : { connectorVersion: manifest.version }),
  }
}

function valuesBefore(patch: InstancePatch, before: InstanceRow): InstancePatch {
  return Object.fromEntries(
    Object.keys(patch).map((name) => [name, before[name as keyof InstancePatch]]),
  )
}

const PUT_BACK: AuditAction = 'instance.credentials_put_back'

function auditInstance(
  principal: Principal,
  { requestId }: Pick<ChangeOptions, 'requestId'>,
  action: AuditAction,
  about: {
    readonly id: string
    readonly members?: readonly string[]
    readonly outcome?: string
  },
): AuditEntry {
  const { id, members = [], outcome } = about
  const target = { instanceId: id, target: id, members }
  return auditOf(principal, requestId, action, {
    ...target,
    ...(outcome === undefined ? {} : { outcome }),
  })
}
