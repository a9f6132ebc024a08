// The handshake with a server of the Model Context Protocol, by any carrier of its messages.
// Source: modelcontextprotocol.io, revision 2025-11-25, "Lifecycle".
import { ConnectorError } from '../../errors.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import { rpcAnswer, type ToolAnswer } from '../response/tool-answer.ts'
import {
  INITIALIZE,
  INITIALIZED,
  KNOWN,
  NO_SESSION,
  sessionOf,
  STATELESS,
  type ToolSession,
} from './tool-session.ts'

/** A message of the handshake. */
export interface Message {
  readonly body: string
  /** Of what it asks; null: nothing. */
  readonly id: number | null
  readonly session: Pick<ToolSession, 'headers'>
}

/** Who speaks, in messages to people. */
export interface Spoken {
  readonly title: string
  /** The server's words as they may be shown: without secrets, and short. */
  readonly quote: (text: string) => string
}

export interface Opened {
  readonly session: ToolSession
  /** What the server says of itself: `serverInfo`, `instructions`; empty where there is no handshake. */
  readonly about: JsonObject
}

/**
 * Opens a session. `say` sends a message and gives what answers it, be it an error of JSON-RPC.
 *
 * Throws what `say` throws, and `upstream_unexpected` for a server that refuses, or speaks no revision that is known.
 */
export async function handshake(
  say: (message: Message) => Promise<ToolAnswer>,
  { title, quote }: Spoken,
): Promise<Opened> {
  const opened = await say({ body: INITIALIZE, id: 0, session: { headers: {} } })
  const answer = rpcAnswer(opened, 0)
  if (answer !== null && 'code' in answer) {
    if (knowsNoHandshake(answer.code, answer.data)) return { session: NO_SESSION, about: {} }
    throw unusable(title, `refused the handshake: ${quote(answer.message)}`)
  }
  const version = answer === null ? undefined : own(answer.result, 'protocolVersion')
  if (typeof version !== 'string')
    throw unusable(title, 'answered the handshake with something else')
  if (!KNOWN.has(version))
    throw unusable(
      title,
      `speaks revision ${JSON.stringify(quote(version))} of MCP, which is not known`,
    )
  const session = sessionOf(version, opened.headers)
  await say({ body: INITIALIZED, id: null, session })
  const about = answer?.result
  return { session, about: isJsonObject(about) ? about : {} }
}

/** A server of the revision without a handshake says so, or knows no such method. */
function knowsNoHandshake(code: number, data: Json | undefined): boolean {
  if (code === -32601) return true
  const supported = own(data ?? null, 'supported')
  return code === -32022 && Array.isArray(supported) && supported.includes(STATELESS)
}

function unusable(title: string, what: string): ConnectorError {
  return new ConnectorError('upstream_unexpected', `${title}: the MCP server ${what}`)
}
