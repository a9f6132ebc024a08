// The routes that most of the load consists of, answered on the bare server in front of the framework, which would cost
// as much as all else that a call does. Only what is plain is taken: whatever is unusual about a request goes the
// framework's way. The checks are the same: those of the exchange, the route's inputs and the body.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Route } from '../route.ts'
import type { Principal } from '../tokens/principal.ts'
import { PREFIXES } from './api.ts'
import { type Destination, Exchange, type ExchangePorts, type Rendered } from './exchange.ts'
import { problemOfHead } from './front.ts'
import { compileInputs, type ReadInputs } from './inputs.ts'
import { sendBytes } from './send-bytes.ts'

export interface DirectPorts extends ExchangePorts {
  readonly routes: readonly Route[]
  /** Throws or rejects with `token_invalid`. */
  readonly authenticate: (request: {
    readonly headers: IncomingHttpHeaders
  }) => Principal | Promise<Principal>
  readonly bodyLimitBytes: number
}

/** Answers a request, or says that it is the framework's. */
export type AnswerDirectly = (request: IncomingMessage, response: ServerResponse) => boolean

interface Entry extends Destination {
  readonly read: ReadInputs
  /** What stands before and behind the one parameter of the path. */
  readonly head: string
  readonly tail: string
  readonly parameter: string
}

/** Throws a TypeError for a route that cannot be answered so: other than POST, or not with one parameter in its path. */
export function createDirectAnswers(ports: DirectPorts): AnswerDirectly {
  const entries = ports.routes.filter(({ direct }) => direct === true).flatMap(entriesOf)
  return (request, response) => {
    if (request.method !== 'POST' || !isPlain(request, ports.bodyLimitBytes)) return false
    const { url = '' } = request
    for (const entry of entries) {
      const id = idIn(url, entry)
      if (id === null) continue
      void answer(ports, entry, id, request, response)
      return true
    }
    return false
  }
}

function entriesOf(route: Route): Entry[] {
  const read = compileInputs(route)
  return [route.path, ...route.aliases].flatMap((path) =>
    PREFIXES.map((prefix) => {
      const [head = '', parameter = '', tail = '', ...more] = (prefix + path).split(/[{}]/)
      if (route.method !== 'POST' || parameter === '' || more.length > 0)
        throw new TypeError(`${route.name} cannot be answered directly`)
      return { route, path: prefix + path, read, head, tail, parameter }
    }),
  )
}

const UUID_LENGTH = 36
const ID = /^[\da-f-]{36}$/

function idIn(url: string, { head, tail }: Entry): string | null {
  if (url.length !== head.length + UUID_LENGTH + tail.length) return null
  if (!url.startsWith(head) || !url.endsWith(tail)) return null
  const id = url.slice(head.length, head.length + UUID_LENGTH)
  return ID.test(id) ? id : null
}

/** A JSON body of announced length that is within the limit. */
function isPlain(request: IncomingMessage, bodyLimitBytes: number): boolean {
  const { headers } = request
  const length = headers['content-length']
  return (
    length !== undefined &&
    Number(length) <= bodyLimitBytes &&
    headers['content-type']?.startsWith('application/json') === true &&
    headers['transfer-encoding'] === undefined &&
    headers.expect === undefined &&
    problemOfHead(request) === null
  )
}

async function answer(
  ports: DirectPorts,
  entry: Entry,
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const exchange = new Exchange(ports, request, response, entry)
  response.on('close', () => exchange.finish())
  try {
    const waits = exchange.admit(() => ports.authenticate(request))
    if (waits !== undefined) await waits
    const read = exchange.read(await bytesOf(request))
    const body = read instanceof Promise ? await read : read
    const inputs = entry.read({ params: { [entry.parameter]: id }, query: NO_QUERY, body })
    const answered = await exchange.run(entry.route, inputs)
    if (answered.kind !== 'bytes') {
      send(response, exchange, exchange.render(answered))
      return
    }
    exchange.take(answered)
    await sendBytes(response, exchange.headers, answered, exchange)
  } catch (error) {
    send(response, exchange, exchange.renderProblem(error))
  }
}

const NO_QUERY = {}

/** Never settles when the client leaves before all is there: then nobody waits for an answer either. */
async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  return await new Promise((resolve) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const [first] = chunks
      resolve(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks))
    })
  })
}

/** Larger answers are not copied. */
const ONE_PIECE_BYTES = 64 * 1024

function send(
  response: ServerResponse,
  { headers }: Exchange,
  { status, content }: Rendered,
): void {
  if (content === null || typeof content === 'string') {
    headers['content-length'] = String(content === null ? 0 : Buffer.byteLength(content))
    response.writeHead(status, headers).end(content ?? undefined)
    return
  }
  const { before, bytes, after } = content
  const length = Buffer.byteLength(before) + bytes.length + Buffer.byteLength(after)
  headers['content-length'] = String(length)
  response.writeHead(status, headers)
  if (length <= ONE_PIECE_BYTES) {
    // A text with one character for each byte leaves in one piece with the head; a buffer would be a second one.
    const text = bytesAsText(before) + bytes.toString('latin1') + bytesAsText(after)
    response.end(text, 'latin1')
  } else {
    response.cork()
    response.write(before)
    response.write(bytes)
    response.end(after)
  }
}

/** One character for each byte of the text in UTF-8: of ASCII the text itself. */
function bytesAsText(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1')
}
