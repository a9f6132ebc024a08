// The common search as JSON Schemas, for the OpenAPI document. Source: docs/search.md.
import type { JsonSchema } from '../../language/manifest/manifest.ts'
import { SEARCH_LIMITS } from '../../copy/search/filter.ts'
import { COMBINATORS, OPERATOR_NAMES, OPERATORS, SHAPES } from '../../copy/search/operators.ts'
import { closed, each, FREE, EXECUTION, type Members, open } from './schemas.ts'

const FILTERS: Readonly<Record<'filter' | 'filters', JsonSchema>> = {
  filter: { ...FREE, description: 'A filter.' },
  filters: { type: 'array', items: FREE, description: 'Filters.' },
}

const FILTER: JsonSchema = {
  ...closed({
    ...Object.fromEntries(
      OPERATOR_NAMES.map((name): [string, JsonSchema] => [
        name,
        {
          type: 'object',
          additionalProperties: SHAPES[OPERATORS[name].operand].schema,
          description: 'Field or dotted path: what it is compared with.',
        },
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(COMBINATORS).map(([name, takes]) => [name, FILTERS[takes]]),
    ),
  }),
  description: '{ "<operator>": { "<field>": <value> } }; several members mean all of them.',
}

/** The `params` of a search; which fields there are is told by `describe`. */
export const SEARCH_PARAMS: JsonSchema = closed(
  {
    query: closed({
      filter: FILTER,
      sort: {
        type: 'array',
        maxItems: SEARCH_LIMITS.sort,
        items: { anyOf: [FREE, { type: 'string' }] },
        description: '{ "<field>": "asc" | "desc" }, one field each.',
      },
    }),
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: SEARCH_LIMITS.page,
      default: SEARCH_LIMITS.defaultPage,
    },
    cursor: { type: 'string', description: 'The next_cursor of the previous page.' },
    fields: {
      type: 'array',
      items: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
      maxItems: SEARCH_LIMITS.fields,
      description: 'Dotted paths, or lists of their parts.',
    },
    explain: { type: 'boolean', description: 'true: the answer says how it was found.' },
    facets: {
      type: 'array',
      items: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
      maxItems: SEARCH_LIMITS.facets,
      description:
        'Dotted paths whose values are counted among all hits; [] counts the hits alone. Told with the first page.',
    },
  },
  ['query'],
)

/** How fresh an answer from the copy is. */
const REPLICA_MEMBERS = {
  synced_at: { type: ['string', 'null'], format: 'date-time' },
  lag_seconds: { type: ['integer', 'null'] },
  ...each(['complete', 'stale'], { type: 'boolean' }),
  records: { type: 'integer', description: 'The number of records in the copy.' },
} as const satisfies Members

export const REPLICA: JsonSchema = open(REPLICA_MEMBERS)

const PLAN = open({
  by: {
    enum: ['fields', 'words', 'text_parts', 'each_part', 'nothing'],
    description: 'Which indexes narrow the search before documents are read.',
  },
  fields: {
    type: 'array',
    items: { type: 'string' },
    description: 'Fields whose indexes lead to the hits.',
  },
  order: { enum: ['sort', 'score', 'newest'] },
  chosen: {
    enum: ['counts', 'database'],
    description: 'Who chooses among several indexes: counts, or the planner of the database.',
  },
  compared: {
    type: 'integer',
    minimum: 0,
    description: 'Documents that were read and compared, because no index covers the whole query.',
  },
})

const FACETS = open({
  counted: { type: 'integer', minimum: 0, description: 'Hits that were counted.' },
  whole: {
    type: 'boolean',
    description: `Whether these are all hits; false: the newest ones, at most ${SEARCH_LIMITS.counted}.`,
  },
  fields: {
    type: 'object',
    additionalProperties: open({
      values: {
        type: 'array',
        maxItems: SEARCH_LIMITS.facetValues,
        items: open({
          value: { type: ['string', 'number', 'boolean'] },
          count: { type: 'integer', minimum: 1 },
        }),
      },
      more: { type: 'boolean', description: 'Whether there are more values.' },
    }),
    description: 'By path: strings, numbers and booleans, most frequent first.',
  },
})

const HITS_MEMBERS = {
  hits: {
    type: 'array',
    items: open({
      id: { type: 'string' },
      score: { type: 'number', description: 'Relevance.' },
      data: { ...FREE, description: 'The searchable fields, or those requested.' },
    }),
  },
  next_cursor: { type: ['string', 'null'] },
  took_ms: { type: 'number' },
  replica: open({
    ...REPLICA_MEMBERS,
    ranked: {
      type: 'boolean',
      description: 'False if hits come newest first although their scores differ.',
    },
  }),
  execution: EXECUTION,
} as const satisfies Members

export const HITS: JsonSchema = open(
  {
    ...HITS_MEMBERS,
    explain: { ...PLAN, description: 'Present if requested.' },
    facets: { ...FACETS, description: 'Present if requested, with the first page.' },
  },
  Object.keys(HITS_MEMBERS),
)
