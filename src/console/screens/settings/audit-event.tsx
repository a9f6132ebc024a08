// The parts of an event of the audit log, as the list and the sheet of one show them.
import type { ReactNode } from 'react'
import { endOf, isByLink, refusalOf, targetKind } from '../../../display/audit-actions.ts'
import type { AuditEvent } from '../../api/answers.ts'
import { actorName } from '../../parts/audit-words.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { isStateName, StateBadge } from '../../parts/state-badge.tsx'
import { addressOf, Link } from '../../place.tsx'

/** Its place in the log, which no other event has. */
export function eventKey({ chain, seq }: Pick<AuditEvent, 'chain' | 'seq'>): string {
  return `${chain}:${seq}`
}

/** What was denied or failed is told apart from what was done. */
export function Outcome({ of: event }: { readonly of: AuditEvent }): ReactNode {
  const { action, outcome } = event
  if (action === 'instance.state' && isStateName(outcome)) return <StateBadge state={outcome} />
  const end = endOf(action, outcome)
  const times = refusalOf(event)?.times
  const more = times === undefined ? plainText(outcome) : times === 1 ? '' : `${times} times`
  if (end === null || end === 'done') return <span className="badge">{plainText(outcome)}</span>
  return (
    <>
      <span className={`badge ${end === 'uncertain' ? 'wait' : 'bad'}`}>{ENDS[end]}</span>{' '}
      <small className="quiet">{more}</small>
    </>
  )
}

const ENDS = { denied: 'Denied', failed: 'Failed', uncertain: 'Uncertain' } as const

/** The account, and what of it or next to it is meant. `brief`: by their names alone, where they have one. */
export function Target({
  of: event,
  brief = false,
}: {
  readonly of: AuditEvent
  readonly brief?: boolean
}): ReactNode {
  const { target, connector_id: id, connector_name: name } = event
  const screen = SCREENS[targetKind(event.action) ?? 'token']
  const words = <Named id={target} name={event.target_name} brief={brief} />
  const named = screen === undefined ? words : <Link to={screen(target)}>{words}</Link>
  if (id === null || name === null) return named
  return (
    <>
      <Link to={addressOf(`/instances/${id}`)}>
        <Named id={id} name={name} brief={brief} />
      </Link>{' '}
      {target === id ? null : named}
    </>
  )
}

/** Where things of a kind are shown. */
const SCREENS: Readonly<
  Partial<Record<NonNullable<ReturnType<typeof targetKind>>, (target: string) => string>>
> = {
  application: () => addressOf('/settings', { part: 'applications' }),
  person: (target) =>
    addressOf('/settings', { part: target.startsWith('person:') ? 'people' : 'applications' }),
  connector: () => addressOf('/settings', { part: 'connectors' }),
  version: (target) => addressOf('/manifests', { connector: target.split(' ')[0] ?? '' }),
  webhook: (target) => addressOf(`/webhooks/${encodeURIComponent(target)}`),
}

/** The end user with whose token or at whose connect link it was done; null: it was neither. */
export function asUser(event: AuditEvent): string | null {
  if (refusalOf(event)?.isOfUser === true) return 'as an end user'
  const { address, token, external_user_id: user } = event
  if (isByLink(event))
    return `as ${user === null ? 'an end user' : plainText(user)}, via a connect link`
  // The addresses of end users are not kept.
  const isTheirs = address === null && token !== null && user !== null
  return isTheirs ? `as ${plainText(user)}` : null
}

/** What people call it, with what the log has behind it; `brief`: without that. */
export function Named(props: {
  readonly id: string
  readonly name: string | null
  readonly brief?: boolean
}): ReactNode {
  const id = plainText(props.id)
  const words = actorName(props.id, props.name)
  const name = (
    <span className="settings-two-lines" title={words}>
      {words}
    </span>
  )
  if (props.name === null || props.brief === true) return name
  return (
    <>
      {name} <small className="quiet audit-id">{id}</small>
    </>
  )
}
