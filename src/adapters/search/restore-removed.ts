// Undoing the removals of a run: the documents are kept, and rows are made of them anew.
import { parseJson } from '../../json/parse-json.ts'
import type { JsonObject } from '../../json/json.ts'
import { rowOfDocument } from '../../search/row.ts'
import type { CopyId, SearchIndex, StoredDocument } from '../../search/search-index.ts'

const PART = 500

/** Writes back what `removed` gives, until it gives nothing more; the number of records. */
export async function restoreRemoved(
  index: Pick<SearchIndex, 'copies' | 'write'>,
  copy: CopyId,
  removed: (limit: number) => Promise<readonly StoredDocument[]>,
): Promise<number> {
  const copies = await index.copies(copy)
  const layout = copies.find(({ epoch }) => epoch === copy.epoch)?.layout
  if (layout === undefined) return 0
  let restored = 0
  for (;;) {
    const documents = await removed(PART)
    const rows = documents.map((stored) =>
      // Written by us as an object.
      rowOfDocument(layout, stored, parseJson(stored.doc, { maxDepth: 1_000 }) as JsonObject),
    )
    // As a write of our own that is held no longer: neither an older reading nor a held removal stands against it.
    const nowMs = Date.now()
    if (rows.length > 0)
      await index.write({ copy, fence: null, observedAtMs: nowMs, holdUntilMs: nowMs, rows })
    restored += rows.length
    if (documents.length < PART) return restored
  }
}
