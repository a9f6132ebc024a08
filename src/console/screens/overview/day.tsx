// What has happened in a day: calls and failures over time, the slowest and those that fail.
import type { ReactNode } from 'react'
import type { LogEntry, LogFigures } from '../../api/answers.ts'
import { useGet } from '../../api/use-answer.ts'
import { Skeleton } from '../../parts/answer.tsx'
import { Card } from '../../parts/card.tsx'
import { Chart } from '../../parts/chart.tsx'
import { ErrorCode } from '../../parts/error-code.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { addressOf, Link } from '../../place.tsx'
import { KINDS } from '../logs/log-words.ts'
import { ByAccount } from './by-account.tsx'
import { AllWell } from './failing.tsx'

interface Named extends Pick<LogEntry, 'kind'> {
  readonly connector_type: string | null
  readonly entity: string | null
  readonly action: string | null
  readonly calls: number
  readonly failures: number
}

const SHOWN = 5
/** Of half an hour each: as many as can be told apart on a phone. */
const BARS = '48'
const TITLE = 'Operations in the last 24 hours'

/** `children`: what stands at its end. */
export function Day({ children }: { readonly children: ReactNode }): ReactNode {
  const answer = useGet<LogFigures>('/logs/summary', { buckets: BARS }, { kept: true })
  if (answer.kind === 'loading')
    return (
      <Card title={TITLE}>
        <Skeleton lines={6} />
      </Card>
    )
  // Without logs there is nothing to count.
  if (answer.kind === 'failed') return children
  const { buckets, slowest, failing } = answer.value
  const sum = (name: 'operations' | 'failures'): string =>
    buckets.reduce((all, bucket) => all + bucket[name], 0).toLocaleString('en')
  return (
    <>
      <Card
        title={TITLE}
        about={`${sum('operations')} operations, ${sum('failures')} failed; syncs are not counted here.`}
        actions={<Link to={addressOf('/logs')}>All logs</Link>}
      >
        {buckets.some(({ operations }) => operations > 0) ? (
          <Chart
            words="Operations"
            bars={buckets.map((bucket) => ({ ...bucket, count: bucket.operations }))}
            bucketSeconds={answer.value.bucket_seconds}
          />
        ) : (
          <p className="quiet">
            They appear here as your app, an agent or{' '}
            <Link to={addressOf('/explorer')}>the explorer</Link> runs them.
          </p>
        )}
      </Card>
      <div className="home-pair">
        <ByAccount />
        <Card title="Failing operations">
          <Ranking
            // Those of syncs stand above, with their accounts.
            of={failing.filter(({ kind }) => kind !== 'sync').slice(0, SHOWN)}
            narrowed={{ status: 'failed' }}
            none={<AllWell>No operation failed.</AllWell>}
            code={({ codes }) => codes[0]?.code}
            figure={({ failures, calls }) =>
              `${failures.toLocaleString('en')} of ${calls.toLocaleString('en')}`
            }
          />
        </Card>
        <Card title="Slowest operations">
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

function Ranking<Each extends Named>(props: {
  readonly of: readonly Each[]
  readonly figure: (each: Each) => string
  /** In the place of an empty list. */
  readonly none: ReactNode
  /** Further filters of the entries that a line leads to. */
  readonly narrowed?: Readonly<Record<string, string>>
  readonly code?: (each: Each) => string | undefined
}): ReactNode {
  if (props.of.length === 0) return props.none
  return (
    <ol className="home-list ranked">
      {props.of.map((each) => {
        const code = props.code?.(each)
        return (
          <li key={`${each.kind} ${each.connector_type} ${each.entity} ${each.action}`}>
            <span>
              <Link
                to={addressOf('/logs', {
                  kind: each.kind,
                  connector_type: each.connector_type ?? '',
                  entity: each.entity ?? '',
                  action: each.action ?? '',
                  minutes: '1440',
                  ...props.narrowed,
                })}
              >
                {namesOf(each)}
              </Link>{' '}
              <small className="quiet">
                {each.kind === 'operation' ? null : KINDS[each.kind]}{' '}
                {code === undefined ? null : <ErrorCode of={code} />}
              </small>
            </span>
            <span className="number">{props.figure(each)}</span>
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
