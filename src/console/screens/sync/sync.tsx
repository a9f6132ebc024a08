// Sync: how far the copies of an account are, live; runs on demand, the schedule, the last runs.
import { type ReactNode, useState } from 'react'
import type { All, Instance, SyncStatus } from '../../api/answers.ts'
import { call, instancePath } from '../../api/call.ts'
import { useEvery, useGet, useTask } from '../../api/use-answer.ts'
import { Button, onSubmit, Tick } from '../../parts/controls.tsx'
import { Question } from '../../parts/dialog.tsx'
import { Empty, Loaded, ProblemNotice } from '../../parts/answer.tsx'
import { addressOf, Link, type ScreenProps } from '../../place.tsx'
import { Time } from '../../parts/values.tsx'
import { AccountScreen } from '../explorer/account-screen.tsx'
import { RunHistory } from './run-history.tsx'
import { OTHER_REASONS, SYNC_STATES, WITH_GAPS } from './sync-states.ts'
import './sync.css'

const BUSY_MS = 1000
const IDLE_MS = 5000

export function SyncScreen({ query }: ScreenProps): ReactNode {
  return (
    <AccountScreen
      title="Sync"
      lead="Copies of the third party’s records, which searches are answered from."
      path="/sync"
      query={query}
    >
      {(instance) => <Copies key={instance.id} instance={instance} />}
    </AccountScreen>
  )
}

function Copies({ instance }: { readonly instance: Instance }): ReactNode {
  const path = `${instancePath(instance.id)}/sync`
  const answer = useGet<All<SyncStatus>>(path, { history: 'true' })
  const { reload } = answer
  const isBusy = answer.kind === 'ready' && answer.value.data.some(({ run }) => run !== null)
  useEvery(isBusy ? BUSY_MS : IDLE_MS, reload)
  const task = useTask()
  const { busy, problem, run } = task
  const [asking, setAsking] = useState(false)
  const [news, setNews] = useState('')
  const start = (mode: 'incremental' | 'full', entity?: string): Promise<void> =>
    run(async () => {
      setNews('')
      await call('POST', path, {
        body: { mode, ...(entity === undefined ? {} : { entities: [entity] }) },
      })
      setAsking(false)
      setNews(
        mode === 'full'
          ? 'Everything is being read again.'
          : `${entity ?? 'Every entity'} is being synchronized.`,
      )
      reload()
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
            <div className="actions">
              <Button className="primary" disabled={busy} onClick={() => void start('incremental')}>
                Synchronize now
              </Button>
              <Button disabled={busy} onClick={() => setAsking(true)}>
                Read everything again
              </Button>
              <span role="status" className="working">
                {news}
              </span>
            </div>
            {asking ? (
              <Question
                title="Read everything again?"
                close={() => setAsking(false)}
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
              <ProblemNotice problem={problem} />
            )}
            <ul className="copies">
              {data.map((status) => (
                <li key={status.entity}>
                  <Copy
                    instance={instance}
                    status={status}
                    busy={busy}
                    start={() => void start('incremental', status.entity)}
                  />
                </li>
              ))}
            </ul>
            <Schedule instance={instance} />
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
}): ReactNode {
  const { status, instance } = props
  const { label, tone, words } = SYNC_STATES[status.state]
  return (
    <section className="copy" aria-label={status.entity}>
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
          <Button className="small" disabled={props.busy} onClick={props.start}>
            Synchronize
          </Button>
        </div>
      </header>
      <p>
        <strong>{status.records.toLocaleString('en')}</strong> records · last synchronized{' '}
        <Time at={status.last_synced_at} />
        {status.next_run_at === null ? null : (
          <>
            {' '}
            · next <Time at={status.next_run_at} />
          </>
        )}
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
      {status.last_error === null ? null : (
        <p className="fault">
          {status.last_error.detail} <code>{status.last_error.code}</code>{' '}
          <Time at={status.last_error.at} />
        </p>
      )}
      {status.run === null ? null : <Progress run={status.run} entity={status.entity} />}
      {status.runs === undefined || status.runs.length === 0 ? null : (
        <RunHistory runs={status.runs} entity={status.entity} />
      )}
    </section>
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
  return (
    <div className="progress">
      <progress
        aria-label={`Run of ${props.entity}`}
        max={100}
        {...(run.percent === null ? {} : { value: run.percent })}
      />
      <span className="fine">
        {run.read.toLocaleString('en')}
        {run.expected_total === null ? '' : ` of ${run.expected_total.toLocaleString('en')}`} read ·{' '}
        {run.changed.toLocaleString('en')} changed
        {run.rows_per_second === null ? '' : ` · ${run.rows_per_second} a second`}
        {run.eta_seconds === null ? '' : ` · about ${run.eta_seconds} seconds left`}
      </span>
    </div>
  )
}

function Schedule({ instance }: { readonly instance: Instance }): ReactNode {
  const [isEnabled, setEnabled] = useState(instance.sync.enabled)
  // What nobody changes here stays unset: the connector may propose another interval than the one that is shown.
  const [changed, setChanged] = useState<string | null>(null)
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
            placeholder="as the connector proposes"
            value={changed ?? instance.sync.interval_seconds}
            onChange={({ target: { value } }) => setChanged(value)}
          />
        </label>
        <ProblemNotice problem={problem} />
        <div className="actions">
          <button disabled={busy}>Save the schedule</button>
          <span role="status">{saved ? 'Saved.' : ''}</span>
        </div>
      </fieldset>
    </form>
  )
}
