// One copy in a line: how it does, how much it has, how old it is, its last run and the next one. It unfolds to the rest.
import type { ReactNode } from 'react'
import { STATES } from '../../../display/account-states.ts'
import { isHeldBack, waitedFor } from '../../../display/sync-failures.ts'
import { nextSentAt, waitsForTurn } from '../../../display/sync-times.ts'
import { gapWords } from '../../../display/sync-gaps.ts'
import type { Instance, SyncStatus } from '../../api/answers.ts'
import { Button } from '../../parts/controls.tsx'
import { NextAttempt } from '../../parts/next-attempt.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { ExactTimes, Lasting, Time } from '../../parts/values.tsx'
import { addressOf, Link } from '../../place.tsx'
import { CopyFailure } from './copy-failure.tsx'
import { changeOf, RunHistory } from './run-history.tsx'
import {
  intervalWords,
  isFailing,
  isJustChecked,
  isUnderWay,
  OTHER_REASONS,
  shownState,
  WITH_GAPS,
} from './sync-states.ts'

interface CopyRowProps {
  readonly instance: Instance
  readonly status: SyncStatus
  readonly busy: boolean
  readonly start: () => void
  readonly turn: (enabled: boolean) => void
  readonly confirm: () => void
  readonly undo: (runId: string) => void
}

export function CopyRow(props: CopyRowProps): ReactNode {
  const { status, instance } = props
  const { label, tone } = shownState(status)
  return (
    <section className="copy" aria-label={status.entity}>
      <details>
        <summary>
          <h2 className="cut" title={status.entity}>
            <code>{status.entity}</code>
          </h2>
          <span>
            <span className={`badge ${tone}`}>{label}</span>
          </span>
          <span>{status.records.toLocaleString('en')} records</span>
          <span className="copy-times">
            <span>
              <Age of={status} />
            </span>{' '}
            <span>
              <LastRun of={status} />
            </span>{' '}
            <span>
              <NextRun of={status} instance={instance} />
            </span>
          </span>
        </summary>
        <ExactTimes>
          <Unfolded {...props} />
        </ExactTimes>
      </details>
      {status.run === null || !isUnderWay(status) ? null : (
        <Progress run={status.run} entity={status.entity} />
      )}
    </section>
  )
}

function Age({ of: { last_synced_at: at } }: { readonly of: SyncStatus }): ReactNode {
  if (at === null) return 'not whole yet'
  return (
    <>
      as of <Time at={at} />
    </>
  )
}

/** What came of it, and what it leaves to somebody. */
function LastRun({ of: status }: { readonly of: SyncStatus }): ReactNode {
  const { failures, last_error: error, missing, left_out: leftOut } = status
  const [last] = status.runs ?? []
  const lacks = [
    missing === null ? '' : `${missing.toLocaleString('en')} missing`,
    leftOut === null ? '' : `${leftOut.records.toLocaleString('en')} left out`,
  ].filter((words) => words !== '')
  const rest = lacks.map((words) => `, ${words}`).join('')
  if (status.waits_for !== null && failures === 0) return <WaitsFor of={status.waits_for} />
  if (isHeldBack(status))
    return (
      <>
        held back <Time at={error?.at ?? null} />
        {rest}
      </>
    )
  if (failures > 0)
    return (
      <>
        failed <Time at={error?.at ?? null} />
        {failures === 1 ? '' : `, ${failures.toLocaleString('en')} in a row`}
        {rest}
      </>
    )
  if ((last === undefined || isWithoutWork(status, last)) && isUnderWay(status) && status.run)
    return (
      <>
        first run began <Time at={status.run.started_at} />
        {rest}
      </>
    )
  if (last === undefined || isWithoutWork(status, last))
    return lacks.length === 0 ? 'no run yet' : lacks.join(', ')
  return (
    <>
      ran <Time at={last.finished_at ?? last.started_at} />: {changeOf(last)}
      {rest}
    </>
  )
}

/** A turn before there was anything to read: a reading that finds nothing makes the copy whole. */
function isWithoutWork(
  { last_synced_at: at, records }: SyncStatus,
  { read, error }: NonNullable<SyncStatus['runs']>[number],
): boolean {
  return at === null && records === 0 && read === 0 && error === null
}

/** What keeps it from being brought up to date is more than what came of its own last run. */
function WaitsFor({ of: on }: { readonly of: NonNullable<SyncStatus['waits_for']> }): ReactNode {
  return (
    <>
      waits for {waitedFor(on)}
      {on.since === null ? null : (
        <>
          {' '}
          <Lasting since={on.since} />
        </>
      )}
    </>
  )
}

