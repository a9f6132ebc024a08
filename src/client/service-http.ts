// HTTP to a Tenon service: requests with a token, problems as errors, repetitions that cannot write twice.
import {
  combineOutcomes,
  ConnectorError,
  type ErrorCode,
  ERRORS,
  isConnectorError,
  type Outcome,
  raiseOutcome,
  type StepReport,
  type UpstreamExcerpt,
} from '../errors.ts'
import type { Clock } from '../engine/exchange/clock.ts'
import { notRepeated } from '../engine/exchange/streamed.ts'
import type { SendOptions } from '../engine/exchange/transport.ts'
import { DEFAULT_LIMITS } from '../engine/exchange/transport-limits.ts'
import { exactToText } from '../language/json/exact-number.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { isJsonObject } from '../language/json/members.ts'
import type { UpstreamRequest } from '../engine/request/upstream-request.ts'
import { timeFiles } from '../engine/run/sending-time.ts'
import type { Logger } from './options.ts'
import { joinBytes } from './download.ts'
import { type FilesByParam, sentForm } from './sent-form.ts'
import type {
  IncomingBytes,
  ServiceAnswer,
  ServicePlatform,
  StreamedAnswer,
} from './service-platform.ts'

/** One request to the service. */
export interface ServiceCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With prefix and query: `/v1/integrations/connectors?limit=10`. */
  readonly path: string
  readonly body?: object
  /** Files that go behind the body, which names them; `body` is the part `operation` of a form then. */
  readonly files?: FilesByParam
  readonly signal?: AbortSignal | undefined
  /** Of the whole call, repetitions included, in milliseconds. */
  readonly timeoutMs: number
  /** Attempts after the first. */
  readonly retries: number
  readonly requestId?: string | undefined
  /** Makes a write safe to repeat. */
  readonly idempotencyKey?: string | undefined
  /** What a lost answer means: `uncertain` for a write without a key. */
  readonly lost?: Outcome
  /** Whether the service is told how long is waited (`Prefer: wait`). */
  readonly prefersWait?: boolean
}

export interface ServicePorts {
  readonly baseUrl: string
  readonly platform: ServicePlatform
  readonly logger: Logger
  /** A bearer token; `isRefused`: the one before was answered 401. null: the call needs none. */
  readonly token: (isRefused: boolean) => Promise<string> | string
}

const FIRST_WAIT_MS = 250
const MAX_PREFERRED_SECONDS = 300
/** Time for the answer to travel: the service gives up a little earlier than we do. */
const TRAVEL_MS = 2000
/** What a service may have yet to send on when it was given the last byte of a file: a part of 16 MiB, the largest there is. */
const LAST_PART_MS = (16 * 1024 ** 2 * 1000) / DEFAULT_LIMITS.rateBytesPerSecond

/** Talks to one service. */
export class ServiceHttp {
  readonly #ports: ServicePorts

  constructor(ports: ServicePorts) {
    this.#ports = ports
  }

