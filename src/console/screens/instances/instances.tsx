// The list of accounts: searched, sorted and counted by the service, and as long as there are accounts.
import { useInfiniteQuery, useQueries } from '@tanstack/react-query'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { toldApart } from '../../../display/alike-accounts.ts'
import { STATES } from '../../../display/account-states.ts'
import type { All, Instance, InstancePage, LastSync } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { problemOf } from '../../api/problem.ts'
import { useFresh, useRate } from '../../api/fresh.ts'
import { answers, KEPT_MS, useSettled } from '../../api/use-answer.ts'
import { Empty, ProblemNotice, Skeleton } from '../../parts/answer.tsx'
import { ConnectorIcon } from '../../parts/connector-icon.tsx'
import { Button } from '../../parts/controls.tsx'
import type { NamedPage } from '../../parts/named-accounts.ts'
import { plainText } from '../../../display/plain-text.ts'
import { csvOf } from '../../parts/save-rows.ts'
import { saveText } from '../../parts/save-text.ts'
import { Screen } from '../../parts/screen.tsx'
import { FailingBadge, failsThoughKeptUp, StateBadge } from '../../parts/state-badge.tsx'
import { onRow } from '../../parts/table.tsx'
import { ToldApart } from '../../parts/told-apart.tsx'
import { Time } from '../../parts/values.tsx'
import { addressOf, goTo, Link, type ScreenProps } from '../../place.tsx'
import { AccountFilters } from './account-filters.tsx'
import {
  accountsPage,
  countedWhen,
  isNarrowed,
  PAGE,
  UnknownFilters,
  type Wanted,
  wantedIn,
  WithAll,
} from './all-accounts.tsx'
import { BulkBar } from './bulk.tsx'
import { LastSyncCell } from './last-sync-cell.tsx'
import { useRowKeys } from './row-keys.ts'
import './instances.css'

const ROW_PX = 45
/** A row of two lines, on a phone. */
const TALL_ROW_PX = 69
/** There, what tells an account from another one of its name stands in a line of its own. */
const LINE_PX = 21
const PHONE = '(width < 860px)'
/** So many pages are asked for again as long as somebody looks at them. */
const LIVE_PAGES = 3
/** Accounts that wait for something are looked at more often. */
const CHANGING_MS = 5000
const SORTS = [
  ['', 'newest first'],
  ['created_at', 'oldest first'],
  ['name', 'name, A to Z'],
  ['-name', 'name, Z to A'],
  ['-updated_at', 'last changed'],
] as const

const FIRST: NamedPage | null = null

