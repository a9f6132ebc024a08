// The states of a synchronized copy, in a word and in a sentence.
import { FAILING } from '../../../display/account-states.ts'
import { isHeldBack } from '../../../display/sync-failures.ts'
import { waitsForTurn } from '../../../display/sync-times.ts'
import type { Instance, SyncStatus } from '../../api/answers.ts'

export interface ShownState {
  readonly label: string
  readonly tone: string
  readonly words: string
}

export const SYNC_STATES: Readonly<Record<SyncStatus['state'], ShownState>> = {
  initial: {
    label: 'First reading',
    tone: 'wait',
    words: 'The first reading is not finished; what is there can be searched.',
  },
  ready: { label: 'Ready', tone: 'good', words: 'Complete, and kept up to date.' },
  error: {
    label: FAILING.label,
    tone: FAILING.tone,
    words: 'The last run failed; it is tried again.',
  },
  waiting: {
    label: 'Waiting',
    tone: 'wait',
    words: 'Not known to be up to date: it waits for the entity that it is read below.',
  },
  suspicious: {
    label: 'Suspicious',
    tone: 'bad',
    words:
      'The last listing lacked many records. They are kept until a second listing confirms that they are gone.',
  },
  paused: { label: 'Paused', tone: 'off', words: 'Not synchronized at present.' },
}

const RUNNING = { label: 'Running', tone: 'wait' }
export const STOPPED: ShownState = {
  label: 'Stopped',
  tone: 'bad',
  words: 'Nothing is read until the user connects again, or the account is switched on.',
}

const HELD_BACK: ShownState = {
  label: 'Held back',
  tone: 'wait',
  words: 'Nothing was sent for it: the third party is left alone after another failure.',
}

const LIMITED: ShownState = {
  label: 'Limited',
  tone: 'wait',
  words:
    'The third party limits how often it is asked. Nothing is sent for it until then, and it goes on where it was.',
}

const LATE: ShownState = {
  label: 'Late',
  tone: 'wait',
  words: 'Not up to date: it is due, was not read yet, and waits for its turn.',
}

/** What is shown of a copy: why it stands still, what is under way, or how far it is. */
export function shownState(status: SyncStatus): ShownState {
  // Nobody has paused it.
  if (status.state === 'paused' && status.enabled) return STOPPED
  if (status.state !== 'paused' && isHeldBack(status)) return HELD_BACK
  if (waitsToTryAgain(status) && status.state !== 'paused') return SYNC_STATES.error
  if (isLimited(status) && status.failures === 0) return LIMITED
  if (waitsForTurn(status) && (status.state === 'ready' || status.state === 'initial')) return LATE
  const known =
    status.state === 'waiting'
      ? { ...SYNC_STATES.waiting, words: waitingWords(status) }
      : SYNC_STATES[status.state]
  // What is under way is more than what was before it.
  return isUnderWay(status) ? { ...known, ...RUNNING } : known
}

/** Without the moment since which what it waits for fails. */
function waitingWords({ waits_for: on }: SyncStatus): string {
  if (on === null) return SYNC_STATES.waiting.words
  const why = on.state === 'paused' ? 'stands still' : 'fails'
  return `Not known to be up to date: it is read below ${on.entity}, which ${why}.`
}

/** A copy that stands still has failed before, and does not fail any more. */
export function isFailing({ failures, state }: SyncStatus): boolean {
  return failures > 0 && state !== 'paused'
}

/** A run has failed and goes on with the next try: while one is under way, there is no next one. */
export function waitsToTryAgain(status: SyncStatus): boolean {
  return status.failures > 0 && status.run !== null && !isUnderWay(status)
}

/** A run that was begun may wait for its next try, for its third party, or until somebody lets it go on. */
export function isUnderWay(status: SyncStatus): boolean {
  const { failures, run, state, next_run_at: next } = status
  return (
    run !== null && state !== 'paused' && !isLimited(status) && (failures === 0 || next === null)
  )
}

/** Its turns are put off, as its third party limits how often it is asked. */
export function isLimited({ state, limited_until: until }: SyncStatus): boolean {
  return state !== 'paused' && until !== null && Date.parse(until) > Date.now()
}

/**
 * Credentials that refuse no more may have been accepted after these failures, and what follows is not in these copies
 * yet: who acts, and when it is tried next, is known with one of the next answers.
 */
