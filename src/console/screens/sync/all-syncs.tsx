// The copies of all accounts: what fails, each cause once, and which account is furthest behind.
import { type ReactNode, useRef } from 'react'
import { STATES } from '../../../display/account-states.ts'
import { toldApart } from '../../../display/alike-accounts.ts'
import { actorOf } from '../../../display/who-acts.ts'
import { type Answer, useAnswer } from '../../api/use-answer.ts'
import { Empty, Loaded } from '../../parts/answer.tsx'
import { ConnectorIcon } from '../../parts/connector-icon.tsx'
import { useListKeys } from '../../parts/list-keys.ts'
import { NextAttempt } from '../../parts/next-attempt.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { Screen } from '../../parts/screen.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { ToldApart } from '../../parts/told-apart.tsx'
import { Time } from '../../parts/values.tsx'
import { addressOf, goTo, Link, type ScreenProps } from '../../place.tsx'
import { AccountFilters } from '../instances/account-filters.tsx'
import { NoAccount } from '../instances/account-screen.tsx'
import { isNarrowed, UnknownFilters, wantedIn } from '../instances/all-accounts.tsx'
import { Failing } from '../overview/failing.tsx'
import {
  type AccountSync,
  type Behind,
  furthestBehind,
  LOOKED_AT,
  needsUser,
} from './account-syncs.ts'
import { everyWords, STOPPED, SYNC_STATES } from './sync-states.ts'

export function AllSyncs({ query }: Pick<ScreenProps, 'query'>): ReactNode {
  const { sort: _, ...narrowed } = wantedIn(query)
  const wanted = { ...narrowed, sort: '' }
  const isFiltered = isNarrowed(wanted)
  const key = `all-syncs ${JSON.stringify(narrowed)}`
  const load = (signal: AbortSignal): Promise<Behind> => furthestBehind(signal, narrowed)
  const answer = useAnswer(key, load, { isLive: true })
  // What was there stands while what was asked for next is on its way: the filter keeps its place.
  const shown: Answer<Behind> =
    answer.kind === 'loading' && answer.last !== null
      ? { ...answer, kind: 'ready', value: answer.last, stale: null }
      : answer
  const isNone = answer.last?.meta.total === 0 && !isFiltered
  const list = useRef<HTMLDivElement>(null)
  useListKeys(list, 'tbody .row-name a')
  return (
    <Screen
      title="Sync"
      lead="Copies of the third parties’ records, which searches are answered from."
    >
      <UnknownFilters query={query} />
      {isNone ? null : (
        <AccountFilters at="/sync" wanted={wanted} facets={answer.last?.meta.facets} />
      )}
      <Loaded of={shown}>
        {({ meta, rows, isAll, late, isAllLate }) =>
          isNone ? (
            <NoAccount />
          ) : rows.length === 0 && isFiltered ? (
            <Empty
              title="Nothing matches"
              action={{ words: 'Show all accounts', to: addressOf('/sync'), plain: true }}
            >
              No account that keeps copies has these words, this state, connector and syncs.
            </Empty>
          ) : (
            <>
              {/* It is about all accounts, and not about those that a filter had before. */}
              {isFiltered || answer.kind === 'loading' ? null : (
                <Failing meta={meta} syncs={rows} />
              )}
              <section className="part" aria-labelledby="behind">
                <h2 id="behind">Late first</h2>
                <div ref={list}>
                  <Table
                    label="Syncs of accounts"
                    className="two-lines"
                    columns={columnsFor(toldApart(rows.map(({ instance }) => instance)))}
                    rows={rows}
                    keyOf={({ instance }) => instance.id}
                    open={({ instance }) => goTo(addressOf('/sync', { instance: instance.id }))}
                  />
                </div>
                {isAll ? null : (
                  <p className="quiet">
                    {wanted.sync === '' ? (
                      <>
                        {lateWords(late, meta.total, isAllLate)} Of the others, the ones that were
                        changed last are here.
                      </>
                    ) : (
                      `Of ${meta.total?.toLocaleString('en')} accounts the ${LOOKED_AT} that were changed last are here.`
                    )}{' '}
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

/** How many are late of how many, and whether each of them is in the list. */
function lateWords(late: number | null, total: number | undefined, isAllLate: boolean): string {
  const count =
    late === null || total === undefined
      ? ''
      : `${late.toLocaleString('en')} of ${total.toLocaleString('en')} accounts ${late === 1 ? 'has' : 'have'} a copy that is late. `
  if (late === 0) return count.trimEnd()
  return (
    count +
    (isAllLate
      ? 'All that are late are here.'
      : `Of those that are late, the ${LOOKED_AT} that were changed last are here.`)
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
      className: 'row-wide',
      cell: ({ instance, sync: { failing, furthest_behind: furthest } }) =>
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
            <Attempt of={failing} named={furthest.entity} />
          </>
        ),
    },
    { title: 'User', cell: ({ instance }) => plainText(instance.external_user_id) },
  ]
}

/** When the copy that is named is tried again, and who acts; of another one, where that one does not fail, it is named. */
function Attempt(props: {
  readonly of: AccountSync['sync']['failing']
  readonly named: string
}): ReactNode {
  const { of: failing, named } = props
  const first = failing.toSorted((a, b) => momentOf(a) - momentOf(b))[0]
  const told = failing.find(({ entity }) => entity === named) ?? first
  if (told === undefined) return null
  const acts = actorOf(told.code)
  return (
    <span className="quiet">
      {' '}
      ·{' '}
      {told.entity === named ? null : (
        <>
          <code>{told.entity}</code> fails,{' '}
        </>
      )}
      <NextAttempt at={told.next_attempt_at} as="fact" />
      {acts === null ? '' : ` · who acts: ${acts}`}
    </span>
  )
}

/** What is being tried comes before what is planned. */
function momentOf({ next_attempt_at: at }: AccountSync['sync']['failing'][number]): number {
  return at === null ? 0 : Date.parse(at)
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
