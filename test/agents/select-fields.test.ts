import { expect, test } from 'vitest'
import { selectFields } from '../../src/agents/select-fields.ts'

const record = {
  id: '1',
  fields: { summary: 'Oil', status: { name: 'Open', id: '3' } },
  parties: [{ name: 'Ada', mail: 'a@example.com' }, { name: 'Bo' }],
  'a.b': 1,
}

test.for([
  { name: 'a name at the top', paths: ['id'], want: { id: '1' } },
  {
    name: 'paths into objects',
    paths: ['fields.summary', 'fields.status.name'],
    want: { fields: { summary: 'Oil', status: { name: 'Open' } } },
  },
  {
    name: 'paths through lists',
    paths: ['parties.name'],
    want: { parties: [{ name: 'Ada' }, { name: 'Bo' }] },
  },
  { name: 'a name with a dot', paths: ['a.b'], want: { 'a.b': 1 } },
  {
    name: 'a whole member beside a part of it',
    paths: ['fields.status', 'fields.status.id'],
    want: { fields: { status: { name: 'Open', id: '3' } } },
  },
  {
    name: 'what is not there stays away',
    paths: ['nothing', 'fields.nothing'],
    want: { fields: {} },
  },
])('$name', ({ paths, want }) => expect(selectFields(record, paths)).toEqual(want))
