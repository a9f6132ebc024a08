// The input of a search, for the fields of one entity. Source: service specification, "Common search action".
import type { EntityDescription } from '../client/client.ts'
import type { JsonObject } from '../language/json/json.ts'
import {
  type Operator,
  OPERATOR_NAMES,
  OPERATORS,
  SHAPES,
  withOperand,
} from '../copy/search/operators.ts'

/** Paths that stand for all others. */
const MAX_PATHS = 5

/** A schema without references: the operators are told in words, because filters hold filters. */
export function searchParams({ searchFields, searchPaths }: EntityDescription): JsonObject {
  const fields = searchFields ?? {}
  const such =
    searchPaths.length === 0 ? '' : `, such as ${searchPaths.slice(0, MAX_PATHS).join(', ')}`
  const list = Object.entries(fields).map(([name, type]) => `${name} (${type})`)
  return {
    type: 'object',
    required: ['query'],
    additionalProperties: false,
    properties: {
      query: {
        type: 'object',
        additionalProperties: false,
        properties: {
          filter: {
            type: 'object',
            description: `${FILTER_WORDS} Fields: ${list.join(', ')}; dotted paths below objects and arrays too${such}.`,
          },
          sort: SORT_SCHEMA,
        },
      },
      limit: { type: 'integer', minimum: 1, description: 'Hits per page.' },
      fields: {
        type: 'array',
        items: { type: 'string' },
        description:
          'Only these fields of each hit, dotted paths too. Name some: records can be long.',
      },
    },
  }
}

export const SORT_SCHEMA: JsonObject = {
  type: 'array',
  items: { type: 'object' },
  description: 'Such as [{"name": "asc"}].',
}

/** What a filter is, in few words. Meanings: docs/search.md. */
export const FILTER_WORDS: string = [
  `One operator with its fields, such as {"eq": {"name": "x", "owner.id": 1}}: ${OPERATOR_NAMES.map(briefly).join(', ')}; and, or (lists of filters), not.`,
  `${listed(withOperand('words'))} look for whole words in texts, objects and lists.`,
  `Only ${listed(OPERATOR_NAMES.filter((name) => SHAPES[OPERATORS[name].operand].isFolded))} ignore case.`,
].join(' ')

function briefly(name: Operator): string {
  const { brief } = OPERATORS[name]
  return brief === undefined ? name : `${name} (${brief})`
}

function listed(names: readonly string[]): string {
  return names.join(', ').replace(/, (?=[^,]*$)/, ' and ')
}

/** Each operator in a sentence; those of one meaning together. */
export const OPERATOR_WORDS: JsonObject = {
  ...Object.fromEntries(
    [...Map.groupBy(OPERATOR_NAMES, (name) => OPERATORS[name].meaning)].map(([meaning, names]) => [
      names.join(', '),
      meaning,
    ]),
  ),
  'and, or, not': 'Lists of filters; not takes one filter.',
}

/** Why a record that was just written is found although the copy was synchronized before. */
export const OWN_WRITES = 'What is written here is found at once, whatever lag_seconds says.'
