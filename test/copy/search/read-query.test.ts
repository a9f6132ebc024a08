import { expect, test } from 'vitest'

import { isConnectorError, type Problem } from '../../../src/errors.ts'
import { parseJson } from '../../../src/language/json/parse-json.ts'
import { hashQuery, readSearch } from '../../../src/copy/search/read-query.ts'
import { makeLayout } from './make-layout.ts'

const layout = makeLayout({
  fields: {
    id: 'string',
    title: 'string',
    duration: 'integer',
    spend: 'number',
    isPrivate: 'boolean',
    fields: 'object',
    parties: 'array',
    started: 'string',
  },
  order: ['fields.status.name', 'fields.status.id', 'fields.priority.id'],
  substring: ['fields.summary', 'fields.idd'],
})

function read(filter: string): unknown {
  return readSearch(layout, parseJson(`{"query":{"filter":${filter}}}`)).filter
}

const at = (field: number, ...path: readonly string[]): unknown => ({ field, path })

test.for([
  { name: 'an empty filter is true', filter: '{}', want: { kind: 'and', parts: [] } },
  { name: 'an empty operator is true', filter: '{"eq":{}}', want: { kind: 'and', parts: [] } },
  {
    name: 'eq compares by key',
    filter: '{"eq":{"title":"A"}}',
    want: { kind: 'equal', place: at(1), values: [{ kind: 'text', key: 'A' }] },
  },
  {
    name: 'members mean and',
    filter: '{"eq":{"id":"1","isPrivate":true},"gt":{"duration":600}}',
    want: {
      kind: 'and',
      parts: [
        { kind: 'equal', place: at(0), values: [{ kind: 'text', key: '1' }] },
        { kind: 'equal', place: at(4), values: [{ kind: 'boolean', key: '1' }] },
        {
          kind: 'range',
          place: at(2),
          bound: { kind: 'number', key: '2500036' },
          isAbove: true,
          isIncluded: false,
        },
      ],
    },
  },
  {
    name: 'an integer comes as digits too, with all of them',
    filter: '{"in":{"duration":["7782342274025937895",7782342274025937895,null]}}',
    want: {
      kind: 'equal',
      place: at(2),
      values: [
        { kind: 'number', key: '2500197782342274025937895' },
        { kind: 'number', key: '2500197782342274025937895' },
        { kind: 'null' },
      ],
    },
  },
  {
    name: 'neq is the complement of eq',
    filter: '{"neq":{"title":null}}',
    want: { kind: 'not', part: { kind: 'equal', place: at(1), values: [{ kind: 'null' }] } },
  },
  {
    name: 'and, or, not nest',
    filter: '{"or":[{"not":{"like":{"title":"a%"}}},{"and":[]},{"or":[]}]}',
    want: {
      kind: 'or',
      parts: [
        {
          kind: 'not',
          part: {
            kind: 'pattern',
            place: at(1),
            pattern: [{ kind: 'text', text: 'a' }, { kind: 'any' }],
          },
        },
        { kind: 'and', parts: [] },
      ],
    },
  },
  {
    name: 'a dotted path below an object takes the type of the operand',
    filter: '{"eq":{"fields.status.name":"Done"}}',
    want: {
      kind: 'equal',
      place: at(5, 'status', 'name'),
      values: [{ kind: 'text', key: 'Done' }],
    },
  },
  {
    name: 'keyword keeps distinct words, fuzzy all in order',
    filter: '{"keyword":{"title":"A b a"},"fuzzy":{"parties":"b A b"}}',
    want: {
      kind: 'and',
      parts: [
        { kind: 'some_word', place: at(1), words: ['a', 'b'] },
        { kind: 'all_words', place: at(6), words: ['b', 'a', 'b'] },
      ],
    },
  },
  {
    name: 'an array field equals an element or the whole',
    filter: '{"eq":{"parties":[1.0,"x"]}}',
    want: {
      kind: 'equal',
      place: at(6),
      values: [{ kind: 'whole', canonical: '[#2500011,"x"]' }],
    },
  },
])('$name', ({ filter, want }) => expect(read(filter)).toEqual(want))

