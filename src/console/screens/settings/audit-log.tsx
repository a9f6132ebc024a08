// Who did what, in pages, by the filters of GET /audit.
import { type ReactNode, useMemo, useRef } from 'react'
import { deedWords, type Refusal, refusalOf } from '../../../display/audit-actions.ts'
import type { AuditEvent } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Empty, Loaded } from '../../parts/answer.tsx'
import { MemberWords } from '../../parts/audit-words.tsx'
import { Card, type CardWords } from '../../parts/card.tsx'
import { Button, TurnPages } from '../../parts/controls.tsx'
import { useCursors } from '../../parts/cursors.ts'
import { ExportRows } from '../../parts/export-rows.tsx'
import { NotThere } from '../../parts/not-there.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/values.tsx'
import { addressOf, goTo, Link, ROOT, usePlace } from '../../place.tsx'
import { asUser, eventKey, Named, Outcome, Target } from './audit-event.tsx'
import { askedIn, auditAddress, AuditFilter, auditQuery, unknownHours } from './audit-filter.tsx'
import { AuditSheet } from './audit-sheet.tsx'

interface Page {
  readonly data: readonly AuditEvent[]
  readonly meta: {
    readonly next_cursor: string | null
    readonly searched_to: string | null
    readonly kept_days: number
    readonly incomplete?: string
  }
}

export function AuditLog(words: CardWords): ReactNode {
  const { query } = usePlace()
  const asked = askedIn(query)
  const text = auditAddress(asked)
  const hours = unknownHours(query)
  return (
    <Card {...words}>
      {hours === null ? null : (
        <NotThere what="period of hours" value={hours} shown="events of any time are shown" />
      )}
      <AuditFilter asked={asked} />
      <Events key={text} text={text} open={query.get('event') ?? ''} />
    </Card>
  )
}

/** `text`: the address of what is asked for; `open`: the key of the event that is looked into. */
function Events({ text, open }: { readonly text: string; readonly open: string }): ReactNode {
  const filter = askedIn(new URL(text, window.location.href).searchParams)
  // All pages begin at the same moment.
  const asked = useMemo(() => auditQuery(filter), [text])
  const show = (event: string, { replace = true } = {}): void =>
    goTo(auditAddress({ ...filter, event }), { replace })
  const isOpened = useRef(false)
  if (open === '') isOpened.current = false
  const begin = (event: AuditEvent): void => {
    isOpened.current = true
    show(eventKey(event), { replace: false })
  }
  const close = (): void => {
    // What was opened from the list leaves no second list to go back over.
    if (isOpened.current) window.history.back()
    else show('')
  }
  const { cursor, turns } = useCursors()
  const query = { ...asked, limit: '50', ...(cursor === undefined ? {} : { cursor }) }
  const page = useAnswer<Page>(
    `/audit ${JSON.stringify(query)}`,
    (signal) => call<Page>('GET', '/audit', { query, signal }),
    { isLive: cursor === undefined },
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
            meta.searched_to === null ? (
              <Empty title="No event fits">
                Here is what changes something or lets somebody in, checks and syncs that somebody
                asked for, files that were sent or fetched, and, within a minute, what was refused.
                Reading is in <Link to={addressOf('/logs')}>the logs</Link>.{' '}
                <a href={`${ROOT}/docs/reference/audit`}>All that is recorded</a>
              </Empty>
            ) : null
          ) : (
            <Table
              label="Events"
              className="audit-rows two-lines"
              rows={data}
              keyOf={eventKey}
              open={begin}
              columns={columnsFor(begin)}
            />
          )}
          {meta.searched_to === null ? null : (
            <p className="notice">
              Looked at all events since <Time at={meta.searched_to} exact />; “Older” looks further
              back.
            </p>
          )}
          {open === '' ? null : (
            <AuditSheet id={open} among={data} show={(event) => show(event)} close={close} />
          )}
          <TurnPages words={['Newer', 'Older']} {...turns(meta.next_cursor)} />
        </>
      )}
    </Loaded>
  )
}

const columnsFor = (open: (event: AuditEvent) => void): readonly Column<AuditEvent>[] => [
  {
    title: 'When',
    cell: (event) => {
      const refusal = refusalOf(event)
      return (
        <>
          <span className="audit-exact">
            <Time at={event.at} exact />
          </span>
          <small className="quiet">
            {refusal === null ? <Time at={event.at} /> : <Moments of={refusal} />}
          </small>
        </>
      )
    },
  },
  {
    title: 'Who',
    className: 'settings-cell',
    cell: (event) => (
      <>
        <Link to={auditAddress({ actor: event.actor })}>
          <Named id={event.actor} name={event.actor_name} brief />
        </Link>
        <small className="quiet">
          {[event.address, asUser(event)].filter((each) => each !== null).join(', ')}
        </small>
      </>
    ),
  },
  {
    title: 'What',
    kind: 'name',
    className: 'row-name',
    cell: (event) => (
      <>
        <Button className="plain" onClick={() => open(event)}>
          {deedWords(event.action, event.outcome) ?? event.action}
        </Button>
        <small className="quiet">
          <FirstMembers of={refusalOf(event)?.reasons ?? event.members} />
        </small>
      </>
    ),
  },
  { title: 'On', className: 'settings-cell', cell: (event) => <Target of={event} brief /> },
  { title: 'Outcome', className: 'row-result', cell: (event) => <Outcome of={event} /> },
]

/** A refusal is kept at the end of its minute: when it was, by the clock. */
function Moments({ of: { firstAt, lastAt } }: { readonly of: Refusal }): ReactNode {
  return (
    <>
      {lastAt === null ? 'at ' : null}
      <Time at={firstAt} exact="clock" />
      {lastAt === null ? null : (
        <>
          {' to '}
          <Time at={lastAt} exact="clock" />
        </>
      )}
    </>
  )
}

const SHOWN_MEMBERS = 3

function FirstMembers({ of: members }: { readonly of: readonly string[] }): ReactNode {
  const more = members.length - SHOWN_MEMBERS
  return (
    <>
      {members.slice(0, SHOWN_MEMBERS).map((member, at) => (
        <span key={member}>
          {at === 0 ? '' : ', '}
          <MemberWords of={member} />
        </span>
      ))}
      {more > 0 ? ` and ${more} more` : ''}
    </>
  )
}
