// The operands of a search's conditions, read by their shape into keys and words.
import { isExactNumber } from '../../language/json/exact-number.ts'
import type { Json } from '../../language/json/json.ts'
import { isJsonObject, isList } from '../../language/json/members.ts'
import { type Bound, type Filter, type Operand, type Place, SEARCH_LIMITS } from './filter.ts'
import { canonical, booleanKey, scalarKey, textKey } from './key.ts'
import {
  type Compared,
  type Operator,
  type OperatorEntry,
  OPERATORS,
  type PlaceType,
  type ReadOperands,
  type Shape,
} from './operators.ts'
import { codePoints, words } from './text.ts'
import { readScalar } from './values.ts'

export interface Comparison {
  readonly place: Place
  readonly type: PlaceType
  readonly operand: Json
  /** `below`: the part of the operand that is wrong, as a JSON pointer; empty for all of it. */
  readonly refuse: (code: string, detail: string, below?: string) => void
}

/** The condition of an operator; null after refusing the operand. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- it ties the reader to the entry: both are of one shape
export function readComparison<O extends Operator>(operator: O, given: Comparison): Filter | null {
  const entry: OperatorEntry<Compared[O]> = OPERATORS[operator]
  const operand = READERS[entry.operand](given, operator)
  return operand === null ? null : entry.condition(given.place, operand, given.refuse)
}

type Readers = {
  readonly [S in Shape]: (given: Comparison, operator: Operator) => ReadOperands[S] | null
}

const READERS: Readers = {
  value: (given) => readValues(given, [given.operand]),
  values: (given, operator) => {
    const { operand, refuse } = given
    const { values: max } = SEARCH_LIMITS
    if (!isList(operand))
      refuse('value_invalid', `"${operator}" takes an array of values, not ${nameOf(operand)}`)
    else if (operand.length > max)
      refuse('limit_exceeded', `"${operator}" takes at most ${max} values`)
    else return readValues(given, operand, true)
    return null
  },
  bound: readBound,
  text: readText,
  words: (given, operator) => {
    const text = readText(given)
    if (text === null) return null
    const asked = words(text)
    if (asked.length <= SEARCH_LIMITS.words) return asked
    given.refuse('limit_exceeded', `"${operator}" takes at most ${SEARCH_LIMITS.words} words`)
    return null
  },
}

function readValues(
  { type, refuse }: Comparison,
  operands: readonly Json[],
  isListed: boolean = false,
): readonly Operand[] | null {
  const values: Operand[] = []
  for (const [index, operand] of operands.entries()) {
    const value = isTooLong(operand) ? TOO_LONG : readValue(type, operand)
    if (typeof value === 'string') {
      refuse(...wrongValue(value), isListed ? `/${index}` : '')
      return null
    }
    values.push(value)
  }
  return values
}

const TOO_LONG = 'too long'

function isTooLong(operand: Json): boolean {
  const text = isJsonObject(operand) || isList(operand) ? canonical(operand) : operand
  return typeof text === 'string' && tooLong(text, SEARCH_LIMITS.textLength)
}

function wrongValue(expected: string): [code: string, detail: string] {
  return expected === TOO_LONG
    ? ['limit_exceeded', `a value has at most ${SEARCH_LIMITS.textLength} characters`]
    : ['value_invalid', `expected ${expected}`]
}

/** The operand of an equality, or what was expected instead. */
function readValue(type: PlaceType, operand: Json): Operand | string {
  if (operand === null) return { kind: 'null' }
  const isObject = isJsonObject(operand)
  switch (type) {
    case 'string':
      return typeof operand === 'string' ? { kind: 'text', key: textKey(operand) } : 'text or null'
    case 'integer':
    case 'number':
      return readNumber(operand) ?? 'a number, its digits as text, or null'
    case 'boolean':
      return typeof operand === 'boolean'
        ? { kind: 'boolean', key: booleanKey(operand) }
        : 'true, false or null'
    case 'object':
      return isObject ? { kind: 'whole', canonical: canonical(operand) } : 'an object or null'
    case 'array':
      if (isObject) return 'a text, a number, true, false, an array or null'
      break
    case 'path':
  }
  if (isObject || isList(operand)) return { kind: 'whole', canonical: canonical(operand) }
  return scalarKey(operand) ?? 'a number whose exponent lies within ±49,999'
}

function readNumber(operand: Json): Bound | null {
  const scalar = readScalar('number', operand)
  return scalar === null ? null : { kind: 'number', key: scalar.key }
}

function readBound({ operand, type, refuse }: Comparison): Bound | null {
  const isText = typeof operand === 'string'
  if (isText && isTooLong(operand)) {
    refuse(...wrongValue(TOO_LONG))
    return null
  }
  const isNumeric = type === 'integer' || type === 'number'
  if (isText && !isNumeric) return { kind: 'text', key: textKey(operand) }
  const number = type === 'string' ? null : readNumber(operand)
  if (number !== null) return number
  const expected =
    type === 'string' ? 'text' : isNumeric ? 'a number, or its digits as text' : 'text or a number'
  refuse(...wrongValue(expected))
  return null
}

function readText({ operand, refuse }: Comparison): string | null {
  const { wordsLength: max } = SEARCH_LIMITS
  if (typeof operand !== 'string') refuse('value_invalid', `expected text, not ${nameOf(operand)}`)
  else if (tooLong(operand, max)) refuse('limit_exceeded', `the text has at most ${max} characters`)
  else return operand
  return null
}

function tooLong(text: string, limit: number): boolean {
  return text.length > limit && (text.length > 2 * limit || codePoints(text).length > limit)
}

export function nameOf(value: Json): string {
  if (value === null) return 'null'
  if (isList(value)) return 'an array'
  if (typeof value === 'string') return 'text'
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'number' || isExactNumber(value) ? 'a number' : 'an object'
}
