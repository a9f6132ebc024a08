// Links for end users: who may make one, for whom, and what they open.
import { bodyText } from '../body-text.ts'
import { problemError } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { ConnectSessionRow } from '../store/connect-sessions.ts'
import { auditOf } from '../audit.ts'
import type { ServiceBase } from '../base.ts'
import { instanceUnknown } from '../instances/rows.ts'
import {
  redirectRefused,
  redirectUrlsOf,
  requireRedirectUrl,
  usableRedirectUrls,
} from '../oauth/redirect-url.ts'
import {
  applicationPrincipal,
  type Principal,
  requireAnyInstance,
  requireType,
  requireUser,
} from '../tokens/principal.ts'
import { hashSecret, isTokenText, mintToken } from '../tokens/token-text.ts'

export type ConnectSessionPorts = Pick<
  ServiceBase,
  'catalogue' | 'store' | 'clock' | 'rows' | 'publicUrl' | 'redirectUrls' | 'allowLoopback'
>

/** A link that is not over. */
export interface ConnectSession {
  readonly row: ConnectSessionRow
  /** What the page may do: make and change instances of this user, of these types, or this one instance. */
  readonly principal: Principal
  /** What the page calls the app that sent the user here; null: it has no name. */
  readonly appName: string | null
  /** Of the picture of that app; null: it has none. */
  readonly logoHash: string | null
  /** Its colour; null: that of the page. */
  readonly accent: string | null
}

export const CONNECT_SECONDS = 600

export class ConnectSessions {
  readonly #ports: ConnectSessionPorts

  constructor(ports: ConnectSessionPorts) {
    this.#ports = ports
  }

  /** What `open` takes as `return_url` and `allowed_origin` of this caller, in the order of the allow-list. */
  async places(
    principal: Principal,
  ): Promise<Readonly<Record<'returnUrls' | 'origins', readonly string[]>>> {
    const { store, redirectUrls, allowLoopback } = this.#ports
    const listed = await redirectUrlsOf(store, principal, redirectUrls)
    const usable = usableRedirectUrls(listed, allowLoopback)
    return {
      returnUrls: usable.filter((url) => !hasConnection(url)),
      // An application that gets users back may show them the page, and nobody else.
      origins: [...new Set(usable.map((url) => new URL(url).origin))],
    }
  }

  /**
   * A new link. Its token is the secret in it, and allows what the link is for and nothing else. Throws `scope_denied`,
   * `redirect_url_refused`, `connector_unknown`, `instance_unknown`, `request_malformed`.
   */
  async open(
    principal: Principal,
    body: JsonObject,
    requestId: string,
  ): Promise<{ connectUrl: string; token: string; expiresAt: number }> {
    const { store, clock, publicUrl } = this.#ports
    const { organizationId, clientId, tokenHash: madeBy } = principal
    const externalUserId = bodyText(body, 'external_user_id')
    requireUser(principal, externalUserId)
    await this.#requireReturn(principal, body)
    let connectorTypes = this.#typesFor(principal, body)
    const instanceId = typeof body['instance_id'] === 'string' ? body['instance_id'] : null
    if (instanceId === null) requireAnyInstance(principal)
    else
      connectorTypes = [
        await this.#typeOf(principal, { instanceId, externalUserId, connectorTypes }),
      ]
    const token = mintToken('connect')
    const expiresAt = clock.now() + CONNECT_SECONDS * 1000
    const origin = body['allowed_origin']
    await store.connectSessions.insert(
      {
        tokenHash: hashSecret(token),
        organizationId,
        clientId,
        externalUserId,
        connectorTypes,
        instanceId,
        returnUrl: bodyText(body, 'return_url'),
        allowedOrigin: typeof origin === 'string' ? origin : null,
        expiresAt,
        madeBy,
      },
      auditOf(principal, requestId, 'connect.open', { instanceId, user: externalUserId }),
    )
    const query = typeof body['lang'] === 'string' ? `?lang=${body['lang']}` : ''
    return { connectUrl: `${publicUrl()}/connect/${token}${query}`, token, expiresAt }
  }

