// Helpers that choose or ask. They alone see absent and null; they evaluate only what they need.
import { jsonEqual } from '../json/json-equal.ts'
import type { Json } from '../json/json.ts'
import { isList } from '../json/members.ts'
import { type Evaluate, type Helper, kindOf, isTrue } from './helper.ts'
import { ValueError } from './value-error.ts'

const nothing: Evaluate = () => undefined

/** `default a b…`: the first that is neither absent nor null. */
export const defaultHelper: Helper = {
  min: 2,
  max: Infinity,
  compile(args) {
    return (scope) => {
      for (const argument of args) {
        const value = argument(scope)
        if (value !== undefined && value !== null) return value
      }
      return undefined
    }
  },
}

/** `or a b…`: the first that is true, else the last. */
export const orHelper: Helper = {
  min: 2,
  max: Infinity,
  compile(args) {
    return (scope) => {
      let value: Json | undefined
      for (const argument of args) {
        value = argument(scope)
        if (isTrue(value)) return value
      }
      return value
    }
  },
}

/** `and a b…`: the first that is not true, else the last. */
export const andHelper: Helper = {
  min: 2,
  max: Infinity,
  compile(args) {
    return (scope) => {
      let value: Json | undefined
      for (const argument of args) {
        value = argument(scope)
        if (!isTrue(value)) return value
      }
      return value
    }
  },
}

/** `not a`. */
export const notHelper: Helper = {
  min: 1,
  max: 1,
  compile([argument = nothing]) {
    return (scope) => !isTrue(argument(scope))
  },
}

/** `if test a b`. */
export const ifHelper: Helper = {
  min: 3,
  max: 3,
  compile([test = nothing, whenTrue = nothing, otherwise = nothing]) {
    return (scope) => (isTrue(test(scope)) ? whenTrue(scope) : otherwise(scope))
  },
}

/** `given a`: true unless absent; null counts as given. */
export const givenHelper: Helper = {
  min: 1,
  max: 1,
  compile([argument = nothing]) {
    return (scope) => argument(scope) !== undefined
  },
}

/** `eq a b`: the same JSON value; absent equals only absent. */
export const eqHelper: Helper = {
  min: 2,
  max: 2,
  compile([first = nothing, second = nothing]) {
    return (scope) => same(first(scope), second(scope))
  },
}

/** `in value list`: false when either is absent, or the list is null. */
export const inHelper: Helper = {
  min: 2,
  max: 2,
  compile([first = nothing, second = nothing]) {
    return (scope) => {
      const list = second(scope)
      if (list === undefined || list === null) return false
      if (!isList(list)) throw new ValueError(`a list is needed here, not ${kindOf(list)}`)
      const value = first(scope)
      return value !== undefined && list.some((element) => jsonEqual(element, value))
    }
  },
}

function same(first: Json | undefined, second: Json | undefined): boolean {
  if (first === undefined || second === undefined) return first === second
  return jsonEqual(first, second)
}
