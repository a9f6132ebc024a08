// Members of JSON objects by their place: own ones only, and changed by copying along the way.
import { isExactNumber } from './exact-number.ts'
import type { Json, JsonObject } from './json.ts'
import { own, setOwn } from './own.ts'

/** The value at `path`, or undefined; own members only, arrays are not entered. */
export function ownAt(object: unknown, path: readonly string[]): Json | undefined {
  let at = object
  for (const name of path) {
    if (!isJsonObject(at) || !Object.hasOwn(at, name)) return undefined
    at = at[name]
  }
  // Everything below an object of JSON is JSON.
  return at as Json | undefined
}

/** A copy with `value` at `path`. Members on the way that are no objects are replaced by objects. */
export function withMember(object: JsonObject, path: readonly string[], value: Json): JsonObject {
  const [name, ...rest] = path
  if (name === undefined) return object
  const inner = Object.hasOwn(object, name) ? object[name] : undefined
  const next = rest.length === 0 ? value : withMember(isJsonObject(inner) ? inner : {}, rest, value)
  const copy: Record<string, Json> = { ...object }
  setOwn(copy, name, next)
  return copy
}

/** The object without the member at a path. */
export function withoutMember(object: JsonObject, path: readonly string[]): JsonObject {
  const [name = '', ...rest] = path
  const { [name]: inside, ...others } = object
  if (rest.length === 0) return others
  return isJsonObject(inside) ? withMember(object, [name], withoutMember(inside, rest)) : object
}

/**
 * The members of `under` with those of `over`: objects merge member by member, everything else is replaced, null by null.
 * Neither is changed; what `over` does not touch is shared. Unlike RFC 7396, null removes nothing.
 */
export function mergeObjects(under: JsonObject, over: JsonObject): JsonObject {
  const both = Object.entries(over).flatMap(([name, value]) => {
    const present = own(under, name)
    return isJsonObject(present) && isJsonObject(value)
      ? [[name, mergeObjects(present, value)]]
      : []
  })
  // Spreading defines members: a caller's may be called __proto__.
  return { ...under, ...over, ...(Object.fromEntries(both) as JsonObject) }
}

/**
 * The value with the members that the paths lead to; a path goes down through lists. A name that itself has dots is
 * found by several words of a path. What is absent stays absent.
 */
export function selectPaths(value: Json, paths: readonly (readonly string[])[]): Json {
  if (isList(value)) return value.map((each) => selectPaths(each, paths))
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).flatMap(([name, member]): [string, Json][] => {
    const inside = paths.flatMap((path) => restAfter(name, path))
    if (inside.length === 0) return []
    const isWhole = inside.some((path) => path.length === 0)
    return [[name, isWhole ? member : selectPaths(member, inside)]]
  })
  return Object.fromEntries(members)
}

/** What is left of a path behind this name. */
function restAfter(name: string, path: readonly string[]): (readonly string[])[] {
  const words = name.split('.')
  return words.every((word, index) => path[index] === word) ? [path.slice(words.length)] : []
}

/** Tells an object from arrays, null and exact numbers. */
export function isJsonObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)
  )
}

/** Tells an array from all other values. Array.isArray does not narrow readonly arrays out of a union. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}
