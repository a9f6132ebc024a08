// Sync: how far the copies of an account are, live; runs on demand, the schedule, the last runs.
import { type ReactNode, useState } from 'react'
import type { All, Confirmed, Instance, SyncStatus, Undone } from '../../api/answers.ts'
import { leftAloneUntil } from '../../../display/sync-times.ts'
import { call, instancePath } from '../../api/call.ts'
import { useEvery, useGet, useTask } from '../../api/use-answer.ts'
import { Button, onSubmit, Tick } from '../../parts/controls.tsx'
import { Question } from '../../parts/dialog.tsx'
import { Empty, Loaded, ProblemNotice } from '../../parts/answer.tsx'
import { addressOf, Link, type ScreenProps } from '../../place.tsx'
import { ErrorCode } from '../../parts/error-code.tsx'
import { stateInWords, STATES } from '../../parts/state-badge.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { ExactTimes, Time } from '../../parts/values.tsx'
import { whoActs } from '../../parts/who-acts.ts'
import { AccountScreen } from '../instances/account-screen.tsx'
import { RunHistory } from './run-history.tsx'
import {
  everyWords,
  isUnderWay,
  OTHER_REASONS,
  shownState,
  waitsToTryAgain,
  WITH_GAPS,
} from './sync-states.ts'
import './sync.css'

const BUSY_MS = 1000
const IDLE_MS = 5000

export function SyncScreen({ query }: ScreenProps): ReactNode {
  return (
    <AccountScreen
      id={query.get('instance') ?? ''}
      view="sync"
      lead="Copies of the third party’s records, which searches are answered from."
    >
      {(instance) => (
        <ExactTimes>
          <Copies key={instance.id} instance={instance} />
        </ExactTimes>
      )}
    </AccountScreen>
  )
}

/** What is asked before it is done; null: nothing. */
type Asking = { readonly kind: 'full' } | { readonly kind: 'confirm'; readonly status: SyncStatus }

function Copies({ instance }: { readonly instance: Instance }): ReactNode {
  const path = `${instancePath(instance.id)}/sync`
  const answer = useGet<All<SyncStatus>>(path, { history: 'true' })
  const { reload } = answer
  const isBusy = answer.kind === 'ready' && answer.value.data.some(isUnderWay)
  useEvery(isBusy ? BUSY_MS : IDLE_MS, reload)
  const task = useTask()
  const { busy, problem, run } = task
  const [asking, setAsking] = useState<Asking | null>(null)
  const [news, setNews] = useState('')
  const isStill = !STATES[instance.state].isSynchronized
  const act = (work: () => Promise<string>): Promise<void> =>
    run(async () => {
      setNews('')
      const words = await work()
      setAsking(null)
      setNews(words)
      reload()
    })
  const start = (mode: 'incremental' | 'full', entity?: string): Promise<void> =>
    act(async () => {
      const entities = entity === undefined ? {} : { entities: [entity] }
      await call('POST', path, { body: { mode, ...entities } })
      return mode === 'full'
        ? 'Everything is being read again.'
        : `${entity ?? 'Every entity'} is being synchronized.`
    })
  const turn = (entity: string | null, enabled: boolean): Promise<void> =>
    act(async () => {
      const sync = entity === null ? { enabled } : { entities: { [entity]: { enabled } } }
      await call('PATCH', instancePath(instance.id), { body: { sync } })
      return `${entity ?? 'Every entity'} is ${enabled ? 'synchronized again' : 'paused'}.`
    })
  const confirm = (entity: string): Promise<void> =>
    act(async () => {
      const body = { entity }
      const { missing } = await call<Confirmed>('POST', `${path}/confirm`, { body })
      return missing === null
        ? `${entity} is not suspicious any more.`
        : `${missing.toLocaleString('en')} records go when the next listing lacks them as well.`
    })
  const undo = (runId: string): Promise<void> =>
    act(async () => {
      const { restored } = await call<Undone>('POST', `${path}/undo`, { body: { run_id: runId } })
      return `${restored.toLocaleString('en')} records are back.`
    })
  return (
    <Loaded of={answer}>
      {({ data }) =>
        data.length === 0 ? (
          <Empty title="Nothing is synchronized">
            This connector keeps no copies; its records are read at the third party.
          </Empty>
        ) : (
          <>
            {isStill ? (
              <div className={`notice state ${STATES[instance.state].tone}`}>
                <p>
                  Nothing is synchronized. {stateInWords(instance)}{' '}
                  {instance.state === 'auth_error'
                    ? 'If the third party has only had a bad hour, Check above tries the credentials once more. '
                    : ''}
                  <Link to={addressOf(`/instances/${instance.id}`)}>To the account</Link>
                </p>
              </div>
            ) : null}
            <div className="actions">
              <Button
                className="primary"
                disabled={busy || isStill}
                onClick={() => void start('incremental')}
              >
                Synchronize now
              </Button>
              <Button disabled={busy || isStill} onClick={() => setAsking({ kind: 'full' })}>
                Read everything again
              </Button>
              <Button
                disabled={busy || isStill}
                onClick={() =>
                  void turn(
                    null,
                    data.every(({ state }) => state === 'paused'),
                  )
                }
              >
                {data.every(({ state }) => state === 'paused') ? 'Resume all' : 'Pause all'}
              </Button>
              <span role="status" className="working fine">
                {news}
              </span>
            </div>
            {asking === null ? (
              <ProblemNotice problem={problem} />
            ) : asking.kind === 'full' ? (
              <Question
                title="Read everything again?"
                close={() => setAsking(null)}
                task={task}
                answers={[
                  { words: 'Read everything', look: 'primary', act: () => void start('full') },
                ]}
              >
                <p>
                  Every record is asked for at the third party once more, which may take long and
                  counts against its limits. The copies can be searched meanwhile.
                </p>
              </Question>
            ) : (
              <Question
                title={`Let ${asking.status.missing?.toLocaleString('en')} records of ${asking.status.entity} go?`}
                close={() => setAsking(null)}
                task={task}
                keep="Keep them"
                answers={[
                  {
                    words: 'Let them go',
                    look: 'danger',
                    act: () => void confirm(asking.status.entity),
                  },
                ]}
              >
                <p>
                  They are removed from the copy when the next complete listing, which is read now,
                  lacks them as well. The third party is not changed, and the run can be undone for
                  7 days.
                </p>
              </Question>
            )}
            <ul className="pile">
              {data.map((status) => (
                <li key={status.entity}>
                  <Copy
                    instance={instance}
                    status={status}
                    busy={busy}
                    start={() => void start('incremental', status.entity)}
                    turn={(enabled) => void turn(status.entity, enabled)}
                    confirm={() => setAsking({ kind: 'confirm', status })}
                    undo={(runId) => void undo(runId)}
                  />
                </li>
              ))}
            </ul>
            <Schedule instance={instance} copies={data} />
          </>
        )
      }
    </Loaded>
  )
}

