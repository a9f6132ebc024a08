// The server-side OAuth flow: initiate, the browser's consent at our origin, the third party's callback, the way back.
import { bodyText } from '../body-text.ts'
import { createHash, randomBytes } from 'node:crypto'
import { compileConsent, type Consent } from '../../engine/credentials/consent.ts'
import { isFromIssuer } from '../../engine/credentials/issuer.ts'
import { earlySettings } from '../../engine/credentials/settings.ts'
import type { OAuthClient } from '../../engine/credentials/token-request.ts'
import { ConnectorError, isConnectorError } from '../../errors.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import type { Transport } from '../../engine/exchange/transport.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import type { OAuthStateRow } from '../store/consents.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../vault/vault.ts'
import { auditOf } from '../audit.ts'
import type { Catalogue } from '../catalogue.ts'
import type { ServiceLog } from '../log.ts'
import type { Records } from '../records.ts'
import { type Principal, requireType, requireUser } from '../tokens/principal.ts'
import { hashSecret, mintToken } from '../tokens/token-text.ts'
import { clientSettings } from './client-settings.ts'
import type { OperatorClients } from './operator-clients.ts'
import { organizationKeyOwner, sealConsent } from './oauth-secret.ts'
import { redirectUrlsOf, requireRedirectUrl } from './redirect-url.ts'

