// The list of instances.
import { type ReactNode, useEffect, useState } from 'react'
import type { All, ConnectorSummary, Instance, InstancePage, LastSync } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { useGet, useTask } from '../../api/use-answer.ts'
import { Button, onSubmit, Select } from '../../parts/controls.tsx'
import { Empty, Loaded, ProblemNotice } from '../../parts/answer.tsx'
import { addressOf, goTo, Link, type ScreenProps } from '../../place.tsx'
import { Screen } from '../../parts/screen.tsx'
import { StateBadge, STATES } from '../../parts/state-badge.tsx'
import { type Column, Rows, TableBox } from '../../parts/table.tsx'
import { Time } from '../../parts/values.tsx'
import { LastSyncCell } from './last-sync-cell.tsx'

type Filter = Readonly<Record<'state' | 'connector_type' | 'external_user_id', string>>

export function InstancesScreen({ query }: ScreenProps): ReactNode {
  const of = (name: string): string => query.get(name) ?? ''
  const filter = {
    state: of('state'),
    connector_type: of('connector_type'),
    external_user_id: of('external_user_id'),
  }
  const isFiltered = Object.values(filter).some((value) => value !== '')
  const page = useGet<InstancePage>('/integrations/connectors', filter)
  return (
    <Screen
      title="Accounts"
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
              action={{ words: 'Show all accounts', to: addressOf('/instances'), plain: true }}
            >
              No instance has this state, connector and user.
            </Empty>
          ) : (
            <Empty
              title="No account is connected yet"
              action={{ words: 'Connect the first account', to: addressOf('/instances/new') }}
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

const ANY = ['', 'any'] as const

function Filters(props: { readonly filter: Filter }): ReactNode {
  const types = useGet<All<ConnectorSummary>>('/connectors')
  const [user, setUser] = useState(props.filter.external_user_id)
  useEffect(() => setUser(props.filter.external_user_id), [props.filter.external_user_id])
  const show = (change: Partial<Filter>): void =>
    goTo(addressOf('/instances', { ...props.filter, ...change }), { replace: true })
  return (
    <form
      className="filters"
      role="search"
      aria-label="Filter instances"
      onSubmit={onSubmit(() => show({ external_user_id: user.trim() }))}
    >
      <Select
        label="State"
        value={props.filter.state}
        options={[
          ANY,
          ...Object.entries(STATES).map(([state, { label }]) => [state, label] as const),
        ]}
        choose={(state) => show({ state })}
      />
      <Select
        label="Connector"
        value={props.filter.connector_type}
        options={[
          ANY,
          ...(types.kind === 'ready' ? types.value.data : []).map(
            (type) => [type.connector_type, type.title] as const,
          ),
        ]}
        choose={(type) => show({ connector_type: type })}
      />
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
  const incomplete = pages.at(-1)?.meta.incomplete
  const { busy, problem, run } = useTask()
  const load = (): Promise<void> =>
    run(async () => {
      const page = await call<InstancePage>('GET', '/integrations/connectors', {
        query: { ...props.filter, cursor: cursor ?? '' },
      })
      setPages((before) => [...before, page])
    })
  return (
    <>
      <TableBox label="Instances" className="lines" columns={columnsWith([])}>
        {pages.map(({ data }) => (
          <Page key={data[0]?.id} instances={data} />
        ))}
      </TableBox>
      {incomplete === undefined ? null : <p role="status">Incomplete: {incomplete}.</p>}
      <ProblemNotice problem={problem} />
      {cursor === null ? null : (
        <Button onClick={() => void load()} disabled={busy}>
          {busy ? 'Loading …' : 'Show more'}
        </Button>
      )}
    </>
  )
}

/** One page of the list; how far its copies are is asked for once. */
function Page({ instances }: { readonly instances: readonly Instance[] }): ReactNode {
  const ids = instances.map(({ id }) => id).join(',')
  const syncs = useGet<All<LastSync>>('/last-syncs', { connector_ids: ids })
  const columns = columnsWith(syncs.kind === 'ready' ? syncs.value.data : [])
  return <Rows columns={columns} rows={instances} keyOf={({ id }) => id} />
}

function columnsWith(syncs: readonly LastSync[]): readonly Column<Instance>[] {
  return [
    {
      title: 'Name',
      kind: 'name',
      cell: ({ id, name }) => <Link to={addressOf(`/instances/${id}`)}>{name}</Link>,
    },
    { title: 'State', cell: ({ state }) => <StateBadge state={state} /> },
    { title: 'Connector', cell: (instance) => instance.connector_type },
    {
      title: 'User',
      cell: (instance) => instance.external_user_id,
      hint: (instance) => instance.external_user_id,
    },
    {
      title: 'Last sync',
      cell: ({ id }) => (
        <LastSyncCell
          instanceId={id}
          last={syncs.find((each) => each.connector_id === id) ?? null}
        />
      ),
    },
    { title: 'Last check', cell: (instance) => <Time at={instance.last_checked_at} /> },
    { title: 'Created', cell: (instance) => <Time at={instance.created_at} /> },
  ]
}
