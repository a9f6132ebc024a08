// How many files of copies are open at once, and who waits for a place.
import { mkdtempDisposableSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { Line, OpenFiles } from '../../../src/copy/sqlite/open-files.ts'
import { fileShare } from '../../../src/database/descriptors.ts'

test('the file used longest ago is closed, unless somebody waits for it', () => {
  const closed: string[] = []
  const files = new OpenFiles({
    folder: '/folder',
    run: 1,
    open: (path) => ({
      path,
      rest() {},
      idle: path !== '/folder/i0.sqlite',
      close: async () => void closed.push(path),
    }),
  })
  const { files: most } = fileShare()
  for (let at = 0; at < most; at++) files.of({ instanceId: `i${at}` })
  files.of({ instanceId: 'i1' })
  expect(closed).toEqual([])
  files.of({ instanceId: 'another' })
  expect(closed).toEqual(['/folder/i2.sqlite'])
})

test('where all are closed while others are opened, each is closed once', async () => {
  const closed: number[] = []
  let count = 0
  const ends: (() => void)[] = []
  const files = new OpenFiles({
    folder: '/folder',
    run: 1,
    open: () => {
      const number = ++count
      return {
        idle: true,
        rest() {},
        close: async () => {
          closed.push(number)
          await new Promise<void>((resolve) => {
            ends.push(resolve)
          })
        },
      }
    },
  })
  const { files: most } = fileShare()
  const names = Array.from({ length: most + 1 }, (_, at) => `i${at}`)
  for (const instanceId of names.slice(0, most)) files.of({ instanceId })
  const end = files.closeAll()
  // More than may be open: the one that was used longest ago is closed for it.
  for (const instanceId of names) files.of({ instanceId })
  for (let at = 0; at < count; at++) {
    await expect.poll(() => ends.length).toBeGreaterThan(at)
    ends[at]?.()
  }
  await end
  expect(closed.toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, at) => at + 1))
})

test('of the files that are open only those used last remember much', () => {
  const rested: string[] = []
  const files = new OpenFiles({
    folder: '/folder',
    run: 1,
    warm: 2,
    open: (path) => ({
      idle: true,
      rest: () => void rested.push(path),
      close: () => Promise.resolve(),
    }),
  })
  for (const instanceId of ['a', 'b', 'a', 'c', 'a', 'd']) files.of({ instanceId })
  expect(rested).toEqual(['/folder/b.sqlite', '/folder/b.sqlite', '/folder/c.sqlite'])
})

test.for([
  { name: 'a file that is the same is read once', replaces: false, fails: false, want: [1, 'old'] },
  { name: 'what fails with it is told', replaces: false, fails: true, want: [1, 'old fails'] },
  { name: 'a file in its place is read', replaces: true, fails: false, want: [2, 'new'] },
  { name: 'so it is where the reading fails', replaces: true, fails: true, want: [2, 'new'] },
])('$name', async ({ replaces, fails, want }) => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'tenon-files-'))
  const name = { instanceId: 'i' }
  const put = (text: string): void => {
    writeFileSync(join(folder.path, 'another'), text)
    renameSync(join(folder.path, 'another'), join(folder.path, 'i.sqlite'))
  }
  let opened = 0
  const files = new OpenFiles({
    folder: folder.path,
    run: 1,
    open: () => ({
      text: opened++ === 0 ? 'old' : 'new',
      idle: true,
      rest() {},
      close: () => Promise.resolve(),
    }),
  })
  put('one')
  files.of(name)
  if (replaces) put('two')
  const read: string[] = []
  const reading = files.read(name, async ({ text }) => {
    read.push(text)
    if (fails && text === 'old') throw new Error('old fails')
    return text
  })
  const answer = await reading.catch((error: unknown) => (error as Error).message)
  expect([read.length, answer]).toEqual(want)
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
