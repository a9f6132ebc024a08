import { expect, test } from 'vitest'
import { isShortOf, momentsOf, readShortId, shortLogId } from '../../src/display/short-ids.ts'
import { firstLogId, headOfLogId, logIdAt } from '../../src/service/store/logs.ts'

const AT = Date.parse('2026-05-03T10:00:00.000Z')

test('a short id has the time of its entry, and what tells those apart that were written together', () => {
  const ids = [0, 1, 63].map((index) => logIdAt(headOfLogId(firstLogId(AT)), index))
  for (const id of ids)
    for (const typed of [shortLogId(id), shortLogId(id).replace('…', '..')]) {
      const short = readShortId(typed)
      if (short === null) throw new Error(typed)
      expect(short).toEqual({ head: id.slice(0, 18), tail: id.slice(-2) })
      expect(momentsOf(short)).toEqual({ fromMs: AT, toMs: AT })
      expect(ids.filter((each) => isShortOf(short, each))).toEqual([id])
    }
  expect(new Set(ids.map(shortLogId)).size).toBe(3)
})

test.for([
  ['0199f3b7', { head: '0199f3b7', tail: '' }, 65_535],
  ['0199F3B7-4c', { head: '0199f3b7-4c', tail: '' }, 255],
  ['0199f3b7-…', { head: '0199f3b7-', tail: '' }, 65_535],
  ['0199f3b7…1f9a10', { head: '0199f3b7', tail: '1f9a10' }, 65_535],
  ['0199f3b7-4c1e-7003...02', { head: '0199f3b7-4c1e-7003', tail: '02' }, 0],
] as const)('%s is a short id', ([text, want, ms]) => {
  const short = readShortId(text)
  expect(short).toEqual(want)
  const { fromMs, toMs } = momentsOf(want)
  expect(toMs - fromMs).toBe(ms)
})

test.for([firstLogId(AT), '', '…', '0199f', '…1f9a10', 'north', 'issues', '0199f3b7 4c1e'])(
  '%j is none',
  (text) => expect(readShortId(text)).toBeNull(),
)
