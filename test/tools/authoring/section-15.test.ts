// What a change of a manifest demands, case by case. Source: docs/manifest-language.md, section 15, "Versions".
import { describe, expect, test } from 'vitest'
import { compareManifests } from '../../../src/tools/authoring/compare-manifests.ts'
import type { Json, JsonObject } from '../../../src/language/json/json.ts'
import { withMember } from '../../../src/language/json/members.ts'
import type { Manifest } from '../../../src/language/manifest/manifest.ts'
import { manifestOf, rule } from '../../language/manifest/resolved.ts'

const TEXT = { type: 'string' } as const
const LIMIT = { type: 'integer', minimum: 1, maximum: 100 } as const
const NULLABLE = { type: ['string', 'null'] } as const
const OAUTH2 = {
  authorize: { url: 'https://acme.example/consent', scopes: ['offline'] },
  token: { url: 'https://acme.example/token' },
} as const
const KEY = {
  credentials: { required: ['key'], properties: { key: TEXT, user: TEXT } },
  apply: { bearer: '{{ credentials.key }}' },
} as const
const CONSENT = {
  credentials: { properties: { access_token: TEXT, refresh_token: TEXT } },
  apply: { bearer: '{{ credentials.access_token }}' },
  oauth2: OAUTH2,
} as const
const GET = {
  params: { required: ['id'], properties: { id: TEXT } },
  request: { http: 'GET /notes/{{ params.id }}' },
} as const
const NOTE = {
  required: ['id'],
  properties: { id: TEXT, text: TEXT, at: TEXT, size: TEXT },
} as const
const TAGS = { record: NOTE, actions: { get: GET } } as const
const CLOSED = { additionalProperties: false, required: ['by'], properties: { by: TEXT } } as const
const PERSON = { type: 'object', ...CLOSED } as const
const OTHER_PERSON = {
  type: 'object',
  additionalProperties: false,
  required: ['team'],
  properties: { team: TEXT },
} as const
const ITEMS = { records: '$.items' } as const
const FILE = { params: GET.params, request: { http: 'GET /notes/{{ params.id }}/file' } } as const
/** A file that is sent in parts. */
const PARTS = {
  params: { required: ['file'], properties: { file: { type: 'string', format: 'binary' } } },
  request: { http: 'POST /notes/file' },
  upload: {
    file: 'file',
    address: '$headers.location',
    received: { range: '$headers.range' },
    chunk: {
      method: 'PUT',
      headers: {
        'Content-Range': "bytes {{ upload.from }}-{{ upload.to }}/{{ default upload.total '*' }}",
      },
      more: 308,
    },
    ask: { method: 'PUT', more: 308 },
  },
} as const
const ANY_SIZE = { ...PARTS, upload: { ...PARTS.upload, without_size: true } } as const
const KNOWN_SIZE = { ...PARTS, upload: { ...PARTS.upload, without_size: false } } as const
const WHOLE = {
  params: PARTS.params,
  request: { http: 'POST /notes/file', bytes: { base64: '{{ params.file }}' } },
} as const
const REFUSAL = { if: '{{ params.text }}', params: ['text'], message: 'Leave out text.' } as const
/** The tags of each note: it needs no declared member to be compared. */
const EACH = { action: 'notes.get', params: { id: '{{ record.id }}' }, into: 'owner' } as const
const STEPS = [
  { name: 'find', request: { http: 'GET /notes/{{ params.id }}' } },
  { name: 'write', request: { http: 'PUT /notes/{{ params.id }}', body: ['text'] } },
] as const

const BASE = {
  manifest: 1,
  connector: { type: 'acme', title: 'Acme', version: '1.0.0' },
  server: { url: 'https://api.acme.example' },
  config: { properties: { region: { enum: ['eu', 'us'] }, team: TEXT } },
  auth: { key: KEY, consent: CONSENT },
  defaults: { pagination: { type: 'none', reason: 'Few.', meta: { some: '$.some' } } },
  shapes: { person: PERSON },
  entities: {
    notes: {
      record: NOTE,
      actions: {
        list: {
          params: {
            properties: {
              limit: LIMIT,
              after: TEXT,
              filter: { type: 'object', additionalProperties: true, properties: { by: TEXT } },
            },
          },
          request: { http: 'GET /notes', query: ['limit', 'after', 'filter'] },
          response: { records: '$.items' },
          pagination: {
            type: 'cursor',
            param: 'after',
            next: '$.next',
            meta: { count: '$.count', page: { number: '$.page', size: '$.size' } },
          },
        },
        get: GET,
        api_search: { request: { http: 'GET /notes/all' }, response: { records: '$' } },
        create: {
          params: { properties: { text: TEXT } },
          request: { http: 'POST /notes', body: ['text'] },
          result: { properties: { id: TEXT, self: TEXT } },
        },
        update: {
          params: { required: ['id'], properties: { id: TEXT, text: TEXT } },
          request: { http: 'PUT /notes/{{ params.id }}', body: ['text'] },
        },
      },
      search: { fields: ['text', 'at'] },
      sync: { primary_key: 'id', action: 'list' },
    },
  },
} as const

