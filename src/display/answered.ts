// Who said what came of a call: the third party, the app that gets events, or this service.
import type { ErrorCode } from '../errors.ts'

/** Members of an entry of the logs. */
export interface Answered {
  readonly kind: string
  readonly code: string | null
  /** What the caller was answered; null: nobody has called. */
  readonly status: number | null
  /** What the other side answered; null: nothing. */
  readonly upstream_status: number | null
  /** Absent: it is not known how many were sent. */
  readonly upstream_requests?: number
}

/** What came of something that failed, in few words: `third party 500`, `nothing sent`, `400 from Tenon`. */
export function failureInWords(of: Answered): string {
  const { kind, code, status, upstream_status: answer, upstream_requests: sent } = of
  if (answer !== null) return `${kind === 'delivery' ? 'your app' : 'third party'} ${answer}`
  if (code === 'upstream_suspended') return 'nothing sent'
  if (code !== null && UNANSWERED.has(code)) return 'no answer'
  // A check that its own rate limit kept from being sent says nothing against the account.
  if (kind === 'check' && sent === 0) return 'nothing sent'
  return status === null ? 'failed' : `${status} from Tenon`
}

const UNANSWERED: ReadonlySet<string> = new Set<ErrorCode | 'delivery_failed'>([
  'upstream_unreachable',
  'upstream_timeout',
  'delivery_failed',
])

/** What a first failure is to the one that followed: `left alone after upstream_failed`. */
export function afterWords(code: string): string {
  return code === 'upstream_suspended' ? 'left alone after' : 'first'
}
