// What editors put in: each snippet, with its proposals taken, is a part of a manifest without a finding.
import { expect, test } from 'vitest'
import type { Json, JsonObject } from '../../../src/language/json/json.ts'
import { ACTIONS } from '../../../src/language/manifest/actions.ts'
import { loadManifest } from '../../../src/language/manifest/load.ts'
import { PLACES } from '../../../src/language/manifest/credential-places/places.ts'
import { STYLES } from '../../../src/language/manifest/pagination-styles.ts'
import { POSITIONS } from '../../../src/language/manifest/upload-positions.ts'
import { readSchema } from '../../../src/language/manifest/schema-problems.ts'

interface Snippet {
  readonly label: string
  readonly body: Json
}

const SCHEMA = readSchema()

/** The snippets at a place of the schema, proposals taken: `${1:items}` is `items`. */
function snippetsAt(...path: readonly string[]): readonly Snippet[] {
  let block: unknown = SCHEMA
  for (const name of path) block = (block as JsonObject)[name]
  const { defaultSnippets } = block as { readonly defaultSnippets: readonly Snippet[] }
  const text = JSON.stringify(defaultSnippets)
  const taken = text.replaceAll(/\$\{\d:((?:[^}\\]|\\.)*)\}/g, '$1').replaceAll('\\\\$', '$')
  return JSON.parse(taken) as readonly Snippet[]
}

const ENTITIES = ['definitions', 'entity', 'properties', 'actions'] as const
const LIST = snippetsAt(...ENTITIES).find(({ label }) => label === 'list')?.body as JsonObject
const BEARER = snippetsAt('properties', 'auth').find(({ label }) => label === 'bearer')?.body

function findings(auth: Json | undefined, actions: Json): unknown {
  const manifest = {
    manifest: 1,
    connector: { type: 'acme', title: 'Acme', version: '1.0.0' },
    server: { url: 'https://api.acme.example' },
    auth,
    check: { entity: 'items', action: 'list' },
    entities: {
      items: {
        record: { properties: { id: { type: 'string' }, name: { type: 'string' } } },
        actions,
      },
    },
  }
  return loadManifest({ object: manifest, file: 'manifest' }).problems
}

test('there is a snippet for every action and every pagination', () => {
  expect(snippetsAt(...ENTITIES).map(({ label }) => label)).toEqual(Object.keys(ACTIONS))
  const labels = snippetsAt('definitions', 'pagination').map(({ label }) => label)
  expect(labels).toEqual(Object.keys(STYLES))
})

test.for(snippetsAt(...ENTITIES))('the snippet of the action $label', ({ body }) => {
  expect(findings(BEARER, { ...LIST, ...(body as JsonObject) })).toEqual([])
})

test('there is a snippet for every place that credentials may have in a request', () => {
  const words = snippetsAt('properties', 'auth').flatMap(({ body }) =>
    Object.values(body as JsonObject).flatMap((method) => {
      const { apply } = method as JsonObject
      return typeof apply === 'string' ? [] : Object.keys(apply as JsonObject)
    }),
  )
  expect(new Set(words)).toEqual(new Set(Object.keys(PLACES)))
})

test.for(snippetsAt('properties', 'auth'))(
  'the snippet of the authentication $label',
  (snippet) => {
    expect(findings(snippet.body, LIST)).toEqual([])
  },
)

const HOLDS = { cursor: 'string', page: 'integer', offset: 'integer', next_page: 'string' }

test.for(snippetsAt('definitions', 'pagination'))(
  'the snippet of the pagination $label',
  ({ body }) => {
    const { param, size } = body as { readonly param?: string; readonly size?: string }
    const names = [param ?? [], size ?? []].flat()
    const typed = names.map((name) => [name, { type: HOLDS[name as 'page'] ?? 'integer' }] as const)
    const action = {
      ...(names.length > 0 && { params: { properties: Object.fromEntries(typed) } }),
      request: { http: 'GET /items', query: names },
      response: { records: '$.items' },
      pagination: body,
    }
    expect(findings(BEARER, { list: action })).toEqual([])
  },
)

const UPLOAD = snippetsAt(...ENTITIES).find(({ label }) => label === 'upload')?.body as JsonObject

test('there is a snippet for every way to say which bytes have arrived', () => {
  const labels = snippetsAt('definitions', 'upload').map(({ label }) => label)
  expect(labels).toEqual(Object.keys(POSITIONS))
})

test.for(snippetsAt('definitions', 'upload'))(
  'the snippet of files in parts $label',
  ({ body }) => {
    const { params } = UPLOAD['upload'] as JsonObject
    const upload = { params, request: { http: 'POST /items' }, upload: body }
    expect(findings(BEARER, { ...LIST, upload } as JsonObject)).toEqual([])
  },
)
