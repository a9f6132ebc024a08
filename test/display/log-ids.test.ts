import { expect, test } from 'vitest'
import { readShortLogId, shortLogId } from '../../src/display/log-ids.ts'
import { firstLogId, headOfLogId, logIdAt } from '../../src/service/store/logs.ts'

const AT = Date.parse('2026-05-03T10:00:00.000Z')

test('a short id has the time of its entry, and what tells those apart that were written together', () => {
  const ids = [0, 1, 63].map((index) => logIdAt(headOfLogId(firstLogId(AT)), index))
  for (const id of ids)
    for (const typed of [shortLogId(id), shortLogId(id).replace('…', '..')])
      expect(readShortLogId(typed)).toEqual({
        atMs: AT,
        head: id.slice(0, 18),
        tail: id.slice(-2),
      })
  expect(new Set(ids.map(shortLogId)).size).toBe(3)
})

test.for([firstLogId(AT), '', '…', '0199f3b7-…', '0199f3b7-4c1e-7003…', '0199F3B7-4c1e-7003…02'])(
  '%j is none',
  (text) => expect(readShortLogId(text)).toBeNull(),
)
