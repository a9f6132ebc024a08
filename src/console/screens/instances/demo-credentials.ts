// What the sandbox can be connected with.
import type { ConnectorDetail, Session } from '../../api/answers.ts'
import type { JsonObject } from '../../api/json-text.ts'
import { propertiesOf } from '../../form/schema-node.ts'
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
    const known = new Set(
      propertiesOf(connector.credential_schemas[name] ?? {}).map(([field]) => field),
    )
    return Object.keys(found.credentials).every((field) => known.has(field))
  })
  return method === undefined ? null : { way: { method: method.name, by: 'fields' }, ...found }
}
