// Whether the page is as narrow as a phone, where some parts are stacked in another order.
import { useSyncExternalStore } from 'react'

/** As in the style sheets. */
const NARROW = window.matchMedia('(width < 860px)')

function subscribe(listen: () => void): () => void {
  NARROW.addEventListener('change', listen)
  return () => NARROW.removeEventListener('change', listen)
}

export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => NARROW.matches)
}