  /** The session of a token; null: it is unknown or expired, or its application was disabled. */
  async find(token: string): Promise<ConnectSession | null> {
    return isTokenText(token, ['connect']) ? await this.findByHash(hashSecret(token)) : null
  }

  /** The same of one that is over, as long as the store has it: for the way back, and for nothing else. */
  async findExpired(token: string): Promise<ConnectSession | null> {
    if (!isTokenText(token, ['connect'])) return null
    return await this.#sessionOf(
      await this.#ports.store.connectSessions.findExpired(hashSecret(token)),
    )
  }

  async findByHash(tokenHash: string): Promise<ConnectSession | null> {
    return await this.#sessionOf(await this.#ports.store.connectSessions.find(tokenHash))
  }

  async #sessionOf(row: ConnectSessionRow | null): Promise<ConnectSession | null> {
    const { applications } = this.#ports.store
    if (row === null) return null
    const { clientId } = row
    const application = clientId === null ? null : await applications.byClientId(clientId)
    if (clientId !== null && (application === null || application.disabledAt !== null)) return null
    const { name: appName = null, logoHash = null, accent = null } = application ?? {}
    return { row, principal: principalOf(row), appName, logoHash, accent }
  }

  /** The picture of the app that sent the user here; null: it has none. */
  async logo({ row: { clientId } }: ConnectSession): Promise<Uint8Array | null> {
    return clientId === null ? null : await this.#ports.store.applications.logo(clientId)
  }

  async #requireReturn(principal: Principal, body: JsonObject): Promise<void> {
    const { returnUrls, origins } = await this.places(principal)
    const returnUrl = bodyText(body, 'return_url')
    if (hasConnection(returnUrl))
      throw redirectRefused('return_url', 'must not have "connection" in its query', returnUrls)
    requireRedirectUrl(returnUrl, returnUrls, this.#ports.allowLoopback, 'return_url')
    const origin = body['allowed_origin']
    if (origin !== undefined && !origins.some((each) => each === origin))
      throw redirectRefused(
        'allowed_origin',
        'is the origin of no entry of the allow-list of this application; write it as scheme, host and port',
        origins,
      )
  }

  /** The types that the user may choose from; null: all there are. */
  #typesFor(principal: Principal, body: JsonObject): readonly string[] | null {
    const given = body['connector_types']
    if (!Array.isArray(given)) return principal.connectorTypes
    const types = given.map((name, index) => {
      const pointer = `/connector_types/${index}`
      const { type } = this.#ports.catalogue.get(String(name), pointer)
      requireType(principal, type, pointer)
      return type
    })
    return [...new Set(types)]
  }

  async #typeOf(
    principal: Principal,
    given: Pick<ConnectSessionRow, 'externalUserId' | 'connectorTypes'> & {
      readonly instanceId: string
    },
  ): Promise<string> {
    const instance = await this.#ports.rows.read(principal, given.instanceId)
    if (instance.externalUserId !== given.externalUserId) throw instanceUnknown()
    const { connectorType } = instance
    if (given.connectorTypes === null || given.connectorTypes.includes(connectorType))
      return connectorType
    const detail = `leaves ${connectorType} out, which the instance is of`
    throw problemError(
      'request_malformed',
      { pointer: '/connector_types', code: 'clash', detail },
      `connector_types ${detail}`,
    )
  }
}

/** Whether an address has the name in its query that the page's answer needs. */
function hasConnection(url: string): boolean {
  return URL.parse(url)?.searchParams.has('connection') === true
}

function principalOf(row: ConnectSessionRow): Principal {
  const { organizationId, clientId, externalUserId, connectorTypes, instanceId, tokenHash } = row
  return {
    ...applicationPrincipal(organizationId, clientId, null),
    kind: 'scoped',
    linkHash: tokenHash,
    externalUserId,
    connectorTypes,
    connectorIds: instanceId === null ? null : [instanceId],
    actions: [],
  }
}
