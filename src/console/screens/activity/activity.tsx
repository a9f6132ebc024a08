// Activity: the latest operations, what became of them, and one in detail.
import { type ReactNode, useState } from 'react'
import type { All, AnsweredOperation } from '../../api/answers.ts'
import { useEvery, useGet } from '../../api/use-answer.ts'
import { Button, onSubmit, Select, Tick } from '../../parts/controls.tsx'
import { Id, Facts, Time } from '../../parts/values.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Empty, Loaded, OutcomeNote } from '../../parts/answer.tsx'
import { addressOf, goTo, Link, type ScreenProps } from '../../place.tsx'
import { Screen } from '../../parts/screen.tsx'
import { type Column, Table } from '../../parts/table.tsx'

const EVERY_MS = 3000

export function ActivityScreen({ query }: ScreenProps): ReactNode {
  const instance = query.get('instance') ?? ''
  const failed = query.get('failed') ?? ''
  const [words, setWords] = useState('')
  const [live, setLive] = useState(true)
  const [open, setOpen] = useState<AnsweredOperation | null>(null)
  const answer = useGet<All<AnsweredOperation>>('/activity', { connector_id: instance, failed })
  useEvery(live ? EVERY_MS : null, answer.reload)
  return (
    <Screen
      title="Activity"
      lead="The latest operations that this process answered, at most 500. Parameters and records are not kept."
    >
      <form
        className="filters"
        role="search"
        aria-label="Filter operations"
        onSubmit={onSubmit(() => {})}
      >
        <Select
          label="Result"
          value={failed}
          options={[
            ['', 'any'],
            ['true', 'failed'],
          ]}
          choose={(next) =>
            goTo(addressOf('/activity', { instance, failed: next }), { replace: true })
          }
        />
        <label>
          Contains
          <input
            type="search"
            placeholder="operation, code, request id"
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
        </label>
        <Tick className="inline beside" words="Live" checked={live} change={setLive} />
        {instance === '' ? null : (
          <p className="beside">
            One account only. <Link to={addressOf('/activity', { failed })}>Show all</Link>
          </p>
        )}
      </form>
      <Loaded of={answer}>
        {({ data }) => {
          const shown = data.filter((operation) => textOf(operation).includes(words.toLowerCase()))
          if (shown.length > 0)
            return (
              <Table
                label="Operations"
                className="records"
                columns={columnsWith(setOpen)}
                rows={shown}
                keyOf={({ request_id: id, at }) => `${id} ${at}`}
              />
            )
          return data.length > 0 || failed !== '' ? (
            <Empty title="Nothing matches">
              No operation among the latest has this result and these words.
            </Empty>
          ) : (
            <Empty
              title="No operation yet"
              action={{ words: 'Open the explorer', to: addressOf('/explorer', { instance }) }}
            >
              Operations appear here as your app, an agent or the explorer runs them.
            </Empty>
          )
        }}
      </Loaded>
      {open === null ? null : <Detail operation={open} close={() => setOpen(null)} />}
    </Screen>
  )
}

function textOf({ entity, action, code, request_id: id, connector_type: type }: AnsweredOperation) {
  return `${type} ${entity}.${action} ${code ?? ''} ${id}`.toLowerCase()
}

function columnsWith(
  open: (operation: AnsweredOperation) => void,
): readonly Column<AnsweredOperation>[] {
  return [
    {
      title: 'Operation',
      cell: (operation) => (
        <Button className="plain mono" onClick={() => open(operation)}>
          {operation.entity}.{operation.action}
        </Button>
      ),
    },
    { title: 'Result', cell: (operation) => <Result operation={operation} /> },
    { title: 'Connector', cell: (operation) => operation.connector_type },
    { title: 'Duration', kind: 'number', cell: ({ took_ms: ms }) => `${Math.round(ms)} ms` },
    {
      title: 'Upstream requests',
      kind: 'number',
      cell: ({ upstream_requests: count }) => count ?? 'not counted',
    },
    { title: 'When', cell: ({ at }) => <Time at={at} /> },
  ]
}

function Result({ operation }: { readonly operation: AnsweredOperation }): ReactNode {
  return (
    <span className={`badge ${operation.code === null ? 'good' : 'bad'}`}>
      {operation.status} {operation.code}
    </span>
  )
}

function Detail(props: {
  readonly operation: AnsweredOperation
  readonly close: () => void
}): ReactNode {
  const { operation } = props
  return (
    <Dialog title={`${operation.entity}.${operation.action}`} close={props.close} wide>
      <p>
        <Result operation={operation} /> {operation.detail}
      </p>
      <OutcomeNote outcome={operation.outcome} steps={operation.steps} />
      <Facts
        of={[
          ['Request id', <Id of={operation.request_id} label="Copy the request id" />],
          [
            'Account',
            <Link to={addressOf(`/instances/${operation.connector_id}`)}>
              {operation.connector_type} {operation.connector_id}
            </Link>,
          ],
          [
            'Asked by',
            (operation.client_id ?? 'the host app') +
              (operation.external_user_id === null ? '' : `, for ${operation.external_user_id}`),
          ],
          ['Ended', operation.at],
          ['Duration', `${operation.took_ms} ms`],
          ['Upstream requests', operation.upstream_requests],
          ['Bytes', operation.bytes?.toLocaleString('en') ?? null],
        ]}
      />
      <p>
        <Link
          to={addressOf('/explorer', {
            instance: operation.connector_id,
            entity: operation.entity,
            action: operation.action,
          })}
        >
          Open this operation in the explorer
        </Link>
      </p>
    </Dialog>
  )
}
