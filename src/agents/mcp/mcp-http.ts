// The server over streamable HTTP: who may call, from where, and each request on its own, so that any number of processes can share it.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AuthInfo, createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import type { AgentClients } from '../agent-tool.ts'
import { nodeCrypto } from '../../late-modules.ts'
import { type AllowedPlaces, refusedPlace } from './allowed-places.ts'
import { mcpOffer, type McpOffer, type McpServerOptions, serverOf } from './mcp-server.ts'
import { newSession, OpenQuestions } from './open-questions.ts'
import { type CallerLabel, RunningCalls } from './running-calls.ts'

/** The clients that a bearer token opens; null when the token is not accepted. */
export type ClientsOfToken = (token: string) => AgentClients | null | Promise<AgentClients | null>

export interface McpHttpOptions extends McpServerOptions {
  /**
   * With clients that are the same for all: the bearer token to demand. `null` demands none, for a server that only
   * this machine can reach. With a function for the clients it must be left out.
   */
  readonly token?: string | null
  /** Origins of pages that may call, such as `https://app.example.com`. Default: none; programs send no origin. */
  readonly allowedOrigins?: readonly string[]
  /**
   * Names by which it may be called, without ports, such as `tenon.example.com`: others in `Host` are refused, as
   * pages use them that lead a name of their own here. Addresses and `localhost` are always allowed. Default: with
   * `token: null` these only, otherwise every name.
   */
  readonly allowedHosts?: readonly string[]
  /** Address of the metadata that tells where tokens are issued (RFC 9728), named in each 401; null: there is none. */
  readonly resourceMetadataUrl?: string | (() => string | null)
  /** Of a request; default 1,048,576. */
  readonly maxBodyBytes?: number
}

/**
 * Serves the path it is mounted at, with the methods GET, POST, DELETE and OPTIONS. A client that wants a tool per action
 * in place of the mode of the options asks for it in the address: `/mcp?tools=all`, or `?tools=three`.
 */
export interface McpHandler {
  /** For servers of web-standard requests. */
  readonly fetch: (request: Request) => Promise<Response>
  /** For `node:http` and what is built on it; `body` when it was parsed already. */
  readonly node: (
    request: IncomingMessage,
    response: ServerResponse,
    body?: unknown,
  ) => Promise<void>
  /** Ends requests under way. The clients stay open. */
  readonly close: () => Promise<void>
}

const DEFAULT_BODY_BYTES = 1_048_576
const SESSION = 'mcp-session-id'

/**
 * A handler for the tools of clients: the same clients for all, or those that the caller's token opens.
 *
 * Host, origin and token are checked before the body is read: 403 for a foreign host or origin, 401 without a valid token (RFC 6750).
 * Throws TypeError when it is not said who may call.
 */
export function createMcpHttpHandler(
  clients: AgentClients | ClientsOfToken,
  options: McpHttpOptions = {},
): McpHandler {
  const open = doorOf(clients, options)
  const offerOf = rememberOffers(options)
  // Wrong options show now, not at the first request.
  if (typeof clients !== 'function') offerOf(clients, options.mode)
  return serveOffers(async (token) => {
    const given = await open(token)
    return given === null ? null : (mode) => offerOf(given, mode)
  }, options)
}

/** What is offered in a mode. */
export type Offers = (mode: Mode) => McpOffer

