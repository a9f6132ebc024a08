// How to connect: a method, and its credentials or its consent.
import type { ReactNode } from 'react'
import type { AuthMethod, ConnectorDetail } from '../../api/answers.ts'
import type { JsonObject } from '../../api/json-text.ts'
import { askedInWords } from '../../form/asked-in-words.ts'
import { SchemaForm } from '../../form/schema-form.tsx'
import { Choice } from '../../parts/controls.tsx'

/** `consent`: on the third party's page; `fields`: by credentials typed here. */
export type ChosenWay = {
  readonly method: string
  readonly by: 'consent' | 'fields'
}

/**
 * The ways of a connector: consents that the service is set up for, which need no secret in anybody's hands, then
 * credentials that a user has, and last the tokens of a consent, which hardly anybody has.
 */
export function waysOf(connector: ConnectorDetail): readonly ChosenWay[] {
  const methods = connector.auth_methods
  return [
    ...methods
      .filter((method) => method.oauth && method.oauth_configured)
      .map(({ name }) => ({ method: name, by: 'consent' }) as const),
    ...methods
      .toSorted((a, b) => Number(a.oauth) - Number(b.oauth))
      .map(({ name }) => ({ method: name, by: 'fields' }) as const),
  ]
}

export function CredentialsForm(props: {
  readonly connector: ConnectorDetail
  readonly way: ChosenWay
  /** The method whose credentials work in the sandbox; null: this is none, or has none of them. */
  readonly atOnce: string | null
  readonly choose: (way: ChosenWay) => void
  readonly credentials: JsonObject
  readonly change: (credentials: JsonObject) => void
  readonly problems: ReadonlyMap<string, string>
}): ReactNode {
  const { connector, way } = props
  const schema = connector.credential_schemas[way.method]
  const unconfigured = connector.auth_methods.find(
    (method) => method.oauth && !method.oauth_configured,
  )
  const environment = `TENON_OAUTH_${connector.connector_type.toUpperCase().replaceAll('-', '_')}`
  return (
    <>
      <fieldset className="choices">
        <legend>How to connect</legend>
        {waysOf(connector).map((each) => (
          <Choice
            key={`${each.by} ${each.method}`}
            name="way"
            title={wayWords(connector, each)}
            words={
              each.by === 'consent'
                ? 'The user signs in at the third party and agrees there.'
                : hasNoFields(connector, each)
                  ? 'Nothing is asked for.'
                  : `${askedInWords(connector.credential_schemas[each.method] ?? {})}${each.method === props.atOnce ? ' Works at once in the sandbox.' : ''}`
            }
            checked={each.by === way.by && each.method === way.method}
            choose={() => props.choose(each)}
          />
        ))}
      </fieldset>
      {unconfigured === undefined ? null : (
        <p className="fine">
          {unconfigured.title ?? unconfigured.name} on the third party’s page needs an OAuth client:
          the operator sets <code>{environment}_CLIENT_ID</code> and{' '}
          <code>{environment}_CLIENT_SECRET</code>.
        </p>
      )}
      {way.by === 'consent' || schema === undefined || hasNoFields(connector, way) ? null : (
        <fieldset>
          <legend>Credentials</legend>
          <SchemaForm
            key={way.method}
            schema={schema}
            value={props.credentials}
            change={props.change}
            pointer="/credentials"
            inWords
            problems={props.problems}
          />
        </fieldset>
      )}
    </>
  )
}

/** Settings of which a way needs one. A consent asks for what it needs itself. */
export function neededSettings(connector: ConnectorDetail, way: ChosenWay): ReadonlySet<string> {
  const method = way.by === 'fields' ? methodNamed(connector, way.method) : undefined
  return new Set(method?.settings_needed)
}

/** The method takes no credentials. */
function hasNoFields({ credential_schemas: schemas }: ConnectorDetail, way: ChosenWay): boolean {
  return Object.keys(schemas[way.method]?.['properties'] ?? {}).length === 0
}

function methodNamed(connector: ConnectorDetail, name: string): AuthMethod | undefined {
  return connector.auth_methods.find((method) => method.name === name)
}

/** What people call a way of a connector. */
export function wayWords(connector: ConnectorDetail, way: ChosenWay): string {
  return wayTitle(way, methodNamed(connector, way.method))
}

function wayTitle(way: ChosenWay, method: AuthMethod | undefined): string {
  const title = method?.title ?? way.method
  if (way.by === 'consent') return `${title}, on the third party’s page`
  return method?.oauth === true ? `${title}, with tokens you have` : title
}
