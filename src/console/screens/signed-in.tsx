// Where people arrive who signed in at their provider: on to the place from which they left.
import { type ReactNode, useEffect } from 'react'
import { Screen } from '../parts/screen.tsx'
import { goTo } from '../place.tsx'
import { placeBefore } from './place-before.ts'

export function SignedInScreen(): ReactNode {
  useEffect(() => goTo(placeBefore(), { replace: true }), [])
  return (
    <Screen title="Signed in">
      <p role="status">You are signed in. One moment …</p>
    </Screen>
  )
}
