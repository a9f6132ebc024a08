// Helpers that choose or ask. They alone see absent and null; they evaluate only what they need.
import { jsonEqual } from '../json/json-equal.ts'
import type { Json } from '../json/json.ts'
import { type Evaluate, type Helper, isTrue, listOf } from './helper.ts'

const nothing = (): undefined => undefined

/** Takes two values or more and gives the first that `decides`, else what `otherwise` makes of the last. */
function choice(
  decides: (value: Json | undefined) => boolean,
  otherwise: (last: Json | undefined) => Json | undefined = (last) => last,
): Helper {
  return {
    min: 2,
    max: Infinity,
    gives: 'arguments',
    compile(args) {
      return (scope) => {
        let value: Json | undefined
        for (const argument of args) {
          value = argument(scope)
          if (decides(value)) return value
        }
        return otherwise(value)
      }
    },
  }
}

/** `default a b…`: the first that is neither absent nor null. */
export const defaultHelper: Helper = choice(
  (value) => value !== undefined && value !== null,
  nothing,
)
/** `or a b…`: the first that is true, else the last. */
export const orHelper: Helper = choice(isTrue)
/** `and a b…`: the first that is not true, else the last. */
export const andHelper: Helper = choice((value) => !isTrue(value))

/** `if test a b`. */
export const ifHelper: Helper = {
  min: 3,
  max: 3,
  gives: 'arguments',
  passes: [1, 2],
  compile([test = nothing, whenTrue = nothing, otherwise = nothing]) {
    return (scope) => (isTrue(test(scope)) ? whenTrue(scope) : otherwise(scope))
  },
}

/** A helper that gives true or false. */
function question(count: number, ask: (...args: readonly Evaluate[]) => Evaluate): Helper {
  const compile = (args: readonly Evaluate[]): Evaluate => ask(...args)
  return { min: count, max: count, gives: 'boolean', passes: [], compile }
}

/** `not a`. */
export const notHelper: Helper = question(
  1,
  (argument = nothing) =>
    (scope) =>
      !isTrue(argument(scope)),
)
/** `given a`: true unless absent; null counts as given. */
export const givenHelper: Helper = question(
  1,
  (argument = nothing) =>
    (scope) =>
      argument(scope) !== undefined,
)
/** `eq a b`: the same JSON value; absent equals only absent. */
export const eqHelper: Helper = question(
  2,
  (first = nothing, second = nothing) =>
    (scope) =>
      same(first(scope), second(scope)),
)
/** `in value list`: false when either is absent, or the list is null. */
export const inHelper: Helper = question(2, (first = nothing, second = nothing) => (scope) => {
  const list = second(scope)
  if (list === undefined || list === null) return false
  const elements = listOf(list)
  const value = first(scope)
  return value !== undefined && elements.some((element) => jsonEqual(element, value))
})

function same(first: Json | undefined, second: Json | undefined): boolean {
  if (first === undefined || second === undefined) return first === second
  return jsonEqual(first, second)
}