const NOTES = 'entities.notes'
const LIST = `${NOTES}.actions.list`
const PARAMS = `${LIST}.params.properties`
const UPDATE = `${NOTES}.actions.update`
const RECORD = `${NOTES}.record.properties`
const OBJECT = { type: 'object', additionalProperties: true } as const

/** A value of the manifest at `at`, on both sides; undefined: it is not there. */
interface Case {
  readonly name: string
  readonly at: string
  readonly from: unknown
  readonly to: unknown
}

const MAJOR: readonly Case[] = [
  { name: 'an entity is removed', at: 'entities.tags', from: TAGS, to: undefined },
  {
    name: 'an entity is renamed',
    at: 'entities',
    from: { ...BASE.entities, tags: TAGS },
    to: { ...BASE.entities, labels: TAGS },
  },
  { name: 'an action is removed', at: `${NOTES}.actions.get`, from: GET, to: undefined },
  { name: 'a parameter is removed', at: `${PARAMS}.q`, from: TEXT, to: undefined },
  {
    name: 'a parameter is renamed',
    at: `${UPDATE}.params.properties`,
    from: { id: TEXT, text: TEXT, q: TEXT },
    to: { id: TEXT, text: TEXT, query: TEXT },
  },
  {
    name: 'another name of a parameter is removed',
    at: `${PARAMS}.limit`,
    from: { ...LIMIT, aliases: ['size'] },
    to: LIMIT,
  },
  { name: 'a record property is removed', at: `${RECORD}.owner`, from: TEXT, to: undefined },
  {
    name: 'a result property is removed',
    at: `${NOTES}.actions.create.result.properties.key`,
    from: TEXT,
    to: undefined,
  },
  {
    name: 'a result takes the place of a record that has more',
    at: `${UPDATE}.result`,
    from: undefined,
    to: { properties: { id: TEXT } },
  },
  {
    name: 'a listing delivers a page object instead of the bare array',
    at: `${LIST}.response`,
    from: { records: '$.items' },
    to: { records: '$.items', page: '$' },
  },
  {
    name: 'a listing keeps the names of its records under another name',
    at: `${LIST}.response`,
    from: { records: '$.items', keyed: 'id' },
    to: { records: '$.items', keyed: 'at' },
  },
  {
    name: 'a listing is read in another form',
    at: `${LIST}.response`,
    from: { records: '$.a.items' },
    to: { records: '$.a.items', decode: 'xml' },
  },
  {
    name: 'a listing keeps the names of its lists under another name',
    at: `${LIST}.response`,
    from: { records: '$.items', grouped: 'id' },
    to: { records: '$.items', grouped: 'at' },
  },
  {
    name: 'a listing no longer completes its records',
    at: `${LIST}.for_each`,
    from: EACH,
    to: undefined,
  },
  {
    name: 'a listing completes only some of its records',
    at: `${LIST}.for_each`,
    from: EACH,
    to: { ...EACH, if: '{{ record.at }}' },
  },
  { name: 'a meta name is removed', at: `${LIST}.pagination.meta.all`, from: '$.n', to: undefined },
  {
    name: 'a meta name inside another is removed',
    at: `${LIST}.pagination.meta.page.count`,
    from: '$.n',
    to: undefined,
  },
  {
    name: 'a meta name of the defaults is removed',
    at: 'defaults.pagination.meta.all',
    from: '$.all',
    to: undefined,
  },
  {
    name: 'a search field is removed',
    at: `${NOTES}.search.fields`,
    from: ['text', 'at'],
    to: ['text'],
  },
  {
    name: 'a search field has another type',
    at: `${NOTES}.search.add`,
    from: { string: ['size'] },
    to: { integer: ['size'] },
  },
  {
    name: 'search is removed',
    at: `${NOTES}.search`,
    from: { fields: ['text'] },
    to: undefined,
  },
  { name: 'an auth method is removed', at: 'auth.other', from: KEY, to: undefined },
  { name: 'a setting is removed', at: 'config.properties.site', from: TEXT, to: undefined },
  {
    name: 'a parameter is newly required',
    at: `${LIST}.params.required`,
    from: undefined,
    to: ['limit'],
  },
  {
    name: 'a parameter inside another is newly required',
    at: `${PARAMS}.filter.required`,
    from: undefined,
    to: ['by'],
  },
  {
    name: 'a new parameter is required, and has another name',
    at: `${UPDATE}.params`,
    from: updateParams(),
    to: updateParams({ q: { ...TEXT, aliases: ['query'] } }, ['q']),
  },
  {
    name: 'a credential is newly required',
    at: 'auth.key.credentials.required',
    from: ['key'],
    to: ['key', 'user'],
  },
  { name: 'a setting is newly required', at: 'config.required', from: undefined, to: ['team'] },
  {
    name: 'a required parameter is no longer filled in',
    at: `${UPDATE}.params`,
    from: updateParams({ q: { ...TEXT, default: 'a' } }, ['q']),
    to: updateParams({ q: TEXT }, ['q']),
  },
  { name: 'the type of an input is narrowed', at: `${PARAMS}.after`, from: NULLABLE, to: TEXT },
  {
    name: 'an enum of an input is narrowed',
    at: 'config.properties.region.enum',
    from: ['eu', 'us'],
    to: ['eu'],
  },
  { name: 'an upper bound is lowered', at: `${PARAMS}.limit.maximum`, from: 100, to: 50 },
  { name: 'a lower bound is raised', at: `${PARAMS}.limit.minimum`, from: 1, to: 2 },
  { name: 'a bound is added', at: `${PARAMS}.after.maxLength`, from: undefined, to: 9 },
  { name: 'a pattern is added', at: `${PARAMS}.after.pattern`, from: undefined, to: '^a' },
  {
    name: 'an object in an input is closed',
    at: `${PARAMS}.filter.additionalProperties`,
    from: true,
    to: false,
  },
  {
    name: 'the further members of an input must be text',
    at: `${PARAMS}.filter.additionalProperties`,
    from: true,
    to: TEXT,
  },
  {
    name: 'the further members of an input are of another type',
    at: `${PARAMS}.filter.additionalProperties`,
    from: TEXT,
    to: LIMIT,
  },
  {
    name: 'the elements of a list in an input must be text',
    at: `${PARAMS}.ids`,
    from: { type: 'array' },
    to: { type: 'array', items: TEXT },
  },
  {
    name: 'an input has one alternative less',
    at: `${PARAMS}.who`,
    from: { oneOf: [PERSON, OTHER_PERSON] },
    to: { oneOf: [PERSON] },
  },
  {
    name: 'an input may no longer be null instead of a reference',
    at: `${PARAMS}.who`,
    from: { anyOf: [{ $ref: '#/shapes/person' }, { type: 'null' }] },
    to: { $ref: '#/shapes/person' },
  },
  { name: 'refuse is added', at: `${UPDATE}.refuse`, from: undefined, to: [REFUSAL] },
  { name: 'the type of an output is widened', at: `${RECORD}.size`, from: TEXT, to: NULLABLE },
  { name: 'any type may come', at: `${RECORD}.size`, from: TEXT, to: {} },
  {
    name: 'an output may be null instead of a reference',
    at: `${RECORD}.owner`,
    from: { $ref: '#/shapes/person' },
    to: { anyOf: [{ $ref: '#/shapes/person' }, { type: 'null' }] },
  },
  {
    name: 'the elements of a list in an output may be null',
    at: `${RECORD}.tags`,
    from: { type: 'array', items: TEXT },
    to: { type: 'array', items: NULLABLE },
  },
  { name: 'a default changed', at: `${PARAMS}.limit.default`, from: 10, to: 20 },
  { name: 'a default is removed', at: `${PARAMS}.limit.default`, from: 10, to: undefined },
  {
    name: 'a computed default changed',
    at: `${PARAMS}.after.default_from`,
    from: '{{ config.team }}',
    to: '{{ config.region }}',
  },
  {
    name: 'a default becomes a computed one',
    at: `${PARAMS}.after`,
    from: { ...TEXT, default: 'a' },
    to: { ...TEXT, default_from: '{{ config.team }}' },
  },
  {
    name: 'a member is dropped',
    at: `${LIST}.response`,
    from: ITEMS,
    to: { ...ITEMS, drop: ['at'] },
  },
  {
    name: 'records are kept by a condition',
    at: `${LIST}.response`,
    from: ITEMS,
    to: { ...ITEMS, keep: '{{ record.text }}' },
  },
  {
    name: 'records are kept by no condition any more',
    at: `${LIST}.response`,
    from: { ...ITEMS, keep: '{{ record.text }}' },
    to: ITEMS,
  },
  {
    name: 'a filter is no longer applied',
    at: `${LIST}.response`,
    from: { ...ITEMS, where: { text: 'after' } },
    to: ITEMS,
  },
  {
    name: 'a filter is applied to a parameter that was there',
    at: `${LIST}.response`,
    from: ITEMS,
    to: { ...ITEMS, where: { text: 'filter.by' } },
  },
  {
    name: 'a member is set otherwise',
    at: `${LIST}.response`,
    from: { ...ITEMS, set: { at: '{{ record.id }}' } },
    to: { ...ITEMS, set: { at: '{{ record.size }}' } },
  },
  { name: 'a list of one', at: `${LIST}.response`, from: ITEMS, to: { ...ITEMS, single: true } },
  {
    name: 'an answer is read as another form',
    at: `${NOTES}.actions.get`,
    from: { ...GET, response: { decode: 'json' } },
    to: { ...GET, response: { decode: 'text' } },
  },
  {
    name: 'a missing list fails',
    at: `${LIST}.response`,
    from: { ...ITEMS, missing: 'empty' },
    to: ITEMS,
  },
  {
    name: 'a listing no longer turns its pages',
    at: `${LIST}.pagination`,
    from: { type: 'offset', param: 'limit', total: '$.total' },
    to: { type: 'none', reason: 'All at once.' },
  },
  {
    name: 'the verb of a write',
    at: `${UPDATE}.request.http`,
    from: 'PUT /notes/{{ params.id }}',
    to: 'PATCH /notes/{{ params.id }}',
  },
  {
    name: 'a host is gone',
    at: 'server.hosts',
    from: ['api.acme.example', '*.acme.example'],
    to: ['api.acme.example'],
  },
  { name: 'any host no longer', at: 'server.hosts', from: 'any', to: ['api.acme.example'] },
  {
    name: 'a parameter has no effect any more',
    at: `${LIST}.unsent`,
    from: undefined,
    to: { limit: 'The vendor has one size.' },
  },
  {
    name: 'a parameter has an effect now',
    at: `${LIST}.unsent`,
    from: { limit: 'The vendor has one size.' },
    to: undefined,
  },
  {
    name: 'an error rule that made a success of a failure is removed',
    at: `${LIST}.errors`,
    from: [rule({ status: 404 }, 'empty')],
    to: undefined,
  },
  {
    name: 'an error rule refuses before another one what that took for nothing',
    at: `${LIST}.errors`,
    from: [
      rule({ body: { '$.ok': false, '$.error': 'none' } }, 'empty'),
      rule({ body: { '$.ok': false } }, 'fail', { as: 'invalid' }),
    ],
    to: [
      rule({ body: { '$.ok': false, '$.error': { matches: '^no' } } }, 'fail', { as: 'conflict' }),
      rule({ body: { '$.ok': false, '$.error': 'none' } }, 'empty'),
      rule({ body: { '$.ok': false } }, 'fail', { as: 'invalid' }),
    ],
  },
  {
    name: 'an error rule refuses answers of status 200',
    at: `${LIST}.errors`,
    from: undefined,
    to: [rule({ body: { '$.ok': false } }, 'fail', { as: 'invalid' })],
  },
  {
    name: 'files of fewer types',
    at: `${NOTES}.actions.download`,
    from: { ...FILE, download: { types: ['audio/*', 'video/*'] } },
    to: { ...FILE, download: { types: ['audio/*'] } },
  },
  {
    name: 'a file must say its size',
    at: `${NOTES}.actions.upload`,
    from: ANY_SIZE,
    to: PARTS,
  },
  {
    name: 'a file must say its size, in words',
    at: `${NOTES}.actions.upload`,
    from: ANY_SIZE,
    to: KNOWN_SIZE,
  },
  {
    name: 'a file that must say its size goes in parts',
    at: `${NOTES}.actions.upload`,
    from: WHOLE,
    to: PARTS,
  },
  { name: 'primary_key changed', at: `${NOTES}.sync.primary_key`, from: 'id', to: ['id', 'at'] },
  {
    name: 'an action is no longer idempotent',
    at: `${UPDATE}.retry`,
    from: { attempts: 2, idempotent: true },
    to: { attempts: 2 },
  },
  {
    name: 'an action has no idempotency key any more',
    at: `${UPDATE}.retry`,
    from: { attempts: 2, idempotency_key: 'Idempotency-Key' },
    to: { attempts: 2 },
  },
  {
    name: 'the defaults make actions idempotent no longer',
    at: 'defaults.retry',
    from: { attempts: 2, idempotent: true },
    to: { attempts: 2 },
  },
  {
    name: 'a step is no longer idempotent',
    at: UPDATE,
    from: { params: BASE.entities.notes.actions.update.params, steps: stepsWith(true) },
    to: { params: BASE.entities.notes.actions.update.params, steps: stepsWith(false) },
  },
  {
    name: 'an action asks for a further scope',
    at: `${LIST}.scopes`,
    from: ['notes:read'],
    to: ['notes:read', 'notes:all'],
  },
]

