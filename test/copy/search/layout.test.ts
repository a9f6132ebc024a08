import { readFile } from 'node:fs/promises'

import { expect, test } from 'vitest'

import { loadManifest } from '../../../src/language/manifest/load.ts'
import { findPlace, searchLayout } from '../../../src/copy/search/layout.ts'
import { makeLayout } from './make-layout.ts'

test('slots go to the order, the key, numbers, then text', () => {
  const layout = makeLayout({
    fields: {
      a: 'string',
      id: 'string',
      n: 'number',
      o: 'object',
      key: 'string',
      b: 'boolean',
      i: 'integer',
    },
    order: ['o.status.name', 'a'],
    substring: ['a', 'o.title'],
  })
  expect(
    layout.lifts.map(({ name, slot, sortable, substring }) => [name, slot, sortable, substring]),
  ).toEqual([
    ['a', 2, true, true],
    ['id', 3, true, false],
    ['n', 5, true, false],
    ['key', 4, true, false],
    ['b', 7, true, false],
    ['i', 6, true, false],
    ['o.status.name', 1, true, false],
    ['o.title', null, false, true],
  ])
})

test('the hash moves with the fields and not with what is only speed upstream', () => {
  const one = makeLayout({ fields: { id: 'string', a: 'string' } })
  expect(makeLayout({ fields: { id: 'string', a: 'string' } }).hash).toBe(one.hash)
  expect(makeLayout({ fields: { id: 'string', a: 'integer' } }).hash).not.toBe(one.hash)
  expect(makeLayout({ fields: { id: 'string', a: 'string' }, key: 'a' }).hash).not.toBe(one.hash)
})

test('a declared name with a dot wins over a path, and the longest name over shorter ones', () => {
  const { fields } = makeLayout({ fields: { a: 'object', 'a.b': 'array', 'a.b.c': 'string' } })
  expect(findPlace(fields, 'a.b.c')).toEqual({ field: 2, path: [] })
  expect(findPlace(fields, 'a.b.d.e')).toEqual({ field: 1, path: ['d', 'e'] })
  expect(findPlace(fields, 'a.c')).toEqual({ field: 0, path: ['c'] })
  expect(findPlace(fields, 'b')).toBeNull()
})

test.for(['gong', 'jira', 'facebook-marketing'])(
  'every searchable entity of %s has a layout',
  async (type) => {
    const path = `manifests/${type}.yaml`
    const { manifest } = loadManifest({ file: path, text: await readFile(path) })
    const searchable = (manifest?.entities ?? []).filter(({ search }) => search !== null)
    expect(searchable.length).toBeGreaterThan(3)
    for (const entity of searchable) {
      const layout = searchLayout(entity)
      expect(layout?.fields.length).toBe(entity.search?.fields.length)
      expect(layout?.lifts.some(({ slot }) => slot === 1)).toBe(true)
      for (const name of entity.search?.index.order ?? [])
        expect(layout?.lifts.find((lift) => lift.name === name)?.slot).not.toBeNull()
    }
  },
)
