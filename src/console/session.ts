// Who is signed in, for every screen.
import { createContext, useContext } from 'react'
import { plainText } from '../display/plain-text.ts'
import { hasRight, MAY, type RightName } from '../display/rights.ts'
import type { Session } from './api/answers.ts'

const Context = createContext<Session | null>(null)
export const SessionProvider = Context.Provider

export function useSession(): Session {
  const session = useContext(Context)
  if (session === null) throw new TypeError('this screen is shown to nobody who is not signed in')
  return session
}

/** Why the one who is signed in may not do what needs a right; null: they may. The service refuses it in any case. */
export function useRefusals(): (needs: RightName | undefined) => string | null {
  // An application has all rights.
  const session = useContext(Context)
  const role = session?.person?.role
  const asks = session?.administrator ?? null
  return (needs) =>
    needs === undefined || role === undefined || hasRight(role, needs)
      ? null
      : `Your role is ${role}; this needs ${MAY[needs].role}${asks === null ? '' : `, which ${plainText(asks)} can give`}`
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
