// The server-side OAuth flow: initiate, the browser's consent at our origin, the third party's callback, the way back.
import { bodyText } from '../body-text.ts'
import { createHash } from 'node:crypto'
import { compileConsent, type Consent, type Consented } from '../../engine/credentials/consent.ts'
import { isFromIssuer } from '../../engine/credentials/issuer.ts'
import { earlySettings } from '../../engine/credentials/settings.ts'
import { ConnectorError, isConnectorError, problemError } from '../../errors.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { consentMethod, consentMethods, consentOf } from '../../language/manifest/access/consent.ts'
import type { AuthMethod, Manifest } from '../../language/manifest/manifest.ts'
import type { OAuthStateRow } from '../store/consents.ts'
import { auditOf, startedWith } from '../audit.ts'
import type { ServiceBase } from '../base.ts'
import { Cookie } from '../cookie.ts'
import { codeOf } from '../log.ts'
import { type Principal, requireType, requireUser } from '../tokens/principal.ts'
import { hashSecret, isRandomText, mintToken, randomText } from '../tokens/token-text.ts'
import type { OAuthClient } from '../../engine/credentials/token-request.ts'
import { clientSettings } from './operator-clients.ts'
import { RegisteredClients } from './registered-clients.ts'
import { organizationKeyOwner } from '../store/owner.ts'
import { sealConsent } from './oauth-secret.ts'
import { redirectUrlsOf, requireRedirectUrl } from './redirect-url.ts'

export interface ConsentsPorts extends ServiceBase {
  /** Pages of ours that a consent of an application may come back to. */
  readonly ownReturnUrls: () => readonly string[]
  /** Told why a consent ended without a secret. */
  readonly onFailure: (
    row: OAuthStateRow,
    failure: ConsentFailure,
    requestId: string,
  ) => Promise<void>
}

/** The user did not agree; the third party came back without a code; or the code brought nothing. */
export type ConsentFailure = 'access_denied' | 'upstream_error' | ConnectorError

/** A consent to start, for a caller whose rights and whose return address are known to be good. */
export interface ConsentRequest {
  readonly externalUserId: string
  readonly manifest: Manifest
  /** The method that is agreed to; null: the first with a consent. */
  readonly authMethod: string | null
  readonly redirectUrl: string
  readonly hostState: string | null
  readonly config: Json | undefined
}

/** A consent that was started: the address for the user's browser, and how long it works. */
export interface StartedConsent {
  readonly consentUrl: string
  readonly expiresAt: number
}

export const CONSENT_SECONDS = 600
const LIFE_MS = CONSENT_SECONDS * 1000
/** Makes an address only to see whether one can be made. */
const NO_PARAMETERS = { state: '', redirectUri: '', kept: null } as const

export class Consents {
  readonly #ports: ConsentsPorts
  readonly #registered: RegisteredClients
  /** By client. */
  readonly #compiled = new WeakMap<OAuthClient, WeakMap<AuthMethod, Consent>>()

  constructor(ports: ConsentsPorts) {
    this.#ports = ports
    this.#registered = new RegisteredClients(ports)
  }

