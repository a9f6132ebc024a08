// What has happened at an account lately.
import type { ReactNode } from 'react'
import type { LogPage } from '../../api/answers.ts'
import { useEvery, useGet } from '../../api/use-answer.ts'
import { Skeleton } from '../../parts/answer.tsx'
import { Time } from '../../parts/values.tsx'
import { addressOf, Link } from '../../place.tsx'
import { subjectOf } from '../logs/log-words.ts'
import { ResultBadge } from '../logs/result-badge.tsx'

const SHOWN = '5'

const LOOKED_AT_MS = 15_000

/** `waits`: what stands above it is not known yet, and would push it down. */
export function Activity(props: { readonly id: string; readonly waits: boolean }): ReactNode {
  const { id, waits } = props
  const answer = useGet<LogPage>('/logs', { connector_id: id, limit: SHOWN }, { kept: true })
  useEvery(LOOKED_AT_MS, answer.reload)
  // A service may keep no logs.
  if (answer.kind === 'failed') return null
  const entries = waits || answer.kind === 'loading' ? null : answer.value.data
  return (
    <section className="part" aria-labelledby="activity">
      <h2 id="activity">Latest activity</h2>
      {entries === null ? (
        <Skeleton />
      ) : entries.length === 0 ? (
        <p className="quiet">Nothing yet: calls of your app and syncs are told here.</p>
      ) : (
        <ul className="box rows activity">
          {entries.map((entry) => (
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
      )}
    </section>
  )
}