/** A handler for what a token opens; null: the token is not accepted. */
export function serveOffers(
  open: (token: string | null) => Promise<Offers | null>,
  options: McpHttpOptions,
): McpHandler {
  const door = new Door(open, options)
  const [running, questions] = [new RunningCalls(), new OpenQuestions()]
  const maxRequestBodySize = options.maxBodyBytes ?? DEFAULT_BODY_BYTES
  const { onError: onerror } = options
  const bounds = { maxRequestBodySize, ...(onerror === undefined ? {} : { onerror }) }
  const handler = createMcpHandler(({ authInfo }) => {
    const { offer, mode, caller } = admittedIn(authInfo)
    return serverOf(offer, { ...options, mode, calls: { running, questions, caller } })
  }, bounds)

  async function serve(
    request: Request,
    admitted: Admitted,
    parsedBody?: unknown,
  ): Promise<Response> {
    const { caller, cors, isFirst } = admitted
    const isLookedAt = isFirst || (request.method === 'POST' && questions.isAwaited(caller))
    const read = isLookedAt ? await messageIn(request, parsedBody, maxRequestBodySize) : parsedBody
    if (questions.take(caller, read)) return new Response(null, { status: 202, headers: cors })
    const authInfo = { token: '', clientId: '', scopes: [], extra: { admitted } }
    const parsed = parsedBody === undefined ? {} : { parsedBody }
    const answer = await handler.fetch(request, { authInfo, ...parsed })
    for (const [name, value] of Object.entries(cors)) answer.headers.set(name, value)
    if (isFirst && answer.ok) answer.headers.set(SESSION, newSession(read ?? {}))
    return answer
  }

  return {
    async fetch(request) {
      const admission = await door.admit(request.headers, request.method, request.url)
      return admission instanceof Response ? admission : await serve(request, admission)
    },
    async node(request, response, body) {
      const { method = 'GET', url = '/' } = request
      const address = new URL(url, 'http://node').href
      const admission = await door.admit(headersOf(request), method, address)
      if (admission instanceof Response) return await write(admission, response)
      const { toNodeHandler } = await import('@modelcontextprotocol/node')
      const face: Pick<McpHttpHandler, 'fetch'> = {
        fetch: (each, given) => serve(each, admission, given?.parsedBody),
      }
      const handle = toNodeHandler(face, bounds)
      // The adapter's type leaves out that Node's own members may be undefined.
      await handle(request as Parameters<typeof handle>[0], response, body)
    },
    close: () => handler.close(),
  }
}

/** Who may come in, from where, and with which tools. */
class Door {
  readonly #open: (token: string | null) => Promise<Offers | null>
  readonly #options: McpHttpOptions
  readonly #places: AllowedPlaces

  constructor(open: (token: string | null) => Promise<Offers | null>, options: McpHttpOptions) {
    this.#open = open
    this.#options = options
    this.#places = placesOf(options)
  }

