// The words of a search, in the filter that they mean, and out of it again.
import { isOperator, type Operator, OPERATORS } from '../../../copy/search/operators.ts'
import { typedWords, type Words, wordsFilter } from '../../../copy/search/words-filter.ts'
import { isObject, type Json, type JsonObject, writeJson } from '../../api/json-text.ts'
import { textOf } from '../../form/field-text.ts'
import { wordsOf } from '../../parts/marked-words.ts'

type Types = Readonly<Record<string, string>>

const NO_WORDS: Words = { words: '', mistakes: false }

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
    const texts = Object.values(value).flatMap((operand) => typedWords(textOf(operand)))
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
      Object.values(value).some((operand) => typedWords(textOf(operand)).length > 1)
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
