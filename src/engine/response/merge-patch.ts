// How the patch of a next page changes the parameters of a call.
import { isExactNumber } from '../../language/json/exact-number.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'

/**
 * The parameters of the next call: objects merge member by member, everything else is replaced, null by null.
 *
 * Neither argument is changed; what the patch does not touch is shared. Unlike RFC 7396, null removes nothing,
 * because a parameter can be null.
 */
export function applyPatch(params: JsonObject, patch: JsonObject): JsonObject {
  // A Map, because an object would give `__proto__` a meaning.
  const members = new Map(Object.entries(params))
  for (const [name, value] of Object.entries(patch)) {
    const before = members.get(name)
    members.set(name, isObject(before) && isObject(value) ? applyPatch(before, value) : value)
  }
  return Object.fromEntries(members)
}

function isObject(value: Json | undefined): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)
  )
}