  /** The JSON of a success; null for 204. Throws what the service says, `service_unreachable`, `service_malformed`. */
  json(call: ServiceCall): Promise<Json> {
    return this.#attempt(
      call,
      (request) => this.#ports.platform.send(request, optionsOf(call)),
      (answer) => this.#jsonIn(answer),
    )
  }

  /** The bytes of a success, once the first is there. */
  bytes(call: ServiceCall): Promise<StreamedAnswer> {
    return this.#attempt(
      call,
      (request) => this.#ports.platform.stream(request, optionsOf(call)),
      async (answer) => {
        if (answer.status >= 200 && answer.status < 300) return answer
        this.#jsonIn({ ...answer, body: await readBounded(answer.body) })
        throw malformed('a download was answered without bytes')
      },
    )
  }

  async #attempt<T, R>(
    call: ServiceCall,
    send: (request: UpstreamRequest) => Promise<T>,
    read: (answer: T) => R | Promise<R>,
  ): Promise<R> {
    const { baseUrl, logger } = this.#ports
    const { clock } = this.#ports.platform
    const timed = call.files === undefined ? null : timeFilesByParam(call.files, clock)
    const endsAt = clock.monotonic() + call.timeoutMs
    // The time in which files are sent is theirs.
    const left = (): number => endsAt + (timed?.sentMs() ?? 0) - clock.monotonic()
    let refused = false
    // What the attempts so far may have done.
    let known: Outcome = 'not_applied'
    for (let tried = 1; ; tried++) {
      let isSent = false
      try {
        const token = await this.#ports.token(refused)
        const request = requestOf(baseUrl, call, { token, leftMs: left(), files: timed?.files })
        isSent = true
        return await read(await send(request))
      } catch (thrown) {
        const error = translate(thrown, baseUrl)
        // An answer of the service says what became of its request; everything else leaves that open.
        if (isSent && error.requestId === null && error.details['sent'] !== false)
          known = combineOutcomes(known, call.lost ?? 'not_applied')
        const canRepeat = Object.values(call.files ?? {}).every((file) => file.canOpen())
        if (error.code === 'token_invalid' && !refused && canRepeat) {
          refused = true
          continue
        }
        const wait = error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (tried - 1)
        const isInTime = wait < left()
        const repeats = mayRepeat(error, call) && tried <= call.retries && isInTime
        if (!canRepeat || !repeats) {
          const told = speaksForAll(error, call) ? error : raiseOutcome(error, known)
          throw repeats || (error.code === 'token_invalid' && !refused && !canRepeat)
            ? notRepeated(told)
            : told
        }
        logger.info({ attempt: tried, waitMs: wait, code: error.code }, 'retry')
        await clock.sleep(wait, call.signal).catch((cause: unknown) => {
          throw new ConnectorError('aborted', 'the call was aborted by its caller', {
            cause,
            outcome: known,
          })
        })
      }
    }
  }

  #jsonIn({ status, headers, body }: ServiceAnswer): Json {
    if (status === 204) return null
    const type = headers['content-type'] ?? ''
    const isSuccess = status >= 200 && status < 300
    let value: Json | undefined
    if (/json/.test(type)) {
      try {
        value = exactToText(this.#ports.platform.readJson(body))
      } catch (cause) {
        throw malformed(`the service answered ${status} with JSON that cannot be read`, cause)
      }
    }
    if (isSuccess && value !== undefined) return value
    if (!isSuccess && isJsonObject(value) && typeof value['code'] === 'string')
      throw problemError(value, status)
    throw malformed(
      `the service answered ${status} with ${type === '' ? 'no content type' : type}; is this its address?`,
    )
  }
}

/** An error body is read for its message only. */
const MAX_ERROR_BYTES = 64 * 1024

/** As much of a body as an error can be told from, and what came with the last of it. */
async function readBounded(body: IncomingBytes): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body.pieces()) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes >= MAX_ERROR_BYTES) break
  }
  return joinBytes(pieces)
}

interface Sending {
  readonly token: string
  readonly leftMs: number
  /** Those of the call, watched. */
  readonly files: FilesByParam | undefined
}

function requestOf(
  baseUrl: string,
  call: ServiceCall,
  { token, leftMs, files }: Sending,
): UpstreamRequest {
  const { type, body } = files === undefined ? jsonBody(call) : sentForm(call.body ?? {}, files)
  const seconds = Math.ceil(Math.max(1000, leftMs - TRAVEL_MS) / 1000)
  const timeoutMs = Math.max(1, Math.ceil(leftMs)) + (files === undefined ? 0 : LAST_PART_MS)
  return {
    method: call.method,
    url: baseUrl + call.path,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      ...(body === null ? {} : { 'content-type': type }),
      ...(call.requestId === undefined ? {} : { 'x-request-id': call.requestId }),
      ...(call.idempotencyKey === undefined ? {} : { 'idempotency-key': call.idempotencyKey }),
      ...(call.prefersWait === true
        ? { prefer: `wait=${Math.min(MAX_PREFERRED_SECONDS, seconds)}` }
        : {}),
    },
    body,
    redirects: 0,
    timeoutMs,
    // A service asks somebody else, who is watched there, and takes a file no faster than he does.
    headMs: timeoutMs,
    restMs: DEFAULT_LIMITS.streamMs,
    secretHeaders: ['authorization'],
    secretQuery: [],
  }
}

function jsonBody({ body }: ServiceCall): { readonly type: string; readonly body: string | null } {
  return { type: 'application/json', body: body === undefined ? null : JSON.stringify(body) }
}

