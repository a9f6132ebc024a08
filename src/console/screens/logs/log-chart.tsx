// The entries that the filters find, over time; a bar narrows the list to its time.
import type { ReactNode } from 'react'
import type { LogFigures } from '../../api/answers.ts'
import { useGet } from '../../api/use-answer.ts'
import { Chart } from '../../parts/chart.tsx'
import { Time } from '../../parts/values.tsx'
import type { LogQuery } from './use-logs.ts'

/** An hour has one for each minute, and a few minutes have passed since it began. */
const BARS = '72'
const HOUR_MS = 3_600_000

export function LogChart(props: {
  readonly asked: LogQuery
  readonly keptDays: number
  /** When the oldest entry was that the filters find, where it is known; null: as long ago as entries are kept. */
  readonly first: string | null
  readonly isLive: boolean
  readonly choose: (range: { readonly from: string; readonly to: string }) => void
}): ReactNode {
  const { asked, keptDays, first, isLive } = props
  // The same for an hour: who comes back finds the chart, and all below it, where it was.
  const kept = (Math.floor(Date.now() / HOUR_MS) - 24 * keptDays) * HOUR_MS
  // Of ten minutes of entries a week would be one bar.
  const oldest = first === null ? kept : Math.floor(Date.parse(first) / HOUR_MS) * HOUR_MS
  const query = { ...asked, from: asked['from'] || new Date(oldest).toISOString(), buckets: BARS }
  const whole = useGet<LogFigures>('/logs/summary', query, { kept: true, isLive })
  const known = whole.kind === 'ready' ? whole.value : whole.last
  const from = (asked['from'] || known === null ? null : beginningOf(known)) ?? query.from
  // The same where it begins with an entry.
  const fitted = useGet<LogFigures>('/logs/summary', { ...query, from }, { kept: true, isLive })
  const answer = fitted.kind === 'ready' || from === query.from ? fitted : whole
  const figures = answer.kind === 'ready' ? answer.value : answer.last
  // What is wrong with the filters, the list says.
  if (figures === null)
    return answer.kind === 'failed' ? null : <div className="log-chart box" aria-busy="true" />
  const { buckets, counted_from: since } = figures
  const sum = (name: 'entries' | 'failed_entries'): number =>
    buckets.reduce((all, bucket) => all + bucket[name], 0)
  const all = sum('entries')
  if (all === 0 && since === null) return null
  return (
    <section className="log-chart box" aria-label="Entries over time">
      <p className="fine">
        {all.toLocaleString('en')} {all === 1 ? 'entry' : 'entries'},{' '}
        {sum('failed_entries').toLocaleString('en')} failed.{' '}
        {since === null ? (
          'A bar, or several that you draw over, narrows the list to its time.'
        ) : (
          <>
            Counted since <Time at={since} exact />: there is too much to look at all of it.
          </>
        )}
      </p>
      <Chart
        words={['entry', 'Entries']}
        bars={buckets.map((bucket) => ({
          at: bucket.at,
          count: bucket.entries,
          failures: bucket.failed_entries,
        }))}
        bucketSeconds={figures.bucket_seconds}
        choose={props.choose}
      />
    </section>
  )
}

/** The hour of the first bar with something, where more than half of the time before it has nothing; null: as it is. */
function beginningOf({ buckets, counted_from: since }: LogFigures): string | null {
  const first = buckets.findIndex(({ entries }) => entries > 0)
  const at = buckets[first]?.at
  if (at === undefined || since !== null || first < buckets.length / 2) return null
  return new Date(Math.floor(Date.parse(at) / HOUR_MS) * HOUR_MS).toISOString()
}
