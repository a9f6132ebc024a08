// Links for end users: who may make one, for whom, and what they open.
import { bodyText } from '../body-text.ts'
import { ConnectorError } from '../../errors.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { ConnectSessionRow } from '../store/connect-sessions.ts'
import type { Store } from '../store/store.ts'
import { auditOf } from '../audit.ts'
import type { Catalogue } from '../catalogue.ts'
import { instanceUnknown, type Rows } from '../instances/rows.ts'
import { redirectUrlsOf, requireRedirectUrl, usableRedirectUrls } from '../oauth/redirect-url.ts'
import {
  type Principal,
  requireAnyInstance,
  requireType,
  requireUser,
} from '../tokens/principal.ts'
import { hashSecret, isTokenText, mintToken } from '../tokens/token-text.ts'

export interface ConnectSessionPorts {
  readonly catalogue: Catalogue
  readonly store: Store
  readonly clock: Clock
  readonly rows: Rows
  readonly publicUrl: () => string
  /** Of callers that no application stands behind. */
  readonly redirectUrls: readonly string[]
  /** Whether http to loopback may be on an allow-list. */
  readonly allowLoopback: boolean
}

/** A new link. Its token is the secret in it: whoever has the one may do what the other is for, and nothing else. */
export interface NewConnectSession {
  readonly connectUrl: string
  readonly token: string
  readonly expiresAt: number
}

/** A link that is not over. */
export interface ConnectSession {
  readonly row: ConnectSessionRow
  /** What the page may do: make and change instances of this user, of these types, or this one instance. */
  readonly principal: Principal
  /** Name of the application that sent the user here; null: none stands behind the link. */
  readonly appName: string | null
}

/** Where links of a caller may lead back to, and which pages may embed them. */
export interface ReturnPlaces {
  readonly returnUrls: readonly string[]
  readonly origins: readonly string[]
}

export interface ConnectSessions {
  /** What `open` takes as `return_url` and `allowed_origin` of this caller, in the order of the allow-list. */
  places(principal: Principal): Promise<ReturnPlaces>
  /** Throws `scope_denied`, `redirect_url_refused`, `connector_unknown`, `instance_unknown`, `request_malformed`. */
  open(principal: Principal, body: JsonObject, requestId: string): Promise<NewConnectSession>
  /** The session of a token; null: it is unknown or expired, or its application was disabled. */
  find(token: string): Promise<ConnectSession | null>
  /** The same by the hash of the token. */
  findByHash(tokenHash: string): Promise<ConnectSession | null>
}

export const CONNECT_SECONDS = 600

export function createConnectSessions(ports: ConnectSessionPorts): ConnectSessions {
  const { catalogue, store, clock, rows } = ports

  async function places(principal: Principal): Promise<ReturnPlaces> {
    const listed = await redirectUrlsOf(store, principal, ports.redirectUrls)
    const usable = usableRedirectUrls(listed, ports.allowLoopback)
    return {
      returnUrls: usable.filter((url) => !URL.parse(url)?.searchParams.has('connection')),
      // Whoever may get users back may show them the page, and nobody else.
      origins: [...new Set(usable.map((url) => new URL(url).origin))],
    }
  }

  async function requireReturn(principal: Principal, body: JsonObject): Promise<void> {
    const { returnUrls, origins } = await places(principal)
    const returnUrl = bodyText(body, 'return_url')
    if (URL.parse(returnUrl)?.searchParams.has('connection') === true)
      throw refused('return_url', 'must not have "connection" in its query', returnUrls)
    requireRedirectUrl(returnUrl, returnUrls, ports.allowLoopback, 'return_url')
    const origin = body['allowed_origin']
    if (origin !== undefined && !origins.some((each) => each === origin))
      throw refused(
        'allowed_origin',
        'is the origin of no entry of the allow-list of this application; write it as scheme, host and port',
        origins,
      )
  }

  /** The types that the user may choose from; null: all there are. */
  function typesFor(principal: Principal, body: JsonObject): readonly string[] | null {
    const given = body['connector_types']
    if (!Array.isArray(given)) return principal.connectorTypes
    const types = given.map((name, index) => {
      const pointer = `/connector_types/${index}`
      const { type } = catalogue.get(String(name), pointer)
      requireType(principal, type, pointer)
      return type
    })
    return [...new Set(types)]
  }

  return {
    places,

    async open(principal, body, requestId) {
      const externalUserId = bodyText(body, 'external_user_id')
      requireUser(principal, externalUserId)
      await requireReturn(principal, body)
      let connectorTypes = typesFor(principal, body)
      const instanceId = typeof body['instance_id'] === 'string' ? body['instance_id'] : null
      if (instanceId === null) requireAnyInstance(principal)
      else {
        const instance = await rows.read(principal, instanceId)
        if (instance.externalUserId !== externalUserId) throw instanceUnknown()
        if (connectorTypes !== null && !connectorTypes.includes(instance.connectorType)) {
          const detail = `leaves ${instance.connectorType} out, which the instance is of`
          throw new ConnectorError('request_malformed', `connector_types ${detail}`, {
            errors: [{ pointer: '/connector_types', code: 'clash', detail }],
          })
        }
        connectorTypes = [instance.connectorType]
      }
      const token = mintToken('connect')
      const expiresAt = clock.now() + CONNECT_SECONDS * 1000
      const origin = body['allowed_origin']
      await store.connectSessions.insert(
        {
          tokenHash: hashSecret(token),
          organizationId: principal.organizationId,
          clientId: principal.clientId,
          externalUserId,
          connectorTypes,
          instanceId,
          returnUrl: bodyText(body, 'return_url'),
          allowedOrigin: typeof origin === 'string' ? origin : null,
          expiresAt,
          madeBy: principal.tokenHash,
        },
        auditOf(principal, requestId, 'connect.open', { instanceId, target: externalUserId }),
      )
      return { connectUrl: `${ports.publicUrl()}/connect/${token}`, token, expiresAt }
    },

    find: async (token) =>
      isTokenText(token, ['connect']) ? await findByHash(hashSecret(token)) : null,

    findByHash,
  }

  async function findByHash(tokenHash: string): Promise<ConnectSession | null> {
    const row = await store.connectSessions.find(tokenHash)
    if (row === null) return null
    const { clientId } = row
    const application = clientId === null ? null : await store.applications.byClientId(clientId)
    if (clientId !== null && (application === null || application.disabledAt !== null)) return null
    return { row, principal: principalOf(row), appName: application?.name ?? null }
  }
}

function principalOf(row: ConnectSessionRow): Principal {
  return {
    kind: 'scoped',
    organizationId: row.organizationId,
    clientId: row.clientId,
    externalUserId: row.externalUserId,
    connectorTypes: row.connectorTypes,
    connectorIds: row.instanceId === null ? null : [row.instanceId],
    actions: [],
    manage: true,
    tokenHash: null,
  }
}

function refused(member: string, detail: string, allowed: readonly string[]): ConnectorError {
  return new ConnectorError('redirect_url_refused', `${member} ${detail}`, {
    errors: [{ pointer: `/${member}`, code: 'redirect', detail, allowed }],
  })
}
