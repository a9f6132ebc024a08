// Why a copy that was read as a whole once is not known to have everything.
import { readServing } from '../search/search-index.ts'
import { countUnknown } from './left-out.ts'
import { isCountMet } from './removal-decision.ts'
import { ABSENT_PREFIX, type CopyFacts, type Gap, readAbsence, readFacts } from './run-record.ts'
import type { SyncRun } from './sync-run.ts'

/** The gaps of a copy at the end of a run; `isAll`: it read everything there is. */
export async function findGaps(
  run: SyncRun,
  facts: CopyFacts,
  isAll: boolean,
): Promise<readonly Gap[]> {
  const { copy, record, task, ports } = run
  const { reason } = facts.suspicious ?? {}
  const gaps: Gap[] = reason === undefined ? [] : [reason]
  if (facts.leftOut !== undefined) gaps.push('left_out')
  if (record.kind !== 'children') {
    if (facts.fullAtMs === null) gaps.push('unread_records')
    // Keys are counted by a full reading, with the records that come along.
    const isCounted = isAll && record.kind !== 'reconcile'
    const isUnmet = isCounted
      ? !isListed(run, await countListed(run))
      : facts.gaps?.includes('count_unmet')
    if (isUnmet === true) gaps.push('count_unmet')
    return gaps
  }
  const absences = await ports.index.entries(copy, ABSENT_PREFIX)
  if (absences.some((entry) => readAbsence(entry).isUnread === true)) gaps.push('unread_parents')
  const entity = task.entity.sync.parent?.entity ?? ''
  const parents = await readServing(ports.index, { ...copy, entity })
  if (readFacts(parents?.facts ?? '').gaps !== undefined) gaps.push('parents')
  return gaps
}

/** Of two listings each may count a record that both have. Within one, a record that came twice counts once. */
async function countListed({ copy, record, slices, ports }: SyncRun): Promise<number> {
  if (slices.size === 1) return await ports.index.countSeen(copy, record.runId)
  return [...slices.values()].reduce((sum, slice) => sum + slice.received, 0)
}

/** Whether so many records, with those that are not kept, are what the third party counts. */
export function isListed(
  { record, slices }: Pick<SyncRun, 'record' | 'slices'>,
  count: number,
): boolean {
  const filtered = [...slices.values()].reduce((sum, slice) => sum + (slice.filteredOut ?? 0), 0)
  return isCountMet(count + filtered + countUnknown(record.leftOut), record.expectedTotal)
}
