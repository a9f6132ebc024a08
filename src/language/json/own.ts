// Access to members that a value has itself.
import { isExactNumber } from './exact-number.ts'
import type { Json } from './json.ts'

/** The own member of an object, or the element of an array under its index; undefined for everything else. */
export function own(value: unknown, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  if (Array.isArray(value) ? !INDEX.test(name) : isExactNumber(value)) return undefined
  // Own members of a JSON value are JSON values; callers hand in nothing else.
  return (value as { readonly [member: string]: Json })[name]
}

/** Sets an own member of any name. Assigning to `__proto__` would replace the prototype. */
export function setOwn<T>(object: Record<string, T>, name: string, value: T): void {
  if (name !== '__proto__') object[name] = value
  else
    Object.defineProperty(object, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
}

const INDEX = /^(?:0|[1-9]\d*)$/
