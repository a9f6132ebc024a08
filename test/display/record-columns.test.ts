// Tables made of records that nobody described.
import { expect, test } from 'vitest'
import { columnsOf, labelOf, nameNextTo, valueAt } from '../../src/display/record-columns.ts'
import { nativeJson } from '../../src/language/json/native-json.ts'

test('what names a record comes first, links last, one level of objects is opened', () => {
  const records = [
    {
      self: 'https://example.com/1',
      size: 3,
      id: '1',
      fields: { summary: 'Oil the hinge', status: { name: 'Open' }, tags: ['a', 'b'] },
    },
  ]
  expect(columnsOf(records)).toEqual([
    { title: 'id', path: ['id'] },
    { title: 'fields.summary', path: ['fields', 'summary'] },
    { title: 'fields.status', path: ['fields', 'status'] },
    { title: 'size', path: ['size'] },
    { title: 'fields.tags', path: ['fields', 'tags'] },
    { title: 'self', path: ['self'] },
  ])
  expect(valueAt(records[0] ?? null, ['fields', 'summary'])).toBe('Oil the hinge')
  expect(valueAt(records[0] ?? null, ['size', 'none'])).toBeUndefined()
})

test.for([
  { id: '10017', want: ['id', 'title', 'login'] },
  { id: '2056412393452171628', want: ['title', 'id', 'login'] },
  { id: 'cus_9s6XKzkNRiz8i3', want: ['title', 'id', 'login'] },
])('an id such as $id: $want', ({ id, want }) => {
  const records = ['Oil', 'Grease', 'Wax'].map((title) => ({
    login: `${title}-er`,
    id: `${id}${title.length}`,
    title,
  }))
  expect(columnsOf(records).map(({ title }) => title)).toEqual(want)
})

test('what all records have, nulls and long links come behind', () => {
  const link = `https://example.com/audio/${'a'.repeat(120)}`
  const records = ['Oil', 'Grease', 'Wax'].map((title, at) => ({
    audio: `${link}${at}`,
    notes: [at],
    address: { state: null },
    issuer: { type: 'self' },
    size: at,
    title,
  }))
  expect(columnsOf(records).map(({ title }) => title)).toEqual([
    'title',
    'size',
    'issuer.type',
    'notes',
    'audio',
    'address.state',
  ])
})

test('what repeats the values of a column before it comes behind', () => {
  const records = ['summary', 'status', 'labels'].map((id, at) => ({
    id,
    key: id,
    title: id.toUpperCase(),
    schema: { system: id },
    isCustom: at === 0,
    isArray: at === 0,
    size: at,
  }))
  expect(columnsOf(records).map(({ title }) => title)).toEqual([
    'id',
    'title',
    'size',
    'isCustom',
    'isArray',
    'key',
    'schema.system',
  ])
})

test.for([
  { name: 'another value', others: ['a', 'b', 'd'] },
  { name: 'fewer values than tell something', others: ['a', 'b'] },
])('a column with $name stays where it is', ({ others }) => {
  const records = others.map((key, at) => ({ id: 'abc'[at], key, size: at }))
  expect(columnsOf(records).map(({ title }) => title)).toEqual(['id', 'key', 'size'])
})

test('records that are no objects are one column, and a number kept as text is a number', () => {
  const exact = nativeJson.rawJSON('6843152929075440037')
  expect(columnsOf(['a', exact])).toEqual([{ title: 'value', path: ['value'] }])
  expect(valueAt('a', ['value'])).toBe('a')
  expect(valueAt(exact, ['value'])).toBe(exact)
  expect(columnsOf([{ amount: exact }])).toEqual([{ title: 'amount', path: ['amount'] }])
})

test.for([
  { name: 'a name', given: { id: 5, name: 'Open' }, want: 'Open' },
  {
    name: 'a whole number that is large',
    given: { id: 2056412393452171628n },
    want: '2056412393452171628',
  },
  {
    name: 'the two names of a person, not by what they do',
    given: { id: 5, title: 'Manager', firstName: 'Ada', lastName: 'Brandt', emailAddress: 'a@b.c' },
    want: 'Ada Brandt',
  },
  { name: 'one of them', given: { first_name: 'Ada', last_name: null, id: 5 }, want: 'Ada' },
  {
    name: 'an address where it has no name',
    given: { id: 5, name: null, email: 'a@b.c' },
    want: 'a@b.c',
  },
  { name: 'more than an empty name', given: { id: 5, name: '' }, want: '5' },
  { name: 'nothing of a list', given: ['Open'], want: null },
  {
    name: 'nothing that it inherits',
    given: Object.create({ name: 'Open' }) as object,
    want: null,
  },
])('an object is known by $name', ({ given, want }) => expect(labelOf(given)).toBe(want))

test.for([
  ['scorecardId', 'scorecardName'],
  ['campaign_id', 'campaign_name'],
  ['id', null],
  ['Id', null],
  ['paid', null],
] as const)('next to %s the name is %s', ([key, want]) => expect(nameNextTo(key)).toBe(want))
