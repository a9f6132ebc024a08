// Next to what fails: a version of the manifest that began or ceased to serve before, with who did it and the way there.
import type { ReactNode } from 'react'
import { changeInWords, changesOf, type Failure, lookFrom } from '../../display/manifest-changes.ts'
import type { AuditEvent } from '../api/answers.ts'
import { useGet } from '../api/use-answer.ts'
import { addressOf, Link } from '../place.tsx'
import { useRefusals, useSession } from '../session.ts'
import { actorInSentence } from './audit-words.tsx'
import { plainText } from '../../display/plain-text.ts'
import { Time } from './values.tsx'

/** Nothing where no version was changed, and for those who may not read the audit log of who publishes. */
export function ManifestChange({ of }: { readonly of: Failure }): ReactNode {
  const mayRead = useRefusals()('audit') === null
  const { publishes } = useSession()
  const from = lookFrom(of)
  return from !== null && mayRead && publishes ? <Changed of={of} from={from} /> : null
}

function Changed({ of, from }: { readonly of: Failure; readonly from: string }): ReactNode {
  const query = { action: 'manifest', from, limit: '100' }
  const answer = useGet<{ readonly data: readonly AuditEvent[] }>('/audit', query, { kept: true })
  const found = changesOf(answer.last?.data ?? [], of)
  if (found === null) return null
  const { before, since } = found
  return (
    <p className="fine">
      Before it began, {plainText(changeInWords(before))} <Time at={before.at} /> by{' '}
      {actorInSentence(before.actor, before.actor_name)}: that may be why.
      {since === null ? null : (
        <>
          {' '}
          Since then {plainText(changeInWords(since))} <Time at={since.at} />.
        </>
      )}{' '}
      <Link to={addressOf('/manifests', { connector: of.connectorType, view: 'versions' })}>
        Versions of {of.connectorType}
      </Link>
    </p>
  )
}
