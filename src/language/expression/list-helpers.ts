// Helpers over lists and objects.
import { decimalKey } from '../json/decimal.ts'
import { isExactNumber } from '../json/exact-number.ts'
import type { Json } from '../json/json.ts'
import { isList } from '../json/members.ts'
import { own } from '../json/own.ts'
import { type Helper, binary, kindOf, requireList, printed, unary } from './helper.ts'
import type { ListHelper } from './syntax.ts'
import { ValueError } from './value-error.ts'

export const LIST_HELPERS: Readonly<Record<ListHelper, Helper>> = {
  first: unary((list) => requireList(list)[0]),
  last: unary((list) => requireList(list).at(-1)),
  /** `only list`: the element when there is exactly one, else absent. */
  only: unary((list) => {
    const elements = requireList(list)
    return elements.length === 1 ? elements[0] : undefined
  }),
  /** `unique list`: the first of each group of same JSON values. */
  unique: unary(
    (list) => {
      const seen = new Set<string>()
      return requireList(list).filter((element) => {
        const key = jsonKey(element)
        return seen.has(key) ? false : seen.add(key)
      })
    },
    { gives: 'array' },
  ),
  /** `length x`: elements of a list, characters (code points) of a text. */
  length: unary(
    (value) => {
      if (isList(value)) return value.length
      if (typeof value === 'string') return Array.from(value).length
      throw new ValueError(`a list or text is needed here, not ${kindOf(value)}`)
    },
    { gives: 'integer', passes: [] },
  ),
  /** `lookup object key`: an own member, or an element of a list by its place. */
  lookup: binary(
    (value, key) => {
      if (typeof value === 'object' && value !== null && !isExactNumber(value))
        return own(value, printed(key))
      throw new ValueError(`an object is needed here, not ${kindOf(value)}`)
    },
    { passes: [0] },
  ),
}

/** A text that two values share exactly when they are the same JSON value. */
function jsonKey(value: Json): string {
  if (typeof value === 'number') return decimalKey(String(value))
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isExactNumber(value)) return decimalKey(value.rawJSON)
  if (isList(value)) return `[${value.map(jsonKey).join(',')}]`
  const members = Object.keys(value).sort()
  return `{${members.map((name) => `${JSON.stringify(name)}:${jsonKey(value[name] ?? null)}`).join(',')}}`
}
