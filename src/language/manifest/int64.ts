// Integers of 64 bits: JavaScript has them as text, so a parameter that wants one takes text of digits too.
import { own } from '../json/own.ts'
import type { Json } from '../json/json.ts'

/** Whether a schema is of an integer with `format: int64`, the only kind of number that may be given as text. */
export function isInt64(schema: Json | undefined): boolean {
  return own(schema, 'format') === 'int64' && typeNamesOf(schema).includes('integer')
}

/** The types that a schema names; none: any. */
export function typeNamesOf(schema: Json | undefined): readonly string[] {
  const type = own(schema, 'type')
  if (typeof type === 'string') return [type]
  return Array.isArray(type) ? type.map(String) : []
}
