// What went wrong, as the service tells it.
import { askedAgainAt } from '../../display/check-words.ts'
import type { ProblemBody } from './answers.ts'

/** An answer that is no success, or no answer. */
export class Problem extends Error {
  readonly body: ProblemBody
  readonly #atMs = Date.now()

  constructor(body: ProblemBody) {
    super(body.detail)
    this.name = 'Problem'
    this.body = body
  }

  /** Until when nothing is sent to a third party that is left alone; null: that is not what went wrong. */
  get leftAloneUntil(): string | null {
    const { code, retry_after_ms: ms } = this.body
    return code !== 'upstream_suspended' || ms === null
      ? null
      : new Date(this.#atMs + ms).toISOString()
  }

  /** From when its rate limit lets something through; null: that is not known, or not what went wrong. */
  get askedAgainAt(): string | null {
    const { code, retry_after_ms: ms } = this.body
    return code === 'upstream_rate_limited' ? askedAgainAt(ms, this.#atMs) : null
  }
}

/** No answer at all. */
export function unreachable(): Problem {
  return localProblem(
    'service_unreachable',
    'The service does not answer',
    'Is it still running? Look at the terminal that started it, then try again.',
  )
}

/** A fault that the console itself found. */
export function localProblem(code: string, title: string, detail: string): Problem {
  return new Problem({
    type: 'about:blank',
    title,
    status: 0,
    detail,
    code,
    origin: 'service',
    retryable: true,
    retry_after_ms: null,
    outcome: 'not_applied',
    errors: [],
    upstream: null,
    request_id: '',
  })
}

export function problemOf(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown
  return localProblem(
    'console_error',
    'The console failed',
    thrown instanceof Error ? thrown.message : String(thrown),
  )
}

/** What to do about a code, where its detail does not say it already. */
const WAYS_OUT: Readonly<Record<string, string>> = {
  client_invalid:
    'Compare both with what tenon serve printed at its first start. A lost secret is replaced by: tenon apps rotate-secret <client id>.',
  credentials_refused: 'Check the credentials at the third party and enter them again.',
  upstream_forbidden: 'Give the account the missing permission at the third party, then try again.',
  reauthorization_required: 'Open the account and choose Re-authenticate.',
  instance_disabled: 'Open the account and choose Enable.',
  instance_unknown:
    'It may have been deleted, or belong to another organisation than the one that you are signed in to. Go back to the list of accounts.',
  upstream_unreachable: 'Look whether this machine reaches it, then try again.',
  upstream_failed: 'Try again in a moment.',
  upstream_timeout: 'Ask for less, or try again.',
  rate_limited: 'Wait a moment, then try again.',
  upstream_rate_limited: 'It allows no more calls right now. Wait, then try again.',
  idempotency_in_flight:
    'The change is still being made, and was not sent again. Run it once more in a moment to get its answer.',
  search_not_ready: 'Wait for the first synchronization; the Sync screen shows how far it is.',
  search_timeout:
    'Narrow it: a condition on an indexed field, other words, fewer records on a page. Where narrow searches take too long as well, the operator of this service has to look at its load.',
  scope_denied: 'Reload the page and sign in again.',
}

/** Whether the service refused a person for their role, and not the session. */
export function isOfRole({ code, detail }: ProblemBody): boolean {
  return code === 'scope_denied' && /\byour role is /.test(detail)
}

/** The way out of it; undefined: its detail says it. */
export function wayOut(body: ProblemBody): string | undefined {
  // To try again is no way out of not knowing.
  if (body.outcome === 'uncertain') return undefined
  return isOfRole(body) ? undefined : WAYS_OUT[body.code]
}