export function InstancesScreen({ query }: ScreenProps): ReactNode {
  const wanted = wantedIn(query)
  const isFiltered = isNarrowed(wanted)
  const list = useInfiniteQuery({
    queryKey: ['instances', wanted],
    queryFn: ({ pageParam, signal }) => accountsPage(wanted, pageParam, signal),
    initialPageParam: FIRST,
    getNextPageParam: (page) => (page.meta.next_cursor === null ? null : page),
    placeholderData: (before) => before,
    gcTime: KEPT_MS,
  })
  const pages = list.data?.pages ?? []
  const { refetch } = list
  const again = useCallback((isForced: boolean) => refetch({ cancelRefetch: isForced }), [refetch])
  // Of a long list that somebody has gone down, every page would be asked for.
  const isLong = pages.length > LIVE_PAGES
  useFresh(isLong ? null : again)
  const meta = pages[0]?.meta
  const instances = pages.flatMap(({ data }) => data)
  useRate(instances.some(({ state }) => STATES[state].isPassing) ? CHANGING_MS : null)
  const total = meta?.total
  const countedAgo = countedWhen(meta)
  // What is done with those that are chosen may take the last of them out of the list.
  const [hasChosen, setHasChosen] = useState(false)
  return (
    <Screen
      title="Accounts"
      lead={
        total === undefined || (total === 0 && !isFiltered)
          ? 'Accounts of your users at third parties.'
          : `${total.toLocaleString('en')} ${total === 1 ? 'account' : 'accounts'} of your users at third parties${isFiltered ? ', filtered' : ''}${countedAgo === null ? '' : `, counted ${countedAgo}`}.`
      }
      actions={
        <>
          {instances.length === 0 ? null : (
            <WithAll wanted={wanted} total={total} words="Save as CSV" act={saveAccounts} />
          )}
          <Link className="button primary" needs="connecting" to={addressOf('/instances/new')}>
            Connect an account
          </Link>
        </>
      }
    >
      <UnknownFilters query={query} />
      <AccountFilters at="/instances" wanted={wanted} facets={meta?.facets} sorts={SORTS} />
      {isLong ? (
        <p className="quiet">
          As of <Time at={new Date(list.dataUpdatedAt).toISOString()} />: a list as long as this one
          is not looked at again as long as you read it.{' '}
          <Button className="plain" onClick={() => void refetch()}>
            Look again
          </Button>
        </p>
      ) : null}
      {list.error === null ? null : (
        <ProblemNotice problem={problemOf(list.error)} retry={() => void list.refetch()} />
      )}
      {list.data !== undefined && (instances.length > 0 || hasChosen) ? (
        <>
          {pages[0]?.meaning !== 'contains' ? null : (
            <p role="status" className="quiet">
              None begins with “{plainText(wanted.starts_with)}”: these have it elsewhere in their
              name, user, id or connector.
              {meta?.searched_to === undefined ? null : (
                <>
                  {' '}
                  Those that last changed before <Time at={meta.searched_to} exact /> are found by
                  beginnings alone.
                </>
              )}
            </p>
          )}
          <List
            wanted={wanted}
            instances={instances}
            meta={meta}
            hasMore={list.hasNextPage}
            more={list.hasNextPage && !list.isFetchingNextPage ? list.fetchNextPage : null}
            isLoading={list.isFetchingNextPage}
            changed={() => void list.refetch()}
            tellChosen={setHasChosen}
          />
        </>
      ) : null}
      {list.data === undefined ? (
        list.error === null ? (
          <Skeleton lines={8} />
        ) : null
      ) : instances.length > 0 ? null : isFiltered ? (
        <Empty
          title="Nothing matches"
          action={{ words: 'Show all accounts', to: addressOf('/instances'), plain: true }}
        >
          No account has these words, this state, connector and syncs.
        </Empty>
      ) : (
        <Empty
          title="No account is connected yet"
          action={{
            words: 'Connect the first account',
            to: addressOf('/instances/new'),
            needs: 'connecting',
          }}
        >
          An account belongs to one of your users, at a third party. Connect one to explore its
          data, or create it from your app with POST /v1/integrations/connectors.
        </Empty>
      )}
    </Screen>
  )
}

