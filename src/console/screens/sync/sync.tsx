// Sync: how far the copies of all accounts are, or of one, live; runs on demand, the schedule, the last runs.
import { type ReactNode, useRef, useState } from 'react'
import { STATES } from '../../../display/account-states.ts'
import { leftAloneUntil } from '../../../display/sync-failures.ts'
import type { All, Confirmed, Instance, Started, SyncStatus, Undone } from '../../api/answers.ts'
import { call, instancePath } from '../../api/call.ts'
import { useDue, useRate } from '../../api/fresh.ts'
import { DUE_FOR_MS, WRONG } from '../../api/pace.ts'
import { useNews } from '../../api/use-news.ts'
import { useGet, useTask } from '../../api/use-answer.ts'
import { useAskedAction } from '../../parts/asked-action.ts'
import { Button } from '../../parts/controls.tsx'
import { Question } from '../../parts/dialog.tsx'
import { Empty, Loaded, ProblemNotice } from '../../parts/answer.tsx'
import { useListKeys } from '../../parts/list-keys.ts'
import { addressOf, Link, type ScreenProps } from '../../place.tsx'
import { stateInWords } from '../../parts/state-badge.tsx'
import { ExactTimes, Time } from '../../parts/values.tsx'
import { EnableButton } from '../instances/account-actions.tsx'
import { OneAccount } from '../instances/account-screen.tsx'
import { AllSyncs } from './all-syncs.tsx'
import { CopyRow } from './copy-row.tsx'
import { FailingCopies } from './failing-copies.tsx'
import { PausedBy } from './paused-by.tsx'
import { askedInWords, askedRuns, type AskedRuns } from './asked-runs.ts'
import { Schedule } from './schedule.tsx'
import { isFailing, isLimited, isUnderWay } from './sync-states.ts'
import './sync.css'

const BUSY_MS = 1000
const IDLE_MS = 5000

export function SyncScreen({ query }: ScreenProps): ReactNode {
  const id = query.get('instance') ?? ''
  return id === '' ? (
    <AllSyncs query={query} />
  ) : (
    <OneAccount key={id} id={id} view="sync">
      {(instance, reload) => (
        <Copies key={instance.id} instance={instance} reloadAccount={reload} />
      )}
    </OneAccount>
  )
}

function areAllPaused(copies: readonly SyncStatus[]): boolean {
  return copies.every(({ enabled }) => !enabled)
}

function heldUntil(copies: readonly SyncStatus[]): string | null {
  return leftAloneUntil(
    copies.filter(({ state }) => state !== 'paused'),
    Date.now(),
  )
}

/** Until when nothing is sent for which of these copies, as their third party limits how often it is asked. */
function Limits({ of: copies }: { readonly of: readonly SyncStatus[] }): ReactNode {
  const limited = copies.filter(isLimited)
  const until = limited
    .flatMap((status) => status.limited_until ?? [])
    .toSorted((a, b) => Date.parse(b) - Date.parse(a))[0]
  useDue(until ?? null)
  if (until === undefined) return null
  return (
    <>
      The third party limits how often it is asked. Nothing is sent
      {limited.length === copies.length ? '' : ` for ${named(limited).join(', ')}`} until{' '}
      <Time at={until} exact />: what is asked for before is done then.{' '}
    </>
  )
}

/** What cannot be seen of the buttons. */
function WhatButtonsDo({ of: copies }: { readonly of: readonly SyncStatus[] }): ReactNode {
  const until = heldUntil(copies)
  return (
    <p className="fine">
      {until === null ? (
        <Limits of={copies} />
      ) : (
        <>
          Nothing is sent until <Time at={until} exact />: what is asked for before is done
          then.{' '}
        </>
      )}
      {areAllPaused(copies)
        ? 'Resume all reads every copy at once, and then on its schedule.'
        : 'Pause all stops the reading of every copy until somebody resumes it; what is there stays, and can be searched.'}
    </p>
  )
}

function named(copies: readonly SyncStatus[]): readonly string[] {
  return copies.map(({ entity }) => entity)
}

/** Due so lately that it is tried any moment counts as well. */
function isUnderWayOrDue(status: SyncStatus): boolean {
  const sinceMs = Date.now() - Date.parse(status.next_run_at ?? '')
  return isUnderWay(status) || (sinceMs >= 0 && sinceMs < DUE_FOR_MS)
}

/** What is asked before it is done; null: nothing. */
type Asking = { readonly kind: 'full' } | { readonly kind: 'confirm'; readonly status: SyncStatus }