test('a whole request is read', () => {
  const params = {
    query: { sort: ['-started', { duration: 'asc' }, { field: 'id', order: 'desc' }] },
  }
  const query = readSearch(layout, { ...params, limit: 5, fields: ['id', 'fields.status'] })
  const lift = (name: string): number => layout.lifts.findIndex((one) => one.name === name)
  expect(query).toEqual({
    filter: { kind: 'and', parts: [] },
    sort: [
      { lift: lift('started'), descending: true },
      { lift: lift('duration'), descending: false },
      { lift: lift('id'), descending: true },
    ],
    limit: 5,
    cursor: null,
    fields: [at(0), at(5, 'status')],
  })
  expect(readSearch(layout, { query: {} })).toMatchObject({ limit: 1000, fields: null, sort: [] })
  expect(readSearch(layout, { query: {}, explain: true })).toMatchObject({ explain: true })
  expect(readSearch(layout, { query: {}, explain: false })).not.toHaveProperty('explain')
  expect(readSearch(layout, { query: {}, facets: [] })).toMatchObject({ facets: [] })
  expect(readSearch(layout, { query: {} })).not.toHaveProperty('facets')
  expect(problems('{"query":{},"facets":"id"}')).toMatchObject([
    { pointer: '/params/facets', code: 'value_invalid' },
  ])
  expect(problems('{"query":{},"explain":"yes"}')).toMatchObject([
    { pointer: '/params/explain', code: 'value_invalid' },
  ])
})

test('the hash is that of filter and sort, however they are spelled', () => {
  const hash = (params: string): string => hashQuery(parseJson(params))
  const one = hash('{"query":{"filter":{"eq":{"duration":1,"id":"x"}},"sort":["id"]}}')
  expect(
    hash('{"limit":3,"query":{"sort":["id"],"filter":{"eq":{"id":"x","duration":1.0}}}}'),
  ).toBe(one)
  expect(hash('{"query":{"filter":{"eq":{"duration":2,"id":"x"}},"sort":["id"]}}')).not.toBe(one)
})

function problems(params: string): readonly Problem[] {
  try {
    readSearch(layout, parseJson(params))
  } catch (error) {
    if (isConnectorError(error, 'params_invalid')) return error.errors
    throw error
  }
  return []
}

const nested = (depth: number): string => '{"not":'.repeat(depth) + '{}' + '}'.repeat(depth)

