// The OAuth 2.0 side of the vendor: the consent, and the token endpoint. Sources: RFC 6749, 7636, 9700.
import { compileTemplate } from '../../language/expression/evaluate.ts'
import type { Scope, Text } from '../../language/expression/syntax.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { own } from '../../language/json/own.ts'
import { readBasic } from '../../language/manifest/credential-places/basic.ts'
import type { AuthMethod, Entry, Manifest, OAuth2 } from '../../language/manifest/manifest.ts'
import { Reader } from '../wire/read-back.ts'
import { pathSegments, readPath } from '../wire/routes.ts'
import { scalarText } from '../wire/same-scalar.ts'
import { valueAnswer } from '../wire/wire-answer.ts'
import type { WireAnswer } from '../wire/wire-answer.ts'
import { mediaTypeOf, readPairs } from '../wire/wire-request.ts'
import type { Pair, WireRequest } from '../wire/wire-request.ts'
import { writePath } from '../wire/write-path.ts'
import type { Draft } from '../wire/write-path.ts'
import { CONSENT_HEADERS, CONSENT_PARAM, consentPage, SCOPE_PARAM } from './consent-page.ts'
import type { DemoClient } from './demo-credentials.ts'
import { grantedScopes, readScopes } from './scopes.ts'
import type { ScopeRules, Scopes } from './scopes.ts'
import { ACCESS_SECONDS, fitsChallenge } from './token-book.ts'
import type { CodeTerms, TokenBook, TokenPair } from './token-book.ts'

export interface OAuthVendor {
  readonly manifest: Manifest
  readonly client: DemoClient
  readonly tokens: TokenBook
  readonly known: Scope
  readonly scopes: ScopeRules
  readonly consent: Consent
  /** What is accepted, by method. */
  readonly credentials: ReadonlyMap<string, JsonObject>
}

/** What becomes of consents: people are asked, and programs agreed with; or the answer is the same for all. */
export type Consent = 'ask' | 'allow' | 'deny'

/** What a request to an OAuth endpoint is, and the answer to it; null when its path is none. */
export interface OAuthIntent {
  readonly operation: 'oauth.authorize' | 'oauth.token'
  perform(): WireAnswer
}

type Answer = (request: WireRequest) => WireAnswer
interface Endpoint {
  readonly operation: OAuthIntent['operation']
  readonly methods: readonly string[]
  readonly path: readonly Text[]
  readonly answer: Answer
}

/** Compiles the endpoints of all OAuth methods of a manifest. Hosts are ignored, paths are the manifest's. */
export function compileOAuth(vendor: OAuthVendor): (request: WireRequest) => OAuthIntent | null {
  const endpoints = vendor.manifest.auth.flatMap((method) =>
    method.oauth2 === null ? [] : endpointsOf(method, method.oauth2, vendor),
  )
  return (request) => {
    const here = endpoints.find(
      ({ path, methods }) =>
        methods.includes(request.method) &&
        readPath(new Reader(vendor.known), path, request.segments),
    )
    return here === undefined
      ? null
      : { operation: here.operation, perform: () => here.answer(request) }
  }
}

function endpointsOf(method: AuthMethod, oauth2: OAuth2, vendor: OAuthVendor): readonly Endpoint[] {
  const { authorize, token, refresh } = oauth2
  const tokenUrls = refresh === null ? [token.url] : [token.url, refresh.url]
  return [
    ...(authorize === null
      ? []
      : [
          {
            operation: 'oauth.authorize' as const,
            methods: ['GET'],
            path: pathSegments(authorize.url, vendor.known),
            answer: (request: WireRequest) => answerAuthorize(request, method, oauth2, vendor),
          },
        ]),
    ...tokenUrls.map((url) => ({
      operation: 'oauth.token' as const,
      methods: [token.method],
      path: pathSegments(url, vendor.known),
      answer: (request: WireRequest) => answerToken(request, method, oauth2, vendor),
    })),
  ]
}

