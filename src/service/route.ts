// What a route is: data that the server, the OpenAPI document and the tests read alike.
import type { Readable } from 'node:stream'
import type { ExchangeObserver } from '../engine/exchange/call.ts'
import type { ErrorCode } from '../errors.ts'
import type { JsonObject } from '../language/json/json.ts'
import type { JsonSchema } from '../language/manifest/manifest.ts'
import type { RouteName } from './console/rights.ts'
import type { ArrivingFiles } from './http/form.ts'
import type { Declared } from './routes/answer-headers.ts'
import type { LoggedContent } from './logs/logs.ts'
import type { InstanceRow } from './store/instances.ts'
import type { Principal } from './tokens/principal.ts'

export interface Route {
  /** Also the operation id of the OpenAPI document. Who may call it at the console: console/rights.ts. */
  readonly name: RouteName
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below a prefix, parameters in braces: `/integrations/connectors/{connector_id}`. */
  readonly path: string
  /** Other spellings of the same resource. */
  readonly aliases: readonly string[]
  /** The prefix that the specification writes; the other one works as well. */
  readonly prefix: '/v1' | '/api/v1'
  /** `any`: application and scoped tokens; `none`: the route proves its caller in another way. */
  readonly token: 'any' | 'application' | 'none'
  /** Refused to scoped tokens without the right to manage. */
  readonly manage?: boolean
  readonly summary: string
  /** Closed schema of the body; null: there is none. */
  readonly body: { readonly schema: JsonSchema; readonly optional: boolean } | null
  /** The body may come as the part `operation` of multipart/form-data, with files behind it. */
  readonly takesFiles?: true
  /** The body is taken as the bytes that arrived, and the query as it is: the route itself finds out whose they are. */
  readonly raw?: {
    readonly limitBytes: number
    /** Of this route, in one process; more are refused with `overloaded` before their bodies are read. */
    readonly atOnce: number
  }
  /** Closed schema of the query string, whose values are texts; null: there are none. */
  readonly query: JsonSchema | null
  /** Header fields that mean something here, next to those of every route. */
  readonly headers: readonly (
    'prefer' | 'idempotency-key' | 'vendor-idempotency-key' | 'range' | 'if-none-match' | 'if-match'
  )[]
  readonly success: readonly {
    readonly status: number
    readonly description: string
    /** null: no content; `bytes`: a file. */
    readonly schema: JsonSchema | 'bytes' | null
    /** Header fields next to those of every answer. */
    readonly headers: readonly Declared[]
  }[]
  /** Errors next to those that every route can answer. */
  readonly errors: readonly ErrorCode[]
  /** An example of the body, for the document; null: an empty one. */
  readonly example: JsonObject | null
  /** An example of the query, for the document; left out: none. */
  readonly queryExample?: Readonly<Record<string, string>>
  /** Where browsers are led: it answers with pages and redirects, and the document does not describe it. */
  readonly isForBrowsers?: true
  readonly handle: (request: ServiceRequest) => Promise<ServiceReply>
}

/** One request, checked by its route. */
export interface ServiceRequest {
  /** Of routes with a token. */
  readonly principal: Principal
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | undefined>>
  /** Empty where the route has no body. */
  readonly body: JsonObject
  /** Files that came behind the body; none where the route takes none. */
  readonly files: ArrivingFiles
  /** Of raw routes: the body, the address (path and query) and the method as they arrived. */
  readonly arrived: ArrivedRequest
  /** Lower-case name; undefined where absent. */
  header(name: string): string | undefined
  readonly requestId: string
  /** IP address of the caller; of the proxy before it, unless TENON_TRUST_PROXY believes what that says. null: it is gone. */
  readonly address: string | null
  /** For the whole request, from `Prefer: wait` or the default. */
  readonly timeoutMs: number
  /** Aborted when the client has left. */
  readonly signal: AbortSignal
  /** Adds facts to the line that the log gets of this request. Never secrets, params or bodies. */
  note(facts: RequestFacts): void
  /** Says which instance it is about: then the logs have an entry of it. */
  about(row: InstanceRow): void
  /** To be told of the requests to the third party, for that entry; undefined: there are no logs. */
  readonly observer: ExchangeObserver | undefined
  /** What an operator may want to keep of it, with the credentials that are no part of it. */
  say(params: JsonObject, credentials: LoggedContent['credentials']): void
  /** Says of a caller that is refused in whose name it came, and why not: for that organisation's audit log. */
  claimed(organizationId: string, why: string): void
  /** Adds a policy to the RateLimit headers of the answer, whatever it will be. */
  showRate(rate: RateShown): void
}

export interface ArrivedRequest {
  readonly method: string
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** What routes tell of a request, by the names of the log. */
export interface RequestFacts {
  readonly connector_id?: string
  readonly connector_type?: string
  readonly entity?: string
  readonly action?: string
  readonly upstream_requests?: number
  /** The operation is one of a manifest that is being worked on. */
  readonly draft?: true
  /** A search of the console for which nobody asked. */
  readonly console_own?: true
  /** Of files: of a download, or of those that came with the request. */
  readonly bytes?: number
}

/** A rate as the RateLimit headers show it. */
export interface RateShown {
  readonly name: string
  readonly count: number
  readonly windowSeconds: number
  readonly remaining: number
  readonly resetSeconds: number
}

export interface ServiceReply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Text and surrounded bytes are JSON where no header says otherwise; null: there is none. */
  readonly content: string | SurroundedBytes | Readable | null
}

/** Text whose middle is there as UTF-8. */
export interface SurroundedBytes {
  readonly before: string
  readonly bytes: Buffer
  readonly after: string
}

/** The id in the path of an instance; routes with one always have it. */
export function instanceIdIn({ path }: Pick<ServiceRequest, 'path'>): string {
  return path['connector_id'] ?? ''
}

export function json(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): ServiceReply {
  return { status, headers, content: JSON.stringify(body) }
}

export function empty(
  status: number,
  headers: Readonly<Record<string, string>> = {},
): ServiceReply {
  return { status, headers, content: null }
}

type Usual = Pick<Route, 'aliases' | 'prefix' | 'body' | 'query' | 'headers' | 'errors' | 'example'>

/** What most routes are alike in. */
const USUAL: Omit<Usual, 'aliases'> = {
  prefix: '/v1',
  body: null,
  query: null,
  headers: [],
  errors: [],
  example: null,
}

/** Two spellings of the same resources: each path that begins with one is an alias of that with the other. */
const TWINS = ['/integrations/connectors', '/connectors/sources'] as const

/** Answers the requests of a route with what its room works with. */
export type Handler<Ports> = (ports: Ports, request: ServiceRequest) => Promise<ServiceReply>

/** A route as a room writes it. What is left out is the usual. */
export type Entry = Omit<Route, keyof Usual | 'method' | 'path' | 'token'> &
  Partial<Usual & Pick<Route, 'token'>> & {
    /** Method and path. */
    readonly at: `${Route['method']} /${string}`
  }

/** Routes that take this kind of token, where they say no other. */
export function routes(token: Route['token'], entries: readonly Entry[]): readonly Route[] {
  return entries.map(({ at, ...entry }) => {
    const space = at.indexOf(' ')
    const path = at.slice(space + 1)
    const twin = TWINS.find((each) => path.startsWith(each))
    const aliases = twin === undefined ? [] : [path.replace(twin, TWINS[twin === TWINS[0] ? 1 : 0])]
    const method = at.slice(0, space) as Route['method']
    return { ...USUAL, token, method, path, aliases, ...entry }
  })
}
