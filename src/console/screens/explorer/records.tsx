// Records as a table and as JSON.
import { type ReactNode, useState } from 'react'
import { columnsOf, labelOf, valueAt } from '../../../display/record-columns.ts'
import { type Json, writeJson } from '../../api/json-text.ts'
import { Button, Tick, ticked } from '../../parts/controls.tsx'
import { CodeBlock } from '../../parts/values.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { cellText, recordsIn, SHOWN_AT_FIRST } from './columns.ts'

export function RecordTable(props: {
  readonly data: Json
  readonly paged: boolean
  /** Of hits, one per record. */
  readonly scores?: readonly number[]
}): ReactNode {
  const records = recordsIn(props.data, props.paged)
  const [chosen, setChosen] = useState<readonly string[] | null>(null)
  const [open, setOpen] = useState<number | null>(null)
  if (records === null)
    return <p className="quiet">It succeeded; the third party returns no record for this.</p>
  if (records.length === 0) return <p className="quiet">No record matches.</p>
  const all = columnsOf(records)
  const wanted = chosen ?? all.slice(0, SHOWN_AT_FIRST).map(({ title }) => title)
  const { scores } = props
  const columns: readonly Column<Json>[] = all
    .filter(({ title }) => wanted.includes(title))
    .map(({ title, path }) => {
      const cell = (each: Json): string => cellText(valueAt(each, path))
      return { title, cell, hint: (each) => (cell(each).length > 40 ? cell(each) : undefined) }
    })
  const record = open === null ? undefined : records[open]
  return (
    <>
      <details className="columns">
        <summary>
          Columns ({columns.length} of {all.length})
        </summary>
        <div className="column-list">
          {all.map(({ title }) => (
            <Tick
              key={title}
              words={title}
              checked={wanted.includes(title)}
              change={(checked) => setChosen(ticked(wanted, title, checked))}
            />
          ))}
        </div>
      </details>
      <Table
        label="Records"
        className="records"
        rows={records}
        // Records of a page have no other identity that all vendors share.
        keyOf={(_record, index) => index}
        columns={[
          {
            title: 'Record',
            kind: 'unseen',
            cell: (_record, index) => (
              <Button
                className="small"
                aria-label={`Record ${index + 1} as JSON`}
                onClick={() => setOpen(index)}
              >
                {index + 1}
              </Button>
            ),
          },
          ...(scores === undefined ? [] : [scoreColumn(scores)]),
          ...columns,
        ]}
      />
      {record === undefined ? null : (
        <Dialog
          title={labelOf(record) ?? `Record ${(open ?? 0) + 1}`}
          wide
          close={() => setOpen(null)}
        >
          <JsonView value={record} />
        </Dialog>
      )}
    </>
  )
}

export function JsonView(props: { readonly value: Json }): ReactNode {
  return <CodeBlock text={writeJson(props.value, 2)} label="JSON" />
}

function scoreColumn(scores: readonly number[]): Column<Json> {
  return { title: 'score', kind: 'number', cell: (_record, index) => scores[index]?.toFixed(2) }
}
