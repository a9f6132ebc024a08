// What an account may do at its third party: how long its token lives, and the scopes that it has and lacks.
import type { ReactNode } from 'react'
import { relativeTime } from '../../../display/relative-time.ts'
import type { Access, Instance } from '../../api/answers.ts'
import { instancePath } from '../../api/call.ts'
import { useGet } from '../../api/use-answer.ts'
import { Skeleton } from '../../parts/answer.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { Facts, Time } from '../../parts/values.tsx'
import { addressOf, Link } from '../../place.tsx'

/** Before and after the end of a token: what happens then. */
const RENEWALS: Readonly<
  Record<Access['renewal'], { readonly before: string; readonly after: string }>
> = {
  automatic: { before: 'renewed automatically', after: 'the next call renews it' },
  consent: { before: 'connect again then', after: 'connect again' },
  credentials: { before: 'give other credentials then', after: 'give other credentials' },
  none: { before: '', after: '' },
}

const UNTOLD = <span className="quiet">not told by the vendor</span>
/** As many operations as a line names. */
const NAMED = 3

export function AccountAccess({ instance }: { readonly instance: Instance }): ReactNode {
  const answer = useGet<Access>(`${instancePath(instance.id)}/access`)
  // Where there is a token that ends, there is something to tell.
  if (answer.kind === 'loading' && instance.next_refresh_at !== null)
    return (
      <section className="part">
        <h2>Access</h2>
        <Skeleton />
      </section>
    )
  // The state of the account says why where it cannot be told.
  if (answer.kind !== 'ready' || answer.value.renewal === 'none') return null
  const { granted_scopes: granted, wanted_scopes: wanted, missing_scopes: missing } = answer.value
  const { expires_at: end, renewal } = answer.value
  const hasScopes = wanted.length > 0 || granted !== null
  // A key that was typed in, and of which nobody says when it ends.
  if (renewal === 'credentials' && end === null && !hasScopes) return null
  return (
    <section className="part" aria-labelledby="access">
      <h2 id="access">Access</h2>
      {missing.length === 0 ? null : (
        <div className="notice state wait">
          <p>
            {missing.length === 1 ? 'One scope is' : `${missing.length} scopes are`} missing that
            the connector asks for.{' '}
            <Link needs="connecting" to={addressOf(`/instances/${instance.id}/reconnect`)}>
              Connect again
            </Link>
            , and agree to all of them.
          </p>
          <ul className="missing-scopes">
            {missing.map(({ scope, title, operations }) => (
              <li key={scope}>
                <code>{plainText(scope)}</code> {title === null ? null : `${title} `}
                <span className="quiet">{neededBy(operations)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <Facts
        of={[
          ['Access token', <Life of={answer.value} />],
          [
            'Granted scopes',
            hasScopes ? granted === null ? UNTOLD : <Scopes of={granted} /> : null,
          ],
          [
            'Missing scopes',
            hasScopes
              ? granted === null
                ? UNTOLD
                : missing.length === 0
                  ? 'none'
                  : String(missing.length)
              : null,
          ],
          [
            'Next token refresh',
            instance.next_refresh_at === null ? null : (
              <Time at={instance.next_refresh_at} isNext />
            ),
          ],
        ]}
      />
    </section>
  )
}

function Life({ of: { expires_at: at, renewal } }: { readonly of: Access }): ReactNode {
  const { before, after } = RENEWALS[renewal]
  if (at === null)
    return renewal === 'automatic'
      ? 'renewed automatically; the vendor has not told yet when it ends'
      : 'the vendor does not tell when it ends'
  const left = Date.parse(at) - Date.now()
  return (
    <span className={left > 0 || renewal === 'automatic' ? '' : 'fault'}>
      {left > 0 ? 'expires ' : 'expired '}
      <time dateTime={at} title={at}>
        {relativeTime(left)}
      </time>
      , {left > 0 ? before : after}
    </span>
  )
}

function Scopes({ of: scopes }: { readonly of: readonly string[] }): ReactNode {
  return scopes.length === 0 ? 'none' : scopes.map(plainText).join(', ')
}

function neededBy(operations: readonly string[]): string {
  if (operations.length === 0) return 'no operation needs it'
  const more = operations.length - NAMED
  return `needed by ${operations.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
