// The answer of a tool as an answer of HTTP: what the rest of the engine reads, judges and passes on.
// Source: modelcontextprotocol.io, revisions 2025-11-25 and 2026-07-28, "Streamable HTTP" and "Tools".
import { ConnectorError, type Outcome } from '../../errors.ts'
import { jsonText } from '../../language/expression/text-value.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import { tryParseJson } from '../../language/json/parse-json.ts'
import type { ResponseRules } from '../../language/manifest/manifest.ts'
import { isJsonType, readContentType } from './content-type.ts'
import { isSuccess } from './error-rules.ts'
import { EventStream } from './event-stream.ts'

/** What arrived: the parts of an answer of the transport that are read here. */
interface Arrived {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly url: string
  readonly body: Buffer
}

/** An answer of a tool. */
export interface ToolAnswer extends Arrived {
  /** What a call that changes something did, where the tool failed without saying so. */
  readonly outcome?: Outcome
}

/** What answers one request of JSON-RPC. */
export type RpcAnswer =
  | { readonly result: Json }
  | { readonly code: number; readonly message: string; readonly data: Json | undefined }

const EVENTS = 'text/event-stream'

/** Where the stream of an answer stands; `events` is null until there is one. */
export interface StreamPlace {
  events: Pick<EventStream, 'lastId' | 'retryMs'> | null
}

/**
 * Tells, piece by piece, whether the answer to a request has come: servers may leave its stream open. `place` is told of
 * the stream.
 */
export function watchAnswer(
  { status, headers }: Pick<Arrived, 'status' | 'headers'>,
  id: number,
  place: StreamPlace = { events: null },
): ((piece: Buffer) => boolean) | null {
  if (!isSuccess(status) || readContentType(headers['content-type'])?.type !== EVENTS) return null
  const events = new EventStream()
  place.events = events
  return (piece) => events.read(piece).some(({ data }) => answerIn(tryParseJson(data), id) !== null)
}

/**
 * The answer to one request in the body of an answer, which is JSON or an event stream with other messages around it;
 * null when it is not there.
 */
export function rpcAnswer({ headers, body }: Arrived, id: number): RpcAnswer | null {
  const type = readContentType(headers['content-type'])?.type
  if (type === EVENTS) {
    const end = Buffer.from('\n\n')
    const events = new EventStream()
    for (const { data } of [...events.read(body), ...events.read(end)]) {
      const found = answerIn(tryParseJson(data), id)
      if (found !== null) return found
    }
    return null
  }
  if (type !== undefined && !isJsonType(type)) return null
  const value = tryParseJson(body.toString('utf8'))
  // An older revision may answer with a list.
  const messages = Array.isArray(value) ? value : [value]
  return messages.map((message) => answerIn(message, id)).find((found) => found !== null) ?? null
}

function answerIn(message: Json | undefined, id: number): RpcAnswer | null {
  if (message === undefined) return null
  const error = own(message, 'error')
  const given = own(message, 'id')
  // What was refused before it was read has no id, or null.
  if (isJsonObject(error) && (given === id || given === undefined || given === null)) {
    const [code, text] = [own(error, 'code'), own(error, 'message')]
    return {
      code: typeof code === 'number' ? code : 0,
      message: typeof text === 'string' ? text : 'no message',
      data: own(error, 'data'),
    }
  }
  const result = own(message, 'result')
  return given === id && result !== undefined ? { result } : null
}

/** The status that stands for an error of JSON-RPC in a successful answer; any other code is 500. */
const STATUS: Readonly<Record<number, number>> = {
  [-32700]: 400,
  [-32600]: 400,
  [-32601]: 404,
  [-32602]: 400,
  [-32002]: 404,
  [-32042]: 403,
}
/** What a tool calls an error; it may have failed half way. */
const TOOL_ERROR = 400

/**
 * Turns what arrived for the call `id` into the answer of the tool.
 *
 * A result becomes a success whose body is what `decode` reads: for `json` the structured content, without one the
 * texts, as for all others; for `content` the whole result. A result with `isError` counts as status 400 with
 * `{ message, content, structuredContent }`, an error of JSON-RPC as the status that its code stands for with
 * `{ code, message, data }`; errors of HTTP keep their status. Throws `upstream_unreachable` where the answer is not
 * there, so that reads are repeated, and `upstream_malformed` for what is no result of a tool.
 */
export function toolAnswer(
  arrived: Arrived,
  id: number,
  decode: ResponseRules['decode'],
): ToolAnswer {
  const answer = rpcAnswer(arrived, id)
  const { status } = arrived
  if (answer === null) {
    if (!isSuccess(status)) return arrived
    throw new ConnectorError(
      'upstream_unreachable',
      `${new URL(arrived.url).host} ended its answer without the result of the tool`,
      { details: { sent: true, phase: 'body', reason: 'no_result' } },
    )
  }
  if (!('result' in answer)) {
    const said = isSuccess(status) ? (STATUS[answer.code] ?? 500) : status
    const { code, message, data } = answer
    return withJson(arrived, said, { code, message, ...(data !== undefined && { data }) })
  }
  const { result } = answer
  const blocks = own(result, 'content') ?? []
  if (!isJsonObject(result) || !Array.isArray(blocks)) throw malformed('it is no result of a tool')
  if (own(result, 'resultType') === 'input_required') {
    const message = 'the tool asks for further input, which no call can give'
    return { ...withJson(arrived, TOOL_ERROR, { message }), outcome: 'not_applied' }
  }
  if (own(result, 'isError') === true) {
    const failure: JsonObject = { message: textsOf(blocks).join('\n'), ...result }
    return { ...withJson(arrived, TOOL_ERROR, failure), outcome: 'uncertain' }
  }
  return succeeded(arrived, result, decode)
}

function succeeded(
  arrived: Arrived,
  result: JsonObject,
  decode: ResponseRules['decode'],
): ToolAnswer {
  if (decode === 'content') return withJson(arrived, arrived.status, result)
  const structured = own(result, 'structuredContent') ?? null
  if (decode === 'json' && structured !== null) return withJson(arrived, arrived.status, structured)
  const blocks = (own(result, 'content') ?? []) as readonly Json[]
  const texts = textsOf(blocks)
  if (texts.length === 0 && blocks.length > 0 && decode !== 'none') {
    const types = blocks.map((block) => own(block, 'type'))
    // Anything may stand there: only what the protocol knows is told.
    const known = KINDS.filter((kind) => types.includes(kind))
    const given = known.length === 0 ? 'something unknown' : known.join(', ')
    throw malformed(`the tool gives ${given} and no text; decode: content reads that`)
  }
  const { status, headers, url } = arrived
  const { 'content-type': _, ...others } = headers
  return { status, headers: others, url, body: Buffer.from(texts.join('\n')) }
}

const KINDS: readonly string[] = ['image', 'audio', 'resource', 'resource_link']

function textsOf(blocks: readonly Json[]): readonly string[] {
  return blocks.flatMap((block) => {
    const text = own(block, 'type') === 'text' ? own(block, 'text') : undefined
    return typeof text === 'string' ? [text] : []
  })
}

function withJson({ headers, url }: Arrived, status: number, body: Json): ToolAnswer {
  return {
    status,
    headers: { ...headers, 'content-type': 'application/json' },
    url,
    body: Buffer.from(jsonText(body)),
  }
}

function malformed(reason: string): ConnectorError {
  return new ConnectorError(
    'upstream_malformed',
    `The answer of the third party cannot be read: ${reason}`,
    { details: { sent: true, phase: 'body', reason: 'tool' } },
  )
}
