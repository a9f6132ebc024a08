// Who paused all copies of an account, and since when, as the audit log has it.
import type { ReactNode } from 'react'
import type { AuditEvent, Instance } from '../../api/answers.ts'
import { useGet } from '../../api/use-answer.ts'
import { actorInSentence } from '../../parts/audit-words.tsx'
import { Time } from '../../parts/values.tsx'
import { useRefusals } from '../../session.ts'

/** For an account of which every copy is paused. */
export function PausedBy({ instance }: { readonly instance: Instance }): ReactNode {
  const mayRead = useRefusals()('audit') === null
  return (
    <div className="notice state off" role="note" aria-label="Paused">
      <p>
        All copies are paused: nothing is read until somebody resumes them. What they have can be
        searched. {mayRead ? <LastPause instance={instance} /> : null}
      </p>
    </div>
  )
}

function LastPause({ instance }: { readonly instance: Instance }): ReactNode {
  const query = { connector_id: instance.id, action: 'instance.update', limit: '20' }
  const answer = useGet<{ readonly data: readonly AuditEvent[] }>('/audit', query)
  // The latest change that paused anything: since then all of them are.
  const event = answer.last?.data.find(({ members }) => members.some(isPause))
  if (event === undefined) return null
  const { actor, actor_name: name, at } = event
  return (
    <>
      Paused by {actorInSentence(actor, name)} <Time at={at} />.
    </>
  )
}

/** `sync paused`, `sync of users paused`: as a change of an account is recorded. */
function isPause(member: string): boolean {
  return /^sync(?: of \S+)? paused$/.test(member)
}
