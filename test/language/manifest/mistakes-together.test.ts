// A mistake of YAML hides no other one: what can still be told of the rest is told with it.
import { expect, test } from 'vitest'
import { loadManifest } from '../../../src/language/manifest/load.ts'
import { manifestTemplate } from '../../../src/tools/authoring/manifest-template.ts'

const SOUND = `manifest: 1
connector: { type: acme, title: Acme, version: 1.0.0 }
server: { url: https://api.acme.example }
auth: { none: { apply: none } }
entities:
  customers:
    record: { properties: { id: { type: string } } }
    actions:
      list:
        summary: List customers
        request: { http: GET /customers }
        response: { records: $.items }
        pagination: { type: none, reason: There are few. }
`

/** Edits of the sound manifest; `schema` and `lint` are found by the phase of that name. */
const EDITS = {
  schema: [
    '        summary: List customers\n',
    '        summary: List customers\n        colour: red\n',
  ],
  lint: ['GET /customers', '"GET /customers/{{ params.nobody }}"'],
} as const

const SCHEMA = '11:9+6 schema/unknown-key'
const LINT = '11:45+13 expression/unknown-path'

function findings(edits: readonly (readonly [find: string, put: string])[]): readonly string[] {
  const text = edits.reduce((before, [find, put]) => {
    expect(before.split(find)).toHaveLength(2)
    return before.replace(find, () => put)
  }, SOUND)
  const { manifest, problems } = loadManifest({ file: 'acme.yaml', text })
  expect(manifest).toBeNull()
  return problems.map(({ line, column, length, rule }) => `${line}:${column}+${length} ${rule}`)
}

const TITLE = 'title: Acme'

interface Mistake {
  readonly name: string
  readonly edit: readonly [find: string, put: string]
  readonly found: readonly string[]
}

test.for<Mistake>([
  {
    name: 'a duplicate key',
    edit: [TITLE, 'title: Acme, title: Another'],
    found: ['2:39+5 yaml/duplicate-key'],
  },
  {
    name: 'an escape that does not exist',
    edit: [TITLE, 'title: "A\\d"'],
    found: ['2:35+1 yaml/syntax'],
  },
  { name: 'a tag', edit: [TITLE, 'title: !!str Acme'], found: ['2:33+5 yaml/tag'] },
  {
    name: 'a template without quotes',
    edit: [TITLE, 'title: Acme, description: {{ a }}'],
    found: ['2:52+7 yaml/unquoted-expression'],
  },
  {
    name: 'a control character',
    edit: [TITLE, 'title: "A\u0001B\u0002"'],
    found: ['2:35+1 yaml/character', '2:37+1 yaml/character'],
  },
  {
    name: 'half a character',
    edit: [TITLE, 'title: "\\ud800"'],
    found: ['2:33+8 yaml/character'],
  },
  {
    name: 'a number as a key',
    edit: ['properties: { id:', 'properties: { 7: { type: string }, id:'],
    found: ['7:29+1 yaml/key'],
  },
  {
    name: 'a number that JSON does not have, told once',
    edit: [TITLE, 'title: .inf'],
    found: ['2:33+4 yaml/number'],
  },
])('$name hides nothing', ({ edit, found }) => {
  expect(findings([edit])).toEqual(found)
  expect(findings([edit, EDITS.schema])).toEqual([SCHEMA, ...found].toSorted(byLine))
})

test('a mistake of YAML hides nothing of the lint', () => {
  expect(findings([[TITLE, 'title: Acme, title: Another'], EDITS.lint])).toEqual([
    '2:39+5 yaml/duplicate-key',
    LINT,
  ])
})

test.for<Mistake>([
  {
    name: 'a merge key, as what it stands for is not known',
    edit: ['connector: { ', 'connector: { <<: { a: 1 }, '],
    found: ['2:14+2 yaml/anchor'],
  },
  {
    name: 'an alias',
    edit: ['apply: none', 'apply: *other'],
    found: ['4:24+6 yaml/anchor'],
  },
  {
    name: 'a text that is broken from there on',
    edit: [TITLE, 'title: [1]]'],
    // At the brace that it leaves open.
    found: ['2:12+1 yaml/syntax'],
  },
])('alone is told: $name', ({ edit, found }) => {
  expect(findings([edit, EDITS.schema])).toEqual(found)
})

/** As `tenon init` writes it, with mistakes of several phases. */
const TEMPLATE: readonly (readonly [
  name: string,
  edit: readonly [string, string],
  found: string,
])[] = [
  [
    'a type of the schema',
    ['name: { type: [string, "null"] }', 'name: { type: strin }'],
    'schema/value',
  ],
  [
    'an unknown key',
    ['        summary: List customers\n', '        summary: List customers\n        colour: red\n'],
    'schema/unknown-key',
  ],
  [
    'a credential',
    ['{{ credentials.api_key }}', '{{ credentials.api_kee }}'],
    'expression/unknown-path',
  ],
  ['a reference', ['entity: customers', 'entity: customer'], 'check/unknown-entity'],
  [
    'a parameter',
    ['query: [limit, cursor]', 'query: [limit, cursor, limt]'],
    'request/unknown-param',
  ],
]

test('mistakes of all phases are told at once, where one does not follow from another', () => {
  const text = TEMPLATE.reduce((before, [, [find, put]]) => {
    expect(before.split(find).length).toBeGreaterThan(1)
    return before.replace(find, () => put)
  }, manifestTemplate('acme'))
  const { problems, isPart } = loadManifest({ file: 'acme.yaml', text })
  expect(isPart).toBe(true)
  expect(problems.map(({ rule }) => rule).toSorted()).toEqual(
    TEMPLATE.map(([, , rule]) => rule).toSorted(),
  )
})

test('what may follow from a gap is not told', () => {
  const misspelt = '        parms: { properties: { nobody: { type: string } } }\n'
  expect(
    findings([
      ['        summary: List customers\n', `        summary: List customers\n${misspelt}`],
      EDITS.lint,
    ]),
  ).toEqual(['11:9+5 schema/unknown-key'])
})

function byLine(a: string, b: string): number {
  return Number.parseInt(a, 10) - Number.parseInt(b, 10)
}
