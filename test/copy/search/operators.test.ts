// The table of operators against what else names them: the specification's list, the document, the OpenAPI document,
// the command line, the console and agents.
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FILTER_WORDS, OPERATOR_WORDS } from '../../../src/agents/search-params.ts'
import { notes } from '../../../src/cli/search.ts'
import { choicesOf } from '../../../src/console/screens/search/conditions.ts'
import {
  ALL_OPERATORS,
  COMBINATORS,
  OPERATOR_NAMES,
  OPERATORS,
  type PlaceType,
  SHAPES,
} from '../../../src/copy/search/operators.ts'
import { SEARCH_PARAMS } from '../../../src/service/routes/search-schemas.ts'

test('every operator of the specification is there', () => {
  const specified = 'eq, neq, gt, gte, lt, lte, in, like, fuzzy, keyword, not, and, or'.split(', ')
  expect(ALL_OPERATORS).toEqual(expect.arrayContaining(specified))
})

test('the OpenAPI document describes each with the schema of its operand', () => {
  const { query } = SEARCH_PARAMS['properties'] as { query: { properties: { filter: object } } }
  const { properties } = query.properties.filter as { properties: Record<string, object> }
  expect(Object.keys(properties).toSorted()).toEqual(ALL_OPERATORS.toSorted())
  for (const name of OPERATOR_NAMES)
    expect(properties[name]).toMatchObject({
      additionalProperties: SHAPES[OPERATORS[name].operand].schema,
    })
})

test('agents and the command line are told of every operator', () => {
  for (const name of ALL_OPERATORS) {
    const word = new RegExp(`\\b${name}\\b`)
    expect([FILTER_WORDS, notes, Object.keys(OPERATOR_WORDS).join(' ')]).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(word)),
    )
  }
})

test('the symbols of the command line are distinct', () => {
  const symbols = OPERATOR_NAMES.flatMap((name) => OPERATORS[name].symbol ?? [])
  expect(new Set(symbols).size).toBe(symbols.length)
})

const TYPES: readonly PlaceType[] = ['string', 'integer', 'number', 'boolean', 'array', 'path']
test.for(TYPES)('the console offers for %s what the table compares', (type) => {
  expect(choicesOf(type)).toEqual([
    ...OPERATOR_NAMES.filter((name) => SHAPES[OPERATORS[name].operand].takes.includes(type)),
    'absent',
    'present',
  ])
})

test('the document has a column of types and a paragraph for each', () => {
  const [, text = ''] = readFileSync('docs/search.md', 'utf8').split(/^## (?:Operators|Sorting)$/m)
  const columns: readonly (readonly PlaceType[])[] = [
    ['string'],
    ['integer', 'number'],
    ['boolean'],
    ['object'],
    ['array'],
    ['path'],
  ]
  const rows = [...text.matchAll(/^\| (`\w+`(?: `\w+`)*) +\|(.*)\|$/gm)].flatMap(
    ([, names = '', cells = '']) =>
      [...names.matchAll(/\w+/g)].map(([name]) => [
        name,
        cells.split('|').flatMap((cell, at) => (cell.trim() === '–' ? [] : (columns[at] ?? []))),
      ]),
  )
  expect(new Map(rows as [string, PlaceType[]][])).toEqual(
    new Map(
      OPERATOR_NAMES.map((name) => [
        name,
        columns.flat().filter((type) => SHAPES[OPERATORS[name].operand].takes.includes(type)),
      ]),
    ),
  )
  const paragraphs = [...text.matchAll(/^- ((?:`\w+`(?:, )?)+): .*$/gm)].join('\n')
  for (const name of OPERATOR_NAMES) expect(paragraphs).toContain(`\`${name}\``)
})

test('no other source compares the name of an operator, or lists several', () => {
  const names = [...OPERATOR_NAMES, ...Object.keys(COMBINATORS)].join('|')
  const comparing = OPERATOR_NAMES.filter((name) => name.length > 2).join('|')
  const compared = new RegExp(
    [
      `\\b(operator|comparison)(\\.name)? [!=]== '(${names})'`,
      `case '(${comparing})'`,
      `'(${comparing})',\\s*'(${names})'`,
      `^\\s*(readonly )?(neq|like|fuzzy)\\??:`,
    ].join('|'),
    'm',
  )
  const sources = globSync('src/**/*.{ts,tsx}', {
    exclude: ['src/**/generated/**', 'src/**/operators.ts'],
  })
  expect(sources.length).toBeGreaterThan(500)
  expect(sources.filter((file) => compared.test(readFileSync(file, 'utf8')))).toEqual([])
})
