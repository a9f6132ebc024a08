// Finding rows of large sets without looking at each: indexes made when first asked for, and again after a change.
import type { Json, JsonObject } from '../../language/json/json.ts'
import { scalarText } from '../wire/same-scalar.ts'
import type { Row } from './world.ts'

/** Takes a value out of the fields of a row. The function itself names the index: compile it once. */
export type PickField = (fields: JsonObject) => Json | undefined

const NO_ROWS: readonly Row[] = []

/** The indexes of one set. `clear` them whenever a row of the set changes. */
export class RowIndexes {
  #byValue = new Map<PickField, ReadonlyMap<string | undefined, readonly Row[]>>()
  #byAncestor: ReadonlyMap<Row, readonly Row[]> | null = null

  /** The rows whose value is the same scalar, in the order of `rows`. */
  matching(rows: readonly Row[], pick: PickField, wanted: Json): readonly Row[] {
    const text = scalarText(wanted)
    if (text === undefined) return NO_ROWS
    let index = this.#byValue.get(pick)
    if (index === undefined) {
      index = Map.groupBy(rows, (row) => scalarText(pick(row.fields)))
      this.#byValue.set(pick, index)
    }
    return index.get(text) ?? NO_ROWS
  }

  /** The rows that hang on another one, directly or not, in the order of `rows`. */
  below(rows: readonly Row[], above: Row): readonly Row[] {
    this.#byAncestor ??= byAncestor(rows)
    return this.#byAncestor.get(above) ?? NO_ROWS
  }

  clear(): void {
    this.#byValue.clear()
    this.#byAncestor = null
  }
}

function byAncestor(rows: readonly Row[]): ReadonlyMap<Row, readonly Row[]> {
  const groups = new Map<Row, Row[]>()
  for (const row of rows) {
    for (let { parent } = row; parent !== null; parent = parent.parent) {
      const group = groups.get(parent)
      if (group === undefined) groups.set(parent, [row])
      else group.push(row)
    }
  }
  return groups
}
