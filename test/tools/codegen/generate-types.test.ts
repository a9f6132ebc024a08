import { describe, expect, test } from 'vitest'
import { generateTypes } from '../../../src/tools/codegen/generate-types.ts'
import { layOut } from '../../../src/tools/codegen/layout.ts'
import { memberName, pascalCase, uniqueName } from '../../../src/tools/codegen/type-names.ts'
import { loadManifest, requireManifest } from '../../../src/language/manifest/load.ts'

function withParams(properties: object, more: object = {}): object {
  return {
    manifest: 1,
    connector: { type: 'acme-crm', title: 'Acme CRM', version: '2.1.0' },
    server: { url: 'https://api.acme.example' },
    auth: {
      key: {
        credentials: {
          required: ['key'],
          properties: { key: { type: 'string', writeOnly: true } },
        },
        apply: { bearer: '{{ credentials.key }}' },
      },
    },
    entities: {
      notes: {
        record: { required: ['id'], properties: { id: { type: 'string' } } },
        actions: {
          create: {
            summary: 'Write a note',
            params: { properties, ...more },
            request: { http: 'POST /notes', body: Object.keys(properties) },
            response: { record: '$' },
          },
        },
      },
    },
  }
}

async function typesOf(manifest: object): Promise<string> {
  return await generateTypes(requireManifest(loadManifest({ object: manifest, file: 'manifest' })))
}

describe('a parameter becomes', () => {
  test.for([
    { schema: { type: 'string' }, want: 'x?: string' },
    { schema: { type: ['string', 'null'] }, want: 'x?: string | null' },
    { schema: { type: 'integer', format: 'int64' }, want: 'x?: number | string' },
    { schema: { enum: ['a', 'b'] }, want: 'x?: "a" | "b"' },
    { schema: { type: 'array', items: { type: 'integer' } }, want: 'x?: number[]' },
    {
      schema: { type: 'array', items: { type: ['string', 'null'] } },
      want: 'x?: (string | null)[]',
    },
    { schema: { type: 'boolean', deprecated: true }, want: '/** @deprecated */\n  x?: boolean' },
    {
      schema: { type: 'string', description: 'Ends a comment: */', default: 'a' },
      want: '/**\n   * Ends a comment: *\\/\n   * @default "a"\n   */\n  x?: string',
    },
    {
      schema: { type: 'integer', minimum: 1, maximum: 5 },
      want: '/** At least 1, at most 5. */\n  x?: number',
    },
  ])('$want', async ({ schema, want }) => {
    expect(await typesOf(withParams({ x: schema }))).toContain(want)
  })
})

test('required members come first, hyphens are quoted', async () => {
  const source = await typesOf(
    withParams({ a: { type: 'string' }, 'b-c': { type: 'string' } }, { required: ['b-c'] }),
  )
  expect(source).toContain('export interface NotesCreateParams {\n  "b-c": string\n  a?: string\n}')
  expect(source).toContain('create(params: NotesCreateParams, options?: CallOptions)')
})

test('a type with a hyphen is quoted where it is a member', async () => {
  const source = await typesOf(withParams({}))
  expect(source).toContain("interface Connectors {\n    'acme-crm': AcmeCrm\n  }")
  expect(source).toContain('create(params?: NotesCreateParams,')
})

test('names of the wire become names of types', () => {
  expect(['facebook-marketing', 'issue_fields', 'calls'].map(pascalCase)).toEqual([
    'FacebookMarketing',
    'IssueFields',
    'Calls',
  ])
  expect(['id', 'workspace-id', "o'clock"].map(memberName)).toEqual([
    'id',
    "'workspace-id'",
    String.raw`'o\'clock'`,
  ])
  const taken = new Set<string>()
  expect(['Note', 'Note', 'Note'].map((name) => uniqueName(name, taken))).toEqual([
    'Note',
    'Note2',
    'Note3',
  ])
})

test('the layout follows the brackets, and brackets inside texts are none', () => {
  expect(
    layOut('a {\nb: "}{"\nc: ({\nd: 1\n} | null)\n/**\n* One line.\n*/\ne: (x | y)\n}\n'),
  ).toBe('a {\n  b: "}{"\n  c: {\n    d: 1\n  } | null\n  /** One line. */\n  e: x | y\n}\n')
})
