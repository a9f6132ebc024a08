// When two JSON values are the same value.
import { sameDecimal } from './decimal.ts'
import { isExactNumber } from './exact-number.ts'
import type { Json, JsonObject } from './json.ts'

/** Whether two values are the same JSON value: members in any order, numbers by their exact value (`1.0` is 1). */
export function jsonEqual(left: Json, right: Json): boolean {
  if (left === right) return true
  const leftNumber = numberText(left)
  if (leftNumber !== null) {
    const rightNumber = numberText(right)
    return rightNumber !== null && sameDecimal(leftNumber, rightNumber)
  }
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return false
  }
  if (Array.isArray(left)) return Array.isArray(right) && sameElements(left, right)
  if (Array.isArray(right) || isExactNumber(right)) return false
  // Neither null, array nor exact number: what is left of Json is an object.
  return sameMembers(left as JsonObject, right as JsonObject)
}

function numberText(value: Json): string | null {
  if (typeof value === 'number') return String(value)
  return isExactNumber(value) ? value.rawJSON : null
}

function sameElements(left: readonly Json[], right: readonly Json[]): boolean {
  return (
    left.length === right.length &&
    left.every((element, index) => {
      const other = right[index]
      return other !== undefined && jsonEqual(element, other)
    })
  )
}

function sameMembers(left: JsonObject, right: JsonObject): boolean {
  const names = Object.keys(left)
  if (names.length !== Object.keys(right).length) return false
  return names.every((name) => {
    const mine = left[name]
    const other = Object.hasOwn(right, name) ? right[name] : undefined
    return mine !== undefined && other !== undefined && jsonEqual(mine, other)
  })
}
