// The console as a whole: who is signed in, and what they see.
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import type { Session } from './api/answers.ts'
import { call, SIGNED_OUT } from './api/call.ts'
import { type Problem, problemOf } from './api/problem.ts'
import { answers } from './api/use-answer.ts'
import { ProblemNotice } from './parts/answer.tsx'
import { Frame, FrameSkeleton } from './shell/frame.tsx'
import { dropAllTyped, keepFor } from './parts/typed.ts'
import { SignIn } from './screens/sign-in.tsx'
import { SessionProvider, whoIs } from './session.ts'

type Door =
  | { readonly kind: 'asking' }
  | { readonly kind: 'outside'; readonly ended: boolean }
  | { readonly kind: 'broken'; readonly problem: Problem }
  | { readonly kind: 'inside'; readonly session: Session }

export function App(): ReactNode {
  const [door, setDoor] = useState<Door>({ kind: 'asking' })
  const enter = useCallback((session: Session) => {
    // Somebody else may have been here before.
    if (keepFor(whoIs(session))) answers.clear()
    setDoor({ kind: 'inside', session })
  }, [])
  const ask = useCallback(() => {
    call<Session>('GET', '/session').then(enter, (error: unknown) => {
      const problem = problemOf(error)
      setDoor(
        problem.body.status === 401
          ? { kind: 'outside', ended: false }
          : { kind: 'broken', problem },
      )
    })
  }, [enter])
  useEffect(ask, [ask])
  useEffect(() => {
    const end = (): void =>
      setDoor((before) => (before.kind === 'inside' ? { kind: 'outside', ended: true } : before))
    window.addEventListener(SIGNED_OUT, end)
    return () => window.removeEventListener(SIGNED_OUT, end)
  }, [])

  switch (door.kind) {
    case 'asking':
      return <FrameSkeleton />
    case 'broken':
      return (
        <main className="sign-in">
          <ProblemNotice problem={door.problem} retry={ask} />
        </main>
      )
    case 'outside':
      return <SignIn ended={door.ended} enter={enter} />
    case 'inside': {
      const signOut = async (): Promise<void> => {
        await call('DELETE', '/session')
        dropAllTyped()
        answers.clear()
        setDoor({ kind: 'outside', ended: false })
      }
      return (
        <SessionProvider value={door.session}>
          <Frame signOut={() => void signOut()} />
        </SessionProvider>
      )
    }
  }
}
