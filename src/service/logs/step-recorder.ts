// The requests to the third party that one operation makes, as they happen: who is asked what, when, with what result.
import type { ConnectorError } from '../../errors.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import type { ExchangeObserver } from '../../engine/exchange/call.ts'
import type { JsonObject } from '../../language/json/json.ts'

type UpstreamRequest = Parameters<NonNullable<ExchangeObserver['request']>>[0]

interface Recorded {
  /** null once its operation has ended: an entry waits for a while, and would keep bodies and credentials. */
  request: UpstreamRequest | null
  readonly method: string
  readonly url: string
  readonly attempt: number
  readonly place: string | null
  readonly startedAt: number
  tookMs: number | null
  status: number | null
  code: string | null
  waitMs: number | null
}

/** More are counted only. */
const MAX_STEPS = 50

export class StepRecorder implements ExchangeObserver {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #startedAt: number
  readonly #recorded: Recorded[] = []
  #more = 0

  /** `startedAt`: of the operation, in monotonic milliseconds. */
  constructor(clock: Pick<Clock, 'monotonic'>, startedAt: number) {
    this.#clock = clock
    this.#startedAt = startedAt
  }

  request(request: UpstreamRequest, attempt: number, place: string | null): void {
    if (this.#recorded.length >= MAX_STEPS) {
      this.#more++
      return
    }
    const startedAt = this.#clock.monotonic()
    const { method, url } = request
    this.#recorded.push({
      request,
      method,
      url,
      attempt,
      place,
      startedAt,
      tookMs: null,
      status: null,
      code: null,
      waitMs: null,
    })
  }

  response(status: number, _attempt: number, tookMs: number, request: UpstreamRequest): void {
    const step = this.#of(request)
    if (step === null) return
    step.status = status
    step.tookMs = tookMs
  }

  retry(_attempt: number, waitMs: number, error: ConnectorError, request: UpstreamRequest): void {
    const step = this.#of(request)
    if (step === null) return
    step.tookMs ??= this.#clock.monotonic() - step.startedAt
    step.code = error.code
    step.waitMs = waitMs
  }

  /** What became of a request that nobody answered is the end of its operation. */
  end(code: string | null): void {
    const last = this.#recorded.at(-1)
    if (last === undefined) return
    last.tookMs ??= this.#clock.monotonic() - last.startedAt
    if (code !== null) last.code ??= code
    for (const step of this.#recorded) step.request = null
  }

  /** Of the last answer; null: there was none. */
  get lastStatus(): number | null {
    return this.#recorded.at(-1)?.status ?? null
  }

  /** How often something was sent. */
  get count(): number {
    return this.#recorded.length + this.#more
  }

  /** As entries hold them: hosts and the paths of the manifest, never an address or a parameter. */
  get shown(): JsonObject {
    const steps = this.#recorded.map(
      ({ method, url, attempt, place, startedAt, tookMs, status, code, waitMs }) => ({
        method,
        host: hostOf(url),
        path: place,
        attempt,
        began_ms: tenths(startedAt - this.#startedAt),
        took_ms: tookMs === null ? null : tenths(tookMs),
        status,
        code,
        ...(waitMs !== null && { wait_ms: Math.round(waitMs) }),
      }),
    )
    return { steps, ...(this.#more > 0 && { steps_left_out: this.#more }) }
  }

  #of(request: UpstreamRequest): Recorded | null {
    return this.#recorded.findLast((step) => step.request === request) ?? null
  }
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10
}

/** Cheaper than to read the whole address, and each step needs it. */
function hostOf(url: string): string {
  const start = url.indexOf('//') + 2
  const end = url.indexOf('/', start)
  const authority = end < 0 ? url.slice(start).split(/[?#]/)[0] : url.slice(start, end)
  // A name and a password would stand before it.
  return authority?.slice(authority.lastIndexOf('@') + 1) ?? ''
}
