// How many files of copies are open at once, and who waits for a place.
import { expect, test } from 'vitest'

import { Line, maxOpenFiles, OpenFiles } from '../../../src/copy/sqlite/open-files.ts'

test.for([
  { descriptors: Infinity, most: 64 },
  { descriptors: 1_048_576, most: 64 },
  { descriptors: 1_024, most: 38 },
  { descriptors: 256, most: 9 },
  { descriptors: 10, most: 2 },
])('a process with $descriptors descriptors has $most files open', ({ descriptors, most }) => {
  expect(maxOpenFiles(descriptors)).toBe(most)
})

test('the file used longest ago is closed, unless somebody waits for it', () => {
  const closed: string[] = []
  const files = new OpenFiles('/folder', (path) => ({
    path,
    idle: path !== '/folder/i0.sqlite',
    close: async () => void closed.push(path),
  }))
  const most = maxOpenFiles()
  for (let at = 0; at < most; at++) files.of({ instanceId: `i${at}` })
  files.of({ instanceId: 'i1' })
  expect(closed).toEqual([])
  files.of({ instanceId: 'another' })
  expect(closed).toEqual(['/folder/i2.sqlite'])
})

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
