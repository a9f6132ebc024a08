// What happened and what of it failed over time: bars with their axes, what one of them says, and the same as a table.
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react'
import { Table } from './table.tsx'
import './chart.css'

export interface Bar {
  readonly at: string
  readonly count: number
  readonly failures: number
}

interface Range {
  readonly from: string
  readonly to: string
}

/** Of the drawing; it is stretched to its place. */
const HEIGHT = 100
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Between two labels below the chart, and how many of these there are at most. */
const STEPS_MS = [1, 5, 10, 30, 60, 360, 1440, 7 * 1440].map((minutes) => minutes * MINUTE_MS)
const MAX_LABELS = 8
const HOUR = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const DAY = new Intl.DateTimeFormat('en', { weekday: 'short' })
const DATE = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' })

export function Chart(props: {
  readonly bars: readonly Bar[]
  readonly bucketSeconds: number
  /** What is counted, one of it and many: `operation`, `Operations`. */
  readonly words: readonly [one: string, many: string]
  /** Narrows to the time of one bar, or of those that the pointer was drawn over. */
  readonly choose?: (range: Range) => void
}): ReactNode {
  const {
    bars,
    words: [one, words],
  } = props
  const label = `${words} and failures over time`
  const bucketMs = props.bucketSeconds * 1000
  const [chosen, point] = useState<number | null>(null)
  const [drawnFrom, drawFrom] = useState<number | null>(null)
  const last = bars.length - 1
  const at = Math.min(chosen ?? last, last)
  const bar = bars[at]
  const [begin] = bars
  if (bar === undefined || begin === undefined) return null
  const top = topOf(Math.max(...bars.map(({ count }) => count)))
  const start = Date.parse(begin.at)
  const end = start + bars.length * bucketMs
  const [first, behind] = [Math.min(at, drawnFrom ?? at), Math.max(at, drawnFrom ?? at) + 1]
  const spanOf = (from: number, to: number): string =>
    spanWords(start + from * bucketMs, start + to * bucketMs, end - start)
  const narrow = (): void =>
    props.choose?.({
      from: new Date(start + first * bucketMs).toISOString(),
      to: new Date(start + behind * bucketMs).toISOString(),
    })
  const move = (event: KeyboardEvent): void => {
    const { key } = event
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[key]
    if (next === undefined && key !== 'Enter') return
    event.preventDefault()
    if (next === undefined) narrow()
    else {
      drawFrom(event.shiftKey ? (drawnFrom ?? at) : null)
      point(Math.min(last, Math.max(0, next)))
    }
  }
  const placeOf = ({ currentTarget, clientX }: PointerEvent): number => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * bars.length)))
  }
  const leave = (): void => {
    point(null)
    drawFrom(null)
  }
  const within = bars.slice(first, behind)
  const sum = (of: (each: Bar) => number): number => within.reduce((all, each) => all + of(each), 0)
  const count = sum(({ count }) => count)
  const told = `${number(count)} ${count === 1 ? one : words.toLowerCase()}, ${number(sum(({ failures }) => failures))} failed`
  const percent = `${((first + behind) / 2 / bars.length) * 100}%`
  return (
    <div className="pile">
      <ul className="chart-legend fine" aria-label="Legend">
        <li>{words}</li>
        <li className="failed">Of them failed</li>
      </ul>
      <div className="chart fine">
        <div className="chart-values quiet" aria-hidden>
          {[top, top / 2, 0].map((value) => (
            <span key={value}>{number(value)}</span>
          ))}
        </div>
        <div
          className={`chart-place${props.choose === undefined ? '' : ' narrows'}`}
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-description={
            props.choose === undefined ? undefined : 'Enter narrows to this time; Shift takes more'
          }
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={at}
          aria-valuetext={`${spanOf(first, behind)}: ${told}`}
          onKeyDown={move}
          onPointerMove={(event) => point(placeOf(event))}
          onPointerDown={(event) => {
            point(placeOf(event))
            if (props.choose === undefined) return
            drawFrom(placeOf(event))
            // What is drawn past an end reaches to it.
            event.currentTarget.setPointerCapture(event.pointerId)
          }}
          onPointerUp={() => {
            if (drawnFrom !== null) narrow()
            drawFrom(null)
          }}
          onPointerLeave={leave}
          onPointerCancel={leave}
          onFocus={() => point(at)}
          onBlur={leave}
        >
          <svg viewBox={`0 0 ${bars.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
            {[0, HEIGHT / 2, HEIGHT].map((y) => (
              <line key={y} x1={0} x2={bars.length} y1={y} y2={y} />
            ))}
            {chosen === null ? null : (
              <rect className="chosen" x={first} width={behind - first} y={0} height={HEIGHT} />
            )}
            {bars.map(({ at: begins, count, failures }, x) => (
              <g key={begins}>
                <Column x={x} height={(count / top) * HEIGHT} />
                <Column x={x} height={(failures / top) * HEIGHT} className="failed" />
              </g>
            ))}
          </svg>
          {chosen === null ? null : (
            <div
              className="chart-tip box"
              style={{ left: percent, transform: `translateX(-${percent})` }}
            >
              <strong>{spanOf(first, behind)}</strong>
              <br />
              {told}
            </div>
          )}
        </div>
        <div className="chart-times quiet" aria-hidden>
          {labelsOf(start, end).map(([moment, text]) => (
            <time
              key={moment}
              dateTime={new Date(moment).toISOString()}
              style={{ left: `${((moment - start) / (end - start)) * 100}%` }}
            >
              {text}
            </time>
          ))}
        </div>
      </div>
      <details>
        <summary>As a table</summary>
        <Table
          label={label}
          className="chart-table"
          rows={bars.map((_bar, index) => index).toReversed()}
          keyOf={(index) => index}
          columns={[
            { title: 'Time', kind: 'name', cell: (index) => spanOf(index, index + 1) },
            { title: words, kind: 'number', cell: (index) => number(bars[index]?.count ?? 0) },
            {
              title: 'Failed',
              kind: 'number',
              cell: (index) => number(bars[index]?.failures ?? 0),
            },
          ]}
        />
      </details>
    </div>
  )
}

function Column(props: {
  readonly x: number
  readonly height: number
  readonly className?: string
}): ReactNode {
  const { x, height, className } = props
  return <rect className={className} x={x + 0.1} width={0.8} y={HEIGHT - height} height={height} />
}

function number(value: number): string {
  return value.toLocaleString('en')
}

/** `Mon 10:00 to 10:30`; with dates where the chart has more than a week, or a time goes over midnight. */
export function spanWords(from: number, to: number, ofMs = to - from): string {
  const isLong = ofMs > 6 * DAY_MS
  const day = (moment: number): string =>
    isLong ? `${DAY.format(moment)}, ${DATE.format(moment)},` : DAY.format(moment)
  const isOneDay = new Date(from).getDate() === new Date(to - 1).getDate() && to - from <= DAY_MS
  const until = isOneDay ? HOUR.format(to) : `${day(to)} ${HOUR.format(to)}`
  return `${day(from)} ${HOUR.format(from)} to ${until}`
}

/** The next even number of two digits, or a round one: its half is a whole number. */
function topOf(greatest: number): number {
  let step = 2
  while (greatest > step * 10) step *= 10
  return Math.max(step, Math.ceil(greatest / step) * step)
}

/** The moments between two at which people expect a label, as midnight, six, noon, six, with its words. */
function labelsOf(fromMs: number, toMs: number): readonly (readonly [number, string])[] {
  const step = STEPS_MS.find((each) => (toMs - fromMs) / each <= MAX_LABELS) ?? 7 * DAY_MS
  const from = new Date(fromMs)
  const [year, month, day] = [from.getFullYear(), from.getMonth(), from.getDate()]
  const stepMinutes = step / MINUTE_MS
  const all = Array.from({ length: Math.ceil((toMs - fromMs + DAY_MS) / step) + 2 }, (_, at) =>
    new Date(year, month, day, 0, at * stepMinutes).getTime(),
  )
  return all
    .filter((moment) => moment >= fromMs && moment <= toMs)
    .map((moment) => [moment, (step < DAY_MS ? HOUR : DATE).format(moment)])
}
