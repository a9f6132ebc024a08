// The list of pages, and what is told of each.
import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  CHANGELOG,
  contentsOf,
  GUIDES,
  pageOf,
  readGuides,
} from '../../../src/service/docs/doc-pages.ts'

test('every file of docs/ is in the list, and every name of the list is a file', () => {
  const files = globSync('docs/{*,reference/*}.md')
    .map((file) => file.slice('docs/'.length, -'.md'.length))
    // The front page of the site leads to the others.
    .filter((name) => name !== 'index')
  expect(Object.values(GUIDES).flat().toSorted()).toEqual(files.toSorted())
})

test('every guide has a title and one sentence', () => {
  const { pages } = readGuides('.')
  expect(pages.filter(({ title, path }) => title === path)).toEqual([])
  expect(pages.filter(({ about }) => !/^[^\n]{15,400}\.$/.test(about))).toEqual([])
})

test.for([
  {
    name: 'the first sentence below the heading, without links and emphasis',
    text: '# A page\n\n<!-- Made. -->\n\nSee [the **other**](b.md) page. And more.\n\nBelow.\n',
    about: 'See the other page.',
  },
  {
    name: 'what ends with a colon ends as a sentence does',
    text: '# A page\n\nThere are three ways:\n\n- one\n',
    about: 'There are three ways.',
  },
  {
    name: 'a stop within a word ends nothing',
    text: '# A page\n\nPut `a.b.c` into tenon.yaml of 1.2.3 now. Then go.\n',
    about: 'Put `a.b.c` into tenon.yaml of 1.2.3 now.',
  },
])('$name', ({ text, about }) => {
  expect(pageOf('a', 'Guides', text)).toEqual({
    path: 'a',
    group: 'Guides',
    title: 'A page',
    about,
  })
})

test('the contents have each page once, by groups, below where they are served', () => {
  const pages = [
    { path: 'a', group: 'Guides', title: 'First', about: 'Of one.' },
    { path: 'x/b', group: 'Other', title: 'Second', about: 'Of two.' },
    { path: 'c', group: 'Guides', title: 'Third', about: 'Of three.' },
  ]
  expect(contentsOf(pages, '/base/docs/')).toBe(`# Tenon

> One manifest per connector, one engine for all.

All pages of the documentation. Each is there as Markdown, too: at its address with \`.md\` behind it.

## Guides

- [First](/base/docs/a.md): Of one.
- [Third](/base/docs/c.md): Of three.

## Other

- [Second](/base/docs/x/b.md): Of two.
`)
})

test('links of the changelog lead from where its page stands', async () => {
  const text = (await readGuides('.').textOf(CHANGELOG)) ?? ''
  expect(text).toContain('](operation.md')
  expect(text).not.toContain('](docs/')
})

test('a package without its documents has none of these pages', () => {
  expect(readGuides('test/service').pages).toEqual([])
})
