import { describe, expect, test } from 'vitest'
import { compareManifests } from '../../../src/tools/authoring/compare-manifests.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import { loadManifest, requireManifest } from '../../../src/language/manifest/load.ts'
import type { Manifest } from '../../../src/language/manifest/manifest.ts'

interface Parts {
  readonly version?: string
  readonly config?: object
  readonly credentials?: object
  readonly params?: object
  readonly record?: object
  readonly action?: object
  readonly entities?: object
  readonly search?: object
}

function acme(parts: Parts = {}): Manifest {
  const object = {
    manifest: 1,
    connector: { type: 'acme', title: 'Acme', version: parts.version ?? '1.0.0' },
    server: { url: 'https://api.acme.example' },
    config: parts.config ?? { properties: { region: { enum: ['eu', 'us'] } } },
    auth: {
      key: {
        credentials: parts.credentials ?? {
          required: ['key'],
          properties: { key: { type: 'string', writeOnly: true } },
        },
        apply: { bearer: '{{ credentials.key }}', headers: { region: '{{ config.region }}' } },
      },
    },
    entities: {
      notes: {
        record: parts.record ?? {
          required: ['id'],
          properties: { id: { type: 'string' }, text: { type: 'string' } },
        },
        actions: {
          list: {
            params: parts.params ?? {
              properties: {
                limit: { type: 'integer', minimum: 1, maximum: 100 },
                after: { type: 'string' },
              },
            },
            request: {
              http: 'GET /notes',
              query: Object.keys(
                (parts.params as { properties: object } | undefined)?.properties ?? {
                  limit: 1,
                  after: 1,
                },
              ),
            },
            response: { records: '$.items' },
            pagination: { type: 'none', reason: 'All at once.' },
            ...parts.action,
          },
        },
        ...parts.search,
      },
      ...parts.entities,
    },
  }
  return requireManifest(loadManifest({ object: object as unknown as JsonObject, file: 'acme' }))
}

const LIMIT = { type: 'integer', minimum: 1, maximum: 100 }
const AFTER = { type: 'string' }
const TAGS = {
  actions: {
    list: {
      request: { http: 'GET /tags' },
      response: { records: '$' },
      pagination: { type: 'none', reason: 'Few.' },
    },
  },
}

describe('a change of what callers give', () => {
  test.for<{ name: string; params: object; want: [string, string] }>([
    {
      name: 'a parameter is gone',
      params: { properties: { limit: LIMIT } },
      want: ['breaking', 'notes.list params.after: removed'],
    },
    {
      name: 'a parameter is new',
      params: { properties: { limit: LIMIT, after: AFTER, q: AFTER } },
      want: ['additive', 'notes.list params.q: added'],
    },
    {
      name: 'a new one is required',
      params: { required: ['q'], properties: { limit: LIMIT, after: AFTER, q: AFTER } },
      want: ['breaking', 'notes.list params.q: added, and required'],
    },
    {
      name: 'one is newly required',
      params: { required: ['limit'], properties: { limit: LIMIT, after: AFTER } },
      want: ['breaking', 'notes.list params.limit: newly required'],
    },
    {
      name: 'a limit is lower',
      params: { properties: { limit: { ...LIMIT, maximum: 50 }, after: AFTER } },
      want: ['breaking', 'notes.list params.limit: maximum is now 50'],
    },
    {
      name: 'a limit is higher',
      params: { properties: { limit: { ...LIMIT, maximum: 500 }, after: AFTER } },
      want: ['additive', 'notes.list params.limit: maximum is now 500'],
    },
    {
      name: 'a limit begins higher',
      params: { properties: { limit: { ...LIMIT, minimum: 5 }, after: AFTER } },
      want: ['breaking', 'notes.list params.limit: minimum is now 5'],
    },
    {
      name: 'a type is wider',
      params: { properties: { limit: LIMIT, after: { type: ['string', 'null'] } } },
      want: ['additive', 'notes.list params.after: may be null'],
    },
    {
      name: 'a type is another',
      params: { properties: { limit: LIMIT, after: { type: 'integer' } } },
      want: ['breaking', 'notes.list params.after: no longer string'],
    },
    {
      name: 'an integer may be any number',
      params: { properties: { limit: { ...LIMIT, type: 'number' }, after: AFTER } },
      want: ['additive', 'notes.list params.limit: may be number'],
    },
    {
      name: 'a text must match',
      params: { properties: { limit: LIMIT, after: { ...AFTER, pattern: '^a' } } },
      want: ['breaking', 'notes.list params.after: pattern is now "^a"'],
    },
    {
      name: 'a description differs',
      params: { properties: { limit: LIMIT, after: { ...AFTER, description: 'x' } } },
      want: ['cosmetic', 'notes.list params.after: other description'],
    },
    {
      name: 'a default is there',
      params: { properties: { limit: { ...LIMIT, default: 10 }, after: AFTER } },
      want: ['additive', 'notes.list params.limit: default is now 10'],
    },
  ])('$name', ({ params, want: [kind, text] }) => {
    const { changes } = compareManifests(acme(), acme({ params }))
    expect(changes.map((each) => [each.class, `${each.path}: ${each.change}`])).toContainEqual([
      kind,
      text,
    ])
    expect(changes.some((each) => each.class === 'breaking')).toBe(kind === 'breaking')
  })
})

