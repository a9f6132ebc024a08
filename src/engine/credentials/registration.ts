// A client that the service registers for itself at the authorization server. Source: RFC 7591.
import { ConnectorError, type ErrorCode } from '../../errors.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import { tryParseJson } from '../../language/json/parse-json.ts'
import type { CodeConsent } from '../../language/manifest/access/code-consent.ts'
import { consentScopes } from '../../language/manifest/access/consent.ts'
import { CLIENT_AUTH } from '../../language/manifest/access/grants.ts'
import type { AuthMethod, Manifest } from '../../language/manifest/manifest.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import type { MethodPorts } from './material.ts'
import { compileTokenUrl, type OAuthClient, registrationRequest } from './token-request.ts'

export interface RegisteredClient extends OAuthClient {
  /** Milliseconds since 1970; null: the client does not end. */
  readonly expiresAt: number | null
}

export interface Registration {
  /** Where the vendor registers clients, also where another origin stands in for it. Throws `config_invalid` when the address needs a setting that is absent. */
  url(config: JsonObject): string
  /**
   * Registers a client once, without retry. Throws `oauth_not_configured` where the server refuses (`details.reason`: the
   * code of RFC 7591 section 3.2.2), `upstream_failed` where it cannot answer now, `upstream_malformed` for an answer that
   * names no client that can be used, and what the transport throws.
   */
  register(config: JsonObject, redirectUri: string): Promise<RegisteredClient>
}

/** Compiles the registration of a method; null: its client is given. */
export function compileRegistration(
  manifest: Manifest,
  method: AuthMethod,
  { register, client, ...rules }: CodeConsent,
  ports: Pick<MethodPorts, 'transport' | 'serverUrl'>,
): Registration | null {
  if (client !== 'registered' || register === undefined) return null
  const { maps } = manifest
  const named = compileTokenUrl(register.url, manifest, null)
  const address = compileTokenUrl(register.url, manifest, ports.serverUrl)
  const { clientAuth } = rules.token
  const auth = CLIENT_AUTH[clientAuth]
  const scope = consentScopes(manifest, method).join(' ')
  return {
    url: (config) => named({ config, maps }),
    async register(config, redirectUri) {
      const metadata = {
        client_name: register.name ?? 'Tenon',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', ...(rules.refresh === null ? [] : ['refresh_token'])],
        response_types: ['code'],
        token_endpoint_auth_method: auth.registeredAs,
        ...(scope === '' ? {} : { scope }),
      }
      const response = await ports.transport.send(
        registrationRequest(address({ config, maps }), metadata),
      )
      const body = tryParseJson(response.body.toString('utf8'))
      return readClient(manifest, { status: response.status, body, needsSecret: auth.hasSecret })
    },
  }
}

/** RFC 7591 section 3.2.2. Other codes may hold anything. */
const REFUSALS: ReadonlySet<string> = new Set([
  'invalid_redirect_uri',
  'invalid_client_metadata',
  'invalid_software_statement',
  'unapproved_software_statement',
])
/** Seconds since 1970 that are no date any more (the year 9999): such a client does not end. */
const ENDS_NEVER = 253_402_300_800
const TEXT = /^[\x20-\x7e]{1,2048}$/

function readClient(
  { title }: Manifest,
  answer: {
    readonly status: number
    readonly body: Json | undefined
    readonly needsSecret: boolean
  },
): RegisteredClient {
  const { status, needsSecret } = answer
  const body = isJsonObject(answer.body) ? answer.body : {}
  const failed = (code: ErrorCode, text: string, reason?: string): ConnectorError =>
    new ConnectorError(code, `${title} ${text}`, {
      details: { status, ...(reason !== undefined && { reason }) },
    })
  if (status === 408 || status === 429 || status >= 500)
    throw failed('upstream_failed', `cannot register a client now (status ${status})`)
  if (status < 200 || status > 299) {
    const error = own(body, 'error')
    const reason = typeof error === 'string' && REFUSALS.has(error) ? error : 'other'
    throw failed('oauth_not_configured', `refuses to register a client: ${reason}`, reason)
  }
  const [id, secret] = [own(body, 'client_id'), own(body, 'client_secret')]
  if (typeof id !== 'string' || !TEXT.test(id))
    throw failed('upstream_malformed', 'answered a registration without a client_id')
  const hasSecret = typeof secret === 'string' && TEXT.test(secret)
  if (needsSecret && !hasSecret)
    throw failed('upstream_malformed', 'answered a registration without a client_secret')
  const ends = own(body, 'client_secret_expires_at')
  const isEnd = typeof ends === 'number' && ends > 0 && ends < ENDS_NEVER
  const expiresAt = hasSecret && isEnd ? Math.floor(ends * 1000) : null
  return { id, secret: hasSecret ? secret : null, expiresAt }
}
