// Next to an account that does not work: whether others of its user, or of its connector, do not either.
import type { ReactNode } from 'react'
import { illOfVendor } from '../../../display/ill-together.ts'
import type { FailingSyncs, Instance, InstancePage } from '../../api/answers.ts'
import { useGet } from '../../api/use-answer.ts'
import { plainText } from '../../../display/plain-text.ts'
import { addressOf, Link } from '../../place.tsx'
import { troubleIn } from '../overview/together.tsx'

const LIST = '/integrations/connectors'
const NAMED = 5

interface OtherAccountsProps {
  readonly instance: Instance
  /** What copies of this account fail with; null: none does. */
  readonly failsWith: string | null
}

/** Nothing where all others work. */
export function OtherAccounts(props: OtherAccountsProps): ReactNode {
  const { instance, failsWith } = props
  return failsWith === null ? (
    <Others instance={instance} isFailing={false} alike={null} />
  ) : (
    <OfFailing instance={instance} failsWith={failsWith} />
  )
}

interface Alike {
  readonly code: string
  readonly accounts: number
  readonly users: number
  readonly isWhole: boolean
}

function OfFailing(props: { readonly instance: Instance; readonly failsWith: string }): ReactNode {
  const { instance, failsWith } = props
  const answer = useGet<FailingSyncs>('/failing-syncs', {}, { kept: true })
  const told = answer.kind === 'ready' ? answer.value : null
  const alike = told?.causes.find(
    ({ connector_type: type, code }) => type === instance.connector_type && code === failsWith,
  )
  return (
    <Others
      instance={instance}
      isFailing
      alike={told === null || alike === undefined ? null : { ...alike, isWhole: told.whole }}
    />
  )
}

/** `alike`: accounts of its connector that fail with the same; null: there are none, or they are not known. */
function Others(props: {
  readonly instance: Instance
  readonly isFailing: boolean
  readonly alike: Alike | null
}): ReactNode {
  const { instance, isFailing, alike } = props
  const { external_user_id: user, connector_type: type, state } = instance
  const failing = useOthers(instance, { external_user_id: user, sync: 'failing' }, isFailing)
  const needs = { external_user_id: user, state: 'auth_error' }
  const waiting = useOthers(instance, needs, state === 'auth_error')
  const ofType = useGet<InstancePage>(
    LIST,
    { connector_type: type, counts: 'true', limit: '1' },
    { kept: true },
  )
  const meta = ofType.kind === 'ready' ? ofType.value.meta : null
  const total = meta?.total ?? 0
  const ill =
    alike === null ? null : illOfVendor({ ...alike, failing: troubleIn(meta, 'failing'), total })
  if (failing.count + waiting.count === 0 && ill === null) return null
  // Neither of the two lists has them all.
  const isInTwoWays =
    failing.count + Number(isFailing) > 0 && waiting.count + Number(state === 'auth_error') > 0
  return (
    <section className="notice" aria-label="Other accounts">
      {ill === null ? null : (
        <p>
          <Link to={addressOf('/instances', { sync: 'failing', connector_type: type })}>
            {ill.toLocaleString('en')} of {total.toLocaleString('en')} accounts of {type}
          </Link>{' '}
          are failing: that looks like the third party, and not like this customer.
        </p>
      )}
      <OthersLine of={waiting} words={['needs re-authentication', 'need re-authentication']} />
      <OthersLine of={failing} words={['is failing', 'are failing']} />
      {isInTwoWays ? (
        <p>
          <Link to={addressOf('/instances', { external_user_id: user, sync: 'attention' })}>
            All accounts of this user that need attention
          </Link>
        </p>
      ) : null}
    </section>
  )
}

interface OthersOfUser {
  readonly count: number
  readonly named: readonly Instance[]
  readonly filter: Readonly<Record<string, string>>
}

/** `isOne`: the account itself is among them. */
function useOthers(
  { id }: Instance,
  filter: Readonly<Record<string, string>>,
  isOne: boolean,
): OthersOfUser {
  const query = { ...filter, sort: '-updated_at', limit: String(NAMED + 1), counts: 'true' }
  const answer = useGet<InstancePage>(LIST, query, { kept: true })
  if (answer.kind !== 'ready') return { count: 0, named: [], filter }
  const { data, meta } = answer.value
  const others = data.filter((each) => each.id !== id)
  // Of a few it is seen whether this one is among them.
  const isAmong = data.length > others.length || (data.length > NAMED && isOne)
  // The count is of another moment than the list: what was healed in between is in one of them only.
  const total = meta.has_more ? (meta.total ?? data.length) : data.length
  return { count: total - Number(isAmong), named: others.slice(0, NAMED), filter }
}

function OthersLine(props: {
  readonly of: OthersOfUser
  readonly words: readonly [one: string, several: string]
}): ReactNode {
  const { count, named, filter } = props.of
  const [one, several] = props.words
  const [first] = named
  if (count === 0) return null
  if (count === 1 && first !== undefined)
    return (
      <p>
        <Link to={addressOf(`/instances/${first.id}`)}>{plainText(first.name)}</Link>, another
        account of this user, {one}.
      </p>
    )
  return (
    <p>
      <Link to={addressOf('/instances', filter)}>{count.toLocaleString('en')} other accounts</Link>{' '}
      of this user {several}:{' '}
      {named.map(({ id, name }, index) => (
        <span key={id}>
          {index === 0 ? '' : ', '}
          <Link to={addressOf(`/instances/${id}`)}>{plainText(name)}</Link>
        </span>
      ))}
      {count > named.length ? ` and ${(count - named.length).toLocaleString('en')} more` : ''}.
    </p>
  )
}