  /** Binds a consent to a browser. */
  get cookie(): Cookie {
    return new Cookie(this.#ports.publicUrl(), 'tenon-oauth', 'Lax')
  }

  async initiate(
    principal: Principal,
    body: JsonObject,
    requestId: string,
  ): Promise<StartedConsent> {
    const { catalogue, store, redirectUrls, allowLoopback, ownReturnUrls } = this.#ports
    const externalUserId = bodyText(body, 'external_user_id')
    requireUser(principal, externalUserId)
    const newest = catalogue.get(bodyText(body, 'connector_type'))
    requireType(principal, newest.type)
    const { connector_version: wanted, config } = body
    const manifest = typeof wanted === 'string' ? catalogue.version(newest.type, wanted) : newest
    const redirectUrl = bodyText(body, 'redirect_url')
    if (principal.kind !== 'application' || !ownReturnUrls().includes(redirectUrl)) {
      const allowed = await redirectUrlsOf(store, principal, redirectUrls)
      requireRedirectUrl(redirectUrl, allowed, allowLoopback)
    }
    const hostState = typeof body['state'] === 'string' ? body['state'] : null
    const authMethod = typeof body['auth_method'] === 'string' ? body['auth_method'] : null
    requireConsent(manifest, authMethod)
    const consent = { externalUserId, manifest, authMethod, redirectUrl, hostState, config }
    return await this.start(principal, consent, requestId)
  }

  /** The same for a page of our own. */
  async start(
    principal: Principal,
    { externalUserId, manifest, authMethod, redirectUrl, hostState, config: given }: ConsentRequest,
    requestId: string,
  ): Promise<StartedConsent> {
    const { store, vault, clock, publicUrl } = this.#ports
    const config = settingsFor(manifest, given)
    const ticket = randomText()
    const { organizationId, clientId } = principal
    const consent = await this.#consentOf(manifest, { organizationId, authMethod, config })
    const state = stateOf(ticket)
    const stateHash = hashSecret(state)
    // Whatever the address needs is missed now, not in the user's browser.
    consent.url(config, NO_PARAMETERS)
    const redirectUri = this.#callbackUrlOf({ connectorType: manifest.type })
    const place = { state, redirectUri, random: randomText() }
    const kept = await this.#prepare(organizationId, manifest, () => consent.prepare(config, place))
    const expiresAt = clock.now() + LIFE_MS
    const [owner, column] = [organizationKeyOwner(organizationId), verifierColumn(stateHash)]
    await store.oauthStates.insert(
      {
        stateHash,
        ticketHash: hashSecret(ticket),
        organizationId,
        clientId,
        tokenHash: startedWith(principal),
        externalUserId,
        connectorType: manifest.type,
        connectorVersion: manifest.version,
        authMethod: consent.method.name,
        redirectUrl,
        hostState,
        config,
        verifierSealed: kept === null ? null : await vault.seal(owner, column, 1, kept),
        issuer: consent.issuer,
        expiresAt,
      },
      auditOf(principal, requestId, 'oauth.start', { user: externalUserId }),
    )
    return { consentUrl: `${publicUrl()}/v1/oauth/consent/${ticket}`, expiresAt }
  }

  /** Binds a ticket to the first browser that comes with it; null: it is unknown, used, expired, or another browser's. */
  async begin(
    ticket: string,
    cookie: string | undefined,
  ): Promise<{ readonly location: string; readonly cookie: string } | null> {
    if (!isRandomText(ticket)) return null
    const browser = isRandomText(cookie) ? cookie : randomText()
    const { oauthStates } = this.#ports.store
    const row = await oauthStates.bindBrowser(hashSecret(ticket), hashSecret(browser))
    if (row === null) return null
    const consent = await this.#consentOf(this.#manifestOf(row), row)
    const location = consent.url(row.config ?? {}, {
      state: stateOf(ticket),
      redirectUri: this.#callbackUrlOf(row),
      kept: await this.#openVerifier(row),
    })
    return { location, cookie: browser }
  }

  /** Where the browser goes next; null: the callback belongs to no consent of this browser. */
  async finish(callback: {
    readonly connectorType: string
    readonly query: Readonly<Record<string, string | undefined>>
    readonly cookie: string | undefined
    readonly requestId: string
  }): Promise<string | null> {
    const { store, operatorClients } = this.#ports
    const { connectorType, query, cookie, requestId } = callback
    const startedAt = this.#ports.clock.monotonic()
    const manifest = this.#ports.catalogue.find(connectorType)
    const methods = manifest === undefined ? [] : consentMethods(manifest)
    // Each method may have a name of its own for it.
    const [state] = methods.flatMap((method) => consentOf(method)?.stateIn(query) ?? [])
    if (!isRandomText(state) || !isRandomText(cookie)) return null
    const row = await store.oauthStates.take(hashSecret(state), hashSecret(cookie))
    // A code of another vendor must not reach this one.
    if (row === null || row.connectorType !== connectorType) return null
    // Before anything of the answer is believed, a refusal included.
    if (!(await this.#isFromIssuer(row, query['iss'])))
      return await this.#refuseIssuer(row, requestId)
    const method = methods.find(({ name }) => name === row.authMethod) ?? methods[0]
    const why = method === undefined ? null : (consentOf(method)?.failureIn(query) ?? null)
    if (why !== null) return await this.#tellFailure(row, why, why, { requestId })
    try {
      const consent = await this.#consentOf(this.#manifestOf(row), row)
      const consented = await consent.exchange(row.config ?? {}, {
        callback: query,
        redirectUri: this.#callbackUrlOf(row),
        kept: await this.#openVerifier(row),
      })
      operatorClients.accepted(
        connectorType,
        this.#ports.oauthClients.of(row.organizationId, connectorType),
      )
      const authMethod = consent.method.name
      const secret = await this.#keep(row, consented, { authMethod, requestId })
      this.#note(row, { code: null, startedAt, requestId })
      return returnAddress(row, { secret_id: secret })
    } catch (failure) {
      return await this.#fail(row, failure, requestId)
    }
  }

  #refused(organizationId: string, type: string, failure: ConnectorError): void {
    const { operatorClients, oauthClients } = this.#ports
    const client = oauthClients.of(organizationId, type)
    operatorClients.refused(type, client, String(failure.details['reason']))
  }

  #knownOf(client: OAuthClient): WeakMap<AuthMethod, Consent> {
    const known = this.#compiled.get(client) ?? new WeakMap<AuthMethod, Consent>()
    this.#compiled.set(client, known)
    return known
  }

  /** Throws what the preparation throws; a client that is refused is told to the operator. */
  async #prepare(
    organizationId: string,
    { type }: Manifest,
    prepare: () => Promise<string | null>,
  ): Promise<string | null> {
    return await prepare().catch((failure: unknown) => {
      if (isConnectorError(failure, 'oauth_not_configured'))
        this.#refused(organizationId, type, failure)
      throw failure
    })
  }

