// Filters as a person puts them together, as the query that is sent.
import { describe, expect, test } from 'vitest'
import {
  type Condition,
  isWordInOrder,
  choicesOf,
  pathsBelow,
  searchParams,
  type SearchForm,
} from '../../../../src/console/screens/search/conditions.ts'

const TYPES = { title: 'string', duration: 'integer', isPrivate: 'boolean', fields: 'object' }
const WISH: SearchForm = {
  conditions: [],
  match: 'all',
  sortField: '',
  sortOrder: 'desc',
  fields: [],
  limit: 50,
}

function condition(
  field: string,
  operator: Condition['operator'],
  value: string,
): Omit<Condition, 'id'> {
  return { field, operator, value }
}

describe('the filter', () => {
  test.for([
    { name: 'none is everything', given: [], want: {} },
    { name: 'no field is no condition', given: [condition('', 'eq', 'x')], want: {} },
    {
      name: 'text stays text',
      given: [condition('title', 'eq', '7')],
      want: { filter: { eq: { title: '7' } } },
    },
    {
      name: 'numbers are numbers',
      given: [condition('duration', 'gte', '600')],
      want: { filter: { gte: { duration: 600 } } },
    },
    {
      name: 'yes and no are booleans',
      given: [condition('isPrivate', 'eq', 'false')],
      want: { filter: { eq: { isPrivate: false } } },
    },
    {
      name: 'one of several, each by the type',
      given: [condition('duration', 'in', '1, 2,')],
      want: { filter: { in: { duration: [1, 2] } } },
    },
    {
      name: 'absence is null',
      given: [condition('title', 'absent', 'x')],
      want: { filter: { eq: { title: null } } },
    },
    {
      name: 'presence is not null',
      given: [condition('title', 'present', '')],
      want: { filter: { neq: { title: null } } },
    },
    {
      name: 'a dotted path takes the operand as it is',
      given: [condition('fields.status.name', 'eq', 'Done')],
      want: { filter: { eq: { 'fields.status.name': 'Done' } } },
    },
    {
      name: 'several hold together',
      given: [condition('title', 'keyword', 'renewal'), condition('duration', 'lt', '9')],
      want: { filter: { and: [{ keyword: { title: 'renewal' } }, { lt: { duration: 9 } }] } },
    },
  ])('$name', ({ given, want }) => {
    const conditions = given.map((each, id) => ({ ...each, id }))
    expect(searchParams({ ...WISH, conditions }, TYPES)).toEqual({ query: want, limit: 50 })
  })

  test('any of several, sorted, with some fields', () => {
    const conditions = [
      { ...condition('title', 'eq', 'a'), id: 0 },
      { ...condition('title', 'eq', 'b'), id: 1 },
    ]
    const form: SearchForm = {
      conditions,
      match: 'any',
      sortField: 'duration',
      sortOrder: 'asc',
      fields: ['title'],
      limit: 10,
    }
    expect(searchParams(form, TYPES)).toEqual({
      query: {
        filter: { or: [{ eq: { title: 'a' } }, { eq: { title: 'b' } }] },
        sort: [{ duration: 'asc' }],
      },
      fields: ['title'],
      limit: 10,
    })
  })
})

test('a field offers what its type can be asked', () => {
  expect(choicesOf('boolean')).toEqual(['eq', 'neq', 'in', 'absent', 'present'])
  expect(choicesOf('integer')).not.toContain('like')
  expect(choicesOf(undefined)).toContain('fuzzy')
})

test('paths below searchable fields come from the record of the manifest and from records that were seen', () => {
  const record = {
    properties: {
      fields: { type: 'object', properties: { status: {}, summary: {} } },
      links: { type: 'array', items: { type: 'object', properties: { id: {} } } },
      hidden: { type: 'object', properties: { secret: {} } },
    },
  }
  const seen = [
    { fields: { status: 'x', customfield_1: 2 }, links: [{ kind: 'blocks' }], title: 'a' },
  ]
  expect(
    pathsBelow(
      { ...TYPES, links: 'array' },
      { record, search_paths: ['fields.assignee.accountId'] },
      seen,
    ),
  ).toEqual([
    'fields.assignee.accountId',
    'fields.customfield_1',
    'fields.status',
    'fields.summary',
    'links.id',
    'links.kind',
  ])
})

test('a word that is asked to come after something is told from a moment', () => {
  const isWord = (value: string, type?: string): boolean =>
    isWordInOrder(condition('created', 'gt', value), type)
  expect([isWord('yesterday', 'string'), isWord('2026-11-01', 'string')]).toEqual([true, false])
  expect([isWord('many', 'integer'), isWord('last week')]).toEqual([false, true])
  expect(isWordInOrder(condition('title', 'eq', 'word'), 'string')).toBe(false)
})
