// What a run has seen, one bit per number.
import fc from 'fast-check'
import { expect, test } from 'vitest'

import {
  type SeenBits,
  seenByChunk,
  unseenBetween,
  withSeen,
} from '../../../src/copy/sql/seen-bits.ts'

function bitsOf(seqs: readonly number[]): SeenBits {
  const chunks = [...seenByChunk(seqs)]
  return new Map(
    chunks.flatMap(([chunkNo, members]) => {
      const bits = withSeen(null, members)
      return bits === null ? [] : [[chunkNo, bits] as const]
    }),
  )
}

test('what no run has seen is left, over the ends of bytes and chunks', () => {
  const all = Array.from({ length: 40 }, (_, at) => 65_520 + at)
  const seen = bitsOf(all.filter((seq) => seq !== 65_521 && seq !== 65_535 && seq !== 65_536))
  expect(unseenBetween([seen], 65_520, 65_560)).toEqual([65_521, 65_535, 65_536])
  expect(unseenBetween([seen, bitsOf([65_535])], 65_522, 65_562)).toEqual([65_536, 65_560, 65_561])
  expect(unseenBetween([], 7, 10)).toEqual([7, 8, 9])
  expect(unseenBetween([seen], 65_522, 65_522)).toEqual([])
})

test('the complement of what was seen', () => {
  const seqs = fc.array(fc.integer({ min: 65_400, max: 65_700 }), { maxLength: 300 })
  const place = fc.integer({ min: 65_400, max: 65_700 })
  fc.assert(
    fc.property(seqs, seqs, place, place, (one, two, from, before) => {
      const expected = []
      for (let seq = from; seq < before; seq++)
        if (!one.includes(seq) && !two.includes(seq)) expected.push(seq)
      expect(unseenBetween([bitsOf(one), bitsOf(two)], from, before)).toEqual(expected)
    }),
  )
})
