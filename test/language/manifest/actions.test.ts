// The table of actions against what else names them: the schema of manifests and its document.
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src/language/json/json.ts'
import { own } from '../../../src/language/json/own.ts'
import {
  type ActionKind,
  ACTIONS,
  CHANGES,
  CHECKS,
  kindOf,
  LISTINGS,
  SEARCH,
} from '../../../src/language/manifest/actions.ts'
import { readSchema } from '../../../src/language/manifest/schema-problems.ts'
import { compileSchema } from '../../../src/language/manifest/validator.ts'

const entries = Object.entries<ActionKind>(ACTIONS)
const schema = readSchema()
const definitions = schema['definitions'] as Readonly<Record<string, JsonObject>>

test('the schema of manifests has these actions, and synchronizes those that list', () => {
  const propertyOf = (definition: string, name: string): JsonObject =>
    own(own(definitions[definition], 'properties'), name) as JsonObject
  expect([
    Object.keys(propertyOf('entity', 'actions')['properties'] as object),
    definitions['actionName'],
    propertyOf('sync', 'action')['enum'],
  ]).toEqual([Object.keys(ACTIONS), { enum: Object.keys(ACTIONS) }, LISTINGS])
})

const REQUEST = { http: 'GET /x' }
test.for(entries)('the schema takes of $0 what its entry says', ([name, { gives, effect }]) => {
  const $ref = `#/definitions/entity/properties/actions/properties/${name}`
  const validate = compileSchema({ definitions, $ref })
  const takes = (more: JsonObject): boolean => {
    const needed = gives === 'list' && more['response'] === undefined
    const response = needed ? { response: { records: '$' } } : {}
    return validate({ request: REQUEST, ...response, ...more })
  }
  const pagination = { type: 'none', reason: 'All at once.' }
  const taken = {
    list: takes({ response: { records: '$.x' }, pagination }),
    record: takes({ response: { record: '$.x' } }),
    stream: takes({ download: { types: ['text/plain'] } }),
    touches: takes({ touches: 'others' }),
  }
  expect(taken).toEqual({
    list: gives === 'list',
    record: gives === 'record',
    stream: gives === 'stream',
    touches: effect !== null,
  })
})

test('what is chosen of the table', () => {
  expect([LISTINGS, CHANGES, CHECKS]).toEqual([
    ['list', 'api_search'],
    ['create', 'update', 'delete', 'upload'],
    ['list', 'get', 'api_search'],
  ])
})

test('the document of the language has a row for each', () => {
  const text = readFileSync('docs/manifest-language.md', 'utf8')
  const rows = [
    ...text.matchAll(/^\| `(\w+)` \| (?:an? )?(list|record|nothing|stream) \| (.*) \|$/gm),
  ]
  expect(rows.map(([, name, gives, rest]) => [name, gives, ...(rest ?? '').split(' | ')])).toEqual(
    entries.map(([name, { gives, effect, namesRecord, methods }]) => [
      name,
      gives,
      effect ?? 'no',
      namesRecord ? 'yes' : 'no',
      effect === null ? methods.join(', ') : 'any',
    ]),
  )
})

test.for([
  { name: SEARCH, want: expect.objectContaining({ gives: 'hits', effect: null }) },
  { name: 'get', want: ACTIONS.get },
  { name: 'constructor', want: null },
  { name: 'bulk_upsert', want: null },
])('what is known of $name', ({ name, want }) => {
  expect(kindOf(name)).toEqual(want)
})

test('no other source compares the name of an action', () => {
  const names = [...Object.keys(ACTIONS), SEARCH].join('|')
  const compared = new RegExp(`\\baction(Name|\\.name|\\.action)? [!=]== '(${names})'|'api_search'`)
  const sources = globSync('src/**/*.{ts,tsx}', {
    exclude: [
      'src/client/generated/**',
      'src/language/manifest/actions.ts',
      'src/language/manifest/source.ts',
    ],
  })
  expect(sources.length).toBeGreaterThan(500)
  expect(sources.filter((file) => compared.test(readFileSync(file, 'utf8')))).toEqual([])
})
