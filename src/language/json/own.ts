// Access to members that a value has itself.
import { isExactNumber } from './exact-number.ts'
import type { Json } from './json.ts'

/**
 * The own member of an object, or the element of an array under its index; undefined for everything else.
 * What is inherited (`constructor`, `length`, `__proto__` unless it came as data) is absent.
 */
export function own(value: unknown, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  if (Array.isArray(value) ? !INDEX.test(name) : isExactNumber(value)) return undefined
  // Own members of a JSON value are JSON values; callers hand in nothing else.
  return (value as { readonly [member: string]: Json })[name]
}

const INDEX = /^(?:0|[1-9]\d*)$/
