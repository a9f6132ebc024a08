// One grid for records: rows are drawn as far as they are seen; columns are sorted, resized and hidden; all by keyboard.
import {
  columnResizingFeature,
  columnSizingFeature,
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { isCopied } from '../../display/record-columns.ts'
import { type Json, writeJson } from '../api/json-text.ts'
import { textOf } from '../form/field-text.ts'
import { COMMAND_KEY } from './command-key.ts'
import { Button, Tick, ticked } from './controls.tsx'
import './data-grid.css'
import { Marked } from './marked.tsx'
import { hasWholeWord } from './marked-words.ts'
import { exactMoment, localMoment } from './moment.ts'
import type { RecordName } from './record-names.ts'
import { csvOf } from './save-rows.ts'
import { saveText } from './save-text.ts'
import { CopyButton } from './values.tsx'
import { Link } from '../place.tsx'

export interface GridColumn<Row> {
  /** No two columns of a grid have the same. */
  readonly title: string
  /** What it is sorted by, copied and exported as; undefined: the row has none. */
  readonly value: (row: Row) => Json | undefined
  /** What stands in the cell; absent: the value as text, moments in local time. */
  readonly show?: (row: Row) => ReactNode
  readonly isNumber?: boolean
  /** What a moment that is no text of one is, in ISO 8601; null: the row has none. */
  readonly moment?: (row: Row) => string | null
  /** The record that the value names, where it is known: its name leads there, and stands in place of the value. */
  readonly named?: (row: Row) => RecordName | null
  /** How many letters it has room for at first; absent: those that its texts have. */
  readonly letters?: number
}

export interface DataGridProps<Row> {
  readonly label: string
  /** The same array as long as the columns are the same. */
  readonly columns: readonly GridColumn<Row>[]
  /** The same array as long as the rows are the same. */
  readonly rows: readonly Row[]
  /** Titles of the columns that are there before anybody chooses; absent: all. */
  readonly shownAtFirst?: readonly string[]
  /** What Enter and the button of a row do. */
  readonly open?: (row: Row, index: number) => void
  /** A whole row in an exported file; absent: nothing can be exported. */
  readonly exported?: (row: Row) => Json
  /** Of exported files, without an ending. */
  readonly fileName?: string
  /** Words that are marked in texts; the same array as long as the words are the same. */
  readonly marked?: readonly string[]
}

const ROW_PX = 33
const FEATURES = tableFeatures({
  columnResizingFeature,
  columnSizingFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
})
const HEAD = -1
const NONE: readonly string[] = []
/** Where a grid has no room for all columns, each takes a quarter of it at most, and at least so much. */
const SHRUNK_PX = 120
/** A moment that is cut says another time. */
const MOMENT_PX = 152
const WIDTHS = { least: 64, most: 320, perLetter: 8, around: 34, step: 16, looked: 50 } as const

export function DataGrid<Row extends object | Json>(props: DataGridProps<Row>): ReactNode {
  const { columns: all, rows: data, open, marked = NONE } = props
  const [chosen, setChosen] = useState<readonly string[] | null>(null)
  const shown = chosen ?? props.shownAtFirst
  const columns = useMemo(
    () => (shown === undefined ? all : all.filter(({ title }) => shown.includes(title))),
    [all, shown],
  )
  const box = useRef<HTMLDivElement>(null)
  const [roomPx, setRoom] = useState<number | null>(null)
  // Before anything is painted.
  useLayoutEffect(() => setRoom(box.current?.clientWidth ?? null), [])
  const definitions = useMemo(
    () =>
      fitted(columns, data, roomPx).map(([column, size]) => ({
        id: column.title,
        accessorFn: ({ row }: Held<Row>) => column.value(row) ?? undefined,
        size,
        minSize: WIDTHS.least,
        sortUndefined: 'last' as const,
        sortFn: (a: Valued, b: Valued, id: string) => compare(a.getValue(id), b.getValue(id)),
      })),
    [columns, data, roomPx],
  )
  // The table takes objects; records may be any JSON.
  const held = useMemo(() => data.map((row) => ({ row })), [data])
  const table = useTable({
    features: FEATURES,
    columns: definitions,
    data: held,
    columnResizeMode: 'onChange',
    sortDescFirst: false,
  })
  const rows = table.getRowModel().rows
  const headers = table.getHeaderGroups()[0]?.headers ?? []
  const [at, setAt] = useState<Place>({ row: HEAD, column: 0 })
  const isMoving = useRef(false)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 2,
    // As the style sheet has it: where this scrolls to, nothing has to be scrolled once more for the cell.
    scrollPaddingStart: 3,
    scrollPaddingEnd: ROW_PX,
    // The row with the keyboard stays, wherever somebody scrolls.
    rangeExtractor: (range) => {
      const seen = defaultRangeExtractor(range)
      const isHeld = at.row !== HEAD && at.row < rows.length && !seen.includes(at.row)
      return isHeld ? [...seen, at.row].toSorted((a, b) => a - b) : seen
    },
  })
  const offset = open === undefined ? 0 : 1
  const last = { row: rows.length - 1, column: headers.length - 1 + offset }
  const place = { row: Math.min(at.row, last.row), column: Math.min(at.column, last.column) }

  useLayoutEffect(() => {
    if (!isMoving.current) return
    const cell = box.current?.querySelector<HTMLElement>(`[data-at="${place.row} ${place.column}"]`)
    if (cell == null) return
    isMoving.current = false
    cell.focus({ preventScroll: true })
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
  const move = (row: number, column: number): void => {
    const next = {
      row: Math.min(last.row, Math.max(HEAD, row)),
      column: Math.min(last.column, Math.max(0, column)),
    }
    isMoving.current = true
    setAt(next)
    if (next.row === HEAD) return
    virtual.scrollToIndex(next.row)
    // The browser would tell it in the next frame: then the rows were drawn and laid out once more.
    if (box.current?.scrollTop !== virtual.scrollOffset)
      box.current?.dispatchEvent(new Event('scroll'))
  }
  const header = headers[place.column - offset]
  const column = columns[place.column - offset]
  const current = rows[place.row]
  const resize = (by: number): void => {
    if (header === undefined) return
    const { id } = header.column
    const size = Math.max(WIDTHS.least, header.column.getSize() + by)
    table.setColumnSizing((before) => ({ ...before, [id]: size }))
  }
  const named = current === undefined ? null : (column?.named?.(current.original.row) ?? null)
  const copied = current === undefined ? '' : textOf(column?.value(current.original.row))
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(place.row + 1, place.column),
    ArrowUp: () => move(place.row - 1, place.column),
    ArrowRight: () => move(place.row, place.column + 1),
    ArrowLeft: () => move(place.row, place.column - 1),
    PageDown: () => move(place.row + 15, place.column),
    PageUp: () => move(Math.max(0, place.row - 15), place.column),
    Home: () => move(place.row, 0),
    End: () => move(place.row, last.column),
    'Ctrl Home': () => move(0, 0),
    'Ctrl End': () => move(last.row, last.column),
    'Shift ArrowLeft': () => resize(-WIDTHS.step),
    'Shift ArrowRight': () => resize(WIDTHS.step),
    ...(current === undefined
      ? { Enter: () => header?.column.toggleSorting(), ' ': () => header?.column.toggleSorting() }
      : {
          Enter: () => open?.(current.original.row, current.index),
          'Ctrl c': () => void (navigator.clipboard as Clipboard | undefined)?.writeText(copied),
        }),
  }
  const press = (event: KeyboardEvent): void => {
    const isCtrl = event.ctrlKey || event.metaKey
    // What is marked with the mouse is copied by the browser.
    if (isCtrl && event.key === 'c' && String(window.getSelection()) !== '') return
    const key = keys[`${isCtrl ? 'Ctrl ' : event.shiftKey ? 'Shift ' : ''}${event.key}`]
    if (key === undefined || event.altKey) return
    event.preventDefault()
    key()
  }
  const headOf = (index: number) => cellAt(HEAD, index, place.row === HEAD ? place.column : null)
  const latest = useRef(open)
  latest.current = open
  const openRow = useCallback((row: Row, index: number) => latest.current?.(row, index), [])
  const items = virtual.getVirtualItems()
  const numberPx = 40 + 8 * String(rows.length).length
  const width = headers.reduce((sum, each) => sum + each.column.getSize(), offset * numberPx)
  const { exported, fileName = 'records' } = props
  const inOrder = (): readonly Row[] => rows.map(({ original }) => original.row)
  return (
    <div className="part">
      <div className="grid-tools">
        <details className="columns grow">
          <summary>
            Columns ({columns.length} of {all.length})
          </summary>
          <div className="column-list">
            {all.map(({ title }) => (
              <Tick
                key={title}
                words={title}
                checked={shown?.includes(title) ?? true}
                change={(checked) =>
                  setChosen(ticked(shown ?? all.map((each) => each.title), title, checked))
                }
              />
            ))}
          </div>
        </details>
        {exported === undefined ? null : (
          <>
            <Button
              className="small"
              onClick={() => saveText(`${fileName}.csv`, 'text/csv', csvOf(columns, inOrder()))}
            >
              CSV
            </Button>
            <Button
              className="small"
              onClick={() =>
                saveText(
                  `${fileName}.json`,
                  'application/json',
                  `${writeJson(inOrder().map(exported), 2)}\n`,
                )
              }
            >
              JSON file
            </Button>
          </>
        )}
      </div>
      <div ref={box} className="table-box grid-box one-line">
        <table
          role="grid"
          aria-label={props.label}
          aria-rowcount={rows.length + 1}
          aria-colcount={last.column + 1}
          onKeyDown={press}
          onFocus={({ target }) => {
            const cell = target.closest<HTMLElement>('[data-at]')?.dataset['at'] ?? ''
            const [row = HEAD, column = 0] = cell.split(' ').map(Number)
            if (row !== place.row || column !== place.column) setAt({ row, column })
          }}
          style={{ minWidth: width }}
        >
          <colgroup>
            {open === undefined ? null : <col style={{ width: numberPx }} />}
            {headers.map((each, index) => (
              <col
                key={each.id}
                // The last one takes what is left.
                style={index === headers.length - 1 ? {} : { width: each.column.getSize() }}
              />
            ))}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              {open === undefined ? null : (
                <th scope="col" {...headOf(0)}>
                  <span className="unseen">Row</span>
                </th>
              )}
              {headers.map((each, index) => {
                const sorted = each.column.getIsSorted()
                return (
                  <th
                    key={each.id}
                    scope="col"
                    className={columns[index]?.isNumber === true ? 'number' : undefined}
                    aria-sort={sorted === false ? 'none' : ORDERS[sorted].word}
                    title={each.id}
                    {...headOf(index + offset)}
                    onClick={() => each.column.toggleSorting()}
                  >
                    {each.id}
                    <span aria-hidden="true">{sorted === false ? '' : ORDERS[sorted].mark}</span>
                    <span
                      className="grip"
                      aria-hidden="true"
                      onClick={(event) => event.stopPropagation()}
                      onMouseDown={each.getResizeHandler()}
                      onTouchStart={each.getResizeHandler()}
                    />
                  </th>
                )
              })}
            </tr>
          </thead>
          <tbody>
            {items.flatMap((item, n) => {
              const row = rows[item.index]
              if (row === undefined) return []
              return [
                <Gap key={`before ${item.key}`} px={item.start - (items[n - 1]?.end ?? 0)} />,
                <Line
                  key={item.key}
                  at={item.index}
                  row={row.original.row}
                  index={row.index}
                  columns={columns}
                  held={item.index === place.row ? place.column : null}
                  open={open === undefined ? null : openRow}
                  marked={marked}
                />,
              ]
            })}
            <Gap px={virtual.getTotalSize() - (items.at(-1)?.end ?? 0)} />
          </tbody>
        </table>
      </div>
      <div className="cell-line fine">
        {current === undefined || column === undefined ? (
          <p className="of-keys">
            Arrows move; Enter sorts{open === undefined ? '' : ' or opens a record'}; {COMMAND_KEY}{' '}
            + C copies a cell; Shift + arrows set a width.
          </p>
        ) : (
          <>
            <p>
              <code>{column.title}</code> {copied}
              {named === null ? null : (
                <>
                  {' '}
                  <Link to={named.to}>{named.words}</Link>
                </>
              )}
            </p>
            <CopyButton key={copied} text={copied} label={`Copy ${column.title}`} />
          </>
        )}
      </div>
    </div>
  )
}

