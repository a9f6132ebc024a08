// One edit, one mistake, one finding: its place is marked in the text that is put in.
import { expect, test } from 'vitest'
import { loadManifest } from '../../../src/language/manifest/load.ts'
import { textOf } from './manifest-files.ts'

interface Edit {
  readonly name: string
  /** The text that is replaced; it stands in the manifest once. */
  readonly find: string
  /** What is put there, with « and » around what the finding must mark. */
  readonly put: string
  readonly rule: string
  /** A piece of the way out. */
  readonly hint?: string
}

const manifest = textOf('test/language/manifest/fixtures/every-key.yaml')

/** Place and rule of all findings after one edit. */
function findingsOf({ find, put }: Edit): unknown {
  expect(manifest.split(find)).toHaveLength(2)
  const text = manifest.replace(find, () => put.replace(/[«»]/g, ''))
  return loadManifest({ file: 'every-key.yaml', text }).problems.map(
    ({ line, column, length, rule }) => `${line}:${column}+${length} ${rule}`,
  )
}

function markedPlace({ find, put, rule }: Edit): string {
  const before = (manifest.slice(0, manifest.indexOf(find)) + put.split('«')[0]).split('\n')
  const marked = /«([^»]*)»/.exec(put)?.[1] ?? ''
  return `${before.length}:${(before.at(-1) ?? '').length + 1}+${marked.length} ${rule}`
}

