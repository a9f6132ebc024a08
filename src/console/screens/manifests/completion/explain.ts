// What the language's documentation says of the key at a place of the text.
import type { JsonObject } from '../../../api/json-text.ts'
import { type Place, placeIn } from './place.ts'
import { keysAt, valuesAt } from './schema-options.ts'

export interface Explained {
  readonly name: string
  /** Where the key begins. */
  readonly from: number
  readonly required: boolean
  readonly description: string
  /** Values that it takes, where they are listed. */
  readonly values: readonly string[]
}

/** Null: no key is there, or it is not described. */
export function explain(root: JsonObject, text: string, offset: number): Explained | null {
  // Between words a key could be written; none is there yet.
  if (!/[\w$-]/.test(text.slice(Math.max(0, offset - 1), offset + 1))) return null
  const place = placeIn(text, offset)
  if (place === null || place.kind !== 'key') return null
  const name = /^[\w$-]*/.exec(text.slice(place.from))?.[0] ?? ''
  const known = keysAt(root, place).find((key) => key.name === name)
  if (known === undefined || known.description === null) return null
  const path = [...place.path, name]
  const value: Place = { ...place, kind: 'value', path, siblings: new Map(), names: new Map() }
  return {
    name,
    from: place.from,
    required: known.required,
    description: known.description,
    values: valuesAt(root, value).map((each) => each.text),
  }
}
