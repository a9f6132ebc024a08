// The keys of lists: j and k lead to the next and to the previous line.
import { type RefObject, useLayoutEffect } from 'react'
import { isBusy, singleKeys } from './single-keys.ts'

const WAYS: Readonly<Record<string, 1 | -1>> = { j: 1, k: -1 }

/** Which way a key leads; null: it is none of these, or is pressed for something else. */
export function wayOf(event: KeyboardEvent): 1 | -1 | null {
  const hasOther = event.ctrlKey || event.metaKey || event.altKey
  if (hasOther || event.defaultPrevented || isBusy(event) || !singleKeys()) return null
  return WAYS[event.key.toLowerCase()] ?? null
}

/** In a list whose lines are all on the page: those that `lines` selects get the focus. */
export function useListKeys(list: RefObject<HTMLElement | null>, lines: string): void {
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const way = wayOf(event)
      const all = [...(list.current?.querySelectorAll<HTMLElement>(lines) ?? [])]
      if (way === null || all.length === 0) return
      const at = all.findIndex((line) => line.contains(document.activeElement))
      all[Math.min(all.length - 1, Math.max(0, at + way))]?.focus()
      event.preventDefault()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [list, lines])
}
