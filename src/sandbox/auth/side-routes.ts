// Requests of a manifest that are no action: the check, logins, what follows a consent; and the routes of the demo data.
import { compileText } from '../../language/expression/evaluate.ts'
import type { Text } from '../../language/expression/syntax.ts'
import type { Json } from '../../language/json/json.ts'
import { own } from '../../language/json/own.ts'
import { toolIn } from '../../language/manifest/body-forms/forms.ts'
import { afterTokenOf, loginSteps, matchAccess } from '../../language/manifest/access/all-access.ts'
import type {
  AfterToken,
  AuthMethod,
  RequestTemplate,
  Store,
} from '../../language/manifest/manifest.ts'
import { contextFor, type VendorParts } from '../answer/vendor-call.ts'
import { Reader } from '../wire/read-back.ts'
import { readBody } from '../wire/read-body.ts'
import { readEntries, readHeaders } from '../wire/read-entries.ts'
import { VendorRefusal } from '../wire/refusal.ts'
import { basePaths, readPath } from '../wire/routes.ts'
import { scalarText } from '../wire/same-scalar.ts'
import { calledTool, toolResult } from '../wire/tool-wire.ts'
import { valueAnswer, type WireAnswer } from '../wire/wire-answer.ts'
import type { WireRequest } from '../wire/wire-request.ts'
import { type Draft, writePath } from '../wire/write-path.ts'
import { type Caller, sessionIn, tokenIn } from './check-credentials.ts'
import { acceptsJwt } from './check-jwt.ts'
import { oauthRoutes } from './oauth-endpoints.ts'
import { placeOf } from './route-place.ts'
import { signedRoutes } from './signed-endpoints.ts'
import type { Scopes } from './scopes.ts'
import { subscriptionRoutes } from './subscriptions.ts'
import { toolRoutes } from './tool-routes.ts'

export interface SideRoute {
  readonly operation:
    | 'check'
    | 'mcp'
    | 'session'
    | 'oauth.temporary'
    | 'oauth.authorize'
    | 'oauth.token'
    | 'oauth.register'
    | 'oauth.after_token'
    | 'revoke'
    | 'webhooks.create'
    | 'webhooks.find'
    | 'webhooks.renew'
    | 'webhooks.delete'
    | 'route'
  readonly method: string
  readonly paths: readonly (readonly Text[])[]
  /** It needs no credentials. */
  readonly open: boolean
  /** It answers also where an action has its address; `literal`: where the action's has places for values. */
  readonly isFirst?: boolean | 'literal'
  /** Left out: method and path are enough. */
  readonly fits?: (request: WireRequest) => boolean
  /** Of several that fit, the first for which this holds answers; where it holds for none, the first. */
  readonly suits?: (request: WireRequest) => boolean
  /** `caller`: whose credentials the request carries; null when it is open. */
  readonly answer: (request: WireRequest, caller: Caller | null) => WireAnswer
}

const SESSION_MS = 3_600_000

/** Compiles the search for routes. Those of the demo data come first, so that they can answer for the manifest's own. */
export function compileSideRoutes(vendor: VendorParts): (request: WireRequest) => SideRoute | null {
  const routes = [
    ...demoRoutes(vendor),
    ...toolRoutes(vendor),
    ...checkRoutes(vendor),
    ...subscriptionRoutes(vendor),
    ...vendor.manifest.auth.flatMap((method) => [
      // What follows a consent may lie on the path of the token endpoint: then what it fixes tells the two apart.
      ...afterTokenOf(method).map((after) => afterTokenRoute(method, after, vendor)),
      ...(method.revoke === undefined ? [] : [revokeRoute(method.revoke, vendor)]),
      ...(matchAccess<readonly SideRoute[]>(method, {
        session: (session) =>
          loginSteps(session).map((step) => sessionRoute(method, session, step, vendor)),
        oauth2: (oauth2) => oauthRoutes({ method, oauth2, vendor }),
        oauth1: (oauth1) => signedRoutes({ method, oauth1, vendor }),
      }) ?? []),
    ]),
  ]
  return (request) => {
    const { segments } = request
    // A slash at the end says nothing: some token endpoints have one.
    const ways = segments.at(-1) === '' ? [segments, segments.slice(0, -1)] : [segments]
    const fitting = (path: readonly Text[]): boolean =>
      ways.some((way) => readPath(new Reader(vendor.known), path, way))
    const found = routes.filter(
      ({ method, paths, fits }) =>
        method === request.method && fits?.(request) !== false && paths.some(fitting),
    )
    return found.find(({ suits }) => suits?.(request)) ?? found[0] ?? null
  }
}

function demoRoutes(vendor: VendorParts): readonly SideRoute[] {
  return vendor.demo.routes.map(({ http: { method, path }, status = 200, answer }) => ({
    operation: 'route',
    method,
    paths: [path, ...basePaths(vendor.manifest, vendor.known).map((base) => [...base, ...path])],
    open: false,
    isFirst: true,
    answer: () => valueAnswer(status, answer(contextFor(vendor))),
  }))
}

