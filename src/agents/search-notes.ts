// Why a search found nothing, or a hit lacks a field that was asked for: a path that no record has looks like an answer.
import type { EntityDescription } from '../client/client.ts'
import type { JsonObject } from '../json/json.ts'
import { isJsonObject } from '../json/members.ts'
import { pathMeant } from './record-paths.ts'

/** Conditions that are looked into. */
const MAX_LOOKED_AT = 4

/** One condition of a filter: an operator on a field or path. */
interface Condition {
  readonly operator: string
  readonly path: string
}

/**
 * What the copy says of the conditions of a filter without hits, at most four of them: paths that no record has, and
 * `like` where there is no text; else what their operators are easily taken for. `entity` tells the path that was meant. `isFound` asks whether a filter has any hit; null where that is not known.
 */
export async function whyNothing(
  filter: JsonObject,
  entity: EntityDescription,
  isFound: (filter: JsonObject) => Promise<boolean | null>,
): Promise<readonly string[]> {
  const conditions = new Map(
    conditionsIn(filter).map((each): [string, Condition] => [
      `${each.operator === 'like'} ${each.path}`,
      each,
    ]),
  )
  const notes = await Promise.all(
    [...conditions.values()].slice(0, MAX_LOOKED_AT).map(async ({ operator, path }) => {
      const isLike = operator === 'like'
      if (isLike && (await isFound({ like: { [path]: '%' } })) !== false) return null
      if ((await isFound({ neq: { [path]: null } })) === false)
        return `no record of the copy has ${path}${near(path, entity)}`
      return isLike
        ? `${path} holds no text in any record, and like compares text; keyword and fuzzy find words inside objects and lists`
        : null
    }),
  )
  const found = notes.filter((note) => note !== null)
  return found.length > 0 ? found : hintsFor([...conditions.values()])
}

/** What operators are easily taken for. */
const HINTS: readonly { readonly operators: readonly string[]; readonly hint: string }[] = [
  {
    operators: ['eq', 'in'],
    hint: 'eq and in compare whole values, capital letters included',
  },
  {
    operators: ['keyword', 'fuzzy'],
    hint: 'keyword and fuzzy take whole words, not other forms of them; like with %stem% finds parts of words in text',
  },
]

function hintsFor(conditions: readonly Condition[]): readonly string[] {
  return HINTS.filter(({ operators }) =>
    conditions.some(({ operator }) => operators.includes(operator)),
  ).map(({ hint }) => hint)
}

function near(path: string, entity: EntityDescription): string {
  const meant = pathMeant(path, entity)
  return meant === null || meant === path ? '' : `; did you mean ${meant}?`
}

function conditionsIn(filter: JsonObject): readonly Condition[] {
  return Object.entries(filter).flatMap(([operator, operand]): readonly Condition[] => {
    if (operator === 'and' || operator === 'or')
      return Array.isArray(operand)
        ? operand.flatMap((each: unknown) => (isFilter(each) ? conditionsIn(each) : []))
        : []
    if (!isJsonObject(operand)) return []
    if (operator === 'not') return conditionsIn(operand)
    return Object.keys(operand).map((path) => ({ operator, path }))
  })
}

function isFilter(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
