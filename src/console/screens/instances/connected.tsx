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
import { useSession, whoIs } from '../../session.ts'
import { type Purpose, takePurpose } from './consent.ts'
import { dropDraft } from './draft.ts'

interface Return {
  readonly purpose: Purpose | null
  readonly id: Promise<string>
}

export function ConnectedScreen({ query }: ScreenProps): ReactNode {
  const [{ purpose, id }] = useState(() => connectOnce(query))
  const session = useSession()
  const owner = whoIs(session)
  const [problem, setProblem] = useState<Problem | null>(null)
  useEffect(() => {
    // The secret leaves the address at once.
    window.history.replaceState(null, '', addressOf('/connected'))
    let current = true
    void (async () => {
      try {
        const path = `/instances/${await id}`
        if (purpose?.kind === 'create') dropDraft({ owner, connectorType: typeOf(purpose.body) })
        const done = purpose?.kind === 'reconnect' ? 'reconnected' : ''
        if (current) goTo(addressOf(path, { done }), { replace: true })
      } catch (error) {
        if (current) setProblem(problemOf(error))
      }
    })()
    return () => {
      current = false
    }
  }, [purpose, id, owner])
  return (
    <Screen title="Connecting">
      {problem === null ? (
        <p role="status">The third party agreed. Connecting the account …</p>
      ) : (
        <>
          <ProblemNotice problem={problem} />
          <p>
            <Link className="button primary" to={startAgain(purpose)}>
              Start again
            </Link>
          </p>
        </>
      )}
    </Screen>
  )
}

let last: { readonly state: string; readonly found: Return } | null = null

/** React may start a screen twice; the purpose can be taken once, and the secret works once. */
function connectOnce(query: URLSearchParams): Return {
  const state = query.get('state') ?? ''
  if (last?.state === state) return last.found
  const purpose = takePurpose(state)
  const found = { purpose, id: connect(purpose, query) }
  // The screen tells what fails, once it is shown.
  found.id.catch(() => {})
  last = { state, found }
  return found
}

async function connect(purpose: Purpose | null, query: URLSearchParams): Promise<string> {
  const secretId = query.get('secret_id')
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
      query.get('error_description') ?? query.get('error') ?? 'The third party sent nothing.',
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