test.for([
  {
    name: 'an unknown operator',
    filter: '{"and":[{},{"eqq":{"id":"1"}}]}',
    want: ['/and/1/eqq operator_unknown'],
  },
  { name: 'an unknown field', filter: '{"eq":{"titel":"x"}}', want: ['/eq/titel field_unknown'] },
  {
    name: 'a path below text',
    filter: '{"eq":{"title.x":"x"}}',
    want: ['/eq/title.x field_unknown'],
  },
  {
    name: 'an empty part of a path',
    filter: '{"eq":{"fields..a":"x"}}',
    want: ['/eq/fields..a field_unknown'],
  },
  {
    name: 'an inherited name',
    filter: '{"constructor":{},"eq":{"toString":1}}',
    want: ['/constructor operator_unknown', '/eq/toString field_unknown'],
  },
  {
    name: 'an operator for another type',
    filter: '{"like":{"duration":"1%"},"gt":{"isPrivate":true},"lt":{"fields":1}}',
    want: [
      '/like/duration operator_not_for_type',
      '/gt/isPrivate operator_not_for_type',
      '/lt/fields operator_not_for_type',
    ],
  },
  {
    name: 'operands of another type',
    filter: '{"eq":{"id":5,"duration":"x","isPrivate":"true","fields":[1],"parties":{}}}',
    want: [
      '/eq/id value_invalid',
      '/eq/duration value_invalid',
      '/eq/isPrivate value_invalid',
      '/eq/fields value_invalid',
      '/eq/parties value_invalid',
    ],
  },
  {
    name: 'null where there is an order',
    filter: '{"gt":{"duration":null,"title":null,"parties":null}}',
    want: ['/gt/duration value_invalid', '/gt/title value_invalid', '/gt/parties value_invalid'],
  },
  {
    name: 'a wrong value of in',
    filter: '{"in":{"id":["a",1],"title":"a"}}',
    want: ['/in/id/1 value_invalid', '/in/title value_invalid'],
  },
  {
    name: 'an object instead of an array',
    filter: '{"and":{"eq":{}},"or":null}',
    want: ['/and value_invalid', '/or value_invalid'],
  },
  {
    name: 'an array instead of an object',
    filter: '{"not":[],"eq":[]}',
    want: ['/not value_invalid', '/eq value_invalid'],
  },
  {
    name: 'a broken pattern',
    filter: '{"like":{"title":"a\\\\b"}}',
    want: ['/like/title pattern_invalid'],
  },
  {
    name: 'too many wildcards',
    filter: '{"like":{"title":"%_%_%_%_%"}}',
    want: ['/like/title limit_exceeded'],
  },
  {
    name: 'too many words',
    filter: `{"keyword":{"title":"${'a '.repeat(17)}"}}`,
    want: ['/keyword/title limit_exceeded'],
  },
  {
    name: 'too long a text',
    filter: `{"fuzzy":{"title":"${'a'.repeat(257)}"},"eq":{"id":"${'a'.repeat(4097)}"}}`,
    want: ['/fuzzy/title limit_exceeded', '/eq/id limit_exceeded'],
  },
  {
    name: 'too many values',
    filter: `{"in":{"id":[${Array.from({ length: 1001 }, () => '"x"').join()}]}}`,
    want: ['/in/id limit_exceeded'],
  },
  { name: 'ten levels are enough', filter: nested(9), want: [] },
  {
    name: 'eleven are too many',
    filter: nested(10),
    want: [`${'/not'.repeat(10)} limit_exceeded`],
  },
  {
    name: 'a slash in a name is escaped',
    filter: '{"eq":{"a/b~c":1}}',
    want: ['/eq/a~1b~0c field_unknown'],
  },
  {
    name: 'an exponent no one can count with',
    filter: '{"eq":{"duration":1e60000,"fields.a":1e60000}}',
    want: ['/eq/duration value_invalid', '/eq/fields.a value_invalid'],
  },
])('P7 refused: $name', ({ filter, want }) => {
  const found = problems(`{"query":{"filter":${filter}}}`)
  expect(
    found.map(({ pointer, code }) => `${pointer.replace('/params/query/filter', '')} ${code}`),
  ).toEqual(want)
})

test.for([
  { params: '{}', want: ['/params/query required'] },
  { params: '[]', want: ['/params value_invalid', '/params/query required'] },
  { params: '{"query":[]}', want: ['/params/query value_invalid'] },
  { params: '{"query":null}', want: ['/params/query value_invalid'] },
  {
    params: '{"query":{"filter":null,"sort":null}}',
    want: ['/params/query/filter value_invalid', '/params/query/sort value_invalid'],
  },
  {
    params: '{"query":{"filtre":{}},"size":1}',
    want: ['/params/size unknown', '/params/query/filtre unknown'],
  },
  { params: '{"query":{"sort":{"id":"asc"}}}', want: ['/params/query/sort value_invalid'] },
  {
    params:
      '{"query":{"sort":[{"id":"up"},{"id":"asc","title":"asc"},7,"parties","fields.status.name","nope","id","-id"]}}',
    want: ['/params/query/sort limit_exceeded'],
  },
  {
    params: '{"query":{"sort":[{"id":"up"},{"id":"asc","title":"asc"},7,"parties"]}}',
    want: [
      '/params/query/sort/0 sort_invalid',
      '/params/query/sort/1 sort_invalid',
      '/params/query/sort/2 sort_invalid',
      '/params/query/sort/3 sort_invalid',
    ],
  },
  {
    params: '{"query":{"sort":["fields.status.name","nope","id","-id"]}}',
    want: ['/params/query/sort/1 sort_invalid', '/params/query/sort/3 sort_invalid'],
  },
  { params: '{"query":{},"limit":0}', want: ['/params/limit limit_exceeded'] },
  { params: '{"query":{},"limit":10001}', want: ['/params/limit limit_exceeded'] },
  { params: '{"query":{},"limit":"5"}', want: ['/params/limit value_invalid'] },
  {
    params: '{"query":{},"cursor":5,"fields":["id",1,"nope","id.x"]}',
    want: [
      '/params/cursor value_invalid',
      '/params/fields/1 value_invalid',
      '/params/fields/2 field_unknown',
      '/params/fields/3 field_unknown',
    ],
  },
])('P7 refused: $params', ({ params, want }) =>
  expect(problems(params).map(({ pointer, code }) => `${pointer} ${code}`)).toEqual(want),
)

