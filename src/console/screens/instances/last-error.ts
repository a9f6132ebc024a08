// Which of the errors of an account is told as its last one.
import type { LogEntry } from '../../api/answers.ts'
import { isOfCaller } from '../../parts/who-acts.ts'

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
