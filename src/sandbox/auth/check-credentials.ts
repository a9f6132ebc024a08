// Whether a request carries credentials that the vendor accepts: what a method applies, run backwards and compared.
import { compileTemplate } from '../../language/expression/evaluate.ts'
import type { Path, Scope, Template } from '../../language/expression/syntax.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { own } from '../../language/json/own.ts'
import { loginSteps, matchAccess } from '../../language/manifest/access/all-access.ts'
import type {
  ArrivedRequest,
  Carried,
  CarriedSignature,
} from '../../language/manifest/credential-places/place.ts'
import { protocolParams } from '../../language/manifest/credential-places/oauth1.ts'
import {
  carriedBy,
  credentialHeaders,
  credentialParams,
} from '../../language/manifest/credential-places/places.ts'
import type { AuthMethod } from '../../language/manifest/manifest.ts'
import type { VendorParts } from '../answer/vendor-call.ts'
import { requestFacts } from '../../language/signing/request-facts.ts'
import { Reader } from '../wire/read-back.ts'
import { scalarText } from '../wire/same-scalar.ts'
import type { WireRequest } from '../wire/wire-request.ts'
import { acceptsJwt } from './check-jwt.ts'
import type { Scopes } from './scopes.ts'

export interface Caller {
  readonly scopes: Scopes
  readonly method: AuthMethod
}

export interface CredentialCheck {
  /** Whose credentials the request carries; null when it carries none that are accepted. */
  callerOf(request: WireRequest): Caller | null
  carriesAny(request: WireRequest): boolean
  /** Names of the query parameters that carry credentials. */
  readonly queryNames: ReadonlySet<string>
}

export function compileCredentialCheck(options: VendorParts): CredentialCheck {
  const { manifest, tokens, client } = options
  const methods = manifest.auth.map((method) => ({ method, parts: carriedBy(method.apply) }))
  const carried = methods.flatMap(({ parts }) => parts)
  const queryNames = new Set(credentialParams(carried))
  const headerNames = new Set(credentialHeaders(carried))

  function callerBy(
    method: AuthMethod,
    parts: readonly Carried[],
    request: WireRequest,
  ): Caller | null {
    const reader = new Reader(options.known)
    for (const part of parts) {
      const texts = textsOn(part, request) ?? []
      for (const [index, template] of templatesOf(part).entries()) {
        const text = texts[index]
        if (text !== undefined) reader.template(template, text, 'authorization', 'repeat')
      }
    }
    const credentials = options.credentials.get(method.name) ?? {}
    const { rights, ...values } = acceptedBy(method, { reader, request, credentials, tokens })
    if (rights === null) return null
    const known: Scope = { ...options.known, client, credentials, session: {}, ...values }
    const jwt = scalarText(reader.readings.find(({ root }) => root === 'jwt')?.value)
    const isMade =
      jwt !== undefined && acceptsJwt(method, jwt, { scope: known, facts: factsOf(request) })
    const scope: Scope = isMade ? { ...known, jwt } : known
    const compared = parts.map((part) => compareCarried(part, scope, request))
    // A part that is absent by its own rule must be absent here; but something must have been given.
    // A method that applies nothing is for requests with no credentials of another one either.
    const fits =
      parts.length === 0
        ? !carriesAny(request)
        : compared.every((part) => part.fits) && compared.some((part) => part.isGiven)
    return fits ? { scopes: rights.scopes, method } : null
  }

  function carriesAny(request: WireRequest): boolean {
    return (
      Object.keys(request.headers).some((name) => headerNames.has(name)) ||
      request.query.some(([name]) => queryNames.has(name))
    )
  }

  return {
    queryNames,
    callerOf(request) {
      for (const { method, parts } of methods) {
        const caller = callerBy(method, parts, request)
        if (caller !== null) return caller
      }
      return null
    },
    carriesAny,
  }
}

/** Whose access a request shows, null for what is not accepted; and what templates of the method hold then. */
interface Accepted {
  readonly rights: Pick<Caller, 'scopes'> | null
  readonly credentials?: JsonObject
  readonly session?: JsonObject
}

/** Of credentials that no consent gave. */
const ALL_RIGHTS = { scopes: null }

/** What a request shows of the access that a method gives. */
function acceptedBy(method: AuthMethod, { reader, request, credentials, tokens }: Shown): Accepted {
  const accepted = matchAccess<Accepted>(method, {
    session(session) {
      const token = sessionIn(reader)
      const stores = loginSteps(session).flatMap(({ store }) => store)
      return {
        rights: tokens.acceptsSession(token) ? ALL_RIGHTS : null,
        session: Object.fromEntries(stores.map(({ name, at }) => [name, sessionAt(at, token)])),
      }
    },
    oauth2() {
      const token = tokenIn(reader, 'credentials')
      return {
        rights: tokens.rightsOf(method.name, token ?? ''),
        credentials: token === undefined ? credentials : { ...credentials, access_token: token },
      }
    },
    oauth1() {
      const token = protocolParams(request.headers['authorization']).get('oauth_token') ?? ''
      const known = tokens.secretOf(token)
      const pair = known === null ? {} : { access_token: token, token_secret: known }
      return {
        rights: tokens.rightsOf(method.name, token),
        credentials: { ...credentials, ...pair },
      }
    },
  })
  return accepted ?? { rights: ALL_RIGHTS }
}
interface Shown {
  readonly reader: Reader
  readonly request: WireRequest
  readonly credentials: JsonObject
  readonly tokens: VendorParts['tokens']
}

