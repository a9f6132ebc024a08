// Runs that were asked for on the screen, until they have ended: what to say of them meanwhile, and what came of them.
import type { SyncStatus } from '../../api/answers.ts'

export interface AskedRuns {
  /** What is said as long as they go on. */
  readonly words: string
  /** Of these entities. */
  readonly entities: readonly string[]
  /** The ends of turns that were known before. */
  readonly before: ReadonlySet<string>
}

/** `before`: the copies with their last runs, as they were when nobody had asked yet. */
export function askedRuns(
  words: string,
  entities: readonly string[],
  before: readonly SyncStatus[],
): AskedRuns {
  return { words, entities, before: new Set(before.flatMap(endsOf)) }
}

/**
 * `is being synchronized` while one of them goes on, `2 entities wait for their turn` where those that are left have not
 * begun; then `5 entities read, 1 failed`.
 */
export function askedInWords(asked: AskedRuns, copies: readonly SyncStatus[]): string {
  const those = copies.filter(({ entity }) => asked.entities.includes(entity))
  const counts: Record<Outcome, number> = {
    goesOn: 0,
    queued: 0,
    failed: 0,
    held: 0,
    waits: 0,
    stopped: 0,
    read: 0,
  }
  for (const status of those) counts[outcomeOf(status, asked)] += 1
  if (counts.goesOn > 0) return asked.words
  const { queued, read, failed, held, waits, stopped } = counts
  if (queued > 0)
    return queued === 1 ? '1 entity waits for its turn.' : `${queued} entities wait for their turn.`
  const parts = [
    `${read} ${read === 1 ? 'entity' : 'entities'} read`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(held === 0
      ? []
      : [`${held} held back: nothing was sent for ${held === 1 ? 'it' : 'them'}`]),
    ...(waits === 0 ? [] : [`${waits} ${waits === 1 ? 'waits' : 'wait'} for another entity`]),
    ...(stopped === 0 ? [] : [`${stopped} not synchronized`]),
  ]
  return `${parts.join(', ')}.`
}

type Outcome = 'goesOn' | 'queued' | 'failed' | 'held' | 'waits' | 'stopped' | 'read'

function outcomeOf(status: SyncStatus, { before }: AskedRuns): Outcome {
  // Nothing more comes of what was paused meanwhile, or lost its credentials.
  if (status.state === 'paused') return status.failures > 0 ? 'failed' : 'stopped'
  const ended = (status.runs ?? []).filter((run) => !before.has(endOf(status.entity, run)))
  const [latest] = ended
  // While a turn is under way, there is no next one.
  if (latest === undefined) return status.next_run_at === null ? 'goesOn' : 'queued'
  if (latest.error?.cause != null) return 'held'
  if (status.failures > 0) return 'failed'
  return status.state === 'waiting' ? 'waits' : 'read'
}

/** The turns of an entity that have ended, each with a name of its own. */
function endsOf({ entity, runs = [] }: SyncStatus): readonly string[] {
  return runs.map((run) => endOf(entity, run))
}

function endOf(
  entity: string,
  { run_id: id, finished_at: at }: NonNullable<SyncStatus['runs']>[number],
): string {
  return `${entity} ${id} ${at ?? ''}`
}
