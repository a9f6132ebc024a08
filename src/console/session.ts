// Who is signed in, for every screen.
import { createContext, useContext } from 'react'
import type { Session } from './api/answers.ts'

export interface SignedIn {
  readonly session: Session
  readonly signOut: () => Promise<void>
}

const Context = createContext<SignedIn | null>(null)
export const SessionProvider = Context.Provider

export function useSession(): SignedIn {
  const signedIn = useContext(Context)
  if (signedIn === null) throw new TypeError('this screen is shown to nobody who is not signed in')
  return signedIn
}
