// Connectors that are offered, and how each vendor gets to know this service.
import type { ReactNode } from 'react'
import type { All, OfferedConnector } from '../../api/answers.ts'
import { Fetched } from '../../parts/answer.tsx'
import { CodeBlock, Id } from '../../parts/values.tsx'

const CLIENTS: Readonly<Record<OfferedConnector['client'], readonly [string, string]>> = {
  none: ['off', 'No consent'],
  registered: ['good', 'Registers itself'],
  given: ['good', 'Client is set'],
  missing: ['wait', 'Client is missing'],
}

export function Connectors(): ReactNode {
  return (
    <Fetched<All<OfferedConnector>> path="/settings/connectors">
      {({ data }) => (
        <>
          <p className="lead">
            {data.length} connectors are offered. TENON_CONNECTORS narrows them, TENON_MANIFESTS
            adds others.
          </p>
          {data.map((each) => {
            const [look, words] = CLIENTS[each.client]
            return (
              <details key={each.connector_type} className="settings-guide-of">
                <summary>
                  <strong>{each.title}</strong> <span className={`badge ${look}`}>{words}</span>
                </summary>
                <Guide of={each} />
              </details>
            )
          })}
        </>
      )}
    </Fetched>
  )
}

function Guide({ of: { client, ...of } }: { readonly of: OfferedConnector }): ReactNode {
  const vendor =
    of.docs === null ? (
      `the developer pages of ${of.title}`
    ) : (
      <a href={of.docs} target="_blank" rel="noreferrer">
        the developer pages of {of.title}
      </a>
    )
  if (client === 'none')
    return <p>Accounts are connected with credentials; nothing has to be set up. See {vendor}.</p>
  if (client === 'registered')
    return <p>The service registers its client by itself; nothing has to be set up.</p>
  const [id = '', secret = ''] = of.settings
  return (
    <>
      <ol className="settings-guide">
        <li>Make an OAuth app at {vendor}.</li>
        <li>
          Give it this redirect address:{' '}
          <Id of={of.redirect_url} label="Copy the redirect address" />
        </li>
        <li>Allow it the scopes of the actions that you use.</li>
        <li>
          {client === 'given' ? 'These settings are given' : 'Give its client to the service'}, and
          start the service again after a change:
        </li>
      </ol>
      <CodeBlock text={`${id}=…\n${secret}=…`} label={`settings of ${of.title}`} />
    </>
  )
}