  async #keep(
    row: OAuthStateRow,
    { credentials, grantedScopes, config, lifeMs }: Consented,
    { authMethod, requestId }: { readonly authMethod: string; readonly requestId: string },
  ): Promise<string> {
    const { store, vault, clock } = this.#ports
    const { organizationId, externalUserId, connectorType } = row
    const secret = mintToken('oauth_secret')
    const secretHash = hashSecret(secret)
    const life = lifeMs === null ? null : { receivedAt: clock.now(), lifeMs }
    const result = { credentials, authMethod, life }
    await store.oauthSecrets.insert(
      {
        secretHash,
        organizationId,
        externalUserId,
        connectorType,
        sealed: await sealConsent(vault, organizationId, secretHash, result),
        grantedScopes,
        config,
        expiresAt: clock.now() + LIFE_MS,
      },
      auditOf(row, requestId, 'oauth.finish', { user: externalUserId }),
    )
    return secret
  }

  async #refuseIssuer(row: OAuthStateRow, requestId: string): Promise<string> {
    this.#ports.log.warn(
      { connector_type: row.connectorType, organization_id: row.organizationId },
      'an OAuth consent was answered in the name of another issuer, or of none; its code was not used',
    )
    const told = { requestId, outcome: 'issuer_refused' }
    return await this.#tellFailure(row, 'upstream_error', 'upstream_error', told)
  }

  /** Tells why a code brought nothing; where the browser goes then. */
  async #fail(row: OAuthStateRow, failure: unknown, requestId: string): Promise<string> {
    const known = isConnectorError(failure)
    if (isConnectorError(failure, 'oauth_not_configured'))
      this.#refused(row.organizationId, row.connectorType, failure)
    this.#ports.log.warn(
      {
        connector_type: row.connectorType,
        organization_id: row.organizationId,
        code: codeOf(failure),
        // Messages of ours; the third party's text is not in them.
        reason: known ? failure.message : String(failure instanceof Error ? failure.stack : ''),
      },
      'an OAuth consent could not be finished',
    )
    const why = known ? failure : new ConnectorError('internal_error', 'the service failed')
    const isTheirs = why.code.startsWith('upstream_') || why.code === 'credentials_refused'
    const error = isTheirs ? 'upstream_error' : 'server_error'
    return await this.#tellFailure(row, why, error, { requestId })
  }

  /** Where the browser goes then, in any case: its user can do nothing about the store. */
  async #tellFailure(
    row: OAuthStateRow,
    why: ConsentFailure,
    error: keyof typeof DESCRIPTIONS,
    { requestId, outcome }: { readonly requestId: string; readonly outcome?: string },
  ): Promise<string> {
    const { store, records, onFailure } = this.#ports
    const facts = { request_id: requestId, record: 'oauth.refuse' }
    const audit = auditOf(row, requestId, 'oauth.refuse', {
      user: row.externalUserId,
      outcome: outcome ?? (typeof why === 'string' ? why : why.code),
    })
    this.#note(row, { code: audit.outcome, startedAt: null, requestId })
    await records.keep(facts, () => store.audit.append(audit))
    await records.attempt(facts, () => onFailure(row, why, requestId))
    return returnAddress(row, { error })
  }

  #note(
    row: OAuthStateRow,
    about: {
      readonly code: string | null
      readonly startedAt: number | null
      readonly requestId: string
    },
  ): void {
    const { clock, logs } = this.#ports
    const { code, startedAt, requestId } = about
    const tookMs = startedAt === null ? 0 : clock.monotonic() - startedAt
    const { clientId, authMethod: action } = row
    const instance = { ...row, id: null }
    logs.note({ kind: 'consent', instance, clientId, action, code, tookMs, requestId })
  }

  /** Whether the answer is of the server that the user was sent to. */
  async #isFromIssuer(row: OAuthStateRow, iss: string | undefined): Promise<boolean> {
    const { issuer, config } = row
    try {
      const consent = await this.#consentOf(this.#manifestOf(row), row)
      const consentUrl = consent.url(config ?? {}, NO_PARAMETERS)
      return isFromIssuer(iss, { issuer, consentUrl })
    } catch (error) {
      // A manifest that is not loaded any more: there is nobody to exchange a code with either.
      if (isConnectorError(error)) return true
      throw error
    }
  }

  async #consentOf(
    manifest: Manifest,
    { organizationId, authMethod, config }: ConsentOf,
  ): Promise<Consent> {
    const { oauthClients, serverUrlOf, transport, clock } = this.#ports
    const { type } = manifest
    // What was stored at another process a moment ago is used here as well.
    if (oauthClients.given(type) === null) await oauthClients.refresh()
    const method = consentMethod(manifest, authMethod)
    if (method === undefined)
      throw new ConnectorError(
        'oauth_not_configured',
        `${type} has no OAuth consent; create the instance with credentials`,
      )
    const compile = (client: OAuthClient, known: WeakMap<AuthMethod, Consent>): Consent | null => {
      const ports = { transport, clock, serverUrl: serverUrlOf(type), client }
      const made = known.get(method) ?? compileConsent(manifest, ports, method)
      if (made !== null) known.set(method, made)
      return made
    }
    const client = oauthClients.of(organizationId, type)
    if (client === null) {
      const redirectUri = this.#callbackUrlOf({ connectorType: type })
      const request = { organizationId, redirectUri, config: config ?? {} }
      const registered = await this.#registered.clientOf(manifest, method, request)
      const made = registered && compile(registered, this.#knownOf(registered))
      if (made !== null) return made
    }
    const consent = client === null ? null : compile(client, this.#knownOf(client))
    if (consent === null) {
      const names = clientSettings(type)
      throw new ConnectorError(
        'oauth_not_configured',
        `there is no OAuth client for ${type}; the operator sets ${names.id} and ${names.secret}, or an administrator stores one in the console, under Settings, Connectors`,
      )
    }
    return consent
  }

  /** Throws `connector_version_unavailable` when its major is not loaded. */
  #manifestOf({ connectorType: type, connectorVersion: version }: OAuthStateRow): Manifest {
    const { catalogue } = this.#ports
    return version === null ? catalogue.get(type) : catalogue.forInstance(type, version)
  }

  #callbackUrlOf({ connectorType }: Pick<OAuthStateRow, 'connectorType'>): string {
    return `${this.#ports.publicUrl()}/v1/oauth/callback/${connectorType}`
  }

  async #openVerifier(row: OAuthStateRow): Promise<string | null> {
    const { organizationId, stateHash, verifierSealed: sealed } = row
    if (sealed === null) return null
    const owner = organizationKeyOwner(organizationId)
    return await this.#ports.vault.openText(owner, verifierColumn(stateHash), 1, sealed)
  }
}

