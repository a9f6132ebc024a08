// What one copy fails with: with what it began, what came of it, and whether a run that is under way may end it.
import type { ReactNode } from 'react'
import { leftAloneUntil } from '../../../display/sync-times.ts'
import type { SyncStatus } from '../../api/answers.ts'
import { ErrorCode } from '../../parts/error-code.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { Lasting, Time } from '../../parts/values.tsx'
import { addressOf, Link } from '../../place.tsx'
import { isUnderWay } from './sync-states.ts'

/** Nothing where it does not fail. */
export function CopyFailure(props: {
  readonly status: SyncStatus
  readonly instance: string
}): ReactNode {
  const { status, instance } = props
  const { first_error: first, last_error: last, entity } = status
  const isOver = isUnderWay(status)
  const began = first ?? last
  if (began === null || last === null) return null
  const { suspended_until: until } = last
  const latest = last.cause ?? last
  const isSame = latest.detail === (began.cause ?? began).detail
  return (
    <div className={isOver ? 'quiet' : ''}>
      <p>
        {isOver ? 'Before this run: ' : ''}
        {plainText(began.detail)} <ErrorCode of={began.code} />, <Lasting since={began.at} />
      </p>
      {isSame && until === null ? null : (
        <p className="fine">
          The latest attempt {last.cause === null ? 'failed' : 'was held back'}{' '}
          <Time at={last.at} />
          {isSame ? null : (
            <>
              : {plainText(latest.detail)} <ErrorCode of={latest.code} />
            </>
          )}
          {until === null ? null : (
            <>
              ; {leftAloneUntil(Date.now(), until)} <Time at={until} exact />
            </>
          )}
        </p>
      )}
      {isOver ? null : (
        <p className="fine">
          <Link to={addressOf('/logs', { instance, kind: 'sync', entity, status: 'failed' })}>
            What was sent, in the logs
          </Link>
        </p>
      )}
    </div>
  )
}
