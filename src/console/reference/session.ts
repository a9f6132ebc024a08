// Whether requests can be sent from here: the reference has no sign-in of its own, but the session of the console.
import { createContext, useContext, useEffect, useState } from 'react'
import type { InstancePage, Session } from '../api/answers.ts'
import { call, SIGNED_OUT } from '../api/call.ts'
import { problemOf } from '../api/problem.ts'

export type Access =
  | { readonly kind: 'asking' }
  /** `console`: whether there is one to sign in to. */
  | { readonly kind: 'outside'; readonly console: boolean }
  | {
      readonly kind: 'inside'
      readonly session: Session
      /** The newest instances, to choose from. */
      readonly instances: InstancePage['data']
    }

const Context = createContext<Access>({ kind: 'asking' })
export const AccessProvider = Context.Provider
export const useAccess = (): Access => useContext(Context)

/** Asked again when somebody comes back to the page: they may have signed in next door. */
export function useSessionNextDoor(): Access {
  const [access, setAccess] = useState<Access>({ kind: 'asking' })
  useEffect(() => {
    const ask = (): void => void accessNow().then(setAccess)
    const end = (): void => setAccess({ kind: 'outside', console: true })
    const look = (): void => {
      if (document.visibilityState === 'visible') ask()
    }
    ask()
    document.addEventListener('visibilitychange', look)
    window.addEventListener(SIGNED_OUT, end)
    return () => {
      document.removeEventListener('visibilitychange', look)
      window.removeEventListener(SIGNED_OUT, end)
    }
  }, [])
  return access
}

async function accessNow(): Promise<Access> {
  try {
    const session = await call<Session>('GET', '/session')
    const { data } = await call<InstancePage>('GET', '/integrations/connectors', {
      query: { limit: '100' },
    })
    return { kind: 'inside', session, instances: data }
  } catch (error) {
    return { kind: 'outside', console: problemOf(error).body.status === 401 }
  }
}
