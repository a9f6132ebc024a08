// Records as a grid and as JSON.
import { type ReactNode, useMemo, useState } from 'react'
import { columnsOf, labelOf, valueAt } from '../../../display/record-columns.ts'
import type { Json } from '../../api/json-text.ts'
import { DataGrid, type GridColumn } from '../../parts/data-grid.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { cellText, recordsIn, SHOWN_AT_FIRST } from './columns.ts'

interface Shown {
  readonly record: Json
  readonly score: number | undefined
}

export function RecordTable(props: {
  readonly data: Json
  readonly paged: boolean
  /** Of files with the records. */
  readonly name: string
  /** Of hits, one per record. */
  readonly scores?: readonly number[]
}): ReactNode {
  const { data, paged, scores } = props
  const [open, setOpen] = useState<number | null>(null)
  const records = useMemo(() => recordsIn(data, paged), [data, paged])
  const rows = useMemo(
    (): readonly Shown[] =>
      (records ?? []).map((record, index) => ({ record, score: scores?.[index] })),
    [records, scores],
  )
  // Where all are alike they say nothing.
  const isScored = new Set(scores).size > 1
  const columns = useMemo(() => {
    const found = gridColumns(records ?? [])
    const first = isScored ? [SCORE] : []
    return {
      all: [...first, ...found],
      atFirst: [...first, ...found.slice(0, SHOWN_AT_FIRST)].map(({ title }) => title),
    }
  }, [records, isScored])
  if (records === null)
    return <p className="quiet">It succeeded; the third party returns no record for this.</p>
  if (records.length === 0) return <p className="quiet">No record matches.</p>
  const record = open === null ? undefined : records[open]
  return (
    <>
      <DataGrid
        label="Records"
        columns={columns.all}
        rows={rows}
        shownAtFirst={columns.atFirst}
        open={(_row, index) => setOpen(index)}
        exported={(row) => row.record}
        fileName={props.name}
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

const SCORE: GridColumn<Shown> = {
  title: 'score',
  isNumber: true,
  value: ({ score }) => score,
  show: ({ score }) => score?.toFixed(2),
}

function gridColumns(records: readonly Json[]): readonly GridColumn<Shown>[] {
  return columnsOf(records).map(({ title, path }) => ({
    title,
    isNumber: records.every((record) => isCount(valueAt(record, path))),
    value: ({ record }) => valueAt(record, path),
    show: ({ record }) => cellText(valueAt(record, path)),
  }))
}

function isCount(value: Json | undefined): boolean {
  return value === undefined || typeof value === 'number' || typeof value === 'bigint'
}
