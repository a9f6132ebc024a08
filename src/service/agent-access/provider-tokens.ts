// Tokens of the operator's OpenID provider: JSON Web Tokens, proved by its keys. Source: RFC 9068, RFC 8725.
import { ConnectorError } from '../../errors.ts'
import type { Transport } from '../../engine/exchange/transport.ts'
import type * as Jose from 'jose'
import type { ServiceBase } from '../base.ts'
import type { ServiceSettings } from '../settings.ts'
import { FIRST_ORGANIZATION } from '../tokens/applications.ts'
import { applicationPrincipal, type Principal } from '../tokens/principal.ts'

export interface ProviderPorts extends Pick<ServiceBase, 'store' | 'clock'> {
  readonly issuer: string
  /** Leads to the provider. */
  readonly transport: Transport
  readonly resource: () => string
  readonly settings: Pick<ServiceSettings, 'mcpAudience' | 'mcpUserClaim' | 'mcpClientId'>
}

/** Signatures by a key pair: what anybody could make with a key that is public is none. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]
const TIMEOUT_MS = 5000
const TOLERANCE_SECONDS = 5
const MAX_USER_CHARS = 255
/** A provider that did not answer is asked again after this time. */
const RETRY_MS = 5000

export class ProviderTokens {
  readonly #ports: ProviderPorts
  #keys: Promise<Jose.JWTVerifyGetKey> | null = null
  #failedAt = -Infinity

  constructor(ports: ProviderPorts) {
    this.#ports = ports
  }

  /**
   * The user that a token is of; null: it is not valid here. Throws `config_invalid` without the package `jose` and
   * `overloaded` while the provider's keys cannot be had.
   */
  async callerOf(token: string, tokenHash: string): Promise<Principal | null> {
    const { issuer, settings, resource, clock } = this.#ports
    const jose = await loadJose()
    const keys = await this.#providerKeys()
    let payload: Readonly<Record<string, unknown>>
    try {
      const verified = await jose.jwtVerify(token, keys, {
        issuer: [issuer, `${issuer}/`],
        audience: settings.mcpAudience ?? resource(),
        algorithms: ALGORITHMS,
        clockTolerance: TOLERANCE_SECONDS,
        requiredClaims: ['exp', 'iss', 'aud'],
        currentDate: new Date(clock.now()),
      })
      payload = verified.payload
    } catch (error) {
      if (!(error instanceof jose.errors.JOSEError)) throw noKeys(issuer, error)
      if (error instanceof jose.errors.JWKSTimeout) throw noKeys(issuer, error)
      return null
    }
    const user = payload[settings.mcpUserClaim]
    if (typeof user !== 'string' || user === '' || user.length > MAX_USER_CHARS) return null
    const application = await this.#application()
    if (application === null) return null
    return {
      ...applicationPrincipal(application.organizationId, application.clientId, tokenHash),
      kind: 'scoped',
      externalUserId: user,
      manage: false,
    }
  }

  /** The application whose users these are; null: it is disabled, or there is none. */
  async #application(): Promise<Pick<Principal, 'organizationId' | 'clientId'> | null> {
    const { store, settings } = this.#ports
    if (settings.mcpClientId === null) return { organizationId: FIRST_ORGANIZATION, clientId: null }
    const row = await store.applications.byClientId(settings.mcpClientId)
    return row === null || row.disabledAt !== null ? null : row
  }

  async #providerKeys(): Promise<Jose.JWTVerifyGetKey> {
    const { issuer, clock } = this.#ports
    if (this.#keys === null) {
      if (clock.monotonic() - this.#failedAt < RETRY_MS) throw noKeys(issuer)
      this.#keys = findKeys(this.#ports)
    }
    try {
      return await this.#keys
    } catch (error) {
      this.#keys = null
      this.#failedAt = clock.monotonic()
      throw noKeys(issuer, error)
    }
  }
}

async function loadJose(): Promise<typeof Jose> {
  try {
    return await import('jose')
  } catch (cause) {
    throw new ConnectorError(
      'config_invalid',
      'TENON_MCP_ISSUER names an OpenID provider, whose tokens need the package jose: npm install jose',
      { cause },
    )
  }
}

/** Source: OpenID Connect Discovery 1.0, section 4; RFC 8414, section 3, for servers that know OAuth only. */
async function findKeys({
  issuer,
  transport,
}: Pick<ProviderPorts, 'issuer' | 'transport'>): Promise<Jose.JWTVerifyGetKey> {
  const { createRemoteJWKSet, customFetch } = await loadJose()
  const { origin, pathname } = new URL(issuer)
  const path = pathname === '/' ? '' : pathname
  const places = [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ]
  let failure: unknown
  for (const place of places) {
    try {
      const found = (await ask(transport, place).then((answer) => answer.json())) as {
        issuer?: unknown
        jwks_uri?: unknown
      }
      const named = typeof found.issuer === 'string' ? found.issuer.replace(/\/$/, '') : ''
      if (named !== issuer) throw new Error(`${place} is of another issuer`)
      const keys = URL.parse(String(found.jwks_uri))
      if (keys === null || keys.protocol !== new URL(issuer).protocol)
        throw new Error(`${place} names no keys`)
      return createRemoteJWKSet(keys, {
        timeoutDuration: TIMEOUT_MS,
        [customFetch]: (url: string, { signal }: { readonly signal: AbortSignal }) =>
          ask(transport, url, signal),
      })
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/** Throws for an answer other than 200. */
async function ask(transport: Transport, url: string, signal?: AbortSignal): Promise<Response> {
  const request = {
    method: 'GET',
    url,
    headers: { accept: 'application/json' },
    body: null,
    redirects: 0,
    timeoutMs: TIMEOUT_MS,
    secretHeaders: [],
    secretQuery: [],
  }
  const { status, body } = await transport.send(request, signal === undefined ? {} : { signal })
  if (status !== 200) throw new Error(`${url} answers ${status}`)
  return new Response(new Uint8Array(body))
}

function noKeys(issuer: string, cause?: unknown): ConnectorError {
  return new ConnectorError(
    'overloaded',
    `the keys of ${issuer} cannot be had right now; TENON_MCP_ISSUER names it`,
    { cause, retryAfterMs: RETRY_MS },
  )
}
