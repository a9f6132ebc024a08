// Comparing what travelled as text with what is kept as a number.
import { isExactNumber } from '../../language/json/exact-number.ts'
import type { Json } from '../../language/json/json.ts'

/** A scalar as text: `10`, `"10"` and an exact 10 are the same; undefined for null, lists, objects and absence. */
export function scalarText(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return isExactNumber(value) ? value.rawJSON : undefined
}

/** A scalar as text; the empty text for everything else. */
export function textOf(value: Json | undefined): string {
  return scalarText(value) ?? ''
}

/** True when both are scalars of the same text. */
export function sameScalar(a: Json | undefined, b: Json | undefined): boolean {
  const text = scalarText(a)
  return text !== undefined && text === scalarText(b)
}