test('P7 no more than a hundred conditions, and no more than twenty problems', () => {
  const many = (count: number): string =>
    `{"query":{"filter":{"and":[${Array.from({ length: count }, () => '{"eq":{"id":"1"}}').join()}]}}}`
  expect(problems(many(100))).toEqual([])
  expect(problems(many(101)).map(({ code }) => code)).toEqual(['limit_exceeded'])
  const names = Array.from({ length: 10_000 }, (_, index) => `"x${index}":1`).join()
  expect(problems(`{"query":{"filter":{${names}}}}`)).toHaveLength(20)
})

test.for([
  { filter: '{"eqq":{}}', hint: 'did you mean "eq"?' },
  { filter: '{"eq":{"Duration":1}}', hint: 'did you mean "duration"?' },
  { filter: '{"eq":{"titel":"x"}}', hint: 'did you mean "title"?' },
])('P7 the way out of $filter is named', ({ filter, hint }) => {
  const [problem] = problems(`{"query":{"filter":${filter}}}`)
  expect(problem?.detail).toContain(hint)
  expect(problem?.allowed?.length).toBeGreaterThan(3)
})

test.for([
  { name: 'summary', says: '"summary" is not a searchable field; did you mean "fields.summary"?' },
  { name: 'Summary', says: '"Summary" is not a searchable field; did you mean "fields.summary"?' },
  {
    name: 'status',
    says: '"status" is not a searchable field; did you mean "fields.status.name" or "fields.status.id"?',
  },
  {
    name: 'priority.id',
    says: '"priority.id" is not a searchable field; did you mean "fields.priority.id"?',
  },
  // A path of this very name is nearer than a field two mistakes away.
  { name: 'idd', says: '"idd" is not a searchable field; did you mean "fields.idd"?' },
  { name: 'tilte', says: '"tilte" is not a searchable field; did you mean "title"?' },
  { name: 'ields', says: '"ields" is not a searchable field; did you mean "fields"?' },
  { name: 'nowhere', says: '"nowhere" is not a searchable field' },
])('a condition on $name is told the way to the path that has it', ({ name, says }) => {
  expect(
    problems(`{"query":{"filter":{"eq":{"${name}":"x"}}}}`).map((each) => each.detail),
  ).toEqual([says])
  expect(problems(`{"query":{},"fields":["${name}"]}`).map((each) => each.detail)).toEqual([says])
})

test.for([
  {
    name: 'status',
    says: 'hits cannot be sorted by "status"; did you mean "fields.status.name" or "fields.status.id"?',
  },
  {
    name: 'fields.priority',
    says: 'hits cannot be sorted by "fields.priority"; did you mean "fields.priority.id"?',
  },
  {
    name: 'fields.status.nam',
    says: 'hits cannot be sorted by "fields.status.nam"; did you mean "fields.status.name"?',
  },
  {
    name: 'fields.TITLE',
    says: 'hits cannot be sorted by "fields.TITLE"; did you mean "title"?',
  },
  { name: 'summary', says: 'hits cannot be sorted by "summary"' },
  { name: 'parties', says: 'hits cannot be sorted by "parties"' },
  { name: 'durration', says: '"durration" is not a searchable field; did you mean "duration"?' },
  { name: 'nowhere', says: '"nowhere" is not a searchable field' },
])('a sort by $name is told the way to what hits can be sorted by', ({ name, says }) =>
  expect(problems(`{"query":{"sort":["-${name}"]}}`).map((each) => each.detail)).toEqual([says]),
)
