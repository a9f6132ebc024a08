// Connecting an account: which connector, whose, and how.
import { type ReactNode, useEffect, useState } from 'react'
import { vendorName } from '../../../display/field-words.ts'
import type { All, ConnectorDetail, ConnectorSummary, Instance } from '../../api/answers.ts'
import type { JsonObject } from '../../api/json-text.ts'
import { openWritesInMemory, writeOnce } from '../../api/write-once.ts'
import { fieldProblems } from '../../form/schema-node.ts'
import { ConnectorIcon } from '../../parts/connector-icon.tsx'
import { Button, TextField } from '../../parts/controls.tsx'
import { Fetched, RoleNotice } from '../../parts/answer.tsx'
import { NotThere } from '../../parts/not-there.tsx'
import { Screen } from '../../parts/screen.tsx'
import { addressOf, goTo, type ScreenProps } from '../../place.tsx'
import { useSession, whoIs } from '../../session.ts'
import { ConnectForm, useConnecting } from './connect-form.tsx'
import { leaveForConsent } from './consent.ts'
import { dropDraft, keepDraft, readDraft } from './draft.ts'

export function NewInstanceScreen({ query }: ScreenProps): ReactNode {
  const type = query.get('connector') ?? ''
  return (
    <Screen title="Connect an account" crumbs={[['Accounts', '/instances']]}>
      {type === '' ? <RoleNotice needs="connecting" /> : null}
      <Fetched<All<ConnectorSummary>> path="/connectors">
        {({ data }) => {
          const isThere = data.some((each) => each.connector_type === type)
          return (
            <>
              {type === '' || isThere ? null : (
                <NotThere what="connector" value={type} shown="those that there are stand below" />
              )}
              <Picker connectors={data} type={type} />
              {isThere ? (
                <Fetched<ConnectorDetail>
                  key={type}
                  path={`/connectors/${encodeURIComponent(type)}`}
                >
                  {(connector) => <Form connector={connector} />}
                </Fetched>
              ) : null}
            </>
          )
        }}
      </Fetched>
    </Screen>
  )
}

/** What was chosen takes one line, so that the form is next; the list opens again by its button, which has the focus. */
function Picker(props: {
  readonly connectors: readonly ConnectorSummary[]
  readonly type: string
}): ReactNode {
  const chosen = props.connectors.find(({ connector_type: type }) => type === props.type)
  const [isOpen, setOpen] = useState(false)
  const [wasChosen, setWasChosen] = useState(false)
  if (chosen !== undefined && !isOpen)
    return (
      <div className="picked box">
        <ConnectorIcon type={chosen.connector_type} />
        <strong className="cut">{chosen.title}</strong>
        <Button className="small" autoFocus={wasChosen} onClick={() => setOpen(true)}>
          Choose another connector
        </Button>
      </div>
    )
  return (
    <section className="pile" aria-label="Connector">
      <h2>Connector</h2>
      <ul className="choices">
        {props.connectors.map(({ connector_type: type, title, version }, at) => (
          <li key={type}>
            <Button
              className="choice"
              aria-current={type === props.type}
              autoFocus={isOpen && (type === props.type || (chosen === undefined && at === 0))}
              onClick={() => {
                setOpen(false)
                setWasChosen(true)
                goTo(addressOf('/instances/new', { connector: type }), { replace: true })
              }}
            >
              <ConnectorIcon type={type} />
              <span>
                <strong>{title}</strong>
                <small>
                  {type} {version}
                </small>
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Form(props: { readonly connector: ConnectorDetail }): ReactNode {
  const { connector } = props
  const session = useSession()
  const owner = { owner: whoIs(session), connectorType: connector.connector_type }
  const [before] = useState(() => readDraft(owner))
  const connecting = useConnecting(
    connector,
    ({ method, by }) => method === before?.way?.method && by === before.way.by,
    before?.credentials,
  )
  const { task, way, credentials } = connecting
  const [user, setUser] = useState(before?.user ?? '')
  const [name, setName] = useState(before?.name ?? vendorName(connector.title))
  const [config, setConfig] = useState<JsonObject>(before?.config ?? {})
  const [openWrites] = useState(openWritesInMemory)
  useEffect(
    () =>
      keepDraft(
        owner,
        { user, name, way: way ?? null, credentials, config },
        connector.credential_schemas[way?.method ?? ''] ?? {},
      ),
    [user, name, way, credentials, config],
  )
  if (way === undefined) return <p>This connector has no authentication method.</p>
  const problems = fieldProblems(task.problem)
  const submit = (): Promise<void> =>
    task.run(async () => {
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
  return (
    <ConnectForm
      {...connecting}
      way={way}
      settings={{ value: config, change: setConfig }}
      fill={() => {
        if (user === '') setUser('user-1')
      }}
      submit={() => void submit()}
      words="Connect"
      cancel={{ to: addressOf('/instances'), before: () => dropDraft(owner) }}
    >
      {connector.description === null ? null : <p className="lead">{connector.description}</p>}
      <fieldset>
        <legend>Whose account</legend>
        <TextField
          label="User"
          required
          about="Whose account it is: the id that your app knows its user by (external_user_id). Without an app, any name does, such as your own."
          fault={problems.get('/external_user_id')}
          value={user}
          change={setUser}
        />
        <TextField
          label="Name"
          required
          about="What the account is called in lists and logs here."
          fault={problems.get('/name')}
          value={name}
          change={setName}
        />
      </fieldset>
    </ConnectForm>
  )
}