function Copy(props: {
  readonly instance: Instance
  readonly status: SyncStatus
  readonly busy: boolean
  readonly start: () => void
  readonly turn: (enabled: boolean) => void
  readonly confirm: () => void
  readonly undo: (runId: string) => void
}): ReactNode {
  const { status, instance } = props
  const { label, tone, words } = shownState(status, instance)
  const isPaused = status.state === 'paused'
  const isStill = props.busy || !STATES[instance.state].isSynchronized
  return (
    <section className="box copy" aria-label={status.entity}>
      <header>
        <h2>
          <code>{status.entity}</code> <span className={`badge ${tone}`}>{label}</span>
        </h2>
        <div className="actions">
          <Link
            className="button small"
            to={addressOf('/search', { instance: instance.id, entity: status.entity })}
          >
            Search
          </Link>
          <Button className="small" disabled={isStill} onClick={props.start}>
            Synchronize
          </Button>
          <Button
            className="small"
            disabled={isStill}
            aria-label={`${isPaused ? 'Resume' : 'Pause'} ${status.entity}`}
            onClick={() => props.turn(isPaused)}
          >
            {isPaused ? 'Resume' : 'Pause'}
          </Button>
        </div>
      </header>
      <p>
        <strong>{status.records.toLocaleString('en')}</strong> records ·{' '}
        {status.last_synced_at === null ? (
          'not read as a whole yet'
        ) : (
          <>
            as of <Time at={status.last_synced_at} />
          </>
        )}
        {status.next_run_at === null || waitsToTryAgain(status) ? null : (
          <>
            {' '}
            · next <Time at={status.next_run_at} />
          </>
        )}{' '}
        · {everyWords(status.interval_seconds)}
        {INTERVAL_SOURCES[status.interval_from]}
      </p>
      <p className="fine">
        {OTHER_REASONS[status.reason ?? ''] ?? (status.gaps.length === 0 ? words : WITH_GAPS)}
        {status.gaps.length === 0 ? '' : ` (${status.gaps.join(', ')})`}
        {status.bound === null
          ? ''
          : ` Bound: ${status.limit?.toLocaleString('en')} ${status.bound}.`}
        {status.missing === null ? '' : ` Missing: ${status.missing.toLocaleString('en')}.`}
      </p>
      {status.left_out === null ? null : <LeftOut of={status.left_out} />}
      {status.run === null || !isUnderWay(status) ? null : (
        <Progress run={status.run} entity={status.entity} />
      )}
      {status.last_error === null ? null : <Failing status={status} instance={instance.id} />}
      {status.missing === null || status.bound !== null ? null : (
        <p>
          <Button className="small" disabled={props.busy} onClick={props.confirm}>
            Let the {status.missing.toLocaleString('en')} missing records go
          </Button>
        </p>
      )}
      {status.runs === undefined || status.runs.length === 0 ? null : (
        <RunHistory
          instance={instance}
          runs={status.runs}
          entity={status.entity}
          busy={props.busy}
          undo={props.undo}
        />
      )}
    </section>
  )
}

