// One upstream call made reliable: the budget, the attempts, the waits between them, the renewal of credentials.
import {
  amendError,
  combineOutcomes,
  ConnectorError,
  isConnectorError,
  type Outcome,
  raiseOutcome,
} from '../../errors.ts'
import type { Answer } from '../../language/expression/pick.ts'
import type { RetryPolicy } from '../../language/manifest/manifest.ts'
import type { UpstreamRequest } from '../request/upstream-request.ts'
import type { Breaker, CallEnd } from './breaker.ts'
import type { Budget } from './budget.ts'
import type { Clock } from './clock.ts'
import { decideRetry, type Failure, type Situation } from './decide.ts'
import { isSpent, notRepeated, renewedTooLate } from './streamed.ts'
import type { SendOptions, UpstreamHead } from './transport.ts'
import type { Wait, WaitInput } from './waits.ts'

/** What a caller makes of an answer. */
export type Judgement<T> =
  | { readonly kind: 'accepted'; readonly value: T }
  | {
      readonly kind: 'refused'
      /** null: nothing that a repetition could mend. */
      readonly failure: Failure | null
      /** null: there is none that can be used. */
      readonly answer: Answer | null
      readonly renew: boolean
      /** What a write has done, when this is the last word. */
      readonly outcome: Outcome
      /** The answer is of a host that is not the third party's: a wait that it asks for closes nothing. */
      readonly elsewhere?: true
      error(retryAfterMs: number | null): ConnectorError
    }

/** A limit of the third party for less than everything that the budget is for. */
export interface NarrowLimit {
  /** The same for all requests that it counts. */
  readonly key: string
  /** Whether an answer that asks for a wait speaks of this limit. */
  matches(answer: Answer): boolean
}

/** How a request is repeated. */
export interface RepeatRules {
  readonly policy: RetryPolicy
  readonly waits: (input: WaitInput) => Wait
  /** The path that a manifest describes, parameters as `{}`; left out where it is no part of a manifest. */
  readonly place?: string
  /** True when it may change something upstream. */
  readonly write: boolean
  /** True when repeating it can do no harm although the outcome of an attempt is unknown. */
  readonly repeatable: boolean
}

/** What the caller of an operation allows. */
export interface CallTerms {
  /** In monotonic milliseconds, as it is now: the time in which files are sent is theirs, and moves it. */
  readonly deadline: () => number
  readonly signal: AbortSignal | undefined
  /** Attempts after the first; null: what the manifest says. */
  readonly retries: number | null
  /** The longest wait that the third party may ask for before a request; null: what the manifest says. */
  readonly patienceMs: number | null
  readonly observer: ExchangeObserver
}

/** One call with all that it needs. `Credentials`: those for one attempt, which the exchange only passes on. */
export interface ReliableCall<Credentials, R extends UpstreamHead, T> {
  readonly fresh: Credentials
  /** Fresh credentials after the given ones were refused; null where nothing can be renewed. */
  readonly renew: ((used: Credentials) => Promise<Credentials>) | null
  /** Whether those that `renew` gave may have ended together with the refused ones: then it is asked once more. */
  readonly mayBeStale: (fresh: Credentials) => boolean
  readonly build: (fresh: Credentials) => UpstreamRequest
  readonly send: (request: UpstreamRequest, options: SendOptions) => Promise<R>
  /** `fresh`: what the request carried. */
  readonly judge: (response: R, fresh: Credentials) => Judgement<T> | Promise<Judgement<T>>
  readonly step: RepeatRules
  readonly run: CallTerms
  /** Limits for less than everything that this call falls under, in the order in which they decide. */
  readonly narrow: readonly NarrowLimit[]
  /** A repeated delete whose record is gone has succeeded: what it answers then. */
  readonly goneIsDone: (() => T) | null
  /** Called behind the wait before a repetition. What it gives ends the call; null: it is repeated. */
  readonly beforeRepeat?:
    ((fresh: Credentials) => Promise<{ readonly value: T } | null>) | undefined
}

export interface CallResult<Credentials, T> {
  readonly value: T
  readonly fresh: Credentials
  /** How often something was sent. */
  readonly requests: number
}

export interface ExchangePorts {
  readonly budget: Pick<Budget, 'enter' | 'block'>
  readonly breaker: Breaker
  readonly clock: Clock
}

/**
 * Told what happens, in order. It must not throw. Requests are passed as they are sent: what shows one masks it.
 * `attempt`: how often the request was sent until then, the first time included. `place`: `RepeatRules.place`.
 */
export interface ExchangeObserver {
  request?(request: UpstreamRequest, attempt: number, place: string | null): void
  response?(status: number, attempt: number, tookMs: number, request: UpstreamRequest): void
  retry?(attempt: number, waitMs: number, error: ConnectorError, request: UpstreamRequest): void
}

/** Makes calls. Throws what became of the last attempt, with what the attempts before it may have done. */
export class Exchange {
  readonly #ports: ExchangePorts

