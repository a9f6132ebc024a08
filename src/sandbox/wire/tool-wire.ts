// The Model Context Protocol as a vendor speaks it: calls of tools that arrive, and answers as results of tools.
// Source: modelcontextprotocol.io, revision 2025-11-25.
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import { tryParseJson } from '../../language/json/parse-json.ts'
import type { ResponseRules } from '../../language/manifest/manifest.ts'
import { valueAnswer, type WireAnswer } from './wire-answer.ts'
import type { WireRequest } from './wire-request.ts'

/** A message of JSON-RPC that arrived. */
export interface RpcMessage {
  readonly method: string
  /** undefined: it wants no answer. */
  readonly id: Json | undefined
  readonly params: Json
}

/** The message in a request; null where it holds none. */
export function rpcIn({ body }: Pick<WireRequest, 'body'>): RpcMessage | null {
  const value = tryParseJson(body.toString('utf8'))
  const method = own(value ?? null, 'method')
  if (value === undefined || typeof method !== 'string') return null
  return { method, id: own(value, 'id'), params: own(value, 'params') ?? {} }
}

/** The tool that a request calls; undefined where it calls none. */
export function calledTool(request: WireRequest): Json | undefined {
  const message = rpcIn(request)
  return message?.method === 'tools/call' ? own(message.params, 'name') : undefined
}

/** The result of a message as an answer. */
export function resultAnswer(
  id: Json | undefined,
  result: JsonObject,
  headers: WireAnswer['headers'] = {},
): WireAnswer {
  return valueAnswer(200, { jsonrpc: '2.0', id: id ?? null, result }, headers)
}

/** What HTTP itself says: no credentials, no permission, too many requests, and what a server cannot help. */
function isOfHttp(status: number): boolean {
  return status === 401 || status === 403 || status === 429 || status >= 500
}

/** An answer of an action as the result of the tool that it called, as one event. */
export function toolResult(
  request: WireRequest,
  answer: WireAnswer,
  decode: ResponseRules['decode'],
): WireAnswer {
  const { status, body, headers } = answer
  if (isOfHttp(status) || 'file' in body) return answer
  const text = 'text' in body ? body.text : ''
  const result = status >= 300 ? failed(text) : succeeded(text, decode)
  const message = { jsonrpc: '2.0', id: rpcIn(request)?.id ?? null, result }
  return {
    status: 200,
    headers: { ...headers, 'content-type': 'text/event-stream' },
    body: { kind: 'text', text: `event: message\ndata: ${JSON.stringify(message)}\n\n` },
  }
}

function succeeded(text: string, decode: ResponseRules['decode']): JsonObject {
  const value = decode === 'json' || decode === 'content' ? tryParseJson(text) : undefined
  if (decode === 'content' && isJsonObject(value) && Array.isArray(value['content'])) return value
  const content = text === '' ? [] : [{ type: 'text', text }]
  return { content, ...(decode === 'json' && isJsonObject(value) && { structuredContent: value }) }
}

function failed(text: string): JsonObject {
  const value = tryParseJson(text)
  const { message, ...others } = isJsonObject(value) ? value : {}
  const said = typeof message === 'string' ? message : text
  return { ...others, content: [{ type: 'text', text: said }], isError: true }
}
