import { randomBytes } from 'node:crypto'

import { expect, test } from 'vitest'

import { createSealer } from '../../../src/engine/run/seal.ts'
import { isConnectorError } from '../../../src/errors.ts'
import {
  createCursorSeal,
  type CursorContext,
  type WalkPosition,
} from '../../../src/copy/search/cursor.ts'

let nowMs = 1_000
const seal = createCursorSeal(createSealer(randomBytes(32)), () => nowMs)
const context: CursorContext = {
  organizationId: 'org',
  instanceId: 'one',
  entity: 'calls',
  epoch: 1,
  layoutHash: 'layout',
  queryHash: 'query',
}
const position: WalkPosition = { mode: 'sort', keys: ['a\u{10ffff}', null], score: 1, seq: 7 }

function refused(cursor: string, at: CursorContext = context, by = seal): boolean {
  try {
    by.open(cursor, at)
    return false
  } catch (error) {
    return isConnectorError(error, 'cursor_invalid')
  }
}

test('a cursor opens where it came from', () => {
  expect(seal.open(seal.begin(context)(position), context)).toEqual(position)
})

test('a cursor over the longest keys opens, too', () => {
  for (const letter of ['\u0001', '\u{10000}', '"']) {
    const key = `${letter.repeat(256)}\u{10ffff}${'d'.repeat(43)}`
    const long: WalkPosition = { ...position, keys: [key, key, key, key] }
    expect(seal.open(seal.begin(context)(long), context)).toEqual(long)
  }
})

test.for([
  { organizationId: 'other' },
  { instanceId: 'two' },
  { entity: 'users' },
  { epoch: 2 },
  { layoutHash: 'other' },
  { queryHash: 'other' },
])('T5 a cursor opens nowhere else: %o', (change) =>
  expect(refused(seal.begin(context)(position), { ...context, ...change })).toBe(true),
)

test('T5 a cursor of another key does not open', () => {
  const other = createCursorSeal(createSealer(randomBytes(32)), () => nowMs)
  expect(refused(other.begin(context)(position))).toBe(true)
})

test('T5 no bit of a cursor can be changed', () => {
  const bytes = Buffer.from(seal.begin(context)(position), 'base64url')
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(refused(changed.toString('base64url'))).toBe(true)
  }
})

test.for(['', 'a', '!', 'a'.repeat(10_000), '%', 'AAAA AAAA'])('T5 %s is no cursor', (text) =>
  expect(refused(text)).toBe(true),
)

test('a cursor is good for 24 hours', () => {
  nowMs = 5_000
  const cursor = seal.begin(context)(position)
  nowMs = 5_000 + 24 * 3_600_000 - 1
  expect(refused(cursor)).toBe(false)
  nowMs++
  expect(refused(cursor)).toBe(true)
})