  async admit(headers: Headers, method: string, url: string): Promise<Admitted | Response> {
    const origin = headers.get('origin')
    // Every request that came over a network has one.
    const host = headers.get('host') ?? undefined
    const refusal = refusedPlace(this.#places, { host, origin })
    if (refusal !== null) return refused(403, refusal)
    const cors = origin === null ? {} : corsHeaders(origin, headers)
    if (method === 'OPTIONS') return new Response(null, { status: 204, headers: cors })
    const token = bearerIn(headers)
    const offers = await this.#open(token)
    if (offers === null) {
      const told = { ...challenge(headers, this.#options), ...cors }
      return refused(401, 'a valid bearer token is needed', told)
    }
    const mode = modeIn(url, this.#options)
    if (mode === null) return refused(400, 'the parameter tools is "all" or "three"', cors)
    const caller = { token: token ?? '', session: headers.get(SESSION) }
    return { offer: offers(mode), mode, caller, cors, isFirst: isFirstOf2025(headers, method) }
  }
}

/** The message of a request, which stays to be read; undefined: it is none, or is larger than it may be. */
async function messageIn(request: Request, parsed: unknown, maxBytes: number): Promise<unknown> {
  if (parsed !== undefined) return parsed
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return undefined
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of request.clone().body ?? []) {
    bytes += piece.length
    if (bytes > maxBytes) return undefined
    pieces.push(piece)
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString()) as unknown
  } catch {
    // The protocol says what is wrong with it.
    return undefined
  }
}

/** The door put it there. */
function admittedIn(authInfo: AuthInfo | undefined): Admitted {
  if (authInfo?.extra === undefined) throw new TypeError('a request came by no door')
  return authInfo.extra['admitted'] as Admitted
}

type Mode = NonNullable<McpServerOptions['mode']>

interface Admitted {
  readonly offer: McpOffer
  readonly mode: Mode
  readonly caller: CallerLabel
  /** It begins a session, or is of an era that does not mind one. */
  readonly isFirst: boolean
  readonly cors: Readonly<Record<string, string>>
}

/** Who gets in: the clients for a token, null refuses it. */
function doorOf(
  clients: AgentClients | ClientsOfToken,
  { token }: McpHttpOptions,
): (token: string | null) => Promise<AgentClients | null> {
  if (typeof clients === 'function') {
    if (token !== undefined)
      throw new TypeError(
        'the function that gives the clients decides about tokens; leave token out',
      )
    return async (given) => (given === null ? null : await clients(given))
  }
  if (token === undefined || token === '')
    throw new TypeError(
      'token is the bearer token to demand; null lets everybody in who can reach the server',
    )
  if (token === null) return async () => await Promise.resolve(clients)
  return async (given) =>
    await Promise.resolve(given !== null && isSame(given, token) ? clients : null)
}

/** Compares digests, so that neither length nor time tells anything of the token. */
function isSame(given: string, token: string): boolean {
  const { createHash, timingSafeEqual } = nodeCrypto()
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}

/** A client that names neither session nor version begins a session of the era of 2025, or does not mind one. */
function isFirstOf2025(headers: Headers, method: string): boolean {
  return method === 'POST' && !headers.has(SESSION) && !headers.has('mcp-protocol-version')
}

/** A server without a token is for this machine alone, so it has no other names. */
function placesOf({ allowedHosts, allowedOrigins = [], token }: McpHttpOptions): AllowedPlaces {
  const hosts = allowedHosts ?? (token === null ? [] : null)
  const names = hosts?.map((host) => host.toLowerCase())
  return { hosts: names === undefined ? null : new Set(names), origins: allowedOrigins }
}

const MODES: Readonly<Record<string, Mode>> = { all: 'actions', three: 'three' }

/** What the address asks for; null: there is no such mode. */
function modeIn(url: string, { mode = 'three' }: McpServerOptions): Mode | null {
  const asked = URL.parse(url)?.searchParams.get('tools') ?? null
  return asked === null ? mode : (MODES[asked] ?? null)
}

/** What is offered is made once for clients that come again. */
function rememberOffers(
  options: McpHttpOptions,
): (clients: AgentClients, mode: Mode | undefined) => McpOffer {
  const made = new WeakMap<AgentClients, Map<Mode, McpOffer>>()
  return (clients, mode = 'three') => {
    const known = made.get(clients) ?? new Map<Mode, McpOffer>()
    const offer = known.get(mode) ?? mcpOffer(clients, { ...options, mode })
    made.set(clients, known.set(mode, offer))
    return offer
  }
}

/** The token of `Authorization: Bearer …`. Source: RFC 6750, section 2.1. */
function bearerIn(headers: Headers): string | null {
  return /^Bearer +([\w.~+/-]+=*) *$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null
}

/** Source: RFC 6750, section 3, and RFC 9728, section 5.1. */
function challenge(
  headers: Headers,
  { resourceMetadataUrl }: McpHttpOptions,
): Readonly<Record<string, string>> {
  const metadata =
    typeof resourceMetadataUrl === 'function'
      ? resourceMetadataUrl()
      : (resourceMetadataUrl ?? null)
  const parts = [
    ...(headers.has('authorization') ? ['error="invalid_token"'] : []),
    ...(metadata === null ? [] : [`resource_metadata="${metadata}"`]),
  ]
  return { 'www-authenticate': `Bearer${parts.length === 0 ? '' : ` ${parts.join(', ')}`}` }
}

function corsHeaders(origin: string, headers: Headers): Readonly<Record<string, string>> {
  const asked = headers.get('access-control-request-headers')
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'mcp-session-id, www-authenticate',
    vary: 'origin',
    ...(asked === null
      ? {}
      : {
          'access-control-allow-headers': asked,
          'access-control-allow-methods': 'GET, POST, DELETE',
        }),
  }
}

/** Source: Model Context Protocol, "Streamable HTTP": the body may be an error without an id. */
function refused(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = { jsonrpc: '2.0', error: { code: -32_000, message }, id: null }
  return Response.json(body, { status, headers: { ...headers, connection: 'close' } })
}

function headersOf({ headers }: IncomingMessage): Headers {
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  )
  return new Headers(entries)
}

async function write(refusal: Response, response: ServerResponse): Promise<void> {
  response.writeHead(refusal.status, Object.fromEntries(refusal.headers))
  response.end(await refusal.text())
}
