// The operators of a search: the one place that knows what a word means. Everything else reads this table.
// Source: service specification, "Common search action". Meanings in full: docs/search.md.
import type { JsonObject } from '../../language/json/json.ts'
import type { FieldType } from '../../language/manifest/field-type.ts'
import { type Bound, type Filter, type Operand, type Place, SEARCH_LIMITS } from './filter.ts'
import { countWildcards, readPattern } from './like.ts'

/** The operators that compare, each with the shape of its operand: the types of clients follow from it. */
export interface Compared {
  readonly eq: 'value'
  readonly neq: 'value'
  readonly gt: 'bound'
  readonly gte: 'bound'
  readonly lt: 'bound'
  readonly lte: 'bound'
  readonly in: 'values'
  readonly like: 'text'
  readonly keyword: 'words'
  readonly fuzzy: 'words'
}
export type Operator = keyof Compared

/** What an operand has become when it was read (read-operand.ts), by its shape. */
export interface ReadOperands {
  readonly value: readonly Operand[]
  readonly values: readonly Operand[]
  readonly bound: Bound
  /** As it was given. */
  readonly text: string
  /** Folded, in order, with repetitions. */
  readonly words: readonly string[]
}
export type Shape = keyof ReadOperands

/** The declared type of a field; `path`: any place below one. */
export type PlaceType = FieldType | 'path'

export interface ShapeEntry {
  /** The types of places that are compared with one. */
  readonly takes: readonly PlaceType[]
  readonly schema: JsonObject
  /** Whether case and accents make no difference. */
  readonly isFolded: boolean
}

const TEXT: JsonObject = { type: 'string', maxLength: SEARCH_LIMITS.wordsLength }
const ALL: readonly PlaceType[] = [
  'string',
  'integer',
  'number',
  'boolean',
  'object',
  'array',
  'path',
]

export const SHAPES: Readonly<Record<Shape, ShapeEntry>> = {
  value: { takes: ALL, schema: {}, isFolded: false },
  values: {
    takes: ALL,
    schema: { type: 'array', items: {}, maxItems: SEARCH_LIMITS.values },
    isFolded: false,
  },
  bound: {
    takes: ALL.filter((type) => type !== 'boolean' && type !== 'object'),
    schema: { type: ['string', 'number'] },
    isFolded: false,
  },
  text: { takes: ['string', 'array', 'path'], schema: TEXT, isFolded: true },
  words: { takes: ['string', 'object', 'array', 'path'], schema: TEXT, isFolded: true },
}

export type Refuse = (code: string, detail: string) => void

export interface OperatorEntry<S extends Shape = Shape> {
  readonly operand: S
  /** What it asks of a place; null after refusing the operand. */
  readonly condition: (place: Place, operand: ReadOperands[S], refuse: Refuse) => Filter | null
  /** What stands for it on the command line, as its name does. */
  readonly symbol?: string
  /** The condition as people choose it in the console. */
  readonly title: string
  /** What agents are told with its name, in a few words. */
  readonly brief?: string
  /** What agents are told who ask for more. Operators that share a text are listed together. */
  readonly meaning: string
  /** What it is easily taken for: told to agents when nothing was found. */
  readonly hint?: string
}

const EQUALITY = 'Equal, or not; in takes a list. Case and accents count. null: has no value.'
/** The hint of those that compare whole values. */
export const WHOLE_VALUES = 'eq and in compare whole values, capital letters included'
const WHOLE_WORDS =
  'keyword and fuzzy take whole words, not other forms of them; like with %stem% finds parts of words in text'

const equal: OperatorEntry<'values'>['condition'] = (place, values) => {
  return { kind: 'equal', place, values }
}

function order(
  relation: Pick<Extract<Filter, { kind: 'range' }>, 'isAbove' | 'isIncluded'>,
  symbol: string,
  title: string,
): OperatorEntry<'bound'> {
  return {
    operand: 'bound',
    condition: (place, bound) => ({ kind: 'range', place, bound, ...relation }),
    symbol,
    title,
    meaning: 'Times as instants, other text by code points, numbers by value.',
  }
}

export const OPERATORS: { readonly [O in Operator]: OperatorEntry<Compared[O]> } = {
  eq: {
    operand: 'value',
    condition: equal,
    symbol: '=',
    title: 'equals',
    meaning: EQUALITY,
    hint: WHOLE_VALUES,
  },
  neq: {
    operand: 'value',
    condition: (place, values) => ({ kind: 'not', part: { kind: 'equal', place, values } }),
    symbol: '!=',
    title: 'does not equal',
    meaning: EQUALITY,
  },
  gt: order({ isAbove: true, isIncluded: false }, '>', 'greater than'),
  gte: order({ isAbove: true, isIncluded: true }, '>=', 'at least'),
  lt: order({ isAbove: false, isIncluded: false }, '<', 'less than'),
  lte: order({ isAbove: false, isIncluded: true }, '<=', 'at most'),
  in: {
    operand: 'values',
    condition: equal,
    title: 'is one of',
    brief: 'lists',
    meaning: EQUALITY,
    hint: WHOLE_VALUES,
  },
  like: {
    operand: 'text',
    condition: (place, text, refuse) => {
      const { wildcards: max } = SEARCH_LIMITS
      const pattern = readPattern(text)
      if (countWildcards(text) > max)
        refuse('limit_exceeded', `a pattern has at most ${max} wildcards`)
      else if (pattern !== null) return { kind: 'pattern', place, pattern }
      else refuse('pattern_invalid', 'a backslash stands only before %, _ and \\')
      return null
    },
    title: 'matches (% and _)',
    brief: 'the whole of a text, with % and _; no objects',
    meaning:
      'The whole of one text, without case and accents: % any run, _ one character. Objects and documents are not text.',
  },
  keyword: {
    operand: 'words',
    condition: (place, words) => ({ kind: 'some_word', place, words: [...new Set(words)] }),
    title: 'has some word',
    brief: 'some word',
    meaning: 'Some word of the operand is a word in the field, inside objects and lists too.',
    hint: WHOLE_WORDS,
  },
  fuzzy: {
    operand: 'words',
    condition: (place, words) => ({ kind: 'all_words', place, words }),
    title: 'has all words, nearly',
    brief: 'every word, in order, slight mistakes',
    meaning:
      'Every word of the operand, in order, gaps allowed, within one text, inside objects and lists too. Words of 3 to 5 letters may have one mistake, longer ones two.',
    hint: WHOLE_WORDS,
  },
}

/** The operators that compare, in the order in which people are told of them. */
export const OPERATOR_NAMES = Object.keys(OPERATORS) as readonly Operator[]

export function isOperator(name: string): name is Operator {
  return Object.hasOwn(OPERATORS, name)
}

export function withOperand(shape: Shape): readonly Operator[] {
  return OPERATOR_NAMES.filter((name) => OPERATORS[name].operand === shape)
}

/** The operators that join filters, each with what it takes. */
export const COMBINATORS = { not: 'filter', and: 'filters', or: 'filters' } as const
export type Combinator = keyof typeof COMBINATORS

export function isCombinator(name: string): name is Combinator {
  return Object.hasOwn(COMBINATORS, name)
}

export const ALL_OPERATORS: readonly string[] = [...OPERATOR_NAMES, ...Object.keys(COMBINATORS)]
