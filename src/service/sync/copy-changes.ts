// What has changed in a copy, for programs that keep one of their own: answered from the copy, as searches are.
import { readChanges, type ChangesAnswer, type ChangesPlace } from '../../copy/search/changes.ts'
import { freshness, type ReplicaFacts } from '../../copy/search/search.ts'
import type { CopyState, SearchIndex } from '../../copy/search/search-index.ts'
import type { ServiceBase } from '../base.ts'
import type { Cursors } from '../cursors.ts'
import type { InstanceRow } from '../store/instances.ts'
import type { SearchGate } from './search-gate.ts'
import { isSynchronizing } from './sync-settings.ts'

export interface CopyChangesPorts extends Pick<ServiceBase, 'clock'> {
  readonly index: Pick<SearchIndex, 'copies' | 'changesSince'>
  readonly cursors: Cursors
  readonly gate: SearchGate
  readonly intervalMs: (row: InstanceRow, entity: string) => number
}

export interface CopyChanges extends Pick<
  ChangesAnswer,
  'changes' | 'count' | 'hasMore' | 'reset'
> {
  readonly nextCursor: string
  readonly replica: Omit<ReplicaFacts, 'ranked'>
}

type Owned = Pick<InstanceRow, 'id' | 'organizationId'>

/** A place in the changes of a copy, as readers keep it: for as long as the organisation's data key is kept. */
export async function sealChangesPlace(
  cursors: Pick<Cursors, 'seal'>,
  row: Owned,
  entity: string,
  { version, seq, base, isFirst, epoch, generation, until }: ChangesPlace,
): Promise<string> {
  const parts = [version, seq, base, isFirst, epoch, generation, until]
  return await cursors.seal(row, JSON.stringify(parts), purposeOf(row, entity), { lifeMs: null })
}

/** The place before everything that is written to the copy from now on. */
export function placeBehind({ version, epoch, generation }: CopyState): ChangesPlace {
  return { version: version + 1, seq: 0, base: version, isFirst: false, epoch, generation }
}

/** Throws what `readChanges` and the gate throw. */
export async function readCopyChanges(
  { index, cursors, clock, gate, intervalMs }: CopyChangesPorts,
  row: InstanceRow,
  entity: string,
  {
    since,
    limit,
    signal,
  }: {
    /** A cursor, or a place itself; null: the beginning. */
    readonly since: string | ChangesPlace | null
    readonly limit: number
    readonly signal: AbortSignal
  },
): Promise<CopyChanges> {
  const place = typeof since === 'string' ? await openPlace(cursors, row, entity, since) : since
  const name = { instanceId: row.id, entity }
  const page = await gate.run(row.organizationId, signal, () =>
    readChanges(index, name, place, limit),
  )
  const { changes, count, hasMore, reset } = page
  const known = { intervalMs: intervalMs(row, entity), active: isSynchronizing(row) }
  return {
    changes,
    count,
    hasMore,
    reset,
    nextCursor: await sealChangesPlace(cursors, row, entity, page.next),
    replica: freshness(page.copy, known, clock.now()),
  }
}

async function openPlace(
  cursors: Cursors,
  row: Owned,
  entity: string,
  since: string,
): Promise<ChangesPlace> {
  const text = await cursors.open(row, since, purposeOf(row, entity), '/since')
  // Written by `sealChangesPlace`.
  const [version, seq, base, isFirst, epoch, generation, until] = JSON.parse(text) as [
    number,
    number,
    number,
    boolean,
    number,
    string,
    (number | null)?,
  ]
  const bound = typeof until === 'number' ? { until } : {}
  return { version, seq, base, isFirst, epoch, generation, ...bound }
}

function purposeOf({ id }: Owned, entity: string): string {
  return JSON.stringify(['changes', id, entity])
}
