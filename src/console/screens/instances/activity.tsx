// What has happened at an account lately.
import { type ReactNode, useEffect, useState } from 'react'
import type { Instance, LogEntry, LogPage } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { useRate } from '../../api/fresh.ts'
import { useAnswer, useGet } from '../../api/use-answer.ts'
import { Skeleton } from '../../parts/answer.tsx'
import { ErrorCode } from '../../parts/error-code.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { Time } from '../../parts/values.tsx'
import { addressOf, Link } from '../../place.tsx'
import { titleOf } from '../logs/log-words.ts'
import { ResultBadge } from '../logs/result-badge.tsx'
import { lastErrorOf, wellSince } from './last-error.ts'

const SHOWN = 5
/** Deliveries of events may be most of what there is; they are told together. */
const LOOKED_AT = '100'

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
  /** Entities whose copies fail. */
  readonly failing: readonly string[]
  /** The code of the error that is told above it; null: none is. */
  readonly toldCode: string | null
  /** The entry of the check that is told above it; null: none is. */
  readonly toldCheck: string | null
}): ReactNode {
  const { waits, isReading, failing, toldCode, toldCheck } = props
  const { id, created_at: createdAt } = props.instance
  const answer = useGet<LogPage>('/logs', { connector_id: id, limit: LOOKED_AT }, { kept: true })
  const isSoon = useIsNew(createdAt) || isReading
  useRate(isSoon ? SOON_MS : null)
  // A service may keep no logs.
  if (answer.kind === 'failed') return null
  const all = waits || answer.kind === 'loading' ? null : answer.value.data
  const isDelivery = ({ kind }: LogEntry): boolean => kind === 'delivery'
  const entries = all?.filter((entry) => !isDelivery(entry)).slice(0, SHOWN) ?? null
  const deliveries = all?.filter(isDelivery) ?? []
  return (
    <section className="part" aria-labelledby="activity">
      <h2 id="activity">Latest activity</h2>
      {waits ? null : <LastError {...{ id, failing, toldCode, toldCheck }} />}
      {entries === null ? (
        <Skeleton />
      ) : entries.length === 0 && deliveries.length === 0 ? (
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
          {deliveries.length === 0 ? null : <ToldTogether id={id} of={deliveries} />}
        </ul>
      )}
    </section>
  )
}

/** The newest of what was counted; more than that is told as at least so many. */
const COUNTED = 100

/** What went wrong last, however much has gone well since. */
function LastError(props: {
  readonly id: string
  readonly failing: readonly string[]
  readonly toldCode: string | null
  readonly toldCheck: string | null
}): ReactNode {
  const { id, failing, toldCode, toldCheck } = props
  const load = async (signal: AbortSignal) => {
    const query = { connector_id: id, status: 'failed', limit: LOOKED_AT }
    const ofKind = async (kind: object): Promise<LogPage['data']> =>
      (await call<LogPage>('GET', '/logs', { query: { ...query, ...kind }, signal })).data
    // Calls that failed may be most of what there is.
    const syncs = failing.length === 0 ? [] : await ofKind({ kind: 'sync' })
    const failed = [...syncs, ...(await ofKind({}))]
    const last = lastErrorOf(failed, failing)
    if (last === undefined) return null
    const from = { connector_id: id, status: 'ok', from: last.at, limit: String(COUNTED) }
    const isLatest = failed.every(({ at }) => at <= last.at)
    const pages = sinceOf(last.kind).kinds.map((kind) =>
      call<LogPage>('GET', '/logs', { query: { ...from, kind }, signal }),
    )
    return { last, isLatest, since: await Promise.all(pages) }
  }
  const answer = useAnswer(`last error of ${id} ${failing.join(' ')}`, load, { isLive: true })
  const told = answer.last
  if (told == null) return null
  const { last, isLatest, since } = told
  const { code, detail } = last
  if ((code !== null && code === toldCode) || last.id === toldCheck) return null
  return (
    <div className="box last-error" role="group" aria-label="Last error">
      <p>
        <strong>{isLatest ? 'Last error' : 'Last error that counts'}</strong>{' '}
        {code === null ? null : <ErrorCode of={code} />}{' '}
        <span className="fine">
          <Time at={last.at} />
        </span>
      </p>
      {detail === null ? null : <p className="fine last-error-words">{plainText(detail)}</p>}
      <p className="fine">
        {sinceWords(since, sinceOf(last.kind))}{' '}
        <Link to={addressOf('/logs', { instance: id, entry: last.id, status: 'failed' })}>
          {titleOf(last)}
        </Link>
      </p>
    </div>
  )
}

/** What speaks against an error that is told, and what it is called. */
interface Since {
  readonly kinds: readonly LogEntry['kind'][]
  readonly one: string
  readonly several: string
}

const SINCE: Readonly<Partial<Record<LogEntry['kind'], Since>>> = {
  sync: { kinds: ['sync'], one: 'sync', several: 'syncs' },
  // It is about the account, which whatever goes well shows to work.
  check: {
    kinds: ['operation', 'sync', 'check'],
    one: 'call, sync or check',
    several: 'calls, syncs and checks',
  },
}

function sinceOf(kind: LogEntry['kind']): Since {
  return SINCE[kind] ?? { kinds: ['operation'], one: 'call', several: 'calls' }
}

function sinceWords(pages: readonly LogPage[], { one, several }: Since): string {
  const { count, isAtLeast } = wellSince(pages)
  if (count === 0)
    return isAtLeast
      ? `Nothing was sent with the latest ${several} that went well.`
      : `No ${one} went well since.`
  return `${isAtLeast ? 'At least ' : ''}${count} ${count === 1 ? one : several} since went well.`
}

function ToldTogether(props: { readonly id: string; readonly of: readonly LogEntry[] }): ReactNode {
  const { id, of } = props
  const failed = of.filter(({ code }) => code !== null).length
  const words = of.length === 1 ? 'One event delivery' : `${of.length} event deliveries`
  return (
    <li>
      <Link className="cut" to={addressOf('/logs', { instance: id, kind: 'delivery' })}>
        {words} to your app
      </Link>
      <span>
        <span className={`badge ${failed === 0 ? 'good' : 'bad'}`}>
          {failed === 0 ? 'ok' : `${failed} failed`}
        </span>
      </span>
      <span className="fine">
        <Time at={of[0]?.at ?? null} />
      </span>
    </li>
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
