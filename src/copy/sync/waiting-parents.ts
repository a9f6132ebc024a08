// How many parents a run of children has still to ask.
import { type CopyName, type CopyReader, readServing } from '../search/search-index.ts'
import type { SyncedEntity } from './synced-entity.ts'

/**
 * Parents whose children are due at this time. Null: the entity has no parents, or they are still being read for the
 * first time, so that more will come.
 */
export async function waitingParents(
  index: Pick<CopyReader, 'copies' | 'countTodo'>,
  name: CopyName,
  { sync }: SyncedEntity,
  nowMs: number,
): Promise<number | null> {
  if (sync.parent === null) return null
  const parents = await readServing(index, { ...name, entity: sync.parent.entity })
  if (parents?.complete !== true) return null
  return await index.countTodo(name, nowMs)
}
