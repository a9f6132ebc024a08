// How many parents a run of children has still to ask.
import type { CopyName, CopyReader } from '../search/search-index.ts'
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
  const { instanceId } = name
  const parents = await index.copies({ instanceId, entity: sync.parent.entity })
  if (parents.find(({ serving }) => serving)?.complete !== true) return null
  return await index.countTodo(name, nowMs)
}
