// What `tenon search` asks, from its flags: the query of the service, and short forms of it.
import type { Json, JsonObject } from '../language/json/json.ts'
import { isJsonObject, isList } from '../language/json/members.ts'
import { JsonError, parseJson } from '../language/json/parse-json.ts'
import { isOperator, OPERATOR_NAMES, OPERATORS, type Shape } from '../copy/search/operators.ts'
import { UsageError } from './exit-codes.ts'

/** Flags that say what is asked; JSON is read already. */
export interface QueryFlags {
  /** The filter that words mean. */
  readonly words?: JsonObject | undefined
  readonly query?: JsonObject | undefined
  readonly filter?: JsonObject | undefined
  /** Conditions such as `status eq Done`; all of them must hold, and the filter as well. */
  readonly where?: readonly string[] | undefined
  /** Fields, with `-` before them for the greatest first. */
  readonly sort?: readonly string[] | undefined
}

/**
 * The query that flags ask. Fields and operators are checked by the service alone, which knows them; throws UsageError
 * for a condition that has no operator or no value.
 */
export function queryOf({ words, query, filter, where = [], sort = [] }: QueryFlags): JsonObject {
  if (query !== undefined) {
    if (filter !== undefined || where.length > 0 || sort.length > 0)
      throw new UsageError(
        '--query is the whole query: put filter and sort into it, or leave it out',
      )
    return query
  }
  const given = [words, filter].filter((each) => each !== undefined)
  const parts = [...given, ...where.map(conditionOf)]
  const [only] = parts
  return {
    ...(only === undefined ? {} : { filter: parts.length === 1 ? only : { and: parts } }),
    ...(sort.length === 0 ? {} : { sort }),
  }
}

function conditionOf(text: string): JsonObject {
  const [, field, written, value] = /^\s*(\S+)\s+(\S+)\s+(\S[\s\S]*?)\s*$/.exec(text) ?? []
  if (field === undefined || written === undefined || value === undefined)
    throw new UsageError(
      `--where "${text}" is no condition; write field, operator and value, such as 'status eq Done'`,
    )
  const operator = OPERATOR_NAMES.find((name) => OPERATORS[name].symbol === written) ?? written
  const read = isOperator(operator) ? VALUES[OPERATORS[operator].operand] : textOf
  return { [operator]: { [field]: read(value) } }
}

/** How operands are read, by their shape; the service reads text as the field's type. */
const VALUES: Readonly<Record<Shape, (value: string) => Json>> = {
  value: plainOf,
  values: (value) => {
    const list = value.startsWith('[') ? jsonOf(value) : undefined
    return list !== undefined && isList(list)
      ? list
      : value.split(',').map((part) => plainOf(part.trim()))
  },
  bound: textOf,
  text: textOf,
  words: textOf,
}

const WORDS: Readonly<Record<string, Json>> = { true: true, false: false, null: null }

function plainOf(value: string): Json {
  if (Object.hasOwn(WORDS, value)) return WORDS[value] ?? null
  return /^[{["]/.test(value) ? (jsonOf(value) ?? value) : value
}

/** Text, which may stand in quotes of JSON. */
function textOf(value: string): Json {
  return value.startsWith('"') ? (jsonOf(value) ?? value) : value
}

/** Undefined where the text is no JSON. */
function jsonOf(text: string): Json | undefined {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonError) return undefined
    throw error
  }
}

/**
 * What lies at a path of a hit's data; several values come as one text. A name with dots in it wins over a path.
 */
export function valueAt(data: Json, path: string): Json | undefined {
  if (isJsonObject(data) && Object.hasOwn(data, path)) return data[path]
  const found = path.split('.').reduce<readonly Json[]>(step, [data])
  const [only] = found
  return found.length > 1 ? found.map(shortText).join(', ') : only
}

/** Arrays stand for their elements; a number that picks one has done so before the hit was sent. */
function step(values: readonly Json[], name: string): readonly Json[] {
  return values.flatMap((value): readonly Json[] => {
    if (isList(value)) return /^\d+$/.test(name) ? value : step(value, name)
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return []
    const member = value[name]
    return member === undefined ? [] : [member]
  })
}

function shortText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
