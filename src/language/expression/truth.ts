// What counts as true in `if`, `$if`, `not`, `and`, `or` and `#if`.
import type { Json } from '../json/json.ts'

/** Absent, null and false are false; everything else is true, also 0, "", [] and {}: "was it given". */
export function isTrue(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== false
}
