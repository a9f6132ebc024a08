// The vendor on a port of this machine.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConnectorError } from '../errors.ts'
import type { JsonObject } from '../language/json/json.ts'
import type { Fault, FaultPlan } from './faults.ts'
import type { Intent } from './vendor.ts'
import { VendorRefusal } from './wire/refusal.ts'
import { valueAnswer, type WireAnswer } from './wire/wire-answer.ts'
import { readTarget, type WireRequest } from './wire/wire-request.ts'

/** A request as it arrived. It holds the secrets it carried: for the eyes of tests only. */
export interface RecordedRequest {
  /** The operations it may belong to, the likeliest first. */
  readonly operations: readonly string[]
  readonly method: string
  /** Path and query as they arrived. */
  readonly target: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The parameters that could be read back from it. */
  readonly params: JsonObject
  /** The status of the answer; null while there is none, and when a fault took it away. */
  readonly status: number | null
}

export interface VendorServer {
  /** `http://127.0.0.1:1234`. */
  readonly origin: string
  readonly close: () => Promise<void>
}

const MAX_BODY_BYTES = 32 * 1024 * 1024

/**
 * Listens on loopback. `port` 0: any free one. Every request is recorded and meets the faults that are planned for it.
 * Throws `config_invalid` for a port that cannot be had.
 */
export async function listen(options: {
  readonly vendor: (request: WireRequest) => Intent
  readonly faults: FaultPlan
  readonly record: (request: RecordedRequest) => (status: number) => void
  readonly port: number
}): Promise<VendorServer> {
  const server = createServer((incoming, response) => {
    // A connection that breaks is the client's affair; everything else must show.
    handle(incoming, response, options).catch((error: unknown) => {
      if (!response.headersSent && !response.destroyed) {
        response.writeHead(500, { 'content-type': 'text/plain' })
        response.end(error instanceof Error ? (error.stack ?? error.message) : String(error))
      } else response.destroy()
    })
  })
  server.requestTimeout = 0
  return await listenOnLoopback(server, options.port)
}

/** Throws `config_invalid` for a port that cannot be had. */
export async function listenOnLoopback(server: Server, wanted: number): Promise<VendorServer> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'the port is in use' : error.message
      const message = `cannot listen on 127.0.0.1:${wanted}: ${why}`
      reject(new ConnectorError('config_invalid', message, { cause: error }))
    })
    server.listen(wanted, '127.0.0.1', resolve)
  })
  // A TCP server's address is an object.
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function handle(
  incoming: IncomingMessage,
  response: ServerResponse,
  options: Parameters<typeof listen>[0],
): Promise<void> {
  const body = await readAll(incoming)
  const target = incoming.url ?? '/'
  const parts = readTarget(target)
  if (body === null || parts === null) {
    const status = body === null ? 413 : 400
    return send(incoming, response, valueAnswer(status, { message: 'The request cannot be read' }))
  }
  const request: WireRequest = {
    method: incoming.method ?? 'GET',
    target,
    ...parts,
    headers: headersOf(incoming),
    body,
  }
  const intent = options.vendor(request)
  const settle = options.record({
    operations: intent.operations,
    method: request.method,
    target,
    headers: request.headers,
    body: body.toString('utf8'),
    params: intent.params,
    status: null,
  })
  const fault = options.faults.take(intent.operations)
  const answer = fault === null ? intent.perform() : await failing(fault, intent, response)
  if (answer === null) return
  settle(answer.status)
  await send(incoming, response, answer, fault?.mode === 'cut' ? fault : null)
}

