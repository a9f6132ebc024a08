// When the copies of an instance were brought up to date, and what is wrong with them.
import type { ReactNode } from 'react'
import { STATES } from '../../../display/account-states.ts'
import type { Instance, LastSync, SyncStatus } from '../../api/answers.ts'
import { addressOf, Link } from '../../place.tsx'
import { Time } from '../../parts/values.tsx'
import { STOPPED, SYNC_STATES } from '../sync/sync-states.ts'

/** States that do not say already whether a run is under way. */
const SAYS_NOT: ReadonlySet<SyncStatus['state']> = new Set([
  'ready',
  'error',
  'waiting',
  'suspicious',
])

/** A copy of it is, for no reason that stands there already. */
function isLate({ state, furthest_behind: furthest }: LastSync): boolean {
  const isSaid = state === 'error' || state === 'waiting' || state === 'paused'
  return furthest?.late === true && !isSaid
}

export function LastSyncCell(props: {
  readonly instance: Pick<Instance, 'id' | 'state'>
  /** Null: not known yet. */
  readonly last: LastSync | null
  /** What is wrong stands with the state of the account. */
  readonly isToldBefore: boolean
}): ReactNode {
  const { instance, last } = props
  // Of another moment than the row, the two together would tell what never was.
  if (last === null || last.account_state !== instance.state)
    return <span className="quiet">Loading …</span>
  if (last.state === null) return <span className="quiet">keeps no copy</span>
  // Nobody has paused it.
  const isStopped = last.state === 'paused' && !STATES[instance.state].isSynchronized
  const { label, tone } = isStopped ? STOPPED : SYNC_STATES[last.state]
  return (
    <span className="pair">
      {last.last_synced_at === null && last.state === 'initial' ? null : (
        <Time at={last.last_synced_at} />
      )}{' '}
      {last.state === 'ready' || props.isToldBefore ? null : (
        <Link className={`badge ${tone}`} to={addressOf('/sync', { instance: instance.id })}>
          {label}
        </Link>
      )}
      {isLate(last) ? (
        <Link
          className="badge wait"
          title={`${last.furthest_behind?.entity} is due, and was not read yet`}
          to={addressOf('/sync', { instance: instance.id })}
        >
          Late
        </Link>
      ) : null}
      {last.running && SAYS_NOT.has(last.state) ? (
        <span className="badge wait">Running</span>
      ) : null}
    </span>
  )
}
