// Signing in at an OpenID provider: the code flow with PKCE, state and nonce. Source: OpenID Connect Core 1.0, section 3.1;
// RFC 7636; RFC 9207; RFC 9700.
import { hash } from 'node:crypto'
import type * as Client from 'openid-client'
import type { Clock } from '../../engine/exchange/clock.ts'
import type { Transport } from '../../engine/exchange/transport.ts'
import { ConnectorError, isConnectorError } from '../../errors.ts'
import { missingPackage } from '../../optional-packages.ts'
import type { ServiceSettings } from '../settings.ts'
import { randomText } from '../tokens/token-text.ts'
import type { Claims } from './roles.ts'

export interface OpenIdPorts {
  readonly issuer: string
  readonly clientId: string
  /** Leads to the provider, within the limits of this service for outgoing calls. */
  readonly transport: Transport
  readonly clock: Pick<Clock, 'monotonic'>
  readonly settings: Pick<ServiceSettings, 'oidcClientSecret' | 'oidcScopes' | 'oidcRoleClaim'>
  /** Where the provider sends the browser back to. */
  readonly redirectUri: () => string
}

/** Below the public address of the service: what a provider has to know of this client. */
export const OPEN_ID_CALLBACK = '/console/api/v1/session/open-id'

const TIMEOUT_MS = 5000
/** What the provider says of itself is asked for again after this time. */
const KNOWN_MS = 3_600_000
const MAX_SUBJECT_CHARS = 255

/** What the browser keeps during a sign-in, and where it goes. */
export interface OpenIdStart {
  readonly url: string
  readonly cookie: string
}

export class OpenId {
  readonly #ports: OpenIdPorts
  #known: { readonly config: Promise<Client.Configuration>; readonly until: number } | null = null

  constructor(ports: OpenIdPorts) {
    this.#ports = ports
  }

