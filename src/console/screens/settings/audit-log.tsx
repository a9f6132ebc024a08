// Who did what, in pages, by the filters of GET /audit.
import { type ReactNode, useMemo } from 'react'
import { deedWords, NAMED_OUTCOMES } from '../../../display/audit-actions.ts'
import type { AuditEvent } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Empty, Loaded } from '../../parts/answer.tsx'
import { Card, type CardWords } from '../../parts/card.tsx'
import { TurnPages } from '../../parts/controls.tsx'
import { useCursors } from '../../parts/cursors.ts'
import { ExportRows } from '../../parts/export-rows.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/values.tsx'
import { addressOf, Link, usePlace } from '../../place.tsx'
import { askedIn, auditAddress, AuditFilter, auditQuery, UNNAMED } from './audit-filter.tsx'

interface Page {
  readonly data: readonly AuditEvent[]
  readonly meta: {
    readonly next_cursor: string | null
    readonly kept_days: number
    readonly incomplete?: string
  }
}

export function AuditLog(words: CardWords): ReactNode {
  const { query } = usePlace()
  const text = String(query)
  return (
    <Card {...words}>
      <AuditFilter asked={askedIn(query)} />
      <Events key={text} text={text} />
    </Card>
  )
}

/** `text`: the query of the address. */
function Events({ text }: { readonly text: string }): ReactNode {
  // All pages begin at the same moment.
  const asked = useMemo(() => auditQuery(askedIn(new URLSearchParams(text))), [text])
  const { cursor, turns } = useCursors()
  const query = { ...asked, limit: '50', ...(cursor === undefined ? {} : { cursor }) }
  const page = useAnswer<Page>(`/audit ${JSON.stringify(query)}`, (signal) =>
    call<Page>('GET', '/audit', { query, signal }),
  )
  return (
    <Loaded of={page}>
      {({ data, meta }) => (
        <>
          {meta.incomplete === undefined ? null : <p className="notice bad">{meta.incomplete}</p>}
          <div className="audit-head">
            <span className="quiet">Events are kept for {meta.kept_days} days.</span>
            <ExportRows path="/audit/export" name="tenon-audit" query={asked} />
          </div>
          {data.length === 0 ? (
            <Empty title="No event fits">
              Nothing like this happened in the time that is kept. Refusals appear within a minute.
            </Empty>
          ) : (
            <Table
              label="Events"
              className="audit-rows two-lines"
              rows={data}
              keyOf={({ chain, seq }) => `${chain} ${seq}`}
              columns={COLUMNS}
            />
          )}
          <TurnPages words={['Newer', 'Older']} {...turns(meta.next_cursor)} />
        </>
      )}
    </Loaded>
  )
}

const COLUMNS: readonly Column<AuditEvent>[] = [
  {
    title: 'When',
    cell: ({ at }) => (
      <>
        <span className="audit-exact">
          <Time at={at} exact />
        </span>
        <small className="quiet">
          <Time at={at} />
        </small>
      </>
    ),
  },
  {
    title: 'Who',
    className: 'settings-cell',
    cell: ({ actor, actor_name: name }) => (
      <Link to={auditAddress({ actor })}>
        <Named id={actor} name={name} />
      </Link>
    ),
  },
  {
    title: 'What',
    kind: 'name',
    className: 'row-name',
    cell: ({ action, outcome, members, request_id: request }) => (
      <>
        {deedWords(action, outcome) ?? action}
        <small className="quiet">
          <code>{action}</code> {members.map(plainText).join(', ')}
          {request === null || !OF_LOGS.test(action) ? null : (
            <>
              {' '}
              <Link to={addressOf('/logs', { request_id: request })}>in the logs</Link>
            </>
          )}
        </small>
      </>
    ),
  },
  { title: 'On', className: 'settings-cell', cell: (event) => <Target of={event} /> },
  { title: 'Outcome', className: 'row-result', cell: (event) => <Outcome of={event} /> },
]

/** What has an entry there. */
const OF_LOGS = /^(?:execute\.|request$)/

/** What was denied or failed is told apart from what was done. */
function Outcome({ of: { action, outcome } }: { readonly of: AuditEvent }): ReactNode {
  const isNamed = NAMED_OUTCOMES.some((name) => name === action)
  if (isNamed || outcome === 'done') return <span className="badge">{outcome}</span>
  const isDoubtful = /uncertain|in part|some left/.test(outcome)
  const isDenied = action === 'access.refuse' || /^(?:scope_denied|refused)/.test(outcome)
  return (
    <>
      <span className={`badge ${isDoubtful ? 'wait' : 'bad'}`}>
        {isDoubtful ? 'Uncertain' : isDenied ? 'Denied' : 'Failed'}
      </span>
      <small className="quiet">{plainText(outcome)}</small>
    </>
  )
}

/** The account, and what of it or next to it is meant. */
function Target({ of: event }: { readonly of: AuditEvent }): ReactNode {
  const { target, connector_id: id, connector_name: name } = event
  const named = <Named id={target} name={event.target_name} />
  if (id === null || name === null) return named
  return (
    <>
      <Link to={addressOf(`/instances/${id}`)}>{plainText(name)}</Link>{' '}
      <small className="quiet">{id}</small> {target === id ? null : named}
    </>
  )
}

/** What people call it, with what the log has behind it. */
function Named(props: { readonly id: string; readonly name: string | null }): ReactNode {
  const id = plainText(props.id)
  const words = plainText(props.name ?? UNNAMED[props.id] ?? id)
  const name = (
    <span className="settings-two-lines" title={words}>
      {words}
    </span>
  )
  if (props.name === null) return name
  return (
    <>
      {name} <small className="quiet">{id}</small>
    </>
  )
}
