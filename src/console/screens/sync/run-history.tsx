// The last runs of an entity: how many records each read and changed, as a chart and as a table.
import { type ReactNode, useEffect, useRef, useState } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { SyncRun } from '../../api/answers.ts'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/values.tsx'

const HEIGHT = 140
/** With one run there is no course to draw. */
const FEWEST = 2

function resultOf({ error, bound, limit }: SyncRun): string {
  if (error !== null) return error.detail
  return bound === null ? 'done' : `ended at ${limit?.toLocaleString('en')} ${bound}`
}

function counted(title: string, count: (run: SyncRun) => number): Column<SyncRun> {
  return { title, kind: 'number', cell: (run) => count(run).toLocaleString('en') }
}

const COLUMNS: readonly Column<SyncRun>[] = [
  { title: 'Started', cell: (run) => <Time at={run.started_at} /> },
  { title: 'Kind', cell: (run) => run.kind },
  { title: 'Duration', kind: 'number', cell: durationOf },
  counted('Read', (run) => run.read),
  counted('Changed', (run) => run.changed),
  counted('Removed', (run) => run.removed),
  counted('Left out', (run) => run.left_out?.records ?? 0),
  { title: 'Result', cell: resultOf },
]

export function RunHistory(props: {
  readonly runs: readonly SyncRun[]
  readonly entity: string
}): ReactNode {
  const { runs } = props
  const [open, setOpen] = useState(false)
  return (
    <details className="columns" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Last runs ({runs.length})</summary>
      {open && runs.length >= FEWEST ? <Chart runs={runs} /> : null}
      <Table
        label={`Runs of ${props.entity}`}
        columns={COLUMNS}
        rows={runs}
        keyOf={(run) => run.run_id}
      />
    </details>
  )
}

function durationOf({ started_at: from, finished_at: to }: SyncRun): string {
  if (to === null) return '…'
  const ms = Date.parse(to) - Date.parse(from)
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`
}

const DAY = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' })
const HOUR = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** Moments below the chart: each minute once, with the day where another one begins. */
function moments(_chart: UPlot, seconds: readonly number[]): string[] {
  let [day, minute] = ['', '']
  return seconds.map((each) => {
    const at = new Date(each * 1000)
    const before = { day, minute }
    day = DAY.format(at)
    minute = HOUR.format(at)
    if (day !== before.day) return `${minute}\n${day}`
    return minute === before.minute ? '' : minute
  })
}

function Chart({ runs }: { readonly runs: readonly SyncRun[] }): ReactNode {
  const host = useRef<HTMLDivElement>(null)
  const key = runs.map(({ run_id: id }) => id).join(' ')
  useEffect(() => {
    const { current: element } = host
    if (element === null) return
    const style = getComputedStyle(element)
    // The canvas knows no custom properties: their values stand in elements that use them.
    const colour = (name: string): string => {
      const probe = document.createElement('span')
      probe.style.color = `var(${name})`
      element.append(probe)
      const value = getComputedStyle(probe).color
      probe.remove()
      return value
    }
    const ordered = runs.toSorted((a, b) => Date.parse(a.started_at) - Date.parse(b.started_at))
    const axis = { stroke: style.color, grid: { stroke: colour('--line'), width: 1 } }
    const chart = new UPlot(
      {
        width: Math.max(320, element.clientWidth),
        height: HEIGHT,
        legend: { live: false },
        scales: { x: { time: true } },
        axes: [{ ...axis, values: moments }, axis],
        series: [
          { label: 'Started' },
          { label: 'Read', stroke: colour('--accent'), width: 2, points: { show: true } },
          { label: 'Changed', stroke: colour('--wait'), width: 2, points: { show: true } },
        ],
      },
      [
        ordered.map((run) => Date.parse(run.started_at) / 1000),
        ordered.map((run) => run.read),
        ordered.map((run) => run.changed),
      ],
      element,
    )
    return () => chart.destroy()
    // Drawn again when there is another run.
  }, [key])
  // The table below says the same.
  return <div ref={host} className="chart" aria-hidden="true" />
}
