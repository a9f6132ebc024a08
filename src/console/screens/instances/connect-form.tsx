// The form that connects an account, for the first time or again.
import { type ReactNode, useState } from 'react'
import type { ConnectorDetail } from '../../api/answers.ts'
import type { JsonObject } from '../../api/json-text.ts'
import { type Task, useTask } from '../../api/use-answer.ts'
import { fieldProblems, propertiesOf, requiredOf, shownPointers } from '../../form/schema-node.ts'
import { SchemaForm } from '../../form/schema-form.tsx'
import { useFormEnd } from '../../parts/lead-to.ts'
import { Link } from '../../place.tsx'
import { ProblemNotice, RoleNotice } from '../../parts/answer.tsx'
import { Button, onSubmit } from '../../parts/controls.tsx'
import { useSession } from '../../session.ts'
import {
  type ChosenWay,
  CredentialsForm,
  neededSettings,
  waysOf,
  wayWords,
} from './credentials-form.tsx'
import { type DemoCredentials, demoCredentials, DemoNotice } from './demo.tsx'

interface Connecting {
  readonly connector: ConnectorDetail
  readonly task: Task
  readonly way: ChosenWay
  readonly choose: (way: ChosenWay) => void
  readonly credentials: JsonObject
  readonly changeCredentials: (credentials: JsonObject) => void
}

/**
 * Begins with a way that `isFirst` tells, else with one that works with what the service has: in the sandbox the one that
 * takes demo values. `way` undefined: the connector has none.
 */
export function useConnecting(
  connector: ConnectorDetail,
  isFirst: (way: ChosenWay) => boolean,
  typed: JsonObject = {},
): Omit<Connecting, 'way'> & { readonly way: ChosenWay | undefined } {
  const demo = demoCredentials(connector, useSession())
  const ways = [...(demo === null ? [] : [demo.way]), ...waysOf(connector)]
  const [way, choose] = useState(ways.find(isFirst) ?? ways[0])
  const [credentials, changeCredentials] = useState(typed)
  return { connector, task: useTask(), way, choose, credentials, changeCredentials }
}

export interface ConnectFormProps extends Connecting {
  /** Absent: the settings stay as they are. */
  readonly settings?: { readonly value: JsonObject; readonly change: (value: JsonObject) => void }
  /** What is filled in besides the credentials. */
  readonly fill?: (demo: DemoCredentials) => void
  readonly submit: () => void
  readonly words: string
  readonly cancel: { readonly to: string; readonly before?: () => void }
  readonly children?: ReactNode
  readonly afterProblem?: string
}

export function ConnectForm(props: ConnectFormProps): ReactNode {
  const { connector, way, task, settings, choose, changeCredentials } = props
  const { busy, problem, clear } = task
  const session = useSession()
  const { form, notice } = useFormEnd(busy)
  const demo = demoCredentials(connector, session)
  const problems = fieldProblems(problem)
  const schema = way.by === 'fields' ? (connector.credential_schemas[way.method] ?? {}) : {}
  const hasDemoSettings = settings !== undefined && Object.keys(demo?.config ?? {}).length > 0
  // A consent asks for what else it needs itself.
  const asksSettings = hasDemoSettings && requiredOf(connector.config_schema).size > 0
  const [filled, setFilled] = useState<string | null>(null)
  return (
    <form ref={form} className="stack" onSubmit={onSubmit(props.submit)}>
      <RoleNotice needs="connecting" />
      {demo === null ? null : (
        <DemoNotice
          atOnce={wayWords(connector, demo.way)}
          offers={
            way.by === 'consent' && asksSettings ? ['credentials', 'settings'] : ['credentials']
          }
          andUser={props.fill !== undefined}
          isConsent={way.by === 'consent'}
          filled={filled}
          fill={(what) => {
            clear()
            if (what === 'credentials') {
              choose(demo.way)
              changeCredentials(demo.credentials)
            }
            settings?.change(demo.config)
            props.fill?.(demo)
            const chosen = wayWords(connector, what === 'credentials' ? demo.way : way)
            const both = hasDemoSettings ? 'credentials and settings' : 'credentials'
            setFilled(
              what === 'credentials'
                ? `${chosen} is chosen; its demo ${both} are filled in.`
                : `The demo settings are filled in; ${chosen} stays chosen.`,
            )
          }}
        />
      )}
      {props.children}
      <CredentialsForm
        connector={connector}
        way={way}
        atOnce={demo?.way.method ?? null}
        choose={(next) => {
          clear()
          if (next.method !== way.method) changeCredentials({})
          setFilled(null)
          choose(next)
        }}
        credentials={props.credentials}
        change={changeCredentials}
        problems={problems}
      />
      {settings === undefined || propertiesOf(connector.config_schema).length === 0 ? null : (
        <fieldset>
          <legend>Settings</legend>
          <SchemaForm
            schema={connector.config_schema}
            value={settings.value}
            change={settings.change}
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
          shownPointers(problem, '/config', settings === undefined ? {} : connector.config_schema),
        )}
      />
      {problem === null || props.afterProblem === undefined ? null : <p>{props.afterProblem}</p>}
      <div className="actions">
        <Button type="submit" className="primary" needs="connecting" disabled={busy}>
          {busy ? 'Connecting …' : way.by === 'consent' ? 'Go to the consent page' : props.words}
        </Button>
        <Link className="button" {...props.cancel}>
          Cancel
        </Link>
      </div>
    </form>
  )
}
