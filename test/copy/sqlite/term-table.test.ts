// The words of documents, read the quick way, are those that the plain way gives.
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { TermTable, TermTables } from '../../../src/copy/sqlite/term-table.ts'
import { scopePrefix } from '../../../src/copy/sql/word-query.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import { fieldPrefix } from '../../../src/copy/search/opened-row.ts'
import { termsOf } from '../../../src/copy/search/values.ts'
import { isSpelled } from '../../../src/copy/sql/vocabulary.ts'
import { makeLayout } from '../search/make-layout.ts'

const layout = makeLayout({ fields: { id: 'string', title: 'string', more: 'array' } })

function plainTerms(document: JsonObject): readonly string[] {
  return [...termsOf(layout, document).byField].flatMap(([field, words]) =>
    [...words].map((word) => scopePrefix(7) + fieldPrefix(field) + word),
  )
}

test('a word is given once per field, with copy and field before it', () => {
  const table = new TermTable(layout, 7)
  table.beginBatch()
  const document = { id: 'A-1', title: 'Red, red & RED; Straße', more: ['red', 'x'.repeat(70)] }
  expect(table.take(document, null)).toBe(
    `1700a 17001 1701red 1701strasse 1702red 1702${'x'.repeat(64)}`,
  )
  expect(table.takeMet()).toEqual(['red', 'strasse', 'x'.repeat(64)])
  expect(table.take({ id: '', title: '', more: [] }, null)).toBe('')
})

test('words of the vocabulary are met once per batch', () => {
  const table = new TermTable(layout, 7)
  table.beginBatch()
  table.take({ title: 'one two' }, null)
  table.take({ title: 'two three' }, null)
  expect(table.takeMet()).toEqual(['one', 'two', 'three'])
  table.take({ title: 'two four' }, null)
  expect(table.takeMet()).toEqual(['four'])
  table.beginBatch()
  table.take({ title: 'two' }, null)
  expect(table.takeMet()).toEqual(['two'])
})

test('the table of a copy is kept from batch to batch, that of another one is its own', () => {
  const tables = new TermTables()
  const name = { instanceId: 'a', entity: 'things' }
  const table = tables.begin(name, layout, 7)
  expect(tables.begin(name, layout, 7)).toBe(table)
  expect(tables.begin(name, layout, 8)).not.toBe(table)
  expect(tables.begin({ ...name, instanceId: 'b' }, layout, 7)).not.toBe(table)
})

test('whatever the texts are, the words are those of the plain way', () => {
  const table = new TermTable(layout, 7)
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc
      .array(fc.constantFrom('oil', 'Oil', 'ölig', '油', 'a1', 'x'.repeat(65), '-'))
      .map((all) => all.join(' ')),
  )
  fc.assert(
    fc.property(text, fc.array(text), fc.boolean(), (title, more, isLong) => {
      const document = { title, more }
      table.beginBatch()
      const taken = table.take(document, isLong ? termsOf(layout, document).byField : null)
      const terms = plainTerms(document)
      expect(taken).toBe(terms.join(' '))
      const words = terms.map((term) => term.slice(4)).filter(isSpelled)
      expect(table.takeMet()).toEqual([...new Set(words)])
    }),
    { numRuns: 500 },
  )
})

test('more different words than are remembered are all given', () => {
  const table = new TermTable(layout, 7)
  table.beginBatch()
  let wrong = 0
  for (let n = 0; n < 70_000; n++) {
    const word = n.toString(36)
    if (table.take({ title: `${word} ${word}` }, null) !== `1701${word}`) wrong++
  }
  expect(wrong).toBe(0)
})