  /** The host of the provider, for people. */
  get title(): string {
    return new URL(this.#ports.issuer).host
  }

  /** Begins a sign-in. Throws `overloaded` while the provider cannot be reached, `config_invalid` without the package. */
  async start(): Promise<OpenIdStart> {
    const client = await loadClient()
    const config = await this.#configuration(client)
    // State, nonce and verifier are made of one text that only this browser has, so that nothing needs to be kept here.
    const cookie = randomText()
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: this.#ports.redirectUri(),
      scope: this.#ports.settings.oidcScopes,
      state: partOf(cookie, 'state'),
      nonce: partOf(cookie, 'nonce'),
      code_challenge: hash('sha256', partOf(cookie, 'verifier'), 'base64url'),
      code_challenge_method: 'S256',
    })
    return { url: url.href, cookie }
  }

  /**
   * Who came back, by what the provider has signed. Throws `client_invalid` for an answer that is not for this browser,
   * not of this provider, refused or used up, and `overloaded` while the provider cannot be reached.
   */
  async finish(query: URLSearchParams, cookie: string): Promise<Claims & { readonly sub: string }> {
    const client = await loadClient()
    const config = await this.#configuration(client)
    const url = new URL(this.#ports.redirectUri())
    url.search = query.toString()
    try {
      const tokens = await client.authorizationCodeGrant(config, url, {
        expectedState: partOf(cookie, 'state'),
        expectedNonce: partOf(cookie, 'nonce'),
        pkceCodeVerifier: partOf(cookie, 'verifier'),
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (claims === undefined || claims.sub === '' || claims.sub.length > MAX_SUBJECT_CHARS)
        throw new TypeError('the ID token names nobody')
      if (!this.#lacks(claims) || config.serverMetadata().userinfo_endpoint === undefined)
        return claims
      // Signed first: what the provider says besides is for the same subject, or refused.
      const more = await client.fetchUserInfo(config, tokens.access_token, claims.sub)
      return { ...more, ...claims }
    } catch (cause) {
      throw failureOf(client, cause)
    }
  }

  /** Many providers tell addresses and groups only where they are asked for them. */
  #lacks(claims: Claims): boolean {
    const { oidcRoleClaim: claim } = this.#ports.settings
    return claims['email'] === undefined || (claim !== null && claims[claim] === undefined)
  }

  async #configuration(client: typeof Client): Promise<Client.Configuration> {
    const now = this.#ports.clock.monotonic()
    if (this.#known === null || this.#known.until <= now)
      this.#known = { config: discover(client, this.#ports), until: now + KNOWN_MS }
    const known = this.#known
    try {
      return await known.config
    } catch (cause) {
      if (this.#known === known) this.#known = null
      throw new ConnectorError(
        'overloaded',
        `${this.title} does not answer as an OpenID provider right now; TENON_OIDC_ISSUER names it`,
        { cause, retryAfterMs: TIMEOUT_MS },
      )
    }
  }
}

async function discover(
  client: typeof Client,
  { issuer, clientId, settings, transport }: OpenIdPorts,
): Promise<Client.Configuration> {
  const server = new URL(issuer)
  const secret = settings.oidcClientSecret
  // Where the provider does not say, each takes the secret by HTTP Basic: RFC 6749, section 2.3.1.
  const authentication: Client.ClientAuth = (as, ...request) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = as
    if (secret === null) return client.None()(as, ...request)
    const isBasic = methods.includes('client_secret_basic')
    const way = isBasic ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret)
    return way(as, ...request)
  }
  const options: Client.DiscoveryRequestOptions = {
    timeout: TIMEOUT_MS / 1000,
    [client.customFetch]: (url, request) => send(transport, url, request),
    execute: [
      client.enableNonRepudiationChecks,
      // The setting takes http on loopback only.
      ...(server.protocol === 'http:' ? [client.allowInsecureRequests] : []),
    ],
  }
  return await client.discovery(server, clientId, undefined, authentication, options)
}

/** A request of the client over the transport of this service: its guard, its proxy, its limits. */
async function send(
  transport: Transport,
  url: string,
  { method, headers, body, signal }: Client.CustomFetchOptions,
): Promise<Response> {
  const request = {
    method,
    url,
    headers: Object.fromEntries(new Headers(headers)),
    body: body instanceof URLSearchParams ? body.toString() : null,
    redirects: 0,
    timeoutMs: TIMEOUT_MS,
    secretHeaders: ['authorization'],
    secretQuery: [],
  }
  const answer = await transport.send(request, signal === undefined ? {} : { signal })
  const { status, headers: given } = answer
  const content = status === 204 || status === 304 ? null : new Uint8Array(answer.body)
  return new Response(content, { status, headers: { ...given } })
}

async function loadClient(): Promise<typeof Client> {
  try {
    return await import('openid-client')
  } catch (cause) {
    throw new ConnectorError('config_invalid', missingPackage('openid-client'), { cause })
  }
}

/** 43 characters that tell nothing of each other, nor of the text. */
function partOf(cookie: string, name: 'state' | 'nonce' | 'verifier'): string {
  return hash('sha256', `${name} ${cookie}`, 'base64url')
}

/** What the provider says of a refusal is its own text: a code is all that is shown. */
function failureOf(client: typeof Client, cause: unknown): ConnectorError {
  if (cause instanceof client.AuthorizationResponseError) {
    const word = /^[a-z_]{1,64}$/.test(cause.error) ? cause.error : 'an error'
    return new ConnectorError('client_invalid', `the provider answered ${word}`, { cause })
  }
  const below = cause instanceof Error ? cause.cause : undefined
  if (!isConnectorError(cause) && !isConnectorError(below))
    return new ConnectorError('client_invalid', 'the answer of the provider is not valid', {
      cause,
    })
  const message = 'the provider cannot be reached right now'
  return new ConnectorError('overloaded', message, { cause, retryAfterMs: TIMEOUT_MS })
}
