// What has happened at an account lately.
import type { ReactNode } from 'react'
import type { LogPage } from '../../api/answers.ts'
import { useGet } from '../../api/use-answer.ts'
import { Time } from '../../parts/values.tsx'
import { addressOf, Link } from '../../place.tsx'
import { subjectOf } from '../logs/log-words.ts'
import { ResultBadge } from '../logs/result-badge.tsx'

const SHOWN = '5'

export function Activity({ id }: { readonly id: string }): ReactNode {
  const answer = useGet<LogPage>('/logs', { connector_id: id, limit: SHOWN })
  // A service may keep no logs.
  if (answer.kind !== 'ready' || answer.value.data.length === 0) return null
  return (
    <section className="part" aria-labelledby="activity">
      <h2 id="activity">Latest activity</h2>
      <ul className="box rows activity">
        {answer.value.data.map((entry) => (
          <li key={entry.id}>
            <Link className="mono cut" to={addressOf('/logs', { instance: id, entry: entry.id })}>
              {subjectOf(entry)}
            </Link>
            <ResultBadge of={entry} />
            <span className="fine">
              <Time at={entry.at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