const MINOR: readonly Case[] = [
  {
    name: 'a member is no longer dropped',
    at: `${LIST}.response`,
    from: { ...ITEMS, drop: ['at'] },
    to: ITEMS,
  },
  {
    name: 'a member is set',
    at: `${LIST}.response`,
    from: ITEMS,
    to: { ...ITEMS, set: { by: 'x' } },
  },
  {
    name: 'a listing turns its pages',
    at: `${LIST}.pagination`,
    from: { type: 'none', reason: 'All at once.' },
    to: { type: 'offset', param: 'limit', total: '$.total' },
  },
  {
    name: 'a further host',
    at: 'server.hosts',
    from: ['api.acme.example'],
    to: ['api.acme.example', '*.acme.example'],
  },
  { name: 'any host', at: 'server.hosts', from: ['api.acme.example'], to: 'any' },
  {
    name: 'files of any type',
    at: `${NOTES}.actions.download`,
    from: { ...FILE, download: { url: '$.file', types: ['audio/*'] } },
    to: { ...FILE, download: { url: '$.file' } },
  },
  {
    name: 'a file need not say its size',
    at: `${NOTES}.actions.upload`,
    from: PARTS,
    to: ANY_SIZE,
  },
  {
    name: 'a file need not say its size, which was said',
    at: `${NOTES}.actions.upload`,
    from: KNOWN_SIZE,
    to: ANY_SIZE,
  },
  {
    name: 'a file that goes in parts no longer need say its size',
    at: `${NOTES}.actions.upload`,
    from: PARTS,
    to: WHOLE,
  },
  { name: 'an entity is added', at: 'entities.tags', from: undefined, to: TAGS },
  { name: 'an action is added', at: `${NOTES}.actions.get`, from: undefined, to: GET },
  {
    name: 'an action with a scope is added',
    at: `${NOTES}.actions.get`,
    from: undefined,
    to: { ...GET, scopes: ['notes:read'] },
  },
  { name: 'an optional parameter is added', at: `${PARAMS}.q`, from: undefined, to: TEXT },
  {
    name: 'a required parameter that is filled in is added',
    at: `${UPDATE}.params`,
    from: updateParams(),
    to: updateParams({ q: { ...TEXT, default: 'a' } }, ['q']),
  },
  {
    name: 'a required parameter that is filled in is added inside another',
    at: `${PARAMS}.filter`,
    from: { ...OBJECT, properties: {} },
    to: { ...OBJECT, required: ['by'], properties: { by: { ...TEXT, default: 'a' } } },
  },
  {
    name: 'a parameter is renamed and keeps its old name',
    at: `${UPDATE}.params`,
    from: updateParams({ q: TEXT }, ['q']),
    to: updateParams({ query: { ...TEXT, aliases: ['q'] } }, ['query']),
  },
  {
    name: 'another name of a parameter is added',
    at: `${PARAMS}.limit.aliases`,
    from: undefined,
    to: ['size'],
  },
  { name: 'a record property is added', at: `${RECORD}.owner`, from: undefined, to: TEXT },
  {
    name: 'a search field is added',
    at: `${NOTES}.search.fields`,
    from: ['text'],
    to: ['text', 'at'],
  },
  { name: 'search is added', at: `${NOTES}.search`, from: undefined, to: { fields: ['text'] } },
  { name: 'an auth method is added', at: 'auth.other', from: undefined, to: KEY },
  { name: 'a meta name is added', at: `${LIST}.pagination.meta.all`, from: undefined, to: '$.n' },
  { name: 'an optional setting is added', at: 'config.properties.site', from: undefined, to: TEXT },
  { name: 'the type of an input is widened', at: `${PARAMS}.after`, from: TEXT, to: NULLABLE },
  {
    name: 'an input may be null instead of a reference',
    at: `${PARAMS}.who`,
    from: { $ref: '#/shapes/person' },
    to: { anyOf: [{ $ref: '#/shapes/person' }, { type: 'null' }] },
  },
  {
    name: 'an enum of an input is widened',
    at: 'config.properties.region.enum',
    from: ['eu'],
    to: ['eu', 'us'],
  },
  { name: 'an upper bound is raised', at: `${PARAMS}.limit.maximum`, from: 50, to: 100 },
  { name: 'a bound is removed', at: `${PARAMS}.after.maxLength`, from: 9, to: undefined },
  {
    name: 'an input need not be a multiple any more',
    at: `${PARAMS}.limit.multipleOf`,
    from: 5,
    to: undefined,
  },
  {
    name: 'the elements of an input may be the same',
    at: `${PARAMS}.ids`,
    from: { type: 'array', items: TEXT, uniqueItems: true, maxItems: 9 },
    to: { type: 'array', items: TEXT, maxItems: 9 },
  },
  {
    name: 'an input has a further alternative',
    at: `${PARAMS}.who`,
    from: { oneOf: [PERSON] },
    to: { oneOf: [PERSON, OTHER_PERSON] },
  },
  { name: 'refuse is removed', at: `${UPDATE}.refuse`, from: [REFUSAL], to: undefined },
  {
    name: 'a parameter is deprecated',
    at: `${PARAMS}.limit.deprecated`,
    from: undefined,
    to: true,
  },
  {
    name: 'a record property is deprecated',
    at: `${RECORD}.text.deprecated`,
    from: undefined,
    to: true,
  },
  {
    name: 'an action is deprecated',
    at: `${UPDATE}.deprecated`,
    from: undefined,
    to: 'Use create.',
  },
  {
    name: 'an action is idempotent now',
    at: `${UPDATE}.retry`,
    from: { attempts: 2 },
    to: { attempts: 2, idempotent: true },
  },
]

