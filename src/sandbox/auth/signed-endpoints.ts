// The OAuth 1.0a side of the vendor: temporary tokens, the consent, tokens. Source: RFC 5849 section 2.
import type { Text } from '../../language/expression/syntax.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { own } from '../../language/json/own.ts'
import {
  consentSignature,
  protocolParams,
  type TokenPair,
} from '../../language/manifest/credential-places/oauth1.ts'
import type { AuthMethod, OAuth1, Store } from '../../language/manifest/manifest.ts'
import type { VendorParts } from '../answer/vendor-call.ts'
import { pathSegments } from '../wire/routes.ts'
import { textOf } from '../wire/same-scalar.ts'
import { valueAnswer, type WireAnswer } from '../wire/wire-answer.ts'
import { readPairs, type WireRequest } from '../wire/wire-request.ts'
import { type Draft, writePath } from '../wire/write-path.ts'
import { compareCarried } from './check-credentials.ts'
import { answerWithPage, decide } from './consent-page.ts'
import { missingEntry, tellStored } from './oauth-endpoints.ts'
import { grantedScopes } from './scopes.ts'
import type { SideRoute } from './side-routes.ts'

interface SignedMethod {
  readonly method: AuthMethod
  readonly oauth1: OAuth1
  readonly vendor: VendorParts
}
type Step = OAuth1['requestToken']

/** The endpoints of a method whose consent is signed. Hosts are ignored, paths are the manifest's. */
export function signedRoutes(of: SignedMethod): readonly SideRoute[] {
  const { requestToken, authorize, accessToken } = of.oauth1
  const route = (
    operation: SideRoute['operation'],
    { method = 'GET', url }: { readonly method?: string; readonly url: Text },
    answer: (request: WireRequest, of: SignedMethod) => WireAnswer,
  ): SideRoute => ({
    operation,
    method,
    paths: [pathSegments(url, of.vendor.known)],
    open: true,
    isFirst: true,
    answer: (request) => answer(request, of),
    suits: (request) => isGivenBy(request, of),
  })
  return [
    route('oauth.temporary', requestToken, answerTemporary),
    route('oauth.authorize', { url: authorize.url }, answerAuthorize),
    route('oauth.token', accessToken, answerToken),
  ]
}

/** Methods with one address are told apart by the temporary token. */
function isGivenBy(request: WireRequest, { method, vendor }: SignedMethod): boolean {
  const signed = protocolParams(request.headers['authorization']).get('oauth_token')
  const token = signed ?? new Map(request.query).get('oauth_token') ?? ''
  return vendor.tokens.temporaryOf(method.name, token) !== null
}

function answerTemporary(request: WireRequest, of: SignedMethod): WireAnswer {
  const { method, oauth1, vendor } = of
  const callback = protocolParams(request.headers['authorization']).get('oauth_callback') ?? ''
  const problem = problemOf(request, of, { step: oauth1.requestToken, pair: null })
  if (problem !== null) return refusal(problem)
  if (!URL.canParse(callback)) return refusal('parameter_absent')
  const pair = vendor.tokens.issueTemporary(method.name, callback)
  const confirmed = { oauth_callback_confirmed: 'true' }
  const more = oauth1.authorize.callback === 'confirmed' ? confirmed : {}
  return tokenAnswer(oauth1.requestToken, pair, { more, stores: [], of })
}

