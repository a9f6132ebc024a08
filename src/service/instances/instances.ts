// Making, changing, checking and ending instances.
import { bodyText } from '../body-text.ts'
import { ConnectorError, type ErrorCode, isConnectorError, raiseOutcome } from '../../errors.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import type { CheckResult } from '../../engine/run/check.ts'
import type { AuditEntry } from '../store/audit.ts'
import type { CredentialInput } from '../store/credentials.ts'
import type { InstancePatch, InstanceRow } from '../store/instances.ts'
import type { Store } from '../store/store.ts'
import { uuidv7 } from '../store/uuid.ts'
import type { Vault } from '../vault/vault.ts'
import { type Catalogue, majorOf } from '../catalogue.ts'
import {
  openCredentials,
  type OpenCredentials,
  sealCredentials,
} from '../credentials/sealed-credentials.ts'
import { type NamedConsent, readOAuthSecret } from '../oauth/oauth-secret.ts'
import {
  ownerOf,
  type Principal,
  requireAnyInstance,
  requireType,
  requireUser,
} from '../tokens/principal.ts'
import { auditOf } from '../audit.ts'
import type { Connections } from './connections.ts'
import {
  changedConfig,
  type InstanceInput,
  otherThanDefault,
  readInstanceInput,
  settingsIn,
} from './input.ts'
import { instanceUnknown, type Rows } from './rows.ts'
import type { States } from './states.ts'
import { readSyncInput } from './sync-input.ts'

export interface InstancePorts {
  readonly catalogue: Catalogue
  readonly store: Store
  readonly vault: Vault
  readonly clock: Clock
  readonly rows: Rows
  readonly states: States
  readonly connections: Connections
  readonly allowServerUrl: boolean
  /** Told of everything that may start, stop or change the syncs of an instance. */
  readonly syncsChanged: (instanceId: string) => void
  /** Told of other settings of its syncs, and of nothing else. */
  readonly syncsRescheduled: (before: InstanceRow, row: InstanceRow) => void
}

export interface ChangeOptions {
  readonly requestId: string
  readonly signal: AbortSignal
  /** Whether the credentials are tried at the third party; default true. */
  readonly check?: boolean
  /** Whether all settings were chosen when the consent began, defaults included; default false. */
  readonly consentSettles?: boolean
}

/** What a check of an instance found. */
export interface Checked extends CheckResult {
  readonly row: InstanceRow
}

export interface Instances {
  create(principal: Principal, body: JsonObject, options: ChangeOptions): Promise<InstanceRow>
  update(
    principal: Principal,
    id: string,
    body: JsonObject,
    options: ChangeOptions,
  ): Promise<InstanceRow>
  remove(principal: Principal, id: string, options: ChangeOptions): Promise<void>
  check(
    principal: Principal,
    id: string,
    options: ChangeOptions & { readonly timeoutMs: number },
  ): Promise<Checked>
}

const CHECK_TIMEOUT_MS = 10_000
/** Errors of a check that say that the instance can never work as it was described. */
const USELESS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'config_invalid',
  'credentials_invalid',
  'destination_refused',
])

