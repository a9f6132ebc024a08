import { describe, expect, test } from 'vitest'

import { loadManifest } from '../../../src/language/manifest/load.ts'
import type { LoadResult } from '../../../src/language/manifest/compiled.ts'

/** A manifest of two listings with these lines for their parameters. `shared`: the sets. */
function load(parts: {
  readonly list: string
  readonly search?: string
  readonly shared?: string
  readonly query?: string
}): LoadResult {
  const { list, search = list, shared = '', query = '[q, cursor, limit]' } = parts
  const text = `manifest: 1
connector: { type: acme, title: Acme, version: 1.0.0 }
server: { url: https://api.acme.example }
auth: { none: { apply: none } }
${shared}
defaults: { pagination: { type: cursor, param: cursor, size: limit, next: $.next } }
entities:
  items:
    record: { properties: { id: { type: string } } }
    actions:
      list:
${list}
        request: { http: GET /items, query: ${query} }
        response: { records: $.items }
      api_search:
${search}
        request: { http: POST /search, body: ${query} }
        response: { records: $.items }
`
  return loadManifest({ file: 'acme.yaml', text })
}

const PAGING = `shared:
  paging:
    limit: { type: integer, default: 50, maximum: 100 }
    cursor: { type: string, description: Of the page before. }
`
const OWN = '        params: { required: [limit], properties: { q: { type: string } } }'
const WITH = `        shared: [paging]\n${OWN}`

test('a set is as if its parameters stood in the action, behind its own', () => {
  const written = `        params:
          required: [limit]
          properties:
            q: { type: string }
            limit: { type: integer, default: 50, maximum: 100 }
            cursor: { type: string, description: Of the page before. }`
  const long = load({ list: written })
  expect(long.problems).toEqual([])
  expect(load({ list: WITH, shared: PAGING })).toEqual(long)
})

test('an action may have no others', () => {
  const { manifest, problems } = load({
    list: '        shared: [paging]',
    shared: PAGING,
    query: '[cursor, limit]',
  })
  expect(problems).toEqual([])
  expect(manifest?.entities[0]?.actions[0]?.params.schema['properties']).toEqual({
    limit: { type: 'integer', default: 50, maximum: 100 },
    cursor: { type: 'string', description: 'Of the page before.' },
  })
})

describe('findings', () => {
  const at = (line: number, column: number): object => ({ line, column })
  test.for<{ name: string; parts: Parameters<typeof load>[0]; want: readonly object[] }>([
    {
      name: 'a set that is not there',
      parts: { list: WITH.replace('paging', 'pagin'), search: WITH, shared: PAGING },
      want: [{ rule: 'references/unknown-set', ...at(16, 18), hint: 'did you mean "paging"?' }],
    },
    {
      name: 'a name in the action and in its set',
      parts: { list: WITH.replace('q:', 'limit:'), search: WITH, shared: PAGING },
      want: [{ rule: 'references/shared-twice', ...at(16, 18) }],
    },
    {
      name: 'a name in two sets',
      parts: {
        list: WITH.replace('[paging]', '[paging, more]'),
        search: WITH,
        shared: `${PAGING}  more: { cursor: { type: string } }\n`,
      },
      want: [{ rule: 'references/shared-twice', ...at(17, 26) }],
    },
    {
      name: 'parameters that are a shape',
      parts: {
        list: '        shared: [paging]\n        params: { $ref: "#/shapes/q" }',
        search: WITH,
        shared: `${PAGING}shapes: { q: { type: object, properties: { q: { type: string } } } }\n`,
      },
      want: [{ rule: 'references/shared-shape', ...at(17, 9) }],
    },
    {
      name: 'a set that nothing takes',
      parts: { list: WITH, shared: `${PAGING}  more: { a: { type: string } }\n` },
      want: [{ rule: 'names/unused-set', ...at(9, 3), path: 'shared.more' }],
    },
    {
      name: 'a parameter of a set that goes nowhere, at its place in the set, once',
      parts: { list: WITH, shared: `${PAGING}    old: { type: string }\n` },
      want: [{ rule: 'params/unused', ...at(9, 5), path: 'shared.paging.old' }],
    },
    {
      name: 'a wrong schema, at its place in the set, once',
      parts: { list: WITH, shared: PAGING.replace('maximum: 100', 'maxLength: 3') },
      want: [{ path: 'shared.paging.limit.maxLength' }],
    },
    {
      name: 'an unknown keyword',
      parts: { list: WITH, shared: PAGING.replace('maximum: 100', 'max: 100') },
      want: [{ path: 'shared.paging.limit.max' }],
    },
  ])('$name', ({ parts, want }) => {
    const { problems } = load(parts)
    expect(problems).toMatchObject(want)
    expect(problems).toHaveLength(want.length)
  })
})
