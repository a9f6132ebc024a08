// The copies of all accounts: what fails, each cause once, and which account is furthest behind.
import type { ReactNode } from 'react'
import { STATES } from '../../../display/account-states.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { AccountBox } from '../../parts/account-box.tsx'
import { Loaded } from '../../parts/answer.tsx'
import { ConnectorIcon } from '../../parts/connector-icon.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { Screen } from '../../parts/screen.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/values.tsx'
import { addressOf, goTo, Link } from '../../place.tsx'
import { NoAccount } from '../instances/account-screen.tsx'
import { Failing } from '../overview/failing.tsx'
import { type AccountSync, furthestBehind, LOOKED_AT, needsUser } from './account-syncs.ts'
import { STOPPED, SYNC_STATES } from './sync-states.ts'

export function AllSyncs(): ReactNode {
  const answer = useAnswer('all-syncs', furthestBehind, { isLive: true })
  return (
    <Screen
      title="Sync"
      lead="Copies of the third parties’ records, which searches are answered from."
    >
      <Loaded of={answer}>
        {({ meta, rows, isAll, lookedAt }) =>
          meta.total === 0 ? (
            <NoAccount />
          ) : (
            <>
              <div className="filters">
                <AccountBox
                  label="Account"
                  chosen={null}
                  choose={(instance) => goTo(addressOf('/sync', { instance }))}
                />
              </div>
              <Failing meta={meta} />
              <section className="part" aria-labelledby="behind">
                <h2 id="behind">
                  {isAll
                    ? 'Furthest behind first'
                    : `Furthest behind first, of the ${LOOKED_AT} accounts changed last and those that fail`}
                </h2>
                <Table
                  label="Syncs of accounts"
                  className="two-lines"
                  columns={COLUMNS}
                  rows={rows}
                  keyOf={({ instance }) => instance.id}
                  open={({ instance }) => goTo(addressOf('/sync', { instance: instance.id }))}
                />
                {isAll ? null : (
                  <p className="quiet">
                    Of {meta.total?.toLocaleString('en')} accounts {lookedAt} were looked at: of
                    all, and of those whose syncs fail, the {LOOKED_AT} that were changed last. One
                    that is not among them may be further behind.{' '}
                    <Link to={addressOf('/instances')}>All accounts</Link>
                  </p>
                )}
              </section>
            </>
          )
        }
      </Loaded>
    </Screen>
  )
}

const COLUMNS: readonly Column<AccountSync>[] = [
  {
    title: 'Account',
    kind: 'name',
    className: 'row-name',
    cell: ({ instance }) => (
      <span className="with-icon">
        <ConnectorIcon type={instance.connector_type} />
        <Link to={addressOf('/sync', { instance: instance.id })}>{plainText(instance.name)}</Link>
      </span>
    ),
  },
  {
    title: 'State',
    className: 'row-result',
    cell: ({ sync: { state, account_state: account } }) => {
      if (state === null) return null
      const isStopped = state === 'paused' && !STATES[account].isSynchronized
      const { tone, label } = isStopped ? STOPPED : SYNC_STATES[state]
      return <span className={`badge ${tone}`}>{label}</span>
    },
  },
  {
    title: 'Furthest behind',
    cell: ({ instance, sync: { furthest_behind: furthest } }) =>
      furthest === null ? (
        <span className="quiet">
          {needsUser(instance) ? 'nothing, until its user connects again' : 'nothing is kept up'}
        </span>
      ) : (
        <>
          <code>{furthest.entity}</code>{' '}
          {furthest.synced_at === null ? (
            'not read as a whole yet'
          ) : (
            <>
              as of <Time at={furthest.synced_at} />
            </>
          )}
        </>
      ),
  },
  { title: 'User', cell: ({ instance }) => plainText(instance.external_user_id) },
]
