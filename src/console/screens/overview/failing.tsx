// The copies that fail, by account: with what, and since when.
import { CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import type { All, FailingSyncs, InstancePage } from '../../api/answers.ts'
import { useEvery, useGet } from '../../api/use-answer.ts'
import { Loaded } from '../../parts/answer.tsx'
import { Card } from '../../parts/card.tsx'
import { ConnectorIcon } from '../../parts/connector-icon.tsx'
import { ErrorCode } from '../../parts/error-code.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { Time } from '../../parts/values.tsx'
import { addressOf, Link } from '../../place.tsx'

const SHOWN = 5
const LOOKED_AT_MS = 30_000

export function Failing({ meta }: { readonly meta: InstancePage['meta'] }): ReactNode {
  const answer = useGet<All<FailingSyncs>>('/failing-syncs', {}, { kept: true })
  useEvery(LOOKED_AT_MS, answer.reload)
  const total = meta.facets?.sync[0]?.count ?? 0
  return (
    <Card title="Failing syncs">
      <Loaded of={answer}>
        {({ data: all }) => {
          // Those that wait for their user are told once, next to this.
          const data = all.filter(({ state }) => state !== 'auth_error')
          if (data.length === 0)
            return (
              <AllWell>
                {all.length === 0
                  ? 'No sync fails.'
                  : 'Only those of accounts that need a person fail.'}
              </AllWell>
            )
          return (
            <>
              <ul className="home-list">
                {data.slice(0, SHOWN).map((account) => (
                  <Account key={account.connector_id} account={account} />
                ))}
              </ul>
              <Link to={addressOf('/instances', { sync: 'failing' })}>
                {total > 1
                  ? `All ${total.toLocaleString('en')} accounts with failing syncs`
                  : 'In the list of accounts'}
              </Link>
            </>
          )
        }}
      </Loaded>
    </Card>
  )
}

/** In the place of a list of what needs somebody. */
export function AllWell({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <p className="quiet all-well">
      <CircleCheck size={16} aria-hidden />
      {children}
    </p>
  )
}

function Account({ account }: { readonly account: FailingSyncs }): ReactNode {
  const { connector_id: instance, connector_type: type, name, copies } = account
  // One reason is told once, with all that fail for it.
  const causes = [...Map.groupBy(copies, ({ code }) => code).values()]
  return (
    <li>
      <ConnectorIcon type={type} />
      <div>
        <Link to={addressOf('/sync', { instance })}>{plainText(name)}</Link>{' '}
        <small className="quiet">{type}</small>
        {causes.map((those) => {
          const [first] = those
          return first === undefined ? null : (
            <p className="fine" key={first.entity}>
              <code>{those.map(({ entity }) => entity).join(', ')}</code> since{' '}
              <Time at={first.since} />: {plainText(first.detail)} <ErrorCode of={first.code} />
            </p>
          )
        })}
      </div>
    </li>
  )
}
