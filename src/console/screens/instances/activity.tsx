// What has happened at an account lately.
import { type ReactNode, useEffect, useState } from 'react'
import type { Instance, LogPage } from '../../api/answers.ts'
import { useEvery, useGet } from '../../api/use-answer.ts'
import { Skeleton } from '../../parts/answer.tsx'
import { Time } from '../../parts/values.tsx'
import { addressOf, Link } from '../../place.tsx'
import { titleOf } from '../logs/log-words.ts'
import { ResultBadge } from '../logs/result-badge.tsx'

const SHOWN = '5'

const LOOKED_AT_MS = 15_000
/** While something is about to happen. */
const SOON_MS = 2_000
/** Of an account that was connected so lately nobody expects that nothing has happened. */
const NEW_MS = 60_000

/** What is done for the account just now. */
export function Activity(props: {
  readonly instance: Pick<Instance, 'id' | 'created_at'>
  /** What stands above it is not known yet, and would push it down. */
  readonly waits: boolean
  /** Copies are being read. */
  readonly isReading: boolean
}): ReactNode {
  const { waits, isReading } = props
  const { id, created_at: createdAt } = props.instance
  const answer = useGet<LogPage>('/logs', { connector_id: id, limit: SHOWN }, { kept: true })
  const isSoon = useIsNew(createdAt) || isReading
  useEvery(isSoon ? SOON_MS : LOOKED_AT_MS, answer.reload)
  // A service may keep no logs.
  if (answer.kind === 'failed') return null
  const entries = waits || answer.kind === 'loading' ? null : answer.value.data
  return (
    <section className="part" aria-labelledby="activity">
      <h2 id="activity">Latest activity</h2>
      {entries === null ? (
        <Skeleton />
      ) : entries.length === 0 ? (
        <p className="quiet">
          {isSoon
            ? 'What is done for it first appears here in a moment.'
            : 'Nothing yet: calls of your app and syncs are told here.'}
        </p>
      ) : (
        <ul className="box rows activity">
          {entries.map((entry) => (
            <li key={entry.id}>
              <Link className="cut" to={addressOf('/logs', { instance: id, entry: entry.id })}>
                {titleOf(entry)}
              </Link>
              <span>
                <ResultBadge of={entry} />
              </span>
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

function useIsNew(createdAt: string): boolean {
  const [isNew, setNew] = useState(() => Date.now() - Date.parse(createdAt) < NEW_MS)
  useEffect(() => {
    if (!isNew) return
    const timer = window.setTimeout(() => setNew(false), NEW_MS)
    return () => window.clearTimeout(timer)
  }, [isNew])
  return isNew
}
