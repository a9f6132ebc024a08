// Connecting an account: which connector, whose, and how.
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { vendorName } from '../../../connect/field-words.ts'
import type { ConnectorDetail, ConnectorSummary, Instance } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import type { JsonObject } from '../../api/json-text.ts'
import { useAnswer, useDeed } from '../../api/use-answer.ts'
import { openWritesInMemory, writeOnce } from '../../api/write-once.ts'
import { fieldProblems, shownPointers } from '../../form/field-problems.ts'
import { SchemaForm } from '../../form/schema-form.tsx'
import { propertiesOf } from '../../form/schema-node.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { leadTo, useEnded } from '../../parts/lead-to.ts'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Screen } from '../../parts/screen.tsx'
import { addressOf, goTo } from '../../place.ts'
import { useSession } from '../../session.ts'
import type { ScreenProps } from '../screen-entry.ts'
import { leaveForConsent } from './consent.ts'
import { type ChosenWay, CredentialsForm, neededSettings, waysOf } from './credentials-form.tsx'
import { DemoNotice } from './demo-notice.tsx'
import { demoCredentials } from './demo-credentials.ts'
import { dropDraft, keepDraft, readDraft } from './draft.ts'

export function NewInstanceScreen({ query }: ScreenProps): ReactNode {
  const type = query.get('connector') ?? ''
  const types = useAnswer('types', (signal) =>
    call<{ readonly data: readonly ConnectorSummary[] }>('GET', '/connectors', { signal }),
  )
  return (
    <Screen
      title="Connect an account"
      above={
        <p className="crumbs">
          <Link to={addressOf('/instances')}>Instances</Link>
        </p>
      }
    >
      <Loaded of={types}>
        {({ data }) => (
          <fieldset className="choices cards">
            <legend>Connector</legend>
            {data.map((each) => (
              <label key={each.connector_type} className="choice">
                <input
                  type="radio"
                  name="connector"
                  checked={each.connector_type === type}
                  onChange={() =>
                    goTo(addressOf('/instances/new', { connector: each.connector_type }), {
                      replace: true,
                    })
                  }
                />
                <span>
                  <strong>{each.title}</strong>
                  <small>
                    {each.connector_type} {each.version}
                  </small>
                </span>
              </label>
            ))}
          </fieldset>
        )}
      </Loaded>
      {type === '' ? null : <OfType key={type} type={type} />}
    </Screen>
  )
}

function OfType(props: { readonly type: string }): ReactNode {
  const connector = useAnswer(props.type, (signal) =>
    call<ConnectorDetail>('GET', `/connectors/${encodeURIComponent(props.type)}`, { signal }),
  )
  return <Loaded of={connector}>{(value) => <Form connector={value} />}</Loaded>
}

