// Keys that work on every screen: Ctrl+K, g and a letter, / and ?.
import { useLayoutEffect, useRef } from 'react'
import { isBusy, singleKeys } from '../parts/single-keys.ts'
import { addressOf, goTo } from '../place.tsx'
import { SCREENS } from '../screens/all-screens.tsx'

/** How long the letter behind `g` is waited for. */
const JUMP_MS = 1500

/** What was typed for the palette before its field had the keys; null: it has them, or nobody asked for it. */
let held: string | null = null

/** What was typed so far: from now on the field gets the keys itself. */
export function takeHeld(): string {
  const text = held ?? ''
  held = null
  return text
}

export function useKeys(open: {
  readonly openPalette: () => void
  readonly openSheet: () => void
  /** The palette was asked for; it may not be loaded yet. */
  readonly isPaletteOpen: boolean
}): void {
  const latest = useRef(open)
  latest.current = open
  useLayoutEffect(() => {
    held = open.isPaletteOpen ? '' : null
  }, [open.isPaletteOpen])
  // With the frame, not behind its first paint: keys that were held are given back as soon as it is there.
  useLayoutEffect(() => {
    let jumpUntil = 0
    const press = (event: KeyboardEvent): void => {
      const { key } = event
      if ((event.ctrlKey || event.metaKey) && !event.altKey && key.toLowerCase() === 'k') {
        event.preventDefault()
        latest.current.openPalette()
        return
      }
      const hasOther = event.ctrlKey || event.metaKey || event.altKey
      if (held !== null) {
        if (hasOther || (key.length > 1 && key !== 'Backspace')) return
        held = key === 'Backspace' ? held.slice(0, -1) : held + key
        event.preventDefault()
        return
      }
      if (hasOther || event.defaultPrevented || isBusy(event) || !singleKeys()) return
      const goal = Date.now() < jumpUntil ? SCREENS.find((each) => each.key === key) : undefined
      jumpUntil = key === 'g' ? Date.now() + JUMP_MS : 0
      if (goal !== undefined) goTo(addressOf(goal.path))
      else if (key === '?') latest.current.openSheet()
      else if (key === '/') {
        const filter = document.querySelector<HTMLElement>('main input[type="search"]')
        if (filter === null) latest.current.openPalette()
        else filter.focus()
      } else return
      event.preventDefault()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
