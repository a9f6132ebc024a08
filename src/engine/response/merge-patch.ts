// How the patch of a next page changes the parameters of a call.
import type { JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'

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
    members.set(
      name,
      isJsonObject(before) && isJsonObject(value) ? applyPatch(before, value) : value,
    )
  }
  return Object.fromEntries(members)
}
