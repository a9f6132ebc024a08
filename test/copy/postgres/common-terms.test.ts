import { expect, test } from 'vitest'

import { CommonTerms } from '../../../src/copy/postgres/postgres-schema.ts'
import type { WordQuery } from '../../../src/copy/sql/word-query.ts'

const term = (text: string): WordQuery => ({ kind: 'term', term: text })
const COMMON = term('the')
const RARE = term('unicorn')

const OTHER = term('griffin')

test.for<{ name: string; query: WordQuery; part: WordQuery | null }>([
  { name: 'a common term', query: COMMON, part: null },
  { name: 'another term', query: RARE, part: RARE },
  { name: 'common terms', query: { kind: 'and', parts: [COMMON, term('of')] }, part: null },
  { name: 'both', query: { kind: 'and', parts: [COMMON, RARE] }, part: RARE },
  {
    name: 'one of two beside a common term',
    query: { kind: 'and', parts: [{ kind: 'or', parts: [OTHER, RARE] }, COMMON] },
    part: { kind: 'or', parts: [OTHER, RARE] },
  },
  { name: 'one or the other', query: { kind: 'or', parts: [COMMON, RARE] }, part: null },
  {
    name: 'one or both',
    query: { kind: 'or', parts: [OTHER, { kind: 'and', parts: [COMMON, RARE] }] },
    part: { kind: 'or', parts: [OTHER, RARE] },
  },
  { name: 'without a common term', query: { kind: 'without', parts: [RARE, COMMON] }, part: RARE },
  { name: 'a common term without', query: { kind: 'without', parts: [COMMON, RARE] }, part: null },
])('the rare part of $name', async ({ query, part }) => {
  const terms = new CommonTerms(
    () => Promise.resolve(['the', 'of']),
    () => 0,
  )
  await terms.refresh()
  expect(terms.rarePart(query)).toEqual(part)
})

test('a query that is rare as a whole is its own part', async () => {
  const terms = new CommonTerms(
    () => Promise.resolve(['the']),
    () => 0,
  )
  await terms.refresh()
  const query: WordQuery = { kind: 'and', parts: [RARE, { kind: 'or', parts: [OTHER, RARE] }] }
  expect(terms.rarePart(query)).toBe(query)
})

test('without statistics nothing is rare; they are read once a minute', async () => {
  let nowMs = 0
  let known: readonly string[] = []
  let reads = 0
  const read = (): Promise<readonly string[]> => {
    reads++
    return Promise.resolve(known)
  }
  const terms = new CommonTerms(read, () => nowMs)
  const rareAt = async (atMs: number): Promise<readonly [boolean, number]> => {
    nowMs = atMs
    await terms.refresh()
    return [terms.rarePart(RARE) === RARE, reads]
  }
  expect(await rareAt(0)).toEqual([false, 1])
  known = ['the']
  expect(await rareAt(59_999)).toEqual([false, 1])
  expect(await rareAt(60_000)).toEqual([true, 2])
})
