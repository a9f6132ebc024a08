// The parts of an event of the audit log, as the list and the sheet of one show them.
import type { ReactNode } from 'react'
import { NAMED_OUTCOMES } from '../../../display/audit-actions.ts'
import type { AuditEvent } from '../../api/answers.ts'
import { UNNAMED } from '../../parts/audit-words.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { addressOf, Link } from '../../place.tsx'

/** Its place in the log, which no other event has. */
export function eventKey({ chain, seq }: Pick<AuditEvent, 'chain' | 'seq'>): string {
  return `${chain}:${seq}`
}

/** What was denied or failed is told apart from what was done. */
export function Outcome({ of: { action, outcome } }: { readonly of: AuditEvent }): ReactNode {
  const isNamed = NAMED_OUTCOMES.some((name) => name === action)
  if (isNamed || outcome === 'done') return <span className="badge">{outcome}</span>
  const isDoubtful = /uncertain|in part|some left/.test(outcome)
  const isDenied = action === 'access.refuse' || /^(?:scope_denied|refused)/.test(outcome)
  return (
    <>
      <span className={`badge ${isDoubtful ? 'wait' : 'bad'}`}>
        {isDoubtful ? 'Uncertain' : isDenied ? 'Denied' : 'Failed'}
      </span>
      <small className="quiet">{plainText(outcome)}</small>
    </>
  )
}

/** The account, and what of it or next to it is meant. */
export function Target({ of: event }: { readonly of: AuditEvent }): ReactNode {
  const { target, connector_id: id, connector_name: name } = event
  const named = <Named id={target} name={event.target_name} />
  if (id === null || name === null) return named
  return (
    <>
      <Link to={addressOf(`/instances/${id}`)}>{plainText(name)}</Link>{' '}
      <small className="quiet">{id}</small> {target === id ? null : named}
    </>
  )
}

/** What people call it, with what the log has behind it. */
export function Named(props: { readonly id: string; readonly name: string | null }): ReactNode {
  const id = plainText(props.id)
  const words = plainText(props.name ?? UNNAMED[props.id] ?? id)
  const name = (
    <span className="settings-two-lines" title={words}>
      {words}
    </span>
  )
  if (props.name === null) return name
  return (
    <>
      {name} <small className="quiet">{id}</small>
    </>
  )
}
