// Reading and writing members by their path through objects.
import type { Json, JsonObject } from '../../language/json/json.ts'
import { own } from '../../language/json/own.ts'
import { isObject } from './is-object.ts'

/** The value at a path; absent when any step is. */
export function valueAtPath(value: Json | undefined, path: readonly string[]): Json | undefined {
  let found = value
  for (const name of path) found = own(found, name)
  return found
}

/** A copy of an object with a value at a path; objects on the way are made. */
export function setAt(object: JsonObject, path: readonly string[], value: Json): JsonObject {
  const [name, ...rest] = path
  if (name === undefined) return object
  const present = own(object, name)
  const inner = rest.length === 0 ? value : setAt(isObject(present) ? present : {}, rest, value)
  return { ...object, [name]: inner }
}
