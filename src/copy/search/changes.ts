// What has changed in the copy of an entity, page by page, for programs that keep a copy of their own. Pure.
import { problemError } from '../../errors.ts'
import {
  type ChangesPage,
  type ChangesPosition,
  type CopyName,
  type CopyReader,
  readServing,
} from './search-index.ts'
import { notReady } from './search.ts'

/** A position, and the copy it is of. */
export interface ChangesPlace extends ChangesPosition {
  readonly epoch: number
  readonly generation: string
}

export interface ChangesAnswer extends Pick<ChangesPage, 'changes' | 'count' | 'hasMore' | 'copy'> {
  readonly next: ChangesPlace
  /** The changes begin with nothing: what the reader has of an earlier copy, and does not get again, is gone. */
  readonly reset: boolean
}

/**
 * The changes from a place on; null: all there is. Of another copy by now, they begin with nothing once that is complete.
 *
 * Throws `search_not_ready`, and `cursor_invalid` where removals behind the place are not kept any more.
 */
export async function readChanges(
  index: Pick<CopyReader, 'copies' | 'changesSince'>,
  { instanceId, entity }: CopyName,
  place: ChangesPlace | null,
  limit: number,
): Promise<ChangesAnswer> {
  // Another copy may take over between the two questions; that does not happen twice in a row.
  for (let attempt = 1; attempt <= 2; attempt++) {
    const copy = await readServing(index, { instanceId, entity })
    if (copy === undefined) break
    const { epoch, generation } = copy
    const isSame = place?.epoch === epoch && place.generation === generation
    // Up to a version of a copy that is no more: there is nothing to begin again with.
    if (place?.until !== undefined && !isSame)
      throw problemError('cursor_invalid', {
        pointer: '/since',
        code: 'cursor',
        detail: 'is of a copy that another one has replaced',
      })
    // A reader keeps what it has of the copy before until there is as much of this one.
    if (!copy.complete && !isSame && (place !== null || copy.live === 0)) break
    const page = await index.changesSince(
      { instanceId, entity, epoch, generation },
      isSame ? place : null,
      limit,
    )
    if (page.kind === 'forgotten')
      throw problemError(
        'cursor_invalid',
        { pointer: '/since', code: 'cursor', detail: 'is older than the removals that are kept' },
        'removals behind this cursor are not kept any more; read the changes from the beginning, without since',
      )
    if (page.kind === 'page') {
      const { changes, count, hasMore } = page
      const next = { ...page.next, epoch, generation }
      return { changes, count, hasMore, copy: page.copy, next, reset: !isSame }
    }
  }
  throw notReady(entity)
}
