// What words mean that are searched in every text of records: the console and `tenon search` ask the same by them.
import { SEARCH_LIMITS } from './filter.ts'
import { type Operator, OPERATORS, SHAPES } from './operators.ts'
import { WORDS } from './text.ts'

/** Words as they were typed, and how they are compared. */
export type Words = {
  readonly words: string
  /** Whether mistakes are allowed for. */
  readonly mistakes: boolean
}

/** A filter of texts alone: JSON wherever JSON is written. */
export interface WordsFilter {
  readonly [name: string]: string | WordsFilter | readonly WordsFilter[]
}

/** What words leave of the conditions that a query may have. */
const LEFT_FOR_OTHERS = 20

/** The words of a text as they were typed, with repetitions. */
export function typedWords(text: string): readonly string[] {
  return text.match(WORDS) ?? []
}

/** The searchable fields that have words. `types`: the type of each field. */
export function wordFields(types: Readonly<Record<string, string>>): readonly string[] {
  const takes: readonly string[] = SHAPES[OPERATORS.keyword.operand].takes
  return Object.keys(types).filter((name) => takes.includes(types[name] ?? ''))
}

/**
 * The filter that words mean: each of them has to stand in some text of a record, in whichever field. With mistakes
 * allowed for, all of them stand in one text. Null: there are no words, or the entity has no texts.
 */
export function wordsFilter(
  { words: text, mistakes }: Words,
  types: Readonly<Record<string, string>>,
): WordsFilter | null {
  const fields = wordFields(types)
  const words = typedWords(text)
  if (words.length === 0 || fields.length === 0) return null
  const inSome = (operator: Operator, operand: string): WordsFilter => {
    const each = fields.map((field): WordsFilter => ({ [operator]: { [field]: operand } }))
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