/** Whether it is told when it is read next: right after a check it is not known when what fails is tried. */
function isNextTold(status: SyncStatus, instance: Instance): boolean {
  const isUnknown = isFailing(status) && isJustChecked(instance, [status])
  return status.next_run_at !== null && !isUnknown
}

function NextRun(props: { readonly of: SyncStatus; readonly instance: Instance }): ReactNode {
  const { of: status, instance } = props
  const { next_run_at: at, waits_for: on } = status
  if (at === null || !isNextTold(status, instance)) return null
  if (isFailing(status)) {
    const until = status.last_error?.suspended_until ?? null
    return <NextAttempt at={nextSentAt(Date.now(), at, until)} as="fact" />
  }
  if (waitsForTurn(status))
    return (
      <>
        was due <Time at={at} />
      </>
    )
  return (
    <>
      {status.state === 'waiting' && on !== null ? `with ${on.entity},` : 'next'}{' '}
      <Time at={at} isNext />
    </>
  )
}

function Unfolded({ status, instance, busy, start, turn, confirm, undo }: CopyRowProps): ReactNode {
  const { entity, missing, bound, gaps } = status
  const isPaused = !status.enabled
  const isStill = busy || !STATES[instance.state].isSynchronized
  const { words } = shownState(status)
  const lacking = gapWords(gaps)
  return (
    <div className="part">
      <div className="actions">
        <Link
          className="button small"
          needs="operations"
          to={addressOf('/search', { instance: instance.id, entity })}
        >
          Search
        </Link>
        <Button className="small" needs="syncing" disabled={isStill} onClick={start}>
          Synchronize
        </Button>
        <Button
          className="small"
          needs="connecting"
          disabled={isStill}
          aria-label={`${isPaused ? 'Resume' : 'Pause'} ${entity}`}
          onClick={() => turn(isPaused)}
        >
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
      </div>
      <p>
        {OTHER_REASONS[status.reason ?? ''] ??
          (gaps.length === 0 || waitsForTurn(status) ? words : WITH_GAPS)}
        {lacking === null ? '' : ` It may lack records: ${plainText(lacking)}.`}
        {bound === null ? '' : ` Bound: ${status.limit?.toLocaleString('en')} ${bound}.`}
      </p>
      <p className="fine">
        Read {intervalWords(status)} · <Age of={status} /> · <LastRun of={status} />
        {!isNextTold(status, instance) ? null : (
          <>
            {' '}
            · <NextRun of={status} instance={instance} />
          </>
        )}
      </p>
      {status.left_out === null ? null : <LeftOut of={status.left_out} />}
      <CopyFailure status={status} instance={instance.id} />
      {missing === null || bound !== null ? null : (
        <p>
          <Button className="small" needs="syncing" disabled={busy} onClick={confirm}>
            Let the {missing.toLocaleString('en')} missing records go
          </Button>
        </p>
      )}
      {status.runs === undefined || status.runs.length === 0 ? null : (
        <RunHistory
          instance={instance}
          runs={status.runs}
          entity={entity}
          busy={busy}
          undo={undo}
        />
      )}
    </div>
  )
}

function LeftOut(props: { readonly of: NonNullable<SyncStatus['left_out']> }): ReactNode {
  const { records, reasons, examples } = props.of
  const counts = Object.entries(reasons).map(([reason, count]) => `${count} ${reason}`)
  return (
    <details className="fault">
      <summary>
        {records.toLocaleString('en')} records have no usable key ({counts.join(', ')}) and are left
        out: the copy is not whole.
      </summary>
      <ul>
        {examples.map(({ page, index, path, reason }) => (
          <li key={`${page} ${index} ${path}`}>
            {page === null ? 'Asked for alone' : `Page ${page}, record ${index + 1}`}:{' '}
            <code>{path}</code> {reason}
          </li>
        ))}
      </ul>
    </details>
  )
}

function Progress(props: {
  readonly run: NonNullable<SyncStatus['run']>
  readonly entity: string
}): ReactNode {
  const { run } = props
  const percent = run.percent ?? run.estimated_percent
  return (
    <div className="progress">
      <progress
        aria-label={`Run of ${props.entity}`}
        max={100}
        {...(percent === null ? {} : { value: percent })}
      />
      <span className="fine">
        {percent === null ? '' : `${run.percent === null ? 'about ' : ''}${percent} % · `}
        {run.read.toLocaleString('en')}
        {run.expected_total === null ? '' : ` of ${run.expected_total.toLocaleString('en')}`} read ·{' '}
        {run.changed.toLocaleString('en')} changed
        {run.rows_per_second === null ? '' : ` · ${run.rows_per_second} a second`}
        {run.eta_seconds === null ? '' : ` · about ${run.eta_seconds} seconds left`}
      </span>
    </div>
  )
}
