// What has happened in the period: calls and failures over time, the slowest and those that fail.
import { Fragment, type ReactNode } from 'react'
import type { LogEntry, LogFigures } from '../../api/answers.ts'
import { useGet } from '../../api/use-answer.ts'
import { Skeleton } from '../../parts/answer.tsx'
import { Card } from '../../parts/card.tsx'
import { Chart } from '../../parts/chart.tsx'
import { ErrorCode } from '../../parts/error-code.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { Time } from '../../parts/values.tsx'
import { addressOf, Link } from '../../place.tsx'
import { KINDS } from '../logs/log-words.ts'
import { OfAccounts } from './by-account.tsx'
import { AllWell } from './failing.tsx'
import { PeriodChoice, usePeriod } from './period.tsx'

interface Named extends Pick<LogEntry, 'kind'> {
  readonly connector_type: string | null
  readonly entity: string | null
  readonly action: string | null
  readonly calls: number
  readonly failures: number
}

const SHOWN = 5
/** What somebody has asked for, which the chart counts, in words for several. */
const ASKED: Readonly<Partial<Record<LogEntry['kind'], string>>> = {
  operation: 'Operations',
  request: 'Own requests',
  mcp_call: 'Calls of agents',
}

/** `children`: what stands at its end. */
export function Day({ children }: { readonly children: ReactNode }): ReactNode {
  const { from, minutes, inWords, bars } = usePeriod()
  const answer = useGet<LogFigures>('/logs/summary', { from, buckets: bars }, { kept: true })
  const title = `Operations in ${inWords}`
  const figures = answer.kind === 'ready' ? answer.value : answer.last
  if (answer.kind === 'loading' && figures === null)
    return (
      <Card title={title} actions={<PeriodChoice />}>
        <Skeleton lines={6} />
      </Card>
    )
  // Without logs there is nothing to count.
  if (figures === null) return children
  const { buckets, kinds, slowest, failing } = figures
  return (
    <>
      <Card
        title={title}
        about="Syncs are not counted here."
        actions={
          <>
            <PeriodChoice />
            <Link to={addressOf('/logs', { minutes })}>All logs</Link>
          </>
        }
      >
        <ul className="day-kinds fine" aria-label="By kind">
          {kinds
            .filter(({ kind }) => ASKED[kind] !== undefined)
            .map(({ kind, calls, failures }) => (
              <li key={kind}>
                {ASKED[kind]}:{' '}
                <Link to={addressOf('/logs', { kind, minutes })}>
                  {calls.toLocaleString('en')} in all
                </Link>
                ,{' '}
                {failures === 0 ? (
                  'none failed'
                ) : (
                  <Link to={addressOf('/logs', { kind, status: 'failed', minutes })}>
                    {failures.toLocaleString('en')} failed
                  </Link>
                )}
              </li>
            ))}
        </ul>
        {buckets.some(({ operations }) => operations > 0) ? (
          <Chart
            words={['operation', 'Operations']}
            bars={buckets.map((bucket) => ({ ...bucket, count: bucket.operations }))}
            bucketSeconds={figures.bucket_seconds}
          />
        ) : (
          <p className="quiet">
            They appear here as your app, an agent or{' '}
            <Link to={addressOf('/explorer')}>the explorer</Link> runs them.
          </p>
        )}
      </Card>
      <div className="home-pair">
        <Card
          title="Failing operations"
          about="What is run in the explorer counts as well; runs of drafts of manifests do not."
        >
          <Ranking
            // Those that are counted above; syncs have a place of their own.
            of={failing.filter(({ kind }) => ASKED[kind] !== undefined).slice(0, SHOWN)}
            narrowed={{ status: 'failed' }}
            none={
              kinds.some(({ kind, failures }) => ASKED[kind] !== undefined && failures > 0) ? (
                // What fails most is of other kinds, and fills the list that is asked for.
                <Link to={addressOf('/logs', { kind: 'operation', status: 'failed', minutes })}>
                  What failed, in the logs
                </Link>
              ) : (
                <AllWell>No operation failed.</AllWell>
              )
            }
            code={({ codes }) => <Codes of={codes} />}
            when={({ first_at: first, last_at: last }) => <Between first={first} last={last} />}
            figure={({ failures, calls }) =>
              `${failures.toLocaleString('en')} of ${calls.toLocaleString('en')}`
            }
            below={(each) => <OfAccounts of={each} failures={each.failures} />}
          />
        </Card>
        <Card
          title="Slowest operations"
          about="By the mean of their durations. What is run or searched here in the console counts as well."
        >
          <Ranking
            of={slowest.slice(0, SHOWN)}
            none={<p className="quiet">Nothing was run.</p>}
            figure={({ mean_ms: ms }) => `${Math.round(ms).toLocaleString('en')} ms`}
          />
        </Card>
        {children}
      </div>
    </>
  )
}

/** All that an operation failed with, the most frequent first; of several, how often each. */
function Codes({ of: codes }: { readonly of: LogFigures['failing'][number]['codes'] }): ReactNode {
  return codes.map(({ code, calls }, index) => (
    <Fragment key={code}>
      {index === 0 ? '' : ', '}
      <ErrorCode of={code} />
      {codes.length === 1 ? '' : ` ${calls.toLocaleString('en')}`}
    </Fragment>
  ))
}

/** They are counted in times of so long, of which the API has the beginnings. */
const COUNTED_MS = 300_000

/** Between which moments all of it was; how long ago each was is not known so well. */
function Between(props: { readonly first: string; readonly last: string }): ReactNode {
  const until = Date.parse(props.last) + COUNTED_MS
  return (
    <>
      between <Time at={props.first} exact /> and{' '}
      {until > Date.now() ? 'now' : <Time at={new Date(until).toISOString()} exact />}
    </>
  )
}

function Ranking<Each extends Named>(props: {
  readonly of: readonly Each[]
  readonly figure: (each: Each) => string
  /** In the place of an empty list. */
  readonly none: ReactNode
  /** Further filters of the entries that a line leads to. */
  readonly narrowed?: Readonly<Record<string, string>>
  readonly code?: (each: Each) => ReactNode
  readonly when?: (each: Each) => ReactNode
  readonly below?: (each: Each) => ReactNode
}): ReactNode {
  const { minutes } = usePeriod()
  if (props.of.length === 0) return props.none
  return (
    <ol className="home-list ranked">
      {props.of.map((each) => {
        const to = addressOf('/logs', {
          kind: each.kind,
          connector_type: each.connector_type ?? '',
          entity: each.entity ?? '',
          action: each.action ?? '',
          minutes,
          ...props.narrowed,
        })
        return (
          <li key={`${each.kind} ${each.connector_type} ${each.entity} ${each.action}`}>
            <span>
              <Link to={to}>{namesOf(each)}</Link>{' '}
              <small className="quiet">
                {each.kind === 'operation' ? null : KINDS[each.kind]} {props.code?.(each)}{' '}
                {props.when?.(each)}
              </small>
              {props.below?.(each)}
            </span>
            <Link className="number" to={to}>
              {props.figure(each)}
            </Link>
          </li>
        )
      })}
    </ol>
  )
}

function namesOf({ kind, connector_type: type, entity, action }: Named): string {
  const names = [type, entity, action].filter((part) => part !== null)
  return names.length === 0 ? KINDS[kind] : plainText(names.join('.'))
}
