// Scores that an index can rank by: one condition on words decides them, with few different values.
import {
  combine,
  type Filter,
  isCondition,
  isWorded,
  pushNegation,
  type Worded,
} from '../search/filter.ts'
import { SPELLING_SCORES } from '../search/matcher.ts'
import { CUT_WORDS } from '../search/opened-row.ts'
import { type FilterContext, narrow, type Narrowed, termOf } from './filter-sql.ts'
import type { SqlSteps } from './sql.ts'
import { combineWords, type WordQuery } from './word-query.ts'

export interface Tier {
  readonly score: number
  readonly narrowed: Narrowed
}

export interface RankTiers {
  /** The best first. */
  readonly tiers: readonly Tier[]
  /** Whether a hit may have less than its tier: the index knows the words of a field, and those of a place below it count. */
  readonly areBounds: boolean
}

/** More words would need too many combinations. */
const MAX_WORDS = 4
const MAX_SPELLED_WORDS = 3
/** More terms in all tiers take longer than looking at the candidates. */
const MAX_TERMS = 2_000

/** Null when scores cannot be told by words: several conditions score, or there are too many words. */
export function* rankTiers(filter: Filter, context: FilterContext): SqlSteps<RankTiers | null> {
  const condition = onlyScored(filter)
  if (condition === null) return null
  const areBounds = condition.place.path.length > 0
  // Words that were cut off may make more of a hit than its tier has.
  if (areBounds && (context.scope.mixed & CUT_WORDS) !== 0) return null
  const queries =
    condition.kind === 'some_word'
      ? someWordTiers(condition, context)
      : yield* allWordsTiers(condition, context)
  if (queries === null) return null
  const rest = filter.kind === 'and' ? filter.parts.filter((part) => part !== condition) : []
  const narrowed = yield* narrow(pushNegation(combine('and', rest)), context)
  let better: WordQuery | null = null
  const tiers: Tier[] = []
  for (const { score, words } of queries) {
    const alone: WordQuery = better === null ? words : { kind: 'without', parts: [words, better] }
    better = better === null ? words : combineWords('or', [better, words])
    const all = narrowed.words === null ? alone : combineWords('and', [narrowed.words, alone])
    tiers.push({
      score,
      narrowed: { ...narrowed, indexed: true, words: all, hinted: false, branches: null },
    })
  }
  return { tiers, areBounds }
}

/** The one condition that scores, standing alone or within an `and`. */
function onlyScored(filter: Filter): Worded | null {
  const parts = filter.kind === 'and' ? filter.parts : [filter]
  const scoring = parts.filter(scores)
  const [only] = scoring
  return scoring.length === 1 && only !== undefined && isCondition(only) && isWorded(only)
    ? only
    : null
}

function scores(filter: Filter): boolean {
  if (filter.kind === 'not') return false
  return isCondition(filter) ? isWorded(filter) : filter.parts.some(scores)
}

interface TierQuery {
  readonly score: number
  readonly words: WordQuery
}

function someWordTiers(
  { place, words }: Worded,
  { scope }: FilterContext,
): readonly TierQuery[] | null {
  if (words.length > MAX_WORDS) return null
  const terms = words.map((word) => termOf(scope, place.field, word))
  return terms.map((_, index) => {
    const count = terms.length - index
    const choices = subsets(terms, count).map((chosen) => combineWords('and', chosen))
    return { score: rounded(count / terms.length), words: combineWords('or', choices) }
  })
}

/** One tier per score: all combinations of mistakes that make it. Every word counts by its best spelling. */
function* allWordsTiers(
  { place, words }: Worded,
  context: FilterContext,
): SqlSteps<readonly TierQuery[] | null> {
  if (words.length > MAX_SPELLED_WORDS) return null
  let spellings: readonly Spelling[] = [{ total: 0, words: [], terms: 0 }]
  for (const word of words) {
    const near = yield* context.vocabularies.nearby(word, context)
    const choices = SPELLING_SCORES.flatMap((score, distance): readonly Spelling[] => {
      const terms = near
        .filter((found) => found.distance === distance)
        .map((found) => termOf(context.scope, place.field, found.word))
      if (terms.length === 0) return []
      return [{ total: score, words: [combineWords('or', terms)], terms: terms.length }]
    })
    spellings = spellings.flatMap((before) =>
      choices.map((choice) => ({
        total: before.total + choice.total,
        words: [...before.words, ...choice.words],
        terms: before.terms + choice.terms,
      })),
    )
    const terms = spellings.reduce((sum, spelling) => sum + spelling.terms, 0)
    if (words.length > 1 && terms > MAX_TERMS) return null
  }
  const byTotal = Map.groupBy(spellings, ({ total }) => total)
  return [...byTotal]
    .sort(([a], [b]) => b - a)
    .map(([total, some]) => {
      const choices = some.map((spelling) => combineWords('and', spelling.words))
      return { score: rounded(total / words.length), words: combineWords('or', choices) }
    })
}

interface Spelling {
  /** Sum of what the words count. */
  readonly total: number
  readonly words: readonly WordQuery[]
  readonly terms: number
}

/** Six digits, as scores are given. */
function rounded(score: number): number {
  return Math.round(score * 1e6) / 1e6
}

function subsets<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const [first, ...rest] = items
  if (size === 0) return [[]]
  if (first === undefined) return []
  return [...subsets(rest, size - 1).map((chosen) => [first, ...chosen]), ...subsets(rest, size)]
}
