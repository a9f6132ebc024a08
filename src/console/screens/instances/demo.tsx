// In the sandbox nobody has credentials: those of the local vendor can be filled in.
import type { ReactNode } from 'react'
import type { ConnectorDetail, Session } from '../../api/answers.ts'
import type { JsonObject } from '../../api/json-text.ts'
import { propertiesOf } from '../../form/schema-node.ts'
import { Button } from '../../parts/controls.tsx'
import type { ChosenWay } from './credentials-form.tsx'

export interface DemoCredentials {
  readonly way: ChosenWay
  readonly credentials: JsonObject
  readonly config: JsonObject
}

/** Demo credentials of a connector, and the method that they are for; null: there is no sandbox of it. */
export function demoCredentials(
  connector: ConnectorDetail,
  { demo }: Session,
): DemoCredentials | null {
  const found = demo?.[connector.connector_type]
  if (found === undefined) return null
  const method = connector.auth_methods.find(({ name }) => {
    const known = new Map(propertiesOf(connector.credential_schemas[name] ?? {}))
    return Object.keys(found.credentials).every((field) => known.has(field))
  })
  return method === undefined ? null : { way: { method: method.name, by: 'fields' }, ...found }
}

export function DemoNotice(props: {
  /** What there is to fill in; null: nothing, the local vendor agrees to every consent. */
  readonly words: 'credentials' | 'settings' | null
  /** A user is filled in, too. */
  readonly andUser: boolean
  readonly fill: () => void
}): ReactNode {
  return (
    <div className="notice">
      <p>
        {props.words === null
          ? 'This is the sandbox: a local vendor answers, and agrees to every consent.'
          : 'This is the sandbox: a local vendor answers, and takes its demo values only.'}{' '}
        {props.words === null ? null : (
          <Button className="small" onClick={props.fill}>
            Fill in demo {props.words}
            {props.andUser ? ' and a user' : null}
          </Button>
        )}
      </p>
    </div>
  )
}
