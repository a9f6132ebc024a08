// One text for one value, however it is spelled: for deep equality and for telling what changed.
import { isExactNumber } from '../../language/json/exact-number.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isList } from '../../language/json/members.ts'
import { compareKeys, numberKey } from './key.ts'

/** JSON text without blanks, members in the order of code points, numbers by value: `1.0` is `1`. */
export function canonical(value: Json): string {
  if (typeof value === 'number') return canonicalNumber(String(value))
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isExactNumber(value)) return canonicalNumber(value.rawJSON)
  if (isList(value)) return `[${value.map(canonical).join(',')}]`
  return canonicalObject(value)
}

function canonicalObject(object: JsonObject): string {
  const names = Object.keys(object)
  if (!areSorted(names)) names.sort(compareKeys)
  let text = ''
  for (const name of names) {
    // Object.keys names members that are there.
    const member = canonical(object[name] as Json)
    text += `${text === '' ? '{' : ','}${JSON.stringify(name)}:${member}`
  }
  return text === '' ? '{}' : `${text}}`
}

function areSorted(names: readonly string[]): boolean {
  for (let at = 1; at < names.length; at++)
    if (compareKeys(names[at - 1] ?? '', names[at] ?? '') > 0) return false
  return true
}

/** The `#` keeps numbers apart from texts; a number without a key stands for itself. */
function canonicalNumber(source: string): string {
  return `#${numberKey(source) ?? source}`
}
