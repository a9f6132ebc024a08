import { expect, test } from 'vitest'
import type { Json } from '../../../../src/language/json/json.ts'
import { checkAgainst } from '../../../../src/tools/authoring/against/check-against.ts'
import { factsOf, notesIn } from '../../../../src/tools/authoring/against/facts.ts'
import { type Finding, judge } from '../../../../src/tools/authoring/against/finding.ts'
import { readOpenApi } from '../../../../src/tools/authoring/openapi/document.ts'
import { changed, DISCOVERY, MANIFEST, manifestOf, OPENAPI, SWAGGER } from './notes-vendor.ts'

function findingsOf(manifest: string, document: Json | object): readonly Finding[] {
  return checkAgainst(manifestOf(manifest), readOpenApi(JSON.stringify(document), 'v.json'))
    .findings
}

/** `error unknown notes.list query.state`, without the notes. */
function told(manifest: string, document: Json | object): readonly string[] {
  return findingsOf(manifest, document).flatMap(({ level, kind, place }) =>
    level === 'note' ? [] : [`${level} ${kind} ${place}`],
  )
}

test.for([
  { name: 'OpenAPI 3', document: OPENAPI },
  { name: 'Swagger 2, whose token in the query repeats the authentication', document: SWAGGER },
  { name: 'Google discovery', document: DISCOVERY },
])('a manifest that agrees with its vendor has no finding: $name', ({ document }) => {
  expect(told(MANIFEST, document)).toEqual([])
})

const LIST = ['paths', '/notes', 'get'] as const
const POST = ['paths', '/notes', 'post'] as const
const BODY = [...POST, 'requestBody', 'content', 'application/json', 'schema'] as const
const ITEMS = [
  ...LIST,
  'responses',
  '200',
  'content',
  'application/json',
  'schema',
  'properties',
] as const
const NOTE = ['components', 'schemas', 'Note', 'properties'] as const

interface Case {
  readonly name: string
  readonly at: readonly (string | number)[]
  /** What stands there; left out: nothing. */
  readonly to?: Json
  readonly want: readonly string[]
}

