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

/** Who that is, among all who may use this browser. */
export function whoIs({ organization_id, client_id, person }: Session): string {
  return JSON.stringify([organization_id, client_id, person?.login ?? null])
}

/** Whose calls are kept in this browser: a person's own, else those of the organisation. */
export function useOwner(): string {
  const { organization_id, person } = useSession()
  return person === null ? organization_id : `${organization_id} ${person.login}`
}
