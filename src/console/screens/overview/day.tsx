// What has happened in a day: calls and failures over time, the slowest and those that fail.
import type { ReactNode } from 'react'
import type { LogEntry } from '../../api/answers.ts'
import { useGet } from '../../api/use-answer.ts'
import { ErrorCode } from '../../parts/error-code.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { addressOf, Link } from '../../place.tsx'
import { KINDS } from '../logs/log-words.ts'
import { ByAccount } from './by-account.tsx'
import { type Bucket, Chart } from './chart.tsx'
import { Section } from './section.tsx'

interface Named extends Pick<LogEntry, 'kind'> {
  readonly connector_type: string | null
  readonly entity: string | null
  readonly action: string | null
  readonly calls: number
  readonly failures: number
}

interface Figures {
  readonly bucket_seconds: number
  readonly buckets: readonly Bucket[]
  readonly slowest: readonly (Named & { readonly mean_ms: number })[]
  readonly failing: readonly (Named & { readonly codes: readonly { readonly code: string }[] })[]
}

const SHOWN = 5

export function Day(): ReactNode {
  const answer = useGet<Figures>('/logs/summary', {}, { kept: true })
  // Without logs there is nothing to count.
  if (answer.kind !== 'ready') return null
  const { buckets, bucket_seconds: bucketSeconds, slowest, failing } = answer.value
  const sum = (of: (bucket: Bucket) => number): string =>
    buckets.reduce((all, bucket) => all + of(bucket), 0).toLocaleString('en')
  return (
    <>
      <Section title="Operations in the last 24 hours">
        <p className="quiet">
          {sum(({ operations }) => operations)} operations, {sum(({ failures }) => failures)}{' '}
          failed; syncs are not counted here. <Link to={addressOf('/logs')}>All logs</Link>
        </p>
        <Chart buckets={buckets} bucketSeconds={bucketSeconds} />
      </Section>
      <ByAccount />
      <div className="home-pair">
        <Section title="Slowest">
          <Ranking
            of={slowest.slice(0, SHOWN)}
            figure={({ mean_ms: ms }) => `${Math.round(ms).toLocaleString('en')} ms`}
          />
        </Section>
        <Section title="Failing operations">
          <Ranking
            // Those of syncs stand above, with their accounts.
            of={failing.filter(({ kind }) => kind !== 'sync').slice(0, SHOWN)}
            narrowed={{ status: 'failed' }}
            code={({ codes }) => codes[0]?.code}
            figure={({ failures, calls }) =>
              `${failures.toLocaleString('en')} of ${calls.toLocaleString('en')}`
            }
          />
        </Section>
      </div>
    </>
  )
}

function Ranking<Each extends Named>(props: {
  readonly of: readonly Each[]
  readonly figure: (each: Each) => string
  /** Further filters of the entries that a line leads to. */
  readonly narrowed?: Readonly<Record<string, string>>
  readonly code?: (each: Each) => string | undefined
}): ReactNode {
  if (props.of.length === 0) return <p className="quiet">None.</p>
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