const PATCH: readonly Case[] = [
  {
    name: 'the verb of a listing',
    at: `${LIST}.request.http`,
    from: 'GET /notes',
    to: 'POST /notes/search',
  },
  {
    name: 'why a parameter has no effect',
    at: `${LIST}.unsent`,
    from: { limit: 'The vendor has one size.' },
    to: { limit: 'All come at once.' },
  },
  { name: 'the title of the connector', at: 'connector.title', from: 'Acme', to: 'Acme Notes' },
  { name: 'the title of an entity', at: `${NOTES}.title`, from: undefined, to: 'Notes' },
  { name: 'the summary of an action', at: `${LIST}.summary`, from: undefined, to: 'List notes' },
  { name: 'a description', at: `${PARAMS}.limit.description`, from: undefined, to: 'At most.' },
  { name: 'the title of an auth method', at: 'auth.key.title', from: undefined, to: 'API key' },
  {
    name: 'the message of a refusal',
    at: `${UPDATE}.refuse`,
    from: [REFUSAL],
    to: [{ ...REFUSAL, message: 'Text is not taken.' }],
  },
  {
    name: 'a file of any size goes in parts',
    at: `${NOTES}.actions.upload`,
    from: WHOLE,
    to: ANY_SIZE,
  },
  { name: 'limits', at: 'limits', from: { rate: '3/s' }, to: { rate: '5/s' } },
  { name: 'retries', at: `${LIST}.retry`, from: { attempts: 2 }, to: { attempts: 4 } },
  {
    name: 'error rules',
    at: `${LIST}.errors`,
    from: undefined,
    to: [rule({ status: 404 }, 'empty')],
  },
  {
    name: 'an error rule that words what another one refused before',
    at: `${LIST}.errors`,
    from: [rule({ body: { '$.ok': false } }, 'fail', { as: 'invalid' })],
    to: [
      rule({ body: { '$.ok': false, '$.error': 'gone' } }, 'fail', { as: 'not_found' }),
      rule({ body: { '$.ok': false } }, 'fail', { as: 'invalid' }),
    ],
  },
  {
    name: 'an error rule of the defaults',
    at: 'defaults.errors',
    from: undefined,
    to: [rule({ status: 409 }, 'fail', { as: 'conflict' })],
  },
  {
    name: 'a path on the wire',
    at: `${LIST}.request.http`,
    from: 'GET /notes',
    to: 'GET /v2/notes',
  },
  {
    name: 'a name on the wire',
    at: `${UPDATE}.request.body`,
    from: ['text'],
    to: [{ body: '{{ params.text }}' }],
  },
  { name: 'where the records lie', at: `${LIST}.response.records`, from: '$.items', to: '$.notes' },
  { name: 'where a meta member lies', at: `${LIST}.pagination.meta.count`, from: '$.n', to: '$.m' },
  { name: 'the base URL', at: 'server.url', from: 'https://a.example', to: 'https://b.example' },
  {
    name: 'how credentials are sent',
    at: 'auth.key.apply',
    from: { bearer: '{{ credentials.key }}' },
    to: { headers: { 'X-Key': '{{ credentials.key }}' } },
  },
  {
    name: 'the token endpoint',
    at: 'auth.consent.oauth2.token.url',
    from: 'https://acme.example/token',
    to: 'https://acme.example/v2/token',
  },
  {
    name: 'the call that proves a connection',
    at: 'check',
    from: undefined,
    to: { entity: 'notes', action: 'list' },
  },
  { name: 'the interval of the sync', at: `${NOTES}.sync.every`, from: undefined, to: '1h' },
  {
    name: 'where a search field lies',
    at: `${NOTES}.search`,
    from: { fields: ['text'], add: { string: ['by'] }, from: { by: '$.text' } },
    to: { fields: ['text'], add: { string: ['by'] }, from: { by: '$.at' } },
  },
]