/** The consent: sends the browser back with a code or an error, or shows the page that asks. */
function answerAuthorize(
  request: WireRequest,
  method: AuthMethod,
  oauth2: OAuth2,
  vendor: OAuthVendor,
): WireAnswer {
  const given = new Map(request.query)
  const redirectUri = given.get('redirect_uri') ?? ''
  // A broken client or address is shown to the user; nobody is sent anywhere (RFC 6749, section 4.1.2.1).
  if (given.get('client_id') !== vendor.client.id)
    return oauthError('invalid_request', 'unknown client_id')
  if (!URL.canParse(redirectUri)) return oauthError('invalid_request', 'redirect_uri is missing')
  const back = new URL(redirectUri)
  const state = given.get('state')
  if (state !== undefined) back.searchParams.set('state', state)
  const issuer = oauth2.authorize?.issuer
  if (issuer !== undefined) back.searchParams.set('iss', issuer)
  const problem = consentProblem(given, oauth2, vendor)
  const asked = readScopes(given.get('scope'), separatorOf(oauth2))
  const scopes = grantedScopes(chosenScopes(request, asked), vendor.scopes)
  const givesNothing = scopes?.length === 0
  const decision =
    problem === null && !givesNothing ? decide(request, given, vendor.consent) : 'deny'
  if (decision === 'ask')
    return {
      status: 200,
      headers: CONSENT_HEADERS,
      body: {
        kind: 'text',
        text: consentPage({
          vendor: vendor.manifest.title,
          app: vendor.client.id,
          scopes: asked ?? [],
          redirectUri: new URL(redirectUri),
          query: request.query,
        }),
      },
    }
  if (decision === 'allow') {
    const terms: CodeTerms = {
      redirectUri,
      clientId: vendor.client.id,
      scopes,
      challenge: challengeOf(given),
    }
    back.searchParams.set('code', vendor.tokens.issueCode(method.name, terms))
  } else {
    back.searchParams.set('error', problem === null ? 'access_denied' : 'invalid_request')
    const reason = givesNothing ? 'none of these scopes is granted' : 'the user denied access'
    back.searchParams.set('error_description', problem ?? reason)
  }
  return { status: 302, headers: { location: back.href }, body: { kind: 'none' } }
}

/** The address decides, else the sandbox; a person is who wants a page. */
function decide(
  { headers }: WireRequest,
  given: ReadonlyMap<string, string>,
  consent: Consent,
): Consent {
  const said = given.get(CONSENT_PARAM)
  if (said === 'allow' || said === 'deny') return said
  if (consent !== 'ask') return consent
  return headers['accept']?.includes('text/html') === true ? 'ask' : 'allow'
}

function separatorOf({ authorize }: OAuth2): string {
  return authorize?.separator ?? ' '
}

/** What is left of the scopes when somebody has chosen among them. */
function chosenScopes({ query }: WireRequest, asked: Scopes): Scopes {
  const chosen = query.flatMap(([name, value]) => (name === SCOPE_PARAM ? [value] : []))
  return chosen.length === 0 || asked === null
    ? asked
    : asked.filter((scope) => chosen.includes(scope))
}

function consentProblem(
  given: ReadonlyMap<string, string>,
  oauth2: OAuth2,
  vendor: OAuthVendor,
): string | null {
  if (given.get('response_type') !== 'code') return 'response_type must be code'
  const said = given.get(CONSENT_PARAM)
  if (said !== undefined && said !== 'allow' && said !== 'deny')
    return `${CONSENT_PARAM} must be allow or deny`
  if (oauth2.authorize?.pkce === true && !given.has('code_challenge')) {
    return 'code_challenge is missing'
  }
  return missingEntry(oauth2.authorize?.params ?? [], given, vendor)
}

function challengeOf(given: ReadonlyMap<string, string>): CodeTerms['challenge'] {
  const value = given.get('code_challenge')
  if (value === undefined) return null
  return { value, method: given.get('code_challenge_method') === 'S256' ? 'S256' : 'plain' }
}