export function createInstances(ports: InstancePorts): Instances {
  const { catalogue, store, vault, clock, rows, states, connections } = ports

  function changed(id: string): void {
    rows.forget(id)
    connections.forget(id)
  }

  /** Credentials of the body, or those that a consent left behind. */
  async function inputOf(
    principal: Principal,
    manifest: Manifest,
    externalUserId: string,
    body: JsonObject,
    given: {
      /** The settings, with those that a consent brought; none without one. */
      readonly configWith: (consented: JsonObject) => JsonObject
      readonly replicationConfig: JsonObject | null
    },
    serverUrl: string | null,
  ): Promise<{
    readonly input: InstanceInput
    readonly grantedScopes: readonly string[] | null
    /** The secret of the consent that they come from. */
    readonly secret: NamedConsent['secret'] | null
  }> {
    const { credentials, server_side_oauth_secret_id: secretId, auth_method: authMethod } = body
    if (typeof secretId === 'string') {
      const consent = await readOAuthSecret({ store, vault }, principal, {
        secret: secretId,
        externalUserId,
        connectorType: manifest.type,
      })
      const input = readInstanceInput(manifest, {
        credentials: consent.credentials,
        authMethod: consent.authMethod,
        config: given.configWith(consent.config),
        replicationConfig: given.replicationConfig,
        serverUrl,
      })
      return { input, grantedScopes: consent.grantedScopes, secret: consent.secret }
    }
    const input = readInstanceInput(manifest, {
      credentials: isJsonObject(credentials) ? credentials : {},
      authMethod: typeof authMethod === 'string' ? authMethod : undefined,
      config: given.configWith({}),
      replicationConfig: given.replicationConfig,
      serverUrl,
    })
    return { input, grantedScopes: null, secret: null }
  }

  async function sealed(
    id: string,
    generation: number,
    input: InstanceInput,
  ): Promise<CredentialInput> {
    return await sealCredentials(
      vault,
      { id, generation },
      {
        credentials: input.credentials,
        session: {},
        expiresAt: null,
      },
    )
  }

  /** Tries the credentials once; what is certain changes the state. */
  async function tryOut(row: InstanceRow, signal: AbortSignal): Promise<CheckResult> {
    const connection = await connections.of(row)
    return await connection.engine.check({ timeoutMs: CHECK_TIMEOUT_MS, signal })
  }

  return {
    async create(principal, body, options) {
      const externalUserId = bodyText(body, 'external_user_id')
      requireUser(principal, externalUserId)
      requireAnyInstance(principal)
      const manifest = catalogue.get(bodyText(body, 'connector_type'))
      requireType(principal, manifest.type)
      requireOneForm(body)
      requireUsedMethod(body)
      const serverUrl = serverUrlIn(body, ports)
      const { config, replicationConfig } = settingsIn(body)
      const { input, grantedScopes, secret } = await inputOf(
        principal,
        manifest,
        externalUserId,
        body,
        { configWith: (consented) => ({ ...consented, ...config }), replicationConfig },
        serverUrl,
      )
      const now = clock.now()
      const id = uuidv7(now)
      const row: InstanceRow = {
        id,
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
        replicationConfig: input.replicationConfig,
        sync: readSyncInput(body, manifest, { enabled: true }),
        serverUrl,
        credentialEpoch: 1,
        createdAt: now,
        updatedAt: now,
        lastCheckedAt: null,
        nextRefreshAt: null,
      }
      const credential = await sealed(id, 1, input)
      const inserted = await store.instances
        .insert(row, credential, {
          oauthSecretHash: secret?.hash ?? null,
          audit: auditInstance(principal, options, 'instance.create', id, Object.keys(body)),
        })
        .catch((error: unknown) => foundAgain(id, error))
      if (inserted !== 'inserted') throw secretRefused(inserted)
      if (options.check === false) {
        ports.syncsChanged(id)
        return row
      }
      return await settleNew(principal, row, secret, options)
    },

    async update(principal, id, body, options) {
      const before = await rows.read(principal, id)
      const { connectorType: type, connectorVersion } = before
      const { connector_version: wanted } = body
      const manifest =
        typeof wanted === 'string'
          ? catalogue.version(type, wanted)
          : catalogue.forInstance(type, connectorVersion)
      const patch = patchOf(body, before, manifest)
      const renews =
        body['credentials'] !== undefined || body['server_side_oauth_secret_id'] !== undefined
      const touchesSettings =
        body['config'] !== undefined ||
        body['replication_config'] !== undefined ||
        patch.connectorVersion !== undefined
      const audit = auditInstance(principal, options, 'instance.update', id, Object.keys(body))
      requireUsedMethod(body)
      if (renews) {
        requireOneForm(body)
        return await reconnect(principal, before, manifest, body, patch, options, audit)
      }
      const config = touchesSettings ? await changedSettings(before, manifest, body) : undefined
      const row = await store.instances.update(
        ownerOf(principal),
        id,
        { ...patch, ...(config === undefined ? {} : { config }) },
        audit,
      )
      changed(id)
      if (row === null) throw instanceUnknown()
      if (patch.enabled !== undefined || config !== undefined) ports.syncsChanged(id)
      else if (patch.sync !== undefined) ports.syncsRescheduled(before, row)
      return row
    },

    async remove(principal, id, options) {
      const row = await rows.read(principal, id)
      const audit = auditInstance(principal, options, 'instance.delete', row.id, [])
      if (!(await store.instances.delete(ownerOf(principal), row.id, audit)))
        throw instanceUnknown()
      changed(row.id)
    },

    async check(principal, id, options) {
      const row = await rows.read(principal, id)
      if (!row.enabled) throw disabled()
      const connection = await connections.of(row)
      const result = await connection.engine.check({
        timeoutMs: options.timeoutMs,
        signal: options.signal,
      })
      await states.checked(row, result)
      rows.forget(id)
      return { ...result, row: await rows.read(principal, id) }
    },
  }

  /** The answer of an insert was lost: whether the instance is there says what it was. */
  async function foundAgain(id: string, error: unknown): Promise<'inserted'> {
    if (!isConnectorError(error, 'store_unavailable')) throw error
    const found = await store.instances.find(id).catch(() => undefined)
    if (found === undefined) throw raiseOutcome(error, 'uncertain')
    if (found === null) throw error
    return 'inserted'
  }

  /** After the insert: the check decides whether the instance stays, and in which state. */
  async function settleNew(
    principal: Principal,
    row: InstanceRow,
    secret: NamedConsent['secret'] | null,
    options: ChangeOptions,
  ): Promise<InstanceRow> {
    const erase = async (): Promise<void> => {
      const audit = auditInstance(principal, options, 'instance.refused', row.id, [])
      await store.instances.delete(ownerOf(principal), row.id, audit).catch(notUndone)
      changed(row.id)
    }
    let result: CheckResult
    try {
      result = await tryOut(row, options.signal)
    } catch (error) {
      const credential = await store.credentials.read(row.id).catch(notUndone)
      await erase()
      if (credential?.generation === 1) await giveBack(principal, secret)
      throw error
    }
    if (isRefused(result)) {
      const credential = await store.credentials.read(row.id).catch(notUndone)
      // A single-use token that was rotated by the check is the user's only one: erasing it would burn it.
      if (credential === null || credential.generation === 1) {
        await erase()
        if (result.error.code === 'config_invalid') await giveBack(principal, secret)
        throw result.error
      }
    }
    await states.checked(row, result)
    rows.forget(row.id)
    // It is there, and as it was made, also while the store says nothing more of it.
    return await rows.read(principal, row.id).catch((error: unknown) => {
      if (isConnectorError(error, 'store_unavailable')) return row
      throw error
    })
  }

  /** The consent was fine, and what failed was not: the user need not consent again. */
  async function giveBack(
    { organizationId }: Principal,
    secret: NamedConsent['secret'] | null,
  ): Promise<void> {
    if (secret !== null)
      await store.oauthSecrets.putBack(organizationId, secret.hash, secret.sealed)
  }

  /** New credentials for an instance that stays the same one. When they are refused, the old ones come back. */
  async function reconnect(
    principal: Principal,
    before: InstanceRow,
    manifest: Manifest,
    body: JsonObject,
    patch: InstancePatch,
    options: ChangeOptions,
    audit: AuditEntry,
  ): Promise<InstanceRow> {
    const given = settingsIn(body)
    const { input, grantedScopes, secret } = await inputOf(
      principal,
      manifest,
      before.externalUserId,
      body,
      {
        configWith: (consented) => {
          const chosen =
            options.consentSettles === true ? consented : otherThanDefault(manifest, consented)
          const settings = { ...consented, ...before.config, ...chosen }
          return changedConfig(manifest, settings, given.config)
        },
        replicationConfig: given.replicationConfig ?? before.replicationConfig,
      },
      before.serverUrl,
    )
    const old = await openCredentials(vault, store, before.id)
    const owner = ownerOf(principal)
    const replaced = await store.credentials.replace(
      owner,
      before.id,
      {
        seal: (generation) => sealed(before.id, generation, input),
        config: input.config,
        authMethod: input.method?.name ?? null,
        grantedScopes,
        oauthSecretHash: secret?.hash ?? null,
        patch,
      },
      audit,
    )
    changed(before.id)
    if (replaced === 'instance_unknown') throw instanceUnknown()
    if (replaced !== 'replaced') throw secretRefused(replaced)
    const settle = settleChanged(principal, { before, patch, old, secret, audit }, options)
    return await settle.catch(notUndone)
  }

  /** After new credentials are stored: the check decides whether they stay. */
  async function settleChanged(
    principal: Principal,
    {
      before,
      patch,
      old,
      secret,
      audit,
    }: {
      readonly before: InstanceRow
      readonly patch: InstancePatch
      readonly old: OpenCredentials | null
      readonly secret: NamedConsent['secret'] | null
      readonly audit: AuditEntry
    },
    options: ChangeOptions,
  ): Promise<InstanceRow> {
    const row = await rows.read(principal, before.id)
    if (options.check !== false && row.enabled) {
      const result = await tryOut(row, options.signal)
      const now = await store.credentials.read(row.id)
      if (isRefused(result) && old !== null && now?.generation === old.generation + 1) {
        await putBack(principal, before, patch, old, audit)
        if (result.error.code === 'config_invalid') await giveBack(principal, secret)
        throw result.error
      }
      await states.checked(row, result)
    }
    changed(before.id)
    ports.syncsChanged(before.id)
    return await rows.read(principal, before.id)
  }

  async function putBack(
    principal: Principal,
    before: InstanceRow,
    patch: InstancePatch,
    old: OpenCredentials,
    audit: AuditEntry,
  ): Promise<void> {
    await store.credentials.replace(
      ownerOf(principal),
      before.id,
      {
        seal: (generation) => sealCredentials(vault, { id: before.id, generation }, old),
        config: before.config,
        authMethod: before.authMethod,
        grantedScopes: before.grantedScopes,
        oauthSecretHash: null,
        patch: valuesBefore(patch, before),
        state: before,
      },
      { ...audit, action: 'instance.credentials_put_back' },
    )
    changed(before.id)
  }

  async function presentCredentials(before: InstanceRow, manifest: Manifest): Promise<JsonObject> {
    if (majorOf(manifest.version) === majorOf(before.connectorVersion)) {
      const connection = await connections.of(before)
      return (await connection.keeper.peek()).credentials
    }
    // The version that it comes from need not be loaded any more.
    return (await openCredentials(vault, store, before.id))?.credentials ?? {}
  }

  async function changedSettings(
    before: InstanceRow,
    manifest: Manifest,
    body: JsonObject,
  ): Promise<JsonObject> {
    const given = settingsIn(body)
    const merged = changedConfig(manifest, before.config, given.config)
    return readInstanceInput(manifest, {
      credentials: await presentCredentials(before, manifest),
      authMethod: before.authMethod ?? undefined,
      config: merged,
      replicationConfig: given.replicationConfig,
      serverUrl: before.serverUrl,
    }).config
  }
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

function requireOneForm(body: JsonObject): void {
  const forms = ['credentials', 'server_side_oauth_secret_id'].filter(
    (name) => body[name] !== undefined,
  )
  if (forms.length === 1) return
  const detail =
    forms.length === 0
      ? 'credentials or server_side_oauth_secret_id must be given'
      : 'credentials and server_side_oauth_secret_id exclude each other; give one of them'
  throw new ConnectorError('request_malformed', detail, {
    errors: [
      { pointer: '/credentials', code: forms.length === 0 ? 'required' : 'exclusive', detail },
    ],
  })
}

/** A method without credentials would say nothing: a consent has one already. */
function requireUsedMethod(body: JsonObject): void {
  if (body['auth_method'] === undefined || body['credentials'] !== undefined) return
  const detail = 'auth_method goes with credentials only'
  throw new ConnectorError('request_malformed', detail, {
    errors: [{ pointer: '/auth_method', code: 'requires', detail }],
  })
}

function serverUrlIn(
  body: JsonObject,
  { allowServerUrl }: Pick<InstancePorts, 'allowServerUrl'>,
): string | null {
  const url = body['server_url']
  if (typeof url !== 'string') return null
  if (!allowServerUrl) {
    throw new ConnectorError(
      'destination_refused',
      'server_url is not enabled here; the operator allows it with TENON_ALLOW_SERVER_URL',
      { errors: [{ pointer: '/server_url', code: 'refused', detail: 'is not enabled here' }] },
    )
  }
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.username !== '') {
    throw new ConnectorError('destination_refused', 'server_url must be an http or https URL', {
      errors: [{ pointer: '/server_url', code: 'format', detail: 'must be an http or https URL' }],
    })
  }
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

/** The values that a patch replaced. */
function valuesBefore(patch: InstancePatch, before: InstanceRow): InstancePatch {
  return Object.fromEntries(
    Object.keys(patch).map((name) => [name, before[name as keyof InstancePatch]]),
  )
}

export function disabled(): ConnectorError {
  return new ConnectorError(
    'instance_disabled',
    'this instance is disabled; PATCH {"enabled": true} enables it',
  )
}

function secretRefused(why: 'oauth_secret_unknown' | 'oauth_secret_used'): ConnectorError {
  return new ConnectorError(
    why,
    why === 'oauth_secret_used'
      ? 'this secret_id was used already; start the consent again'
      : 'this secret_id is unknown, expired, or of another user or connector type; start the consent again',
    {
      errors: [{ pointer: '/server_side_oauth_secret_id', code: why, detail: 'cannot be used' }],
    },
  )
}

function auditInstance(
  principal: Principal,
  { requestId }: Pick<ChangeOptions, 'requestId'>,
  action: string,
  id: string,
  members: readonly string[],
): AuditEntry {
  return auditOf(principal, requestId, action, { instanceId: id, target: id, members })
}