function List(props: {
  readonly instances: readonly Instance[]
  readonly wanted: Wanted
  readonly meta: InstancePage['meta'] | undefined
  readonly hasMore: boolean
  readonly more: (() => unknown) | null
  readonly isLoading: boolean
  readonly changed: () => void
  /** Whether any are chosen: as long as they are, this stays. */
  readonly tellChosen: (has: boolean) => void
}): ReactNode {
  const { instances, more, tellChosen } = props
  const { total, incomplete } = props.meta ?? {}
  const [chosen, setChosen] = useState<ReadonlyMap<string, Instance>>(new Map())
  const has = chosen.size > 0
  useEffect(() => {
    tellChosen(has)
    return () => tellChosen(false)
  }, [has, tellChosen])
  const body = useRef<HTMLTableSectionElement>(null)
  const [margin, setMargin] = useState(0)
  useLayoutEffect(() => {
    const top = body.current?.getBoundingClientRect().top ?? 0
    setMargin(Math.round(top + window.scrollY))
  }, [])
  const isPhone = useSyncExternalStore(whenTurned, () => window.matchMedia(PHONE).matches)
  const apart = useMemo(() => toldApart(instances), [instances])
  const virtual = useWindowVirtualizer({
    count: instances.length,
    estimateSize: (index) =>
      !isPhone
        ? ROW_PX
        : apart.has(instances[index]?.id ?? '')
          ? TALL_ROW_PX + LINE_PX
          : TALL_ROW_PX,
    overscan: 12,
    scrollMargin: margin,
  })
  useEffect(() => virtual.measure(), [isPhone, virtual, apart.size])
  const shown = virtual.getVirtualItems()
  const isNearEnd = (shown.at(-1)?.index ?? 0) >= instances.length - PAGE / 2
  useEffect(() => {
    if (isNearEnd && more !== null) more()
  }, [isNearEnd, more])
  const syncs = useLastSyncs(instances, shown[0]?.index ?? 0, shown.at(-1)?.index ?? 0)
  const choose = (these: readonly Instance[]): void =>
    setChosen(new Map(these.map((each) => [each.id, each])))
  const toggle = (instance: Instance): void => {
    const next = new Map(chosen)
    if (!next.delete(instance.id)) next.set(instance.id, instance)
    setChosen(next)
  }
  const bar = useRef<HTMLElement>(null)
  const chooseAll = (all: readonly Instance[]): void => {
    choose(all)
    // The button that had the focus has nothing left to do, and goes.
    bar.current?.focus()
  }
  useRowKeys(body, {
    count: instances.length,
    first: virtual.getVirtualItemForOffset(Math.max(window.scrollY, margin))?.index ?? 0,
    show: (index) => virtual.scrollToIndex(index),
    toggle: (index) => instances.slice(index, index + 1).forEach(toggle),
    add: (indexes) =>
      choose([...chosen.values(), ...indexes.flatMap((index) => instances[index] ?? [])]),
    clear: chosen.size === 0 ? null : () => choose([]),
  })
  const isAll = instances.every(({ id }) => chosen.has(id))
  const before = (shown[0]?.start ?? margin) - margin
  const after = virtual.getTotalSize() - (shown.at(-1)?.end ?? margin) + margin
  return (
    <>
      <div
        className="table-box accounts one-line two-lines"
        role="region"
        aria-label="Accounts"
        tabIndex={0}
        hidden={instances.length === 0}
      >
        <table aria-rowcount={total ?? -1}>
          <thead>
            <tr>
              <th className="tick-cell">
                <input
                  type="checkbox"
                  aria-label="Choose all that are loaded"
                  checked={isAll}
                  onChange={() => choose(isAll ? [] : instances)}
                />
              </th>
              <th scope="col">Name</th>
              <th scope="col">State</th>
              <th scope="col">User</th>
              <th scope="col">Last sync</th>
              <th scope="col">Created</th>
            </tr>
          </thead>
          <tbody ref={body}>
            <Gap px={before} />
            {shown.map(({ index }) => {
              const instance = instances[index]
              if (instance === undefined) return null
              const { id, name, external_user_id: user, connector_type: type, state } = instance
              return (
                <tr
                  key={id}
                  aria-rowindex={index + 2}
                  className={chosen.has(id) ? 'opens chosen' : 'opens'}
                  onClick={onRow(() => goTo(addressOf(`/instances/${id}`)))}
                >
                  <td className="tick-cell">
                    <input
                      type="checkbox"
                      aria-label={`Choose ${plainText(name)}`}
                      checked={chosen.has(id)}
                      onChange={() => toggle(instance)}
                    />
                  </td>
                  <th scope="row" className="row-name" title={`${plainText(name)} · ${type}`}>
                    <span className="with-icon">
                      <ConnectorIcon type={type} />
                      <Link to={addressOf(`/instances/${id}`)}>{plainText(name)}</Link>
                      {/* On a phone its line is full. */}
                      {isPhone ? null : <ToldApart by={apart.get(id)} />}
                    </span>
                  </th>
                  <td className="row-result">
                    <StateBadge state={state} />{' '}
                    {failsThoughKeptUp(state, syncs.get(id)) ? <FailingBadge id={id} /> : null}
                  </td>
                  <td title={plainText(user)}>
                    {plainText(user)}
                    {isPhone ? <ToldApart by={apart.get(id)} /> : null}
                  </td>
                  <td>
                    <LastSyncCell
                      instance={instance}
                      last={syncs.get(id) ?? null}
                      isToldBefore={failsThoughKeptUp(state, syncs.get(id))}
                    />
                  </td>
                  <td className="row-left-out">
                    <Time at={instance.created_at} />
                  </td>
                </tr>
              )
            })}
            <Gap px={after} />
          </tbody>
        </table>
      </div>
      {incomplete === undefined ? null : <p role="status">Incomplete: {incomplete}.</p>}
      {props.isLoading ? <p className="quiet">Loading more …</p> : null}
      {chosen.size === 0 ? null : (
        <BulkBar
          bar={bar}
          chosen={[...chosen.values()]}
          clear={() => choose([])}
          changed={props.changed}
        >
          {isAll && props.hasMore && chosen.size <= instances.length ? (
            <WithAll
              wanted={props.wanted}
              total={total}
              words={
                total === undefined ? 'Choose all' : `Choose all ${total.toLocaleString('en')}`
              }
              act={chooseAll}
            />
          ) : null}
        </BulkBar>
      )}
    </>
  )
}

