import { expect, test } from 'vitest'
import {
  typedWords,
  wordFields,
  type Words,
  type WordsFilter,
  wordsFilter,
} from '../../../src/copy/search/words-filter.ts'

const TYPES = { id: 'integer', title: 'string', parties: 'array', done: 'boolean' }
const MANY = Object.fromEntries(Array.from({ length: 39 }, (_, at) => [`f${at}`, 'string']))

test('words stand in texts, and in what lies in lists and objects', () =>
  expect(wordFields(TYPES)).toEqual(['title', 'parties']))

test('words are told from what stands between them, as they were typed', () =>
  expect(typedWords(' Zoë, the 2nd – Zoë! ')).toEqual(['Zoë', 'the', '2nd', 'Zoë']))

test.for<{
  readonly name: string
  readonly words: Words
  readonly types?: Readonly<Record<string, string>>
  readonly want: WordsFilter | null
}>([
  { name: 'no word is no filter', words: { words: ' – ', mistakes: false }, want: null },
  {
    name: 'an entity without texts has no filter',
    words: { words: 'a', mistakes: false },
    types: { id: 'integer' },
    want: null,
  },
  {
    name: 'one word in one field',
    words: { words: 'renewal', mistakes: false },
    types: { title: 'string' },
    want: { keyword: { title: 'renewal' } },
  },
  {
    name: 'each word in some field',
    words: { words: 'quarterly renewal', mistakes: false },
    want: {
      and: [
        { or: [{ keyword: { title: 'quarterly' } }, { keyword: { parties: 'quarterly' } }] },
        { or: [{ keyword: { title: 'renewal' } }, { keyword: { parties: 'renewal' } }] },
      ],
    },
  },
  {
    name: 'with mistakes all of them in one field',
    words: { words: ' quartely renewal ', mistakes: true },
    want: {
      or: [{ fuzzy: { title: 'quartely renewal' } }, { fuzzy: { parties: 'quartely renewal' } }],
    },
  },
  {
    name: 'more conditions than a query may have become some word in some field',
    words: { words: 'a b c', mistakes: false },
    types: MANY,
    want: { or: Object.keys(MANY).map((name) => ({ keyword: { [name]: 'a b c' } })) },
  },
])('$name', ({ words, types = TYPES, want }) => expect(wordsFilter(words, types)).toEqual(want))