const KEYS: readonly Edit[] = [
  {
    name: 'a missing key',
    find: 'connector: { type: every-key, icon: { letters: EK, hue: 9 }, aliases: [every], title: Every key, version: 1.2.3,',
    put: '«connector»: { type: every-key, title: Every key,',
    rule: 'schema/missing-key',
  },
  {
    name: 'two missing keys',
    find: 'connector: { type: every-key, icon: { letters: EK, hue: 9 }, aliases: [every], title: Every key,',
    put: '«connector»: {',
    rule: 'schema/missing-key',
  },
  {
    name: 'a file without a name',
    find: 'file: { base64: "{{ params.file }}", filename: item.bin,',
    put: '«file»: { base64: "{{ params.file }}",',
    rule: 'schema/missing-key',
  },
  {
    name: 'a consent page without a consent',
    find: 'grant: authorization_code\n      authorize:',
    put: 'grant: client_credentials\n      «authorize»:',
    rule: 'schema/misplaced-key',
  },
  {
    name: 'a session next to oauth2',
    find: '    apply: { bearer: "{{ credentials.access_token }}" }\n    oauth2:',
    put: '    apply: { bearer: "{{ credentials.access_token }}" }\n    session: { request: { http: POST /x }, store: { session.a: $.a } }\n    «oauth2»:',
    rule: 'schema/misplaced-key',
  },
  {
    name: 'an entity next to a request in check',
    find: 'check: { entity: items, action: list, params: { limit: "{{ config.page_size }}" } }',
    put: 'check: { «entity»: items, request: { http: GET /me } }',
    rule: 'schema/misplaced-key',
  },
  {
    name: 'an unknown key',
    find: 'concurrency: 4',
    put: '«concurency»: 4',
    rule: 'schema/unknown-key',
    hint: 'concurrency',
  },
  {
    name: 'an unknown key, where the one that is meant is there already',
    find: 'concurrency: 4',
    put: 'concurrency: 4\n  «concurency»: 4',
    rule: 'schema/unknown-key',
    hint: '"concurrency" is there already',
  },
  {
    name: 'a key of another block',
    find: 'redirects: 1',
    put: '«pagination»: 1',
    rule: 'schema/unknown-key',
  },
  {
    name: 'a typo in a required key',
    find: 'connector: { type',
    put: 'connector: { «tpye»',
    rule: 'schema/unknown-key',
    hint: 'type',
  },
  {
    name: 'a missing block',
    find: '\nlimits:',
    put: '\n«limit»:',
    rule: 'schema/unknown-key',
    hint: 'limits',
  },
  {
    name: 'an unknown action',
    find: '      get:\n        params: { required: [id], properties: { id: { type: string } } }\n        request: { http: "GET /items',
    put: '      «fetch»:\n        params: { required: [id], properties: { id: { type: string } } }\n        request: { http: "GET /items',
    rule: 'schema/unknown-key',
    hint: 'list, get',
  },
  {
    name: 'a keyword that no type can be made from',
    find: 'limit: { type: integer, minimum: 1, exclusiveMaximum: 501 }',
    put: 'limit: { type: integer, minimum: 1, exclusiveMaximum: 501, «not»: { const: 7 } }',
    rule: 'schema/unknown-key',
    hint: 'refuse',
  },
  {
    name: 'a title in a schema',
    find: 'q: { type: string }',
    put: 'q: { type: string, «title»: Query }',
    rule: 'schema/unknown-key',
    hint: 'description',
  },
  {
    name: 'a keyword that nobody knows',
    find: 'q: { type: string }',
    put: 'q: { type: string, «minLenght»: 1 }',
    rule: 'schema/unknown-key',
    hint: 'minLength',
  },
  {
    name: 'a key next to $ref',
    find: 'owner: { $ref: "#/shapes/person" }',
    put: 'owner: «{ $ref: "#/shapes/person", description: x }»',
    rule: 'schema/form',
    hint: 'shape',
  },
  {
    name: 'a record in a listing',
    find: 'records: $.hits',
    put: 'records: $.hits, «record»: $.hit',
    rule: 'schema/misplaced-key',
    hint: 'records',
  },
  {
    name: 'records in a get action',
    find: 'record: $.item }',
    put: '«records»: $.item }',
    rule: 'schema/misplaced-key',
    hint: 'record',
  },
  {
    name: 'a pagination in a get action',
    find: 'response: { record: $.item }',
    put: 'response: { record: $.item }\n        «pagination»: { type: none, reason: x }',
    rule: 'schema/misplaced-key',
  },
  {
    name: 'a download in a listing',
    find: 'response: { records: $.hits, keyed: id }',
    put: 'response: { records: $.hits, keyed: id }\n        «download»: { url: $.x }',
    rule: 'schema/misplaced-key',
  },
  {
    name: 'a result of a deletion',
    find: 'response: { decode: none }',
    put: 'response: { decode: none }\n        «result»: { properties: {} }',
    rule: 'schema/misplaced-key',
  },
  {
    name: 'a touched entity of a reading',
    find: 'untested: No recording could be made.',
    put: '«touches»: notes',
    rule: 'schema/misplaced-key',
  },
  {
    name: 'request next to steps',
    find: '        steps:\n          - name: rename',
    put: '        «request»: { http: GET /x }\n        steps:\n          - name: rename',
    rule: 'schema/misplaced-key',
  },
  {
    name: 'two bodies',
    find: 'body: [q, start, size]',
    put: 'body: [q, start, size], «form»: [q]',
    rule: 'schema/misplaced-key',
  },
  {
    name: 'a total in a page pagination',
    find: 'pages: $.pages',
    put: 'pages: $.pages\n          «total»: $.total',
    rule: 'schema/misplaced-key',
  },
  {
    name: 'an engine name in meta',
    find: 'meta: { total: $.total,',
    put: 'meta: { «next»: $.total,',
    rule: 'schema/misplaced-key',
  },
  {
    name: 'an engine name in meta, optional',
    find: 'meta: { total: $.total,',
    put: 'meta: { «has_more?»: $.total,',
    rule: 'schema/misplaced-key',
  },
  {
    name: 'a class for a success',
    find: 'then: ok }',
    put: 'then: ok, «as»: invalid }',
    rule: 'schema/misplaced-key',
  },
  {
    name: 'a wait of two kinds',
    find: '{ constant: 2s }',
    put: '{ constant: 2s, «exponential»: 1s }',
    rule: 'schema/misplaced-key',
  },
  { name: 'a wait of no kind', find: '{ constant: 2s }', put: '«{}»', rule: 'schema/missing-key' },
  {
    name: 'two ends of a session',
    find: 'expires: $.expires_at',
    put: '«expires»: $.expires_at\n      ttl: 1h',
    rule: 'schema/misplaced-key',
  },
  {
    name: 'a key that needs another one',
    find: 'download: { url: $.url, range: range, types: ["image/*"], auth: same, headers: { X-Kind: file }, redirects: 2, missing',
    put: 'download: { range: range, types: ["image/*"], «missing»',
    rule: 'schema/missing-key',
  },
  {
    name: 'search without sync',
    find: '    search: { fields: [id, text] }\n    sync:',
    put: '    «search»: { fields: [id, text] }\n    x-sync:',
    rule: 'schema/missing-key',
  },
]

