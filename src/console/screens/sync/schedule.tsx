// How often the copies of an account are synchronized: as the connector proposes, or as somebody has set here.
import { type ReactNode, useId, useState } from 'react'
import type { Instance, SyncStatus } from '../../api/answers.ts'
import { call, instancePath } from '../../api/call.ts'
import type { JsonObject } from '../../api/json-text.ts'
import { useNews } from '../../api/use-news.ts'
import { useTask } from '../../api/use-answer.ts'
import { ProblemNotice } from '../../parts/answer.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Button, Choice, onSubmit, Select, Tick } from '../../parts/controls.tsx'
import {
  everyWords,
  inUnits,
  proposalInWords,
  readsOf,
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
  const [news, setNews] = useNews(NO_NEWS)
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
  const send = async (changed: JsonObject, words: string): Promise<void> => {
    const body = { sync: changed }
    const answer = await call<Instance>('PATCH', instancePath(instance.id), { body })
    setSaved({ of: instance, sync: answer.sync })
    setAutomatic(undefined)
    setChanged(undefined)
    props.reload()
    setNews({ words, of: JSON.stringify(answer.sync) })
  }
  const save = (): Promise<void> =>
    run(async () => {
      setNews(NO_NEWS)
      setRefused(isTooShort)
      if (isTooShort) return
      if (Object.keys(changes).length > 0) await send(changes, 'Saved.')
      else setNews({ words: 'Nothing was changed.', of: JSON.stringify(sync) })
    })
  const goBack = (): Promise<void> =>
    run(async () => {
      setNews(NO_NEWS)
      setRefused(false)
      await send({ interval_seconds: null }, 'The schedule is as proposed again.')
    })
  const choose = (interval: Interval): void => {
    setNews(NO_NEWS)
    setRefused(false)
    setChanged(interval)
  }
  return (
    <form noValidate onSubmit={onSubmit(() => void save())}>
      <fieldset>
        <legend>Schedule</legend>
        <Table
          label="Schedule of each entity"
          className="two-lines schedule"
          columns={COLUMNS}
          rows={copies}
          keyOf={({ entity }) => entity}
        />
        <Tick
          words="Synchronize automatically"
          checked={automatic ?? enabled}
          change={(value) => {
            setNews(NO_NEWS)
            setAutomatic(value)
          }}
        />
        <Choice
          name="interval"
          title="As proposed"
          words={proposalInWords(copies.filter(({ interval_from: from }) => from !== 'entity'))}
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
          {set === null ? null : (
            <Button needs="connecting" disabled={busy} onClick={() => void goBack()}>
              Back to what is proposed
            </Button>
          )}
          {/* What was saved is told as long as it is so. */}
          <span role="status">{news.of === JSON.stringify(sync) ? news.words : ''}</span>
        </div>
      </fieldset>
    </form>
  )
}

/** `of`: the settings that it is about. */
interface News {
  readonly words: string
  readonly of: string
}

const NO_NEWS: News = { words: '', of: '' }

const COLUMNS: readonly Column<SyncStatus>[] = [
  {
    title: 'Entity',
    kind: 'name',
    className: 'row-name',
    cell: ({ entity }) => <code>{entity}</code>,
  },
  { title: 'Changes', cell: (status) => <Often of={status} what="changes" /> },
  { title: 'Everything', cell: (status) => <Often of={status} what="everything" /> },
  {
    title: 'All keys, to find what is gone',
    cell: ({ keys_interval_seconds: keys }) =>
      keys === null ? null : (
        <>
          <span className="what-is-read">all keys </span>
          {everyWords(keys)}
        </>
      ),
  },
]

/** How often this is read of an entity, and what is proposed where something else holds; nothing where it never is. */
function Often(props: {
  readonly of: SyncStatus
  readonly what: 'changes' | 'everything'
}): ReactNode {
  const { of: status, what } = props
  const { interval_seconds: seconds, proposed_interval_seconds: proposed } = status
  const usual = readsOf(status)
  const isUsual = usual.what === what
  const often = isUsual ? seconds : what === 'everything' ? status.full_interval_seconds : null
  if (often === null) return null
  return (
    <>
      <span className="what-is-read">{what} </span>
      {everyWords(often)}
      {isUsual && usual.below !== null ? `, ${usual.below}` : ''}
      {isUsual && seconds !== proposed ? (
        <span className="fine quiet"> (proposed: {everyWords(proposed)})</span>
      ) : null}
    </>
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

function setWords(copies: readonly SyncStatus[]): string {
  const others = copies.filter(({ interval_from: from }) => from === 'entity')
  return others.length === 0
    ? 'One interval for every entity of this account.'
    : `One interval for every entity but ${others.map(({ entity }) => entity).join(', ')}, with its own.`
}
