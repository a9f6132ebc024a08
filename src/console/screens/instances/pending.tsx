// Why credentials are not proved yet: what the last check met, who acts, and when the third party is asked next.
import type { ReactNode } from 'react'
import { ERRORS } from '../../../errors.ts'
import type { Instance, LogPage } from '../../api/answers.ts'
import { useGet } from '../../api/use-answer.ts'
import { ErrorCode } from '../../parts/error-code.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { StatusPage } from '../../parts/status-page.tsx'
import { Time } from '../../parts/values.tsx'
import { whoActs } from '../../../display/who-acts.ts'
import { addressOf, Link } from '../../place.tsx'
import { isFailing, isUnderWay, nextRunOf } from '../sync/sync-states.ts'
import type { CopiesAnswer } from './copies.tsx'

export function Pending(props: {
  readonly instance: Instance
  readonly copies: CopiesAnswer
}): ReactNode {
  const { instance, copies } = props
  const { id, connector_type: type } = instance
  const query = { connector_id: id, kind: 'check', limit: '1' }
  // A service may keep no logs.
  const answer = useGet<LogPage>('/logs', query, { kept: true })
  const check = answer.kind === 'ready' ? answer.value.data[0] : undefined
  const data = copies.kind === 'ready' ? copies.value.data : []
  // What fails says above who acts, and when it is tried next.
  const isToldAbove = data.some(isFailing)
  const acts = check?.code == null || isToldAbove ? null : whoActs(check.code)
  return (
    <>
      {check?.code == null ? null : (
        <p className="fine">
          The last check, <Time at={check.at} />, proved nothing:{' '}
          {plainText(check.detail ?? titleOfCode(check.code))} <ErrorCode of={check.code} />
          {' · '}
          <Link to={addressOf('/logs', { instance: id, entry: check.id })}>
            What was sent, in the logs
          </Link>
        </p>
      )}
      {acts === null || check?.code == null ? null : (
        <p className="fine">
          Who acts: {acts}. <StatusPage type={type} code={check.code} />
        </p>
      )}
      {isToldAbove ? null : <NextCall of={copies} />}
    </>
  )
}

function titleOfCode(code: string): string {
  const rules: Readonly<Record<string, { readonly title: string } | undefined>> = ERRORS
  return rules[code]?.title ?? code
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
