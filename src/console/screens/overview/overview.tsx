// The first screen: how the accounts do, what needs a person, which copies lag, and what has happened in a day.
import type { ReactNode } from 'react'
import type { Instance, InstancePage, LastSync } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { type Answer, useAnswer, useGet } from '../../api/use-answer.ts'
import { Empty, Loaded } from '../../parts/answer.tsx'
import { Card } from '../../parts/card.tsx'
import { ConnectorIcon } from '../../parts/connector-icon.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { Screen } from '../../parts/screen.tsx'
import { STATES, stateInWords } from '../../parts/state-badge.tsx'
import { Time } from '../../parts/values.tsx'
import { addressOf, Link, type ScreenProps } from '../../place.tsx'
import { accountSyncs, type AccountSync } from '../sync/account-syncs.ts'
import { SYNC_STATES } from '../sync/sync-states.ts'
import { Day } from './day.tsx'
import { AllWell, Failing } from './failing.tsx'
import { Period, periodIn } from './period.tsx'
import './overview.css'

const LIST = '/integrations/connectors'
const SHOWN = 5
/** Of so many accounts, those that were changed last, the copies are looked at: each costs a look-up. */
const LOOKED_AT = 40

export function OverviewScreen({ query }: ScreenProps): ReactNode {
  const page = useGet<InstancePage>(LIST, { counts: 'true', limit: '1' }, { kept: true })
  // Asked for together with all else, and not once that is there.
  const lagging = useLagging()
  return (
    <Screen
      title="Overview"
      lead="How the connected accounts do, and what needs a person."
      actions={
        <Link className="button primary" to={addressOf('/instances/new')}>
          Connect an account
        </Link>
      }
    >
      <Loaded of={page}>
        {({ meta }) =>
          meta.total === 0 ? (
            <Empty
              title="No account is connected yet"
              action={{ words: 'Connect the first account', to: addressOf('/instances/new') }}
            >
              Connect an account of a third party, explore its data, and copy the calls into your
              app.
            </Empty>
          ) : (
            <>
              <States meta={meta} />
              <div className="home-pair">
                <NeedsPerson />
                <Failing meta={meta} />
              </div>
              <Period value={periodIn(query)}>
                <Day>
                  <Lagging of={lagging} />
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
  const failing = meta.facets?.sync[0]?.count ?? 0
  // What needs somebody comes first; of what is not there, nothing is told.
  const states = Object.entries(STATES)
    .map(([state, text]) => ({ state, ...text, count: counted.get(state) ?? 0 }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => Number(b.tone === 'bad') - Number(a.tone === 'bad'))
  return (
    <ul className="figures" aria-label="Accounts by state">
      <Figure words="Accounts" count={meta.total ?? 0} to={addressOf('/instances')} tone="all" />
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

function NeedsPerson(): ReactNode {
  const query = { state: 'auth_error', sort: '-updated_at', limit: String(SHOWN), counts: 'true' }
  const page = useGet<InstancePage>(LIST, query, { kept: true })
  return (
    <Card title="Needs a person">
      <Loaded of={page}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <AllWell>No account waits for its user.</AllWell>
          ) : (
            <>
              <ul className="home-list">
                {data.map((instance) => (
                  <Row key={instance.id} instance={instance} view="">
                    {stateInWords(instance)}{' '}
                    {instance.state_reason === null ? null : (
                      <Time at={instance.state_reason.since} />
                    )}
                  </Row>
                ))}
              </ul>
              {(meta.total ?? 0) > SHOWN ? (
                <Link to={addressOf('/instances', { state: 'auth_error' })}>
                  All {(meta.total ?? 0).toLocaleString('en')}
                </Link>
              ) : null}
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

const LAGGING: ReadonlySet<LastSync['state']> = new Set(['suspicious', 'initial'])

interface Lags {
  readonly lags: readonly AccountSync[]
  /** Of those that neither lag nor fail, the one whose copy is oldest; null: none keeps a copy. */
  readonly oldest: AccountSync | null
}

function useLagging(): Answer<Lags> {
  return useAnswer('lagging', async (signal) => {
    const query = { sort: '-updated_at', limit: String(LOOKED_AT) }
    const { data } = await call<InstancePage>('GET', LIST, { query, signal })
    const syncs = await accountSyncs(data, signal)
    const lags = syncs.filter(({ sync }) => LAGGING.has(sync.state))
    // Those in doubt before those that have only begun.
    const isBegun = ({ sync }: AccountSync): number => Number(sync.state === 'initial')
    const [oldest = null] = syncs
      .filter(({ sync }) => sync.state === 'ready' && sync.furthest_behind?.synced_at != null)
      .toSorted((a, b) => readAt(a) - readAt(b))
    return { lags: lags.toSorted((a, b) => isBegun(a) - isBegun(b)), oldest }
  })
}

function readAt({ sync }: AccountSync): number {
  return Date.parse(sync.furthest_behind?.synced_at ?? '')
}

/** The last card of the screen, which moves nothing when it comes: until it knows, there is none. */
function Lagging({ of: answer }: { readonly of: Answer<Lags> }): ReactNode {
  if (answer.kind === 'loading') return null
  return (
    <Card title="Copies that lag">
      <Loaded of={answer}>
        {({ lags, oldest }) =>
          lags.length === 0 ? (
            <>
              <AllWell>
                None of the accounts looked at has a copy that lacks records or is read for the
                first time.
              </AllWell>
              <Oldest of={oldest} />
            </>
          ) : (
            <>
              <ul className="home-list">
                {lags.slice(0, SHOWN).map(({ instance, sync }) => (
                  <Row key={instance.id} instance={instance} view="/sync">
                    {sync.state === null ? '' : SYNC_STATES[sync.state].label}
                    {sync.state === 'initial' || sync.last_synced_at === null ? null : (
                      <>
                        {' '}
                        · as of <Time at={sync.last_synced_at} />
                      </>
                    )}
                  </Row>
                ))}
              </ul>
              {lags.length > SHOWN ? (
                <p className="quiet">
                  {lags.length - SHOWN} more of the {LOOKED_AT} accounts that were changed last.
                </p>
              ) : null}
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

/** How old a copy may be its interval says, which differs by entity: the age is told, not judged. */
function Oldest({ of: oldest }: { readonly of: AccountSync | null }): ReactNode {
  const furthest = oldest?.sync.furthest_behind ?? null
  if (oldest === null || furthest === null) return null
  const { id, name } = oldest.instance
  return (
    <p className="fine">
      The oldest copy of those that do not fail: <code>{furthest.entity}</code> of{' '}
      <Link to={addressOf('/sync', { instance: id })}>{plainText(name)}</Link>, as of{' '}
      <Time at={furthest.synced_at} />.
    </p>
  )
}

function Row(props: {
  readonly instance: Instance
  readonly view: '' | '/sync'
  readonly children: ReactNode
}): ReactNode {
  const { id, name, connector_type: type } = props.instance
  const to =
    props.view === '' ? addressOf(`/instances/${id}`) : addressOf(props.view, { instance: id })
  return (
    <li>
      <ConnectorIcon type={type} />
      <div>
        <Link to={to}>{plainText(name)}</Link>
        <p className="fine">{props.children}</p>
      </div>
    </li>
  )
}
