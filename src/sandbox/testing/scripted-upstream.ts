// A third party of a few prepared answers: for tests that want to see the exact request.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { headersOf, listenOnLoopback, readAll } from '../http-server.ts'

/** What a request must be like; what is left out may be anything. */
export interface ExpectedRequest {
  /** `GET /v1/customers?limit=2`: method, path and query as they are sent. */
  readonly send?: string
  /** Headers that must be there with this value; names in any case. */
  readonly headers?: Readonly<Record<string, string>>
  /** The JSON body, compared as a value. */
  readonly body?: unknown
  /** The members of a form body. */
  readonly form?: Readonly<Record<string, string>>
}

/** What is answered. Status 200 and JSON when nothing else is said. */
export interface ScriptedAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is, instead of `body`. */
  readonly text?: string
  /** No answer: the connection is closed. */
  readonly reset?: boolean
}

export interface ScriptedExchange {
  readonly expect?: ExpectedRequest
  readonly answer: ScriptedAnswer
}

/** A running script. Disposing of it fails when something is left, or a request was not the expected one. */
export interface ScriptedUpstream extends AsyncDisposable {
  /** For the options of a client: `connect(type, { ...upstream.options(), credentials })`. */
  options(): { readonly serverUrl: string; readonly allowHosts: readonly string[] }
  readonly url: string
  /** What arrived, in order. */
  readonly requests: readonly {
    readonly send: string
    readonly headers: Readonly<Record<string, string>>
    readonly text: string
  }[]
  /** Throws what was wrong so far. */
  verify(): void
  close(): Promise<void>
}

/**
 * Starts a server on 127.0.0.1 that answers in this order. A request that is not the expected one, and one too many, is
 * answered with status 500 and told when the script is verified or disposed of.
 */
export async function scriptedUpstream(
  exchanges: readonly ScriptedExchange[],
): Promise<ScriptedUpstream> {
  const waiting = [...exchanges]
  const requests: ScriptedUpstream['requests'][number][] = []
  const problems: string[] = []
  const server = createServer((request, response) => {
    void handle(request, response)
  })
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = await read(request)
    requests.push(seen)
    const exchange = waiting.shift()
    const problem =
      exchange === undefined
        ? `one request too many: ${seen.send}`
        : differenceOf(exchange.expect ?? {}, seen)
    if (problem === null && exchange !== undefined) {
      reply(response, exchange.answer)
      return
    }
    problems.push(`request ${requests.length}: ${problem}`)
    reply(response, { status: 500, body: { error: problem } })
  }
  const { origin: url, close } = await listenOnLoopback(server, 0)

  function verify(): void {
    const left = waiting.map(({ expect }) => expect?.send ?? 'any request')
    const all = [...problems, ...(left.length === 0 ? [] : [`never asked for: ${left.join(', ')}`])]
    if (all.length > 0) throw new Error(`the script was not followed:\n${all.join('\n')}`)
  }

  return {
    url,
    requests,
    options: () => ({ serverUrl: url, allowHosts: ['127.0.0.1'] }),
    verify,
    close,
    async [Symbol.asyncDispose]() {
      await close()
      verify()
    },
  }
}

async function read(request: IncomingMessage): Promise<ScriptedUpstream['requests'][number]> {
  const body = await readAll(request)
  return {
    send: `${request.method} ${request.url}`,
    headers: headersOf(request),
    text: body?.toString('utf8') ?? '',
  }
}

/** What is different, in one sentence; null: it is the expected one. */
function differenceOf(
  wanted: ExpectedRequest,
  seen: ScriptedUpstream['requests'][number],
): string | null {
  if (wanted.send !== undefined && wanted.send !== seen.send)
    return `expected ${wanted.send}, got ${seen.send}`
  for (const [name, value] of Object.entries(wanted.headers ?? {})) {
    const found = seen.headers[name.toLowerCase()]
    if (found !== value)
      return `expected ${name}: ${value}, got ${found === undefined ? 'no such header' : found}`
  }
  if (wanted.form !== undefined) {
    const found = Object.fromEntries(new URLSearchParams(seen.text))
    if (!isDeepStrictEqual(found, { ...wanted.form }))
      return `expected the form ${JSON.stringify(wanted.form)}, got ${JSON.stringify(found)}`
  }
  if (wanted.body !== undefined) {
    const found = parsed(seen.text)
    if (!isDeepStrictEqual(found, wanted.body))
      return `expected the body ${JSON.stringify(wanted.body)}, got ${seen.text}`
  }
  return null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The difference is told with the text as it came.
    return undefined
  }
}

function reply(response: ServerResponse, answer: ScriptedAnswer): void {
  if (answer.reset === true) {
    response.destroy()
    return
  }
  response.writeHead(answer.status ?? 200, {
    ...(answer.text === undefined && answer.body !== undefined
      ? { 'content-type': 'application/json' }
      : {}),
    ...answer.headers,
  })
  response.end(answer.text ?? (answer.body === undefined ? undefined : JSON.stringify(answer.body)))
}
