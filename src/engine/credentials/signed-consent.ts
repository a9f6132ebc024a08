// The consent of OAuth 1.0a: temporary credentials, the page on which a user agrees, the token. Source: RFC 5849 section 2.
import { ConnectorError, type ErrorCode } from '../../errors.ts'
import { compileBodyPath } from '../../language/expression/pick.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import { headerValue, printScalar } from '../../language/expression/text-value.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import { tryParseJson } from '../../language/json/parse-json.ts'
import {
  consentSignature,
  type TokenPair,
} from '../../language/manifest/credential-places/oauth1.ts'
import type { Manifest, OAuth1 } from '../../language/manifest/manifest.ts'
import type { UpstreamResponse } from '../exchange/transport.ts'
import { encodePairs } from '../request/entries.ts'
import { signed, type UpstreamRequest } from '../request/upstream-request.ts'
import { compileApply, compilePlaced } from './apply.ts'
import type { Consent } from './consent.ts'
import { compileCallback, compileFinish, emptyMaterial } from './consented.ts'
import { readTokenFailure } from './token-answer.ts'
import type { MethodContext } from './material.ts'
import type { MethodKit } from './method-kit.ts'
import { Secret } from './redact.ts'
import { compileTokenUrl } from './token-request.ts'

/** How long a request may take, in milliseconds. */
const TIMEOUT_MS = 20_000
const MAX_ANSWER_BYTES = 1024 * 1024
/** Tokens and their secrets: visible ASCII and blanks, and no longer than a header may be. */
const TOKEN = /^[\x20-\x7e]{1,16384}$/

/**
 * Compiles the consent of a method that signs its requests. What is kept until the user comes back are the temporary
 * credentials, with their secret: as long as they are not known, nobody can ask for the token.
 */
export function compileSignedConsent(
  context: MethodContext & { readonly view: MethodKit },
  rules: OAuth1,
): Omit<Consent, 'method'> {
  const { manifest, view } = context
  const { authorize, requestToken, accessToken } = rules
  const temporary = compileStep(context, requestToken)
  const final = compileStep(context, accessToken)
  const takeBack = compileCallback(context, authorize.store ?? [])
  const finish = compileFinish(context, rules.store)
  return {
    issuer: null,
    async prepare(config, { state, redirectUri }) {
      const callback = withState(redirectUri, state)
      const scope = view.scopeOf(emptyMaterial(config))
      const params = [['oauth_callback', callback]] as const
      const { pair, answer } = await temporary(scope, { pair: null, params, what: 'client' })
      // Without it a vendor of the first OAuth 1.0 would lead a user back to an address of anybody's (section 2.1).
      const said = own(answer, 'oauth_callback_confirmed')
      const isConfirmed = said === 'true' || said === true
      if (authorize.callback === 'confirmed' && !isConfirmed)
        throw new ConnectorError(
          'upstream_malformed',
          `${manifest.title} gave a temporary token without oauth_callback_confirmed; a vendor that does not say it has callback: unconfirmed in its manifest`,
        )
      return JSON.stringify(pair)
    },
    url: compileAddress(context, rules),
    async exchange(config, { callback, kept }) {
      if (kept === null) throw new TypeError('a consent without its temporary token')
      const pair = readPair(kept)
      if (callback['oauth_token'] !== pair.token)
        throw new ConnectorError(
          'upstream_malformed',
          `the consent page of ${manifest.title} leads back with another oauth_token than the one that was given; nothing was sent`,
        )
      const material = takeBack(callback, emptyMaterial(config))
      const params = [['oauth_verifier', callback['oauth_verifier'] ?? '']] as const
      const scope = view.scopeOf(material)
      const given = await final(scope, { pair, params, what: 'verifier' })
      const credentials = new Secret<JsonObject>({
        ...material.credentials.reveal(),
        access_token: given.pair.token,
        token_secret: given.pair.secret,
      })
      const finished = await finish(given.answer, { ...material, credentials })
      return { ...finished, grantedScopes: null, lifeMs: null }
    },
  }
}

function compileAddress(context: MethodContext, { authorize }: OAuth1): Consent['url'] {
  const { manifest, view, ports } = context
  const address = compileTokenUrl(authorize.url, manifest, ports.serverUrl)
  const params = authorize.params.map(
    ({ name, value }) => [name, compilePlaced(value, printScalar)] as const,
  )
  return (config, { state, redirectUri, kept }) => {
    const scope = view.scopeOf(emptyMaterial(config))
    const pairs = [
      ['oauth_token', kept === null ? '' : readPair(kept).token] as const,
      ...(authorize.callback === 'page'
        ? [['oauth_callback', withState(redirectUri, state)] as const]
        : []),
      ...params.map(([name, valueIn]) => [name, valueIn(scope)] as const),
    ].filter((pair): pair is [string, string] => pair[1] !== undefined)
    const base = address(scope)
    return `${base}${base.includes('?') ? '&' : '?'}${encodePairs(pairs)}`
  }
}

