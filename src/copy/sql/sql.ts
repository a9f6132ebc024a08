// SQL in pieces: text from our sources, values always apart from it.

import type { DatabaseTime } from '../../database/database-clock.ts'

export type SqlValue = string | number | null | Uint8Array | readonly string[] | DatabaseTime

/** A piece of SQL with its values. There is one more text than there are values. */
export interface Sql {
  readonly texts: readonly string[]
  readonly values: readonly SqlValue[]
  /** Where the best plan never depends on the values: a store may keep it under this name. */
  readonly name?: string
  /** Rows come by the places of their columns, as `row[0]`, and not by names: cheaper where there are many. */
  readonly numbered?: boolean
  /** It is asked only to choose how to go on, and again for every page: a store may remember its rows until something is written. */
  readonly remembered?: boolean
  /** Nothing speaks against its being the only statement of its page, which then needs no snapshot. */
  readonly sole?: boolean
}

/** A piece of SQL; what is inserted is a value unless it is a piece itself. */
export function sql(strings: TemplateStringsArray, ...inserts: readonly (Sql | SqlValue)[]): Sql {
  const growing = new GrowingSql(strings[0] ?? '')
  for (const [index, insert] of inserts.entries()) {
    if (isSql(insert)) growing.addPiece(insert)
    else growing.addValue(insert)
    growing.addText(strings[index + 1] ?? '')
  }
  return growing
}

/** A piece that is being put together: each text and value is copied into it once. */
class GrowingSql implements Sql {
  readonly texts: string[]
  readonly values: SqlValue[] = []

  constructor(text: string) {
    this.texts = [text]
  }

  addText(text: string): void {
    this.texts[this.texts.length - 1] += text
  }

  addValue(value: SqlValue): void {
    this.values.push(value)
    this.texts.push('')
  }

  addPiece({ texts, values }: Sql): void {
    this.addText(texts[0] ?? '')
    for (const text of texts.slice(1)) this.texts.push(text)
    for (const value of values) this.values.push(value)
  }
}

function isSql(value: Sql | SqlValue): value is Sql {
  return typeof value === 'object' && value !== null && 'texts' in value
}

/** Text of our own sources. Never anything that came from outside. */
export function plain(text: string): Sql {
  return { texts: [text], values: [] }
}

/** `LIMIT` with its number in the text: SQLite plans a statement again for every other bound one. */
export function limitTo(count: number): Sql {
  if (!Number.isSafeInteger(count)) throw new TypeError('a limit is a whole number')
  return plain(`LIMIT ${count}`)
}

export function joined(pieces: readonly Sql[], between: string): Sql {
  const all = new GrowingSql('')
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) all.addText(between)
    all.addPiece(piece)
  }
  return all
}

/** Values with commas between them. */
export function listOf(values: readonly SqlValue[]): Sql {
  const pieces = values.map((value) => sql`${value}`)
  return joined(pieces, ', ')
}

/** `VALUES` with these rows, for an `INSERT`: the database, and a Citus above it, sees where each row belongs. */
export function rowsOf(rows: readonly (readonly SqlValue[])[]): Sql {
  const texts = rows.flatMap((row, at) =>
    row.map((_, place) => (place > 0 ? ', ' : at > 0 ? '), (' : 'VALUES (')),
  )
  return { texts: [...texts, ')'], values: rows.flat() }
}

export const TRUE: Sql = plain('TRUE')
export const FALSE: Sql = plain('FALSE')

/** All of the conditions, in parentheses where there are several. */
export function allOf(conditions: readonly Sql[]): Sql {
  const needed = conditions.filter((condition) => condition !== TRUE)
  if (needed.includes(FALSE)) return FALSE
  return group(needed, TRUE, ' AND ')
}

export function someOf(conditions: readonly Sql[]): Sql {
  const needed = conditions.filter((condition) => condition !== FALSE)
  if (needed.includes(TRUE)) return TRUE
  return group(needed, FALSE, ' OR ')
}

function group(conditions: readonly Sql[], none: Sql, between: string): Sql {
  const [first] = conditions
  if (first === undefined) return none
  return conditions.length === 1 ? first : sql`(${joined(conditions, between)})`
}

/** What one statement is given at most of a list. */
const PART = 250

export function* partsOf<T>(
  items: readonly T[],
  size: number = PART,
): Generator<readonly T[], void, undefined> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}

/** The text with `mark(1)`, `mark(2)` … in place of the values. */
export function sqlText({ texts }: Sql, mark: (number: number) => string): string {
  return texts.reduce((all, text, index) => (index === 0 ? text : all + mark(index) + text), '')
}

/** One row of an answer, by column: its name, or its place where the statement is `numbered`. */
export type SqlRow = Readonly<Record<string, unknown>>

/** Work that asks a store one statement at a time. The store runs the statements, synchronously or not. */
export type SqlSteps<T> = Generator<Sql, T, readonly SqlRow[]>
