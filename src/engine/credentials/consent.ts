// The first half of the authorization code flow: the address of the consent, and what the code is exchanged for.
// Source: RFC 6749 sections 4.1.1 to 4.1.4, RFC 7636.
import { ConnectorError, type ConnectorErrorOptions, type ErrorCode } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { own } from '../../language/json/own.ts'
import {
  consentMethod,
  consentNames,
  consentOf,
  type ConsentRules,
  consentScopes,
  splitFragment,
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
  /** The parameters of the address that the user came back to. */
  readonly callback: Readonly<Record<string, string | undefined>>
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
   * Values of the callback are kept first: `upstream_malformed` for one that is missing or not accepted; nothing is sent.
   * Throws `credentials_refused` for a code that is refused, `upstream_unreachable`, `upstream_failed`,
   * `upstream_malformed` for an endpoint that cannot answer, and what the requests after it throw.
   */
  exchange(config: JsonObject, exchange: CodeExchange): Promise<Consented>
}

/** Compiles the consent of a method, without one the first of the connector; null when there is none. */
export function compileConsent(
  manifest: Manifest,
  ports: MethodPorts & { readonly client: OAuthClient },
  method: AuthMethod | undefined = consentMethod(manifest),
): Consent | null {
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
  const { page, fragment } = splitFragment(authorize.url)
  const address = compileTokenUrl(page, manifest, ports.serverUrl)
  // A vendor that stands in reads its parameters itself.
  const behind = ports.serverUrl === null ? fragment : ''
  const params = authorize.params.map(
    ({ name, value }) => [name, compilePlaced(value, printScalar)] as const,
  )
  const named = consentNames(authorize)
  const asked = consentScopes(manifest, method).join(authorize.separator)
  return (config, { state, redirectUri, challenge }) => {
    const scope = view.scopeOf(emptyMaterial(config))
    const base = address(scope) + behind
    const pairs: readonly (readonly [name: string, value: string | undefined])[] = [
      [named.responseType, 'code'],
      [named.clientId, ports.client?.id],
      [named.redirectUri, redirectUri],
      [named.scope, asked === '' ? undefined : asked],
      [named.state, state],
      ['code_challenge', challenge ?? undefined],
      ['code_challenge_method', challenge === null ? undefined : 'S256'],
      ...params.map(([name, valueIn]) => [name, valueIn(scope)] as const),
    ]
    // What the manifest names replaces one of ours.
    const known = new Map(pairs.filter((pair): pair is [string, string] => pair[1] !== undefined))
    const query = encodePairs([...known])
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
  const takeBack = compileCallback(context, rules)
  return async (config, { code, callback, redirectUri, verifier }) => {
    const material = takeBack(callback, emptyMaterial(config))
    const presented: Presentation = {
      grant_type: rules.grant,
      code,
      redirect_uri: redirectUri,
      ...(verifier === null ? {} : { code_verifier: verifier }),
    }
    const outcome = await ask(presented, material)
    if (outcome.kind !== 'tokens' || outcome.accessToken === null) throw refused(manifest, outcome)
    const told = { ...ownClient(rules, context), ...material.credentials.reveal() }
    const credentials = new Secret(withTokens(method, told, outcome))
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

/** A client that was registered for this consent goes with its tokens: no other one can refresh them. */
function ownClient({ client }: ConsentRules, { ports }: MethodContext): JsonObject {
  if (client !== 'registered' || ports.client === null) return {}
  const { id, secret } = ports.client
  return { client_id: id, ...(secret !== null && { client_secret: secret }) }
}

/** Compiles `authorize.store`: what the address of the callback tells. */
function compileCallback(
  { manifest, method }: MethodContext,
  { authorize }: ConsentRules,
): (callback: CodeExchange['callback'], material: Material) => Material {
  const stores = authorize.store ?? []
  const keep = compileStores(
    manifest,
    method,
    stores.map((store) => ({ ...store, at: { ...store.at, root: 'body' } })),
  )
  return (callback, material) => {
    const given = Object.entries(callback).filter((pair): pair is [string, string] => !!pair[1])
    const { material: kept, refused } = keep(Object.fromEntries(given), material)
    const [first] = refused
    if (first === undefined) return kept
    throw new ConnectorError(
      'upstream_malformed',
      `the consent page of ${manifest.title} leads back with no usable ${first.target}: ${
        first.reason === 'absent' ? 'the address does not hold it' : first.detail
      }; the code was not used`,
      { details: { targets: refused.map(({ target }) => target) } },
    )
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
