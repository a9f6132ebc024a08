// Versions of a manifest that began or ceased to serve before something failed, by the audit log: who changed that may act.
import { mayBeOfManifest } from './who-acts.ts'

/** As the audit log has it. */
interface Event {
  readonly at: string
  readonly action: string
  /** `jira 1.0.1`. */
  readonly target: string
  readonly outcome: string
}

export interface Failure {
  readonly connectorType: string
  /** Of the account, or one that serves it; null: it is not known, and another major may be meant. */
  readonly version: string | null
  readonly code: string
  readonly since: string
  /** When the same was last known to be well; null: it is not known to have been. */
  readonly wellAt: string | null
  /** When the account was connected: what was changed before that is not why it began to fail; null: that is not known. */
  readonly madeAt: string | null
}

/** What was done to a version, by its action in the audit log. */
const DONE: ReadonlyMap<string, string> = new Map([
  ['manifest.publish', 'was published'],
  ['manifest.rollback', 'was brought back'],
  ['manifest.unpublish', 'was taken back'],
])

/** Where nothing is known of before, a change of so long ago may still be why. */
const WINDOW_MS = 86_400_000

/** After a change other processes read with the version before for so long, and what they read well says nothing of it. */
const TAKEN_OVER_MS = 15_000

/** From when on a change may be why something fails; null: none is. */
export function lookFrom({ code, since, wellAt, madeAt }: Omit<Failure, 'version'>): string | null {
  if (!mayBeOfManifest(code)) return null
  const began = Date.parse(since)
  const well = wellAt === null ? Number.NEGATIVE_INFINITY : Date.parse(wellAt) - TAKEN_OVER_MS
  const made = madeAt === null ? Number.NEGATIVE_INFINITY : Date.parse(madeAt)
  const from = Math.max(well, made, began - WINDOW_MS)
  return from < began ? new Date(from).toISOString() : null
}

/**
 * The last change before it began to fail and after it was well, and the one that followed since; null: there is none.
 * `events`: the newest first.
 */
export function changesOf<E extends Event>(
  events: readonly E[],
  failure: Failure,
): { readonly before: E; readonly since: E | null } | null {
  const from = lookFrom(failure)
  if (from === null) return null
  const { connectorType, version } = failure
  const major = version === null ? '' : `${version.split('.')[0] ?? ''}.`
  const ofMajor = events.filter(
    ({ action, outcome, target, at }) =>
      DONE.has(action) &&
      outcome === 'done' &&
      target.startsWith(`${connectorType} ${major}`) &&
      Date.parse(at) > Date.parse(from),
  )
  const began = Date.parse(failure.since)
  const before = ofMajor.find(({ at }) => Date.parse(at) <= began)
  if (before === undefined) return null
  return { before, since: ofMajor.find(({ at }) => Date.parse(at) > began) ?? null }
}

/** `jira 1.0.1 was published`. */
export function changeInWords({ action, target }: Pick<Event, 'action' | 'target'>): string {
  return `${target} ${DONE.get(action) ?? 'was changed'}`
}