interface LineProps<Row> {
  /** Where it stands, as the rows are sorted. */
  readonly at: number
  readonly row: Row
  readonly index: number
  readonly columns: readonly GridColumn<Row>[]
  /** The column with the keyboard; null: it is in another row. */
  readonly held: number | null
  readonly open: ((row: Row, index: number) => void) | null
  readonly marked: readonly string[]
}

/** What changes in one row leaves the others as they are drawn. `memo` alone would forget what kind of rows these are. */
const Line = memo(DrawnLine) as typeof DrawnLine

function DrawnLine<Row>(props: LineProps<Row>): ReactNode {
  const { at, row, index, held, open, marked } = props
  const offset = open === null ? 0 : 1
  const isMarked = marked.length > 0
  return (
    <tr aria-rowindex={at + 2} onDoubleClick={() => open?.(row, index)}>
      {open === null ? null : (
        <td {...cellAt(at, 0, held)}>
          <Button
            className="small"
            tabIndex={-1}
            aria-label={`Record ${index + 1} as JSON`}
            onClick={() => open(row, index)}
          >
            {index + 1}
          </Button>
        </td>
      )}
      {props.columns.map((column, nth) => {
        const value = column.value(row)
        const written = column.moment?.(row) ?? value
        const moment = localMoment(written)
        const named = column.named?.(row) ?? null
        const text = moment ?? column.show?.(row) ?? textOf(value)
        const whole = typeof text === 'string' && text.length > 12 ? text : undefined
        return (
          <td
            key={column.title}
            className={column.isNumber === true ? 'number' : undefined}
            title={named === null ? (exactMoment(written) ?? whole) : textOf(value)}
            {...cellAt(at, nth + offset, held)}
          >
            {named !== null ? (
              <NamedCell named={named} id={textOf(value)} marked={marked} />
            ) : isMarked &&
              typeof text === 'string' &&
              moment === null &&
              column.isNumber !== true ? (
              <Marked words={marked} text={text} inCell />
            ) : (
              text
            )}
          </td>
        )
      })}
    </tr>
  )
}

