// Who did what, in pages, by the filters of GET /audit.
import { type ReactNode, useId, useState } from 'react'
import type { All, Application, AuditEvent, Instance, Person } from '../../api/answers.ts'
import { call, instancePath } from '../../api/call.ts'
import { useAnswer, useGet } from '../../api/use-answer.ts'
import { AccountBox } from '../../parts/account-box.tsx'
import { Empty, Loaded } from '../../parts/answer.tsx'
import { Card, type CardWords } from '../../parts/card.tsx'
import { Button, onSubmit, Select, TextField, TurnPages } from '../../parts/controls.tsx'
import { useCursors } from '../../parts/cursors.ts'
import { plainText } from '../../parts/plain-text.ts'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/values.tsx'
import { addressOf, Link } from '../../place.tsx'

interface Page {
  readonly data: readonly AuditEvent[]
  readonly meta: { readonly next_cursor: string | null; readonly incomplete?: string }
}

type Filter = Readonly<
  Partial<Record<'actor' | 'action' | 'external_user_id' | 'connector_id' | 'from', string>>
>

const HOUR_MS = 3_600_000
/** How many hours back. */
const PERIODS = [
  ['', 'any time'],
  ['1', 'last hour'],
  ['24', 'last day'],
  ['168', 'last 7 days'],
  ['720', 'last 30 days'],
] as const

/** Of outcomes that somebody may have to look at. */
const TONES: Readonly<Record<string, string>> = { refused: 'bad', uncertain: 'wait' }

export function AuditLog(words: CardWords): ReactNode {
  const [typed, setTyped] = useState<Filter>(inAddress)
  const [asked, setAsked] = useState<Filter>(typed)
  const [hours, setHours] = useState('')
  const offered = useId()
  const { cursor, toFirst, turns } = useCursors()
  const change = (part: Filter): void => setTyped((before) => ({ ...before, ...part }))
  const query = { ...asked, limit: '50', ...(cursor === undefined ? {} : { cursor }) }
  const page = useAnswer<Page>(`/audit ${JSON.stringify(query)}`, (signal) =>
    call<Page>('GET', '/audit', { query, signal }),
  )
  return (
    <Card {...words}>
      <form
        className="filters settings-filters"
        onSubmit={onSubmit(() => {
          toFirst()
          // All pages begin at the same moment.
          const from = new Date(Date.now() - Number(hours) * HOUR_MS).toISOString()
          setAsked(hours === '' ? typed : { ...typed, from })
        })}
      >
        <Who value={typed.actor ?? ''} choose={(actor) => change({ actor })} />
        <TextField
          label="Action"
          about="instance, or instance.delete"
          list={offered}
          value={typed.action ?? ''}
          change={(action) => change({ action })}
        />
        <datalist id={offered}>
          {actionsIn(page.last?.data ?? []).map((action) => (
            <option key={action} value={action} />
          ))}
        </datalist>
        <TextField
          label="End user"
          about="the external_user_id"
          value={typed.external_user_id ?? ''}
          change={(user) => change({ external_user_id: user })}
        />
        <AuditedAccount
          id={typed.connector_id ?? ''}
          choose={(id) => change({ connector_id: id })}
        />
        <Select label="Time" value={hours} options={PERIODS} choose={setHours} />
        <div className="actions">
          <button className="primary">Show</button>
        </div>
      </form>
      <Loaded of={page}>
        {({ data, meta }) => (
          <>
            {meta.incomplete === undefined ? null : <p className="notice bad">{meta.incomplete}</p>}
            {data.length === 0 ? (
              <Empty title="No event fits">
                Nothing like this happened as long as events are kept.
              </Empty>
            ) : (
              <Table
                label="Events"
                className="audit-rows two-lines"
                rows={data}
                keyOf={({ chain, seq }) => `${chain} ${seq}`}
                columns={[
                  { title: 'When', cell: ({ at }) => <Time at={at} /> },
                  {
                    title: 'Who',
                    className: 'settings-cell',
                    cell: ({ actor, actor_name: name }) => <Named id={actor} name={name} />,
                  },
                  {
                    title: 'What',
                    kind: 'name',
                    className: 'row-name',
                    cell: ({ action, members }) => (
                      <>
                        {action} <small className="quiet">{members.join(', ')}</small>
                      </>
                    ),
                  },
                  {
                    title: 'On',
                    className: 'settings-cell',
                    cell: (event) => <Target of={event} />,
                  },
                  {
                    title: 'Outcome',
                    className: 'row-result',
                    cell: ({ outcome }) => (
                      <span className={`badge ${TONES[outcome] ?? ''}`}>{outcome}</span>
                    ),
                  },
                ]}
              />
            )}
            <TurnPages words={['Newer', 'Older']} {...turns(meta.next_cursor)} />
          </>
        )}
      </Loaded>
    </Card>
  )
}

/** An account leads here with its id. */
function inAddress(): Filter {
  const id = new URLSearchParams(window.location.search).get('connector_id')
  return id === null ? {} : { connector_id: id }
}

/** What can be asked for, of the events that are shown: their actions, and the first words of those. */
function actionsIn(events: readonly AuditEvent[]): readonly string[] {
  const all = events.flatMap(({ action }) => [action.split('.')[0] ?? action, action])
  return [...new Set(all)].toSorted()
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
  if (props.name === null) return UNNAMED[props.id] ?? id
  return (
    <>
      {plainText(props.name)} <small className="quiet">{id}</small>
    </>
  )
}

/** Those that act without being anybody's. */
const UNNAMED: Readonly<Record<string, string>> = {
  service: 'The service',
  cli: 'The command line',
  host: 'The host app',
}

function Who(props: {
  readonly value: string
  readonly choose: (actor: string) => void
}): ReactNode {
  const applications = useGet<All<Application>>('/settings/applications')
  const people = useGet<All<Person>>('/settings/people')
  return (
    <Select
      label="Who"
      value={props.value}
      choose={props.choose}
      options={[
        ['', 'Anybody'],
        ...(people.last?.data ?? []).map(
          ({ login, name }) => [`person:${login}`, plainText(name ?? login)] as const,
        ),
        ...(applications.last?.data ?? []).map(
          ({ client_id: id, name }) => [id, plainText(name)] as const,
        ),
        ...Object.entries(UNNAMED),
      ]}
    />
  )
}

function AuditedAccount(props: {
  readonly id: string
  readonly choose: (id: string) => void
}): ReactNode {
  const { id } = props
  const account = useAnswer(`audited ${id}`, async (signal) =>
    id === '' ? null : await call<Instance>('GET', instancePath(id), { signal }),
  )
  return (
    <div>
      <AccountBox
        label="Account"
        chosen={account.kind === 'ready' ? account.value : null}
        choose={props.choose}
      />
      {id === '' ? null : (
        <Button className="plain" onClick={() => props.choose('')}>
          Any account
        </Button>
      )}
    </div>
  )
}
