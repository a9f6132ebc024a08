// The list of instances.
import { type ReactNode, useEffect, useState } from 'react'
import type { ConnectorSummary, Instance, InstancePage, LastSync } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { useAnswer, useDeed } from '../../api/use-answer.ts'
import { Empty } from '../../parts/empty.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Screen } from '../../parts/screen.tsx'
import { StateBadge, STATES } from '../../parts/state-badge.tsx'
import { Time } from '../../parts/time.tsx'
import { addressOf, goTo } from '../../place.ts'
import type { ScreenProps } from '../screen-entry.ts'
import { LastSyncCell } from './last-sync-cell.tsx'

const FILTERS = ['state', 'connector_type', 'external_user_id'] as const
type Filter = Readonly<Record<(typeof FILTERS)[number], string>>

export function InstancesScreen({ query }: ScreenProps): ReactNode {
  const filter: Filter = {
    state: query.get('state') ?? '',
    connector_type: query.get('connector_type') ?? '',
    external_user_id: query.get('external_user_id') ?? '',
  }
  const isFiltered = FILTERS.some((name) => filter[name] !== '')
  const page = useAnswer(JSON.stringify(filter), (signal) =>
    call<InstancePage>('GET', '/integrations/connectors', { query: filter, signal }),
  )
  return (
    <Screen
      title="Instances"
      lead="Accounts of your users at third parties."
      actions={
        <Link className="button primary" to={addressOf('/instances/new')}>
          Connect an account
        </Link>
      }
    >
      <Filters filter={filter} />
      <Loaded of={page}>
        {(first) =>
          first.data.length > 0 ? (
            <Table key={JSON.stringify(filter)} first={first} filter={filter} />
          ) : isFiltered ? (
            <Empty
              title="Nothing matches"
              action={<Link to={addressOf('/instances')}>Show all instances</Link>}
            >
              No instance has this state, connector and user.
            </Empty>
          ) : (
            <Empty
              title="No account is connected yet"
              action={
                <Link className="button primary" to={addressOf('/instances/new')}>
                  Connect the first account
                </Link>
              }
            >
              An instance is one account of one of your users at a third party. Connect one to
              explore its data, or create it from your app with POST /v1/integrations/connectors.
            </Empty>
          )
        }
      </Loaded>
    </Screen>
  )
}

function Filters(props: { readonly filter: Filter }): ReactNode {
  const types = useAnswer('types', (signal) =>
    call<{ readonly data: readonly ConnectorSummary[] }>('GET', '/connectors', { signal }),
  )
  const [user, setUser] = useState(props.filter.external_user_id)
  useEffect(() => setUser(props.filter.external_user_id), [props.filter.external_user_id])
  const show = (change: Partial<Filter>): void =>
    goTo(addressOf('/instances', { ...props.filter, ...change }), { replace: true })
  return (
    <form
      className="filters"
      role="search"
      aria-label="Filter instances"
      onSubmit={(event) => {
        event.preventDefault()
        show({ external_user_id: user.trim() })
      }}
    >
      <label>
        State
        <select
          value={props.filter.state}
          onChange={(event) => show({ state: event.target.value })}
        >
          <option value="">any</option>
          {Object.entries(STATES).map(([state, { label }]) => (
            <option key={state} value={state}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label>
        Connector
        <select
          value={props.filter.connector_type}
          onChange={(event) => show({ connector_type: event.target.value })}
        >
          <option value="">any</option>
          {(types.kind === 'ready' ? types.value.data : []).map((type) => (
            <option key={type.connector_type} value={type.connector_type}>
              {type.title}
            </option>
          ))}
        </select>
      </label>
      <label>
        User
        <input
          type="search"
          placeholder="external_user_id, then Enter"
          value={user}
          onChange={(event) => setUser(event.target.value)}
          onBlur={() => {
            if (user.trim() !== props.filter.external_user_id)
              show({ external_user_id: user.trim() })
          }}
        />
      </label>
    </form>
  )
}

function Table(props: { readonly first: InstancePage; readonly filter: Filter }): ReactNode {
  const [pages, setPages] = useState<readonly InstancePage[]>([props.first])
  const cursor = pages.at(-1)?.meta.next_cursor ?? null
  const { busy, problem, run } = useDeed()
  const load = (): Promise<void> =>
    run(async () => {
      const page = await call<InstancePage>('GET', '/integrations/connectors', {
        query: { ...props.filter, cursor: cursor ?? '' },
      })
      setPages((before) => [...before, page])
    })
  return (
    <>
      <div className="table-box" tabIndex={0} role="region" aria-label="Instances">
        <table className="lines">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">State</th>
              <th scope="col">Connector</th>
              <th scope="col">User</th>
              <th scope="col">Last sync</th>
              <th scope="col">Last check</th>
              <th scope="col">Created</th>
            </tr>
          </thead>
          {pages.map(({ data }) => (
            <Rows key={data[0]?.id} instances={data} />
          ))}
        </table>
      </div>
      <ProblemNotice problem={problem} />
      {cursor === null ? null : (
        <button type="button" onClick={() => void load()} disabled={busy}>
          {busy ? 'Loading …' : 'Show more'}
        </button>
      )}
    </>
  )
}

/** One page of the list; how far its copies are is asked for once. */
function Rows({ instances }: { readonly instances: readonly Instance[] }): ReactNode {
  const ids = instances.map(({ id }) => id).join(',')
  const syncs = useAnswer(ids, (signal) =>
    call<{ readonly data: readonly LastSync[] }>('GET', '/last-syncs', {
      query: { connector_ids: ids },
      signal,
    }),
  )
  const found = syncs.kind === 'ready' ? syncs.value.data : []
  return (
    <tbody>
      {instances.map((instance) => (
        <tr key={instance.id}>
          <th scope="row">
            <Link to={addressOf(`/instances/${instance.id}`)}>{instance.name}</Link>
          </th>
          <td>
            <StateBadge state={instance.state} />
          </td>
          <td>{instance.connector_type}</td>
          <td title={instance.external_user_id}>{instance.external_user_id}</td>
          <td>
            <LastSyncCell
              instanceId={instance.id}
              last={found.find((each) => each.connector_id === instance.id) ?? null}
            />
          </td>
          <td>
            <Time at={instance.last_checked_at} />
          </td>
          <td>
            <Time at={instance.created_at} />
          </td>
        </tr>
      ))}
    </tbody>
  )
}
