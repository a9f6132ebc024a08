// Filters as a person puts them together, as the query that is sent.
import { describe, expect, test } from 'vitest'
import {
  type Condition,
  isWordInOrder,
  choicesOf,
  namedBy,
  pathsBelow,
} from '../../../../src/console/screens/search/conditions.ts'
import {
  addressedSearch,
  formOf,
  type Group,
  moved,
  pointersOf,
  type SearchForm,
  searchIn,
  searchParams,
  stepped,
} from '../../../../src/console/screens/search/groups.ts'
import { objectIn, parseJson, writeJson } from '../../../../src/console/api/json-text.ts'

const TYPES = { title: 'string', duration: 'integer', isPrivate: 'boolean', fields: 'object' }
const WISH: SearchForm = {
  words: '',
  mistakes: false,
  group: { id: 0, match: 'all', parts: [] },
  sort: null,
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
    const parts = given.map((each, index) => ({ ...each, id: index + 1 }))
    const group: Group = { id: 0, match: 'all', parts }
    expect(searchParams({ ...WISH, group }, TYPES)).toEqual({ query: want, limit: 50 })
  })

  test('any of several, sorted, with some fields', () => {
    const parts = [
      { ...condition('title', 'eq', 'a'), id: 1 },
      { ...condition('title', 'eq', 'b'), id: 2 },
    ]
    const form: SearchForm = {
      ...WISH,
      group: { id: 0, match: 'any', parts },
      sort: [{ duration: 'asc' }],
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

describe('the order where nobody asked for one', () => {
  const byDate = [{ started: 'desc' }]
  test.for([
    { name: 'everything', form: {}, latest: 'started', want: byDate },
    { name: 'without a date', form: {}, latest: null, want: undefined },
    {
      name: 'words that each have to be there',
      form: { words: 'a b' },
      latest: 'started',
      want: byDate,
    },
    {
      name: 'more words than can be asked for one by one: some are enough',
      form: { words: 'a b c d e f g h i j k l m n o p q r s t u v w x y z 1 2' },
      latest: 'started',
      want: undefined,
    },
    {
      name: 'words with mistakes',
      form: { words: 'a b', mistakes: true },
      latest: 'started',
      want: undefined,
    },
    {
      name: 'a condition that allows mistakes',
      form: {
        group: { id: 0, match: 'any', parts: [{ ...condition('title', 'fuzzy', 'a'), id: 1 }] },
      },
      latest: 'started',
      want: undefined,
    },
    {
      name: 'that of arrival was asked for',
      form: { sort: [] },
      latest: 'started',
      want: undefined,
    },
  ] as const)('$name', ({ form, latest, want }) => {
    const { query } = searchParams({ ...WISH, ...form }, TYPES, latest)
    expect(objectIn(query)['sort']).toEqual(want)
  })
})

describe('addresses', () => {
  const given = condition('duration', 'gt', '60')
  const both: Group = { id: 0, match: 'all', parts: [{ ...given, id: 1 }] }
  test.for([
    { name: 'an empty search has none', form: {}, want: null },
    { name: 'words as they were typed', form: { words: 'Späte ' }, want: '{"words":"Späte"}' },
    {
      name: 'words with mistakes',
      form: { words: 'Spaete, x', mistakes: true },
      want: '{"words":"Spaete, x","mistakes":true}',
    },
    { name: 'mistakes in nothing are nothing', form: { words: ' ', mistakes: true }, want: null },
    {
      name: 'words and conditions',
      form: { words: 'a b', group: both },
      want: '{"words":"a b","filter":{"gt":{"duration":60}}}',
    },
    {
      name: 'all the rest',
      form: { sort: [{ title: 'asc' }], fields: ['title'], limit: 10 },
      want: '{"sort":[{"title":"asc"}],"fields":["title"],"limit":10}',
    },
    { name: 'the order of arrival', form: { sort: [] }, want: '{"sort":[]}' },
  ])('$name', ({ form, want }) => {
    const whole: SearchForm = { ...WISH, ...form }
    const addressed = addressedSearch(whole, TYPES)
    expect(addressed === null ? null : writeJson(addressed)).toBe(want)
    if (addressed === null) return
    const read = searchIn(addressed, TYPES)
    const params = read === null ? null : searchParams(read, TYPES)
    expect(params).toEqual(searchParams(whole, TYPES))
    // Those of earlier versions had all params, and said no order where they meant none.
    const sort = whole.sort ?? []
    expect(searchIn(searchParams(whole, TYPES), TYPES)).toEqual({ ...read, sort })
  })

  test('conditions on all texts stay conditions where words are named', () => {
    const anyText = { or: [{ fuzzy: { title: 'a' } }, { fuzzy: { fields: 'a' } }] }
    const read = searchIn({ words: 'b', filter: anyText }, TYPES)
    expect(read).toMatchObject({ words: 'b', mistakes: false, group: { match: 'any' } })
    expect(read?.group.parts).toHaveLength(2)
    // As the switch made them in earlier addresses.
    const alone = searchIn({ filter: anyText }, TYPES)
    expect(alone).toMatchObject({ words: 'a', mistakes: true, group: { parts: [] } })
  })

  test.for(['[]', '{"words":7}', '{"words":"a","mistakes":1}', '{"filter":[]}', '{"limit":"x"}'])(
    '%s is none',
    (text) => expect(searchIn(parseJson(text), TYPES)).toBeNull(),
  )
})

describe('JSON and rows', () => {
  test.for([
    '{}',
    '{"filter":{"eq":{"title":"a"}},"sort":[{"duration":"desc"},{"title":"asc"}]}',
    '{"filter":{"and":[{"eq":{"title":"a"}},{"or":[{"gt":{"duration":5}},{"neq":{"title":null}}]}]}}',
    '{"filter":{"not":{"or":[{"eq":{"title":"a"}},{"in":{"duration":[1,2056412393452171628]}}]}}}',
    '{"filter":{"not":{"eq":{"isPrivate":true}}}}',
    // What rows cannot hold stays as it was written.
    '{"filter":{"and":[{"eq":{"fields":{"a":1}}},{"eq":{"title":7}},{"near":{"title":"x"}}]}}',
  ])('%s is the same after both ways', (query) => {
    const params = parseJson(`{"query":${query},"limit":50}`)
    const form = formOf(params, TYPES)
    expect(form === null ? null : writeJson(searchParams(form, TYPES))).toBe(writeJson(params))
  })

  test('other spellings come to mean the same in one of them', () => {
    const query = {
      filter: { eq: { title: 'a' }, gt: { duration: 1 } },
      sort: ['-title', 'duration'],
    }
    const form = formOf({ query, fields: [['fields', 'status'], 'title'] }, TYPES)
    expect(form === null ? null : searchParams(form, TYPES)).toEqual({
      query: {
        filter: { and: [{ eq: { title: 'a' } }, { gt: { duration: 1 } }] },
        sort: [{ title: 'desc' }, { duration: 'asc' }],
      },
      fields: ['fields.status', 'title'],
      limit: 50,
    })
    expect(formOf({ filter: {} }, TYPES)).toBeNull()
    expect(formOf({ query: { filter: [] } }, TYPES)).toBeNull()
  })
})

describe('words', () => {
  const both = (word: string) => ({
    or: [{ keyword: { title: word } }, { keyword: { fields: word } }],
  })

  test('each stands in some text; conditions go on below them, and their problems are found there', () => {
    const form = {
      ...WISH,
      words: ' the Renewal, soon',
      group: {
        id: 0,
        match: 'all',
        parts: [{ id: 1, field: 'duration', operator: 'gt', value: '5' }],
      },
    } as const
    const params = searchParams(form, TYPES)
    expect(params).toEqual({
      query: {
        filter: {
          and: [{ and: [both('the'), both('Renewal'), both('soon')] }, { gt: { duration: 5 } }],
        },
      },
      limit: 50,
    })
    expect(pointersOf(form, TYPES)).toEqual(new Map([[1, '/params/query/filter/and/1/gt']]))
    const read = formOf(params, TYPES)
    expect(read?.words).toBe('the Renewal soon')
    expect(read === null ? null : searchParams(read, TYPES)).toEqual(params)
  })

  test('one alone, and without any text of the entity', () => {
    const form = { ...WISH, words: 'soon' }
    expect(searchParams(form, TYPES)).toEqual({ query: { filter: both('soon') }, limit: 50 })
    expect(searchParams(form, { title: 'string' })).toEqual({
      query: { filter: { keyword: { title: 'soon' } } },
      limit: 50,
    })
    expect(searchParams(form, { duration: 'integer' })).toEqual({ query: {}, limit: 50 })
  })

  describe('with mistakes', () => {
    const nearly = (text: string) => ({
      or: [{ fuzzy: { title: text } }, { fuzzy: { fields: text } }],
    })
    const longer = { gt: { duration: 5 } }
    test.for([
      { name: 'one', text: 'renewl', filter: nearly('renewl') },
      { name: 'several stand in one text', text: 'renewl, sooon', filter: nearly('renewl, sooon') },
      {
        name: 'in front of a condition',
        text: 'renewl',
        more: longer,
        filter: { and: [nearly('renewl'), longer] },
      },
      {
        name: 'in one field of texts',
        text: 'renewl',
        types: { title: 'string' },
        filter: { fuzzy: { title: 'renewl' } },
      },
    ])('$name', ({ text, more = {}, types = TYPES, filter }) => {
      const params = { query: { filter }, limit: 50 }
      const { group = WISH.group } = formOf({ query: { filter: more } }, types) ?? {}
      const form = { ...WISH, words: ` ${text} `, mistakes: true, group }
      expect(searchParams(form, types)).toEqual(params)
      const read = formOf(params, types)
      expect(read).toMatchObject({ words: text, mistakes: true })
      expect(read === null ? null : searchParams(read, types)).toEqual(params)
    })

    test.for([
      { name: 'of one field among several', filter: { fuzzy: { title: 'a' } } },
      {
        name: 'of different texts',
        filter: { or: [{ fuzzy: { title: 'a' } }, { fuzzy: { fields: 'b' } }] },
      },
      { name: 'of each word', filter: { and: [nearly('a'), nearly('b'), nearly('c')] } },
      { name: 'not', filter: { not: nearly('a') } },
    ])('conditions $name are no words', ({ filter }) => {
      const read = formOf({ query: { filter }, limit: 50 }, TYPES)
      expect(read).toMatchObject({ words: '', mistakes: false })
      expect(read === null ? null : searchParams(read, TYPES)).toEqual({
        query: { filter },
        limit: 50,
      })
    })
  })

  test('more than a query may have are asked for together', () => {
    const text = Array.from({ length: 40 }, (_, at) => `w${at}`).join(' ')
    const params = searchParams({ ...WISH, words: text }, TYPES)
    expect(params).toEqual({ query: { filter: both(text) }, limit: 50 })
    expect(formOf(params, TYPES)?.words).toBe(text)
  })
})

describe('groups', () => {
  const named = (id: number) => ({ id, ...condition('title', 'eq', String(id)) })
  /** 1, (2, 3), 4 in one group, of which the inner one is 9. */
  const root: Group = {
    id: 0,
    match: 'all',
    parts: [named(1), { id: 9, match: 'any', parts: [named(2), named(3)] }, named(4)],
  }
  const shape = (group: Group): string =>
    group.parts.map((part) => ('parts' in part ? `(${shape(part)})` : part.id)).join(' ')

  test.for([
    { id: 1, by: 1, want: '(1 2 3) 4' },
    { id: 2, by: -1, want: '1 2 (3) 4' },
    { id: 3, by: 1, want: '1 (2) 3 4' },
    { id: 4, by: -1, want: '1 (2 3 4)' },
    { id: 9, by: -1, want: '(2 3) 1 4' },
    { id: 1, by: -1, want: '1 (2 3) 4' },
  ] as const)('$id by $by gives $want', ({ id, by, want }) => {
    expect(shape(stepped(root, id, by))).toBe(want)
  })

  test('what is dropped goes in front of a part, or to the end of a group; never into itself', () => {
    expect(shape(moved(root, 4, 2))).toBe('1 (4 2 3)')
    expect(shape(moved(root, 1, 9))).toBe('(2 3 1) 4')
    expect(shape(moved(root, 2, 0))).toBe('1 (3) 4 2')
    expect(shape(moved(root, 9, 2))).toBe('1 (2 3) 4')
  })

  test('problems are found at their rows, whatever is empty in between', () => {
    const empty = { id: 7, ...condition('', 'eq', '') }
    const form = {
      ...WISH,
      group: { ...root, match: 'none' as const, parts: [empty, ...root.parts] },
    }
    expect([...pointersOf(form, TYPES)]).toEqual([
      [1, '/params/query/filter/not/or/0/eq'],
      [2, '/params/query/filter/not/or/1/or/0/eq'],
      [3, '/params/query/filter/not/or/1/or/1/eq'],
      [4, '/params/query/filter/not/or/2/eq'],
    ])
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

test('a condition tells what the records are called that its values name, where all of them are known', () => {
  const known: Readonly<Record<string, string>> = { C07: 'orders', C08: 'returns' }
  const names = (path: readonly string[]) =>
    path.join('.') !== 'in.channel'
      ? null
      : (value: unknown) => {
          const words = known[String(value)]
          return words === undefined ? null : { words, to: '' }
        }
  const named = (operator: Condition['operator'], value: string, field = 'in.channel'): string =>
    namedBy(condition(field, operator, value), names)
  expect([named('eq', 'C07'), named('neq', 'C08')]).toEqual(['orders', 'returns'])
  expect([named('in', 'C07, C08,'), named('in', 'C07, C09')]).toEqual(['orders, returns', ''])
  expect([named('eq', 'C0'), named('present', ''), named('eq', 'C07', 'user')]).toEqual([
    '',
    '',
    '',
  ])
})
