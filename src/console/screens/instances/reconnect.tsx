// New credentials for an instance that stays the same: id and copied data are kept.
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import type { ConnectorDetail, Instance } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import type { JsonObject } from '../../api/json-text.ts'
import { useAnswer, useDeed } from '../../api/use-answer.ts'
import { fieldProblems, shownPointers } from '../../form/field-problems.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { leadTo, useEnded } from '../../parts/lead-to.ts'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Screen } from '../../parts/screen.tsx'
import { addressOf, goTo } from '../../place.ts'
import { useSession } from '../../session.ts'
import type { ScreenProps } from '../screen-entry.ts'
import { leaveForConsent } from './consent.ts'
import { type ChosenWay, CredentialsForm, waysOf } from './credentials-form.tsx'
import { DemoNotice } from './demo-notice.tsx'
import { demoCredentials } from './demo-credentials.ts'
import { instancePath } from './instance-path.ts'

export function ReconnectScreen({ parts }: ScreenProps): ReactNode {
  const id = parts['id'] ?? ''
  const loaded = useAnswer(id, async (signal) => {
    const instance = await call<Instance>('GET', instancePath(id), { signal })
    const connector = await call<ConnectorDetail>(
      'GET',
      `/connectors/${encodeURIComponent(instance.connector_type)}`,
      { signal },
    )
    return { instance, connector }
  })
  return (
    <Screen
      title="Re-authenticate"
      lead="The new credentials replace the old ones; id, settings and copied data stay."
      above={
        <p className="crumbs">
          <Link to={addressOf('/instances')}>Instances</Link> /{' '}
          <Link to={addressOf(`/instances/${id}`)}>
            {loaded.kind === 'ready' ? loaded.value.instance.name : 'Instance'}
          </Link>
        </p>
      }
    >
      <Loaded of={loaded}>{(value) => <Form {...value} />}</Loaded>
    </Screen>
  )
}

function Form(props: {
  readonly instance: Instance
  readonly connector: ConnectorDetail
}): ReactNode {
  const { instance, connector } = props
  const { session } = useSession()
  const ways = waysOf(connector)
  const [chosen, setChosen] = useState<ChosenWay | undefined>(
    ways.find(({ method }) => method === instance.auth_method) ?? ways[0],
  )
  const [credentials, setCredentials] = useState<JsonObject>({})
  const { busy, problem, run, clear } = useDeed()
  const form = useRef<HTMLFormElement>(null)
  const notice = useRef<HTMLDivElement>(null)
  useEnded(busy, () => leadTo(form.current, notice.current))
  if (chosen === undefined) return <p>This connector has no authentication method.</p>
  const way = chosen
  const demo = demoCredentials(connector, session)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    void run(async () => {
      if (way.by === 'consent') {
        await leaveForConsent({
          externalUserId: instance.external_user_id,
          connectorType: instance.connector_type,
          connectorVersion: instance.connector_version,
          config: null,
          purpose: { kind: 'reconnect', id: instance.id, name: instance.name },
        })
        return
      }
      await call('PATCH', instancePath(instance.id), {
        body: { credentials, auth_method: way.method },
      })
      goTo(addressOf(`/instances/${instance.id}`, { done: 'reconnected' }), { replace: true })
    })
  }
  return (
    <form ref={form} className="stack" onSubmit={submit}>
      {demo === null ? null : (
        <DemoNotice
          words={way.by === 'fields' ? 'credentials' : null}
          fill={() => {
            clear()
            setChosen(demo.way)
            setCredentials(demo.credentials)
          }}
        />
      )}
      <CredentialsForm
        connector={connector}
        way={way}
        choose={(next) => {
          clear()
          if (next.method !== way.method) setCredentials({})
          setChosen(next)
        }}
        credentials={credentials}
        change={setCredentials}
        problems={fieldProblems(problem)}
      />
      <ProblemNotice
        place={notice}
        problem={problem}
        shown={shownPointers(
          problem,
          '/credentials',
          connector.credential_schemas[way.method] ?? {},
        )}
      />
      {problem === null ? null : <p>The old credentials are still in place.</p>}
      <div className="actions">
        <button className="primary" disabled={busy}>
          {busy
            ? 'Connecting …'
            : way.by === 'consent'
              ? 'Go to the consent page'
              : 'Replace the credentials'}
        </button>
        <Link className="button" to={addressOf(`/instances/${instance.id}`)}>
          Cancel
        </Link>
      </div>
    </form>
  )
}
