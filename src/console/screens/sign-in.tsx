// The first screen: client id and secret of an application.
import { type ReactNode, useState } from 'react'
import type { Session } from '../api/answers.ts'
import { call } from '../api/call.ts'
import { useTask } from '../api/use-answer.ts'
import { onSubmit } from '../parts/controls.tsx'
import { ProblemNotice } from '../parts/answer.tsx'
import { Mark } from '../parts/mark.tsx'
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
  return (
    <main className="sign-in">
      <form className="card" onSubmit={onSubmit(() => void submit())}>
        <h1>
          <Mark /> Tenon
        </h1>
        <p className="lead">Sign in with the client id and secret of an application.</p>
        {props.ended ? (
          <div className="notice" role="status">
            <p>Your session is over. Sign in again to continue where you were.</p>
          </div>
        ) : null}
        <ProblemNotice problem={problem} />
        <label>
          Client id
          <input
            name="client_id"
            required
            autoFocus
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
        <button className="primary" disabled={busy}>
          {busy ? 'Signing in …' : 'Sign in'}
        </button>
        <details>
          <summary>Where do I find them?</summary>
          <p>
            The first start of <code>tenon serve</code> prints them for the application{' '}
            <code>default</code>. Another application is made by <code>tenon apps create</code>. A
            lost secret is replaced by <code>tenon apps rotate-secret default</code>.
          </p>
        </details>
      </form>
    </main>
  )
}
