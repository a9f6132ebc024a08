import { expect, test } from 'vitest'
import { UsageError } from '../../src/cli/exit-codes.ts'
import { type QueryFlags, queryOf, valueAt } from '../../src/cli/search-query.ts'
import type { Json } from '../../src/language/json/json.ts'

test.for<{ readonly name: string; readonly flags: QueryFlags; readonly want: Json }>([
  { name: 'nothing asked is every record', flags: {}, want: {} },
  {
    name: 'one condition is the filter',
    flags: { where: ['status eq In Progress'] },
    want: { filter: { eq: { status: 'In Progress' } } },
  },
  {
    name: 'several conditions and a filter must all hold',
    flags: { filter: { keyword: { title: 'a' } }, where: ['points >= 30', 'votes < 5'] },
    want: {
      filter: {
        and: [{ keyword: { title: 'a' } }, { gte: { points: '30' } }, { lt: { votes: '5' } }],
      },
    },
  },
  {
    name: 'words stand in front of conditions',
    flags: { words: { keyword: { title: 'renewal' } }, where: ['points >= 30'] },
    want: { filter: { and: [{ keyword: { title: 'renewal' } }, { gte: { points: '30' } }] } },
  },
  {
    name: 'true, false and null are values where equality is asked, and text elsewhere',
    flags: { where: ['done = true', 'owner != null', 'title keyword true', 'name eq "true"'] },
    want: {
      filter: {
        and: [
          { eq: { done: true } },
          { neq: { owner: null } },
          { keyword: { title: 'true' } },
          { eq: { name: 'true' } },
        ],
      },
    },
  },
  {
    name: 'values of a list have commas between them, or are JSON',
    flags: { where: ['status in Open, In Review', 'label in ["a,b",null]'] },
    want: {
      filter: {
        and: [{ in: { status: ['Open', 'In Review'] } }, { in: { label: ['a,b', null] } }],
      },
    },
  },
  {
    name: 'objects are read as JSON, and what only looks like it is text',
    flags: { where: ['owner eq {"id":1}', 'name eq {x'] },
    want: { filter: { and: [{ eq: { owner: { id: 1 } } }, { eq: { name: '{x' } }] } },
  },
  {
    name: 'an operator that does not exist is left to the service',
    flags: { where: ['constructor constructor x'], sort: ['-started', 'id'] },
    want: { filter: { constructor: { constructor: 'x' } }, sort: ['-started', 'id'] },
  },
  {
    name: 'a whole query is taken as it is',
    flags: { query: { sort: ['id'] } },
    want: { sort: ['id'] },
  },
])('$name', ({ flags, want }) => expect(queryOf(flags)).toEqual(want))

test.for<QueryFlags>([
  { where: ['status'] },
  { where: ['status eq'] },
  { where: [''] },
  { query: {}, sort: ['id'] },
  { query: {}, filter: {} },
])('what is no query is refused: %j', (flags) => {
  expect(() => queryOf(flags)).toThrow(UsageError)
})

test.for<{ readonly path: string; readonly want: Json | undefined }>([
  { path: 'key', want: 'OPS-1' },
  { path: 'fields.status.name', want: 'Done' },
  { path: 'fields.labels', want: ['a', 'b'] },
  { path: 'parties.name', want: 'Ada, Grace' },
  { path: 'parties.0.name', want: 'Ada, Grace' },
  { path: 'dotted.name', want: 3 },
  { path: 'nothing.here', want: undefined },
  { path: 'constructor.name', want: undefined },
])('$path of a hit is found', ({ path, want }) => {
  const data = {
    key: 'OPS-1',
    fields: { status: { name: 'Done' }, labels: ['a', 'b'] },
    parties: [{ name: 'Ada' }, { name: 'Grace' }, {}],
    'dotted.name': 3,
    dotted: { name: 4 },
  }
  expect(valueAt(data, path)).toEqual(want)
})