/** The answer that a fault leaves; null when it leaves none. */
async function failing(
  fault: Fault,
  intent: Intent,
  response: ServerResponse,
): Promise<WireAnswer | null> {
  if (fault.mode.endsWith('-after-apply')) intent.perform()
  switch (fault.mode) {
    case 'status':
    case 'status-after-apply':
      return statusAnswer(fault, intent)
    case 'rate-limited': {
      const headers = { 'retry-after': String(fault.retryAfter ?? 1), ...fault.headers }
      return intent.refuse(new VendorRefusal('rate_limited', 'Too many requests', { headers }))
    }
    case 'html':
      return textAnswer(fault.status ?? 200, 'text/html; charset=utf-8', NO_API)
    case 'reset':
    case 'reset-after-apply':
      // Ends the connection at once, as a machine that dies does.
      response.socket?.resetAndDestroy()
      return null
    case 'hang':
    case 'hang-after-apply':
      // Nothing is ever sent; closing the server, or the client's patience, ends the connection.
      return null
    case 'delay':
      await sleep(fault.delayMs ?? 100)
      return intent.perform()
    case 'malformed':
      return malformed(intent.perform())
    case 'cut':
      return intent.perform()
  }
}

const NO_API = '<!doctype html><title>Sign in</title><p>This page is not the API.</p>\n'

function textAnswer(
  status: number,
  type: string,
  text: string,
  headers: WireAnswer['headers'] = {},
): WireAnswer {
  return { status, headers: { 'content-type': type, ...headers }, body: { kind: 'text', text } }
}

function statusAnswer(fault: Fault, intent: Intent): WireAnswer {
  const { status = 503, headers = {}, body } = fault
  if (body !== undefined) return textAnswer(status, 'application/json', body, headers)
  return intent.refuse(
    new VendorRefusal('invalid', 'The service failed', { status, headers, isWorded: true }),
  )
}

/** The first half of a JSON body, of the right length: complete as HTTP, broken as JSON. */
function malformed({ status, headers, body }: WireAnswer): WireAnswer {
  const text = body.kind === 'text' ? body.text : '{}'
  const half = text.slice(0, Math.max(1, Math.floor(text.length / 2)))
  return textAnswer(status === 204 ? 200 : status, 'application/json', half, headers)
}

async function send(
  incoming: IncomingMessage,
  response: ServerResponse,
  answer: WireAnswer,
  cut: Fault | null = null,
): Promise<void> {
  const { status, headers, body } = answer
  const { 'set-cookie': cookies } = headers
  const hasLength = status !== 204 && status !== 304
  response.writeHead(status, {
    ...headers,
    ...(cookies === undefined ? {} : { 'set-cookie': cookies.split('\n') }),
    ...(hasLength ? { 'content-length': lengthOf(answer) } : {}),
  })
  if (incoming.method === 'HEAD' || body.kind === 'none') return void response.end()
  if (cut !== null) return await sendPart(response, answer, cut)
  if (body.kind === 'text') return void response.end(body.text)
  if (body.kind === 'bytes') return void response.end(body.bytes)
  try {
    await pipeline(body.file.read(body.start, body.end), response)
  } catch (error) {
    // A reader may leave before the end of a file.
    if (!response.destroyed) throw error
  }
}

/** Some bytes of the announced body, then the end of the connection. */
async function sendPart(response: ServerResponse, answer: WireAnswer, cut: Fault): Promise<void> {
  const { body } = answer
  const bytes = Math.min(cut.bytes ?? Math.floor(lengthOf(answer) / 2), lengthOf(answer))
  if (body.kind === 'text') response.write(Buffer.from(body.text).subarray(0, bytes))
  if (body.kind === 'bytes') response.write(body.bytes.subarray(0, bytes))
  if (body.kind === 'file' && bytes > 0) {
    await pipeline(body.file.read(body.start, body.start + bytes - 1), response, { end: false })
  }
  // What was written must arrive before the connection ends.
  await sleep(10)
  response.destroy()
}

function lengthOf({ body }: WireAnswer): number {
  if (body.kind === 'none') return 0
  if (body.kind === 'bytes') return body.bytes.length
  return body.kind === 'text' ? Buffer.byteLength(body.text) : body.end - body.start + 1
}

/** The body; null when it is too long. */
export async function readAll(incoming: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of incoming) {
    // Without an encoding a request yields buffers.
    const piece = chunk as Buffer
    bytes += piece.length
    if (bytes > MAX_BODY_BYTES) return null
    chunks.push(piece)
  }
  return Buffer.concat(chunks)
}

export function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