/** The name, and the id as well where that is what was looked for. */
function NamedCell(props: {
  readonly named: RecordName
  readonly id: string
  readonly marked: readonly string[]
}): ReactNode {
  const { named, id, marked } = props
  return (
    <>
      <Link to={named.to} tabIndex={-1}>
        <Marked words={marked} text={named.words} inCell />
      </Link>
      {hasWholeWord(marked, id) ? (
        <>
          {' '}
          <Marked words={marked} text={id} inCell />
        </>
      ) : null}
    </>
  )
}

/** One cell of all is reached by Tab. */
function cellAt(row: number, column: number, held: number | null) {
  return { 'data-at': `${row} ${column}`, tabIndex: column === held ? 0 : -1 }
}

/** Rows that are not drawn. */
function Gap({ px }: { readonly px: number }): ReactNode {
  return px <= 0 ? null : <tr aria-hidden="true" style={{ height: px }} />
}

interface Place {
  readonly row: number
  readonly column: number
}
interface Held<Row> {
  readonly row: Row
}
interface Valued {
  readonly getValue: (id: string) => unknown
}

const ORDERS = {
  asc: { word: 'ascending', mark: ' ↑' },
  desc: { word: 'descending', mark: ' ↓' },
} as const

const BY_WORDS = new Intl.Collator('en', { numeric: true })

