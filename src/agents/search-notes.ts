// Why a search found nothing, or a hit lacks a field that was asked for: a path that no record has looks like an answer.
import type { EntityDescription } from '../client/client.ts'
import type { JsonObject } from '../language/json/json.ts'
import { isJsonObject } from '../language/json/members.ts'
import {
  isCombinator,
  isOperator,
  OPERATOR_NAMES,
  OPERATORS,
  withOperand,
} from '../copy/search/operators.ts'
import { pathMeant } from './record-paths.ts'

const MAX_LOOKED_AT = 4

interface Condition {
  readonly operator: string
  readonly path: string
}

/**
 * What the copy says of the conditions of a filter without hits, at most four of them: paths that no record has, and
 * those that compare text where there is none; else what their operators are easily taken for. `entity` tells the path that was meant. `isFound` asks whether a filter has any hit; null where that is not known.
 */
export async function whyNothing(
  filter: JsonObject,
  entity: EntityDescription,
  isFound: (filter: JsonObject) => Promise<boolean | null>,
): Promise<readonly string[]> {
  const conditions = new Map(
    conditionsIn(filter).map((each): [string, Condition] => [
      `${comparesText(each)} ${each.path}`,
      each,
    ]),
  )
  const notes = await Promise.all(
    [...conditions.values()].slice(0, MAX_LOOKED_AT).map(async (condition) => {
      const { operator, path } = condition
      const isOfText = comparesText(condition)
      if (isOfText && (await isFound({ like: { [path]: '%' } })) !== false) return null
      if ((await isFound({ neq: { [path]: null } })) === false)
        return `no record of the copy has ${path}${near(path, entity)}`
      return isOfText
        ? `${path} holds no text in any record, and ${operator} compares text; ${withOperand('words').join(' and ')} find words inside objects and lists`
        : null
    }),
  )
  const found = notes.filter((note) => note !== null)
  return found.length > 0 ? found : hintsFor([...conditions.values()])
}

function comparesText({ operator }: Condition): boolean {
  return isOperator(operator) && OPERATORS[operator].operand === 'text'
}

function hintsFor(conditions: readonly Condition[]): readonly string[] {
  const asked = OPERATOR_NAMES.filter((name) =>
    conditions.some(({ operator }) => operator === name),
  )
  return [...new Set(asked.flatMap((name) => OPERATORS[name].hint ?? []))]
}

function near(path: string, entity: EntityDescription): string {
  const meant = pathMeant(path, entity)
  return meant === null || meant === path ? '' : `; did you mean ${meant}?`
}

function conditionsIn(filter: JsonObject): readonly Condition[] {
  return Object.entries(filter).flatMap(([operator, operand]): readonly Condition[] => {
    const parts: readonly unknown[] = Array.isArray(operand) ? operand : [operand]
    const filters = parts.filter(isJsonObject)
    return isCombinator(operator)
      ? filters.flatMap(conditionsIn)
      : filters.flatMap(Object.keys).map((path) => ({ operator, path }))
  })
}