const VALUES: readonly Edit[] = [
  {
    name: 'a value that is left out',
    find: '    description: Things.\n',
    put: '    «description»:\n',
    rule: 'schema/type',
  },
  {
    name: 'a version that YAML takes for a number',
    find: 'version: 1.2.3',
    put: 'version: «1.10»',
    rule: 'schema/type',
    hint: '"1.10"',
  },
  {
    name: 'a version of two numbers',
    find: 'version: 1.2.3',
    put: 'version: «"1.10"»',
    rule: 'schema/form',
  },
  {
    name: 'another version of the language',
    find: 'manifest: 1',
    put: 'manifest: «2»',
    rule: 'schema/value',
  },
  {
    name: 'a list for a map',
    find: 'maps:\n  regions: { eu1: Europe, us1: America }',
    put: 'maps: «[]»',
    rule: 'schema/type',
  },
  {
    name: 'a value that is not one of those allowed',
    find: 'type: offset',
    put: 'type: «ofset»',
    rule: 'schema/value',
    hint: 'offset',
  },
  { name: 'an unknown effect', find: 'then: ok }', put: 'then: «okay» }', rule: 'schema/value' },
  {
    name: 'an unknown format',
    find: 'changed: { type: string, format: date-time } } }',
    put: 'changed: { type: string, format: «datetime» } } }',
    rule: 'schema/value',
    hint: 'date-time',
  },
  {
    name: 'an unknown type',
    find: 'q: { type: string }',
    put: 'q: { type: «str» }',
    rule: 'schema/value',
  },
  {
    name: 'an unknown type in a list',
    find: 'name: { type: [string, "null"] }',
    put: 'name: { type: [string, «nil»] }',
    rule: 'schema/value',
  },
  {
    name: 'null without quotes as a type',
    find: 'name: { type: [string, "null"] }',
    put: 'name: { type: [string, «null»] }',
    rule: 'schema/value',
  },
  {
    name: 'a duration in words',
    find: 'timeout: 45s',
    put: 'timeout: «45 seconds»',
    rule: 'schema/form',
    hint: '30s',
  },
  {
    name: 'a number for a duration',
    find: 'timeout: 45s',
    put: 'timeout: «45»',
    rule: 'schema/type',
  },
  {
    name: 'a rate without a period',
    find: 'rate: [10/s, 1000/h]',
    put: 'rate: [10/s, «1000»]',
    rule: 'schema/type',
  },
  {
    name: 'no requests at all',
    find: 'rate: [10/s, 1000/h]',
    put: 'rate: [10/s, «0/h»]',
    rule: 'schema/form',
  },
  {
    name: 'too small a number',
    find: 'concurrency: 4',
    put: 'concurrency: «0»',
    rule: 'schema/form',
  },
  { name: 'an empty list', find: 'scopes: [items.read]', put: 'scopes: «[]»', rule: 'schema/form' },
  {
    name: 'a scope twice',
    find: 'scopes: [items.read]',
    put: 'scopes: [items.read, «items.read»]',
    rule: 'schema/value',
  },
  {
    name: 'an entity with a capital',
    find: '  notes:\n    record',
    put: '  «Notes»:\n    record',
    rule: 'schema/form',
  },
  {
    name: 'a host with a port',
    find: 'hosts: [every.example,',
    put: 'hosts: [«every.example:8080»,',
    rule: 'schema/form',
  },
  {
    name: 'a base URL without encryption',
    find: 'https://every.example/api]',
    put: '«http://every.example/api»]',
    rule: 'schema/form',
  },
  {
    name: 'a query string in http',
    find: 'http: GET /items\n',
    put: 'http: «GET /items?all=1»\n',
    rule: 'schema/form',
  },
  {
    name: 'an unknown method',
    find: 'http: POST /search',
    put: 'http: «FETCH /search»',
    rule: 'schema/form',
  },
  {
    name: 'a template without an expression',
    find: 'keep: "{{ not (eq record.name null) }}"',
    put: 'keep: «"record.name"»',
    rule: 'schema/form',
  },
  {
    name: 'a path without $',
    find: 'records: $.hits',
    put: 'records: «hits»',
    rule: 'schema/form',
    hint: '$.',
  },
  {
    name: 'a test of nothing',
    find: '$.left: { gte: 0, lte: 0, exists: true }',
    put: '$.left: «{}»',
    rule: 'schema/form',
  },
  {
    name: 'two entries in one',
    find: '- { from: "{{ params.filter.from }}" }',
    put: '- «{ from: "{{ params.filter.from }}", x: 1 }»',
    rule: 'schema/form',
    hint: 'dash',
  },
  {
    name: 'a store in a place of its own',
    find: 'store: { session.token: $.token }\n      expires',
    put: 'store: { «token»: $.token }\n      expires',
    rule: 'schema/form',
  },
]