/** The texts that a part of the request carries, and how they would be written; undefined: none of its kind. */
function textsOn(part: Carried, request: WireRequest): readonly string[] | undefined {
  if (part.in === 'query') return request.query.find(([name]) => name === part.name)?.slice(1)
  // Nothing can be read back of them.
  if (part.in === 'signature' || part.in === 'connection') return undefined
  const header = request.headers[part.name]
  return header === undefined ? undefined : part.read(header)
}

/** What a vendor that knows the credentials of `scope` expects of a part, and what the request has in its place. */
export function compareCarried(
  part: Carried,
  scope: Scope,
  request: WireRequest,
): { readonly fits: boolean; readonly isGiven: boolean } {
  const expected = templatesOf(part).map((template) => scalarText(compileTemplate(template)(scope)))
  // Vendors on plain http see no certificate.
  if (part.in === 'connection') return { fits: true, isGiven: true }
  if (part.in === 'signature') {
    const isGiven =
      part.names.some((name) => request.headers[name] !== undefined) ||
      request.query.some(([name]) => part.queryNames.includes(name))
    return {
      fits: isGiven && isSigned(part, expected, { scope, request }),
      isGiven,
    }
  }
  const given = textsOn(part, request)
  const write =
    part.in === 'header' ? part.write : ([text]: readonly (string | undefined)[]) => text
  const written = given === undefined ? undefined : write(given)
  return { fits: write(expected) === written, isGiven: written !== undefined }
}

function templatesOf(part: Carried): readonly Template[] {
  return part.in === 'query' ? [part.value] : part.values.map(({ template }) => template)
}

/** Whether a signature is right, and what is sent with it is what it must be. */
function isSigned(
  part: CarriedSignature,
  texts: readonly (string | undefined)[],
  { scope, request }: { readonly scope: Scope; readonly request: WireRequest },
): boolean {
  const reader = new Reader({})
  for (const { in: place, name, value } of part.placed) {
    const text =
      place === 'header'
        ? request.headers[name.toLowerCase()]
        : request.query.find(([given]) => given === name)?.[1]
    if (text === undefined && value.kind !== 'when') return false
    if (text !== undefined) reader.template(value, text, name, 'repeat')
  }
  const told: Record<string, string> = {}
  for (const { root, path, value, exact } of reader.readings) {
    const name = root === 'signature' ? root : root === 'request' ? path[0] : undefined
    const text = scalarText(value)
    if (exact && name !== undefined && text !== undefined) told[name] ??= text
    // What else stands there must be what the vendor knows.
    const known = (scope[root] ?? {}) as JsonObject
    if (exact && (root === 'credentials' || root === 'session' || root === 'client'))
      if (text !== scalarText(own(known, path[0] ?? ''))) return false
  }
  if (reader.problems.length > 0) return false
  return part.accepts(texts, { ...sentRequest(request), scope, told })
}

/** What claims can be made of. */
export function factsOf(request: WireRequest): JsonObject {
  return requestFacts(sentRequest(request), { alg: 'sha256', encoding: 'hex' }, {})
}

function sentRequest(request: WireRequest): Omit<ArrivedRequest, 'scope' | 'told'> {
  const { method, target, headers, body } = request
  return { method, url: `http://${headers['host'] ?? ''}${target}`, headers, body }
}

/** The name of the cookie that holds a session, where the manifest keeps all cookies as one text. */
const COOKIE = 'session='

/** What stands for a session where a login keeps it: the token, or the text of a Cookie header. */
export function sessionAt({ root, steps }: Path, token: string): string {
  return root === 'cookies' && steps.length === 0 ? COOKIE + token : token
}

/** The token of the session that a request carries; empty: none. */
export function sessionIn(reader: Reader): string {
  const text = tokenIn(reader, 'session') ?? ''
  return text.startsWith(COOKIE) ? text.slice(COOKIE.length) : text
}

/** The access token, or the token of a session, that a request carries. */
export function tokenIn(reader: Reader, root: 'credentials' | 'session'): string | undefined {
  const found = reader.readings.find(
    (reading) =>
      reading.root === root && (root === 'session' || reading.path[0] === 'access_token'),
  )
  return scalarText(found?.value)
}
