// The OAuth 2.0 side of the vendor: the consent, and the token endpoint. Sources: RFC 6749, 7636, 9700.
import { compileTemplate } from '../../language/expression/evaluate.ts'
import type { Text } from '../../language/expression/syntax.ts'
import type { Json } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import { tryParseJson } from '../../language/json/parse-json.ts'
import {
  ASSERTION_TYPE,
  CLIENT_AUTH,
  GRANTS,
  grantTypeOf,
  REFRESH,
} from '../../language/manifest/access/grants.ts'
import {
  consentNames,
  readConsentParams,
  splitFragment,
} from '../../language/manifest/access/code-consent.ts'
import { readBasic } from '../../language/manifest/credential-places/basic.ts'
import type { AuthMethod, Entry, OAuth2, Store } from '../../language/manifest/manifest.ts'
import type { VendorParts } from '../answer/vendor-call.ts'
import { pathSegments } from '../wire/routes.ts'
import { scalarText, textOf } from '../wire/same-scalar.ts'
import { valueAnswer, type WireAnswer } from '../wire/wire-answer.ts'
import { mediaTypeOf, readPairs, type WireRequest } from '../wire/wire-request.ts'
import { type Draft, writePath } from '../wire/write-path.ts'
import { answerWithPage, CONSENT_PARAM, decide, SCOPE_PARAM } from './consent-page.ts'
import { acceptsJwt } from './check-jwt.ts'
import { grantedScopes, readScopes, type Scopes } from './scopes.ts'
import type { SideRoute } from './side-routes.ts'
import { ACCESS_SECONDS, type CodeTerms, fitsChallenge, type TokenPair } from './token-book.ts'

interface OAuthMethod {
  readonly method: AuthMethod
  readonly oauth2: OAuth2
  readonly vendor: VendorParts
}

/** The endpoints of a method with OAuth. Hosts are ignored, paths are the manifest's. */
export function oauthRoutes(of: OAuthMethod): readonly SideRoute[] {
  const { oauth2, vendor } = of
  const { authorize, token, refresh } = oauth2
  const route = (
    operation: SideRoute['operation'],
    { method, url }: { readonly method: string; readonly url: Text },
    answer: (request: WireRequest, of: OAuthMethod) => WireAnswer,
    suits: (request: WireRequest, of: OAuthMethod) => boolean = () => false,
  ): SideRoute => ({
    operation,
    method,
    paths: [pathSegments(url, vendor.known)],
    open: true,
    isFirst: true,
    answer: (request) => answer(request, of),
    suits: (request) => suits(request, of),
  })
  const page = authorize && { method: 'GET', url: splitFragment(authorize.url).page }
  return [
    ...(page === null ? [] : [route('oauth.authorize', page, answerAuthorize, asksFor)]),
    ...(oauth2.register === undefined
      ? []
      : [route('oauth.register', { method: 'POST', url: oauth2.register.url }, answerRegister)]),
    ...[token, ...(refresh === null ? [] : [refresh])].map(({ url }) =>
      route('oauth.token', { method: token.method, url }, answerToken, isIssuedBy),
    ),
  ]
}

/** Methods with one consent page are told apart by the name that each gives its scopes. */
function asksFor({ query }: WireRequest, { oauth2 }: OAuthMethod): boolean {
  const { scope } = consentNames(oauth2.authorize ?? {})
  return query.some(([name]) => name === scope)
}

/** Methods with one token endpoint, by the code or the refresh token. */
function isIssuedBy(request: WireRequest, { method, oauth2, vendor }: OAuthMethod): boolean {
  const given = readForm(request, oauth2)
  const shown = [given?.get('code'), given?.get(REFRESH)]
  return shown.some((text) => text !== undefined && vendor.tokens.isIssuedBy(method.name, text))
}

/** The registration of a client: every one that asks well is the demo's (RFC 7591 section 3.2.1). */
function answerRegister(request: WireRequest, { oauth2, vendor }: OAuthMethod): WireAnswer {
  const body = tryParseJson(request.body.toString('utf8'))
  const given = isJsonObject(body) ? body : {}
  const { redirect_uris: uris, token_endpoint_auth_method: auth } = given
  if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === 'string' && URL.canParse(uri)))
    return oauthError('invalid_redirect_uri', 'redirect_uris must be a list of addresses')
  const { hasSecret, registeredAs } = CLIENT_AUTH[oauth2.token.clientAuth]
  if (auth !== registeredAs)
    return oauthError(
      'invalid_client_metadata',
      `token_endpoint_auth_method must be ${registeredAs}`,
    )
  const { id, secret } = vendor.client
  const client = hasSecret ? { client_secret: secret, client_secret_expires_at: 0 } : {}
  return valueAnswer(201, { ...given, client_id: id, ...client })
}

