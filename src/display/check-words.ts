// What a check of credentials found, for people.
import { ended } from './sentence.ts'

/** As the API answers it. */
export interface CheckTold {
  readonly result: 'ok' | 'refused' | 'inconclusive'
  readonly took_ms: number
  /** Absent: a service answers that does not tell it. */
  readonly upstream_requests?: number
  readonly error: null | { readonly detail: string; readonly retry_after_ms: number | null }
}

/** `moment`: how a date-time of ISO 8601 is shown. `nowMs`: when the answer came. */
export function checkInWords(
  { result, took_ms: tookMs, upstream_requests: requests, error }: CheckTold,
  { moment, nowMs }: { readonly moment: (at: string) => string; readonly nowMs: number },
): string {
  const because = error === null ? '.' : `: ${ended(error.detail)}`
  const asked = requests === 0 ? 'was not asked' : 'gave no clear answer'
  const at = askedAgainAt(error?.retry_after_ms ?? null, nowMs)
  const words: Readonly<Record<CheckTold['result'], string>> = {
    ok: `The third party accepted the credentials in ${tookMs} ms.`,
    refused: `The third party refused the credentials${because}`,
    inconclusive: `The third party ${asked}${because}${at === null ? '' : ` It can be asked again from ${moment(at)}.`}`,
  }
  return words[result]
}

/** What the last check met that says nothing of the credentials: `The last check met no clear answer`. */
export function metInWords({
  upstream_requests: requests,
}: Pick<CheckTold, 'upstream_requests'>): string {
  return requests === 0 ? 'sent nothing' : 'met no clear answer'
}

/** From when the third party can be asked again; null: that is not known, or over before anybody has read it. */
export function askedAgainAt(retryAfterMs: number | null, nowMs: number): string | null {
  if (retryAfterMs === null || retryAfterMs < MIN_TOLD_MS) return null
  return new Date(nowMs + retryAfterMs).toISOString()
}

const MIN_TOLD_MS = 5_000
