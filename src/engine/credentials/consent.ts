// The first half of the authorization code flow: the address of the consent, and what the code is exchanged for.
// Source: RFC 6749 sections 4.1.1 to 4.1.4, RFC 7636.
import { ConnectorError, type ConnectorErrorOptions, type ErrorCode } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { own } from '../../language/json/own.ts'
import {
  consentMethod,
  consentOf,
  type ConsentRules,
  consentScopes,
} from '../../language/manifest/access/consent.ts'
import type { AuthMethod, Manifest } from '../../language/manifest/manifest.ts'
import type { Presentation } from '../../language/manifest/access/grants.ts'
import { encodePairs } from '../request/entries.ts'
import type { ConnectionFinisher } from './after-token.ts'
import { CLIENT_ERRORS } from './credential-errors.ts'
import { printScalar } from '../../language/expression/text-value.ts'
import type { Material, MethodContext, MethodPorts } from './material.ts'
import { compileMethod } from './method-kit.ts'
import { compilePlaced } from './apply.ts'
import { Secret } from './redact.ts'
import type { TokenOutcome } from './token-answer.ts'
import { compileTokenUrl, type OAuthClient } from './token-request.ts'
import { compileStores } from './stored-values.ts'
import { compileAsk, withTokens } from './token-renewal.ts'

export interface ConsentAddress {
  /** 256 random bits; comes back with the code. */
  readonly state: string
  readonly redirectUri: string
  /** SHA-256 of the verifier in base64url; null: the manifest does without PKCE. */
  readonly challenge: string | null
}

export interface CodeExchange {
  readonly code: string
  readonly redirectUri: string
  readonly verifier: string | null
}

/** What a user agreed to. */
export interface Consented {
  readonly credentials: JsonObject
  /** Settings, with what the answers of the third party stored. */
  readonly config: JsonObject
  /** null: the third party did not say. */
  readonly grantedScopes: readonly string[] | null
}

export interface Consent {
  readonly method: AuthMethod
  readonly pkce: boolean
  /** What its answers have to name as `iss`; null: the manifest does not say. */
  readonly issuer: string | null
  /** Where the user agrees. Throws `config_invalid` when the address needs a setting that is absent. */
  url(config: JsonObject, address: ConsentAddress): string
  /**
   * Exchanges a code once, without retry, and runs what the manifest wants right after it.
   * Throws `credentials_refused` for a code that is refused, `upstream_unreachable`, `upstream_failed`,
   * `upstream_malformed` for an endpoint that cannot answer, and what the requests after it throw.
   */
  exchange(config: JsonObject, exchange: CodeExchange): Promise<Consented>
}

/** Compiles the consent of a connector; null when none of its methods has one. */
export function compileConsent(
  manifest: Manifest,
  ports: MethodPorts & { readonly client: OAuthClient },
): Consent | null {
  const method = consentMethod(manifest)
  const rules = method === undefined ? null : consentOf(method)
  if (method === undefined || rules === null) return null
  const { authorize } = rules
  const kit = compileMethod(manifest, method, ports)
  const context: MethodContext = { manifest, method, view: kit, ports }
  return {
    method,
    pkce: authorize.pkce,
    issuer: authorize.issuer ?? null,
    url: compileAddress(context, rules),
    exchange: compileExchange(context, rules, kit.finisher),
  }
}

/** A connection of which only the settings are known. */
function emptyMaterial(config: JsonObject): Material {
  return { credentials: new Secret({}), session: new Secret({}), config }
}

function compileAddress(context: MethodContext, { authorize }: ConsentRules): Consent['url'] {
  const { manifest, method, view, ports } = context
  const address = compileTokenUrl(authorize.url, manifest, ports.serverUrl)
  const params = authorize.params.map(
    ({ name, value }) => [name, compilePlaced(value, printScalar)] as const,
  )
  const asked = consentScopes(manifest, method).join(authorize.separator)
  return (config, { state, redirectUri, challenge }) => {
    const scope = view.scopeOf(emptyMaterial(config))
    const base = address(scope)
    const pairs: readonly (readonly [name: string, value: string | undefined])[] = [
      ['response_type', 'code'],
      ['client_id', ports.client?.id],
      ['redirect_uri', redirectUri],
      ['scope', asked === '' ? undefined : asked],
      ['state', state],
      ['code_challenge', challenge ?? undefined],
      ['code_challenge_method', challenge === null ? undefined : 'S256'],
      ...params.map(([name, valueIn]) => [name, valueIn(scope)] as const),
    ]
    const query = encodePairs(
      pairs.filter((pair): pair is [string, string] => pair[1] !== undefined),
    )
    return `${base}${base.includes('?') ? '&' : '?'}${query}`
  }
}

function compileExchange(
  context: MethodContext,
  rules: ConsentRules,
  finisher: ConnectionFinisher | null,
): Consent['exchange'] {
  const { manifest, method } = context
  const ask = compileAsk(context, rules)
  const keep = compileStores(manifest, method, rules.store)
  return async (config, { code, redirectUri, verifier }) => {
    const material = emptyMaterial(config)
    const presented: Presentation = {
      grant_type: rules.grant,
      code,
      redirect_uri: redirectUri,
      ...(verifier === null ? {} : { code_verifier: verifier }),
    }
    const outcome = await ask(presented, material)
    if (outcome.kind !== 'tokens' || outcome.accessToken === null) throw refused(manifest, outcome)
    const credentials = new Secret(withTokens(method, {}, outcome))
    const kept = keep(outcome.body, { ...material, credentials })
    const forbidden = kept.refused.find(({ reason }) => reason !== 'absent')
    if (forbidden !== undefined) {
      throw new ConnectorError(
        'upstream_malformed',
        `the token answer of ${manifest.title} names a ${forbidden.target} that is not accepted: ${forbidden.detail}`,
      )
    }
    const finished = (await finisher?.run('consent', kept.material)) ?? kept.material
    return {
      credentials: finished.credentials.reveal(),
      config: finished.config,
      grantedScopes: scopesIn(own(outcome.body, 'scope')),
    }
  }
}

/** Separated by blanks (RFC 6749 section 3.3), by some vendors by commas. */
function scopesIn(scope: unknown): readonly string[] | null {
  return typeof scope === 'string' && scope.trim() !== ''
    ? scope.split(/[\s,]+/).filter((each) => each !== '')
    : null
}

function refused({ title }: Manifest, outcome: TokenOutcome): ConnectorError {
  const failed = (code: ErrorCode, text: string, options?: ConnectorErrorOptions): ConnectorError =>
    new ConnectorError(code, `${title} ${text}`, options)
  switch (outcome.kind) {
    case 'tokens':
      return failed('upstream_malformed', 'answered a token of a type that cannot be used')
    case 'not_sent':
      return failed('upstream_unreachable', 'could not be reached', { cause: outcome.cause })
    case 'invalid_grant':
      return failed('credentials_refused', 'refused the code')
    case 'refused': {
      const { error: reason, status } = outcome
      // The client of a consent is always the operator's.
      return CLIENT_ERRORS.has(reason)
        ? failed('oauth_not_configured', `refuses the OAuth client of this service: ${reason}`, {
            details: { reason },
          })
        : failed('credentials_refused', `refused the exchange: ${reason} (status ${status})`)
    }
    case 'busy':
      return failed('upstream_failed', 'cannot answer now')
    case 'lost':
      return failed('upstream_malformed', `gave no token answer to read: ${outcome.problem}`, {
        cause: outcome.cause,
      })
  }
}
