// One event of the audit log: all that is known of it, and the ways to others that have something in common with it.
import type { ReactNode } from 'react'
import { deedWords, isByLink, refusalOf } from '../../../display/audit-actions.ts'
import type { AuditEvent } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Empty, Loaded } from '../../parts/answer.tsx'
import { MemberWords } from '../../parts/audit-words.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { ErrorCode } from '../../parts/error-code.tsx'
import { OthersLikeIt } from '../../parts/others-like-it.tsx'
import { SheetSteps } from '../../parts/sheet-steps.tsx'
import { Facts, Id, Time } from '../../parts/values.tsx'
import { addressOf, Link } from '../../place.tsx'
import { asUser, eventKey, Named, Outcome, Target } from './audit-event.tsx'
import { auditAddress } from './audit-filter.tsx'

export function AuditSheet(props: {
  /** `eventKey` of the event. */
  readonly id: string
  /** The events of the list, in their order. */
  readonly among: readonly AuditEvent[]
  readonly show: (id: string) => void
  readonly close: () => void
}): ReactNode {
  const { id, among } = props
  const listed = among.find((each) => eventKey(each) === id)
  const answer = useAnswer(
    `audit event ${id}`,
    async (signal) => listed ?? (await find(id, signal)),
  )
  const event = listed ?? (answer.kind === 'ready' ? answer.value : null)
  const title = event === null ? null : (deedWords(event.action, event.outcome) ?? event.action)
  return (
    <Dialog title={title ?? 'Event of the audit log'} close={props.close} sheet>
      <div className="audit-event">
        <SheetSteps
          id={id}
          among={among.map(eventKey)}
          show={props.show}
          link={auditAddress({ event: id })}
          whole={event}
        />
        <Loaded of={answer}>
          {(value) =>
            value === null ? (
              <Empty title="No such event">
                It is of another organisation, or older than what is kept.
              </Empty>
            ) : (
              <Event of={value} />
            )
          }
        </Loaded>
      </div>
    </Dialog>
  )
}

async function find(id: string, signal: AbortSignal): Promise<AuditEvent | null> {
  const at = id.lastIndexOf(':')
  const query = { chain: id.slice(0, at), seq: id.slice(at + 1), limit: '1' }
  const { data } = await call<{ data: readonly AuditEvent[] }>('GET', '/audit', { query, signal })
  return data[0] ?? null
}

function Event({ of: event }: { readonly of: AuditEvent }): ReactNode {
  const { action, actor, address, at, chain, members, seq, target, token } = event
  const { connector_id: account, request_id: request } = event
  const refusal = refusalOf(event)
  const user = asUser(event)
  const byLink = isByLink(event)
  const details = refusal?.reasons ?? members
  return (
    <>
      <p>
        <Outcome of={event} />
      </p>
      <Facts
        of={[
          [refusal === null ? 'When' : 'Kept', <Time at={at} />],
          [
            (refusal?.times ?? 1) > 1 ? 'First' : 'When',
            refusal && <Time at={refusal.firstAt} exact />,
          ],
          ['Last', refusal?.lastAt ? <Time at={refusal.lastAt} exact /> : null],
          ['Who', <Named id={actor} name={event.actor_name} />],
          ['As', user && (byLink ? user.slice(3) : `${user.slice(3)}, with a token of theirs`)],
          ['From', address],
          [
            byLink ? 'Connect link' : 'Token or session',
            token === null ? null : <code>{token}</code>,
          ],
          ['Action', <code>{action}</code>],
          ['On', <Target of={event} />],
          ['Code', refusal === null ? null : <ErrorCode of={refusal.code} />],
          ['Details', details.length === 0 ? null : <Members of={details} />],
          [
            refusal === null || refusal.times < 2 ? 'Request id' : 'First request',
            request === null ? null : <Id of={request} label="Copy the request id" />,
          ],
          [
            'Place in the log',
            <>
              {seq} of the chain <code>{chain}</code>
            </>,
          ],
        ]}
      />
      <OthersLikeIt
        words="All events"
        lists={[
          ['of this actor', auditAddress({ actor })],
          ['of this action', auditAddress({ action })],
          ['on this', auditAddress({ target })],
          ['of this account', account === null ? null : auditAddress({ connector_id: account })],
          ['from this address', address === null ? null : auditAddress({ address })],
          [
            byLink ? 'by this link' : 'with this token',
            token === null ? null : auditAddress({ token }),
          ],
          ['of this request', request === null ? null : auditAddress({ request_id: request })],
        ]}
      />
      {request === null || !OF_LOGS.test(action) ? null : (
        <p>
          <Link to={addressOf('/logs', { request_id: request })}>This request in the logs</Link>
        </p>
      )}
      <p className="fine">
        What was changed is told by its name; of roles and times also what they are, never a secret
        or what an account holds. Each event is chained to the one before it:{' '}
        <code>tenon audit verify</code> finds one that was changed or taken away.
      </p>
    </>
  )
}

/** What has an entry there. */
const OF_LOGS = /^(?:execute\.|request$)/

function Members({ of }: { readonly of: readonly string[] }): ReactNode {
  const [only] = of
  if (only !== undefined && of.length === 1) return <MemberWords of={only} />
  return (
    <ul className="settings-may">
      {of.map((member) => (
        <li key={member}>
          <MemberWords of={member} />
        </li>
      ))}
    </ul>
  )
}
