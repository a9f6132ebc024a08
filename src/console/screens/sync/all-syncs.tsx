// The copies of all accounts: what fails, each cause once, and which account is furthest behind.
import type { ReactNode } from 'react'
import type { InstancePage } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { useAnswer, useEvery } from '../../api/use-answer.ts'
import { AccountBox } from '../../parts/account-box.tsx'
import { Loaded } from '../../parts/answer.tsx'
import { ConnectorIcon } from '../../parts/connector-icon.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { Screen } from '../../parts/screen.tsx'
import { STATES } from '../../parts/state-badge.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/values.tsx'
import { addressOf, goTo, Link } from '../../place.tsx'
import { NoAccount } from '../instances/account-screen.tsx'
import { Failing } from '../overview/failing.tsx'
import { type AccountSync, accountSyncs } from './account-syncs.ts'
import { STOPPED, SYNC_STATES } from './sync-states.ts'

const LIST = '/integrations/connectors'
/** Accounts that are looked at: a page of all; where there are more, also one of those that fail. */
const LOOKED_AT = 200
const LOOKED_AT_MS = 30_000

export function AllSyncs(): ReactNode {
  const answer = useAnswer('all-syncs', furthestBehind)
  useEvery(LOOKED_AT_MS, answer.reload)
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

interface Behind {
  readonly meta: InstancePage['meta']
  readonly rows: readonly AccountSync[]
  /** Whether every account was looked at. */
  readonly isAll: boolean
  readonly lookedAt: number
}

async function furthestBehind(signal: AbortSignal): Promise<Behind> {
  const query = { sort: '-updated_at', limit: String(LOOKED_AT) }
  const page = (more: Readonly<Record<string, string>>): Promise<InstancePage> =>
    call<InstancePage>('GET', LIST, { query: { ...query, ...more }, signal })
  const all = await page({ counts: 'true' })
  const isAll = !all.meta.has_more
  const failing = isAll ? [] : (await page({ sync: 'failing' })).data
  const accounts = new Map([...failing, ...all.data].map((each) => [each.id, each]))
  const syncs = await accountSyncs([...accounts.values()], signal)
  // What keeps no copy is not behind.
  const rows = syncs.filter(({ sync }) => sync.state !== null)
  const sorted = rows.toSorted((a, b) => behindSince(a) - behindSince(b))
  return { meta: all.meta, rows: sorted, isAll, lookedAt: accounts.size }
}

/** Milliseconds since 1970; what was never read is behind since it was connected, and what somebody paused is not. */
function behindSince({ instance, sync }: AccountSync): number {
  const { furthest_behind: furthest, last_synced_at: last } = sync
  if (furthest !== null) return Date.parse(furthest.synced_at ?? instance.created_at)
  return needsUser(instance) ? Date.parse(last ?? instance.created_at) : Number.POSITIVE_INFINITY
}

/** Nobody has paused it: it stands still until its user connects again. */
function needsUser({ state }: AccountSync['instance']): boolean {
  return state === 'auth_error'
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
    cell: ({ instance, sync: { state } }) => {
      if (state === null) return null
      const isStopped = state === 'paused' && !STATES[instance.state].isSynchronized
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
