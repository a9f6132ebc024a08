// Where the browser comes back to from a consent: the account is connected with what it brought.
import { type ReactNode, useEffect, useState } from 'react'
import type { Instance } from '../../api/answers.ts'
import { call, instancePath } from '../../api/call.ts'
import type { JsonObject } from '../../api/json-text.ts'
import { openWritesInMemory, writeOnce } from '../../api/write-once.ts'
import { localProblem, type Problem, problemOf } from '../../api/problem.ts'
import { addressOf, goTo, Link, type ScreenProps } from '../../place.tsx'
import { ProblemNotice } from '../../parts/answer.tsx'
import { Screen } from '../../parts/screen.tsx'
import { useSession } from '../../session.ts'
import { type Purpose, takePurpose } from './consent.ts'
import { dropDraft } from './draft.ts'

interface Return {
  readonly purpose: Purpose | null
  readonly secretId: string | null
  readonly error: string | null
}

export function ConnectedScreen({ query }: ScreenProps): ReactNode {
  // Once: the purpose is taken, and the secret leaves the address at once.
  const [back] = useState(() => readReturn(query))
  const { client_id: clientId } = useSession().session
  const [problem, setProblem] = useState<Problem | null>(null)
  useEffect(() => {
    window.history.replaceState(null, '', addressOf('/connected'))
    let current = true
    void (async () => {
      try {
        const id = await finish(back)
        if (back.purpose?.kind === 'create')
          dropDraft({ clientId, connectorType: typeOf(back.purpose.body) })
        const done: Readonly<Record<string, string>> =
          back.purpose?.kind === 'reconnect' ? { done: 'reconnected' } : {}
        if (current) goTo(addressOf(`/instances/${id}`, done), { replace: true })
      } catch (error) {
        if (current) setProblem(problemOf(error))
      }
    })()
    return () => {
      current = false
    }
  }, [back, clientId])
  return (
    <Screen title="Connecting">
      {problem === null ? (
        <p role="status">The third party agreed. Connecting the account …</p>
      ) : (
        <>
          <ProblemNotice problem={problem} />
          <p>
            <Link className="button primary" to={startAgain(back.purpose)}>
              Start again
            </Link>
          </p>
        </>
      )}
    </Screen>
  )
}

let last: { readonly state: string; readonly found: Return } | null = null

/** React may start a screen twice; the purpose can be taken once. */
function readReturn(query: URLSearchParams): Return {
  const state = query.get('state') ?? ''
  if (last?.state === state) return last.found
  const found = {
    purpose: takePurpose(state),
    secretId: query.get('secret_id'),
    error: query.get('error_description') ?? query.get('error'),
  }
  last = { state, found }
  return found
}

let running: { readonly back: Return; readonly id: Promise<string> } | null = null

/** The id of the instance. The secret works once, so it is used once. */
function finish(back: Return): Promise<string> {
  if (running?.back !== back) running = { back, id: connect(back) }
  return running.id
}

async function connect({ purpose, secretId, error }: Return): Promise<string> {
  if (purpose === null) {
    throw localProblem(
      'consent_foreign',
      'This consent did not start here',
      'It was started in another tab or is over already. Nothing was connected.',
    )
  }
  if (secretId === null) {
    throw localProblem(
      'consent_refused',
      'The account was not connected',
      error ?? 'The third party sent nothing.',
    )
  }
  if (purpose.kind === 'reconnect') {
    await call('PATCH', instancePath(purpose.id), {
      body: { server_side_oauth_secret_id: secretId },
    })
    return purpose.id
  }
  const body = { ...purpose.body, server_side_oauth_secret_id: secretId }
  const made = await writeOnce<Instance>('/integrations/connectors', body, openWritesInMemory())
  return made.value.id
}

function startAgain(purpose: Purpose | null): string {
  if (purpose === null) return addressOf('/instances')
  if (purpose.kind === 'reconnect') return addressOf(`/instances/${purpose.id}/reconnect`)
  return addressOf('/instances/new', { connector: typeOf(purpose.body) })
}

function typeOf(body: JsonObject): string {
  const type = body['connector_type']
  return typeof type === 'string' ? type : ''
}
