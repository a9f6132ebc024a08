// Who did what with an account, by the audit log, for those who may read that.
import type { ReactNode } from 'react'
import type { AuditEvent } from '../../api/answers.ts'
import { deedWords } from '../../../display/audit-actions.ts'
import { useGet } from '../../api/use-answer.ts'
import { plainText } from '../../parts/plain-text.ts'
import { Time } from '../../parts/values.tsx'
import { addressOf, Link } from '../../place.tsx'
import { useSession } from '../../session.ts'

const SHOWN = '5'

/** Outcomes that are not what was meant. */
const TOLD: ReadonlySet<string> = new Set(['refused', 'uncertain'])

export function Changes({ id }: { readonly id: string }): ReactNode {
  return useMayRead() ? <Latest id={id} /> : null
}

function Latest({ id }: { readonly id: string }): ReactNode {
  const query = { connector_id: id, action: 'instance', limit: SHOWN }
  const answer = useGet<{ readonly data: readonly AuditEvent[] }>('/audit', query, { kept: true })
  const events = answer.kind === 'ready' ? answer.value.data : []
  return (
    <section className="part" aria-labelledby="changes">
      <h2 id="changes">Changes</h2>
      <p className="fine">
        <Link to={addressOf('/settings', { part: 'audit', connector_id: id })}>
          Audit log of this account
        </Link>
      </p>
      {events.length === 0 ? null : (
        <ul className="box rows activity">
          {events.map(({ chain, seq, at, action, members, actor, actor_name: name, outcome }) => (
            <li key={`${chain} ${seq}`}>
              <span className="cut" title={members.join(', ')}>
                {deedWords(action, outcome) ?? action}{' '}
                <small className="quiet">{members.join(', ')}</small>
              </span>
              <span className="fine cut">
                {TOLD.has(outcome) ? `${outcome}, ` : ''}
                <Time at={at} /> by {plainText(name ?? actor)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function useMayRead(): boolean {
  const { person } = useSession()
  return person === null || person.role === 'administrator'
}
