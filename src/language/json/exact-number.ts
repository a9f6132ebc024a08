// Numbers that a double cannot hold, and their two other forms: text for JavaScript callers, doubles for validation.
import type { ExactNumber, Json, JsonObject } from './json.ts'
import { nativeJson } from './native-json.ts'
import { isKnownPlain } from './parse-json.ts'

/** Tells an exact number from every other value, also from a parsed object that has a member `rawJSON`. */
export function isExactNumber(value: unknown): value is ExactNumber {
  return typeof value === 'object' && value !== null && nativeJson.isRawJSON(value)
}

/** The value with exact numbers as text, the form for JavaScript callers. Copies only what changes. */
export function exactToText(value: Json): Json {
  return replaceExact(value, (exact) => exact.rawJSON)
}

/** The value with exact numbers as doubles, for validators; Infinity beyond their range. Copies only what changes. */
export function exactToNumber(value: Json): Json {
  return replaceExact(value, (exact) => Number(exact.rawJSON))
}

function replaceExact(value: Json, replace: (exact: ExactNumber) => Json): Json {
  if (typeof value !== 'object' || value === null || isKnownPlain(value)) return value
  if (isExactNumber(value)) return replace(value)
  return Array.isArray(value)
    ? replaceInArray(value as readonly Json[], replace)
    : replaceInObject(value as JsonObject, replace)
}

function replaceInArray(list: readonly Json[], replace: (exact: ExactNumber) => Json): Json {
  let copy: Json[] | null = null
  for (let index = 0; index < list.length; index++) {
    const element = list[index]
    if (typeof element !== 'object' || element === null) continue
    const replaced = replaceExact(element, replace)
    if (replaced === element) continue
    copy ??= [...list]
    copy[index] = replaced
  }
  return copy ?? list
}

function replaceInObject(object: JsonObject, replace: (exact: ExactNumber) => Json): Json {
  let copy: Record<string, Json> | null = null
  for (const name of Object.keys(object)) {
    const member = object[name]
    if (typeof member !== 'object' || member === null) continue
    const replaced = replaceExact(member, replace)
    if (replaced === member) continue
    // Spreading makes every member the copy's own, so the assignment cannot reach a setter, not even for __proto__.
    copy ??= { ...object }
    copy[name] = replaced
  }
  return copy ?? object
}
