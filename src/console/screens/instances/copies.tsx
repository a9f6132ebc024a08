// The copies of an account: how old that of each entity is.
import type { ReactNode } from 'react'
import type { All, Instance, SyncStatus } from '../../api/answers.ts'
import { instancePath } from '../../api/call.ts'
import { useRate } from '../../api/fresh.ts'
import { WRONG } from '../../api/pace.ts'
import { waitsForTurn } from '../../../display/sync-times.ts'
import { type Answer, useGet } from '../../api/use-answer.ts'
import { Skeleton } from '../../parts/answer.tsx'
import { Time } from '../../parts/values.tsx'
import { addressOf, Link } from '../../place.tsx'
import { isFailing, isUnderWay, nextRunOf, shownState } from '../sync/sync-states.ts'

export type CopiesAnswer = Answer<All<SyncStatus>>

interface CopiesProps {
  readonly instance: Instance
  readonly of: CopiesAnswer
}

/** How often the copies are looked at; more often until the first of them has something, as the latest activity is. */
const FRESH_MS = 5_000
const NEW_MS = 1_500

export function useCopies(id: string): CopiesAnswer {
  const answer = useGet<All<SyncStatus>>(`${instancePath(id)}/sync`, {}, { kept: true })
  const isFirst = answer.kind === 'ready' && answer.value.data.every(isNew)
  const isWrong = answer.kind === 'ready' && answer.value.data.some(isFailing)
  useRate(isFirst ? NEW_MS : isWrong ? WRONG : FRESH_MS)
  return answer
}

export function Copies({ instance, of: answer }: CopiesProps): ReactNode {
  // A service without copies has no such route.
  if (answer.kind === 'failed') return null
  const data = answer.kind === 'ready' ? answer.value.data : null
  return (
    <section className="part" aria-labelledby="freshness">
      <div className="line">
        <h2 id="freshness">Copies</h2>
        {data?.some(({ records }) => records > 0) === true ? (
          <Link className="button small" to={addressOf('/search', { instance: instance.id })}>
            Search these records
          </Link>
        ) : null}
      </div>
      <p className="quiet">
        Records of the account that are kept here, which Search looks through.
      </p>
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
      <Begins of={copies} /> The <Link to={addressOf('/explorer', { instance })}>explorer</Link>{' '}
      reads at the third party already; <Link to={addressOf('/search', { instance })}>search</Link>{' '}
      finds what is in the copies.
    </p>
  )
}

/** What is planned within this begins in a moment. */
const MOMENT_MS = 60_000

function Begins({ of: copies }: { readonly of: readonly SyncStatus[] }): ReactNode {
  const next = nextRunOf(copies)
  // What has no time any more has begun: a run is told of with its first page.
  if (copies.some(isUnderWay) || next === null) return 'The first reading is under way.'
  const ms = Date.parse(next) - Date.now()
  // Overdue: nobody knows when the process comes that reads.
  if (ms < -MOMENT_MS) return 'Nothing was read yet.'
  if (ms < MOMENT_MS) return 'The first reading begins in a moment.'
  return (
    <>
      The first reading begins <Time at={next} isNext />.
    </>
  )
}

function Copy(props: { readonly of: SyncStatus; readonly instance: Instance }): ReactNode {
  const { of: status, instance } = props
  const { entity, records, last_synced_at: at, next_run_at: due } = status
  const { label, tone } = shownState(status)
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
        {waitsForTurn(status) ? (
          <>
            {at === null && records === 0 ? '' : ' · '}was due <Time at={due} />
          </>
        ) : null}
      </span>
    </li>
  )
}
