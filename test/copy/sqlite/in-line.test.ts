// Work that waits for a place.
import { expect, test } from 'vitest'

import { Line } from '../../../src/copy/sqlite/in-line.ts'

test('so many work at once, the others follow in order, and a failure gives its place back', async () => {
  const line = new Line(2)
  const told: string[] = []
  const ends = new Map<string, () => void>()
  const enter = async (name: string): Promise<string> =>
    await line.enter(async () => {
      told.push(name)
      await new Promise<void>((resolve, reject) => {
        ends.set(name, name === 'b' ? () => reject(new Error('b fails')) : resolve)
      })
      return name
    })
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(enter)
  expect(told).toEqual(['a', 'b'])
  ends.get('b')?.()
  await expect(b).rejects.toThrow('b fails')
  await expect.poll(() => told).toEqual(['a', 'b', 'c'])
  ends.get('a')?.()
  expect(await a).toBe('a')
  await expect.poll(() => told).toEqual(['a', 'b', 'c', 'd'])
  ends.get('c')?.()
  ends.get('d')?.()
  expect(await Promise.all([c, d])).toEqual(['c', 'd'])
  expect(await line.enter(() => 'at once')).toBe('at once')
})
