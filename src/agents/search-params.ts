// The input of a search, for the fields of one entity. Source: service specification, "Common search action".
import type { JsonObject } from '../json/json.ts'

/** A schema without references: the operators are told in words, because filters hold filters. */
export function searchParams(fields: Readonly<Record<string, string>>): JsonObject {
  const names = Object.keys(fields)
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
            description: `${FILTER_WORDS} Fields: ${list.join(', ')}.`,
          },
          sort: {
            type: 'array',
            items: { type: 'object' },
            description: 'Such as [{"name": "asc"}].',
          },
        },
      },
      limit: { type: 'integer', minimum: 1, description: 'Hits per page.' },
      fields: { type: 'array', items: { type: 'string', enum: names } },
    },
  }
}

/** What a filter is, in one line. */
export const FILTER_WORDS =
  'One operator with its fields, such as {"eq": {"name": "x"}}: eq, neq, gt, gte, lt, lte, in (lists), like (% and _), fuzzy, keyword; and, or (lists of filters), not.'
