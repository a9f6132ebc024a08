// Where the focus was before a dialog took it. React Aria gives it back, but for places in a shadow tree, of which the
// document knows the host alone: a host that takes no focus leaves it on the page.
import { useEffect, useState } from 'react'

/** Gives the focus back to where it was when this was mounted, where nothing else has it by then. */
export function useFocusPlace(): void {
  const [place] = useState(focused)
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        if (focused() === null && place instanceof HTMLElement && place.isConnected)
          place.focus({ preventScroll: true })
      })
    },
    [],
  )
}

/** What has the focus, also within a shadow tree; null: nothing but the page. */
function focused(): Element | null {
  let at = document.activeElement
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
  return at === document.body ? null : at
}
