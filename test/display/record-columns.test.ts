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
  {
    name: 'has another value',
    records: ['a', 'b', 'd'].map((key, at) => ({ id: 'abc'[at], key, size: at })),
    want: ['id', 'key', 'size'],
  },
  {
    name: 'repeats another one of two records',
    records: ['a', 'b'].map((key, at) => ({ id: 'ab'[at], key, size: at })),
    want: ['id', 'size', 'key'],
  },
  {
    name: 'repeats a moment, which all two have',
    records: [1, 2].map((id) => ({
      id,
      fields: { updated: '2026-11-28T09:00:00Z', priority: 'P1' },
      updated: '2026-11-28T09:00:00Z',
    })),
    want: ['id', 'fields.priority', 'fields.updated', 'updated'],
  },
  {
    name: 'may be alike by chance',
    records: [true, false].map((isOpen) => ({ id: Number(isOpen), isOpen, isNew: isOpen })),
    want: ['id', 'isOpen', 'isNew'],
  },
])('a column that $name', ({ records, want }) =>
  expect(columnsOf(records).map(({ title }) => title)).toEqual(want),
)

/** Three records, of which each member has three values, or the one that is given. */
function three(members: Readonly<Record<string, unknown>>): readonly unknown[] {
  return [0, 1, 2].map((at) =>
    Object.fromEntries(
      Object.entries(members).map(([name, value]) => [
        name,
        Array.isArray(value) ? (value[at] as unknown) : value,
      ]),
    ),
  )
}

const MOMENTS = ['2026-11-28T09:00:00Z', '2026-11-28T10:00:00Z', '2026-11-29T09:00:00Z']

test.for([
  {
    name: 'what names a record stands before its dates, and these before what nobody knows',
    members: {
      node_id: ['R_df4fe69d5656', 'R_f9b3989ba4ef', 'R_a1b2c3d4e5f6'],
      language: ['Go', 'C', 'Zig'],
      updated_at: MOMENTS,
      full_name: ['t/app', 't/docs', 't/web'],
      id: [1, 2, 3],
    },
    want: ['id', 'full_name', 'updated_at', 'language', 'node_id'],
  },
  {
    name: 'what all have alike stands behind, but for states and what amounts are in',
    members: {
      object: 'invoice',
      status: 'open',
      currency: 'eur',
      error_status: 'none',
      number: ['A-1', 'A-2', 'A-3'],
      paid: [true, false, true],
    },
    want: ['number', 'status', 'currency', 'paid', 'error_status', 'object'],
  },
  {
    name: 'a state that no record has stands behind',
    members: { status: null, size: [1, 2, 3] },
    want: ['size', 'status'],
  },
  {
    name: 'a long number is an id of programs, before which stands what people say',
    members: { id: [420_003, 420_004, 420_005], number: [103, 104, 105], title: ['a', 'b', 'c'] },
    want: ['title', 'number', 'id'],
  },
  {
    name: 'one moment is told once, however it is written',
    members: {
      ts: ['1776750194.000294', '1776750195.000295', '1776750196.000296'],
      sent_at: ['2026-04-21T05:43:14Z', '2026-04-21T05:43:15Z', '2026-04-21T07:43:16+02:00'],
      channel: ['C1', 'C2', 'C3'],
      size: [1, 2, 3],
    },
    want: ['channel', 'sent_at', 'size', 'ts'],
  },
  {
    name: 'one amount and one customer stand before the dates, the others behind them',
    members: {
      created: MOMENTS,
      amount_due: [1, 2, 3],
      amount_paid: [3, 1, 2],
      customer: ['cus_9s6XKzkNRiz8i3', 'cus_8s7XKzkNRiz8i4', 'cus_7s8XKzkNRiz8i5'],
      customer_name: ['Ada', 'Ben', 'Cleo'],
      effective_status: ['open', 'paid', 'void'],
    },
    want: ['effective_status', 'amount_due', 'customer_name', 'created', 'amount_paid', 'customer'],
  },
  {
    name: 'a text names what nothing else names',
    members: {
      user: ['U1', 'U2', 'U3'],
      text: ['Thanks', 'Done', 'Which of them?'],
      ts: ['1', '2', '3'],
    },
    want: ['text', 'user', 'ts'],
  },
  {
    name: 'a text stands behind where there is a title',
    members: { body: ['x', 'y', 'z'], title: ['Oil', 'Grease', 'Wax'], state: ['a', 'b', 'c'] },
    want: ['title', 'state', 'body'],
  },
  {
    name: 'a camel is read as words',
    members: {
      teamId: [1, 2, 3],
      size: [3, 2, 1],
      createdAt: MOMENTS,
      displayName: ['A', 'B', 'C'],
    },
    want: ['displayName', 'createdAt', 'size', 'teamId'],
  },
])('$name', ({ members, want }) =>
  expect(columnsOf(three(members)).map(({ title }) => title)).toEqual(want),
)

test('an id that is shown by a name stands with the texts', () => {
  const records = three({
    isOpen: [true, false, true],
    ownerId: ['11', '12', '13'],
    size: [4, 5, 7],
  })
  const isNamed = ([name]: readonly string[]): boolean => name === 'ownerId'
  const titles = (options: object): readonly string[] =>
    columnsOf(records, options).map(({ title }) => title)
  expect(titles({})).toEqual(['size', 'ownerId', 'isOpen'])
  expect(titles({ isNamed })).toEqual(['ownerId', 'size', 'isOpen'])
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