describe('another change', () => {
  test.for<{ name: string; parts: Parts; want: [string, string] }>([
    {
      name: 'a record loses a member',
      parts: { record: { required: ['id'], properties: { id: AFTER } } },
      want: ['breaking', 'notes record.text: removed'],
    },
    {
      name: 'a record has one more',
      parts: { record: { required: ['id'], properties: { id: AFTER, text: AFTER, at: AFTER } } },
      want: ['additive', 'notes record.at: added'],
    },
    {
      name: 'a member may be null',
      parts: {
        record: { required: ['id'], properties: { id: AFTER, text: { type: ['string', 'null'] } } },
      },
      want: ['breaking', 'notes record.text: may be null'],
    },
    {
      name: 'a member may be missing',
      parts: { record: { properties: { id: AFTER, text: AFTER } } },
      want: ['breaking', 'notes record.id: may be missing'],
    },
    {
      name: 'a setting has a value less',
      parts: { config: { properties: { region: { enum: ['eu'] } } } },
      want: ['breaking', 'config.region: no longer "us"'],
    },
    {
      name: 'a setting has a value more',
      parts: { config: { properties: { region: { enum: ['eu', 'us', 'ap'] } } } },
      want: ['additive', 'config.region: may be "ap"'],
    },
    {
      name: 'an entity is new',
      parts: { entities: { tags: TAGS } },
      want: ['additive', 'tags: added'],
    },
    {
      name: 'an action is deprecated',
      parts: { action: { deprecated: true } },
      want: ['additive', 'notes.list: is deprecated'],
    },
    {
      name: 'an action needs a scope',
      parts: { action: { scopes: ['notes:read'] } },
      want: ['breaking', 'notes.list scopes: needs notes:read: every user has to agree again'],
    },
    {
      name: 'the request goes elsewhere',
      parts: { action: { request: { http: 'GET /v2/notes', query: ['limit', 'after'] } } },
      want: ['cosmetic', 'notes.list request: changed'],
    },
  ])('$name', ({ parts, want: [kind, text] }) => {
    const { changes } = compareManifests(acme(), acme(parts))
    expect(changes.map((each) => [each.class, `${each.path}: ${each.change}`])).toContainEqual([
      kind,
      text,
    ])
  })
})

test('an entity or action that is gone breaks', () => {
  const { changes, needed } = compareManifests(acme({ entities: { tags: TAGS } }), acme())
  expect(changes).toEqual([{ class: 'breaking', path: 'tags', change: 'removed' }])
  expect(needed).toBe('major')
})

describe('the version', () => {
  const breaking = { params: { properties: { limit: LIMIT } } }
  const additive = { entities: { tags: TAGS } }
  test.for<{
    from: string
    to: string
    parts: Parts
    needed: string
    made: string
    refused: boolean
  }>([
    { from: '1.0.0', to: '1.0.0', parts: {}, needed: 'none', made: 'none', refused: false },
    { from: '1.0.0', to: '2.0.0', parts: breaking, needed: 'major', made: 'major', refused: false },
    { from: '1.0.0', to: '1.1.0', parts: breaking, needed: 'major', made: 'minor', refused: true },
    { from: '0.1.0', to: '0.2.0', parts: breaking, needed: 'major', made: 'minor', refused: false },
    { from: '0.1.0', to: '0.1.1', parts: breaking, needed: 'major', made: 'patch', refused: true },
    { from: '1.0.0', to: '1.0.1', parts: additive, needed: 'minor', made: 'patch', refused: false },
    {
      from: '2.0.0',
      to: '1.0.0',
      parts: breaking,
      needed: 'major',
      made: 'backwards',
      refused: true,
    },
  ])(
    '$from → $to with $needed changes: refused $refused',
    ({ from, to, parts, needed, made, refused }) => {
      const comparison = compareManifests(acme({ version: from }), acme({ ...parts, version: to }))
      expect({
        needed: comparison.needed,
        made: comparison.made,
        refused: comparison.isRefused,
      }).toEqual({ needed, made, refused })
    },
  )
})
