// How often the copies of an account are synchronized: as the connector proposes, or as somebody has set here.
import { type ReactNode, useId, useState } from 'react'
import type { Instance, SyncStatus } from '../../api/answers.ts'
import { call, instancePath } from '../../api/call.ts'
import { useNews } from '../../api/use-news.ts'
import { useTask } from '../../api/use-answer.ts'
import { ProblemNotice } from '../../parts/answer.tsx'
import { Button, Choice, onSubmit, Select, Tick } from '../../parts/controls.tsx'
import {
  everyWords,
  inUnits,
  scheduleInWords,
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
  /** Reads the account again. */
  readonly reload: () => void
}): ReactNode {
  const { instance, copies } = props
  // What a save has answered holds until the account has been read again.
  const [saved, setSaved] = useState<Saved | null>(null)
  const sync = saved?.of === instance ? saved.sync : instance.sync
  const { interval_seconds: seconds, enabled } = sync
  const set = copies.some(({ interval_from: from }) => from === 'account') ? seconds : null
  // What nobody changes here is not sent: it may have changed elsewhere, and the connector may propose another interval later.
  const [automatic, setAutomatic] = useState<boolean | undefined>(undefined)
  const [changed, setChanged] = useState<Interval | undefined>(undefined)
  const [news, setNews] = useNews('')
  const [isRefused, setRefused] = useState(false)
  const { busy, problem, run } = useTask()
  const shown = changed === undefined ? (set === null ? null : intervalOf(set)) : changed
  const isTooShort = shown !== null && secondsOf(shown) < MIN_SECONDS
  const changes = {
    ...(automatic === undefined || automatic === enabled ? {} : { enabled: automatic }),
    ...(changed === undefined || secondsOrNull(changed) === set
      ? {}
      : { interval_seconds: secondsOrNull(changed) }),
  }
  const save = (): Promise<void> =>
    run(async () => {
      setNews('')
      setRefused(isTooShort)
      if (isTooShort) return
      if (Object.keys(changes).length > 0) {
        const body = { sync: changes }
        const answer = await call<Instance>('PATCH', instancePath(instance.id), { body })
        setSaved({ of: instance, sync: answer.sync })
        setAutomatic(undefined)
        setChanged(undefined)
        props.reload()
        setNews('Saved.')
      } else setNews('Nothing was changed.')
    })
  const choose = (interval: Interval): void => {
    setNews('')
    setRefused(false)
    setChanged(interval)
  }
  return (
    <form noValidate onSubmit={onSubmit(() => void save())}>
      <fieldset>
        <legend>Schedule</legend>
        <Tick
          words="Synchronize automatically"
          checked={automatic ?? enabled}
          change={(value) => {
            setNews('')
            setAutomatic(value)
          }}
        />
        <Choice
          name="interval"
          title="As proposed"
          words={proposedWords(copies)}
          checked={shown === null}
          choose={() => choose(null)}
        />
        <Choice
          name="interval"
          title="As set here"
          words={setWords(copies)}
          checked={shown !== null}
          choose={() => choose(intervalOf(set ?? copies[0]?.interval_seconds ?? 3600))}
        />
        {shown === null ? null : (
          <Amount of={shown} change={choose} isRefused={isRefused && isTooShort} />
        )}
        <ProblemNotice problem={problem} />
        <div className="actions">
          <Button type="submit" needs="connecting" disabled={busy}>
            Save the schedule
          </Button>
          <span role="status">{news}</span>
        </div>
      </fieldset>
    </form>
  )
}

/** The settings that a save of an account has left. */
interface Saved {
  readonly of: Instance
  readonly sync: Instance['sync']
}

function Amount(props: {
  readonly of: NonNullable<Interval>
  readonly change: (interval: Interval) => void
  readonly isRefused: boolean
}): ReactNode {
  const { of: interval, change, isRefused } = props
  const seconds = secondsOf(interval)
  const told = useId()
  return (
    <div className="filters">
      <label>
        Every
        <input
          type="number"
          required
          min={Math.ceil(MIN_SECONDS / UNIT_SECONDS[interval.unit])}
          value={interval.amount}
          aria-describedby={told}
          aria-invalid={isRefused}
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
      <span id={told} className={isRefused ? 'beside' : 'beside quiet'}>
        {isRefused ? (
          <strong className="fault" role="alert">
            At least {MIN_SECONDS} seconds: no third party is asked more often.
          </strong>
        ) : seconds < MIN_SECONDS ? (
          `At least ${MIN_SECONDS} seconds.`
        ) : (
          `That is ${everyWords(seconds)}.`
        )}
      </span>
      {isRefused ? (
        <span className="beside">
          <Button
            className="small"
            onClick={() => change({ amount: String(MIN_SECONDS), unit: 'second' })}
          >
            Take {MIN_SECONDS} seconds
          </Button>
        </span>
      ) : null}
    </div>
  )
}

function intervalOf(seconds: number): NonNullable<Interval> {
  const [count, unit] = inUnits(seconds)
  return { amount: String(count), unit }
}

function secondsOf({ amount, unit }: NonNullable<Interval>): number {
  return Math.round(Number(amount) * UNIT_SECONDS[unit])
}

function secondsOrNull(interval: Interval): number | null {
  return interval === null ? null : secondsOf(interval)
}

/** What holds where nothing is set here, as far as it is known: where something is, nobody says. */
function proposedWords(copies: readonly SyncStatus[]): string {
  const known = copies.filter(({ interval_from: from }) => from !== 'account' && from !== 'entity')
  return known.length === 0
    ? 'The connector’s own interval for each entity, else this service’s.'
    : scheduleInWords(known)
}

function setWords(copies: readonly SyncStatus[]): string {
  const others = copies.filter(({ interval_from: from }) => from === 'entity')
  return others.length === 0
    ? 'One interval for every entity of this account.'
    : `One interval for every entity but ${others.map(({ entity }) => entity).join(', ')}, with its own.`
}