const VENDOR_CHANGES: readonly Case[] = [
  {
    name: 'an operation is gone',
    at: ['paths', '/notes/{note_id}'],
    want: ['error unknown notes.get'],
  },
  {
    name: 'an operation has another verb',
    at: ['paths', '/notes/{note_id}'],
    to: { put: {} },
    want: ['error stale notes.get'],
  },
  {
    name: 'an operation is deprecated',
    at: [...LIST, 'deprecated'],
    to: true,
    want: ['warning deprecated notes.list'],
  },
  {
    name: 'a parameter is gone',
    at: [...LIST, 'parameters', 0],
    to: { name: 'status', in: 'query', schema: { type: 'string' } },
    want: ['error unknown notes.list query.state'],
  },
  {
    name: 'a parameter is deprecated',
    at: [...LIST, 'parameters', 0, 'deprecated'],
    to: true,
    want: ['warning deprecated notes.list query.state'],
  },
  {
    name: 'a parameter travels elsewhere',
    at: [...LIST, 'parameters', 0, 'in'],
    to: 'header',
    want: ['error stale notes.list query.state'],
  },
  {
    name: 'a parameter has another type',
    at: [...LIST, 'parameters', 1, 'schema'],
    to: { type: 'boolean' },
    want: ['error stale notes.list query.limit'],
  },
  {
    name: 'a text in the query stands for a number, too',
    at: [...LIST, 'parameters', 2, 'schema'],
    to: { type: 'integer' },
    want: [],
  },
  {
    name: 'a parameter is newly required',
    at: [...LIST, 'parameters', 0, 'required'],
    to: true,
    want: ['error missing notes.list query.state'],
  },
  {
    name: 'a parameter that is never sent is required',
    at: [...LIST, 'parameters', 3],
    to: { name: 'team', in: 'query', required: true, schema: { type: 'string' } },
    want: ['error missing notes.list query.team'],
  },
  {
    name: 'a header that is never sent is required',
    at: [...LIST, 'parameters', 3],
    to: { name: 'X-Team', in: 'header', required: true, schema: { type: 'string' } },
    want: ['error missing notes.list header.X-Team'],
  },
  {
    name: 'a value of an enum is gone',
    at: [...LIST, 'parameters', 0, 'schema', 'enum'],
    to: ['open', 'closed'],
    want: ['error unknown notes.list query.state'],
  },
  {
    name: 'a bound is narrower',
    at: [...LIST, 'parameters', 1, 'schema', 'maximum'],
    to: 50,
    want: ['error stale notes.list query.limit'],
  },
  {
    name: 'a member of the body is gone',
    at: [...BODY, 'properties', 'tags'],
    want: ['error unknown notes.create body.tags'],
  },
  {
    name: 'a member of the body is required',
    at: [...BODY, 'required'],
    to: ['title', 'tags'],
    want: ['error missing notes.create body.tags'],
  },
  {
    name: 'a member within a member of the body is required',
    at: ['components', 'schemas', 'Author', 'required'],
    to: ['name', 'friends'],
    want: ['error missing notes.create body.author.friends'],
  },
  {
    name: 'a member of the body has another type',
    at: [...BODY, 'properties', 'title'],
    to: { type: 'integer' },
    want: ['error stale notes.create body.title'],
  },
  {
    name: 'elements of a list have another type',
    at: [...BODY, 'properties', 'tags', 'items'],
    to: { type: 'object' },
    want: ['error stale notes.create body.tags[]'],
  },
  {
    name: 'the body is a form',
    at: [...POST, 'requestBody', 'content'],
    to: { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } },
    want: ['warning stale notes.create body'],
  },
  {
    name: 'the body is gone',
    at: [...POST, 'requestBody'],
    want: ['error unknown notes.create body'],
  },
  {
    name: 'a field of the record is gone, from all answers',
    at: [...NOTE, 'state'],
    want: ['error unknown notes record.state'],
  },
  {
    name: 'a field of the record is gone from one answer',
    at: [...ITEMS, 'items', 'items'],
    to: { type: 'object', properties: { id: { type: 'string' } } },
    want: [],
  },
  {
    name: 'a field within a field is gone',
    at: ['components', 'schemas', 'Author', 'properties'],
    to: { label: { type: 'string' } },
    want: ['error unknown notes record.author.name', 'error unknown notes.create body.author.name'],
  },
  {
    name: 'a field of the record has another type',
    at: [...NOTE, 'title'],
    to: { type: 'object' },
    want: ['error stale notes record.title'],
  },
  {
    name: 'a field of the record has another value',
    at: [...NOTE, 'state', 'enum'],
    to: ['open', 'done', 'lost'],
    want: ['error missing notes record.state'],
  },
  {
    name: 'a field of the record may be null',
    at: [...NOTE, 'id'],
    to: { type: 'string', nullable: true },
    want: ['warning stale notes record.id'],
  },
  {
    name: 'a field may be null in the notation of OpenAPI 3.1',
    at: [...NOTE, 'id'],
    to: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    want: ['warning stale notes record.id'],
  },
  {
    name: 'a field is deprecated',
    at: [...NOTE, 'id', 'deprecated'],
    to: true,
    want: ['warning deprecated notes record.id'],
  },
  {
    name: 'the pointer of the next page leads nowhere',
    at: [...ITEMS, 'next'],
    want: ['error unknown notes.list pagination.next'],
  },
  {
    name: 'the list of records lies elsewhere',
    at: [...ITEMS, 'items'],
    want: ['error unknown notes.list response.records'],
  },
  {
    name: 'an answer that is open may hold anything',
    at: ITEMS.slice(0, -1),
    to: { type: 'object' },
    want: [],
  },
  {
    name: 'the scope is another one',
    at: [...LIST, 'security'],
    to: [{ oauth: ['notes:list'] }],
    want: ['error unknown notes.list scopes', 'error missing notes.list scopes'],
  },
  {
    name: 'the scope is named by the text alone',
    at: [...LIST],
    to: {
      ...OPENAPI.paths['/notes'].get,
      security: [],
      description: "It needs the scope 'notes:list'.",
    },
    want: ['error unknown notes.list scopes', 'error missing notes.list scopes'],
  },
  {
    name: 'the path has a base of its own, and the server none',
    at: ['servers'],
    to: [{ url: 'https://api.notes.example' }],
    want: [],
  },
]

test.for(VENDOR_CHANGES)('$name', ({ at, to, want }) => {
  expect(told(MANIFEST, changed(OPENAPI, at, to)).toSorted()).toEqual(want.toSorted())
})

test.for([
  {
    name: 'a misspelt path names the right one',
    from: 'POST /notes',
    to: 'POST /note',
    want: 'did you mean /notes?',
  },
  {
    name: 'a misspelt parameter names the right one',
    from: 'query: [state, ',
    to: 'query: [{ statte: "{{ params.state }}" }, ',
    want: 'did you mean "state"?',
  },
  {
    name: 'a misspelt field names the right one',
    from: 'state: { type: string, enum: [open, done] }\n        size',
    to: 'statte: { type: string }\n        size',
    want: 'did you mean "state"?',
  },
  {
    name: 'a misspelt pointer names the right one',
    from: 'next: $.next',
    to: 'next: $.nxt',
    want: 'did you mean "next"?',
  },
  {
    name: 'a misspelt value names the right one',
    from: 'enum: [open, done] }\n            limit',
    to: 'enum: [opne, done] }\n            limit',
    want: 'did you mean "open"?',
  },
  {
    name: 'a misspelt scope names the right one',
    from: 'notes:write',
    to: 'notes:wrote',
    want: 'did you mean "notes:write"?',
  },
])('$name', ({ from, to, want }) => {
  expect(MANIFEST).toContain(from)
  const hints = findingsOf(MANIFEST.replace(from, to), OPENAPI).map(({ hint }) => hint)
  expect(hints).toContain(want)
})