  constructor(ports: ExchangePorts) {
    this.#ports = ports
  }

  async call<Credentials, R extends UpstreamHead, T>(
    plan: ReliableCall<Credentials, R, T>,
  ): Promise<CallResult<Credentials, T>> {
    // What the attempts before the last one have done.
    let known: Outcome = 'not_applied'
    const { budget, clock } = this.#ports
    const { step, narrow } = plan
    const { deadline, signal, patienceMs, observer } = plan.run
    let fresh = plan.fresh
    let renewals = 0
    let doubtful = false // an earlier attempt may have been carried out
    let sent = 0
    let refused: Refused<T> | null = null
    try {
      for (let attempt = 1; ;) {
        const entering = budget.enter(deadline(), signal, narrow, patienceMs ?? undefined)
        const leave = typeof entering === 'function' ? entering : await entering.catch(refuseWait)
        let made: Attempt<Credentials>
        let result: Judgement<T>
        try {
          const request = bounded(plan.build(fresh), deadline() - clock.monotonic())
          const origin = originOf(request.url)
          checkOrigin(this.#ports, origin, { sent, refused })
          sent++
          observer.request?.(request, sent, step.place ?? null)
          made = { request, origin, fresh, sent }
          result = await this.#attempt(plan, made)
        } finally {
          leave()
        }
        if (result.kind === 'accepted') return { value: result.value, fresh, requests: sent }
        refused = result
        const outcome = step.write ? result.outcome : 'not_applied'
        const mayRenew = renewals === 0 || (renewals === 1 && plan.mayBeStale(fresh))
        if (result.renew && mayRenew && plan.renew !== null) {
          renewals++
          known = combineOutcomes(known, outcome)
          fresh = await plan.renew(fresh)
          if (isSpent(made.request)) throw renewedTooLate()
          continue
        }
        if (doubtful && plan.goneIsDone !== null && result.failure?.as === 'not_found') {
          return { value: plan.goneIsDone(), fresh, requests: sent }
        }
        if (result.failure === null) throw result.error(null)
        const wait = step.waits({
          answer: result.answer,
          attempt,
          now: clock.now(),
          random: clock.random(),
        })
        const isAsked = result.failure.as === 'rate_limited' && wait.asked && !result.elsewhere
        if (isAsked) this.#block(wait.ms, result.answer, narrow)
        const decision = decideRetry({
          ...boundsOf(step, plan.run),
          failure: result.failure,
          attempt,
          wait,
          remainingMs: deadline() - clock.monotonic(),
        })
        if (decision.kind === 'give_up') throw result.error(decision.retryAfterMs)
        if (isSpent(made.request)) throw notRepeated(result.error(decision.afterMs))
        const { afterMs } = decision
        await this.#waitToRepeat(plan.run, made, { refused: result, outcome, afterMs })
        if (!result.failure.nothingDone) doubtful = true
        known = combineOutcomes(known, outcome)
        const settled = (await plan.beforeRepeat?.(fresh)) ?? null
        if (settled !== null) return { value: settled.value, fresh, requests: sent }
        attempt++
      }
    } catch (error) {
      // What failed last, be it a renewal, a wait or an attempt, takes nothing back that an earlier attempt did.
      throw isConnectorError(error) ? raiseOutcome(error, known) : error
    }
  }

  /** Closes what the third party's answer asked to wait for: one narrow limit where it speaks of one, else all calls. */
  #block(ms: number, answer: Answer | null, narrow: readonly NarrowLimit[]): void {
    const limit = answer === null ? undefined : narrow.find((it) => it.matches(answer))
    this.#ports.budget.block(ms, limit?.key ?? null)
  }

  /** The wait before a repetition. Throws the error of the attempt where no other one may start. */
  async #waitToRepeat(
    { signal, observer }: CallTerms,
    { request, origin, sent }: Attempt<unknown>,
    { refused, outcome, afterMs }: RefusedAttempt,
  ): Promise<void> {
    const { breaker, clock } = this.#ports
    if (!breaker.startRetry(origin)) throw refused.error(afterMs)
    try {
      observer.retry?.(sent, afterMs, refused.error(null), request)
      await clock.sleep(afterMs, signal).catch((cause: unknown) => {
        throw aborted(cause, outcome)
      })
    } finally {
      breaker.endRetry(origin)
    }
  }

  async #attempt<Credentials, R extends UpstreamHead, T>(
    plan: ReliableCall<Credentials, R, T>,
    { request, origin, fresh, sent }: Attempt<Credentials>,
  ): Promise<Judgement<T>> {
    const { breaker, clock } = this.#ports
    const { signal, observer } = plan.run
    const started = clock.monotonic()
    let response: R
    try {
      response = await plan.send(request, signal === undefined ? {} : { signal })
    } catch (error) {
      if (!isConnectorError(error)) {
        breaker.record(origin, 'unknown')
        throw error
      }
      breaker.record(origin, endBy(error), () => error)
      return brokenAttempt(error, plan.step.write)
    }
    let judgement: Judgement<T>
    try {
      const judging = plan.judge(response, fresh)
      judgement = judging instanceof Promise ? await judging : judging
    } catch (error) {
      // It answered, however badly.
      breaker.record(origin, 'success')
      throw error
    }
    const { status } = judgement.kind === 'accepted' ? response : (judgement.answer ?? response)
    if (status >= 500 && judgement.kind === 'refused') {
      const refused = judgement
      breaker.record(origin, 'failure', () => refused.error(null))
    } else breaker.record(origin, 'success')
    observer.response?.(status, sent, clock.monotonic() - started, request)
    return judgement
  }
}

