// What a server of the Model Context Protocol offers: its tools, and where its tokens come from.
// Source: modelcontextprotocol.io, revision 2025-11-25, "Tools" and "Authorization"; RFC 9728; RFC 8414.
import { ConnectorError } from '../../errors.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import { tryParseJson } from '../../language/json/parse-json.ts'
import type { Transport, UpstreamResponse } from '../exchange/transport.ts'
import type { UpstreamRequest } from '../request/upstream-request.ts'
import { isSuccess } from '../response/error-rules.ts'
import { quoteOf } from '../response/excerpt.ts'
import { rpcAnswer } from '../response/tool-answer.ts'
import { handshake } from './tool-handshake.ts'
import { type ToolSession, withMessage } from './tool-session.ts'

export interface ToolServer {
  /** Without a slash that was not written. */
  readonly url: string
  /** A bearer token; null: none. */
  readonly token: string | null
}

export interface ToolOffer {
  /** What the handshake said: `serverInfo`, `instructions`. */
  readonly about: JsonObject
  /** As they came. */
  readonly tools: readonly Json[]
}

/** The metadata of the resource (RFC 9728) and of the server that issues its tokens (RFC 8414); empty where it has none. */
export interface Authorization {
  readonly resource: JsonObject
  readonly server: JsonObject
}

const TIMEOUT_MS = 30_000
const MAX_QUOTE = 300
/** A server that never ends its list is not followed. */
const MAX_PAGES = 100

/**
 * The tools of a server, all pages.
 *
 * Throws as the transport does, `credentials_refused` for 401 and 403, and `upstream_unexpected` for what is no MCP
 * server. No message holds the token.
 */
export async function listTools(transport: Transport, server: ToolServer): Promise<ToolOffer> {
  const { host } = new URL(server.url)
  const redact = (text: string): string =>
    server.token === null ? text : text.replaceAll(server.token, '[secret]')
  const quote = (text: string): string => quoteOf(text, MAX_QUOTE, redact)
  const post = async (
    session: Pick<ToolSession, 'headers'>,
    body: string,
    id: number | null,
  ): Promise<UpstreamResponse> => {
    const answer = await transport.send(
      withMessage(requestOf(server), session, body, id === null ? null : { id }),
    )
    const { status } = answer
    if (status === 401 || status === 403)
      throw new ConnectorError(
        'credentials_refused',
        `${host} answers ${status}: ${server.token === null ? 'it wants a token' : 'it does not accept the token'}`,
        { details: { challenge: answer.headers['www-authenticate'] ?? null } },
      )
    if (!isSuccess(status) && rpcAnswer(answer, id ?? 0) === null)
      throw new ConnectorError(
        'upstream_unexpected',
        `${host} is no MCP server over streamable HTTP: it answers ${status}`,
      )
    return answer
  }
  const { session, about } = await handshake(
    (message) => post(message.session, message.body, message.id),
    { title: host, quote },
  )
  const tools: Json[] = []
  let cursor: Json | undefined
  for (let page = 1; page <= MAX_PAGES; page++) {
    const params = {
      ...(cursor !== undefined && { cursor }),
      ...(session.meta !== null && { _meta: session.meta }),
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id: page, method: LIST, params })
    const named = session.meta === null ? {} : { 'mcp-method': LIST }
    const answer = rpcAnswer(
      await post({ headers: { ...session.headers, ...named } }, body, page),
      page,
    )
    const list = answer !== null && 'result' in answer ? own(answer.result, 'tools') : undefined
    if (answer === null || !('result' in answer) || !Array.isArray(list)) {
      const why = answer !== null && 'code' in answer ? `: ${quote(answer.message)}` : ''
      throw new ConnectorError('upstream_unexpected', `${host} gives no list of its tools${why}`)
    }
    tools.push(...(list as readonly Json[]))
    cursor = own(answer.result, 'nextCursor')
    if (typeof cursor !== 'string' || cursor === '') return { about, tools }
  }
  throw new ConnectorError('upstream_unexpected', `${host} never ends the list of its tools`)
}

const LIST = 'tools/list'

/** The parts of a challenge; `challenge`: a WWW-Authenticate header. */
function metadataIn(challenge: string | null): string | null {
  return /resource_metadata="([^"]+)"/.exec(challenge ?? '')?.[1] ?? null
}

/**
 * Where the tokens of a server come from: the metadata of its address, named by `challenge` or at the well-known places,
 * and that of its first authorization server. Null where there is none; nothing that is refused or unreadable is one.
 */
export async function findAuthorization(
  transport: Transport,
  url: string,
  challenge: string | null,
): Promise<Authorization | null> {
  const fetchJson = async (address: string): Promise<JsonObject | null> => {
    if (!URL.canParse(address)) return null
    const request = { ...requestOf({ url: address, token: null }), method: 'GET', body: null }
    const answer = await transport.send({ ...request, headers: { accept: 'application/json' } })
    const value = isSuccess(answer.status) ? tryParseJson(answer.body.toString('utf8')) : undefined
    return isJsonObject(value) ? value : null
  }
  const first = async (addresses: readonly (string | null)[]): Promise<JsonObject | null> => {
    for (const address of addresses) {
      const found = address === null ? null : await fetchJson(address).catch(() => null) // the next place may have it
      if (found !== null) return found
    }
    return null
  }
  const resource = await first([
    metadataIn(challenge),
    ...wellKnown(url, 'oauth-protected-resource'),
  ])
  const issuers = own(resource, 'authorization_servers')
  const issuer = (Array.isArray(issuers) ? issuers[0] : undefined) ?? new URL(url).origin
  if (typeof issuer !== 'string' || !URL.canParse(issuer)) return null
  const server = await first([
    ...wellKnown(issuer, 'oauth-authorization-server'),
    ...wellKnown(issuer, 'openid-configuration'),
    `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
  ])
  if (server === null) return null
  return { resource: resource ?? {}, server }
}

/** With the path behind it, and without. Source: RFC 9728, section 3.1; RFC 8414, section 3.1. */
function wellKnown(url: string, name: string): readonly string[] {
  const { origin, pathname } = new URL(url)
  const path = pathname.replace(/\/$/, '')
  const root = `${origin}/.well-known/${name}`
  return path === '' ? [root] : [`${root}${path}`, root]
}

function requestOf({ url, token }: ToolServer): UpstreamRequest {
  return {
    method: 'POST',
    url,
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    body: null,
    redirects: 0,
    timeoutMs: TIMEOUT_MS,
    secretHeaders: token === null ? [] : ['authorization'],
    secretQuery: [],
  }
}
