// The first screen: a provider of people, where there is one, or client id and secret of an application.
import { type ReactNode, useEffect, useState } from 'react'
import type { Session, SignInWays } from '../api/answers.ts'
import { call } from '../api/call.ts'
import { useTask } from '../api/use-answer.ts'
import { Button, onSubmit } from '../parts/controls.tsx'
import { ProblemNotice } from '../parts/answer.tsx'
import { Mark } from '../parts/mark.tsx'
import { rememberPlace } from './place-before.ts'
import './sign-in.css'

export function SignIn(props: {
  readonly ended: boolean
  readonly enter: (session: Session) => void
}): ReactNode {
  const [clientId, setClientId] = useState('')
  const [secret, setSecret] = useState('')
  const { busy, problem, run } = useTask()
  const submit = (): Promise<void> =>
    run(async () => {
      const body = { client_id: clientId.trim(), client_secret: secret.trim() }
      props.enter(await call<Session>('POST', '/session', { body }))
    })
  const provider = useProvider()
  const leave = (): Promise<void> =>
    run(async () => {
      const { url } = await call<{ url: string }>('POST', '/session/open-id')
      rememberPlace()
      window.location.assign(url)
      // Until the browser has left, nothing can be pressed twice.
      await new Promise(() => {})
    })
  return (
    <main className="sign-in">
      <form className="card" onSubmit={onSubmit(() => void submit())}>
        <h1>
          <Mark /> Tenon
        </h1>
        {props.ended ? (
          <div className="notice" role="status">
            <p>Your session is over. Sign in again to continue where you were.</p>
            <p className="fine">
              A session ends after an hour without use, and after twelve hours in any case. It ends
              at once when the application is disabled or gets another secret, or when an
              administrator removes the person.
            </p>
          </div>
        ) : null}
        <ProblemNotice problem={problem} />
        {provider === null ? null : (
          <>
            <Button className="primary" disabled={busy} onClick={() => void leave()}>
              Sign in at {provider}
            </Button>
            <p className="fine">or, for programs and their owners:</p>
          </>
        )}
        <p className="lead">Sign in with the client id and secret of an application.</p>
        <label>
          Client id
          <input
            name="client_id"
            required
            autoFocus={provider === null}
            autoComplete="username"
            value={clientId}
            onChange={(event) => setClientId(event.target.value)}
          />
        </label>
        <label>
          Client secret
          <input
            name="client_secret"
            type="password"
            required
            autoComplete="current-password"
            value={secret}
            onChange={(event) => setSecret(event.target.value)}
          />
        </label>
        <button className={provider === null ? 'primary' : ''} disabled={busy}>
          {busy ? 'Signing in …' : 'Sign in'}
        </button>
        <details>
          <summary className="quiet">Where do I find them?</summary>
          <p>
            The first start of <code>tenon serve</code> prints them for the application{' '}
            <code>default</code>, or says in which file the secret is. Another application is made
            by <code>tenon apps create</code>. A lost secret is replaced by{' '}
            <code>tenon apps rotate-secret default</code>.
          </p>
        </details>
      </form>
    </main>
  )
}

/** The host of the provider of people; null: there is none, or it is not known yet. */
function useProvider(): string | null {
  const [provider, setProvider] = useState<string | null>(null)
  useEffect(() => {
    call<SignInWays>('GET', '/session/ways').then(
      ({ open_id: host }) => setProvider(host),
      // What is wrong with the service is said by the next thing that is tried.
      () => {},
    )
  }, [])
  return provider
}
