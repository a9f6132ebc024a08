// Whether requests can be sent from here: the reference has no sign-in of its own, but the session of the console.
import { useQuery } from '@tanstack/react-query'
import type { InstancePage, Session } from '../api/answers.ts'
import { call, SIGNED_OUT } from '../api/call.ts'
import { problemOf } from '../api/problem.ts'
import { answers } from '../api/use-answer.ts'

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

const KEY = ['access']

const ENDED: Access = { kind: 'outside', console: true }

window.addEventListener(SIGNED_OUT, () => void answers.setQueryData(KEY, ENDED))

/** All who ask share it. It is asked again when somebody comes back to the page: they may have signed in next door. */
export function useAccess(): Access {
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: accessNow,
    staleTime: Infinity,
    refetchOnWindowFocus: 'always',
  })
  return data ?? { kind: 'asking' }
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
