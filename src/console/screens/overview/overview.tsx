// The first screen: how the accounts do, what needs a person, which copies are behind, and what has happened in a day.
import { Fragment, type ReactNode } from 'react'
import { ATTENTION, STATES } from '../../../display/account-states.ts'
import type { InstancePage } from '../../api/answers.ts'
import { type Answer, useAnswer, useGet } from '../../api/use-answer.ts'
import { useWatchedAccounts } from '../../api/watch-accounts.ts'
import { Empty, Loaded } from '../../parts/answer.tsx'
import { Card } from '../../parts/card.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { Screen } from '../../parts/screen.tsx'
import { Time } from '../../parts/values.tsx'
import { addressOf, Link, type ScreenProps } from '../../place.tsx'
import { countedWhen } from '../instances/all-accounts.tsx'
import {
  type AccountSync,
  type Behind,
  furthestBehind,
  LOOKED_AT,
  needsUser,
} from '../sync/account-syncs.ts'
import { SYNC_STATES } from '../sync/sync-states.ts'
import { Day } from './day.tsx'
import { AllWell, Failing } from './failing.tsx'
import { NeedsPerson } from './needs-person.tsx'
import { Period, periodIn, UnknownPeriod } from './period.tsx'
import { InTwoWays } from './in-two-ways.tsx'
import { countOfState, Names, Row, troubleIn } from './together.tsx'
import './overview.css'

const LIST = '/integrations/connectors'
const SHOWN = 5

export function OverviewScreen({ query }: ScreenProps): ReactNode {
  useWatchedAccounts()
  const page = useGet<InstancePage>(LIST, { counts: 'true', limit: '1' }, { kept: true })
  // Asked for together with all else, and not once that is there.
  const lagging = useAnswer('furthest-behind', (signal) => furthestBehind(signal), { isLive: true })
  return (
    <Screen
      title="Overview"
      lead="How the connected accounts do, and what needs a person."
      actions={
        <Link className="button primary" needs="connecting" to={addressOf('/instances/new')}>
          Connect an account
        </Link>
      }
    >
      <Loaded of={page}>
        {({ meta }) =>
          meta.total === 0 ? (
            <Empty
              title="No account is connected yet"
              action={{
                words: 'Connect the first account',
                to: addressOf('/instances/new'),
                needs: 'connecting',
              }}
            >
              Connect an account of a third party, explore its data, and copy the calls into your
              app.
            </Empty>
          ) : (
            <>
              <States meta={meta} />
              <InTwoWays />
              <div className="home-pair">
                <NeedsPerson meta={meta} />
                <Failing meta={meta} syncs={lagging.last?.rows ?? []} />
              </div>
              <Period value={periodIn(query)}>
                <UnknownPeriod query={query} />
                <Day>
                  <Lagging
                    of={lagging}
                    disabled={countOfState(meta, 'disabled')}
                    refused={countOfState(meta, 'auth_error')}
                  />
                </Day>
              </Period>
            </>
          )
        }
      </Loaded>
    </Screen>
  )
}

