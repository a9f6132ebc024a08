// Records as a grid and as JSON.
import { type ReactNode, useMemo, useState } from 'react'
import { durationAt, durationWords, epochAt, momentAt } from '../../../display/epochs.ts'
import { columnsOf, labelOf, valueAt } from '../../../display/record-columns.ts'
import { isObject, type Json, type JsonObject, writeJson } from '../../api/json-text.ts'
import { DataGrid, type GridColumn } from '../../parts/data-grid.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Marked } from '../../parts/marked.tsx'
import { hasWholeWord } from '../../parts/marked-words.ts'
import type { NameOf, NamesAt } from '../../parts/record-names.ts'
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
  /** The schema of a record, which says what numbers are moments; null: nobody knows it. */
  readonly schema: JsonObject | null
  /** What they were found by: it is marked, and columns that have it are shown. */
  readonly words?: readonly string[]
  /** What the records are called that values name. */
  readonly names: NamesAt
}): ReactNode {
  const { data, paged, schema, scores, words = NO_WORDS, names } = props
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
    const found = gridColumns(records ?? [], schema, names)
    const first = isScored ? [SCORE] : []
    const looked = words.length === 0 ? [] : rows.slice(0, LOOKED_AT)
    const marks = ({ value }: GridColumn<Shown>, row: Shown): boolean =>
      hasWholeWord(words, cellText(value(row)))
    const shown = found.filter(
      (each, at) => at < SHOWN_AT_FIRST || looked.some((row) => marks(each, row)),
    )
    // Where the first columns have no mark, nobody sees why a record is among the hits.
    const isUnseen = looked.some(
      (row) => !found.slice(0, SEEN_AT_ONCE).some((each) => marks(each, row)),
    )
    const foundIn = placesOf(words, found)
    // What is written nearly as the words has no mark anywhere.
    const isSomewhere = isUnseen && looked.some((row) => foundIn.value(row) !== '')
    const places = isSomewhere ? [foundIn] : []
    return {
      all: [...first, ...places, ...found],
      atFirst: [...first, ...places, ...shown].map(({ title }) => title),
    }
  }, [records, rows, isScored, words, schema, names])
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
        marked={words}
      />
      {record === undefined ? null : (
        <Dialog
          title={labelOf(record) ?? `Record ${(open ?? 0) + 1}`}
          wide
          close={() => setOpen(null)}
        >
          <JsonView
            value={record}
            schemas={[schema]}
            names={names}
            leave={() => setOpen(null)}
            sought={words.find((word) => hasWholeWord([word], writeJson(record))) ?? ''}
          />
        </Dialog>
      )}
    </>
  )
}

const NO_WORDS: readonly string[] = []
/** Records in which hidden columns are looked through for words. */
const LOOKED_AT = 50
/** Columns that are in sight on most screens. */
const SEEN_AT_ONCE = 4

/** The columns in whose values one of the words stands, however deep, with the first text that has it. */
function placesOf(
  words: readonly string[],
  columns: readonly GridColumn<Shown>[],
): GridColumn<Shown> {
  const foundIn = (row: Shown): readonly (readonly [title: string, text: string])[] =>
    columns.flatMap(({ title, value }) => {
      const text = textsIn(value(row)).find((each) => hasWholeWord(words, each))
      return text === undefined ? [] : [[title, text] as const]
    })
  return {
    title: 'found in',
    letters: 36,
    value: (row) =>
      foundIn(row)
        .map(([title, text]) => `${title}: ${text}`)
        .join('; '),
    show: (row) => {
      const [[title, text] = ['', ''], ...more] = foundIn(row)
      return (
        <>
          <small>{title}</small> <Marked words={words} text={text} inCell />
          {more.length === 0 ? null : <small> also {more.map(([each]) => each).join(', ')}</small>}
        </>
      )
    },
  }
}

function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return isObject(value) ? Object.values(value).flatMap(textsIn) : []
}

const SCORE: GridColumn<Shown> = {
  title: 'score',
  isNumber: true,
  value: ({ score }) => score,
  show: ({ score }) => score?.toFixed(2),
}

function gridColumns(
  records: readonly Json[],
  schema: JsonObject | null,
  names: NamesAt,
): readonly GridColumn<Shown>[] {
  const isNamed = (path: readonly string[]): boolean => names(path) !== null
  return columnsOf(records, { isNamed }).map(({ title, path }): GridColumn<Shown> => {
    const nameOf = names(path)
    const epoch = epochAt(schema, path)
    const duration = durationAt(schema, path)
    return {
      title,
      // Moments and names stand as texts do.
      isNumber:
        epoch === null &&
        nameOf === null &&
        records.every((record) => isCount(valueAt(record, path))),
      value: ({ record }) => valueAt(record, path),
      show: ({ record }) => {
        const value = valueAt(record, path)
        return (
          durationWords(value, duration) ?? nameOf?.(value)?.words ?? cellText(named(value, nameOf))
        )
      },
      ...(nameOf === null ? {} : { named: ({ record }) => nameOf(valueAt(record, path)) }),
      moment: ({ record }) => momentAt(valueAt(record, path), epoch, path),
    }
  })
}

/** A list with the names of the records that it names. */
function named(value: Json | undefined, nameOf: NameOf | null): Json | undefined {
  return Array.isArray(value) && nameOf !== null
    ? value.map((each: Json) => nameOf(each)?.words ?? each)
    : value
}

function isCount(value: Json | undefined): boolean {
  return value === undefined || typeof value === 'number' || typeof value === 'bigint'
}