const REFERENCES: readonly Edit[] = [
  {
    name: 'params that are no object',
    find: '    params: { properties: { q: { type: string }, start: { type: integer }, size: { type: integer } } }',
    put: '    params: { $ref: «"#/shapes/word"» }',
    rule: 'references/not-an-object',
  },
  {
    name: 'params that allow more',
    find: '    params: { properties: { q: { type: string }, start: { type: integer }, size: { type: integer } } }',
    put: '    params: { $ref: «"#/shapes/texts"» }',
    rule: 'references/open',
  },
  {
    name: 'a shape that does not exist',
    find: 'owner: { $ref: "#/shapes/person" }',
    put: 'owner: { $ref: «"#/shapes/persn"» }',
    rule: 'references/unknown',
    hint: 'person',
  },
  {
    name: 'a record that does not exist',
    find: '{ $ref: "#/entities/notes/record" }',
    put: '{ $ref: «"#/entities/note/record"» }',
    rule: 'references/unknown',
    hint: 'notes',
  },
  {
    name: 'a reference to a file',
    find: 'owner: { $ref: "#/shapes/person" }',
    put: 'owner: { $ref: «"other.yaml#/person"» }',
    rule: 'schema/form',
  },
  {
    name: 'a reference to an address',
    find: 'owner: { $ref: "#/shapes/person" }',
    put: 'owner: { $ref: «"https://x.example/s.json"» }',
    rule: 'schema/form',
  },
  {
    name: 'a shape that stands for itself',
    find: '  person: { type: object, additionalProperties: false, required: [id], properties: { id: { type: string }, name: { type: string } } }',
    put: '  person: { $ref: «"#/shapes/person"» }',
    rule: 'references/recursive',
  },
  {
    name: 'a shape that is itself or more',
    find: 'inside: { $ref: "#/shapes/node" } } }',
    put: 'inside: { type: string } }, allOf: [{ $ref: «"#/shapes/node"» }] }',
    rule: 'references/recursive',
  },
  {
    name: 'a record that refers to itself',
    find: 'tags: { type: array, items: { type: string } }',
    put: 'tags: { type: array, items: { $ref: «"#/entities/items/record"» } }',
    rule: 'references/recursive',
  },
]

