// What is asked to tell what records are called, and what an answer tells.
import { expect, test } from 'vitest'
import { type NamedEntity, nameFound, namesAsked } from '../../src/display/record-names.ts'

const REFERENCES = [
  { path: ['owner'], entity: 'users' },
  { path: ['watchers'], entity: 'users' },
  { path: ['product'], entity: 'products' },
]
const USERS = {
  entity: 'users',
  keyField: 'id',
  searchFields: { id: 'integer', name: 'string', notes: 'string' },
}

test.for<{
  readonly name: string
  readonly value: unknown
  readonly entities?: readonly NamedEntity[]
  readonly want: readonly string[] | null
}>([
  {
    name: 'each id of a page is asked for once',
    value: [{ owner: 7, watchers: [7, '8'] }, { owner: 8 }],
    want: ['7', '8'],
  },
  { name: 'what is no id of the field is not asked for', value: { owner: 'u-7' }, want: null },
  { name: 'an object names itself', value: { owner: { id: 7 } }, want: null },
  { name: 'an entity that nobody describes is not asked', value: { product: 7 }, want: null },
  {
    name: 'an entity that cannot be searched is not asked',
    value: { owner: 7 },
    entities: [{ ...USERS, searchFields: null }],
    want: null,
  },
])('$name', ({ value, entities = [USERS], want }) =>
  expect(namesAsked(value, REFERENCES, entities)).toEqual(
    want === null
      ? []
      : [
          {
            entity: 'users',
            key: 'id',
            ids: want,
            params: {
              query: { filter: { in: { id: want } } },
              fields: ['id', 'name'],
              limit: want.length,
            },
          },
        ],
  ),
)

test.for([
  { name: 'a name', data: { id: 7, name: 'Ada' }, key: 'id', want: { id: '7', words: 'Ada' } },
  {
    name: 'a name next to the key',
    data: { cardId: '7', cardName: 'Discovery' },
    key: 'cardId',
    want: { id: '7', words: 'Discovery' },
  },
  { name: 'nothing but the id', data: { id: 7 }, key: 'id', want: null },
])('a record that was found is called by $name', ({ data, key, want }) =>
  expect(nameFound(data, key)).toEqual(want),
)