/** The consent: sends the browser back with a code or an error, or shows the page that asks. */
function answerAuthorize(
  request: WireRequest,
  { method, oauth2, vendor }: OAuthMethod,
): WireAnswer {
  const authorize = oauth2.authorize ?? {}
  const named = consentNames(authorize)
  const given = readConsentParams(authorize, new Map(request.query))
  const redirectUri = given.get('redirect_uri') ?? ''
  // A broken client or address is shown to the user; no redirect follows (RFC 6749, section 4.1.2.1).
  if (given.get('client_id') !== vendor.client.id)
    return oauthError('invalid_request', 'unknown client_id')
  if (!URL.canParse(redirectUri)) return oauthError('invalid_request', 'redirect_uri is missing')
  const back = new URL(redirectUri)
  const told = { [named.state]: given.get('state'), iss: oauth2.authorize?.issuer }
  for (const [name, value] of Object.entries(told))
    if (value !== undefined) back.searchParams.set(name, value)
  const problem = consentProblem(given, oauth2, vendor)
  const asked = readScopes(given.get('scope'), separatorOf(oauth2))
  const scopes = grantedScopes(chosenScopes(request, asked), vendor.scopes)
  const givesNothing = scopes?.length === 0
  const decision =
    problem === null && !givesNothing ? decide(request, given, vendor.consent) : 'deny'
  if (decision === 'ask') {
    return answerWithPage({
      vendor: vendor.manifest.title,
      app: vendor.client.id,
      scopes: asked ?? [],
      redirectUri: new URL(redirectUri),
      query: request.query,
    })
  }
  if (decision === 'allow') {
    const challenge = challengeOf(given)
    const terms = { redirectUri, clientId: vendor.client.id, scopes, challenge }
    back.searchParams.set(named.code, vendor.tokens.issueCode(method.name, terms))
    tellStored(back, oauth2.authorize?.store ?? [], { method, vendor })
  } else {
    back.searchParams.set('error', problem === null ? 'access_denied' : 'invalid_request')
    const reason = givesNothing ? 'none of these scopes is granted' : 'the user denied access'
    back.searchParams.set('error_description', problem ?? reason)
  }
  return { status: 302, headers: { location: back.href }, body: { kind: 'none' } }
}

function separatorOf({ authorize }: OAuth2): string {
  return authorize?.separator ?? ' '
}

function chosenScopes({ query }: WireRequest, asked: Scopes): Scopes {
  const chosen = query.flatMap(([name, value]) => (name === SCOPE_PARAM ? [value] : []))
  return chosen.length === 0 || asked === null
    ? asked
    : asked.filter((scope) => chosen.includes(scope))
}

function consentProblem(
  given: ReadonlyMap<string, string>,
  oauth2: OAuth2,
  vendor: VendorParts,
): string | null {
  const params = oauth2.authorize?.params ?? []
  // A vendor that wants another type is asked for it by a parameter of the manifest.
  const isOther = params.some(({ name }) => name === 'response_type')
  if (given.get('response_type') !== 'code' && !isOther) return 'response_type must be code'
  const said = given.get(CONSENT_PARAM)
  if (said !== undefined && said !== 'allow' && said !== 'deny')
    return `${CONSENT_PARAM} must be allow or deny`
  if (oauth2.authorize?.pkce === true && !given.has('code_challenge')) {
    return 'code_challenge is missing'
  }
  return missingEntry(params, { vendor }, given)
}

/** Puts what `authorize.store` reads into the address that leads back. */
export function tellStored(
  back: URL,
  stores: readonly Store[],
  { method, vendor }: Pick<OAuthMethod, 'method' | 'vendor'>,
): void {
  for (const { root, name, at } of stores) {
    const values = root === 'config' ? vendor.known.config : vendor.credentials.get(method.name)
    const [step] = at.steps
    const value = scalarText(own(values, name))
    if (step?.kind === 'member' && value !== undefined) back.searchParams.set(step.name, value)
  }
}

