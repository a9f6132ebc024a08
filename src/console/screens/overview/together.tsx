// Accounts of a card of the overview: one, or those that are told together, by name and number.
import { User } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import type { AccountState } from '../../../display/account-states.ts'
import type { Instance, InstancePage } from '../../api/answers.ts'
import { ConnectorIcon } from '../../parts/connector-icon.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { addressOf, Link } from '../../place.tsx'

export function Row(props: {
  readonly instance: Instance
  readonly view: '' | '/sync'
  readonly children: ReactNode
}): ReactNode {
  const { id, name, connector_type: type, external_user_id: user } = props.instance
  const to =
    props.view === '' ? addressOf(`/instances/${id}`) : addressOf(props.view, { instance: id })
  return (
    <li>
      <ConnectorIcon type={type} />
      <div>
        <Link to={to}>{plainText(name)}</Link> <WhoseOf type={type} user={user} />
        <p className="fine">{props.children}</p>
      </div>
    </li>
  )
}

/** Next to the name of an account: names alone may be alike for several users. */
export function WhoseOf(props: { readonly type: string; readonly user: string }): ReactNode {
  return (
    <small className="quiet">
      {props.type}, user {plainText(props.user)}
    </small>
  )
}

/** Accounts of a connector; null: they are not counted. */
export function countOf(meta: InstancePage['meta'] | null, type: string): number | null {
  return meta?.facets?.connector_type.find(({ value }) => value === type)?.count ?? null
}

/** Accounts in a state; 0: there are none, or they are not counted. */
export function countOfState(meta: InstancePage['meta'], state: AccountState): number {
  return meta.facets?.state.find(({ value }) => value === state)?.count ?? 0
}

/** Accounts that fail, or need attention for whatever reason; 0: there are none, or they are not counted. */
export function troubleIn(
  meta: InstancePage['meta'] | null | undefined,
  trouble: 'failing' | 'attention',
): number {
  return meta?.facets?.sync.find(({ value }) => value === trouble)?.count ?? 0
}

export function UserIcon(): ReactNode {
  return (
    <span className="user-icon">
      <User size={16} aria-hidden />
    </span>
  )
}

/** `12 of 14`; where not all were looked at, there may be more of them. */
export function someOf(props: {
  readonly isWhole: boolean
  readonly some: number
  readonly total: number | null
}): string {
  const some = `${props.isWhole ? '' : 'at least '}${props.some.toLocaleString('en')}`
  return props.total === null ? some : `${some} of ${props.total.toLocaleString('en')}`
}

export function Names(props: {
  readonly of: readonly { readonly connector_id: string; readonly name: string }[]
  readonly total: number
  /** Where a name leads; absent: to its syncs. */
  readonly to?: (id: string) => string
}): ReactNode {
  const { of: named, total, to = (instance) => addressOf('/sync', { instance }) } = props
  const rest = total - named.length
  return (
    <>
      {named.map(({ connector_id: id, name }, index) => (
        <Fragment key={id}>
          {index === 0 ? '' : ', '}
          <Link to={to(id)}>{plainText(name)}</Link>
        </Fragment>
      ))}
      {rest > 0 ? ` and ${rest.toLocaleString('en')} more` : ''}
    </>
  )
}
