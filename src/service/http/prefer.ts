// `Prefer: wait=n` (RFC 7240): how long a caller is ready to wait.
import { problemError } from '../../errors.ts'
import type { Route } from '../route.ts'

const MAX_WAIT_SECONDS = 300

/**
 * The deadline of a request in milliseconds, and what `Preference-Applied` says of it.
 * Throws `request_malformed` for a wait that is no whole number from 1 to 300; other preferences are ignored.
 */
export function deadlineIn(
  prefer: string | readonly string[] | undefined,
  defaultMs: number,
  { headers }: Pick<Route, 'headers'>,
): { readonly deadlineMs: number; readonly applied: string | null } {
  const none = { deadlineMs: defaultMs, applied: null }
  if (prefer === undefined || !headers.includes('prefer')) return none
  const text = typeof prefer === 'string' ? prefer : prefer.join(',')
  const wait = text
    .split(/[,;]/)
    .map((part) => part.trim())
    .find((part) => /^wait\b/i.test(part))
  if (wait === undefined) return none
  const seconds = Number(/^wait\s*=\s*"?(\d{1,4})"?$/i.exec(wait)?.[1])
  if (!(seconds >= 1 && seconds <= MAX_WAIT_SECONDS)) {
    const detail = `Prefer: wait must be a whole number of seconds from 1 to ${MAX_WAIT_SECONDS}`
    throw problemError('request_malformed', { pointer: '', code: 'header', detail })
  }
  return { deadlineMs: seconds * 1000, applied: `wait=${seconds}` }
}