test('what a form sends in parts is found where the document has it', () => {
  const manifest = MANIFEST.replace(
    'body: [title, tags, author]',
    'form: { title: "{{ params.title }}", "tags[]": "{{ params.tags }}", "author[name]": "{{ params.author.name }}", "author[nam]": x }',
  )
  const { content } = OPENAPI.paths['/notes'].post.requestBody
  const form = { 'application/x-www-form-urlencoded': content['application/json'] }
  expect(told(manifest, changed(OPENAPI, [...POST, 'requestBody', 'content'], form))).toEqual([
    'error unknown notes.create body.author[nam]',
  ])
})

test('facts are small, hold no sentence, and give the same findings as the document', () => {
  const manifest = manifestOf(MANIFEST)
  const unused = { ...OPENAPI, paths: { ...OPENAPI.paths, '/other': { get: { responses: {} } } } }
  const document = readOpenApi(JSON.stringify(unused), 'v.json')
  const { operations } = checkAgainst(manifest, document)
  const origin = { document: 'https://notes.example/openapi.json', date: '2026-01-02' }
  const facts = factsOf(document, operations, {
    origin,
    differs: { 'unknown notes record.id': 'x' },
  })
  expect(notesIn(facts)).toEqual({ origin, differs: { 'unknown notes record.id': 'x' } })
  expect(JSON.stringify(facts)).not.toContain('Its id')
  expect(Object.keys(facts['paths'] as object)).toEqual(['/notes', '/notes/{note_id}'])
  for (const { at, to } of VENDOR_CHANGES.filter((each) => each.at[1] !== '/notes/{note_id}')) {
    const other = readOpenApi(JSON.stringify(changed(unused, at, to)), 'v.json')
    const whole = checkAgainst(manifest, other)
    const small = factsOf(other, whole.operations, { origin: null, differs: {} })
    expect(findingsOf(MANIFEST, small)).toEqual(whole.findings)
  }
})

test('a finding that is accepted is none, and an acceptance without one is', () => {
  const findings = findingsOf(MANIFEST, changed(OPENAPI, [...NOTE, 'state']))
  const errors = findings.filter(({ level }) => level === 'error')
  const { open, accepted } = judge(errors, {
    'unknown notes record.state': 'The vendor sends it.',
    'unknown notes record.gone': 'Not any more.',
  })
  expect(accepted.map(({ reason }) => reason)).toEqual(['The vendor sends it.'])
  expect(open.map(({ kind, level, place }) => ({ kind, level, place }))).toEqual([
    { kind: 'stale', level: 'error', place: 'unknown notes record.gone' },
  ])
})

test('an operation at a server of its own is found there, with the parts of its multipart body', () => {
  const file = { type: 'string', format: 'binary' }
  const upload = (properties: Json) => ({
    ...OPENAPI,
    paths: {
      ...(OPENAPI as unknown as { paths: object }).paths,
      '/files': {
        post: {
          servers: [{ url: 'https://files.notes.example/v1' }],
          requestBody: {
            required: true,
            content: {
              'multipart/form-data': {
                schema: { type: 'object', required: ['file'], properties },
              },
            },
          },
          responses: { 200: { description: 'A file.' } },
        },
      },
    },
  })
  const withHosts = MANIFEST.replace(
    'server: { url: https://api.notes.example/v1 }',
    'server: { url: https://api.notes.example/v1, hosts: [api.notes.example, files.notes.example] }',
  )
  const manifest = `${withHosts}      update:
        params:
          required: [content]
          properties: { content: { type: string }, public: { type: boolean } }
        request:
          http: POST https://files.notes.example/v1/files
          multipart:
            file: { base64: "{{ params.content }}", filename: a, type: text/plain }
            link[create]: "{{ params.public }}"
`
  const link = { type: 'object', properties: { create: { type: 'boolean' } } }
  expect(told(manifest, upload({ file, link }))).toEqual([])
  expect(
    told(
      manifest,
      upload({ file, link: { type: 'object', properties: { name: { type: 'string' } } } }),
    ),
  ).toEqual(['error unknown notes.update body.link[create]'])
  expect(told(manifest, upload({ file, link, name: { type: 'string' } }))).toEqual([])
})