type ConsentOf = Pick<OAuthStateRow, 'organizationId' | 'authMethod' | 'config'>

/** Throws `request_malformed` for a method that has no consent, with those that have one. */
function requireConsent(manifest: Manifest, authMethod: string | null): void {
  if (authMethod === null || consentMethod(manifest, authMethod) !== undefined) return
  const allowed = consentMethods(manifest).map(({ name }) => name)
  const detail =
    allowed.length === 0
      ? `${manifest.type} has no method with a consent`
      : `no method with a consent of ${manifest.type}; it has ${allowed.join(', ')}`
  throw problemError('request_malformed', {
    pointer: '/auth_method',
    code: 'unknown',
    detail,
    allowed,
  })
}

function verifierColumn(stateHash: string): string {
  return `oauth_verifier:${stateHash}`
}

/** The third party sees the state and can make no ticket of it; so one secret in the consent link is enough. */
function stateOf(ticket: string): string {
  return createHash('sha256').update(`state of ${ticket}`).digest('base64url')
}

/** Settings that the address of the consent may need; those that only credentials bring may be missing. */
function settingsFor(manifest: Manifest, given: Json | undefined): JsonObject {
  if (isJsonObject(given)) return earlySettings(manifest, given)
  const defaults = Object.entries(
    (manifest.config.schema['properties'] ?? {}) as Record<string, { readonly default?: never }>,
  ).flatMap(([name, schema]) => (schema.default === undefined ? [] : [[name, schema.default]]))
  return Object.fromEntries(defaults) as JsonObject
}

const DESCRIPTIONS = {
  access_denied: 'The user did not agree.',
  upstream_error: 'The third party refused or could not answer.',
  server_error: 'The connection could not be stored.',
} as const

/** Where the user goes back to, with what came of the consent. */
function returnAddress(
  row: OAuthStateRow,
  answer: { readonly secret_id: string } | { readonly error: keyof typeof DESCRIPTIONS },
): string {
  const url = new URL(row.redirectUrl)
  if ('error' in answer) {
    url.searchParams.set('error', answer.error)
    url.searchParams.set('error_description', DESCRIPTIONS[answer.error])
  } else url.searchParams.set('secret_id', answer.secret_id)
  if (row.hostState !== null) url.searchParams.set('state', row.hostState)
  return url.href
}