function timeFilesByParam(
  files: FilesByParam,
  clock: Clock,
): { readonly files: FilesByParam; readonly sentMs: () => number } {
  const timed = timeFiles(new Map(Object.entries(files)), clock)
  return { files: Object.fromEntries(timed.files), sentMs: timed.sentMs }
}

/** Behind a key the service knows what all attempts did, unless it refused this one before it looked. */
function speaksForAll({ requestId, origin }: ConnectorError, call: ServiceCall): boolean {
  const hasLooked = origin === 'upstream' || origin === 'connector'
  return requestId !== null && hasLooked && call.idempotencyKey !== undefined
}

/** A request that certainly changed nothing, or that has a key, may be sent again. */
function mayRepeat(error: ConnectorError, { lost, idempotencyKey }: ServiceCall): boolean {
  if (error.code === 'idempotency_in_flight') return true
  const isSafe = idempotencyKey !== undefined || lost !== 'uncertain'
  if (error.code === 'service_unreachable') return isSafe || error.details['sent'] === false
  return (
    error.origin === 'service' && error.retryable && (isSafe || error.outcome === 'not_applied')
  )
}

/** Failures of the way to the service, in terms of the service. */
function translate(thrown: unknown, baseUrl: string): ConnectorError {
  if (!isConnectorError(thrown)) throw thrown
  const { code, requestId, message, details } = thrown
  if (requestId !== null) return thrown
  if (code === 'upstream_malformed' || code === 'upstream_response_too_large')
    return malformed(message, thrown)
  if (code !== 'upstream_unreachable' && code !== 'upstream_timeout') return thrown
  const { origin } = new URL(baseUrl)
  // What the platform can say of the way out.
  const { hint } = details
  return new ConnectorError(
    'service_unreachable',
    `the Tenon service at ${origin} cannot be reached${typeof hint === 'string' ? `; ${hint}` : ''}`,
    { cause: thrown, details: details['sent'] === false ? { sent: false } : {} },
  )
}

/** The error that a problem document tells. A code of a newer service becomes `error_unknown`. */
export function problemError(problem: JsonObject, status: number): ConnectorError {
  const { code: given, detail, outcome, retryable, errors, upstream, steps } = problem
  const { retry_after_ms: retryAfterMs, request_id: requestId, origin = null } = problem
  const code = typeof given === 'string' ? given : 'error_unknown'
  const isKnown = Object.hasOwn(ERRORS, code)
  return new ConnectorError(
    isKnown ? (code as ErrorCode) : 'error_unknown',
    typeof detail === 'string' ? detail : code,
    {
      ...(isOutcome(outcome) && { outcome }),
      retryable: typeof retryable === 'boolean' ? retryable : undefined,
      retryAfterMs: typeof retryAfterMs === 'number' ? retryAfterMs : null,
      // The service's own form of problems.
      ...(Array.isArray(errors) && { errors }),
      upstream: excerptIn(upstream),
      steps: stepsIn(steps),
      requestId: typeof requestId === 'string' ? requestId : null,
      ...(!isKnown && { details: { code, status, origin } }),
    },
  )
}

function isOutcome(value: Json | undefined): value is Outcome {
  return value === 'not_applied' || value === 'applied' || value === 'uncertain'
}

/** What each request of a write with several did; null where the problem does not tell. */
function stepsIn(value: Json | undefined): readonly StepReport[] | null {
  if (!Array.isArray(value)) return null
  return (value as readonly Json[]).flatMap((each) => {
    const { step, name, outcome, upstream } = isJsonObject(each) ? each : {}
    if (typeof step !== 'number' || typeof name !== 'string' || !isOutcome(outcome)) return []
    const answered = excerptIn(upstream)
    return [{ step, name, outcome, ...(answered === null ? {} : { upstream: answered }) }]
  })
}

function excerptIn(value: Json | undefined): UpstreamExcerpt | null {
  if (!isJsonObject(value)) return null
  const { status, request_id: requestId, body } = value
  return {
    status: typeof status === 'number' ? status : null,
    requestId: typeof requestId === 'string' ? requestId : null,
    body: typeof body === 'string' ? body : null,
  }
}

function malformed(message: string, cause?: unknown): ConnectorError {
  return new ConnectorError('service_malformed', message, { cause })
}

function optionsOf({ signal }: ServiceCall): SendOptions {
  return signal === undefined ? {} : { signal }
}
