// Next to an account that does not work: whether others of its user, or of its connector, do not either.
import type { ReactNode } from 'react'
import { isMostOf } from '../../../display/ill-together.ts'
import type { Instance, InstancePage } from '../../api/answers.ts'
import { useGet } from '../../api/use-answer.ts'
import { plainText } from '../../../display/plain-text.ts'
import { addressOf, Link } from '../../place.tsx'
import { troubleIn } from '../overview/together.tsx'

const LIST = '/integrations/connectors'
const NAMED = 5

/** Nothing where all others work. `isFailing`: a copy of this account fails. */
export function OtherAccounts(props: {
  readonly instance: Instance
  readonly isFailing: boolean
}): ReactNode {
  const { instance, isFailing } = props
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
  const failingOfType = troubleIn(meta, 'failing')
  const isVendor = isFailing && isMostOf(failingOfType, total)
  if (failing.count + waiting.count === 0 && !isVendor) return null
  // Neither of the two lists has them all.
  const isInTwoWays =
    failing.count + Number(isFailing) > 0 && waiting.count + Number(state === 'auth_error') > 0
  return (
    <section className="notice" aria-label="Other accounts">
      {isVendor ? (
        <p>
          <Link to={addressOf('/instances', { sync: 'failing', connector_type: type })}>
            {failingOfType.toLocaleString('en')} of {total.toLocaleString('en')} accounts of {type}
          </Link>{' '}
          are failing: that looks like the third party, and not like this customer.
        </p>
      ) : null}
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

interface Others {
  readonly count: number
  readonly named: readonly Instance[]
  readonly filter: Readonly<Record<string, string>>
}

/** `isOne`: the account itself is among them. */
function useOthers(
  { id }: Instance,
  filter: Readonly<Record<string, string>>,
  isOne: boolean,
): Others {
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
  readonly of: Others
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
