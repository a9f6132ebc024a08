import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import type * as Parsing from '../../../src/language/json/parse-json.ts'
import type * as Plain from '../../../src/language/json/plain-json.ts'

let parsePlainJson: typeof Plain.parsePlainJson
let isKnownPlain: typeof Parsing.isKnownPlain

const PAGE = { list: Array.from({ length: 2_000 }, (_, id) => ({ id, name: `“${id}” é` })) }
const TEXT = JSON.stringify(PAGE)

beforeEach(async () => {
  // As in a process that has read nothing yet.
  vi.resetModules()
  ;({ parsePlainJson } = await import('../../../src/language/json/plain-json.ts'))
  ;({ isKnownPlain } = await import('../../../src/language/json/parse-json.ts'))
})

afterEach(() => {
  vi.unstubAllGlobals()
})

test('texts are read, and their values known to be plain', () => {
  const value = parsePlainJson([Buffer.from(TEXT)])
  expect(value).toEqual(PAGE)
  expect(isKnownPlain(value ?? null)).toBe(true)
})

test('the first 64 KiB of a process are read in the ordinary way, short texts always', () => {
  const bytes = Buffer.from(JSON.stringify({ filling: 'f'.repeat(8_192 - 14) }))
  expect(bytes.length).toBe(8_192)
  const short = Buffer.from('[1]')
  const values = Array.from({ length: 9 }, () => [parsePlainJson([bytes]), parsePlainJson([short])])
  expect(values.map(([long]) => long === undefined)).toEqual([
    ...Array.from({ length: 7 }, () => true),
    false,
    false,
  ])
  expect(values.every(([, short]) => short === undefined)).toBe(true)
})

test.for([
  { name: 'a number that needs care', source: `[${TEXT},9007199254740993]` },
  { name: 'a mistake', source: `[${TEXT},]` },
  { name: 'a byte order mark', source: `\uFEFF${TEXT}` },
  { name: 'nesting beyond the limit', source: `${'['.repeat(64)}${TEXT}${']'.repeat(64)}` },
])('a text with $name is left to the ordinary way', ({ source }) => {
  expect(parsePlainJson([Buffer.from(source)])).toBe(undefined)
})

test('without WebAssembly all texts are left to the ordinary way', () => {
  vi.stubGlobal('WebAssembly', undefined)
  expect(parsePlainJson([Buffer.from(TEXT)])).toBe(undefined)
})

test('the limit of nesting can be set', () => {
  const bytes = Buffer.from(`[${TEXT}]`)
  expect(parsePlainJson([bytes], 40)).toEqual([PAGE])
  expect(parsePlainJson([bytes], 3)).toBe(undefined)
})
