// How many files of copies are open at once.
import { expect, test } from 'vitest'

import { maxOpenFiles, OpenFiles } from '../../../src/copy/sqlite/open-files.ts'

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
