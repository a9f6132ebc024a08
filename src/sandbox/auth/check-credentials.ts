// Whether a request carries credentials that the vendor accepts: what a method applies, run backwards and compared.
import { compileTemplate } from '../../language/expression/evaluate.ts'
import type { Scope, Template } from '../../language/expression/syntax.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import type { AuthMethod, Manifest } from '../../language/manifest/manifest.ts'
import { Reader } from '../wire/read-back.ts'
import { scalarText } from '../wire/same-scalar.ts'
import type { WireRequest } from '../wire/wire-request.ts'
import type { DemoClient } from './demo-credentials.ts'
import type { Scopes } from './scopes.ts'
import type { TokenBook } from './token-book.ts'

/** What a request may do. */
export interface Caller {
  readonly scopes: Scopes
}

export interface CredentialCheck {
  /** Whose credentials the request carries; null when it carries none that are accepted. */
  callerOf(request: WireRequest): Caller | null
  /** True when a request carries credentials at all. */
  carriesAny(request: WireRequest): boolean
  /** Names of the query parameters that carry credentials. */
  readonly queryNames: ReadonlySet<string>
}

/** Compiles the check. `credentials`: what is accepted, by method; tokens are those of the book. */
export function compileCredentialCheck(options: {
  readonly manifest: Manifest
  readonly credentials: ReadonlyMap<string, JsonObject>
  readonly client: DemoClient
  readonly tokens: TokenBook
  readonly known: Scope
}): CredentialCheck {
  const { manifest, tokens } = options
  const client = { id: options.client.id, secret: options.client.secret }
  const methods = manifest.auth.map((method) => ({ method, parts: partsOf(method) }))
  const queryNames = new Set(
    manifest.auth.flatMap(({ apply }) => apply.query.map(({ name }) => name)),
  )
  const headerNames = new Set(
    methods.flatMap(({ parts }) => parts.map(({ header }) => header ?? '')),
  )

  function callerBy(
    method: AuthMethod,
    parts: readonly Part[],
    request: WireRequest,
  ): Caller | null {
    const reader = new Reader(options.known)
    for (const part of parts) {
      const value = part.on(request)
      if (value !== undefined) reader.template(part.template, value, part.name, 'repeat')
    }
    const access = method.oauth2 === null ? undefined : tokenIn(reader, 'credentials')
    const session = method.session === null ? undefined : tokenIn(reader, 'session')
    const caller = method.oauth2 === null ? ALL_RIGHTS : tokens.rightsOf(method.name, access ?? '')
    if (caller === null) return null
    if (method.session !== null && !tokens.acceptsSession(session ?? '')) return null
    const given = options.credentials.get(method.name) ?? {}
    const scope: Scope = {
      ...options.known,
      client,
      credentials: access === undefined ? given : { ...given, access_token: access },
      session: Object.fromEntries(
        (method.session?.store ?? []).map(({ name }) => [name, session ?? null]),
      ),
    }
    const compared = parts.map((part) => ({
      expected: scalarText(compileTemplate(part.template)(scope)),
      given: part.on(request),
    }))
    // A part that is absent by its own rule must be absent here; but something must have been given.
    const fits =
      compared.every(({ expected, given }) => expected === given) &&
      compared.some(({ given }) => given !== undefined)
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

/** Of credentials that no consent gave. */
const ALL_RIGHTS: Caller = { scopes: null }

/** One value that a method applies. `on`: what stands in its place in a request. */
interface Part {
  readonly name: string
  readonly header: string | null
  readonly template: Template
  readonly on: (request: WireRequest) => string | undefined
}

function partsOf(method: AuthMethod): readonly Part[] {
  const { basic, bearer, headers, query } = method.apply
  const parts: Part[] = []
  if (basic !== null) {
    const half = (template: Template, index: 0 | 1): Part => ({
      name: 'authorization',
      header: 'authorization',
      template,
      on: (request) => readBasic(request)?.[index],
    })
    parts.push(half(basic.username, 0), half(basic.password, 1))
  }
  if (bearer !== null) {
    parts.push({
      name: 'authorization',
      header: 'authorization',
      template: bearer,
      on: (request) => /^Bearer (.+)$/i.exec(request.headers['authorization'] ?? '')?.[1],
    })
  }
  for (const { name, value } of headers) {
    const header = name.toLowerCase()
    parts.push({ name, header, template: value, on: (request) => request.headers[header] })
  }
  for (const { name, value } of query) {
    parts.push({
      name,
      header: null,
      template: value,
      on: (request) => request.query.find(([other]) => other === name)?.[1],
    })
  }
  return parts
}

/** User name and password of an Authorization header; undefined when it is none of that kind. */
export function readBasic(request: WireRequest): readonly [string, string] | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/=_-]+)$/i.exec(request.headers['authorization'] ?? '')?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : [text.slice(0, colon), text.slice(colon + 1)]
}

function tokenIn(reader: Reader, root: 'credentials' | 'session'): string | undefined {
  const found: Json | undefined = reader.readings.find(
    (reading) =>
      reading.root === root && (root === 'session' || reading.path[0] === 'access_token'),
  )?.value
  return scalarText(found)
}
