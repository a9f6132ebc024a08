// What SQLite keeps of a row in addition to its document, made in either of two threads.
import { SLOTS, type SearchLayout } from '../search/layout.ts'
import { CUT_WORDS, OpenedRow, type RowIndex } from '../search/opened-row.ts'
import type { CopyRow } from '../search/row.ts'
import { mayExceedTerms } from '../search/terms.ts'
import type { TermTable } from './term-table.ts'

export interface RowColumns extends Pick<RowIndex, 'slots' | 'lift' | 'folded' | 'sub' | 'mixed'> {
  /** The digest to be kept; null where it can be made of the document at any time. */
  readonly digest: Uint8Array | null
  /** Its words as the full-text table takes them, with blanks between them. */
  readonly terms: string
}

/** Makes the columns of a row; `words` knows the words of its copy. */
export function columnsOf(opened: OpenedRow, words: TermTable): RowColumns {
  const { index, document, row, stored } = opened
  const { slots, lift, folded, sub } = index
  const limited = mayExceedTerms(row.doc.length) ? opened.terms : null
  const mixed = index.mixed | (limited?.isCut === true ? CUT_WORDS : 0)
  const terms = words.take(document, limited?.byField ?? null)
  return { slots, lift, folded, sub, mixed, digest: stored, terms }
}

/** The columns of many rows, and the words in them: plain data that crosses threads. */
export interface IndexedRows {
  /** Only in this copy, and under this layout, do they mean anything. */
  readonly scopeNo: number
  readonly layoutHash: string
  /** Eight per row. */
  readonly slots: readonly (string | null)[]
  readonly lifts: readonly (string | null)[]
  readonly folded: readonly (string | null)[]
  readonly subs: readonly (string | null)[]
  readonly mixed: readonly number[]
  /** Null: no row has one. */
  readonly digests: readonly (Uint8Array | null)[] | null
  readonly terms: readonly string[]
  /** Of the vocabulary; few of them twice. */
  readonly words: readonly string[]
}

/** The words are those that the batch has not given before. */
export function indexRows(
  layout: SearchLayout,
  table: TermTable,
  rows: readonly CopyRow[],
): IndexedRows {
  const columns = rows.map((row) => columnsOf(new OpenedRow(layout, row), table))
  return {
    scopeNo: table.scopeNo,
    layoutHash: layout.hash,
    slots: columns.flatMap(({ slots }) => slots),
    lifts: columns.map(({ lift }) => lift),
    folded: columns.map(({ folded }) => folded),
    subs: columns.map(({ sub }) => sub),
    mixed: columns.map(({ mixed }) => mixed),
    digests: columns.some(({ digest }) => digest !== null)
      ? columns.map(({ digest }) => digest)
      : null,
    terms: columns.map(({ terms }) => terms),
    words: table.takeMet(),
  }
}

export function columnsAt(indexed: IndexedRows, at: number): RowColumns {
  const { slots, lifts, folded, subs, mixed, digests, terms } = indexed
  return {
    slots: slots.slice(at * SLOTS, (at + 1) * SLOTS),
    lift: lifts[at] ?? null,
    folded: folded[at] ?? null,
    sub: subs[at] ?? null,
    mixed: mixed[at] ?? 0,
    digest: digests?.[at] ?? null,
    terms: terms[at] ?? '',
  }
}
