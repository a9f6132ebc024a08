// The input of a search, for the fields of one entity. Source: service specification, "Common search action".
import type { EntityDescription } from '../client/client.ts'
import type { JsonObject } from '../json/json.ts'

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
          sort: {
            type: 'array',
            items: { type: 'object' },
            description: 'Such as [{"name": "asc"}].',
          },
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

/** What a filter is, in few words. Meanings: docs/search.md. */
export const FILTER_WORDS =
  'One operator with its fields, such as {"eq": {"name": "x", "owner.id": 1}}: eq, neq, gt, gte, lt, lte, in (lists), like (the whole of a text, with % and _; no objects), keyword (some word) and fuzzy (every word, in order, slight mistakes) for whole words in texts, objects and lists; and, or (lists of filters), not. Only like, keyword and fuzzy ignore case.'

/** Each operator in a sentence. Source: docs/search.md. */
export const OPERATOR_WORDS: JsonObject = {
  'eq, neq, in': 'Equal, or not; in takes a list. Case and accents count. null: has no value.',
  'gt, gte, lt, lte': 'Times as instants, other text by code points, numbers by value.',
  like: 'The whole of one text, without case and accents: % any run, _ one character. Objects and documents are not text.',
  keyword: 'Some word of the operand is a word in the field, inside objects and lists too.',
  fuzzy:
    'Every word of the operand, in order, gaps allowed, within one text, inside objects and lists too. Words of 3 to 5 letters may have one mistake, longer ones two.',
  'and, or, not': 'Lists of filters; not takes one filter.',
}

/** Why a record that was just written is found although the copy was synchronized before. */
export const OWN_WRITES = 'What is written here is found at once, whatever lag_seconds says.'
