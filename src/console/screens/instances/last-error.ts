// Which of the errors of an account is told as its last one.
import type { LogEntry } from '../../api/answers.ts'
import { isOfCaller } from '../../../display/who-acts.ts'

/** Deliveries to the app are told with the others of their kind. */
const TOLD_ELSEWHERE: ReadonlySet<LogEntry['kind']> = new Set(['delivery', 'draft'])

/**
 * Of failed entries, the newest first: that of a copy that still fails, else one that no caller caused, else the newest.
 * A call that named what does not exist says nothing against the account. Undefined: there is none.
 */
export function lastErrorOf<E extends Pick<LogEntry, 'kind' | 'entity' | 'code'>>(
  failed: readonly E[],
  failing: readonly string[],
): E | undefined {
  const all = failed.filter(({ kind }) => !TOLD_ELSEWHERE.has(kind))
  // What was held back only follows from what it was held back for.
  const sent = all.filter(({ code }) => code !== 'upstream_suspended')
  const told = sent.length === 0 ? all : sent
  return (
    told.find(({ kind, entity }) => kind === 'sync' && failing.includes(entity ?? '')) ??
    told.find(({ kind, code }) => kind === 'sync' || code === null || !isOfCaller(code)) ??
    told[0]
  )
}

interface WellSince {
  readonly count: number
  /** There may be more: not all were looked at. */
  readonly isAtLeast: boolean
}

/**
 * How much has gone well since, by pages of what has. What was answered without the third party proves nothing of it: a
 * sync that had nothing to ask, or a search of the copy.
 */
export function wellSince(
  pages: readonly {
    readonly data: readonly Pick<LogEntry, 'upstream_requests'>[]
    readonly meta: { readonly next_cursor: string | null }
  }[],
): WellSince {
  const sent = pages.flatMap(({ data }) => data).filter((each) => each.upstream_requests > 0)
  const isAtLeast = pages.some(({ meta }) => meta.next_cursor !== null)
  return { count: sent.length, isAtLeast }
}
