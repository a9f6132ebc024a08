// Who is signed in, for every screen.
import { createContext, useContext } from 'react'
import type { Session } from './api/answers.ts'

const Context = createContext<Session | null>(null)
export const SessionProvider = Context.Provider

export function useSession(): Session {
  const session = useContext(Context)
  if (session === null) throw new TypeError('this screen is shown to nobody who is not signed in')
  return session
}
