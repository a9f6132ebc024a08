// Operations and failures over time: bars with their axes, what one of them says, and the same as a table.
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react'
import { Table } from '../../parts/table.tsx'
import './chart.css'

export interface Bucket {
  readonly at: string
  readonly operations: number
  readonly failures: number
}

/** Of the drawing; it is stretched to its place. */
const HEIGHT = 100
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const HOUR = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const DAY = new Intl.DateTimeFormat('en', { weekday: 'short' })
const DATE = new Intl.DateTimeFormat('en', { weekday: 'short', day: 'numeric' })

export function Chart(props: {
  readonly buckets: readonly Bucket[]
  readonly bucketSeconds: number
  /** A label of the time axis stands at each of so many hours of a day. */
  readonly labelHours: number
}): ReactNode {
  const { buckets } = props
  const [chosen, choose] = useState<number | null>(null)
  const top = topOf(Math.max(...buckets.map(({ operations }) => operations)))
  const spanOf = ({ at }: Bucket): string => {
    const from = new Date(at)
    const to = new Date(from.getTime() + props.bucketSeconds * 1000)
    return `${DAY.format(from)} ${HOUR.format(from)} to ${HOUR.format(to)}`
  }
  const last = buckets.length - 1
  const at = Math.min(chosen ?? last, last)
  const bucket = buckets[at]
  const [first] = buckets
  if (bucket === undefined || first === undefined) return null
  const start = Date.parse(first.at)
  const end = start + buckets.length * props.bucketSeconds * 1000
  const move = (event: KeyboardEvent): void => {
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key]
    if (next === undefined) return
    event.preventDefault()
    choose(Math.min(last, Math.max(0, next)))
  }
  const point = ({ currentTarget, clientX }: PointerEvent): void => {
    const { left, width } = currentTarget.getBoundingClientRect()
    choose(Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * buckets.length))))
  }
  const words = `${count(bucket.operations)} operations, ${count(bucket.failures)} failed`
  const percent = `${((at + 0.5) / buckets.length) * 100}%`
  return (
    <div className="pile">
      <ul className="chart-legend fine" aria-label="Legend">
        <li>Operations</li>
        <li className="failed">Of them failed</li>
      </ul>
      <div className="chart fine">
        <div className="chart-values quiet" aria-hidden>
          {[top, top / 2, 0].map((value) => (
            <span key={value}>{count(value)}</span>
          ))}
        </div>
        <div
          className="chart-place"
          role="slider"
          tabIndex={0}
          aria-label="Operations and failures over time"
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={at}
          aria-valuetext={`${spanOf(bucket)}: ${words}`}
          onKeyDown={move}
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => choose(null)}
          onFocus={() => choose(at)}
          onBlur={() => choose(null)}
        >
          <svg viewBox={`0 0 ${buckets.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
            {[0, HEIGHT / 2, HEIGHT].map((y) => (
              <line key={y} x1={0} x2={buckets.length} y1={y} y2={y} />
            ))}
            {chosen === null ? null : (
              <rect className="chosen" x={at} width={1} y={0} height={HEIGHT} />
            )}
            {buckets.map(({ at: begins, operations, failures }, x) => (
              <g key={begins}>
                <Bar x={x} height={(operations / top) * HEIGHT} />
                <Bar x={x} height={(failures / top) * HEIGHT} className="failed" />
              </g>
            ))}
          </svg>
          {chosen === null ? null : (
            <div
              className="chart-tip box"
              style={{ left: percent, transform: `translateX(-${percent})` }}
            >
              <strong>{spanOf(bucket)}</strong>
              <br />
              {words}
            </div>
          )}
        </div>
        <div className="chart-times quiet" aria-hidden>
          {wholeHours(start, end, props.labelHours).map((moment) => (
            <time
              key={moment}
              dateTime={new Date(moment).toISOString()}
              style={{ left: `${((moment - start) / (end - start)) * 100}%` }}
            >
              {(props.labelHours < 24 ? HOUR : DATE).format(moment)}
            </time>
          ))}
        </div>
      </div>
      <details>
        <summary>As a table</summary>
        <Table
          label="Operations and failures over time"
          className="chart-table"
          rows={buckets.toReversed()}
          keyOf={({ at: begins }) => begins}
          columns={[
            { title: 'Time', kind: 'name', cell: spanOf },
            { title: 'Operations', kind: 'number', cell: ({ operations }) => count(operations) },
            { title: 'Failed', kind: 'number', cell: ({ failures }) => count(failures) },
          ]}
        />
      </details>
    </div>
  )
}

function Bar(props: {
  readonly x: number
  readonly height: number
  readonly className?: string
}): ReactNode {
  const { x, height, className } = props
  return <rect className={className} x={x + 0.1} width={0.8} y={HEIGHT - height} height={height} />
}

function count(value: number): string {
  return value.toLocaleString('en')
}

/** The next even number of two digits, or a round one: its half is a whole number. */
function topOf(greatest: number): number {
  let step = 2
  while (greatest > step * 10) step *= 10
  return Math.max(step, Math.ceil(greatest / step) * step)
}

/** The moments between two at which people expect a label: midnight, six, noon, six, where they are. */
function wholeHours(fromMs: number, toMs: number, hours: number): readonly number[] {
  const from = new Date(fromMs)
  const [year, month, day] = [from.getFullYear(), from.getMonth(), from.getDate()]
  const all = Array.from(
    { length: Math.ceil((toMs - fromMs + DAY_MS) / HOUR_MS / hours) + 2 },
    // Of parts of an hour the day has minutes.
    (_, at) => new Date(year, month, day, 0, at * hours * 60).getTime(),
  )
  return all.filter((moment) => moment >= fromMs && moment < toMs)
}
