// A filter as a person puts it together, and the query that it means.
import type { EntityDescription } from '../../api/answers.ts'
import {
  isOperator,
  type Operator,
  OPERATOR_NAMES,
  OPERATORS,
  SHAPES,
  WHOLE_VALUES,
} from '../../../copy/search/operators.ts'
import { isObject, type Json, type JsonObject, writeJson } from '../../api/json-text.ts'
import { numberIn, textOf } from '../../form/field-text.ts'
import { propertiesOf, resolve } from '../../form/schema-node.ts'

export type Choice = Operator | 'absent' | 'present'

export type Condition = {
  readonly id: number
  /** A searchable field, or a dotted path below one. */
  readonly field: string
  readonly operator: Choice
  readonly value: string
}

const ABSENCE: Readonly<Record<'absent' | 'present', Operator>> = { absent: 'eq', present: 'neq' }
const CHOICES: readonly Choice[] = [...OPERATOR_NAMES, 'absent', 'present']

export function titleOf(choice: Choice): string {
  if (isOperator(choice)) return OPERATORS[choice].title
  return choice === 'absent' ? 'has no value' : 'has a value'
}

/** Whether it compares whole texts, capital letters included. */
export function comparesWhole(choice: Choice): boolean {
  return isOperator(choice) && OPERATORS[choice].hint === WHOLE_VALUES
}

export function takenBy(choice: Choice): 'value' | 'list' | 'nothing' {
  if (!isOperator(choice)) return 'nothing'
  return OPERATORS[choice].operand === 'values' ? 'list' : 'value'
}

/** What can be asked of a field, by its declared type; undefined stands for a dotted path. */
export function choicesOf(type: string = 'path'): readonly Choice[] {
  return CHOICES.filter((choice) => {
    if (!isOperator(choice)) return true
    const { operand } = OPERATORS[choice]
    // An object as a whole is not typed here.
    if (type === 'object' && (operand === 'value' || operand === 'values')) return false
    const takes: readonly string[] = SHAPES[operand].takes
    return takes.includes(type)
  })
}

/** Whether a text that begins with a letter is asked to come before or after: of dates, no record would match. */
export function isWordInOrder(
  { operator, value }: Pick<Condition, 'operator' | 'value'>,
  type: string | undefined,
): boolean {
  return (
    isOperator(operator) &&
    OPERATORS[operator].operand === 'bound' &&
    type !== 'integer' &&
    type !== 'number' &&
    /^\s*\p{L}/u.test(value)
  )
}

/**
 * Dotted paths below searchable fields: those that the connector names, and at most two members deep those of the
 * record's schema and of records that were seen; in the order of the alphabet.
 */
export function pathsBelow(
  types: Readonly<Record<string, string>>,
  { record, search_paths }: Pick<EntityDescription, 'record' | 'search_paths'>,
  seen: readonly JsonObject[],
): readonly string[] {
  const found = new Set<string>(search_paths)
  const schema = record === null ? [] : propertiesOf(record)
  for (const [name, given] of schema) {
    const member = resolve(given, record ?? {})
    const items = isObject(member['items']) ? resolve(member['items'], record ?? {}) : member
    for (const [below] of propertiesOf(items)) found.add(`${name}.${below}`)
  }
  for (const each of seen) {
    for (const [name, value] of Object.entries(each)) {
      for (const part of Array.isArray(value) ? value.slice(0, 1) : [value])
        if (isObject(part)) for (const below of Object.keys(part)) found.add(`${name}.${below}`)
    }
  }
  return [...found].filter((path) => Object.hasOwn(types, path.split('.')[0] ?? '')).toSorted()
}

/**
 * The condition that means one comparison of a filter; null: a row cannot hold it with the same meaning, as an object
 * that is compared with, or a text where the field has numbers.
 */
export function conditionOf(
  operator: string,
  field: string,
  operand: Json,
  types: Readonly<Record<string, string>>,
): Omit<Condition, 'id'> | null {
  const absence =
    operand === null
      ? ((['absent', 'present'] as const).find((each) => ABSENCE[each] === operator) ?? null)
      : null
  const list = Array.isArray(operand) ? operand.map(textOf).join(', ') : null
  const condition: Omit<Condition, 'id'> = {
    field,
    operator: absence ?? (isOperator(operator) ? operator : 'eq'),
    value: absence === null ? (list ?? textOf(operand)) : '',
  }
  const isSame =
    writeJson(filterOf(condition, types)) === writeJson({ [operator]: { [field]: operand } })
  return isSame ? condition : null
}

export function filterOf(
  { field, operator, value }: Omit<Condition, 'id'>,
  types: Readonly<Record<string, string>>,
): JsonObject {
  const name = field.trim()
  if (!isOperator(operator)) return { [ABSENCE[operator]]: { [name]: null } }
  const read = (text: string): Json => operand(text, types[name])
  if (takenBy(operator) === 'list') {
    return { [operator]: { [name]: listed(value).map(read) } }
  }
  return { [operator]: { [name]: read(value) } }
}

function listed(text: string): readonly string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

/** What tells the records that values at a path name; null: values there name none. */
type Naming = (
  path: readonly string[],
) => ((value: Json) => { readonly words: string } | null) | null

/** What the records are called that the values of a condition name; '': not all of them are known. */
export function namedBy({ field, operator, value }: Omit<Condition, 'id'>, names: Naming): string {
  const nameOf = names(field.trim().split('.'))
  const takes = takenBy(operator)
  if (nameOf === null || takes === 'nothing') return ''
  const found = (takes === 'list' ? listed(value) : [value]).map((each) => nameOf(each)?.words)
  return found.includes(undefined) ? '' : found.join(', ')
}

function operand(text: string, type: string | undefined): Json {
  if (type === 'integer' || type === 'number') return numberIn(text)
  if (type === 'boolean') return text.trim().toLowerCase() === 'true'
  return text
}
