// The copies of an account: how old that of each entity is, and what the last runs failed for.
import type { ReactNode } from 'react'
import type { All, Instance, SyncStatus } from '../../api/answers.ts'
import { instancePath } from '../../api/call.ts'
import { type Answer, useEvery, useGet } from '../../api/use-answer.ts'
import { Skeleton } from '../../parts/answer.tsx'
import { ErrorCode } from '../../parts/error-code.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { STATES } from '../../parts/state-badge.tsx'
import { Time } from '../../parts/values.tsx'
import { whoActs } from '../../parts/who-acts.ts'
import { addressOf, Link } from '../../place.tsx'
import { shownState } from '../sync/sync-states.ts'

export type CopiesAnswer = Answer<All<SyncStatus>>

interface CopiesProps {
  readonly instance: Instance
  readonly of: CopiesAnswer
}

/** How often the copies are looked at. */
const FRESH_MS = 5_000

export function useCopies(id: string): CopiesAnswer {
  const answer = useGet<All<SyncStatus>>(`${instancePath(id)}/sync`, {}, { kept: true })
  useEvery(FRESH_MS, answer.reload)
  return answer
}

export function FailingCopies({ instance, of: answer }: CopiesProps): ReactNode {
  const data = answer.kind === 'ready' ? answer.value.data : []
  const failing = data.filter(({ failures: count }) => count > 0).length
  if (failing === 0) return null
  // What several fail with is told once, with all that are held back for it.
  const causes = Map.groupBy(data.flatMap(failureOf), ({ error }) => (error.cause ?? error).detail)
  return (
    <section className="notice state bad" aria-label="Failing copies">
      <p>
        {STATES[instance.state].isSynchronized
          ? `${failing} of ${data.length} ${data.length === 1 ? 'copy fails' : 'copies fail'}. `
          : `All are stopped; ${failing} had failed. `}
        <Link to={addressOf('/sync', { instance: instance.id })}>
          {STATES[instance.state].isSynchronized ? 'When they are tried next' : 'More'}
        </Link>
      </p>
      {[...causes].map(([detail, those]) => (
        <Cause key={detail} of={those} />
      ))}
    </section>
  )
}

export function Copies({ instance, of: answer }: CopiesProps): ReactNode {
  // A service without copies has no such route.
  if (answer.kind === 'failed') return null
  const data = answer.kind === 'ready' ? answer.value.data : null
  return (
    <section className="part" aria-labelledby="freshness">
      <h2 id="freshness">Copies</h2>
      {data === null ? (
        <Skeleton />
      ) : data.length === 0 ? (
        <p className="quiet">None is kept: what is read comes from the third party.</p>
      ) : (
        <>
          {data.every(isNew) ? <FirstReading of={data} id={instance.id} /> : null}
          <ul className="box rows freshness">
            {data.map((status) => (
              <Copy key={status.entity} of={status} instance={instance} />
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

/** Nothing of it has come yet. */
function isNew({ state, records, last_synced_at: at }: SyncStatus): boolean {
  return state === 'initial' && records === 0 && at === null
}

function FirstReading(props: {
  readonly of: readonly SyncStatus[]
  readonly id: string
}): ReactNode {
  const { of: copies, id: instance } = props
  return (
    <p>
      {copies.some(({ run }) => run !== null)
        ? 'The first reading is under way. '
        : 'The first reading begins in a moment. '}
      The <Link to={addressOf('/explorer', { instance })}>explorer</Link> reads at the third party
      already; <Link to={addressOf('/search', { instance })}>search</Link> finds what is in the
      copies.
    </p>
  )
}

function Copy(props: { readonly of: SyncStatus; readonly instance: Instance }): ReactNode {
  const { of: status, instance } = props
  const { entity, records, last_synced_at: at } = status
  const { label, tone } = shownState(status, instance)
  return (
    <li>
      <Link to={addressOf('/search', { instance: instance.id, entity })}>{entity}</Link>
      <span className={`badge ${tone}`}>{label}</span>
      <span className="quiet">
        {at !== null ? (
          <>
            {records.toLocaleString('en')} records · <Time at={at} />
          </>
        ) : records === 0 ? null : (
          `${records.toLocaleString('en')} records so far`
        )}
      </span>
    </li>
  )
}

interface Failure {
  readonly entity: string
  readonly error: NonNullable<SyncStatus['last_error']>
}

function failureOf({ entity, first_error: first, last_error: last }: SyncStatus): Failure[] {
  const error = first ?? last
  return error === null ? [] : [{ entity, error }]
}

/** Copies that fail for one reason: those that met it, and those that were held back for it. */
function Cause({ of }: { readonly of: readonly Failure[] }): ReactNode {
  const own = of.filter(({ error }) => error.cause === null)
  const told = own.length === 0 ? of : own
  const [oldest] = told.toSorted((a, b) => Date.parse(a.error.at) - Date.parse(b.error.at))
  if (oldest === undefined) return null
  const { at, detail, code } = oldest.error
  const who = whoActs(code)
  return (
    <p className="fine">
      <code>{entitiesOf(told)}</code> since <Time at={at} />: {plainText(detail)}{' '}
      <ErrorCode of={code} />
      {who === null ? null : `. Who acts: ${who}`}
      {told.length === of.length ? null : (
        <>
          . Held back for the same reason:{' '}
          <code>{entitiesOf(of.filter((each) => !told.includes(each)))}</code>
        </>
      )}
    </p>
  )
}

function entitiesOf(failures: readonly Failure[]): string {
  return failures.map(({ entity }) => entity).join(', ')
}
