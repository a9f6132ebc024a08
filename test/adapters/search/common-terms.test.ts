import { expect, test } from 'vitest'

import { createCommonTerms } from '../../../src/adapters/search/common-terms.ts'
import type { WordQuery } from '../../../src/adapters/search/word-query.ts'

const term = (text: string): WordQuery => ({ kind: 'term', term: text })
const COMMON = term('the')
const RARE = term('unicorn')

test.for<{ query: WordQuery; rare: boolean }>([
  { query: COMMON, rare: false },
  { query: RARE, rare: true },
  { query: { kind: 'and', parts: [COMMON, COMMON] }, rare: false },
  { query: { kind: 'and', parts: [COMMON, RARE] }, rare: true },
  { query: { kind: 'or', parts: [COMMON, RARE] }, rare: false },
  { query: { kind: 'or', parts: [RARE, term('griffin')] }, rare: true },
  { query: { kind: 'without', parts: [RARE, COMMON] }, rare: true },
  { query: { kind: 'without', parts: [COMMON, RARE] }, rare: false },
])('$query.kind is rare: $rare', async ({ query, rare }) => {
  const terms = createCommonTerms(
    () => Promise.resolve(['the', 'of']),
    () => 0,
  )
  await terms.refresh()
  expect(terms.isRare(query)).toBe(rare)
})

test('without statistics nothing is rare; they are read once a minute', async () => {
  let nowMs = 0
  let known: readonly string[] = []
  let reads = 0
  const read = (): Promise<readonly string[]> => {
    reads++
    return Promise.resolve(known)
  }
  const terms = createCommonTerms(read, () => nowMs)
  const rareAt = async (atMs: number): Promise<readonly [boolean, number]> => {
    nowMs = atMs
    await terms.refresh()
    return [terms.isRare(RARE), reads]
  }
  expect(await rareAt(0)).toEqual([false, 1])
  known = ['the']
  expect(await rareAt(59_999)).toEqual([false, 1])
  expect(await rareAt(60_000)).toEqual([true, 2])
})
