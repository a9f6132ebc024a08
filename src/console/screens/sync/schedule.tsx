// How often the copies of an account are synchronized: as the connector proposes, or as somebody has set here.
import { type ReactNode, useState } from 'react'
import type { Instance, SyncStatus } from '../../api/answers.ts'
import { call, instancePath } from '../../api/call.ts'
import { useTask } from '../../api/use-answer.ts'
import { ProblemNotice } from '../../parts/answer.tsx'
import { Button, Choice, onSubmit, Select, Tick } from '../../parts/controls.tsx'
import {
  everyWords,
  inUnits,
  intervalWords,
  type Unit,
  UNIT_SECONDS,
  UNITS,
} from './sync-states.ts'

const MIN_SECONDS = 30

/** `amount`: as it is typed. Null: each entity keeps the interval that it has otherwise. */
type Interval = { readonly amount: string; readonly unit: Unit } | null

export function Schedule(props: {
  readonly instance: Instance
  readonly copies: readonly SyncStatus[]
}): ReactNode {
  const { instance, copies } = props
  const { interval_seconds: seconds } = instance.sync
  const set = copies.some(({ interval_from: from }) => from === 'account') ? seconds : null
  const [isEnabled, setEnabled] = useState(instance.sync.enabled)
  // What nobody changes here stays unset: the connector may propose another interval later.
  const [changed, setChanged] = useState<Interval | undefined>(undefined)
  const [saved, setSaved] = useState(false)
  const { busy, problem, run } = useTask()
  const shown = changed === undefined ? (set === null ? null : intervalOf(set)) : changed
  const save = (): Promise<void> =>
    run(async () => {
      setSaved(false)
      const interval =
        changed === undefined ? {} : { interval_seconds: changed && secondsOf(changed) }
      const body = { sync: { enabled: isEnabled, ...interval } }
      await call('PATCH', instancePath(instance.id), { body })
      setSaved(true)
    })
  return (
    <form onSubmit={onSubmit(() => void save())}>
      <fieldset>
        <legend>Schedule</legend>
        <Tick words="Synchronize automatically" checked={isEnabled} change={setEnabled} />
        <Choice
          name="interval"
          title="As proposed"
          words={proposedWords(copies)}
          checked={shown === null}
          choose={() => setChanged(null)}
        />
        <Choice
          name="interval"
          title="As set here"
          words={setWords(copies)}
          checked={shown !== null}
          choose={() => setChanged(intervalOf(set ?? copies[0]?.interval_seconds ?? 3600))}
        />
        {shown === null ? null : <Amount of={shown} change={setChanged} />}
        <ProblemNotice problem={problem} />
        <div className="actions">
          <Button type="submit" needs="connecting" disabled={busy}>
            Save the schedule
          </Button>
          <span role="status">{saved ? 'Saved.' : ''}</span>
        </div>
      </fieldset>
    </form>
  )
}

function Amount(props: {
  readonly of: NonNullable<Interval>
  readonly change: (interval: Interval) => void
}): ReactNode {
  const { of: interval, change } = props
  const seconds = secondsOf(interval)
  return (
    <div className="filters">
      <label>
        Every
        <input
          type="number"
          required
          min={Math.ceil(MIN_SECONDS / UNIT_SECONDS[interval.unit])}
          value={interval.amount}
          onChange={({ target: { value: amount } }) => change({ ...interval, amount })}
        />
      </label>
      <Select
        label="Unit"
        value={interval.unit}
        options={UNITS.map((unit) => [unit, `${unit}s`])}
        choose={(value) =>
          change({ ...interval, unit: UNITS.find((unit) => unit === value) ?? interval.unit })
        }
      />
      <span className="beside quiet">
        {seconds < MIN_SECONDS ? 'At least 30 seconds.' : `That is ${everyWords(seconds)}.`}
      </span>
    </div>
  )
}

function intervalOf(seconds: number): NonNullable<Interval> {
  const [count, unit] = inUnits(seconds)
  return { amount: String(count), unit }
}

function secondsOf({ amount, unit }: NonNullable<Interval>): number {
  return Number(amount) * UNIT_SECONDS[unit]
}

/** What holds where nothing is set here, as far as it is known: where something is, nobody says. */
function proposedWords(copies: readonly SyncStatus[]): string {
  const known = copies.filter(({ interval_from: from }) => from !== 'account' && from !== 'entity')
  const words = [...new Set(known.map(intervalWords))]
  return words.length === 0
    ? 'The connector’s own interval for each entity, else this service’s.'
    : `Read ${words.join('; ')}.`
}

function setWords(copies: readonly SyncStatus[]): string {
  const others = copies.filter(({ interval_from: from }) => from === 'entity')
  return others.length === 0
    ? 'One interval for every entity of this account.'
    : `One interval for every entity but ${others.map(({ entity }) => entity).join(', ')}, with its own.`
}