function Copies(props: {
  readonly instance: Instance
  readonly reloadAccount: () => void
}): ReactNode {
  const { instance, reloadAccount } = props
  const path = `${instancePath(instance.id)}/sync`
  const answer = useGet<All<SyncStatus>>(path, { history: 'true' })
  const { renewed } = answer
  const isBusy = answer.kind === 'ready' && answer.value.data.some(isUnderWayOrDue)
  const isWrong = answer.kind === 'ready' && answer.value.data.some(isFailing)
  useRate(isBusy ? BUSY_MS : isWrong ? WRONG : IDLE_MS)
  const task = useTask()
  const { busy, problem, run } = task
  const [asking, setAsking] = useState<Asking | null>(null)
  const list = useRef<HTMLUListElement>(null)
  useListKeys(list, '.copy > details > summary')
  const [news, setNews] = useNews<string | AskedRuns>('', isBusy)
  const isStill = !STATES[instance.state].isSynchronized
  const act = (work: () => Promise<string | AskedRuns>): Promise<void> =>
    run(async () => {
      setNews('')
      const done = await work()
      setAsking(null)
      // The lines below say the same as the sentence.
      await renewed()
      setNews(done)
    })
  const start = (mode: 'incremental' | 'full', entity?: string): Promise<void> =>
    act(async () => {
      const entities = entity === undefined ? {} : { entities: [entity] }
      const query = { history: 'true' }
      const before = await call<All<SyncStatus>>('GET', path, { query })
      const started = await call<All<Started>>('POST', path, { body: { mode, ...entities } })
      const words =
        mode === 'full'
          ? 'Everything is being read again.'
          : `${entity ?? 'Every entity'} is being synchronized.`
      return askedRuns(
        words,
        started.data.map((each) => each.entity),
        before.data,
      )
    })
  const turn = (entity: string | null, enabled: boolean): Promise<void> =>
    act(async () => {
      // Where the account is not paused as a whole, each of its entities is.
      const isEach = entity === null && enabled && instance.sync.enabled
      const names = entity === null ? named(answer.last?.data ?? []) : [entity]
      const entities = Object.fromEntries(names.map((name) => [name, { enabled }]))
      const sync = entity === null && !isEach ? { enabled } : { entities }
      await call('PATCH', instancePath(instance.id), { body: { sync } })
      // The schedule below shows what the account has.
      reloadAccount()
      if (entity === null)
        return enabled ? 'No entity is paused any more.' : 'Every entity is paused.'
      return `${entity} is ${enabled ? 'no longer paused' : 'paused'}.`
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
  useAskedAction(
    instance.id,
    answer.kind !== 'ready' || busy || isStill || answer.value.data.length === 0
      ? null
      : {
          synchronize: () => void start('incremental'),
          pause: () => void turn(null, false),
          resume: () => void turn(null, true),
        },
  )
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
                  <Link to={addressOf(`/instances/${instance.id}`)}>To the account</Link>
                </p>
                {instance.state === 'disabled' ? (
                  <EnableButton instance={instance} done={reloadAccount} />
                ) : null}
              </div>
            ) : null}
            <ExactTimes>
              <FailingCopies instance={instance} of={data} />
              {isStill || !areAllPaused(data) ? null : <PausedBy instance={instance} />}
            </ExactTimes>
            <div className="actions">
              <Button
                {...(heldUntil(data) === null && !data.every(isLimited)
                  ? { className: 'primary' }
                  : {})}
                needs="syncing"
                disabled={busy || isStill || areAllPaused(data)}
                onClick={() => void start('incremental')}
              >
                Synchronize now
              </Button>
              <Button
                needs="syncing"
                disabled={busy || isStill || areAllPaused(data)}
                onClick={() => setAsking({ kind: 'full' })}
              >
                Read everything again
              </Button>
              <Button
                needs="connecting"
                disabled={busy || isStill}
                onClick={() => void turn(null, areAllPaused(data))}
              >
                {areAllPaused(data) ? 'Resume all' : 'Pause all'}
              </Button>
              <span role="status" className="working fine">
                {typeof news === 'string' ? news : askedInWords(news, data)}
              </span>
            </div>
            {isStill ? null : <WhatButtonsDo of={data} />}
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
            <ul className="box rows" ref={list}>
              {data.map((status) => (
                <li key={status.entity}>
                  <CopyRow
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
            <Schedule instance={instance} copies={data} reload={reloadAccount} />
          </>
        )
      }
    </Loaded>
  )
}
