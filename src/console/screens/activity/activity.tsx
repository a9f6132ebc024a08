// Activity: the latest operations, what became of them, and one in detail.
import { type ReactNode, useEffect, useState } from 'react'
import type { AnsweredOperation } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { CopyButton } from '../../parts/code-block.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { OutcomeNote } from '../../parts/outcome-note.tsx'
import { Screen } from '../../parts/screen.tsx'
import { Time } from '../../parts/time.tsx'
import { addressOf, goTo } from '../../place.ts'
import type { ScreenProps } from '../screen-entry.ts'

const EVERY_MS = 3000

export function ActivityScreen({ query }: ScreenProps): ReactNode {
  const instance = query.get('instance') ?? ''
  const failed = query.get('failed') ?? ''
  const [words, setWords] = useState('')
  const [live, setLive] = useState(true)
  const [open, setOpen] = useState<AnsweredOperation | null>(null)
  const answer = useAnswer(`${instance} ${failed}`, (signal) =>
    call<{ readonly data: readonly AnsweredOperation[] }>('GET', '/activity', {
      query: { connector_id: instance, failed },
      signal,
    }),
  )
  const { reload } = answer
  useEffect(() => {
    if (!live) return
    const timer = window.setInterval(() => {
      if (document.visibilityState === 'visible') reload()
    }, EVERY_MS)
    return () => window.clearInterval(timer)
  }, [live, reload])
  return (
    <Screen
      title="Activity"
      lead="The latest operations that this process answered, at most 500. Parameters and records are not kept."
    >
      <form
        className="filters"
        role="search"
        aria-label="Filter operations"
        onSubmit={(event) => event.preventDefault()}
      >
        <label>
          Result
          <select
            value={failed}
            onChange={(event) =>
              goTo(addressOf('/activity', { instance, failed: event.target.value }), {
                replace: true,
              })
            }
          >
            <option value="">any</option>
            <option value="true">failed</option>
          </select>
        </label>
        <label>
          Contains
          <input
            type="search"
            placeholder="operation, code, request id"
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
        </label>
        <label className="inline beside">
          <input
            type="checkbox"
            checked={live}
            onChange={(event) => setLive(event.target.checked)}
          />{' '}
          Live
        </label>
        {instance === '' ? null : (
          <p className="beside">
            One account only. <Link to={addressOf('/activity', { failed })}>Show all</Link>
          </p>
        )}
      </form>
      <Loaded of={answer}>
        {({ data }) => {
          const shown = data.filter((operation) => textOf(operation).includes(words.toLowerCase()))
          if (shown.length > 0) return <Operations operations={shown} open={setOpen} />
          return data.length > 0 || failed !== '' ? (
            <Empty title="Nothing matches">
              No operation among the latest has this result and these words.
            </Empty>
          ) : (
            <Empty
              title="No operation yet"
              action={
                <Link className="button primary" to={addressOf('/explorer', { instance })}>
                  Open the explorer
                </Link>
              }
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

function Operations(props: {
  readonly operations: readonly AnsweredOperation[]
  readonly open: (operation: AnsweredOperation) => void
}): ReactNode {
  return (
    <div className="table-box records" tabIndex={0} role="region" aria-label="Operations">
      <table>
        <thead>
          <tr>
            <th scope="col">Operation</th>
            <th scope="col">Result</th>
            <th scope="col">Connector</th>
            <th scope="col" className="number">
              Duration
            </th>
            <th scope="col" className="number">
              Upstream requests
            </th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          {props.operations.map((operation) => (
            <tr key={`${operation.request_id} ${operation.at}`}>
              <td>
                <button type="button" className="plain mono" onClick={() => props.open(operation)}>
                  {operation.entity}.{operation.action}
                </button>
              </td>
              <td>
                <Result operation={operation} />
              </td>
              <td>{operation.connector_type}</td>
              <td className="number">{Math.round(operation.took_ms)} ms</td>
              <td className="number">{operation.upstream_requests ?? 'not counted'}</td>
              <td>
                <Time at={operation.at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
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
      <dl className="facts">
        <dt>Request id</dt>
        <dd>
          <code>{operation.request_id}</code>{' '}
          <CopyButton text={operation.request_id} label="Copy the request id" />
        </dd>
        <dt>Account</dt>
        <dd>
          <Link to={addressOf(`/instances/${operation.connector_id}`)}>
            {operation.connector_type} {operation.connector_id}
          </Link>
        </dd>
        <dt>Asked by</dt>
        <dd>
          {operation.client_id ?? 'the host app'}
          {operation.external_user_id === null ? '' : `, for ${operation.external_user_id}`}
        </dd>
        <dt>Ended</dt>
        <dd>{operation.at}</dd>
        <dt>Duration</dt>
        <dd>{operation.took_ms} ms</dd>
        {operation.upstream_requests === null ? null : (
          <>
            <dt>Upstream requests</dt>
            <dd>{operation.upstream_requests}</dd>
          </>
        )}
        {operation.bytes === null ? null : (
          <>
            <dt>Bytes</dt>
            <dd>{operation.bytes.toLocaleString('en')}</dd>
          </>
        )}
      </dl>
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
