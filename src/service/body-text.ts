// Members of a body that its route has checked already.
import type { JsonObject } from '../language/json/json.ts'

/** A text that the schema requires. */
export function bodyText(body: JsonObject, name: string): string {
  const value = body[name]
  if (typeof value !== 'string') throw new TypeError(`the body was not checked for ${name}`)
  return value
}
