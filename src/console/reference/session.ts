// Whether requests can be sent from here: the reference has no sign-in of its own, but the session of the console.
import { useQuery } from '@tanstack/react-query'
import type { Instance, InstancePage, Session } from '../api/answers.ts'
import { call, instancePath, SIGNED_OUT } from '../api/call.ts'
import { problemOf } from '../api/problem.ts'
import { answers } from '../api/use-answer.ts'
import { keepFor } from '../parts/typed.ts'
import { whoIs } from '../session.ts'

export type Access =
  | { readonly kind: 'asking' }
  /** `console`: whether there is one to sign in to. */
  | { readonly kind: 'outside'; readonly console: boolean }
  | {
      readonly kind: 'inside'
      readonly session: Session
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
    keepFor(whoIs(session))
    return { kind: 'inside', session }
  } catch (error) {
    return { kind: 'outside', console: problemOf(error).body.status === 401 }
  }
}

/** The account of an id; null: it is none, or is not known yet. */
export function useAccount(id: string): Instance | null {
  const path = instancePath(id)
  const { data } = useQuery({
    queryKey: ['get', path, {}],
    queryFn: ({ signal }) => call<Instance>('GET', path, { signal }),
    enabled: id !== '',
  })
  return data ?? null
}

/** The newest account of who is signed in; null: nobody is, there is none, or it is not known yet. */
export function useNewestAccount(): Instance | null {
  const { kind } = useAccess()
  const { data } = useQuery({
    queryKey: ['newest account'],
    queryFn: ({ signal }) =>
      call<InstancePage>('GET', '/integrations/connectors', {
        query: { sort: '-created_at', limit: '1' },
        signal,
      }),
    enabled: kind === 'inside',
  })
  return data?.data[0] ?? null
}
