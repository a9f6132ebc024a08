// Helpers that choose or ask. They alone see absent and null; they evaluate only what they need.
import { jsonEqual } from '../json/json-equal.ts'
import type { Json } from '../json/json.ts'
import { type Evaluate, type Helper, isTrue, requireList } from './helper.ts'
import type { ChoiceHelper } from './syntax.ts'

const nothing = (): undefined => undefined

export const CHOICE_HELPERS: Readonly<Record<ChoiceHelper, Helper>> = {
  /** `default a b…`: the first that is neither absent nor null. */
  default: choice((value) => value !== undefined && value !== null, nothing),
  /** `or a b…`: the first that is true, else the last. */
  or: choice(isTrue),
  /** `and a b…`: the first that is not true, else the last. */
  and: choice((value) => !isTrue(value)),
  not: question(1, (argument) => (scope) => !isTrue(argument(scope))),
  if: {
    min: 3,
    max: 3,
    gives: 'arguments',
    passes: [1, 2],
    compile([test = nothing, whenTrue = nothing, otherwise = nothing]) {
      return (scope) => (isTrue(test(scope)) ? whenTrue(scope) : otherwise(scope))
    },
  },
  /** `eq a b`: the same JSON value; absent equals only absent. */
  eq: question(2, (first, second) => (scope) => {
    const left = first(scope)
    const right = second(scope)
    return left === undefined || right === undefined ? left === right : jsonEqual(left, right)
  }),
  /** `in value list`: false when either is absent, or the list is null. */
  in: question(2, (first, second) => (scope) => {
    const list = second(scope)
    if (list === undefined || list === null) return false
    const elements = requireList(list)
    const value = first(scope)
    return value !== undefined && elements.some((element) => jsonEqual(element, value))
  }),
  /** `given a`: true unless absent; null counts as given. */
  given: question(1, (argument) => (scope) => argument(scope) !== undefined),
}

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

function question(count: 1 | 2, ask: (first: Evaluate, second: Evaluate) => Evaluate): Helper {
  return {
    min: count,
    max: count,
    gives: 'boolean',
    passes: [],
    compile: ([first = nothing, second = nothing]) => ask(first, second),
  }
}