export interface ConsentsPorts {
  readonly catalogue: Catalogue
  readonly store: Store
  readonly vault: Vault
  readonly clock: Clock
  readonly transport: Transport
  readonly oauthClients: Readonly<Record<string, OAuthClient>>
  readonly serverUrlOf: (type: string) => string | null
  readonly publicUrl: () => string
  /** Of callers that no application stands behind. */
  readonly redirectUrls: readonly string[]
  /** Pages of ours that a consent of an application may come back to. */
  readonly ownReturnUrls: () => readonly string[]
  /** Whether http to loopback may be on an allow-list. */
  readonly allowLoopback: boolean
  readonly log: ServiceLog
  readonly operatorClients: OperatorClients
  readonly records: Records
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
export interface ConsentWish {
  readonly externalUserId: string
  readonly manifest: Manifest
  readonly redirectUrl: string
  readonly hostState: string | null
  readonly config: Json | undefined
}

/** What the browser gets: an address, and the cookie that ties it to the consent. */
export interface ConsentStart {
  readonly location: string
  readonly cookie: string
}

export interface Consents {
  initiate(
    principal: Principal,
    body: JsonObject,
    requestId: string,
  ): Promise<{ readonly consentUrl: string; readonly expiresAt: number }>
  /** The same for a page of our own. */
  start(
    principal: Principal,
    wish: ConsentWish,
    requestId: string,
  ): Promise<{ readonly consentUrl: string; readonly expiresAt: number }>
  /** The first browser wins; null: the ticket is unknown, used, expired, or another browser's. */
  begin(ticket: string, cookie: string | undefined): Promise<ConsentStart | null>
  /** Where the browser goes next; null: the callback belongs to no consent of this browser. */
  finish(
    connectorType: string,
    query: Readonly<Record<string, string | undefined>>,
    cookie: string | undefined,
    requestId: string,
  ): Promise<string | null>
  /** Name of the cookie, which depends on our origin being https. */
  readonly cookieName: () => string
}

export const CONSENT_SECONDS = 600
const LIFE_MS = CONSENT_SECONDS * 1000
/** 256 bits in base64url. */
const RANDOM_TEXT = /^[\w-]{43}$/

export function createConsents(ports: ConsentsPorts): Consents {
  const { catalogue, store, vault, clock } = ports
  const compiled = new Map<Manifest, Consent>()

  function consentOf(manifest: Manifest): Consent {
    let consent = compiled.get(manifest) ?? null
    if (consent !== null) return consent
    const client = ports.oauthClients[manifest.type]
    consent =
      client === undefined
        ? null
        : compileConsent(manifest, {
            transport: ports.transport,
            clock,
            serverUrl: ports.serverUrlOf(manifest.type),
            client,
          })
    if (consent === null) {
      const names = clientSettings(manifest.type)
      throw new ConnectorError(
        'oauth_not_configured',
        manifest.auth.some(({ oauth2 }) => oauth2?.authorize != null)
          ? `there is no OAuth client for ${manifest.type}; the operator sets ${names.id} and ${names.secret}`
          : `${manifest.type} has no OAuth consent; create the instance with credentials`,
      )
    }
    compiled.set(manifest, consent)
    return consent
  }

  /** Throws `connector_version_unavailable` when its major is not loaded. */
  function manifestOf({ connectorType: type, connectorVersion: version }: OAuthStateRow): Manifest {
    return version === null ? catalogue.get(type) : catalogue.forInstance(type, version)
  }

  function callbackOf(type: string): string {
    return `${ports.publicUrl()}/v1/oauth/callback/${type}`
  }

  async function start(
    principal: Principal,
    { externalUserId, manifest, redirectUrl, hostState, config: given }: ConsentWish,
    requestId: string,
  ): Promise<{ readonly consentUrl: string; readonly expiresAt: number }> {
    const consent = consentOf(manifest)
    const config = settingsFor(manifest, given)
    const ticket = randomText()
    const organizationId = principal.organizationId
    const stateHash = hashSecret(stateOf(ticket))
    // Whatever the address needs is missed now, not in the user's browser.
    consent.url(config, { state: '', redirectUri: '', challenge: null })
    const expiresAt = clock.now() + LIFE_MS
    await store.oauthStates.insert(
      {
        stateHash,
        ticketHash: hashSecret(ticket),
        organizationId,
        clientId: principal.clientId,
        tokenHash: principal.tokenHash,
        externalUserId,
        connectorType: manifest.type,
        connectorVersion: manifest.version,
        redirectUrl,
        hostState,
        config,
        verifierSealed: consent.pkce
          ? await vault.seal(
              organizationKeyOwner(organizationId),
              verifierColumn(stateHash),
              1,
              randomText(),
            )
          : null,
        issuer: consent.issuer,
        expiresAt,
      },
      auditOf(principal, requestId, 'oauth.start', { target: externalUserId }),
    )
    return { consentUrl: `${ports.publicUrl()}/v1/oauth/consent/${ticket}`, expiresAt }
  }

  return {
    cookieName: () =>
      ports.publicUrl().startsWith('https:') ? '__Host-tenon-oauth' : 'tenon-oauth',

    async initiate(principal, body, requestId) {
      const externalUserId = bodyText(body, 'external_user_id')
      requireUser(principal, externalUserId)
      const newest = catalogue.get(bodyText(body, 'connector_type'))
      requireType(principal, newest.type)
      const { connector_version: wanted } = body
      const manifest = typeof wanted === 'string' ? catalogue.version(newest.type, wanted) : newest
      const redirectUrl = bodyText(body, 'redirect_url')
      if (principal.kind !== 'application' || !ports.ownReturnUrls().includes(redirectUrl)) {
        const allowed = await redirectUrlsOf(store, principal, ports.redirectUrls)
        requireRedirectUrl(redirectUrl, allowed, ports.allowLoopback)
      }
      const hostState = typeof body['state'] === 'string' ? body['state'] : null
      const wish = { externalUserId, manifest, redirectUrl, hostState, config: body['config'] }
      return await start(principal, wish, requestId)
    },

    start,

    async begin(ticket, cookie) {
      if (!RANDOM_TEXT.test(ticket)) return null
      const browser = cookie !== undefined && RANDOM_TEXT.test(cookie) ? cookie : randomText()
      const row = await store.oauthStates.bindBrowser(hashSecret(ticket), hashSecret(browser))
      if (row === null) return null
      const consent = consentOf(manifestOf(row))
      const verifier = await verifierOf(row)
      const location = consent.url(row.config ?? {}, {
        state: stateOf(ticket),
        redirectUri: callbackOf(row.connectorType),
        challenge: verifier === null ? null : challengeOf(verifier),
      })
      return { location, cookie: browser }
    },

    async finish(connectorType, query, cookie, requestId) {
      const { state, code, error, iss } = query
      if (state === undefined || cookie === undefined) return null
      if (!RANDOM_TEXT.test(state) || !RANDOM_TEXT.test(cookie)) return null
      const row = await store.oauthStates.take(hashSecret(state), hashSecret(cookie))
      // A code of another vendor must not reach this one.
      if (row === null || row.connectorType !== connectorType) return null
      const facts = { request_id: requestId, record: 'oauth.refuse' }
      // The browser is led back in any case: its user can do nothing about the store.
      const refused = async (outcome: string, why: ConsentFailure): Promise<void> => {
        await ports.records.keep(facts, () =>
          store.audit.append(
            auditOf(row, requestId, 'oauth.refuse', { target: row.externalUserId, outcome }),
          ),
        )
        await ports.records.attempt(facts, () => ports.onFailure(row, why, requestId))
      }
      // Before anything of the answer is believed, a refusal included.
      if (!isFrom(row, iss)) {
        await refused('issuer_refused', 'upstream_error')
        ports.log.warn(
          { connector_type: row.connectorType, organization_id: row.organizationId },
          'an OAuth consent was answered in the name of another issuer, or of none; its code was not used',
        )
        return back(row, { error: 'upstream_error' })
      }
      if (error !== undefined || code === undefined) {
        const why = error === 'access_denied' ? 'access_denied' : 'upstream_error'
        await refused(why, why)
        return back(row, { error: why })
      }
      try {
        const consent = consentOf(manifestOf(row))
        const consented = await consent.exchange(row.config ?? {}, {
          code,
          redirectUri: callbackOf(row.connectorType),
          verifier: await verifierOf(row),
        })
        ports.operatorClients.accepted(connectorType)
        const secret = mintToken('oauth_secret')
        const secretHash = hashSecret(secret)
        await store.oauthSecrets.insert(
          {
            secretHash,
            organizationId: row.organizationId,
            externalUserId: row.externalUserId,
            connectorType: row.connectorType,
            sealed: await sealConsent(vault, row.organizationId, secretHash, {
              credentials: consented.credentials,
              authMethod: consent.method.name,
            }),
            grantedScopes: consented.grantedScopes,
            config: consented.config,
            expiresAt: clock.now() + LIFE_MS,
          },
          auditOf(row, requestId, 'oauth.finish', { target: row.externalUserId }),
        )
        return back(row, { secret_id: secret })
      } catch (failure) {
        const known = isConnectorError(failure)
        if (isConnectorError(failure, 'oauth_not_configured'))
          ports.operatorClients.refused(connectorType, String(failure.details['reason']))
        ports.log.warn(
          {
            connector_type: row.connectorType,
            organization_id: row.organizationId,
            code: known ? failure.code : 'internal_error',
            // Messages of ours; the third party's text is not in them.
            reason: known ? failure.message : String(failure instanceof Error ? failure.stack : ''),
          },
          'an OAuth consent could not be finished',
        )
        const reason = known ? failure : new ConnectorError('internal_error', 'the service failed')
        await refused(reason.code, reason)
        const isTheirs = known && failure.code.startsWith('upstream_')
        return back(row, {
          error:
            isTheirs || isConnectorError(failure, 'credentials_refused')
              ? 'upstream_error'
              : 'server_error',
        })
      }
    },
  }

  /** Whether the answer is of the server that the user was sent to. */
  function isFrom(row: OAuthStateRow, iss: string | undefined): boolean {
    const { issuer, config } = row
    const address = { state: '', redirectUri: '', challenge: null }
    try {
      const consentUrl = consentOf(manifestOf(row)).url(config ?? {}, address)
      return isFromIssuer(iss, { issuer, consentUrl })
    } catch (error) {
      // A manifest that is not loaded any more: there is nobody to exchange a code with either.
      if (isConnectorError(error)) return true
      throw error
    }
  }

  async function verifierOf(row: OAuthStateRow): Promise<string | null> {
    if (row.verifierSealed === null) return null
    return await vault.openText(
      organizationKeyOwner(row.organizationId),
      verifierColumn(row.stateHash),
      1,
      row.verifierSealed,
    )
  }
}

function verifierColumn(stateHash: string): string {
  return `oauth_verifier:${stateHash}`
}

/** The third party sees the state and can make no ticket of it; so one secret in the consent link is enough. */
function stateOf(ticket: string): string {
  return createHash('sha256').update(`state of ${ticket}`).digest('base64url')
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

function randomText(): string {
  return randomBytes(32).toString('base64url')
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

function back(
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