type Refused<T> = Extract<Judgement<T>, { readonly kind: 'refused' }>

interface Attempt<Credentials> {
  readonly request: UpstreamRequest
  readonly origin: string
  readonly fresh: Credentials
  /** How often something was sent, this time included. */
  readonly sent: number
}

/** An attempt that is to be followed by another one, after so many milliseconds. */
interface RefusedAttempt {
  readonly refused: Pick<Refused<unknown>, 'error'>
  readonly outcome: Outcome
  readonly afterMs: number
}

/**
 * Refuses a call of an origin that is left alone. Where an attempt of this call failed in a way that led to that, the
 * error has that failure as its cause, and `attempts` in its details: how many there were.
 */
function checkOrigin({ breaker }: ExchangePorts, origin: string, before: Before<unknown>): void {
  try {
    breaker.check(origin)
  } catch (error) {
    const { sent, refused } = before
    const { kind, status } = refused?.failure ?? {}
    const hasFailed = kind !== undefined && (kind !== 'status' || (status ?? 0) >= 500)
    if (!hasFailed || !isConnectorError(error)) throw error
    throw amendError(error, { cause: refused?.error(null), details: { attempts: sent } })
  }
}

/** What came of the attempts before; `refused`: of the last one. */
interface Before<T> {
  readonly sent: number
  readonly refused: Refused<T> | null
}

/** What bounds the repetitions of a step: what the manifest says, and what the caller does. */
function boundsOf(
  { policy, repeatable }: RepeatRules,
  { retries, patienceMs }: Pick<CallTerms, 'retries' | 'patienceMs'>,
): Pick<Situation, 'policy' | 'maxAttempts' | 'repeatable'> {
  const longest = Math.min(policy.maxWaitMs ?? Infinity, patienceMs ?? Infinity)
  return {
    policy: { on: policy.on, maxWaitMs: longest },
    repeatable,
    maxAttempts: retries === null ? policy.attempts : retries + 1,
  }
}

function brokenAttempt(error: ConnectorError, write: boolean): Judgement<never> {
  const sent = error.details['sent'] !== false
  const status = error.details['status']
  const afterSuccess = typeof status === 'number' && status >= 200 && status < 300
  // Of a body that broke off nobody has the whole: RFC 9112, section 8.
  const isPartial = error.code === 'upload_interrupted'
  const outcome: Outcome =
    !write || !sent || isPartial ? 'not_applied' : afterSuccess ? 'applied' : 'uncertain'
  const kind =
    error.code === 'upstream_timeout'
      ? 'timeout'
      : error.code === 'upstream_unreachable'
        ? 'network'
        : null
  return {
    kind: 'refused',
    failure:
      kind === null ? null : { kind, status: null, as: null, rule: null, nothingDone: !sent },
    answer: null,
    renew: false,
    outcome,
    error: (retryAfterMs) =>
      amendError(error, { outcome, ...(retryAfterMs !== null && { retryAfterMs }) }),
  }
}

/** What a failure of the transport says about the health of the third party. */
function endBy({ code, details: { sent, phase, reason } }: ConnectorError): CallEnd {
  if (code !== 'upstream_timeout' && code !== 'upstream_unreachable') return 'unknown'
  // A caller in a hurry ends the wait for a connection with `total_timeout`, which tells others nothing.
  const isUnconnected = sent === false && phase === 'connect' && reason !== 'total_timeout'
  return isUnconnected ? 'unconnected' : 'failure'
}

/** The request with the caller's deadline over it. */
function bounded(request: UpstreamRequest, remainingMs: number): UpstreamRequest {
  if (remainingMs <= 0) {
    throw new ConnectorError(
      'deadline_exceeded',
      'the deadline passed before the request could be sent; allow more time',
    )
  }
  return remainingMs < request.timeoutMs
    ? { ...request, timeoutMs: Math.ceil(remainingMs) }
    : request
}

function refuseWait(cause: unknown): never {
  if (isConnectorError(cause)) throw cause
  throw aborted(cause, 'not_applied')
}

/** The error of a call whose caller gave it up. */
export function aborted(cause: unknown, outcome: Outcome): ConnectorError {
  return new ConnectorError('aborted', 'the call was aborted by its caller', { cause, outcome })
}

function originOf(url: string): string {
  const end = url.indexOf('/', url.indexOf('//') + 2)
  return end === -1 ? url : url.slice(0, end)
}
