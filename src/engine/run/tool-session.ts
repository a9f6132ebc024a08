// The handshake with servers of the Model Context Protocol: once for an address and its credentials, for all calls of an engine.
// Source: modelcontextprotocol.io, revision 2025-11-25 ("Lifecycle", "Session management"), and 2026-07-28, which has none.
import { numberedCall } from '../../language/manifest/body-forms/mcp.ts'
import { type Patience, waitFor } from '../exchange/wait-for.ts'
import type { UpstreamRequest } from '../request/upstream-request.ts'
import { type StreamPlace, watchAnswer } from '../response/tool-answer.ts'

/** What calls of tools carry since the handshake. */
export interface ToolSession {
  readonly headers: Readonly<Record<string, string>>
  /** What every request says of its sender where there is no handshake; null: it was said in the handshake. */
  readonly meta: Readonly<Record<string, unknown>> | null
}

/** The revision that the handshake asks for, and those that are understood. */
export const WANTED = '2025-11-25'
export const KNOWN: ReadonlySet<unknown> = new Set([
  WANTED,
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
])
/** The revision without a handshake. */
export const STATELESS = '2026-07-28'

const CLIENT = { name: 'tenon', version: '1' }
const SESSION_HEADER = 'mcp-session-id'

/** The message that opens a session. */
export const INITIALIZE: string = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: WANTED, capabilities: {}, clientInfo: CLIENT },
})
/** The message that ends the handshake. */
export const INITIALIZED: string = JSON.stringify({
  jsonrpc: '2.0',
  method: 'notifications/initialized',
})

/** The session that a handshake gave. */
export function sessionOf(version: string, headers: UpstreamRequest['headers']): ToolSession {
  const id = headers[SESSION_HEADER]
  return {
    headers: { 'mcp-protocol-version': version, ...(id !== undefined && { [SESSION_HEADER]: id }) },
    meta: null,
  }
}

/** What calls carry to a server that knows no handshake. */
export const NO_SESSION: ToolSession = {
  headers: { 'mcp-protocol-version': STATELESS },
  meta: {
    'io.modelcontextprotocol/protocolVersion': STATELESS,
    'io.modelcontextprotocol/clientInfo': CLIENT,
    'io.modelcontextprotocol/clientCapabilities': {},
  },
}

/** Whether the server keeps a session that it can forget. */
export function isKept({ headers }: ToolSession): boolean {
  return Object.hasOwn(headers, SESSION_HEADER)
}

/** What waits for an answer: its number, and what is told where the stream of the answer stands. */
export interface Question {
  readonly id: number
  readonly place?: StreamPlace
}

/** A message of the protocol in place of the call that a request was built for. `question`: null where it asks nothing. */
export function withMessage(
  request: UpstreamRequest,
  { headers }: Pick<ToolSession, 'headers'>,
  body: string | null,
  question: Question | null,
): UpstreamRequest {
  const secret = Object.hasOwn(headers, SESSION_HEADER) ? [SESSION_HEADER] : []
  return {
    ...request,
    body,
    headers: { ...request.headers, ...headers },
    secretHeaders: [...request.secretHeaders, ...secret],
    // A tool may take its time, and may say nothing meanwhile.
    headMs: request.timeoutMs,
    ...(question !== null && { endOf: (head) => watchAnswer(head, question.id, question.place) }),
  }
}

/** The call of a tool within a session. */
export function inSession(
  request: UpstreamRequest,
  session: ToolSession,
  { tool, ...question }: Question & { readonly tool: string },
): UpstreamRequest {
  // A call of a tool is text.
  const text = typeof request.body === 'string' ? request.body : ''
  const body = numberedCall(text, question.id, session.meta)
  const named =
    session.meta === null ? {} : { 'mcp-method': 'tools/call', 'mcp-name': headerText(tool) }
  return withMessage(request, { headers: { ...session.headers, ...named } }, body, question)
}

/**
 * The request that takes a broken stream up again behind an event: a GET, which calls nothing. Source: revision
 * 2025-06-18, "Resumability and Redelivery".
 */
export function resumption(
  request: UpstreamRequest,
  session: ToolSession,
  { lastId, ...question }: Question & { readonly lastId: string },
): UpstreamRequest {
  const { 'content-type': _, ...headers } = request.headers
  const own = { ...session.headers, accept: 'text/event-stream', 'last-event-id': lastId }
  const asked = withMessage({ ...request, headers }, { headers: own }, null, question)
  return { ...asked, method: 'GET' }
}

/** A text that may stand in a header as it is, or marked and as base64. Source: revision 2026-07-28, "Standard headers". */
function headerText(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?')
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}

/** Sessions remembered at once; the oldest is forgotten. */
const MAX_SESSIONS = 100

/** The sessions of one engine. */
export class ToolSessions {
  readonly #open = new Map<string, Promise<ToolSession>>()
  #calls = 0

  /** Every call has a number of its own. */
  nextCall(): number {
    return ++this.#calls
  }

  /**
   * The session of these requests, which `open` begins unless there is one, or somebody begins it already: that is waited
   * for as long as the caller can wait. A failure is that of its caller alone.
   */
  async of(
    request: UpstreamRequest,
    patience: Patience,
    open: () => Promise<ToolSession>,
  ): Promise<ToolSession> {
    const key = keyOf(request)
    const known = this.#open.get(key)
    if (known !== undefined) {
      const begun = known.catch(() => null)
      const session = await waitFor(begun, patience)
      if (session !== null) return session
    }
    const opening = open()
    this.#open.set(key, opening)
    const [oldest] = this.#open.keys()
    if (this.#open.size > MAX_SESSIONS && oldest !== undefined) this.#open.delete(oldest)
    try {
      return await opening
    } catch (error) {
      if (this.#open.get(key) === opening) this.#open.delete(key)
      throw error
    }
  }

  /** Forgets a session that the server does not know any more, unless another one has taken its place. */
  async forget(request: UpstreamRequest, session: ToolSession): Promise<void> {
    const key = keyOf(request)
    const known = this.#open.get(key)
    const current = await known?.catch(() => null)
    if (current === session && this.#open.get(key) === known) this.#open.delete(key)
  }
}

/** Requests to one address with the same credentials share a session. */
function keyOf({ url, headers, secretHeaders }: UpstreamRequest): string {
  return JSON.stringify([url, secretHeaders.map((name) => headers[name])])
}
