// Where somebody was when they left for their provider, in this tab.
import { addressOf, BASE } from '../place.tsx'

const KEY = 'tenon place before signing in'

export function rememberPlace(): void {
  window.sessionStorage.setItem(KEY, window.location.pathname + window.location.search)
}

/** The address to go on at, and forgets it: of this console, whatever else was stored there. */
export function placeBefore(): string {
  const before = window.sessionStorage.getItem(KEY) ?? ''
  window.sessionStorage.removeItem(KEY)
  const isPlace = before.startsWith(`${BASE}/`) && !before.startsWith(addressOf('/signed-in'))
  return isPlace ? before : addressOf('/overview')
}