/** Numbers by size, whatever their digits; everything else as its text. */
function compare(a: unknown, b: unknown): number {
  const isCounted = (value: unknown): value is number | bigint =>
    typeof value === 'number' || typeof value === 'bigint'
  if (isCounted(a) && isCounted(b)) return a < b ? -1 : a > b ? 1 : 0
  // Cells are JSON.
  return BY_WORDS.compare(textOf(a as Json), textOf(b as Json))
}

/** Columns with their widths; those that are wide give way where not all have room, but for what is of no use when cut. */
function fitted<Row>(
  columns: readonly GridColumn<Row>[],
  rows: readonly Row[],
  roomPx: number | null,
): readonly (readonly [GridColumn<Row>, number])[] {
  const natural = columns.map((column) => [column, widthOf(column, rows)] as const)
  const whole = natural.reduce((sum, [, width]) => sum + width, 0)
  if (roomPx === null || whole <= roomPx) return natural
  const most = Math.max(SHRUNK_PX, Math.round(roomPx / 4))
  return natural.map(([column, width]) => {
    if (isCopied(column.title)) return [column, width]
    const least = rows.slice(0, WIDTHS.looked).some((row) => momentIn(column, row) !== null)
      ? Math.max(most, MOMENT_PX)
      : most
    return [column, Math.min(width, least)]
  })
}

/** The moment in a cell, in local time; null: it has none. */
function momentIn<Row>({ value, moment }: GridColumn<Row>, row: Row): string | null {
  return localMoment(moment?.(row) ?? value(row))
}

function widthOf<Row>(column: GridColumn<Row>, rows: readonly Row[]): number {
  const { title, value, show, letters } = column
  const looked = letters === undefined ? rows.slice(0, WIDTHS.looked) : []
  const lengths = looked.map((row) => {
    const text = momentIn(column, row) ?? show?.(row) ?? textOf(value(row))
    return typeof text === 'string' ? text.length : 16
  })
  const longest = Math.max(title.length + 2, letters ?? 0, ...lengths)
  const px = WIDTHS.around + longest * WIDTHS.perLetter
  return Math.round(Math.min(WIDTHS.most, Math.max(WIDTHS.least, px)))
}
