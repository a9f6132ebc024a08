// Who did what, in pages, by the filters of GET /audit.
import { type ReactNode, useState } from 'react'
import type { AuditEvent } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Empty, Loaded } from '../../parts/answer.tsx'
import { Button, onSubmit, TextField } from '../../parts/controls.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/values.tsx'

interface Page {
  readonly data: readonly AuditEvent[]
  readonly meta: { readonly next_cursor: string | null; readonly incomplete?: string }
}

const FILTERS = {
  actor: ['Actor', 'person:ada@example.com, an application, cli'],
  action: ['Action', 'instance, or instance.delete'],
  external_user_id: ['End user', 'the external_user_id'],
  connector_id: ['Account', 'its id'],
} as const
type Filter = Partial<Record<keyof typeof FILTERS, string>>

export function AuditLog(): ReactNode {
  const [typed, setTyped] = useState<Filter>({})
  const [asked, setAsked] = useState<Filter>({})
  const [cursors, setCursors] = useState<readonly string[]>([])
  const cursor = cursors.at(-1)
  const query = { ...asked, limit: '50', ...(cursor === undefined ? {} : { cursor }) }
  const page = useAnswer<Page>(`/audit ${JSON.stringify(query)}`, (signal) =>
    call<Page>('GET', '/audit', { query, signal }),
  )
  return (
    <>
      <form
        className="filters settings-filters"
        onSubmit={onSubmit(() => {
          setCursors([])
          setAsked(typed)
        })}
      >
        {Object.entries(FILTERS).map(([name, [label, about]]) => (
          <TextField
            key={name}
            label={label}
            about={about}
            value={typed[name as keyof Filter] ?? ''}
            change={(text) => setTyped((before) => ({ ...before, [name]: text }))}
          />
        ))}
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
                label="Audit log"
                rows={data}
                keyOf={({ chain, seq }) => `${chain} ${seq}`}
                columns={[
                  { title: 'When', cell: ({ at }) => <Time at={at} /> },
                  { title: 'Who', className: 'settings-cell', cell: ({ actor }) => actor },
                  { title: 'What', kind: 'name', cell: ({ action }) => action },
                  { title: 'On', className: 'settings-cell', cell: ({ target }) => target },
                  { title: 'Outcome', cell: ({ outcome }) => outcome },
                  { title: 'Members', cell: ({ members }) => members.join(', ') },
                ]}
              />
            )}
            <div className="actions">
              <Button
                className="small"
                disabled={cursors.length === 0}
                onClick={() => setCursors((before) => before.slice(0, -1))}
              >
                Newer
              </Button>
              <Button
                className="small"
                disabled={meta.next_cursor === null}
                onClick={() => setCursors((before) => [...before, meta.next_cursor ?? ''])}
              >
                Older
              </Button>
            </div>
          </>
        )}
      </Loaded>
    </>
  )
}