function checkRoutes(vendor: VendorParts): readonly SideRoute[] {
  const { check } = vendor.manifest
  if (check?.kind !== 'request') return []
  const place = placeOf(check.request, vendor)
  const tool = toolIn(check.request.body)
  // `/users/me` is no user whose id is "me".
  const isLiteral = check.request.path.flat().every((part) => typeof part === 'string')
  if (tool === null)
    return [
      {
        operation: 'check',
        ...place,
        ...(isLiteral && { isFirst: 'literal' }),
        answer: () => valueAnswer(200, {}),
      },
    ]
  return [
    {
      operation: 'check',
      ...place,
      isFirst: true,
      fits: (request) => calledTool(request) === tool,
      answer: (request) => toolResult(request, valueAnswer(200, {}), 'json'),
    },
  ]
}

/**
 * One request of a login: the credentials of the method, found where it puts them, and the session of the requests before,
 * for a session token.
 */
function sessionRoute(
  method: AuthMethod,
  { ttlMs, expires }: NonNullable<AuthMethod['session']>,
  step: ReturnType<typeof loginSteps>[number],
  vendor: VendorParts,
): SideRoute {
  return {
    operation: 'session',
    ...placeOf(step.request, vendor),
    open: true,
    answer(request) {
      const reader = readAll(step.request, request, vendor)
      const known = vendor.credentials.get(method.name) ?? {}
      const given = reader.readings.filter(({ root }) => root === 'credentials')
      const isKnown = given.every(
        ({ path, value }) => scalarText(value) === scalarText(own(known, path[0] ?? '')),
      )
      const before = sessionIn(reader)
      const isOpen = before === '' || vendor.tokens.acceptsSession(before)
      const scope = { ...vendor.known, client: vendor.client, credentials: known }
      const isMade = reader.readings
        .filter(({ root }) => root === 'jwt')
        .every(({ value }) => acceptsJwt(method, scalarText(value) ?? '', { scope, facts: {} }))
      if (!isKnown || !isOpen || !isMade || reader.problems.length > 0) {
        throw new VendorRefusal('unauthorized', 'Wrong credentials')
      }
      const opened = vendor.tokens.openSession(ttlMs ?? SESSION_MS, before)
      const draft: Draft = { body: {}, headers: {} }
      writeStored(draft, step.store, { vendor, method, session: opened.token })
      if (expires !== null) writePath(draft, expires, new Date(opened.untilMs).toISOString())
      return valueAnswer(200, draft.body, draft.headers, step)
    },
  }
}

function readAll(template: RequestTemplate, request: WireRequest, vendor: VendorParts): Reader {
  const reader = new Reader(vendor.known)
  readEntries(reader, template.query, request.query)
  readHeaders(reader, template.headers, request.headers)
  readBody(reader, template.body, request)
  return reader
}

/** What a connection asks after its consent: the values to store, where the manifest picks them. */
function afterTokenRoute(method: AuthMethod, after: AfterToken, vendor: VendorParts): SideRoute {
  return {
    operation: 'oauth.after_token',
    ...placeOf(after.request, vendor),
    fits: (request) => readAll(after.request, request, vendor).problems.length === 0,
    answer(request, caller) {
      // What the token before was issued for: one that is exchanged gives no more than it had.
      const sent = tokenIn(readAll(after.request, request, vendor), 'credentials') ?? ''
      const { scopes = null } = caller ?? vendor.tokens.rightsOf(method.name, sent) ?? {}
      return valueAnswer(200, afterTokenBody(after, { vendor, method, scopes }))
    },
  }
}

/** The end of what the tokens in a request gave; one that is unknown is none (RFC 7009 section 2.2). */
function revokeRoute(revoke: RequestTemplate, vendor: VendorParts): SideRoute {
  return {
    operation: 'revoke',
    ...placeOf(revoke, vendor),
    fits: (request) => readAll(revoke, request, vendor).problems.length === 0,
    answer({ target, headers, body }) {
      vendor.tokens.revokeIn([target, ...Object.values(headers), body.toString('utf8')].join('\n'))
      return valueAnswer(200, {})
    },
  }
}

function afterTokenBody(after: AfterToken, given: Stored): Json | undefined {
  const { vendor } = given
  const draft: Draft = { body: undefined, headers: {} }
  const { choose } = after
  if (choose === null) {
    writeStored(draft, after.store, given)
    return draft.body ?? {}
  }
  // The one element that the caller's settings mean.
  const element: Draft = { body: {}, headers: {} }
  writePath(element, choose.label, vendor.manifest.title)
  for (const { at, value } of choose.match) {
    const text = compileText(value)(vendor.known)
    if (text !== undefined) writePath(element, at, text)
  }
  writeStored(element, after.store, given)
  writePath(draft, choose.from, [element.body ?? {}])
  return draft.body
}

interface Stored {
  readonly vendor: VendorParts
  readonly method: AuthMethod
  readonly session?: string
  readonly scopes?: Scopes
}

/** Writes what a `store` reads: sessions, access tokens, and settings as the vendor knows them. */
function writeStored(draft: Draft, store: readonly Store[], given: Stored): void {
  const { vendor, method, session, scopes = null } = given
  const valueOf: Readonly<Record<Store['root'], (name: string) => Json | undefined>> = {
    session: () => session,
    config: (name) => own(vendor.known.config, name),
    credentials: (name) =>
      // A request after consent may exchange the token for a longer-lived one.
      name === 'access_token'
        ? vendor.tokens.grant(method.name, scopes).access
        : own(vendor.credentials.get(method.name), name),
  }
  for (const { root, name, at } of store) {
    const value = valueOf[root](name)
    if (value !== undefined) writePath(draft, at, value)
  }
}
