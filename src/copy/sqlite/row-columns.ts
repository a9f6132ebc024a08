// Rows as they cross threads: by columns, which takes half as long as so many objects; and what SQLite keeps of a row in
// addition to its document, made in either of two threads.
import type { SearchLayout } from '../search/layout.ts'
import { CUT_WORDS, OpenedRow, type RowIndex } from '../search/opened-row.ts'
import type { CopyRow } from '../search/row.ts'
import { mayExceedTerms } from '../search/values.ts'
import type { TermTable } from './term-table.ts'

/** The values of each member, row by row. */
type Columns<T> = { readonly [K in keyof T]-?: readonly T[K][] }

export type PackedRows = Columns<CopyRow>

const ROW_MEMBERS = ['recordId', 'parentId', 'doc', 'compared', 'observedAtMs'] as const

export function packRows(rows: readonly CopyRow[]): PackedRows {
  return toColumns(ROW_MEMBERS, rows)
}

function toColumns<T extends object>(names: readonly (keyof T)[], rows: readonly T[]): Columns<T> {
  const columns = names.map((name) => [name, rows.map((row) => row[name])])
  // Each column is of its member.
  return Object.fromEntries(columns) as Columns<T>
}

export function toRows<T extends object>(columns: Columns<T>): readonly T[] {
  const all = Object.entries(columns) as readonly (readonly [string, readonly unknown[]])[]
  const [first] = all
  return (first?.[1] ?? []).map((_, at) => {
    const row: Record<string, unknown> = {}
    for (const [name, values] of all) row[name] = values[at]
    // Every member has a column.
    return row as T
  })
}

export interface RowColumns extends RowIndex {
  /** The digest to be kept; null where it can be made of the document at any time. */
  readonly digest: Uint8Array | null
  /** Its words as the full-text table takes them, with blanks between them. */
  readonly terms: string
}

/** Makes the columns of a row; `words` knows the words of its copy. */
export function columnsOf(opened: OpenedRow, words: TermTable): RowColumns {
  const { index, document, row } = opened
  const { slots, lift, folded, sub } = index
  const limited = mayExceedTerms(row.doc.length) ? opened.terms : null
  const mixed = index.mixed | (limited?.isCut === true ? CUT_WORDS : 0)
  const terms = words.take(document, limited?.byField ?? null)
  const digest = row.compared === null ? null : opened.digest
  return { slots, lift, folded, sub, mixed, digest, terms }
}

const MEMBERS = ['slots', 'lift', 'folded', 'sub', 'mixed', 'digest', 'terms'] as const

/** What is kept of many rows, and the words in them: plain data that crosses threads. */
export interface IndexedRows {
  /** Only in this copy, and under this layout, do they mean anything. */
  readonly scopeNo: number
  readonly layoutHash: string
  readonly columns: Columns<RowColumns>
  /** Of the vocabulary, those that the batch has not given before. */
  readonly words: readonly string[]
}

export function indexRows(
  layout: SearchLayout,
  table: TermTable,
  rows: readonly CopyRow[],
): IndexedRows {
  const kept = rows.map((row) => columnsOf(new OpenedRow(layout, row), table))
  const columns = toColumns(MEMBERS, kept)
  return { scopeNo: table.scopeNo, layoutHash: layout.hash, columns, words: table.takeMet() }
}
