import { expect, test } from 'vitest'
import fc from 'fast-check'
import { countFitting, shortenToFit, sizeOf } from '../../src/agents/fit-answer.ts'

test('as many records as there is room for', () => {
  const records = ['aaaa', 'bbbb', 'cccc']
  expect(countFitting(records, 22)).toBe(2)
  expect(countFitting(records, 23)).toBe(3)
  expect(countFitting(records, 5)).toBe(0)
})

test('a value that fits stays as it is', () => {
  expect(shortenToFit({ a: 'x' }, 100)).toEqual({ value: { a: 'x' }, places: [] })
})

test('long texts are shortened, and the places are told', () => {
  const { value, places } = shortenToFit({ id: '1', body: 'x'.repeat(5000), 'a/b': ['y'] }, 3000)
  expect(value).toEqual({
    id: '1',
    body: `${'x'.repeat(2000)}… (5000 characters)`,
    'a/b': ['y'],
  })
  expect(places).toEqual(['/body'])
})

test('lists are shortened', () => {
  const { value, places } = shortenToFit({ list: Array.from({ length: 300 }, () => 'abcdef') }, 900)
  expect(value).toEqual({ list: Array.from({ length: 50 }, () => 'abcdef') })
  expect(places).toEqual(['/list'])
})

test('of many members those stay that fit, the first before the others', () => {
  const many = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`member${index}`, 'value']),
  )
  const { value, places } = shortenToFit({ id: '1', many, last: true }, 300)
  expect(value).toMatchObject({ id: '1', many: { member0: 'value' }, last: true })
  expect(places.slice(0, 2)).toEqual(['', '/many'])
})

test('L4 any value fits in the end', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 50, max: 400 }), (value, room) => {
      expect(sizeOf(shortenToFit(value as never, room).value)).toBeLessThanOrEqual(room)
    }),
    { numRuns: 1000 },
  )
})
