// The authorization code flow: the address of the consent, and what the code is exchanged for.
// Source: RFC 6749 sections 4.1.1 to 4.1.4, RFC 7636.
import { ConnectorError, type ConnectorErrorOptions, type ErrorCode } from '../../errors.ts'
import { printScalar } from '../../language/expression/text-value.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { own } from '../../language/json/own.ts'
import {
  type CodeConsent,
  consentNames,
  splitFragment,
} from '../../language/manifest/access/code-consent.ts'
import { consentScopes } from '../../language/manifest/access/consent.ts'
import type { Presentation } from '../../language/manifest/access/grants.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import { hashText } from '../../language/signing/algorithms.ts'
import { encodePairs } from '../request/entries.ts'
import { compilePlaced } from './apply.ts'
import type { Consent } from './consent.ts'
import { compileCallback, compileFinish, emptyMaterial } from './consented.ts'
import { CLIENT_ERRORS } from './credential-errors.ts'
import type { MethodContext } from './material.ts'
import type { MethodKit } from './method-kit.ts'
import { Secret } from './redact.ts'
import type { TokenOutcome } from './token-answer.ts'
import { compileAsk, withTokens } from './token-renewal.ts'
import { compileTokenUrl } from './token-request.ts'

/** Compiles the consent of a method whose code is exchanged at a token endpoint. What is kept is the verifier of PKCE. */
export function compileCodeConsent(
  context: MethodContext & { readonly view: MethodKit },
  rules: CodeConsent,
): Omit<Consent, 'method'> {
  const { authorize } = rules
  return {
    issuer: authorize.issuer ?? null,
    prepare: (_config, { random }) => Promise.resolve(authorize.pkce ? random : null),
    url: compileAddress(context, rules),
    exchange: compileExchange(context, rules),
  }
}

function compileAddress(context: MethodContext, { authorize }: CodeConsent): Consent['url'] {
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
  return (config, { state, redirectUri, kept: verifier }) => {
    const challenge = verifier === null ? undefined : challengeOf(verifier)
    const scope = view.scopeOf(emptyMaterial(config))
    const base = address(scope) + behind
    const pairs: readonly (readonly [name: string, value: string | undefined])[] = [
      [named.responseType, 'code'],
      [named.clientId, ports.client?.id],
      [named.redirectUri, redirectUri],
      [named.scope, asked === '' ? undefined : asked],
      [named.state, state],
      ['code_challenge', challenge],
      ['code_challenge_method', challenge === undefined ? undefined : 'S256'],
      ...params.map(([name, valueIn]) => [name, valueIn(scope)] as const),
    ]
    // What the manifest names replaces one of ours.
    const known = new Map(pairs.filter((pair): pair is [string, string] => pair[1] !== undefined))
    const query = encodePairs([...known])
    return `${base}${base.includes('?') ? '&' : '?'}${query}`
  }
}

/** Source: RFC 7636 section 4.2. */
function challengeOf(verifier: string): string {
  return hashText('sha256', Buffer.from(verifier), 'base64url')
}

function compileExchange(
  context: MethodContext & { readonly view: MethodKit },
  rules: CodeConsent,
): Consent['exchange'] {
  const { manifest, method } = context
  const ask = compileAsk(context, rules)
  const takeBack = compileCallback(context, rules.authorize.store ?? [])
  const finish = compileFinish(context, rules.store)
  const named = consentNames(rules.authorize)
  return async (config, { callback, redirectUri, kept: verifier }) => {
    const material = takeBack(callback, emptyMaterial(config))
    const presented: Presentation = {
      grant_type: rules.grant,
      code: callback[named.code] ?? '',
      redirect_uri: redirectUri,
      ...(verifier === null ? {} : { code_verifier: verifier }),
    }
    const outcome = await ask(presented, material)
    if (outcome.kind !== 'tokens' || outcome.accessToken === null) throw refused(manifest, outcome)
    const told = { ...ownClient(rules, context), ...material.credentials.reveal() }
    const credentials = new Secret(withTokens(method, told, outcome))
    const finished = await finish(outcome.body, { ...material, credentials })
    const grantedScopes = scopesIn(own(outcome.body, 'scope'))
    return { ...finished, grantedScopes, lifeMs: outcome.lifeMs }
  }
}

/** A client that was registered for this consent goes with its tokens: no other one can refresh them. */
function ownClient({ client }: CodeConsent, { ports }: MethodContext): JsonObject {
  if (client !== 'registered' || ports.client === null) return {}
  const { id, secret } = ports.client
  return { client_id: id, ...(secret !== null && { client_secret: secret }) }
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