function saveAccounts(accounts: readonly Instance[]): void {
  saveText('accounts.csv', 'text/csv', csvOf(COLUMNS, accounts))
}

const COLUMNS = (
  [
    'id',
    'name',
    'state',
    'connector_type',
    'external_user_id',
    'created_at',
    'updated_at',
    'last_checked_at',
  ] as const
).map((title) => ({ title, value: (account: Instance) => account[title] }))

function whenTurned(listen: () => void): () => void {
  const width = window.matchMedia(PHONE)
  width.addEventListener('change', listen)
  return () => width.removeEventListener('change', listen)
}

/** Room for the rows that are not drawn. */
function Gap({ px }: { readonly px: number }): ReactNode {
  return px <= 0 ? null : (
    <tr className="gap" aria-hidden="true">
      <td style={{ height: px }} colSpan={6} />
    </tr>
  )
}

/** Of so many rows it is asked at once how far their copies are, once they are looked at. */
const GROUP = 25
const LOOKED_AT_MS = 250
const LAST_SYNCS = ['last-syncs'] as const

const lookAgain = (isForced: boolean): Promise<unknown> =>
  answers.refetchQueries({ queryKey: LAST_SYNCS, type: 'active' }, { cancelRefetch: isForced })

function useLastSyncs(
  instances: readonly Instance[],
  first: number,
  last: number,
): ReadonlyMap<string, LastSync> {
  const groups = useSettled(
    `${Math.floor(first / GROUP)} ${Math.floor(last / GROUP)}`,
    LOOKED_AT_MS,
  )
  const [from = 0, to = 0] = groups.split(' ').map(Number)
  const found = useQueries({
    queries: Array.from({ length: to - from + 1 }, (_, at) => {
      const rows = instances.slice((from + at) * GROUP, (from + at + 1) * GROUP)
      const ids = rows.map(({ id }) => id).join(',')
      return {
        queryKey: [...LAST_SYNCS, ids],
        queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
          call<All<LastSync>>('GET', '/last-syncs', { query: { connector_ids: ids }, signal }),
        enabled: ids !== '',
        gcTime: KEPT_MS,
      }
    }),
  })
  const all = found.flatMap(({ data }) => data?.data ?? [])
  useFresh(lookAgain)
  useRate(all.some(({ state }) => state === 'error') ? CHANGING_MS : null)
  return new Map(all.map((each) => [each.connector_id, each]))
}
