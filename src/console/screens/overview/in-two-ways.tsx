// One customer, or one third party, of whom some accounts fail and others are refused: told once, with one list of all.
import type { ReactNode } from 'react'
import type { FailingSyncs } from '../../api/answers.ts'
import { useGet } from '../../api/use-answer.ts'
import { Card } from '../../parts/card.tsx'
import { ConnectorIcon } from '../../parts/connector-icon.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { addressOf, Link } from '../../place.tsx'
import { Names, someOf, UserIcon } from './together.tsx'

const SHOWN = 5

/** Nothing where everything wrong has one list already. */
export function InTwoWays(): ReactNode {
  const answer = useGet<FailingSyncs>('/failing-syncs', {}, { kept: true })
  const told = answer.kind === 'ready' ? answer.value : answer.last
  if (told === null || told.in_two_ways.length === 0) return null
  return (
    <Card title="Failing and refused together">
      <ul className="home-list">
        {told.in_two_ways.slice(0, SHOWN).map((each) => (
          <Group
            key={`${each.external_user_id} ${each.connector_type}`}
            of={each}
            isWhole={told.whole}
          />
        ))}
      </ul>
    </Card>
  )
}

function Group(props: {
  readonly of: FailingSyncs['in_two_ways'][number]
  readonly isWhole: boolean
}): ReactNode {
  const { of: group, isWhole } = props
  const { external_user_id: user, connector_type: type, failing, first } = group
  const refused = group.needs_reauthentication
  const total = failing + refused
  return (
    <li>
      {type === null ? <UserIcon /> : <ConnectorIcon type={type} />}
      <div>
        <Link
          to={addressOf('/instances', {
            ...(user === null ? {} : { external_user_id: user }),
            ...(type === null ? {} : { connector_type: type }),
            sync: 'attention',
          })}
        >
          {someOf({ isWhole, some: total, total: null })} accounts of{' '}
          {type ?? plainText(user ?? '')} need attention
        </Link>
        <p className="fine">
          {failing.toLocaleString('en')} with failing syncs, {refused.toLocaleString('en')} that{' '}
          {refused === 1 ? 'needs' : 'need'} re-authentication:{' '}
          <Names of={first} total={total} to={(id) => addressOf(`/instances/${id}`)} />
        </p>
      </div>
    </li>
  )
}
