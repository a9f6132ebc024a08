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

/** What a button fills in: credentials, with the method that they are for, or settings alone of the way that is chosen. */
export type Filling = 'credentials' | 'settings'

export function DemoNotice(props: {
  /** What people call the way that works at once. */
  readonly atOnce: string
  /** In the order of the buttons. */
  readonly offers: readonly Filling[]
  /** A user is filled in, too. */
  readonly andUser: boolean
  /** A consent is chosen, which is agreed to without values. */
  readonly isConsent: boolean
  readonly fill: (what: Filling) => void
  /** What was filled in; null: nothing yet. */
  readonly filled: string | null
}): ReactNode {
  return (
    <div className="pile">
      <div className="notice">
        <p>
          This is the sandbox: a local vendor answers, and takes its demo values only.{' '}
          <strong>{props.atOnce}</strong> works at once, with its demo credentials
          {props.isConsent
            ? '. A consent works as well: the local vendor shows a page, and agrees to it.'
            : '.'}
        </p>
      </div>
      <div className="actions">
        {props.offers.map((what) => (
          <Button key={what} needs="connecting" onClick={() => props.fill(what)}>
            Fill in demo {what}
            {props.andUser ? ' and a user' : null}
          </Button>
        ))}
      </div>
      <div role="status">
        {props.filled === null ? null : <p className="fine">{props.filled}</p>}
      </div>
    </div>
  )
}
