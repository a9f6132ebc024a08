// The words of a search: each of them has to stand in some text of a record, in whichever field. With mistakes allowed
// for, all of them stand in one text.
import { SEARCH_LIMITS } from '../../../copy/search/filter.ts'
import { isOperator, type Operator, OPERATORS } from '../../../copy/search/operators.ts'
import { isObject, type Json, type JsonObject, writeJson } from '../../api/json-text.ts'
import { textOf } from '../../form/field-text.ts'
import { wordsOf } from '../../parts/marked-words.ts'
import { choicesOf } from './conditions.ts'

type Types = Readonly<Record<string, string>>

/** Words as they were typed, and how they are compared. */
export type Words = {
  readonly words: string
  /** Whether mistakes are allowed for. */
  readonly mistakes: boolean
}

const NO_WORDS: Words = { words: '', mistakes: false }

/** What the service takes for a word. */
const WORD = /[\p{L}\p{M}\p{N}]+/gu
/** What words leave of the conditions that a query may have. */
const LEFT_FOR_OTHERS = 20

/** The fields that have words. */
function wordFields(types: Types): readonly string[] {
  return Object.keys(types).filter((name) => choicesOf(types[name]).includes('keyword'))
}

/** The filter that words mean; null: there are none, or the entity has no texts. */
export function wordsFilter({ words: text, mistakes }: Words, types: Types): JsonObject | null {
  const fields = wordFields(types)
  const words = text.match(WORD) ?? []
  if (words.length === 0 || fields.length === 0) return null
  const inSome = (operator: Operator, operand: string): JsonObject => {
    const each = fields.map((field) => ({ [operator]: { [field]: operand } }))
    const [only, ...more] = each
    return only !== undefined && more.length === 0 ? only : { or: each }
  }
  if (mistakes) return inSome('fuzzy', text.trim())
  // A query of more conditions is refused: then one of the words is enough, and what has most of them comes first.
  if (words.length * (fields.length + 1) > SEARCH_LIMITS.conditions - LEFT_FOR_OTHERS)
    return inSome('keyword', words.join(' '))
  const [word = '', ...more] = words
  return more.length === 0
    ? inSome('keyword', word)
    : { and: words.map((each) => inSome('keyword', each)) }
}

/** Takes the words out of a filter that was made with some, alone or in front of conditions. */
export function takeWords(filter: JsonObject, types: Types): Words & { readonly rest: JsonObject } {
  const whole = wordsIn(filter, types)
  if (whole !== null) return { ...whole, rest: {} }
  const { and } = filter
  const [first, second, ...more] = Array.isArray(and) ? and : []
  const words = wordsIn(first, types)
  return words !== null && isObject(second) && more.length === 0
    ? { ...words, rest: second }
    : { ...NO_WORDS, rest: filter }
}

/** The words of a filter that stand in what it finds, as they are compared. */
export function soughtWords(filter: Json | undefined): readonly string[] {
  if (!isObject(filter)) return []
  return Object.entries(filter).flatMap(([name, value]) => {
    if (name === 'and' || name === 'or')
      return Array.isArray(value) ? value.flatMap(soughtWords) : []
    if (!isOperator(name) || OPERATORS[name].operand !== 'words' || !isObject(value)) return []
    const texts = Object.values(value).flatMap((operand) => textOf(operand).match(WORD) ?? [])
    return wordsOf(texts.join(' '))
  })
}

/** Whether hits match a filter more or less: by parts of several words, or with mistakes. */
export function isScored(filter: Json | undefined): boolean {
  if (!isObject(filter)) return false
  return Object.entries(filter).some(([name, value]) => {
    if (name === 'and' || name === 'or') return Array.isArray(value) && value.some(isScored)
    if (name === 'fuzzy') return true
    return (
      name === 'keyword' &&
      isObject(value) &&
      Object.values(value).some((operand) => (textOf(operand).match(WORD) ?? []).length > 1)
    )
  })
}

/** Null: it is no filter of words. */
function wordsIn(filter: Json | undefined, types: Types): Words | null {
  if (!isObject(filter)) return null
  const parts = Array.isArray(filter['and']) ? filter['and'] : [filter]
  const read = (operator: Operator): string =>
    parts
      .map((part) => {
        const one = isObject(part) && Array.isArray(part['or']) ? part['or'][0] : part
        const compared = isObject(one) ? one[operator] : undefined
        const operand = isObject(compared) ? Object.values(compared)[0] : ''
        return typeof operand === 'string' ? operand : ''
      })
      .join(' ')
  const possible: readonly Words[] = [
    { words: read('keyword'), mistakes: false },
    { words: read('fuzzy'), mistakes: true },
  ]
  // What it was made with makes it again.
  const isMeant = (words: Words): boolean =>
    writeJson(wordsFilter(words, types)) === writeJson(filter)
  return possible.find(isMeant) ?? null
}
