// Refused uses of an application: how many, why, and where the last one came from.
import type { ReactNode } from 'react'
import { REFUSED_REASONS } from '../../../display/refused-reasons.ts'
import type { Application } from '../../api/answers.ts'
import { plainText } from '../../../display/plain-text.ts'
import { Time } from '../../parts/values.tsx'
import { Link } from '../../place.tsx'
import { auditAddress } from './audit-filter.tsx'

export function RefusedUses({ of }: { readonly of: Application }): ReactNode {
  const { last_day: day, last_week: week, at_least: isAtLeast, reasons, last } = of.refused
  const link = (
    <Link to={auditAddress({ action: 'access.refuse', text: of.client_id, hours: '168' })}>
      Refused uses
    </Link>
  )
  if (last === null)
    return isAtLeast ? (
      <p className="fine">There are too many refusals of others to count its own: {link}</p>
    ) : null
  const why = reasons.map(({ reason, times }) =>
    reasons.length === 1 ? REFUSED_REASONS[reason] : `${REFUSED_REASONS[reason]} ${many(times)}`,
  )
  const least = isAtLeast ? 'at least ' : ''
  return (
    <p className="fine">
      <span className={`badge ${day > 0 ? 'bad' : 'wait'}`}>
        {least}
        {many(day > 0 ? day : week)} refused in {day > 0 ? '24 hours' : '7 days'}
      </span>{' '}
      {day > 0 && week > day ? `${least}${many(week)} in 7 days, ` : null}
      {why.join(', ')}; last <Time at={last.at} />
      {last.address === null ? null : (
        <>
          {' '}
          from <code>{plainText(last.address)}</code>
        </>
      )}
      {reasons.length === 1 ? null : ` (${REFUSED_REASONS[last.reason]})`} {link}
    </p>
  )
}

function many(times: number): string {
  return times.toLocaleString('en')
}