/** The first cause, what came of it, and whether a run that is under way may end it. */
function Failing(props: { readonly status: SyncStatus; readonly instance: string }): ReactNode {
  const { status, instance } = props
  const { first_error: first, last_error: last, failures } = status
  const isOver = isUnderWay(status)
  const cause = first ?? last
  if (cause === null || last === null) return null
  const { suspended_until: until } = last
  const latest = last.cause ?? last
  const acts = whoActs(cause.code)
  const isSame = latest.detail === (cause.cause ?? cause).detail
  return (
    <div className={isOver ? 'quiet' : 'fault'}>
      <p>
        {isOver ? 'Before this run: ' : ''}
        {plainText(cause.detail)} <ErrorCode of={cause.code} />, since <Time at={cause.at} />
        {failures > 1 ? `, ${failures} failures in a row` : ''}
      </p>
      {isOver || acts === null ? null : <p className="fine">Who acts: {acts}.</p>}
      {until === null && !isSame ? (
        <p className="fine">
          The latest: {plainText(latest.detail)} <ErrorCode of={latest.code} />{' '}
          <Time at={last.at} />
        </p>
      ) : null}
      {until === null ? null : (
        <p className="fine">
          After failing again and again {leftAloneUntil(Date.now(), until)}{' '}
          <Time at={until} exact />, which ended the latest attempt
          {isSame ? '' : ` (${plainText(latest.detail)})`}.
        </p>
      )}
      {isOver ? null : (
        <p className="fine">
          {status.next_run_at === null ? null : (
            <>
              {status.run === null ? 'Next run' : `Attempt ${status.run.attempt}`}{' '}
              <Time at={status.next_run_at} />.{' '}
            </>
          )}
          <Link
            to={addressOf('/logs', {
              instance,
              kind: 'sync',
              entity: status.entity,
              status: 'failed',
            })}
          >
            What was sent, in the logs
          </Link>
        </p>
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

const INTERVAL_SOURCES: Readonly<Record<SyncStatus['interval_from'], string>> = {
  entity: ', as set for this entity',
  account: ', as set for this account',
  connector: ', as the connector proposes',
  service: '',
}

function Schedule(props: {
  readonly instance: Instance
  readonly copies: readonly SyncStatus[]
}): ReactNode {
  const { instance, copies } = props
  const isSet = copies.some(({ interval_from: from }) => from === 'account')
  const others = copies.filter(({ interval_from: from }) => from === 'entity')
  const [isEnabled, setEnabled] = useState(instance.sync.enabled)
  // What nobody changes here stays unset: the connector may propose another interval than the one that is shown.
  const [changed, setChanged] = useState<string | null>(null)
  const shown = changed ?? (isSet ? String(instance.sync.interval_seconds) : '')
  const [saved, setSaved] = useState(false)
  const { busy, problem, run } = useTask()
  const save = (): Promise<void> =>
    run(async () => {
      setSaved(false)
      // Without a number the interval is taken away.
      const interval = changed === '' ? null : Number(changed)
      const sync = {
        enabled: isEnabled,
        ...(changed === null ? {} : { interval_seconds: interval }),
      }
      await call('PATCH', instancePath(instance.id), { body: { sync } })
      setSaved(true)
    })
  return (
    <form onSubmit={onSubmit(() => void save())}>
      <fieldset>
        <legend>Schedule</legend>
        <Tick words="Synchronize automatically" checked={isEnabled} change={setEnabled} />
        <label>
          Seconds between runs, at least 30
          <input
            type="number"
            min={30}
            placeholder="as above"
            value={shown}
            onChange={({ target: { value } }) => setChanged(value)}
          />
        </label>
        <p className="fine">
          {Number(shown) >= 30 ? `That is ${everyWords(Number(shown))}. ` : ''}A number is for every
          entity of the account
          {others.length === 0
            ? ''
            : ` but ${others.map(({ entity }) => entity).join(', ')}, with an interval of its own`}
          ; without one each keeps the interval that stands with it above.
        </p>
        <ProblemNotice problem={problem} />
        <div className="actions">
          <button disabled={busy}>Save the schedule</button>
          <span role="status">{saved ? 'Saved.' : ''}</span>
        </div>
      </fieldset>
    </form>
  )
}
