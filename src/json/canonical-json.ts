// JSON text that is the same for the same value, whatever the order of its members.
import { isExactNumber } from './exact-number.ts'
import type { Json } from './json.ts'

/** The value as JSON with members in the order of their names. Numbers keep their digits. */
export function canonicalJson(value: Json): string {
  if (typeof value !== 'object' || value === null || isExactNumber(value))
    return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((element) => canonicalJson(element)).join(',')}]`
  const members = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`)
  return `{${members.join(',')}}`
}
