// Connectors that are offered, and how each vendor gets to know this service.
import type { ReactNode } from 'react'
import type { All, InstancePage, OfferedConnector } from '../../api/answers.ts'
import { useGet } from '../../api/use-answer.ts'
import { Loaded } from '../../parts/answer.tsx'
import { Card, type CardWords } from '../../parts/card.tsx'
import { ConnectorIcon } from '../../parts/connector-icon.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { CodeView } from '../../parts/code-view.tsx'
import { Facts, Id } from '../../parts/values.tsx'
import { addressOf, Link } from '../../place.tsx'
import { OAuthClientForm } from './oauth-client.tsx'

const CLIENTS: Readonly<Record<OfferedConnector['client'], readonly [string, string]>> = {
  none: ['off', 'No consent'],
  registered: ['good', 'Registers itself'],
  given: ['good', 'OAuth client is set'],
  missing: ['wait', 'Client is missing'],
}

const SOURCES: Readonly<Record<OfferedConnector['given_by'][number], string>> = {
  environment: 'the environment',
  secret_file: 'a file that the environment names',
  settings_file: 'the file of --config',
  host: 'the host app',
  sandbox: 'the sandbox, for its local vendor',
  stored: 'an administrator, here',
}

const REDIRECT_PROBLEMS: Readonly<
  Record<NonNullable<OfferedConnector['redirect_problem']>, string>
> = {
  loopback:
    'It leads to this machine, which some vendors take for trials, and others not at all. TENON_PUBLIC_URL sets the address by which browsers reach the service.',
  not_https: 'Vendors take https only: set TENON_PUBLIC_URL to an https address.',
}

export function Connectors(words: CardWords): ReactNode {
  const connectors = useGet<All<OfferedConnector>>('/settings/connectors')
  const accounts = useGet<InstancePage>('/integrations/connectors', { counts: 'true', limit: '1' })
  const counts = new Map(
    accounts.last?.meta.facets?.connector_type.map(({ value, count }) => [value, count]),
  )
  return (
    <Card {...words}>
      <Loaded of={connectors}>
        {({ data }) => (
          <>
            <p className="quiet">
              {data.length} are offered. TENON_CONNECTORS narrows them; TENON_MANIFESTS adds others,
              and so does what is published, where TENON_PUBLISH_ORGANIZATION is set.
            </p>
            <div className="box rows">
              {data.map((each) => {
                const [look, client] = CLIENTS[each.client]
                return (
                  <details key={each.connector_type} className="settings-guide-of">
                    <summary>
                      <ConnectorIcon type={each.connector_type} /> <strong>{each.title}</strong>{' '}
                      <span className="quiet">
                        {accountsWords(counts.get(each.connector_type))}
                      </span>{' '}
                      {each.refused === null ? null : (
                        <span className="badge bad">refused by the vendor</span>
                      )}{' '}
                      <span className={`badge ${look}`}>{client}</span>
                    </summary>
                    <div className="pile">
                      {counts.has(each.connector_type) ? (
                        <p>
                          <Link
                            to={addressOf('/instances', { connector_type: each.connector_type })}
                          >
                            Its accounts
                          </Link>{' '}
                          ·{' '}
                          <Link
                            to={addressOf('/logs', {
                              connector_type: each.connector_type,
                              status: 'failed',
                              minutes: '1440',
                            })}
                          >
                            What failed in the last day
                          </Link>
                        </p>
                      ) : null}
                      <Guide
                        of={each}
                        accounts={counts.get(each.connector_type) ?? 0}
                        reload={connectors.reload}
                      />
                    </div>
                  </details>
                )
              })}
            </div>
          </>
        )}
      </Loaded>
    </Card>
  )
}

/** '': there are none, or they are not counted yet. */
function accountsWords(count = 0): string {
  return count === 0 ? '' : `${count.toLocaleString('en')} ${count === 1 ? 'account' : 'accounts'}`
}

function Guide(props: {
  readonly of: OfferedConnector
  readonly accounts: number
  readonly reload: () => void
}): ReactNode {
  const { client, ...of } = props.of
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
  // The operator's, which go before what is kept here.
  const isSet = client === 'given' && !of.given_by.includes('stored')
  const sources = of.given_by.map((source) => SOURCES[source]).join(' and ')
  return (
    <>
      {of.client_id === null ? null : (
        <Facts
          of={[
            ['Client id', <Id of={plainText(of.client_id)} label="Copy the client id" />],
            ['Client secret', of.has_secret ? 'is set, and never shown' : 'none'],
            ['Set by', sources],
            [
              'Vendor',
              of.refused === null ? (
                'has not refused it since this process began'
              ) : (
                <span className="fault">
                  refused it with <code>{plainText(of.refused)}</code>: compare id and secret with
                  those at the vendor
                </span>
              ),
            ],
          ]}
        />
      )}
      <p>What the OAuth app is to have:</p>
      <Facts
        of={[
          ['Redirect address', <Redirect of={props.of} />],
          ...of.consents.map(({ title, scopes }): [string, ReactNode] => [
            of.consents.length === 1 ? 'Scopes' : `Scopes, “${title}”`,
            scopes.length === 0 ? 'none' : <Id of={scopes.join(' ')} label="Copy the scopes" />,
          ]),
        ]}
      />
      <ol className="settings-guide">
        <li>
          {of.app?.url == null ? (
            <>Make it at {vendor}</>
          ) : (
            <>
              Go to{' '}
              <a href={of.app.url} target="_blank" rel="noreferrer">
                {shortAddress(of.app.url)}
              </a>
            </>
          )}
          .
        </li>
        {of.app?.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
        <li>
          {isSet
            ? 'The service has its id and secret already. These settings give it others, with its next start:'
            : 'Give the service its id and its secret:'}
        </li>
      </ol>
      {isSet ? null : <OAuthClientForm {...props} />}
      {isSet ? null : <p>Or set it for all organisations, and start the service again:</p>}
      <CodeView text={`${id}=…\n${secret}=…`} label={`settings of ${of.title}`} />
      {isSet && of.stored !== null ? <OAuthClientForm {...props} /> : null}
    </>
  )
}

function Redirect({ of }: { readonly of: OfferedConnector }): ReactNode {
  return (
    <>
      <Id of={of.redirect_url} label="Copy the redirect address" />
      {of.redirect_problem === null ? null : (
        <p className="fault">{REDIRECT_PROBLEMS[of.redirect_problem]}</p>
      )}
    </>
  )
}

/** As people say it: the protocol is the same for all. */
function shortAddress(url: string): string {
  return url.replace(/^https:\/\//, '').replace(/\/$/, '')
}