function challengeOf(given: ReadonlyMap<string, string>): CodeTerms['challenge'] {
  const value = given.get('code_challenge')
  if (value === undefined) return null
  return { value, method: given.get('code_challenge_method') === 'S256' ? 'S256' : 'plain' }
}

function answerToken(request: WireRequest, of: OAuthMethod): WireAnswer {
  const { oauth2 } = of
  const given = readForm(request, oauth2)
  if (given === null) {
    const type = oauth2.token.body === 'json' ? 'application/json' : 'a form'
    return refusal(of, 'invalid_request', `the body must be ${type}`)
  }
  if (!isClient(request, given, of)) {
    const answer = refusal(of, 'invalid_client', 'unknown client, or wrong secret', 401)
    return { ...answer, headers: { ...answer.headers, 'www-authenticate': 'Basic' } }
  }
  const grant =
    given.get('grant_type') ?? (oauth2.token.method === 'GET' ? grantTypeOf(oauth2.grant) : '')
  const isRefresh = grant === REFRESH
  if (isRefresh ? oauth2.refresh === null : grantTypeOf(oauth2.grant) !== grant)
    return refusal(of, 'unsupported_grant_type', `grant_type ${grant} is not supported`)
  const missing = missingEntry((isRefresh ? oauth2.refresh : oauth2.token)?.params ?? [], of, given)
  if (missing !== null) return refusal(of, 'invalid_request', missing)
  const asked = { ...of, given }
  if (isRefresh) return answerRefresh(asked)
  const { presents, asserts } = GRANTS[oauth2.grant]
  if (asserts === true && !isAsserted(given.get('assertion'), of))
    return refusal(
      of,
      'invalid_grant',
      'the assertion is not what the manifest says, or not signed with this key',
    )
  return presents === null ? answerCode(asked) : answerPresented(asked, presents)
}

interface TokenRequest extends OAuthMethod {
  readonly given: ReadonlyMap<string, string>
}

function answerCode(request: TokenRequest): WireAnswer {
  const { given, method, vendor } = request
  const terms = vendor.tokens.redeemCode(method.name, given.get('code') ?? '')
  const fits =
    terms !== null &&
    terms.redirectUri === given.get('redirect_uri') &&
    fitsChallenge(terms.challenge, given.get('code_verifier'))
  return fits
    ? granted(request, vendor.tokens.grant(method.name, terms.scopes), terms.scopes)
    : refusal(
        request,
        'invalid_grant',
        'the code is unknown, was used, or was issued to another client',
      )
}

function answerRefresh(request: TokenRequest): WireAnswer {
  const { given, method, oauth2, vendor } = request
  const pair = vendor.tokens.renew(method.name, given.get(REFRESH) ?? '', {
    rotates: oauth2.rotatesRefreshToken,
    graceMs: oauth2.reuseGraceMs,
  })
  return pair === null
    ? refusal(request, 'invalid_grant', 'the refresh token is unknown, spent or revoked')
    : granted(request, pair, pair.scopes)
}

/** Tokens for a program, or for a user whose credentials it presents: no consent is needed. */
function answerPresented(request: TokenRequest, names: readonly string[]): WireAnswer {
  const { given, method, oauth2, vendor } = request
  const known = vendor.credentials.get(method.name) ?? {}
  const wrong = names.filter(
    (name) => given.get(name) === undefined || given.get(name) !== own(known, name),
  )
  if (wrong.length > 0)
    return refusal(request, 'invalid_grant', `unknown or wrong: ${wrong.join(', ')}`)
  const asked = readScopes(given.get('scope'), separatorOf(oauth2))
  const scopes = grantedScopes(asked, vendor.scopes)
  if (scopes?.length === 0)
    return refusal(request, 'invalid_scope', 'none of these scopes is granted')
  return granted(request, vendor.tokens.grant(method.name, scopes), scopes)
}

