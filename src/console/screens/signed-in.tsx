// Where people arrive who signed in at their provider: on to the place from which they left.
import { type ReactNode, useEffect } from 'react'
import { Screen } from '../parts/screen.tsx'
import { addressOf, BASE, goTo } from '../place.tsx'

const KEY = 'tenon place before signing in'

export function rememberPlace(): void {
  window.sessionStorage.setItem(KEY, window.location.pathname + window.location.search)
}

export function SignedInScreen(): ReactNode {
  useEffect(() => {
    const before = window.sessionStorage.getItem(KEY) ?? ''
    window.sessionStorage.removeItem(KEY)
    // Of this tab and this console, whatever else was stored there.
    const isPlace = before.startsWith(`${BASE}/`) && !before.startsWith(addressOf('/signed-in'))
    goTo(isPlace ? before : addressOf('/instances'), { replace: true })
  }, [])
  return (
    <Screen title="Signed in">
      <p role="status">You are signed in. One moment …</p>
    </Screen>
  )
}