/** The consent: sends the browser back with a verifier or a denial, or shows the page that asks. */
function answerAuthorize(
  request: WireRequest,
  { method, oauth1, vendor }: SignedMethod,
): WireAnswer {
  const given = new Map(request.query)
  const token = given.get('oauth_token') ?? ''
  const temporary = vendor.tokens.temporaryOf(method.name, token)
  if (temporary === null) return refusal('token_rejected')
  const missing = missingEntry(oauth1.authorize.params, { vendor }, given)
  if (missing !== null) return refusal('parameter_absent')
  const decision = decide(request, given, vendor.consent)
  const back = new URL(temporary.callback)
  if (decision === 'ask')
    return answerWithPage({
      vendor: vendor.manifest.title,
      app: vendor.client.id,
      scopes: [],
      redirectUri: back,
      query: request.query,
    })
  if (decision === 'allow') {
    back.searchParams.set('oauth_token', token)
    back.searchParams.set('oauth_verifier', vendor.tokens.allowTemporary(token))
    tellStored(back, oauth1.authorize.store ?? [], { method, vendor })
  } else back.searchParams.set('denied', token)
  return { status: 302, headers: { location: back.href }, body: { kind: 'none' } }
}

function answerToken(request: WireRequest, of: SignedMethod): WireAnswer {
  const { method, oauth1, vendor } = of
  const given = protocolParams(request.headers['authorization'])
  const token = given.get('oauth_token') ?? ''
  const temporary = vendor.tokens.temporaryOf(method.name, token)
  if (temporary === null) return refusal('token_rejected')
  const pair = { token, secret: temporary.secret }
  const problem = problemOf(request, of, { step: oauth1.accessToken, pair })
  if (problem !== null) return refusal(problem)
  // It works once, also where its verifier is wrong.
  vendor.tokens.endTemporary(token)
  const { verifier } = temporary
  if (verifier === null || verifier !== given.get('oauth_verifier'))
    return refusal('verifier_invalid')
  const scopes = grantedScopes(null, vendor.scopes)
  const issued = vendor.tokens.grantSigned(method.name, scopes)
  return tokenAnswer(oauth1.accessToken, issued, { more: {}, stores: oauth1.store, of })
}

/** What is wrong with a request; null when nothing is. */
function problemOf(
  request: WireRequest,
  { method, vendor }: SignedMethod,
  { step, pair }: { readonly step: Step; readonly pair: TokenPair | null },
): string | null {
  const scope = {
    ...vendor.known,
    client: vendor.client,
    credentials: vendor.credentials.get(method.name) ?? {},
  }
  const { fits } = compareCarried(
    consentSignature(method.apply, { pair, params: [] }),
    scope,
    request,
  )
  if (!fits) return 'signature_invalid'
  const sent = [...request.query, ...(readPairs(request.body.toString('utf8')) ?? [])]
  return missingEntry(step.params, { vendor }, new Map(sent)) === null ? null : 'parameter_absent'
}

/** A form, as the protocol says, or JSON where the manifest reads one. */
function tokenAnswer(
  { token, tokenSecret }: Step,
  pair: TokenPair,
  {
    more,
    stores,
    of: { method, vendor },
  }: { readonly more: JsonObject; readonly stores: readonly Store[]; readonly of: SignedMethod },
): WireAnswer {
  const top = {
    ...more,
    ...(token === undefined && { oauth_token: pair.token }),
    ...(tokenSecret === undefined && { oauth_token_secret: pair.secret }),
  }
  const draft: Draft = { body: top, headers: {} }
  if (token !== undefined) writePath(draft, token, pair.token)
  if (tokenSecret !== undefined) writePath(draft, tokenSecret, pair.secret)
  for (const { root, name, at } of stores) {
    const values = root === 'config' ? vendor.known.config : vendor.credentials.get(method.name)
    const value = own(values, name)
    if (value !== undefined) writePath(draft, at, value)
  }
  if (token !== undefined || tokenSecret !== undefined)
    return valueAnswer(200, draft.body, draft.headers)
  const pairs = Object.entries(draft.body as JsonObject)
  return formAnswer(200, Object.fromEntries(pairs.map(([name, value]) => [name, textOf(value)])))
}

function refusal(problem: string): WireAnswer {
  return formAnswer(401, { oauth_problem: problem })
}

function formAnswer(status: number, members: Readonly<Record<string, string>>): WireAnswer {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'cache-control': 'no-store',
  }
  const text = new URLSearchParams(members).toString()
  return { status, headers, body: { kind: 'text', text } }
}