const PARTS: readonly Edit[] = [
  {
    name: 'a default in one of several alternatives',
    find: 'byName: { type: object, additionalProperties: false, required: [name], properties: { name: { type: string } } }',
    put: 'byName: { type: object, additionalProperties: false, required: [name], properties: { name: { type: string, «default»: x } } }',
    rule: 'schema/no-place',
  },
  {
    name: 'a pattern in an expression',
    find: "'-([a-z]{2}[0-9])$'",
    put: "«'-(?!x)([a-z]{2}[0-9])$'»",
    rule: 'expression/syntax',
  },
  {
    name: 'an unknown helper',
    find: '{{ first config.projects }}',
    put: '{{ «frist» config.projects }}',
    rule: 'expression/syntax',
    hint: 'first',
  },
  {
    name: 'an unknown root',
    find: '"{{ params.note }}", $value',
    put: '"{{ «parms.note» }}", $value',
    rule: 'expression/syntax',
    hint: 'params',
  },
  {
    name: 'an expression that is not closed',
    find: '"{{ params.kind }}"',
    put: '"«{{ params.kind»"',
    rule: 'expression/syntax',
  },
  {
    name: 'a raw value',
    find: '"{{ params.text }}" } }, {',
    put: '"«{{{ params.text }}}»" } }, {',
    rule: 'expression/syntax',
  },
  {
    name: 'text around a condition',
    find: 'keep: "{{ not (eq record.name null) }}"',
    put: 'keep: "«x {{ record.name }}»"',
    rule: 'expression/syntax',
  },
  {
    name: 'a block outside a text',
    find: '"{{ params.kind }}"',
    put: '"«{{#if params.kind}}x{{/if}}»"',
    rule: 'expression/syntax',
  },
  {
    name: 'a path that cannot be read',
    find: 'records: $.hits',
    put: 'records: $«.*»',
    rule: 'path/syntax',
    hint: '[*]',
  },
  {
    name: 'an unknown root of a path',
    find: 'request_id: $headers.x-request-id',
    put: 'request_id: «$header».x-request-id',
    rule: 'path/syntax',
  },
  {
    name: 'a path as a key',
    find: '$.state: closed',
    put: '«$.state..x»: closed',
    rule: 'path/syntax',
  },
  {
    name: 'an unknown directive',
    find: 'name: "{{ params.name }}" } }\n            errors',
    put: 'name: { «$fi»: "{{ params.name }}" } } }\n            errors',
    rule: 'request/directive',
    hint: '$if',
  },
  {
    name: 'members next to $value',
    find: 'json: { text: "{{ params.text }}" }',
    put: 'json: { $value: 1, «text»: "{{ params.text }}" }',
    rule: 'request/directive',
  },
  {
    name: '$if that is no expression',
    find: 'json: { text: "{{ params.text }}" }',
    put: 'json: { $if: «true», text: "{{ params.text }}" }',
    rule: 'request/directive',
  },
  {
    name: 'a style of a body',
    find: 'json: { text: "{{ params.text }}" }',
    put: 'json: { «$style»: csv, $value: "{{ params.text }}" }',
    rule: 'request/directive',
  },
  {
    name: 'an unknown style',
    find: '- { to: "{{ params.filter.to }}" }',
    put: '- { to: { $style: «cvs», $value: "{{ params.filter.to }}" } }',
    rule: 'request/directive',
    hint: 'csv',
  },
  {
    name: 'a style of nothing',
    find: '- { to: "{{ params.filter.to }}" }',
    put: '- { to: { «$style»: csv, a: "{{ params.filter.to }}" } }',
    rule: 'request/directive',
  },
  {
    name: 'a directive for a whole form',
    find: 'form: { name: "{{ credentials.name }}",',
    put: 'form: { «$if»: "{{ credentials.name }}", name: "{{ credentials.name }}",',
    rule: 'request/directive',
  },
  {
    name: 'a template in a list of names',
    find: 'body: [q, start, size]',
    put: 'body: [«"{{ params.q }}"», start, size]',
    rule: 'request/field',
    hint: 'name',
  },
  {
    name: 'a member set twice',
    find: 'body: [q, start, size]',
    put: 'body: [q, start, size, «{ q: 1 }»]',
    rule: 'request/duplicate-name',
  },
  {
    name: 'an empty segment of a path',
    find: 'http: POST /search',
    put: 'http: «POST /a//search»',
    rule: 'request/path',
  },
  {
    name: 'a segment that climbs',
    find: 'http: POST /search',
    put: 'http: «POST /a/../search»',
    rule: 'request/path',
  },
  {
    name: 'a blank in a path',
    find: 'http: POST /search',
    put: 'http: POST /a« »search',
    rule: 'request/path',
    hint: 'percent',
  },
  {
    name: 'a pattern with look-ahead',
    find: 'pattern: "^[a-z]{2}[0-9]$"',
    put: 'pattern: «"^(?=a)[a-z]{2}[0-9]$"»',
    rule: 'schema/pattern',
  },
  {
    name: 'a pattern with a back-reference',
    find: 'matches: "^slow"',
    put: 'matches: «"^(s)low\\\\1"»',
    rule: 'schema/pattern',
  },
  {
    name: 'a keyword without a type',
    find: 'q: { type: string }',
    put: 'q: { «minLength»: 1 }',
    rule: 'schema/wrong-type',
    hint: 'string',
  },
  {
    name: 'a keyword of another type',
    find: 'q: { type: string }',
    put: 'q: { type: string, «minimum»: 1 }',
    rule: 'schema/wrong-type',
  },
  {
    name: 'a format of another type',
    find: 'start: { type: integer }',
    put: 'start: { type: integer, «format»: date }',
    rule: 'schema/wrong-type',
  },
  {
    name: 'two defaults',
    find: 'default_from: "{{ first config.projects }}"',
    put: 'default: x, «default_from»: "{{ first config.projects }}"',
    rule: 'schema/two-defaults',
  },
  {
    name: 'a default in a list',
    find: 'owner: { type: array, items: { type: string } }',
    put: 'owner: { type: array, items: { type: string, «default»: x } }',
    rule: 'schema/no-place',
  },
  {
    name: 'a secret among unnamed members',
    find: 'user: { type: string }',
    put: 'user: { type: object, additionalProperties: { type: string, «writeOnly»: true } }',
    rule: 'schema/no-place',
  },
  {
    name: 'an alias that is a name',
    find: 'aliases: [api_key]',
    put: 'aliases: [«user»]',
    rule: 'schema/alias-taken',
  },
  {
    name: 'a name in meta twice',
    find: 'cursor?: $.cursor,',
    put: 'cursor?: $.cursor, «cursor»: $.x,',
    rule: 'pagination/duplicate-meta',
  },
]

const edits = [...KEYS, ...VALUES, ...REFERENCES, ...PARTS]

test.for(edits)('$name: one finding ($rule)', (edit) => {
  expect(findingsOf(edit)).toEqual([markedPlace(edit)])
})

test.for(edits.filter(({ hint }) => hint !== undefined))(
  '$name: the way out',
  ({ find, put, hint }) => {
    const text = manifest.replace(find, () => put.replace(/[«»]/g, ''))
    const [problem] = loadManifest({ file: 'every-key.yaml', text }).problems
    expect(`${problem?.message} ${problem?.hint}`).toContain(hint)
  },
)
