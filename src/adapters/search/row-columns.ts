// What SQLite keeps of a row beside its document, made in either of two threads.
import { SLOTS, type SearchLayout } from '../../search/layout.ts'
import { fieldPrefix, OpenedRow, type RowIndex } from '../../search/opened-row.ts'
import type { CopyRow } from '../../search/row.ts'
import { scopePrefix } from './word-query.ts'

/** The columns of one row. */
export interface RowColumns extends Pick<RowIndex, 'slots' | 'lift' | 'folded' | 'sub' | 'mixed'> {
  /** The digest to be kept; null where it can be made of the document at any time. */
  readonly digest: Uint8Array | null
  /** Its words as the full-text table takes them, with blanks between them. */
  readonly terms: string
}

/** Makes the columns of a row. `learn` is told every word, some of them more than once. */
export function columnsOf(
  { index, stored }: OpenedRow,
  scopeNo: number,
  learn: (word: string) => void,
): RowColumns {
  const { slots, lift, folded, sub, mixed, terms } = index
  const fields: string[] = []
  for (const [field, words] of terms) {
    const prefix = scopePrefix(scopeNo) + fieldPrefix(field)
    fields.push(prefix + [...words].join(` ${prefix}`))
    for (const word of words) learn(word)
  }
  return { slots, lift, folded, sub, mixed, digest: stored, terms: fields.join(' ') }
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
  /** Each once. */
  readonly words: readonly string[]
}

export function indexRows(
  layout: SearchLayout,
  scopeNo: number,
  rows: readonly CopyRow[],
): IndexedRows {
  const words = new Set<string>()
  const learn = (word: string): void => void words.add(word)
  const columns = rows.map((row) => columnsOf(new OpenedRow(layout, row), scopeNo, learn))
  return {
    scopeNo,
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
    words: [...words],
  }
}

/** The columns of the row at this place. */
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
