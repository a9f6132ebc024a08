// The client of a service on `fetch` alone: browsers, workers, edge runtimes.
import { createSystemClock } from '../../engine/adapters/system-clock.ts'
import { DEFAULT_LIMITS } from '../../engine/exchange/transport-limits.ts'
import type { SendOptions } from '../../engine/exchange/transport.ts'
import type { UpstreamRequest } from '../../engine/request/upstream-request.ts'
import { amendError, ConnectorError, isConnectorError } from '../../errors.ts'
import { parseJson } from '../../language/json/parse-json.ts'
import { CLIENT_CLOSED } from '../client.ts'
import { joinBytes } from '../download.ts'
import { type CommonSettings, COMMON_SETTINGS } from '../hosted-calls.ts'
import type { OptionNames } from '../known-options.ts'
import type { ServicePlatform } from '../service-platform.ts'
import { digest, openFile } from './fetch-files.ts'
import { isInBrowser, requireWebRuntime } from './runtime.ts'
import { sendingMs, sentBody } from './sent-body.ts'
import { Stop } from './stop.ts'
import { webBytes } from './web-bytes.ts'

/** Where a service is, and what reaches it. */
export interface FetchSettings extends CommonSettings {
  /** Sends every request; default: the global one. For what binds workers to each other, and what adds to requests. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** Their names, for `requireKnown`. */
export const FETCH_SETTINGS: OptionNames<FetchSettings> = { ...COMMON_SETTINGS, fetch: true }

const { bodyBytes, streamMs } = DEFAULT_LIMITS
const ORIGIN_HINT =
  'if it answers otherwise, the origin of this page has to be in TENON_CORS_ORIGINS of the service'

/** Throws a TypeError where the runtime lacks what it needs. */
export function fetchPlatform({
  fetch: send = (url, init) => fetch(url, init),
  clock = createSystemClock(),
}: FetchSettings): ServicePlatform {
  requireWebRuntime()
  const open = new Set<Stop>()
  let isClosed = false

  function begin({ signal }: SendOptions): Stop {
    const stop = new Stop(signal, open)
    if (isClosed) stop.end(closed())
    if (stop.error === null) return stop
    stop.release()
    throw amendError(stop.error, { details: { sent: false } })
  }

  return {
    clock,
    async send(request, options) {
      const stop = begin(options)
      try {
        const response = await ask(send, request, stop)
        return { ...headOf(response), body: await wholeBody(response, stop) }
      } finally {
        stop.release()
      }
    },
    async stream(request, options) {
      const stop = begin(options)
      try {
        const response = await ask(send, request, stop)
        return { ...headOf(response), body: webBytes(response, stop) }
      } catch (error) {
        stop.release()
        throw error
      }
    },
    async close() {
      isClosed = true
      for (const stop of open) stop.end(closed())
    },
    readJson: (bytes) => parseJson(new TextDecoder().decode(bytes)),
    openFile,
    digest,
    // Manifests are larger than this client: the catalogue of the service says the same.
    describe: async () => null,
  }
}

/** The answer with its body still to come. Throws as the port says. */
async function ask(
  send: NonNullable<FetchSettings['fetch']>,
  request: UpstreamRequest,
  stop: Stop,
): Promise<Response> {
  const { host } = new URL(request.url)
  const late = (): ConnectorError =>
    new ConnectorError('upstream_timeout', `${host} did not answer in time`)
  let broken: unknown = null
  const body = sentBody(request.body, {
    onEnd: () => stop.within(request.timeoutMs, late),
    onBroken: (error) => (broken = error),
  })
  // A file takes as long as it takes: the time of the attempt counts from its last byte.
  stop.within(body.duplex === undefined ? request.timeoutMs + sendingMs(body) : streamMs, late)
  try {
    const { method, url, headers } = request
    const init = { method, headers: { ...headers }, ...body, signal: stop.signal }
    const response = await send(url, { ...init, ...ownWays() })
    if (response.type !== 'opaqueredirect') return response
    throw new ConnectorError('upstream_malformed', `${host} redirects; is this its address?`)
  } catch (error) {
    throw isConnectorError(broken) ? broken : failure(error, stop, `${host} cannot be reached`)
  }
}

/** Redirects are answers, and nothing of the user's is added. Some runtimes refuse members that they do not have. */
function ownWays(): Pick<RequestInit, 'redirect' | 'credentials'> {
  const hasCookies = 'credentials' in Request.prototype
  return { redirect: 'manual', ...(hasCookies ? { credentials: 'omit' } : {}) }
}

function headOf({ status, headers }: Response): {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
} {
  return { status, headers: Object.fromEntries(headers) }
}

async function wholeBody(response: Response, stop: Stop): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  const reader = response.body?.getReader()
  try {
    for (;;) {
      const read = await reader?.read()
      if (read === undefined || read.done) return joinBytes(pieces)
      bytes += read.value.length
      if (bytes > bodyBytes)
        throw new ConnectorError('upstream_response_too_large', `more than ${bodyBytes} bytes`)
      pieces.push(read.value)
    }
  } catch (error) {
    reader?.cancel().catch(() => {})
    throw failure(error, stop, 'the connection broke')
  }
}

/** Runtimes tell nothing of why a request failed, and nothing of whether it was sent. */
function failure(error: unknown, stop: Stop, text: string): ConnectorError {
  if (stop.error !== null) return stop.error
  if (isConnectorError(error)) return error
  return new ConnectorError('upstream_unreachable', text, {
    cause: error,
    details: isInBrowser() ? { hint: ORIGIN_HINT } : {},
  })
}

function closed(): ConnectorError {
  return new ConnectorError('aborted', CLIENT_CLOSED)
}
