// Why a copy that is searched is not brought up to date, where something keeps it from that.
import type { ReactNode } from 'react'
import { beginning, ended } from '../../../display/sentence.ts'
import { nextSentAt } from '../../../display/sync-times.ts'
import type { Instance, SyncStatus } from '../../api/answers.ts'
import { ErrorCode } from '../../parts/error-code.tsx'
import { NextAttempt } from '../../parts/next-attempt.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { Time } from '../../parts/values.tsx'
import { isFailing, isLimited, shownState } from '../sync/sync-states.ts'
import { WhyStill } from './why-still.tsx'

/** Nothing where it is kept up. */
export function NotKeptUp(props: {
  readonly instance: Instance
  /** Null: not known. */
  readonly of: SyncStatus | null
}): ReactNode {
  const { instance, of: status } = props
  const why = status === null ? null : whyNot(status, instance)
  return why === null ? null : <p className="fine">{why}</p>
}

function whyNot(status: SyncStatus, instance: Instance): ReactNode {
  const { entity, state, limited_until: limited, next_run_at: due, last_error: last } = status
  if (state === 'paused')
    return (
      <>
        {entity} are not read at present: <WhyStill of={instance} />
      </>
    )
  if (isFailing(status) && last !== null) {
    const until = [limited, last.suspended_until]
      .flatMap((at) => at ?? [])
      .toSorted()
      .at(-1)
    const error = last.cause ?? last
    return (
      <>
        The last sync of the copy failed: {ended(plainText(error.detail))}{' '}
        <ErrorCode of={error.code} />.{' '}
        <NextAttempt at={nextSentAt(Date.now(), due, until ?? null)} as="whole" />.
      </>
    )
  }
  if (isLimited(status))
    return (
      <>
        The third party limits how often it is asked: nothing is sent for the copy until{' '}
        <Time at={limited} exact />.
      </>
    )
  return state === 'waiting' ? beginning(shownState(status).words) : null
}
