// Polly for undici: a dispatcher whose requests go through Polly, which records or replays them.
import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import AdapterModule from '@pollyjs/adapter'
import { Agent, Dispatcher } from 'undici'

interface PollyRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly requestArguments?: Arguments
}

interface Arguments {
  readonly settle: Settle
  /** The body as it is sent, where the recording says only how long it is and what its digest is. */
  readonly bytes: Buffer | null
}

interface PollyResponse {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: string
  /** `base64` for bytes that are no text. */
  readonly encoding?: string
}

/** Polly's adapter base class, as far as it is used here; the package has no types of its own. */
interface AdapterBase {
  handleRequest(request: object): Promise<unknown>
}
type AdapterClass = new (polly: object) => AdapterBase
// A CommonJS module whose export Node wraps once more.
const Adapter = ((AdapterModule as unknown as { readonly default?: unknown }).default ??
  AdapterModule) as AdapterClass

type Settle = (result: { readonly response?: PollyResponse; readonly error?: Error }) => void

/** The adapter. Give `dispatcher` of an instance to a client; nothing global is touched. */
export class UndiciAdapter extends Adapter {
  static get type(): 'adapter' {
    return 'adapter'
  }

  static get id(): string {
    return 'undici'
  }

  readonly dispatcher: Dispatcher
  /** Is told of each request first. */
  beforeRequest: ((request: PollyRequest) => void) | null = null
  readonly #agent = new Agent()

  constructor(polly: object) {
    super(polly)
    this.dispatcher = new PollyDispatcher((request, given) => {
      this.beforeRequest?.(request)
      this.handleRequest({ ...request, requestArguments: given }).catch((error: unknown) => {
        given.settle({ error: error instanceof Error ? error : new Error(String(error)) })
      })
    })
  }

  onConnect(): void {}

  onDisconnect(): void {
    void this.#agent.close()
  }

  /** The real request. Compressed bodies are stored plain, so that a recording can be read. */
  async onFetchResponse({
    url,
    method,
    headers,
    body,
    requestArguments,
  }: PollyRequest): Promise<PollyResponse> {
    const answer = await this.#agent.request({
      origin: new URL(url).origin,
      path: new URL(url).pathname + new URL(url).search,
      method,
      headers,
      body: requestArguments?.bytes ?? body ?? null,
    })
    const raw = Buffer.from(await answer.body.arrayBuffer())
    const {
      'content-encoding': coding,
      'content-length': _,
      'transfer-encoding': __,
      ...kept
    } = answer.headers
    const bytes = coding === 'gzip' ? gunzipSync(raw) : raw
    const text = bytes.toString('utf8')
    const isText = Buffer.from(text).equals(bytes)
    return {
      statusCode: answer.statusCode,
      headers: kept as PollyResponse['headers'],
      body: isText ? text : bytes.toString('base64'),
      ...(isText ? {} : { encoding: 'base64' }),
    }
  }

  onRespond(
    request: {
      readonly requestArguments: Arguments
      readonly response?: PollyResponse
    },
    error?: Error,
  ): void {
    const { settle } = request.requestArguments
    if (error !== undefined) settle({ error })
    else if (request.response !== undefined) settle({ response: request.response })
  }
}

type Handle = (request: PollyRequest, given: Arguments) => void

/** Answers through `handle` instead of a socket. */
class PollyDispatcher extends Dispatcher {
  readonly #handle: Handle

  constructor(handle: Handle) {
    super()
    this.#handle = handle
  }

  override dispatch(
    { origin, path, method, headers, body }: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    // No answer is streamed, so there is nothing to pause.
    const controller = {
      paused: false,
      aborted: false,
      reason: null as Error | null,
      abort(reason: Error): void {
        Object.assign(controller, { aborted: true, reason })
      },
      pause() {},
      resume() {},
    }
    handler.onRequestStart?.(controller, {})
    const settle: Settle = ({ response, error }) => {
      if (controller.aborted) return
      if (response === undefined)
        return handler.onResponseError?.(controller, error ?? new Error('Polly gave no response'))
      const { statusCode, headers: answered, encoding } = response
      const bytes = Buffer.from(response.body ?? '', encoding === 'base64' ? 'base64' : 'utf8')
      handler.onResponseStart?.(controller, statusCode, answered, '')
      if (bytes.length > 0) handler.onResponseData?.(controller, bytes)
      handler.onResponseEnd?.(controller, {})
    }
    const request = { url: `${String(origin)}${path}`, method, headers: headersOf(headers) }
    readBody(body).then(
      ({ text, bytes }) => this.#handle({ ...request, body: text }, { settle, bytes }),
      (error: Error) => settle({ error }),
    )
    return true
  }

  override async close(): Promise<void> {}

  override async destroy(): Promise<void> {}
}

/** A body that is no text is a file or has one in it: what is kept of it is enough to tell it from others. */
async function readBody(
  body: Dispatcher.DispatchOptions['body'],
): Promise<{ readonly text: string | undefined; readonly bytes: Buffer | null }> {
  if (body === undefined || body === null) return { text: undefined, bytes: null }
  if (typeof body === 'string') return { text: body, bytes: null }
  // The transport gives a stream of bytes for all else.
  const pieces =
    body instanceof Uint8Array
      ? [body]
      : await Array.fromAsync(body as unknown as AsyncIterable<Uint8Array>)
  const bytes = Buffer.concat(pieces)
  const text = bytes.toString('utf8')
  if (Buffer.from(text).equals(bytes)) return { text, bytes: null }
  const digest = createHash('sha256').update(bytes).digest('hex')
  return { text: `${bytes.length} bytes, SHA-256 ${digest}`, bytes }
}

/** undici takes headers as pairs in a row, as an object, or as an iterable. */
function headersOf(headers: Dispatcher.DispatchOptions['headers']): Record<string, string> {
  if (headers === undefined || headers === null) return {}
  const given: Iterable<unknown> = Symbol.iterator in headers ? headers : Object.entries(headers)
  const flat = [...given].flat().map(String)
  return Object.fromEntries(
    flat.flatMap((name, index) =>
      index % 2 === 0 ? [[name.toLowerCase(), flat[index + 1] ?? '']] : [],
    ),
  )
}