export function isJustChecked(
  { last_checked_at: checkedAt }: Instance,
  copies: readonly SyncStatus[],
): boolean {
  const checkedMs = Date.parse(checkedAt ?? '')
  const failedMs = copies.map(({ last_error: last }) => Date.parse(last?.at ?? ''))
  return Date.now() - checkedMs < SETTLED_MS && failedMs.every((ms) => !(ms > checkedMs))
}

/** For so long after a check other copies than those that were known may come of it. */
const SETTLED_MS = 10_000

/** When the first of these copies is read next; null: nothing is planned. */
export function nextRunOf(copies: readonly SyncStatus[]): string | null {
  return copies.flatMap(({ next_run_at: at }) => at ?? []).toSorted()[0] ?? null
}

/** In place of the sentence of `suspicious` where something else than missing records is the reason. */
export const OTHER_REASONS: Readonly<Record<string, string>> = {
  unsaid_end:
    'The last listing ended with its first page, and nothing in the answer said that there are no more. No record was removed.',
  bound_met:
    'A run read as much as it may before its listing ended. What it read is kept, and no record was removed.',
}

/** In place of the sentence where the copy is not known to have everything. */
export const WITH_GAPS = 'Read as a whole once, but not known to have every record.'

export type Unit = 'second' | 'minute' | 'hour' | 'day'

export const UNIT_SECONDS: Readonly<Record<Unit, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
}
export const UNITS: readonly Unit[] = ['second', 'minute', 'hour', 'day']

/** So many of the largest unit that divides it. */
export function inUnits(seconds: number): readonly [count: number, unit: Unit] {
  const unit = UNITS.findLast((each) => seconds % UNIT_SECONDS[each] === 0) ?? 'second'
  return [seconds / UNIT_SECONDS[unit], unit]
}

/** `every hour`, `every 15 minutes`. */
export function everyWords(seconds: number): string {
  const [count, unit] = inUnits(seconds)
  return count === 1 ? `every ${unit}` : `every ${count.toLocaleString('en')} ${unit}s`
}

const INTERVAL_SOURCES: Readonly<Record<SyncStatus['interval_from'], string>> = {
  entity: 'set for this entity',
  account: 'set here',
  connector: 'the connector’s own',
  service: 'this service’s default',
}

/** `every 15 minutes, the connector’s own; everything every 6 hours`: how often, who says so, and what else is read. */
export function intervalWords(status: SyncStatus): string {
  const { interval_seconds: seconds, interval_from: from } = status
  return [`${everyWords(seconds)}, ${INTERVAL_SOURCES[from]}`, ...otherRuns(status)].join('; ')
}

/** Runs that read more than the usual one, each at its own interval. */
function otherRuns(status: SyncStatus): readonly string[] {
  const { full_interval_seconds: full, keys_interval_seconds: keys } = status
  return [
    ...(full === null ? [] : [`everything ${everyWords(full)}`]),
    ...(keys === null ? [] : [`all keys ${everyWords(keys)}, to find what is gone`]),
  ]
}

/** What the usual runs of an entity read; below the records of another one it is read with those. */
export interface Reads {
  readonly what: 'changes' | 'everything'
  readonly below: string | null
}

export function readsOf({ reads, parent }: SyncStatus): Reads {
  const of = parent ?? 'its parent'
  const kinds: Readonly<Record<SyncStatus['reads'], Reads>> = {
    changes: { what: 'changes', below: null },
    everything: { what: 'everything', below: null },
    below_parents: { what: 'everything', below: `below every record of ${of}` },
    below_changed: { what: 'changes', below: `below changed records of ${of}` },
  }
  return kinds[reads]
}

/** What would hold where nothing was set: `Every 15 minutes: issues. Every hour: projects, users.` */
export function proposalInWords(copies: readonly SyncStatus[]): string {
  const groups = Map.groupBy(copies, (status) => status.proposed_interval_seconds)
  return [...groups]
    .toSorted(([a], [b]) => a - b)
    .map(([seconds, those]) => {
      const words = everyWords(seconds)
      const names = those.map(({ entity }) => entity).join(', ')
      return `${words.charAt(0).toUpperCase()}${words.slice(1)}: ${names}.`
    })
    .join(' ')
}
