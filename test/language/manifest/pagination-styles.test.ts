// The table of pagination styles against what else names them: the schema of manifests, its document, other sources.
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parsePath } from '../../../src/language/expression/parse-path.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import {
  type CompiledStyle,
  pagingOf,
  type PaginationStyle,
  styleOf,
  STYLES,
} from '../../../src/language/manifest/pagination-styles.ts'
import { readSchema } from '../../../src/language/manifest/schema-problems.ts'

interface Block {
  readonly properties: Readonly<Record<string, JsonObject>>
  readonly allOf: readonly {
    readonly if: JsonObject
    readonly then: { readonly required: readonly string[]; readonly properties: JsonObject }
  }[]
}
const definitions = readSchema()['definitions'] as unknown as Readonly<Record<string, Block>>
const block = definitions['pagination'] as Block
const styles = Object.keys(STYLES) as PaginationStyle[]

/** What the schema demands of a style and forbids it. */
function ruleOf(style: PaginationStyle): Block['allOf'][number]['then'] | undefined {
  const wanted = { properties: { type: { const: style } }, required: ['type'] }
  return block.allOf.find((rule) => JSON.stringify(rule.if) === JSON.stringify(wanted))?.then
}

/** The keys that not all styles may have which turn pages, `?` behind those that may be missing. */
function ownKeys(style: PaginationStyle): readonly string[] {
  const forbidden = (of: PaginationStyle): readonly string[] =>
    Object.entries(ruleOf(of)?.properties ?? {}).flatMap(([key, rule]) =>
      rule === false ? [key] : [],
    )
  const some = new Set(styles.filter((of) => styleOf(of).by !== null).flatMap(forbidden))
  return [...some]
    .filter((key) => !forbidden(style).includes(key))
    .map((key) => (ruleOf(style)?.required.includes(key) === true ? key : `${key}?`))
    .toSorted()
}

test('the schema of manifests has these styles, and says of each what it needs', () => {
  expect(block.properties['type']?.['enum']).toEqual(styles)
  expect(styles.filter((style) => ruleOf(style)?.required === undefined)).toEqual([])
})

test('the document of the language has a row for each', () => {
  const text = readFileSync('docs/manifest-language.md', 'utf8')
  const [, , ...rows] =
    /\| Style \| .*\n(?:\|.*\n)+/.exec(text)?.[0].trimEnd().split('\n').map(cellsOf) ?? []
  expect(rows.map(([style, , holds, keys]) => ({ style, holds, keys }))).toEqual(
    styles.map((style) => ({
      style,
      holds: STYLES[style].holds.join(', ') || '–',
      keys: ownKeys(style).join(', '),
    })),
  )
})

function cellsOf(row: string): readonly string[] {
  return row.split(' | ').map((cell) => cell.replaceAll(/[`|]/g, '').trim())
}

const next = parsePath('$.next')
const count = parsePath('$.count')
test.for<{ readonly given: CompiledStyle; readonly want: object | null }>([
  { given: { type: 'none', reason: 'Few.' }, want: null },
  { given: { type: 'cursor', next, first: '*' }, want: { by: 'token', next, start: '*' } },
  { given: { type: 'link', next }, want: { by: 'address', next, start: null } },
  {
    given: { type: 'page', first: 0, omitFirst: false, pages: count, shortPage: true },
    want: { by: 'pages', from: 0, start: 0, omitted: null, count, shortPage: true },
  },
  {
    given: { type: 'page', first: 1, omitFirst: true, pages: null, shortPage: false },
    want: { by: 'pages', from: 1, start: null, omitted: 1, count: null, shortPage: false },
  },
  {
    given: { type: 'offset', total: null, shortPage: false },
    want: { by: 'records', from: 0, start: null, omitted: null, count: null, shortPage: false },
  },
])('how $given.type goes on', ({ given, want }) => {
  expect(pagingOf(given)).toEqual(want === null ? null : { ...given, ...want })
})

test('no other source compares the name of a style', () => {
  const names = styles.join('|')
  const compared = new RegExp(
    `[pP]ag(ination|ing)\\??\\.type [!=]== '|\\btype [!=]== '(${names})'|case '(${names})'`,
  )
  // Roots of paths, what a route of the service answers with, and parts of Markdown.
  const others = new Set([
    'src/language/expression/pick.ts',
    'src/service/http/exchange.ts',
    'src/console/reference/doc-view.tsx',
  ])
  const sources = globSync('src/**/*.{ts,tsx}', { exclude: ['src/client/generated/**'] })
  expect(sources.length).toBeGreaterThan(500)
  expect(
    sources.filter((file) => !others.has(file) && compared.test(readFileSync(file, 'utf8'))),
  ).toEqual([])
})
