// Parameters by their place in `params`.
import type { ParamPath } from '../../language/expression/syntax.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { own } from '../../language/json/own.ts'
import { pointerTo } from '../../language/json/pointer.ts'

/** The parameter at that place, undefined when it was not given. */
export function readParam(params: unknown, path: ParamPath): Json | undefined {
  let value: unknown = params
  for (const name of path) value = own(value, name)
  // Everything inside params is JSON.
  return value as Json | undefined
}

/** A patch that sets one parameter: `['filter', 'cursor']` and x give `{ filter: { cursor: x } }`. */
export function patchAt(path: ParamPath, value: Json): JsonObject {
  const [name, ...inside] = path
  if (name === undefined) throw new TypeError('A parameter path has at least one name')
  return Object.fromEntries([[name, inside.length === 0 ? value : patchAt(inside, value)]])
}

/** The JSON pointer of a parameter in a request: `/params/filter/cursor`. */
export function paramPointer(path: ParamPath): string {
  return pointerTo('/params', path)
}