/** The token answer, with the settings that the manifest stores out of it. */
function granted(
  { given, method, oauth2, vendor }: TokenRequest,
  pair: TokenPair,
  scopes: Scopes,
): WireAnswer {
  const isRefresh = given.get('grant_type') === REFRESH
  const { accessToken, refreshToken, expires } = {
    ...oauth2.token,
    ...(isRefresh && oauth2.refresh),
  }
  const refresh = oauth2.refresh === null ? undefined : pair.refresh
  const draft: Draft = {
    body: {
      ...(accessToken === undefined && { access_token: pair.access, token_type: 'bearer' }),
      ...(refreshToken === undefined && refresh !== undefined && { refresh_token: refresh }),
      ...(expires === undefined && { expires_in: ACCESS_SECONDS }),
      ...(scopes === null ? {} : { scope: scopes.join(separatorOf(oauth2)) }),
    },
    headers: { 'cache-control': 'no-store' },
  }
  if (accessToken !== undefined) writePath(draft, accessToken, pair.access)
  if (refreshToken !== undefined && refresh !== undefined) writePath(draft, refreshToken, refresh)
  if (expires !== undefined) writePath(draft, expires, ACCESS_SECONDS)
  const tokens = { access_token: pair.access, refresh_token: pair.refresh }
  const credentials = { ...vendor.credentials.get(method.name), ...tokens }
  for (const { root, name, at } of oauth2.store) {
    const value = own(root === 'config' ? vendor.known.config : credentials, name)
    if (value !== undefined) writePath(draft, at, value)
  }
  return valueAnswer(200, draft.body, draft.headers)
}

/** The members of the request, from where the manifest says they are; null when the body is of another kind. */
function readForm(request: WireRequest, oauth2: OAuth2): ReadonlyMap<string, string> | null {
  if (request.method === 'GET') return new Map(request.query)
  const wanted =
    oauth2.token.body === 'json' ? 'application/json' : 'application/x-www-form-urlencoded'
  if (mediaTypeOf(request) !== wanted) return null
  const text = request.body.toString('utf8')
  if (oauth2.token.body !== 'json') {
    const pairs = readPairs(text)
    return pairs === null ? null : new Map([...request.query, ...pairs])
  }
  const body = tryParseJson(text)
  if (!isJsonObject(body)) return null
  const members = Object.entries(body).map(([name, value]) => [name, textOf(value)] as const)
  return new Map([...request.query, ...members])
}

function isClient(
  request: WireRequest,
  given: ReadonlyMap<string, string>,
  of: OAuthMethod,
): boolean {
  const { oauth2, vendor } = of
  const { client } = vendor
  const auth = CLIENT_AUTH[oauth2.token.clientAuth]
  if (auth.asserts === true)
    return (
      given.get('client_assertion_type') === ASSERTION_TYPE &&
      isAsserted(given.get('client_assertion'), of)
    )
  if (auth.in === 'authorization') {
    const [id, secret] = readBasic(request.headers['authorization'] ?? '') ?? []
    return decoded(id) === client.id && decoded(secret) === client.secret
  }
  const isKnown = given.get('client_id') === client.id
  return isKnown && (!auth.hasSecret || given.get('client_secret') === client.secret)
}

/** Whether a token is one that the block `jwt` of the method makes. */
function isAsserted(token: string | undefined, { method, vendor }: OAuthMethod): boolean {
  const { known, client } = vendor
  const credentials = vendor.credentials.get(method.name) ?? {}
  return acceptsJwt(method, token ?? '', { scope: { ...known, client, credentials }, facts: {} })
}

/** Id and secret are form-encoded before they are joined (RFC 6749, section 2.3.1). */
function decoded(text: string | undefined): string | undefined {
  return text === undefined ? undefined : readPairs(`v=${text.replaceAll('=', '%3D')}`)?.[0]?.[1]
}

/** What is wrong with the parameters that the manifest always sends; null when nothing is. */
export function missingEntry(
  entries: readonly Entry[],
  { vendor }: Pick<OAuthMethod, 'vendor'>,
  given: ReadonlyMap<string, string>,
): string | null {
  const scope = { ...vendor.known, client: vendor.client }
  for (const { name, value } of entries) {
    const expected: Json | undefined = compileTemplate(value)(scope)
    const text = scalarText(expected)
    if (text !== undefined && given.get(name) !== text) return `${name} is missing or wrong`
  }
  return null
}

/** A refusal of the token endpoint, in the vendor's own word where the manifest knows one. */
function refusal({ oauth2 }: OAuthMethod, code: string, text: string, status = 400): WireAnswer {
  const [word = code] =
    Object.entries(oauth2.token.errors ?? {}).find(([, is]) => is === code) ?? []
  return oauthError(word, text, status)
}

function oauthError(error: string, description: string, status = 400): WireAnswer {
  return valueAnswer(
    status,
    { error, error_description: description },
    { 'cache-control': 'no-store' },
  )
}
