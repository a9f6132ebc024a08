// Why credentials are not proved yet: what the last check met, who acts, and when the third party is asked next.
import type { ReactNode } from 'react'
import type { Instance } from '../../api/answers.ts'
import { StatusPage } from '../../parts/status-page.tsx'
import { Time } from '../../parts/values.tsx'
import { whoActs } from '../../../display/who-acts.ts'
import { isFailing, isUnderWay, nextRunOf } from '../sync/sync-states.ts'
import type { CopiesAnswer } from './copies.tsx'
import { LastCheck, useUnansweredCheck } from './last-check.tsx'

export function Pending(props: {
  readonly instance: Instance
  readonly copies: CopiesAnswer
}): ReactNode {
  const { instance, copies } = props
  const { connector_type: type } = instance
  const check = useUnansweredCheck(instance)
  const data = copies.kind === 'ready' ? copies.value.data : []
  // What fails says above who acts, and when it is tried next.
  const isToldAbove = data.some(isFailing)
  const acts = check === null || isToldAbove ? null : whoActs(check.code)
  return (
    <>
      {check === null ? null : <LastCheck instance={instance.id} of={check} />}
      {acts === null || check === null ? null : (
        <p className="fine">
          Who acts: {acts}. <StatusPage type={type} code={check.code} />
        </p>
      )}
      {isToldAbove ? null : <NextCall of={copies} />}
    </>
  )
}

/** A call that goes well proves the credentials: the next one is that of a copy. */
function NextCall({ of: copies }: { readonly of: CopiesAnswer }): ReactNode {
  if (copies.kind !== 'ready') return null
  const { data } = copies.value
  const next = nextRunOf(data)
  if (data.some(isUnderWay)) return <p className="fine">Its copies are being read now.</p>
  return next === null ? null : (
    <p className="fine">
      Its copies are read next <Time at={next} isNext />.
    </p>
  )
}
