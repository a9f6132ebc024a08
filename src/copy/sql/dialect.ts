// Where the two stores differ in SQL. Everything else about a search is said once.
import { SLOTS } from '../search/layout.ts'
import type { CopyState } from '../search/search-index.ts'
import type { WordQuery } from './word-query.ts'
import type { Sql } from './sql.ts'

/** The columns of records that hold the lifted values with an index, by slot from 1 on. */
export const SLOT_COLUMNS: readonly string[] = Array.from(
  { length: SLOTS },
  (_, index) => `k${index + 1}`,
)

/** A copy with what the store keeps about it. */
export interface StoredCopy extends CopyState {
  /** Short number of the copy: the beginning of its words in the index. */
  readonly scopeNo: number
  /** Sum of the lengths of the documents. */
  readonly bytes: number
  /** Of a complete copy: it lacks records, so that answers do not call it complete. */
  readonly hasGaps: boolean
  /** The last write whose removals are not all kept any more; 0: all are. */
  readonly forgotten: number
  /** Bits of lifted paths that do not tell all. */
  readonly mixed: number
}

/** The copy that statements are about. */
export interface Scope extends Omit<
  StoredCopy,
  'settings' | 'serving' | 'facts' | 'generation' | 'hasGaps' | 'forgotten'
> {
  /** Records have arrived up to this number, and perhaps more of them up to `nextSeq`; absent: up to `nextSeq`. */
  readonly arrived?: number
}

export interface Lead {
  readonly from: Sql
  readonly where: Sql
  readonly seq: Sql
}

/** How a store says things. Rows of records are called `r` in every statement. */
export interface Dialect {
  /** That a row of a table of the copy belongs to it. */
  inScope(scope: Scope, table: string): Sql
  /** The same of `r`, for statements that walk by arrival and must not be led elsewhere by this condition. */
  inWalkedScope(scope: Scope): Sql
  /** The columns in which tables of copies name the copy. */
  readonly scopeColumns: Sql
  /** Tables of words with a row for each record, under its stored number; empty where they are columns of records. */
  readonly wordTables: readonly Sql[]
  /** The column that orders by arrival, and the number in it. */
  readonly seq: Sql
  toStored(scope: Scope, seq: number): number
  fromStored(scope: Scope, stored: unknown): number
  /** Text of a lifted value without a slot. */
  lifted(lift: number): Sql
  /** Folded text of a lift where it is not its key. */
  folded(lift: number): Sql
  isIn(expression: Sql, values: readonly string[]): Sql
  hasWords(query: WordQuery): Sql
  /** `FROM …` of records whose words are so rare that the planner misjudges them, else null. `hinted`: they only help. */
  ofRare(query: WordQuery, hinted: boolean, scope: Scope): Sql | null
  /** A condition that holds for most records that meet the others: no planner is to multiply their shares. */
  correlated(condition: Sql): Sql
  /** That the text indexed by its parts contains this one, which has at least three code points. Null: no such index. */
  hasPart(literal: string): Sql | null
  /** `FROM …`, and the condition that goes with it, for a statement led by words; null where the planner finds out itself. */
  led(query: WordQuery): Lead | null
  /** The same for a part of a text. */
  ledByPart(literal: string): Lead | null
  readonly records: Sql
  /** The same, led by an index or, with null, walked by arrival; null where the planner chooses by statistics. */
  readonly recordsBy: ((index: string | null) => Sql) | null
  /** Stored number, id and document of the records whose numbers a statement gives, the newest first. */
  documentsOf(scope: Scope, numbers: Sql): Sql
  /** `FROM …` of values, and the value in each of its rows. */
  each(values: readonly string[]): { readonly from: Sql; readonly value: Sql }
  /** Whether a statement can find the newest records of each of several values; else it is made of one per value. */
  readonly hasLateral: boolean
  /** Up to so many rows, documents are sorted along with their numbers; 0: that costs more than reading them afterwards. */
  readonly maxSortedAlong: number
  /** Statements cannot be interrupted, so those without an index look at so many records at a time; null: no need. */
  readonly window: number | null
}