function answerToken(
  request: WireRequest,
  method: AuthMethod,
  oauth2: OAuth2,
  vendor: OAuthVendor,
): WireAnswer {
  const given = readForm(request, oauth2)
  if (given === null) {
    const type = oauth2.token.body === 'json' ? 'application/json' : 'a form'
    return oauthError('invalid_request', `the body must be ${type}`)
  }
  if (!isClient(request, given, oauth2, vendor.client)) {
    const answer = oauthError('invalid_client', 'unknown client, or wrong secret', 401)
    return { ...answer, headers: { ...answer.headers, 'www-authenticate': 'Basic' } }
  }
  const grant =
    given.get('grant_type') ?? (oauth2.token.method === 'GET' ? 'authorization_code' : '')
  const answer = Object.hasOwn(GRANTS, grant) ? GRANTS[grant] : undefined
  return answer === undefined
    ? oauthError('unsupported_grant_type', `grant_type ${grant} is not supported`)
    : answer({ given, method, oauth2, vendor })
}

interface TokenRequest {
  readonly given: ReadonlyMap<string, string>
  readonly method: AuthMethod
  readonly oauth2: OAuth2
  readonly vendor: OAuthVendor
}

const GRANTS: Readonly<Record<string, (request: TokenRequest) => WireAnswer>> = {
  authorization_code(request) {
    const { given, method, oauth2, vendor } = request
    if (oauth2.grant !== 'authorization_code') return unsupported('authorization_code')
    const missing = missingEntry(oauth2.token.params, given, vendor)
    if (missing !== null) return oauthError('invalid_request', missing)
    const terms = vendor.tokens.redeemCode(method.name, given.get('code') ?? '')
    const fits =
      terms !== null &&
      terms.redirectUri === given.get('redirect_uri') &&
      fitsChallenge(terms.challenge, given.get('code_verifier'))
    if (!fits)
      return oauthError(
        'invalid_grant',
        'the code is unknown, spent, or was made for somebody else',
      )
    return granted(request, vendor.tokens.grant(method.name, terms.scopes), terms.scopes)
  },
  refresh_token(request) {
    const { given, method, oauth2, vendor } = request
    if (oauth2.refresh === null) return unsupported('refresh_token')
    const missing = missingEntry(oauth2.refresh.params, given, vendor)
    if (missing !== null) return oauthError('invalid_request', missing)
    const pair = vendor.tokens.renew(method.name, given.get('refresh_token') ?? '', {
      rotates: oauth2.rotatesRefreshToken,
      graceMs: oauth2.reuseGraceMs,
    })
    if (pair === null)
      return oauthError('invalid_grant', 'the refresh token is unknown, spent or revoked')
    return granted(request, pair, pair.scopes)
  },
  client_credentials(request) {
    const { given, oauth2, vendor } = request
    if (oauth2.grant !== 'client_credentials') return unsupported('client_credentials')
    const missing = missingEntry(oauth2.token.params, given, vendor)
    if (missing !== null) return oauthError('invalid_request', missing)
    return grantedTo(request)
  },
  password(request) {
    const { given, method, oauth2, vendor } = request
    if (oauth2.grant !== 'password') return unsupported('password')
    const known = vendor.credentials.get(method.name) ?? {}
    const isKnown = ['username', 'password'].every(
      (name) => given.get(name) !== undefined && given.get(name) === own(known, name),
    )
    if (!isKnown) return oauthError('invalid_grant', 'unknown user, or wrong password')
    return grantedTo(request)
  },
}

/** Tokens for a program, or for somebody whose password it has: nobody is asked. */
function grantedTo(request: TokenRequest): WireAnswer {
  const { given, method, oauth2, vendor } = request
  const asked = readScopes(given.get('scope'), separatorOf(oauth2))
  const scopes = grantedScopes(asked, vendor.scopes)
  if (scopes?.length === 0) return oauthError('invalid_scope', 'none of these scopes is granted')
  return granted(request, vendor.tokens.grant(method.name, scopes), scopes)
}

