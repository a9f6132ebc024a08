import { expect, test } from 'vitest'
import { decodePlace, encodePlace } from '../../src/agents/answer-cursor.ts'

const owner = { client: 'jira', entity: 'issues', action: 'list', params: { a: 1, b: ['x'] } }

test('a place comes back, also for params in another order', () => {
  const place = { page: { after: 'abc' }, told: 3 }
  const cursor = encodePlace(place, owner)
  expect(decodePlace(cursor, { ...owner, params: { b: ['x'], a: 1 } })).toEqual(place)
})

test('large numbers of a page keep their digits', () => {
  const page = { after: JSON.parse('"9007199254740993"') as string }
  expect(decodePlace(encodePlace({ page, told: 0 }, owner), owner).page).toEqual(page)
})

test.for([
  { name: 'other params', cursor: encodePlace({ page: null, told: 1 }, { ...owner, params: {} }) },
  {
    name: 'another action',
    cursor: encodePlace({ page: null, told: 1 }, { ...owner, action: 'get' }),
  },
  {
    name: 'another client',
    cursor: encodePlace({ page: null, told: 1 }, { ...owner, client: 'b' }),
  },
  { name: 'no cursor', cursor: 'next page please' },
  { name: 'a number below 0', cursor: Buffer.from('["x",-1,null]').toString('base64url') },
  { name: 'a page that is no object', cursor: Buffer.from('["x",1,[]]').toString('base64url') },
])('a cursor of $name is refused', ({ cursor }) => {
  expect(() => decodePlace(cursor, owner)).toThrow(
    expect.objectContaining({ code: 'cursor_invalid' }),
  )
})