const NONE: readonly Case[] = [
  {
    name: 'a schema moves into a shape',
    at: `${PARAMS}.who`,
    from: PERSON,
    to: { $ref: '#/shapes/person' },
  },
  {
    name: 'a map is written as a list',
    at: `${UPDATE}.request.body`,
    from: ['text'],
    to: { text: '{{ params.text }}' },
  },
  {
    name: 'a key is written as a path',
    at: `${NOTES}.sync.primary_key`,
    from: 'id',
    to: ['$.id'],
  },
]

describe.each([
  { needed: 'major', cases: MAJOR },
  { needed: 'minor', cases: MINOR },
  { needed: 'patch', cases: PATCH },
  { needed: 'none', cases: NONE },
])('$needed', ({ needed, cases }) => {
  test.for(cases)('$name', ({ at, from, to }) => {
    expect(compareManifests(manifestWith(at, from), manifestWith(at, to))).toMatchObject({ needed })
  })
})

/** The base with one value at a place of names that are separated by dots; what the value needs is there on both sides. */
function manifestWith(at: string, value: unknown): Manifest {
  const object = withMember(BASE, at.split('.'), (value ?? null) as Json)
  return manifestOf(value === undefined ? without(object, at.split('.')) : object)
}

function without(object: JsonObject, [name = '', ...rest]: readonly string[]): JsonObject {
  const { [name]: inner, ...others } = object
  if (rest.length === 0) return others
  const left = without(inner as JsonObject, rest)
  return Object.keys(left).length === 0 ? others : { ...object, [name]: left }
}

function updateParams(more: JsonObject = {}, required: readonly string[] = []): JsonObject {
  return { required: ['id', ...required], properties: { id: TEXT, text: TEXT, ...more } }
}

function stepsWith(idempotent: boolean): Json {
  return [STEPS[0], { ...STEPS[1], retry: { idempotent } }]
}