function unsupported(grant: string): WireAnswer {
  return oauthError('unsupported_grant_type', `grant_type ${grant} is not supported`)
}

/** The token answer, with the settings that the manifest stores out of it. */
function granted(
  { method, oauth2, vendor }: TokenRequest,
  pair: TokenPair,
  scopes: Scopes,
): WireAnswer {
  const draft: Draft = {
    body: {
      access_token: pair.access,
      ...(oauth2.refresh === null ? {} : { refresh_token: pair.refresh }),
      token_type: 'bearer',
      expires_in: ACCESS_SECONDS,
      ...(scopes === null ? {} : { scope: scopes.join(separatorOf(oauth2)) }),
    },
    headers: { 'cache-control': 'no-store' },
  }
  for (const { root, name, at } of oauth2.store) {
    const known = root === 'config' ? vendor.known.config : vendor.credentials.get(method.name)
    const value =
      root === 'credentials' ? (TOKEN_VALUES[name]?.(pair) ?? own(known, name)) : own(known, name)
    if (value !== undefined) writePath(draft, at, value)
  }
  return valueAnswer(200, draft.body, { headers: draft.headers })
}

const TOKEN_VALUES: Readonly<Record<string, (pair: TokenPair) => string>> = {
  access_token: (pair) => pair.access,
  refresh_token: (pair) => pair.refresh,
}

/** The members of the request, from where the manifest says they are; null when the body is of another kind. */
function readForm(request: WireRequest, oauth2: OAuth2): ReadonlyMap<string, string> | null {
  if (request.method === 'GET') return new Map(request.query)
  const wanted =
    oauth2.token.body === 'json' ? 'application/json' : 'application/x-www-form-urlencoded'
  if (mediaTypeOf(request) !== wanted) return null
  const text = request.body.toString('utf8')
  const pairs = oauth2.token.body === 'json' ? jsonPairs(text) : readPairs(text)
  return pairs === null ? null : new Map([...request.query, ...pairs])
}

function jsonPairs(text: string): readonly Pair[] | null {
  try {
    const body = JSON.parse(text) as JsonObject
    return Object.entries(body).map(([name, value]) => [name, scalarText(value) ?? ''] as const)
  } catch {
    return null // The caller answers 400.
  }
}

function isClient(
  request: WireRequest,
  given: ReadonlyMap<string, string>,
  oauth2: OAuth2,
  client: DemoClient,
): boolean {
  const { clientAuth } = oauth2.token
  if (clientAuth === 'basic') {
    const [id, secret] = readBasic(request.headers['authorization'] ?? '') ?? []
    return decoded(id) === client.id && decoded(secret) === client.secret
  }
  const isKnown = given.get('client_id') === client.id
  return clientAuth === 'none' ? isKnown : isKnown && given.get('client_secret') === client.secret
}

/** Id and secret are form-encoded before they are joined (RFC 6749, section 2.3.1). */
function decoded(text: string | undefined): string | undefined {
  return text === undefined ? undefined : readPairs(`v=${text.replaceAll('=', '%3D')}`)?.[0]?.[1]
}

/** What is wrong with the parameters that the manifest always sends; null when nothing is. */
function missingEntry(
  entries: readonly Entry[],
  given: ReadonlyMap<string, string>,
  vendor: OAuthVendor,
): string | null {
  const scope = { ...vendor.known, client: { id: vendor.client.id, secret: vendor.client.secret } }
  for (const { name, value } of entries) {
    const expected: Json | undefined = compileTemplate(value)(scope)
    const text = scalarText(expected)
    if (text !== undefined && given.get(name) !== text) return `${name} is missing or wrong`
  }
  return null
}

function oauthError(error: string, description: string, status = 400): WireAnswer {
  return valueAnswer(
    status,
    { error, error_description: description },
    { headers: { 'cache-control': 'no-store' } },
  )
}
