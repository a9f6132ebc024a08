// The copies of all accounts: what fails, each cause once, and which account is furthest behind.
import type { ReactNode } from 'react'
import { STATES } from '../../../display/account-states.ts'
import { toldApart } from '../../../display/alike-accounts.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { AccountBox } from '../../parts/account-box.tsx'
import { Loaded } from '../../parts/answer.tsx'
import { ConnectorIcon } from '../../parts/connector-icon.tsx'
import { NextAttempt } from '../../parts/next-attempt.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { Screen } from '../../parts/screen.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { ToldApart } from '../../parts/told-apart.tsx'
import { Time } from '../../parts/values.tsx'
import { addressOf, goTo, Link } from '../../place.tsx'
import { NoAccount } from '../instances/account-screen.tsx'
import { Failing } from '../overview/failing.tsx'
import { type AccountSync, furthestBehind, LOOKED_AT, needsUser } from './account-syncs.ts'
import { everyWords, STOPPED, SYNC_STATES } from './sync-states.ts'

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
              <Failing meta={meta} syncs={rows} />
              <section className="part" aria-labelledby="behind">
                <h2 id="behind">
                  {isAll
                    ? 'Late first'
                    : `Late first, of the ${LOOKED_AT} accounts changed last and those that fail`}
                </h2>
                <Table
                  label="Syncs of accounts"
                  className="two-lines"
                  columns={columnsFor(toldApart(rows.map(({ instance }) => instance)))}
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

function columnsFor(apart: ReturnType<typeof toldApart>): readonly Column<AccountSync>[] {
  return [
    {
      title: 'Account',
      kind: 'name',
      className: 'row-name',
      cell: ({ instance }) => (
        <span className="with-icon">
          <ConnectorIcon type={instance.connector_type} />
          <span>
            <Link to={addressOf('/sync', { instance: instance.id })}>
              {plainText(instance.name)}
            </Link>
            <ToldApart by={apart.get(instance.id)} />
          </span>
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
      title: 'The copy that is late, or oldest',
      cell: ({ instance, sync: { furthest_behind: furthest, next_attempt_at: next } }) =>
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
            <Planned of={furthest} />
            {next === null ? null : (
              <span className="quiet">
                {' '}
                · <NextAttempt at={next} as="fact" />
              </span>
            )}
          </>
        ),
    },
    { title: 'User', cell: ({ instance }) => plainText(instance.external_user_id) },
  ]
}

/** Whether it is as old as its interval lets it be. */
function Planned(props: {
  readonly of: NonNullable<AccountSync['sync']['furthest_behind']>
}): ReactNode {
  const { late, interval_seconds: seconds, synced_at: at } = props.of
  const often = everyWords(seconds)
  if (late)
    return (
      <>
        {' '}
        · <span className="badge bad">Late</span> <span className="quiet">read {often}</span>
      </>
    )
  return at === null ? null : <span className="quiet"> · as planned, read {often}</span>
}
