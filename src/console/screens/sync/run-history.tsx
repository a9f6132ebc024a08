// The last runs of an entity: how many records each read and changed, as a chart and as a table.
import { type ReactNode, useEffect, useRef, useState } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Instance, SyncRun } from '../../api/answers.ts'
import { runInWords } from '../../../display/run-kinds.ts'
import { leftAloneUntil } from '../../../display/sync-times.ts'
import { Button } from '../../parts/controls.tsx'
import { ErrorCode } from '../../parts/error-code.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/values.tsx'
import { RunChanges } from './run-changes.tsx'

const HEIGHT = 140
/** With one run there is no course to draw. */
const FEWEST = 2

function resultOf({ error, bound, limit, attempt, goes_on: goesOn }: SyncRun): ReactNode {
  const tries = attempt === null || (attempt === 1 && !goesOn) ? '' : `attempt ${attempt}: `
  if (error === null)
    return tries + (bound === null ? 'done' : `ended at ${limit?.toLocaleString('en')} ${bound}`)
  const { code, detail } = error.cause ?? error
  const what = error.cause === null ? 'failed' : 'held back'
  return (
    <>
      <span className="badge bad">{goesOn ? `${what}, tried again` : what}</span> {tries}
      {error.cause === null ? '' : 'another call had failed: '}
      {plainText(detail)} <ErrorCode of={code} />
      {error.suspended_until === null ? null : (
        <>
          ; {leftAloneUntil(Date.now(), error.suspended_until)}{' '}
          <Time at={error.suspended_until} exact />
        </>
      )}
    </>
  )
}

const COLUMNS: readonly Column<SyncRun>[] = [
  { title: 'Started', className: 'row-name', cell: (run) => <Time at={run.started_at} /> },
  { title: 'What it read', cell: (run) => runInWords(run.kind) },
  { title: 'Duration', kind: 'number', cell: durationOf },
  {
    title: 'Records',
    kind: 'number',
    className: 'row-left-out',
    cell: ({ read }) => read.toLocaleString('en'),
  },
  { title: 'What changed', cell: changeOf },
]

/** In words, but for what there is none of. */
export function changeOf({ changed, removed, left_out: lacks }: SyncRun): string {
  const parts = [
    [changed, 'new or changed'],
    [removed, 'removed'],
    [lacks?.records ?? 0, 'left out'],
  ] as const
  const words = parts.flatMap(([count, what]) =>
    count === 0 ? [] : [`${count.toLocaleString('en')} ${what}`],
  )
  return words.length === 0 ? 'no change' : words.join(', ')
}

/** For so long what a run removed is kept. */
const UNDONE_MS = 7 * 86_400_000

export function RunHistory(props: {
  readonly runs: readonly SyncRun[]
  readonly instance: Instance
  readonly entity: string
  readonly busy: boolean
  readonly undo: (runId: string) => void
}): ReactNode {
  const { runs } = props
  const failed = runs.filter(({ error }) => error !== null).length
  const undoOf = ({ run_id: id, removed, started_at: at, goes_on: goesOn }: SyncRun): ReactNode =>
    goesOn || removed === 0 || Date.now() - Date.parse(at) > UNDONE_MS ? null : (
      <Button
        className="small"
        needs="syncing"
        disabled={props.busy}
        onClick={() => props.undo(id)}
      >
        Bring back {removed.toLocaleString('en')}
      </Button>
    )
  const [open, setOpen] = useState(false)
  const [shown, setShown] = useState<SyncRun | null>(null)
  const recordsOf = (run: SyncRun): ReactNode =>
    run.goes_on || run.changed + run.removed === 0 || run.finished_at === null ? null : (
      <Button className="small" needs="operations" onClick={() => setShown(run)}>
        Show records
      </Button>
    )
  // What can be done stands in the same column: most failures are long, and have nothing to do.
  const result: Column<SyncRun> = {
    title: 'Result',
    className: 'run-result',
    cell: (run) => (
      <>
        {resultOf(run)} {recordsOf(run)} {undoOf(run)}
      </>
    ),
  }
  return (
    <details className="columns" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Last runs ({runs.length}
        {failed === 0 ? '' : `, ${failed} failed`})
      </summary>
      <Timeline runs={runs} />
      {open && runs.length >= FEWEST ? <Chart runs={runs} /> : null}
      <Table
        label={`Runs of ${props.entity}`}
        className="two-lines"
        columns={[...COLUMNS, result]}
        rows={runs}
        keyOf={keyOf}
      />
      {shown === null ? null : (
        <RunChanges
          instance={props.instance}
          entity={props.entity}
          run={shown}
          close={() => setShown(null)}
        />
      )}
    </details>
  )
}

/** Each run from its beginning to its end, the oldest on the left; the table below says the same. */
function Timeline({ runs }: { readonly runs: readonly SyncRun[] }): ReactNode {
  const spans = runs.map((run) => ({
    run,
    from: Date.parse(run.started_at),
    to: run.finished_at === null ? Date.now() : Date.parse(run.finished_at),
  }))
  const from = Math.min(...spans.map((span) => span.from))
  const whole = Math.max(1, Math.max(...spans.map(({ to }) => to)) - from)
  const part = (ms: number): string => `${(100 * ms) / whole}%`
  return (
    <div className="timeline" aria-hidden="true">
      {spans.map(({ run, from: begun, to }) => (
        <span
          key={keyOf(run)}
          className={run.error === null ? 'run-bar' : 'run-bar failed'}
          title={`${runInWords(run.kind)}: ${changeOf(run)}, ${durationOf(run)}`}
          style={{ left: part(begun - from), width: part(to - begun) }}
        />
      ))}
    </div>
  )
}

/** Turns of one run have its id. */
function keyOf({ run_id: id, attempt, goes_on: goesOn }: SyncRun): string {
  return goesOn ? `${id} ${attempt}` : id
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
  const key = runs.map(keyOf).join(' ')
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
    const font = `12px ${style.fontFamily}`
    const axis = { font, stroke: style.color, grid: { stroke: colour('--line'), width: 1 } }
    // Points only: between two runs there is nothing that a line could tell.
    const series = (label: string, stroke: string, size: number): UPlot.Series => {
      const points = { show: true, size, fill: stroke }
      return { label, stroke, width: 2, paths: () => null, points }
    }
    const chart = new UPlot(
      {
        width: Math.max(320, element.clientWidth),
        height: HEIGHT,
        legend: { live: false },
        scales: { x: { time: true } },
        axes: [{ ...axis, values: moments }, axis],
        series: [
          { label: 'Started' },
          series('Read', colour('--accent'), 12),
          series('Changed', colour('--wait'), 5),
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
