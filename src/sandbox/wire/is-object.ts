// Telling JSON objects from the other values.
import { isExactNumber } from '../../language/json/exact-number.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'

/** True for a JSON object; exact numbers are none, although JavaScript holds them as objects. */
export function isObject(value: Json | undefined): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)
  )
}
