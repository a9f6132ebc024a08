// The meaning of a query: whether a document matches, and with which score. Stores narrow, this decides.
import type { Json, JsonObject } from '../../language/json/json.ts'
import {
  type Condition,
  type Filter,
  isCondition,
  isWorded,
  type Operand,
  type Place,
} from './filter.ts'
import { canonical, compareKeys, type ScalarKey, scalarKey } from './key.ts'
import { isScalarType, type SearchLayout } from './layout.ts'
import { compileLike } from './like.ts'
import { documentOf } from './row.ts'
import { allowedDistance, fold, fuzzyDistance, words } from './text.ts'
import {
  fieldValue,
  mayExceedTerms,
  readScalar,
  reachedValues,
  type TermsByField,
  termsOf,
  textsAt,
  wordedTextsAt,
} from './values.ts'

/** A document as it is tested. Its words are kept as they are found out: several conditions ask for the same ones. */
export class Candidate {
  readonly document: JsonObject
  readonly #length: number
  readonly #words = new Map<string, readonly (readonly string[])[]>()
  #searched: TermsByField | undefined

  constructor(doc: string) {
    this.document = documentOf(doc)
    this.#length = doc.length
  }

  /** The words of each text at a place, without those beyond what is searched of a record. */
  wordsAt(layout: SearchLayout, place: Place): readonly (readonly string[])[] {
    const key = `${place.field} ${place.path.join('.')}`
    const known = this.#words.get(key)
    if (known !== undefined) return known
    let texts: readonly (readonly string[])[] = wordedTextsAt(layout, place, this.document).map(
      words,
    )
    if (mayExceedTerms(this.#length)) {
      this.#searched ??= termsOf(layout, this.document).byField
      const inside = this.#searched.get(place.field)
      texts = texts.map((text) => text.filter((word) => inside?.has(word) === true))
    }
    this.#words.set(key, texts)
    return texts
  }
}

export type Test = (candidate: Candidate) => boolean

export function compileTest(layout: SearchLayout, filter: Filter): Test {
  if (filter.kind === 'not') {
    const test = compileTest(layout, filter.part)
    return (candidate) => !test(candidate)
  }
  if (isCondition(filter)) return compileCondition(layout, filter)
  const tests = filter.parts.map((part) => compileTest(layout, part))
  return filter.kind === 'and'
    ? (candidate) => tests.every((test) => test(candidate))
    : (candidate) => tests.some((test) => test(candidate))
}

function compileCondition(layout: SearchLayout, condition: Condition): Test {
  switch (condition.kind) {
    case 'equal': {
      const read = compileValues(layout, condition)
      const tests = condition.values.map(compileOperand)
      return ({ document }) => {
        const values = read(document)
        return tests.some((test) => test(values))
      }
    }
    case 'range': {
      const read = compileValues(layout, condition)
      const { bound, isIncluded } = condition
      const sign = condition.isAbove ? 1 : -1
      return ({ document }) =>
        read(document).some(({ scalar }) => {
          if (scalar?.kind !== bound.kind) return false
          const order = sign * compareKeys(scalar.key, bound.key)
          return order > 0 || (isIncluded && order === 0)
        })
    }
    case 'pattern': {
      const matches = compileLike(condition.pattern)
      return ({ document }) =>
        textsAt(layout, condition.place, document).some((text) => matches(fold(text)))
    }
    case 'some_word':
      return (candidate) => {
        const found = candidate.wordsAt(layout, condition.place)
        return condition.words.some((word) => found.some((text) => text.includes(word)))
      }
    case 'all_words': {
      const spellers = condition.words.map(createSpeller)
      return (candidate) =>
        spellers.length > 0 &&
        candidate.wordsAt(layout, condition.place).some((text) => inOrder(spellers, text))
    }
  }
}

/** A value at a place: its key when it is a scalar, and itself for deep equality. */
interface SeenValue {
  readonly scalar: ScalarKey | null
  readonly raw: Json
}

function compileValues(
  layout: SearchLayout,
  { place }: Condition,
): (document: JsonObject) => readonly SeenValue[] {
  const field = layout.fields[place.field]
  if (field === undefined) return () => []
  if (place.path.length > 0 || !isScalarType(field.type))
    return (document) =>
      reachedValues(fieldValue(document, field), place.path).map((raw) => ({
        scalar: scalarKey(raw),
        raw,
      }))
  return (document) => {
    const value = fieldValue(document, field)
    const scalar = readScalar(field.type, value)
    return scalar === null || value === undefined ? [] : [{ scalar, raw: value }]
  }
}

function compileOperand(operand: Operand): (values: readonly SeenValue[]) => boolean {
  if (operand.kind === 'null')
    return (values) => values.length === 0 || values.some(({ raw }) => raw === null)
  if (operand.kind === 'whole')
    return (values) =>
      values.some(
        ({ raw }) =>
          typeof raw === 'object' && raw !== null && canonical(raw) === operand.canonical,
      )
  return (values) =>
    values.some(({ scalar }) => scalar?.kind === operand.kind && scalar.key === operand.key)
}

/** The distance of words to an asked one; null beyond what is allowed. */
type Speller = (word: string) => 0 | 1 | 2 | null

/** Distances remembered per asked word: texts repeat their words over and over. */
const MAX_REMEMBERED = 50_000

function createSpeller(asked: string): Speller {
  const known = new Map<string, 0 | 1 | 2 | null>()
  return (word) => {
    const found = known.get(word)
    if (found !== undefined) return found
    const distance = fuzzyDistance(asked, word)
    if (known.size >= MAX_REMEMBERED) known.clear()
    known.set(word, distance)
    return distance
  }
}

/** Whether every asked word stands in the text, each behind the one before, spelled nearly so. */
function inOrder(spellers: readonly Speller[], text: readonly string[]): boolean {
  let next = 0
  for (const word of text) {
    const spell = spellers[next]
    if (spell === undefined) return true
    if (spell(word) !== null) next++
  }
  return next === spellers.length
}

/** The score of a document that matches; 1 where nothing scores. */
export type Score = (candidate: Candidate) => number

/**
 * Compiles the score of a filter, or null when every hit has score 1. keyword: share of the words found. fuzzy: mean over
 * the words of 1, 0.75 or 0.5 for 0, 1 or 2 mistakes, the best word of the place counting. `and`: mean of the parts that
 * score; `or`: the best of them that match; `not` and other conditions do not score.
 */
export function compileScore(layout: SearchLayout, filter: Filter): Score | null {
  if (!isRanking(filter)) return null
  const part = compilePart(layout, filter)
  // Six digits, so that the order of adding makes no difference.
  return (candidate) => Math.round((part?.(candidate) ?? 1) * 1e6) / 1e6
}

export function isRanking(filter: Filter): boolean {
  if (filter.kind === 'not') return false
  if (!isCondition(filter)) return filter.parts.some(isRanking)
  return filter.kind === 'all_words'
    ? filter.words.some((word) => allowedDistance(word) > 0)
    : filter.kind === 'some_word' && filter.words.length > 1
}

/** The score of a part; null when it does not match or does not score. */
type PartScore = (candidate: Candidate) => number | null

function compilePart(layout: SearchLayout, filter: Filter): PartScore | null {
  if (filter.kind === 'not') return null
  if (isCondition(filter)) return compileConditionScore(layout, filter)
  const parts = filter.parts
    .map((part) => compilePart(layout, part))
    .filter((part) => part !== null)
  if (parts.length === 0) return null
  const join = filter.kind === 'and' ? mean : best
  const test = compileTest(layout, filter)
  return (candidate) => {
    if (!test(candidate)) return null
    const scores = parts.map((part) => part(candidate)).filter((score) => score !== null)
    return scores.length === 0 ? null : join(scores)
  }
}

function compileConditionScore(layout: SearchLayout, condition: Condition): PartScore | null {
  if (!isWorded(condition)) return null
  const test = compileCondition(layout, condition)
  const shares: readonly ((found: ReadonlySet<string>) => number)[] =
    condition.kind === 'some_word'
      ? condition.words.map((word) => (found) => Number(found.has(word)))
      : condition.words.map(compileSpellingScore)
  return (candidate) => {
    if (!test(candidate)) return null
    const found = new Set(candidate.wordsAt(layout, condition.place).flat())
    return mean(shares.map((share) => share(found)))
  }
}

export const SPELLING_SCORES = [1, 0.75, 0.5] as const

function compileSpellingScore(asked: string): (found: ReadonlySet<string>) => number {
  const spell = createSpeller(asked)
  return (found) => {
    if (found.has(asked)) return SPELLING_SCORES[0]
    let score = 0
    for (const word of found) {
      const distance = spell(word)
      if (distance !== null) score = Math.max(score, SPELLING_SCORES[distance])
    }
    return score
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function best(values: readonly number[]): number {
  return Math.max(...values)
}
