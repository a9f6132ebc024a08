// Undoing the removals of a run: the documents are kept, and are written like any other rows.
import type { CopyId, SearchIndex, StoredDocument } from '../search/search-index.ts'

const PART = 500

/** Writes back what `removed` gives, until it gives nothing more; the number of records. */
export async function restoreRemoved(
  index: Pick<SearchIndex, 'write'>,
  copy: CopyId,
  removed: (limit: number) => Promise<readonly StoredDocument[]>,
): Promise<number> {
  let restored = 0
  for (;;) {
    const documents = await removed(PART)
    const rows = documents.map(({ recordId, parentId, doc, compared }) => ({
      recordId,
      parentId,
      doc,
      compared,
    }))
    // As a write of our own that is held no longer: neither an older reading nor a held removal stands against it.
    const nowMs = Date.now()
    if (rows.length > 0)
      await index.write({ copy, fence: null, observedAtMs: nowMs, holdUntilMs: nowMs, rows })
    restored += rows.length
    if (documents.length < PART) return restored
  }
}
