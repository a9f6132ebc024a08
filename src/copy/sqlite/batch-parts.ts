// The parts of batches on their way from the thread that reads rows to where they are written.
import { defect } from '../../database/database-errors.ts'
import { causeOf } from '../../database/thread-cause.ts'
import type { BatchPart, RowsPart } from './copy-call.ts'
import { type PackedRows, toRows } from './columns.ts'
import { supersededPlaces } from '../sql/row-decision.ts'

/** A batch that came in one piece, its rows as they are. */
export async function* onePart(rows: PackedRows | null): AsyncGenerator<RowsPart, void, undefined> {
  if (rows !== null) yield { rows, indexed: null, superseded: supersededPlaces(toRows(rows)) }
}

/** A batch of which parts are still to come. */
interface Coming {
  readonly arrived: BatchPart[]
  wake: () => void
}

export class BatchParts {
  readonly #coming = new Map<number, Coming>()

  /** Takes a part in; gives the batch it belongs to, all of its parts in order. To be walked once, from its first part on. */
  take(part: BatchPart): AsyncIterable<RowsPart> {
    const { id, head } = part
    const batch = this.#coming.get(id) ?? { arrived: [], wake: () => {} }
    if (head !== null) this.#coming.set(id, batch)
    batch.arrived.push(part)
    batch.wake()
    return walk(batch)
  }

  /** The batch is written, or will never be. */
  forget(id: number): void {
    this.#coming.delete(id)
  }
}

async function* walk(batch: Coming): AsyncGenerator<RowsPart, void, undefined> {
  for (;;) {
    const next = batch.arrived.shift()
    if (next === undefined) {
      await new Promise<void>((resolve) => {
        batch.wake = resolve
      })
      continue
    }
    if ('problem' in next.part) throw defect('reading rows', causeOf(next.part.problem))
    yield next.part
    if (next.isLast) return
  }
}