function Form(props: { readonly connector: ConnectorDetail }): ReactNode {
  const { connector } = props
  const { session } = useSession()
  const owner = { clientId: session.client_id, connectorType: connector.connector_type }
  const [before] = useState(() => readDraft(owner))
  const ways = waysOf(connector)
  const [user, setUser] = useState(before?.user ?? '')
  const [name, setName] = useState(before?.name ?? vendorName(connector.title))
  const [chosen, setChosen] = useState<ChosenWay | undefined>(
    ways.find(({ method, by }) => method === before?.way?.method && by === before.way.by) ??
      ways[0],
  )
  const [credentials, setCredentials] = useState<JsonObject>(before?.credentials ?? {})
  const [config, setConfig] = useState<JsonObject>(before?.config ?? {})
  const { busy, problem, run, clear } = useDeed()
  const [openWrites] = useState(openWritesInMemory)
  const form = useRef<HTMLFormElement>(null)
  const notice = useRef<HTMLDivElement>(null)
  useEnded(busy, () => leadTo(form.current, notice.current))
  useEffect(
    () =>
      keepDraft(
        owner,
        { user, name, way: chosen ?? null, credentials, config },
        connector.credential_schemas[chosen?.method ?? ''] ?? {},
      ),
    [user, name, chosen, credentials, config],
  )
  if (chosen === undefined) return <p>This connector has no authentication method.</p>
  const way = chosen
  const problems = fieldProblems(problem)
  const schema = way.by === 'fields' ? (connector.credential_schemas[way.method] ?? {}) : {}
  const demo = demoCredentials(connector, session)

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    void run(async () => {
      const body = {
        external_user_id: user.trim(),
        connector_type: connector.connector_type,
        name: name.trim(),
        ...(Object.keys(config).length === 0 ? {} : { config }),
      }
      if (way.by === 'consent') {
        await leaveForConsent({
          externalUserId: body.external_user_id,
          connectorType: connector.connector_type,
          connectorVersion: null,
          config,
          purpose: { kind: 'create', body },
        })
        return
      }
      const made = await writeOnce<Instance>(
        '/integrations/connectors',
        { ...body, credentials, auth_method: way.method },
        openWrites,
      )
      dropDraft(owner)
      goTo(addressOf(`/instances/${made.value.id}`), { replace: true })
    })
  }
  return (
    <form ref={form} className="stack" onSubmit={submit}>
      {connector.description === null ? null : <p className="lead">{connector.description}</p>}
      <fieldset>
        <legend>Whose account</legend>
        <div className="field">
          <div className="field-head">
            <label htmlFor="user">User</label>
            <span className="mark-required">required</span>
          </div>
          <input
            id="user"
            required
            autoComplete="off"
            aria-describedby="user-about"
            value={user}
            onChange={(event) => setUser(event.target.value)}
          />
          <div className="about" id="user-about">
            The id that your app gives its user, external_user_id.
            <FieldFault problems={problems} pointer="/external_user_id" />
          </div>
        </div>
        <div className="field">
          <div className="field-head">
            <label htmlFor="name">Name</label>
            <span className="mark-required">required</span>
          </div>
          <input
            id="name"
            required
            autoComplete="off"
            aria-describedby="name-about"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <div className="about" id="name-about">
            A label for people.
            <FieldFault problems={problems} pointer="/name" />
          </div>
        </div>
      </fieldset>
      {demo === null ? null : (
        <DemoNotice
          words={
            way.by === 'fields'
              ? 'credentials'
              : Object.keys(demo.config).length === 0
                ? null
                : 'settings'
          }
          fill={() => {
            clear()
            // How to connect was chosen; where credentials are typed, the demo has them of one method.
            if (way.by === 'fields') {
              setChosen(demo.way)
              setCredentials(demo.credentials)
            }
            setConfig(demo.config)
            if (user === '') setUser('user-1')
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
        problems={problems}
      />
      {propertiesOf(connector.config_schema).length === 0 ? null : (
        <fieldset>
          <legend>Settings</legend>
          <SchemaForm
            schema={connector.config_schema}
            value={config}
            change={setConfig}
            pointer="/config"
            problems={problems}
            inWords
            oneOf={neededSettings(connector, way)}
          />
        </fieldset>
      )}
      <ProblemNotice
        place={notice}
        problem={problem}
        shown={shownPointers(problem, '/credentials', schema).union(
          shownPointers(problem, '/config', connector.config_schema),
        )}
      />
      <div className="actions">
        <button className="primary" disabled={busy}>
          {busy ? 'Connecting …' : way.by === 'consent' ? 'Go to the consent page' : 'Connect'}
        </button>
        <Link className="button" to={addressOf('/instances')} before={() => dropDraft(owner)}>
          Cancel
        </Link>
      </div>
    </form>
  )
}

function FieldFault(props: {
  readonly problems: ReadonlyMap<string, string>
  readonly pointer: string
}): ReactNode {
  const fault = props.problems.get(props.pointer)
  return fault === undefined ? null : <strong className="fault">{fault}</strong>
}