/** The protocol has no state of its own; what stands in the address comes back with it (section 2.2). */
function withState(redirectUri: string, state: string): string {
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${encodePairs([['state', state]])}`
}

/** Ours: `prepare` wrote it, and it was sealed meanwhile. */
function readPair(kept: string): TokenPair {
  return JSON.parse(kept) as TokenPair
}

type Step = OAuth1['requestToken']
interface Asked {
  readonly pair: TokenPair | null
  readonly params: readonly (readonly [name: string, value: string])[]
  /** What is wrong where the third party refuses without saying why. */
  readonly what: 'client' | 'verifier'
}
interface Given {
  readonly pair: TokenPair
  readonly answer: JsonObject
}

/** Compiles one of the two requests, which is sent once. */
function compileStep(
  context: MethodContext,
  step: Step,
): (scope: Scope, asked: Asked) => Promise<Given> {
  const { manifest, method } = context
  const build = compileRequest(context, step)
  const tokenIn = at(step.token, 'oauth_token')
  const secretIn = at(step.tokenSecret, 'oauth_token_secret')
  return async (scope, asked) => {
    const { sign } = compileApply([consentSignature(method.apply, asked)])(scope)
    const request = signed({ ...build(scope), ...(sign !== undefined && { sign }) })
    const response = await send(context, request)
    const { status } = response
    if (status < 200 || status > 299) throw refusal(manifest, response, asked.what)
    const answer = readAnswer(response)
    const [token, secret] = [tokenIn(answer), secretIn(answer)]
    if (typeof token !== 'string' || !TOKEN.test(token))
      throw malformed(manifest, `answered ${status} without a token that can be used`)
    if (typeof secret !== 'string' || !TOKEN.test(secret))
      throw malformed(manifest, `answered ${status} without the secret of its token`)
    return { pair: { token, secret }, answer }
  }
}

async function send(
  { manifest, ports }: MethodContext,
  request: UpstreamRequest,
): Promise<UpstreamResponse> {
  try {
    return await ports.transport.send(request)
  } catch (cause) {
    const isSent = readTokenFailure(cause).kind !== 'not_sent'
    throw isSent
      ? malformed(manifest, 'gave no answer that can be read', cause)
      : new ConnectorError('upstream_unreachable', `${manifest.title} could not be reached`, {
          cause,
        })
  }
}

function compileRequest(
  { manifest, ports }: MethodContext,
  { url, method, headers, params }: Step,
): (scope: Scope) => UpstreamRequest {
  const address = compileTokenUrl(url, manifest, ports.serverUrl)
  const named = headers.map(
    ({ name, value }) => [name.toLowerCase(), compilePlaced(value, headerValue)] as const,
  )
  const placed = params.map(({ name, value }) => [name, compilePlaced(value, printScalar)] as const)
  return (scope) => {
    const base = address(scope)
    const form = encodePairs(filled(placed, scope))
    const isForm = method === 'POST' && form !== ''
    const query = method === 'GET' && form !== '' ? `${base.includes('?') ? '&' : '?'}${form}` : ''
    return {
      method,
      url: base + query,
      headers: {
        accept: '*/*',
        ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...Object.fromEntries(filled(named, scope)),
      },
      body: isForm ? form : null,
      redirects: 0,
      timeoutMs: TIMEOUT_MS,
      secretHeaders: named.map(([name]) => name),
      secretQuery: [],
    }
  }
}

function filled(
  entries: readonly (readonly [string, (scope: Scope) => string | undefined])[],
  scope: Scope,
): readonly (readonly [string, string])[] {
  return entries.flatMap(([name, valueIn]) => {
    const value = valueIn(scope)
    return value === undefined ? [] : [[name, value] as const]
  })
}

function at(path: Step['token'], name: string): (answer: JsonObject) => Json | undefined {
  return path === undefined ? (answer) => own(answer, name) : compileBodyPath(path)
}

/** A form (section 2.1), or JSON; vendors give their forms many content types. */
function readAnswer({ body }: UpstreamResponse): JsonObject {
  if (body.length > MAX_ANSWER_BYTES) return {}
  const text = body.toString('utf8').trim()
  const value = text.startsWith('{') ? tryParseJson(text) : undefined
  return isJsonObject(value) ? value : Object.fromEntries(new URLSearchParams(text))
}

/** What is wrong with the client; the words are of the extension "OAuth Problem Reporting". */
const CLIENT_PROBLEMS: ReadonlySet<string> = new Set([
  'consumer_key_unknown',
  'consumer_key_rejected',
  'consumer_key_refused',
  'signature_invalid',
  'signature_method_rejected',
])
const TOKEN_PROBLEMS: ReadonlySet<string> = new Set([
  'token_used',
  'token_expired',
  'token_revoked',
  'token_rejected',
  'verifier_invalid',
  'permission_denied',
  'permission_unknown',
  'nonce_used',
  'timestamp_refused',
  'parameter_absent',
  'parameter_rejected',
  'version_rejected',
  'user_refused',
])

function refusal(
  { title }: Manifest,
  response: UpstreamResponse,
  what: Asked['what'],
): ConnectorError {
  const { status } = response
  const failed = (code: ErrorCode, text: string, details: JsonObject = {}): ConnectorError =>
    new ConnectorError(code, `${title} ${text}`, { details })
  if (status === 408 || status === 429 || status >= 500)
    return failed('upstream_failed', 'cannot answer now')
  if (status < 400)
    return failed('upstream_malformed', `leads a request for a token elsewhere (status ${status})`)
  const said = own(readAnswer(response), 'oauth_problem')
  // Other words may hold anything.
  const reason =
    typeof said === 'string' && (CLIENT_PROBLEMS.has(said) || TOKEN_PROBLEMS.has(said))
      ? said
      : `status_${status}`
  return CLIENT_PROBLEMS.has(reason) || what === 'client'
    ? failed('oauth_not_configured', `refuses the OAuth client of this service: ${reason}`, {
        reason,
      })
    : failed('credentials_refused', `refused the exchange: ${reason}`)
}

function malformed({ title }: Manifest, text: string, cause?: unknown): ConnectorError {
  return new ConnectorError('upstream_malformed', `${title} ${text}`, { cause })
}
