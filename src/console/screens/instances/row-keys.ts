// The keys of the list of accounts: j and k lead from row to row, x chooses, Shift takes along what is passed, Escape lets
// go. The place is where the focus is, on the link of a row: Enter opens it, and a screen reader says it.
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { wayOf } from '../../parts/list-keys.ts'
import { isBusy, singleKeys } from '../../parts/single-keys.ts'

export interface Rows {
  readonly count: number
  /** The row that stands highest on the screen. */
  readonly first: number
  /** Draws a row, where the list is longer than what is drawn. */
  readonly show: (index: number) => void
  readonly toggle: (index: number) => void
  readonly add: (indexes: readonly number[]) => void
  /** Null: nothing is chosen. */
  readonly clear: (() => void) | null
}

export function useRowKeys(body: RefObject<HTMLElement | null>, rows: Rows): void {
  const latest = useRef(rows)
  latest.current = rows
  /** The row that was led to last; it may not be drawn any more. */
  const place = useRef(-1)
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { count, first, show, toggle, add, clear } = latest.current
      const hasOther = event.ctrlKey || event.metaKey || event.altKey
      if (hasOther || event.defaultPrevented || isBusy(event)) return
      const way = wayOf(event)
      if (event.key === 'Escape' && clear !== null) {
        clear()
        // What had the focus may go with the choice.
        focusRow(body.current, place.current)
      } else if (!singleKeys()) return
      else if (way !== null) {
        const at = rowAt(document.activeElement, body.current) ?? place.current
        const next = at < 0 ? first : Math.min(count - 1, Math.max(0, at + way))
        if (event.shiftKey) add(at < 0 ? [next] : [at, next])
        place.current = next
        show(next)
        focusRow(body.current, next)
      } else if (event.key === 'x') {
        const at = rowAt(document.activeElement, body.current) ?? place.current
        if (at >= 0) toggle(at)
      } else return
      event.preventDefault()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [body])
}

/** Null: it is in no row. */
function rowAt(element: Element | null, body: HTMLElement | null): number | null {
  const row = element?.closest('tr')
  return row === undefined || row === null || body?.contains(row) !== true
    ? null
    : Number(row.ariaRowIndex) - HEAD_ROWS
}

/** Rows are counted from 1 on, and the first one is the head. */
const HEAD_ROWS = 2
const FRAMES = 20

/** A row that was just asked for is drawn within a few frames. */
function focusRow(body: HTMLElement | null, index: number, frames = FRAMES): void {
  const link = body?.querySelector<HTMLElement>(
    `[aria-rowindex="${index + HEAD_ROWS}"] .row-name a`,
  )
  if (link !== null && link !== undefined) link.focus({ preventScroll: true })
  else if (frames > 0 && index >= 0) requestAnimationFrame(() => focusRow(body, index, frames - 1))
}
