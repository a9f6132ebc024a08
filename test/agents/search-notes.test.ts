import { expect, test } from 'vitest'
import { whyNothing } from '../../src/agents/search-notes.ts'
import type { EntityDescription } from '../../src/client/client.ts'
import type { JsonObject } from '../../src/language/json/json.ts'

const entity: EntityDescription = {
  entity: 'issues',
  title: null,
  description: null,
  record: {
    properties: { fields: { type: 'object', properties: { summary: {}, description: {} } } },
  },
  actions: [],
  searchFields: { fields: 'object' },
  searchPaths: [],
  cursorField: null,
  keyField: null,
}
/** A copy whose records have text in the summary, and a document as the description. */
const isFound = async (filter: JsonObject): Promise<boolean | null> => {
  const asked = JSON.stringify(filter)
  await Promise.resolve()
  if (asked.includes('unknown')) return null
  if (asked.includes('fields.description')) return 'neq' in filter
  return asked.includes('fields.summary')
}

test.for<{ name: string; filter: JsonObject; want: readonly string[] }>([
  {
    name: 'how eq compares, of paths that records have',
    filter: { eq: { 'fields.summary': 'x' } },
    want: ['eq and in compare whole values, capital letters included'],
  },
  {
    name: 'a path that no record has, with the one that was meant',
    filter: { or: [{ not: { eq: { 'fields.sumary': 'x' } } }] },
    want: ['no record of the copy has fields.sumary; did you mean fields.summary?'],
  },
  {
    name: 'that like looks for text where there is a document',
    filter: { and: [{ like: { 'fields.description': '%x%' } }] },
    want: [
      'fields.description holds no text in any record, and like compares text; keyword and fuzzy find words inside objects and lists',
    ],
  },
  {
    name: 'that words are whole, of a document',
    filter: { keyword: { 'fields.description': 'x' } },
    want: [
      'keyword and fuzzy take whole words, not other forms of them; like with %stem% finds parts of words in text',
    ],
  },
  { name: 'nothing where the copy did not tell', filter: { gt: { unknown: 'x' } }, want: [] },
  {
    name: 'four conditions at most',
    filter: { eq: { a1: 1, b1: 1, c1: 1, d1: 1, e1: 1 } },
    want: ['a1', 'b1', 'c1', 'd1'].map((path) => `no record of the copy has ${path}`),
  },
])('a search without hits tells $name', async ({ filter, want }) =>
  expect(await whyNothing(filter, entity, isFound)).toEqual(want),
)
