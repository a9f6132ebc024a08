// Who did what with an account, by the audit log, for those who may read that.
import { Fragment, type ReactNode } from 'react'
import type { AuditEvent, Instance } from '../../api/answers.ts'
import { deedWords, endOf } from '../../../display/audit-actions.ts'
import { useGet } from '../../api/use-answer.ts'
import { actorInSentence, MemberWords } from '../../parts/audit-words.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { isStateName, StateBadge } from '../../parts/state-badge.tsx'
import { Time } from '../../parts/values.tsx'
import { addressOf, Link } from '../../place.tsx'
import { useRefusals } from '../../session.ts'

const SHOWN = '5'

export function Changes({ id }: { readonly id: string }): ReactNode {
  return useRefusals()('audit') === null ? <Latest id={id} /> : null
}

function Latest({ id }: { readonly id: string }): ReactNode {
  const query = { connector_id: id, action: 'instance', limit: SHOWN }
  const answer = useGet<{ readonly data: readonly AuditEvent[] }>('/audit', query, { kept: true })
  const events = answer.kind === 'ready' ? answer.value.data : []
  return (
    <section className="part" aria-labelledby="changes">
      <h2 id="changes">Changes</h2>
      <p className="fine">
        <Link to={addressOf('/settings', { part: 'audit', connector_id: id })}>
          Audit log of this account
        </Link>
      </p>
      {events.length === 0 ? null : (
        <ul className="box rows activity">
          {events.map(
            ({ chain, seq, at, action, members, actor, actor_name: name, outcome, token }) => (
              <li key={`${chain} ${seq}`}>
                <span>
                  {isState(action, outcome) ? (
                    <>
                      New state <StateBadge state={outcome} />
                    </>
                  ) : (
                    (deedWords(action, outcome) ?? action)
                  )}{' '}
                  <small className="quiet">
                    {/* What a new account has is told by its details. */}
                    {(action === 'instance.create' ? [] : members).map((member, index) => (
                      <Fragment key={member}>
                        {index === 0 ? '' : ', '}
                        <MemberWords of={member} />
                      </Fragment>
                    ))}
                  </small>
                </span>
                <span className="fine">
                  {['done', null].includes(endOf(action, outcome)) ? '' : `${plainText(outcome)}, `}
                  <Time at={at} /> by {actorInSentence(actor, name, token)}
                </span>
              </li>
            ),
          )}
        </ul>
      )}
    </section>
  )
}

/** Its outcome is the new state. */
function isState(action: string, outcome: string): outcome is Instance['state'] {
  return action === 'instance.state' && isStateName(outcome)
}
