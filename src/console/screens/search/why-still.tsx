// Why nothing of a copy is read.
import type { ReactNode } from 'react'
import { STATES } from '../../../display/account-states.ts'
import type { Instance } from '../../api/answers.ts'
import { ErrorCode } from '../../parts/error-code.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { stateInWords } from '../../parts/state-badge.tsx'
import { Lasting } from '../../parts/values.tsx'
import { whoActs } from '../../../display/who-acts.ts'

/** Either the account stands still, for a reason that is known, or somebody has paused what is asked for. */
export function WhyStill({ of: instance }: { readonly of: Instance }): ReactNode {
  const { state, state_reason: reason } = instance
  if (STATES[state].isSynchronized) return 'somebody has paused them. '
  const acts = reason === null ? null : whoActs(reason.code)
  return (
    <>
      {stateInWords(instance)}{' '}
      {reason === null ? null : (
        <>
          {plainText(reason.detail)} <ErrorCode of={reason.code} />,{' '}
          <Lasting since={reason.since} />.{' '}
        </>
      )}
      {acts === null ? null : `Who acts: ${acts}. `}
    </>
  )
}