function States({ meta }: { readonly meta: InstancePage['meta'] }): ReactNode {
  const counted = new Map((meta.facets?.state ?? []).map(({ value, count }) => [value, count]))
  const failing = troubleIn(meta, 'failing')
  const attention = troubleIn(meta, 'attention')
  // What needs somebody comes first; of what is not there, nothing is told.
  const states = Object.entries(STATES)
    .map(([state, text]) => ({ state, ...text, count: counted.get(state) ?? 0 }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => Number(b.tone === 'bad') - Number(a.tone === 'bad'))
  const countedAgo = countedWhen(meta)
  return (
    <>
      <ul className="figures" aria-label="Accounts by state">
        <Figure words="Accounts" count={meta.total ?? 0} to={addressOf('/instances')} tone="all" />
        {/* Of one kind only, its own figure leads to the same list. */}
        {failing === 0 || attention === failing ? null : (
          <Figure
            words={ATTENTION.label}
            count={attention}
            to={addressOf('/instances', { sync: 'attention' })}
            tone="bad"
          />
        )}
        {failing === 0 ? null : (
          <Figure
            words="Accounts with failing syncs"
            count={failing}
            to={addressOf('/instances', { sync: 'failing' })}
            tone="bad"
          />
        )}
        {states.map(({ state, label, tone, count }) => (
          <Figure
            key={state}
            words={label}
            count={count}
            to={addressOf('/instances', { state })}
            tone={tone}
          />
        ))}
      </ul>
      {/* What stands below may have changed since. */}
      {countedAgo === null ? null : <p className="fine">Counted {countedAgo}.</p>}
    </>
  )
}

function Figure(props: {
  readonly words: string
  readonly count: number
  readonly to: string
  readonly tone: string
}): ReactNode {
  return (
    <li className={props.tone}>
      <Link to={props.to}>
        <span>{props.words}</span>
        <strong>{props.count.toLocaleString('en')}</strong>
      </Link>
    </li>
  )
}

/** Those that are behind by an age that is known; what fails or needs its user stands above. */
function isTold({ sync }: AccountSync): boolean {
  return sync.state !== 'error' && sync.furthest_behind?.synced_at != null
}

function isLate({ sync }: AccountSync): boolean {
  return sync.state === 'suspicious' || sync.furthest_behind?.late === true
}

const BEHIND = 'Copies furthest behind'

function isFirstReading({ sync }: AccountSync): boolean {
  return sync.state !== 'error' && sync.furthest_behind?.synced_at === null
}

/** The last card of the screen. */
function Lagging(props: {
  readonly of: Answer<Behind>
  readonly disabled: number
  readonly refused: number
}): ReactNode {
  const { of: answer, disabled, refused } = props
  return (
    <Card
      title={
        answer.kind === 'ready' && answer.value.rows.filter(isTold).some(isLate) ? BEHIND : 'Copies'
      }
      to={addressOf('/sync')}
    >
      <Loaded of={answer}>
        {({ meta, rows, isAll, lookedAt, late, isAllLate }) => {
          const told = rows.filter(isTold)
          // What is as old as was planned is not behind.
          const isNoneLate = !told.some(isLate)
          const areFailing = rows.some(({ sync }) => sync.state === 'error')
          const [oldest] = told
          const first = rows.filter(isFirstReading).length
          return (
            <>
              {told.length === 0 ? (
                <p className="quiet">
                  No copy is whole and kept up without failing
                  {isAll ? '' : ', of those that were looked at'}.
                </p>
              ) : isNoneLate && oldest?.sync.furthest_behind != null ? (
                <>
                  <AllWell>
                    {areFailing ? 'No other copy' : 'No copy'}
                    {disabled + refused === 0 ? '' : ' that is kept up'} is late
                    {isAllLate ? '' : ' of those that were looked at'}.
                  </AllWell>
                  <p className="fine">
                    The oldest
                    {!isAll
                      ? ' of those that were looked at'
                      : disabled + refused === 0
                        ? ''
                        : ' of these'}
                    , <code>{oldest.sync.furthest_behind.entity}</code> of{' '}
                    <Link to={addressOf('/sync', { instance: oldest.instance.id })}>
                      {plainText(oldest.instance.name)}
                    </Link>
                    , is as of <Time at={oldest.sync.furthest_behind.synced_at} />.
                  </p>
                </>
              ) : (
                <ul className="home-list">
                  {told
                    .slice(0, SHOWN)
                    .map(({ instance, sync: { state, furthest_behind: copy } }) => (
                      <Row key={instance.id} instance={instance} view="/sync">
                        <code>{copy?.entity}</code> as of <Time at={copy?.synced_at ?? null} />
                        {copy?.late === true ? ' · late' : ''}
                        {state === null || state === 'ready'
                          ? copy?.late === true
                            ? ''
                            : ' · as planned'
                          : ` · ${SYNC_STATES[state].label}`}
                      </Row>
                    ))}
                </ul>
              )}
              <NotKeptUp rows={rows} isAll={isAll} disabled={disabled} refused={refused} />
              <p className="quiet">
                {first === 0
                  ? ''
                  : first === 1
                    ? 'One account has a copy that was not read as a whole so far'
                    : `${first} accounts have a copy that was not read as a whole so far`}
                {first === 0 ? '' : isAll ? '. ' : `, of ${lookedAt} that were looked at. `}
                {areFailing ? 'Accounts whose syncs fail are told above. ' : ''}
                {isAll || late === null || late === 0 ? null : (
                  <>
                    <Link to={addressOf('/sync', { sync: 'late' })}>
                      {late.toLocaleString('en')} of {meta.total?.toLocaleString('en')} accounts
                    </Link>{' '}
                    {late === 1 ? 'has' : 'have'} a copy that is late or fails
                    {isAllLate
                      ? ''
                      : `, of which the ${LOOKED_AT} that were changed last were looked at`}
                    .{' '}
                  </>
                )}
                <Link to={addressOf('/sync')}>All copies</Link>
              </p>
            </>
          )
        }}
      </Loaded>
    </Card>
  )
}

/** What is behind because somebody wanted it so: it is in no list of this screen. */
function NotKeptUp(props: {
  readonly rows: readonly AccountSync[]
  readonly isAll: boolean
  readonly disabled: number
  readonly refused: number
}): ReactNode {
  const { rows, isAll, disabled, refused } = props
  const paused = rows.filter(({ sync }) => sync.paused > 0)
  if (paused.length + disabled + refused === 0) return null
  const standing = rows
    .filter(({ instance }) => needsUser(instance))
    .flatMap(({ sync: { last_synced_at: at } }) => at ?? [])
  const [oldest] = standing.toSorted()
  return (
    <>
      {refused === 0 ? null : (
        <p className="fine">
          <Link to={addressOf('/instances', { state: 'auth_error' })}>
            {refused === 1 ? 'One account' : `${refused.toLocaleString('en')} accounts`}
          </Link>{' '}
          {refused === 1 ? 'stands' : 'stand'} still and {refused === 1 ? 'needs' : 'need'}{' '}
          re-authentication
          {oldest === undefined ? null : (
            <>
              , {refused === 1 ? 'with copies' : 'the longest with copies'} as of{' '}
              <Time at={oldest} />
            </>
          )}
          .
        </p>
      )}
      {paused.length + disabled === 0 ? null : (
        <p className="fine">
          {paused.length === 0 ? null : (
            <>
              Paused by somebody{isAll ? '' : ', of those that were looked at'}:{' '}
              {paused.slice(0, SHOWN).map(({ instance: { id, name }, sync }, index) => (
                <Fragment key={id}>
                  {index === 0 ? '' : ', '}
                  <Link to={addressOf('/sync', { instance: id })}>{plainText(name)}</Link>
                  {sync.paused === sync.copies ? '' : ` (${sync.paused} of ${sync.copies} copies)`}
                </Fragment>
              ))}
              {paused.length > SHOWN
                ? ` and ${(paused.length - SHOWN).toLocaleString('en')} more`
                : ''}
              .{' '}
            </>
          )}
          {disabled === 0 ? null : <Disabled count={disabled} />}
        </p>
      )}
    </>
  )
}

function Disabled({ count }: { readonly count: number }): ReactNode {
  const query = { state: 'disabled', sort: '-updated_at', limit: String(SHOWN) }
  const answer = useGet<InstancePage>(LIST, query, { kept: true })
  const page = answer.kind === 'ready' ? answer.value : answer.last
  return (
    <>
      <Link to={addressOf('/instances', { state: 'disabled' })}>
        {count === 1 ? 'One account' : `${count.toLocaleString('en')} accounts`}
      </Link>{' '}
      {count === 1 ? 'is' : 'are'} disabled
      {page === null || page.data.length === 0 ? null : (
        <>
          {' '}
          (
          <Names
            of={page.data.map(({ id, name }) => ({ connector_id: id, name }))}
            total={count}
            to={(id) => addressOf(`/instances/${id}`)}
          />
          )
        </>
      )}
      : nothing of {count === 1 ? 'it' : 'them'} is kept up.
    </>
  )
}
