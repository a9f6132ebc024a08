// Tables that scroll in their own box, which the keyboard reaches.
import type { MouseEvent, ReactNode } from 'react'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row, index: number) => ReactNode
  /** `name`: what the row is called; `unseen`: the title is only read aloud. */
  readonly kind?: 'number' | 'name' | 'unseen'
  /** The whole text of a cell that may be cut off. */
  readonly hint?: (row: Row) => string | undefined
  readonly className?: string
}

export function Table<Row>(props: {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row, index: number) => string | number
  readonly className?: string
  /** A click anywhere on a row opens it, in addition to what the keyboard reaches in it. */
  readonly open?: (row: Row) => void
}): ReactNode {
  const { columns, open } = props
  return (
    <div
      className={`table-box ${props.className ?? ''}`}
      tabIndex={0}
      role="region"
      aria-label={props.label}
    >
      <table>
        <thead>
          <tr>
            {columns.map(({ title, kind }) => (
              <th key={title} scope="col" className={kind === 'number' ? 'number' : undefined}>
                {kind === 'unseen' ? <span className="unseen">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row, index) => (
            <tr
              key={props.keyOf(row, index)}
              {...(open === undefined
                ? {}
                : { className: 'opens', onClick: onRow(() => open(row)) })}
            >
              {columns.map(({ title, cell, kind, hint, className }) => {
                const Cell = kind === 'name' ? 'th' : 'td'
                return (
                  <Cell
                    key={title}
                    // Where rows are blocks, what stands before the cell.
                    data-title={title}
                    scope={kind === 'name' ? 'row' : undefined}
                    className={[kind === 'number' ? 'number' : '', className].join(' ').trim()}
                    title={hint?.(row)}
                  >
                    {cell(row, index)}
                  </Cell>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A click on a row, unless it was one on what stands in it, or text was selected. */
export function onRow(open: () => void): (event: MouseEvent) => void {
  return ({ target, currentTarget }) => {
    const isOther = target instanceof Element && target.closest('a, button, input') !== null
    if (isOther || window.getSelection()?.isCollapsed === false) return
    // What closes gives the focus back to where it was: to the row, not to the table.
    currentTarget.querySelector<HTMLElement>('.row-name :is(a, button)')?.focus()
    open()
  }
}
