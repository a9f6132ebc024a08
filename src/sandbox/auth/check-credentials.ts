// Whether a request carries credentials that the vendor accepts: what a method applies, run backwards and compared.
import { compileTemplate } from '../../language/expression/evaluate.ts'
import type { Scope, Template } from '../../language/expression/syntax.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { matchAccess } from '../../language/manifest/access/all-access.ts'
import type { Carried, SentRequest } from '../../language/manifest/credential-places/place.ts'
import { carriedBy, credentialHeaders } from '../../language/manifest/credential-places/places.ts'
import type { AuthMethod } from '../../language/manifest/manifest.ts'
import type { VendorParts } from '../answer/vendor-call.ts'
import { Reader } from '../wire/read-back.ts'
import { scalarText } from '../wire/same-scalar.ts'
import type { WireRequest } from '../wire/wire-request.ts'
import type { Scopes } from './scopes.ts'

export interface Caller {
  readonly scopes: Scopes
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
  const queryNames = new Set(carried.flatMap((part) => (part.in === 'query' ? [part.name] : [])))
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
    const { caller, ...values } = matchAccess<Accepted>(method, {
      session({ store }) {
        const token = tokenIn(reader, 'session') ?? ''
        return {
          caller: tokens.acceptsSession(token) ? ALL_RIGHTS : null,
          session: Object.fromEntries(store.map(({ name }) => [name, token])),
        }
      },
      oauth2() {
        const token = tokenIn(reader, 'credentials')
        return {
          caller: tokens.rightsOf(method.name, token ?? ''),
          credentials: token === undefined ? credentials : { ...credentials, access_token: token },
        }
      },
    }) ?? { caller: ALL_RIGHTS }
    if (caller === null) return null
    const scope: Scope = { ...options.known, client, credentials, session: {}, ...values }
    const compared = parts.map((part) => compareCarried(part, scope, request))
    // A part that is absent by its own rule must be absent here; but something must have been given.
    const fits = compared.every((part) => part.fits) && compared.some((part) => part.isGiven)
    return fits ? caller : null
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
    carriesAny: (request) =>
      Object.keys(request.headers).some((name) => headerNames.has(name)) ||
      request.query.some(([name]) => queryNames.has(name)),
  }
}

/** Whose access a request shows, null for what is not accepted; and what templates of the method hold then. */
interface Accepted {
  readonly caller: Caller | null
  readonly credentials?: JsonObject
  readonly session?: JsonObject
}

/** Of credentials that no consent gave. */
const ALL_RIGHTS: Caller = { scopes: null }

/** The texts that a part of the request carries, and how they would be written; undefined: none of its kind. */
function textsOn(part: Carried, request: WireRequest): readonly string[] | undefined {
  if (part.in === 'query') return request.query.find(([name]) => name === part.name)?.slice(1)
  if (part.in === 'signature') return undefined // Nothing can be read back of it.
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
  if (part.in === 'signature') {
    const isGiven = part.names.some((name) => request.headers[name] !== undefined)
    return {
      fits: isGiven && part.accepts(expected, sentRequest(request)),
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

function sentRequest(request: WireRequest): SentRequest {
  const { method, target, headers, body } = request
  return { method, url: `http://${headers['host'] ?? ''}${target}`, headers, body }
}

/** The access token, or the token of a session, that a request carries. */
export function tokenIn(reader: Reader, root: 'credentials' | 'session'): string | undefined {
  const found = reader.readings.find(
    (reading) =>
      reading.root === root && (root === 'session' || reading.path[0] === 'access_token'),
  )
  return scalarText(found?.value)
}
