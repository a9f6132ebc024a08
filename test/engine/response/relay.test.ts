// Records passed on as bytes: the same answer that the ordinary reader gives, and only where nobody looks inside.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Answer } from '../../../src/language/expression/pick.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import { parseJson } from '../../../src/language/json/parse-json.ts'
import { loadManifest, loadManifestFile } from '../../../src/language/manifest/load.ts'
import type { Action } from '../../../src/language/manifest/manifest.ts'
import { compileReader } from '../../../src/engine/response/read-page.ts'
import { compileRelay } from '../../../src/engine/response/relay.ts'

interface Given {
  readonly action?: string
  readonly response?: object
  readonly pagination?: object
  readonly errors?: readonly object[]
  readonly properties?: object
}

function actionOf({ action = 'list', response, pagination, errors, properties }: Given): Action {
  const params = {
    cursor: { type: 'string' },
    startAt: { type: 'integer' },
    page: { type: 'integer' },
    max: { type: 'integer' },
    id: { type: 'string' },
  }
  const isList = action === 'list'
  const { manifest, problems } = loadManifest({
    file: 'acme.json',
    object: {
      manifest: 1,
      connector: { type: 'acme', title: 'Acme', version: '1.0.0' },
      server: { url: 'https://api.acme.example' },
      auth: {
        key: {
          credentials: { properties: { api_key: { type: 'string', writeOnly: true } } },
          apply: { bearer: '{{ credentials.api_key }}' },
        },
      },
      entities: {
        items: {
          record: { properties: properties ?? { count: { type: 'integer' } } },
          actions: {
            [action]: {
              params: { properties: params },
              request: { http: 'GET /items', query: Object.keys(params) },
              ...(isList ? { response: { records: '$.items' } } : {}),
              ...(response === undefined ? {} : { response }),
              ...(isList ? { pagination: pagination ?? CURSOR } : {}),
              ...(errors === undefined ? {} : { errors }),
            },
          },
        },
      },
    },
  })
  const found = manifest?.entities[0]?.actions[0]
  if (manifest === null || found === undefined) throw new Error(JSON.stringify(problems))
  return found
}

function failsOn(path: string): object {
  // oxlint-disable-next-line unicorn/no-thenable -- a word of the manifest language
  return { when: { body: { [path]: 1 } }, then: 'fail', as: 'invalid' }
}

const CURSOR = { type: 'cursor', param: 'cursor', next: '$.next', meta: { total: '$.total' } }
const OFFSET = {
  type: 'offset',
  param: 'startAt',
  size: 'max',
  total: '$.total',
  last: '$.isLast',
  meta: { total: '$.total', from: '$next' },
}
const PAGE = { type: 'page', param: 'page', size: 'max', pages: '$.total' }
const LINK = { type: 'link', param: 'cursor', next: '$.link', meta: { shown: '$.link' } }

const JSON_TYPE = 'application/json; charset=utf-8'

/** What a relay makes of a body, bytes read; null: it leaves the body to the reader. */
function relayed(action: Action, body: Buffer, params: JsonObject, type = JSON_TYPE): unknown {
  const relay = compileRelay(action)
  const opened = relay?.open(body, type) ?? null
  if (relay === null || opened === null) return null
  const answer = { ...ANSWER, body: opened.rest }
  const { meta, next, hasMore, link, filteredOut } = relay.read(opened, answer, { params })
  const data = parseJson(opened.data.bytes.toString())
  return { data, meta, next, hasMore, link, filteredOut }
}

function read(action: Action, text: string, params: JsonObject): unknown {
  const page = compileReader(action)({ ...ANSWER, body: parseJson(text) }, { params })
  const { data, meta, next, hasMore, link, filteredOut } = page
  return { data, meta, next, hasMore, link, filteredOut }
}

const ANSWER: Answer = {
  status: 200,
  headers: {},
  body: undefined,
  url: 'https://api.acme.example/items',
}

describe('a relayed page is the page that is read', () => {
  const json = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' })
  const body = fc.record(
    {
      items: fc.array(json, { maxLength: 5 }),
      next: fc.constantFrom(null, '', 'c-2'),
      link: fc.constantFrom(null, '', '/items?page=2', 'https://api.acme.example/next'),
      total: fc.constantFrom(null, 0, 3, 12345678901234567890n.toString(), 50),
      isLast: fc.constantFrom(null, true, false),
      other: json,
    },
    { requiredKeys: ['items'] },
  )
  const params = fc.record(
    { startAt: fc.nat(50), page: fc.nat(5), max: fc.integer({ min: 1, max: 5 }) },
    { requiredKeys: [] },
  )
  const indents = fc.constantFrom<string | undefined>(undefined, '\t')

  test.for([
    { name: 'by cursor', given: {} },
    { name: 'by offset', given: { pagination: OFFSET } },
    { name: 'by page', given: { pagination: PAGE } },
    { name: 'by link', given: { pagination: LINK } },
    { name: 'as page object', given: { response: { records: '$.items', page: '$' } } },
    {
      name: 'with rules for answers that are none',
      given: { errors: [failsOn('$.other.error')] },
    },
    { name: 'as a record', given: { action: 'get' } },
    { name: 'as a record inside', given: { action: 'get', response: { record: '$.items' } } },
  ])('$name', ({ given }) => {
    const action = actionOf(given)
    fc.assert(
      fc.property(body, params, indents, (value, used, indent) => {
        const text = JSON.stringify(value, null, indent)
        expect(relayed(action, Buffer.from(text), used)).toEqual(read(action, text, used))
      }),
    )
  })
})

test('the bytes of the records are those that came', () => {
  const text = '{"items": [ {"b":1.0,"a":1e2, "a":"\\u00e9“","__proto__":{"x":1}} ],"next":"c"}'
  const opened = compileRelay(actionOf({}))?.open(Buffer.from(text), JSON_TYPE)
  expect([opened?.data.bytes.toString(), opened?.received, opened?.rest]).toEqual([
    '[ {"b":1.0,"a":1e2, "a":"\\u00e9“","__proto__":{"x":1}} ]',
    1,
    { items: [], next: 'c' },
  ])
})

describe('what the ordinary reader must see is left to it', () => {
  const list = '{"items":[{"a":1}],"next":"c"}'
  test.for([
    { name: 'broken JSON inside a record', body: Buffer.from('{"items":[{"a":tru}]}') },
    { name: 'broken JSON behind the records', body: Buffer.from('{"items":[]') },
    { name: 'no records', body: Buffer.from('{"things":[]}') },
    { name: 'records that are no list', body: Buffer.from('{"items":{}}') },
    { name: 'records that are null', body: Buffer.from('{"items":null}') },
    { name: 'records given twice', body: Buffer.from('{"items":[1],"items":[2]}') },
    { name: 'nothing', body: Buffer.from('') },
    { name: 'bytes that are no UTF-8', body: Buffer.from('{"items":["\xe9"]}', 'latin1') },
    { name: 'a web page', body: Buffer.from(list), type: 'text/html' },
    { name: 'another charset', body: Buffer.from(list), type: 'application/json;charset=latin1' },
    {
      name: 'nesting beyond 64',
      body: Buffer.from(`{"items":[${'['.repeat(63)}${']'.repeat(63)}]}`),
    },
  ])('$name', ({ body, type }) => expect(relayed(actionOf({}), body, {}, type)).toBe(null))
})

test('a byte order mark, another JSON type or none are no reason', () => {
  const text = '{"items":[1]}'
  const want = { data: [1], meta: { total: null }, next: null, hasMore: false }
  for (const [body, type] of [
    [`\ufeff${text}`, JSON_TYPE],
    [text, 'application/hal+json'],
    [text, undefined],
  ] as const) {
    expect(relayed(actionOf({}), Buffer.from(body), {}, type)).toMatchObject(want)
  }
})

test('integers beyond 2^53 that must leave as text are read, and only those', () => {
  const action = actionOf({ properties: { id: { type: 'string' } } })
  const texts = ['{"items":[{"id":1}]}', '{"items":[{"id":12345678901234567890}]}']
  expect(texts.map((text) => relayed(action, Buffer.from(text), {}) === null)).toEqual([
    false,
    true,
  ])
})

describe('a manifest that looks into its records has no relay', () => {
  test.for([
    { name: 'keep', given: { response: { records: '$.items', keep: '{{ record.a }}' } } },
    { name: 'set', given: { response: { records: '$.items', set: { a: '1' } } } },
    { name: 'drop', given: { response: { records: '$.items', drop: ['a'] } } },
    { name: 'int64', given: { properties: { id: { type: 'string', format: 'int64' } } } },
    { name: 'a cursor in a record', given: { pagination: { ...CURSOR, next: '$.items[-1].id' } } },
    { name: 'meta of the whole', given: { pagination: { ...CURSOR, meta: { all: '$' } } } },
    {
      name: 'a rule about records',
      given: {
        errors: [failsOn('$.items[*].error')],
      },
    },
    {
      name: 'a rule about the record',
      given: {
        action: 'get',
        errors: [failsOn('$.error')],
      },
    },
  ])('$name', ({ given }) => expect(compileRelay(actionOf(given))).toBe(null))
})

describe('what a later version may say has no relay until it is known where that looks', () => {
  const known = actionOf({})
  const pagination = known.pagination
  test.for([
    { name: 'nothing new', action: known, relayed: true },
    {
      name: 'a style of pagination',
      action: { ...known, pagination: { ...pagination, type: 'keyset', field: '$.items[-1].id' } },
      relayed: false,
    },
    {
      name: 'a word of a known style',
      action: { ...known, pagination: { ...pagination, until: '$.items[*].done' } },
      relayed: false,
    },
    {
      name: 'records that lie elsewhere in this step',
      action: { ...known, steps: known.steps.map((step) => ({ ...step, records: step.request })) },
      relayed: false,
    },
    {
      name: 'a word about answers',
      action: { ...known, response: { ...known.response, unique: 'id' } },
      relayed: false,
    },
  ])('$name', ({ action, relayed }) => {
    // As a compiled manifest of that version would have it.
    expect(compileRelay(action as unknown as Action) !== null).toBe(relayed)
  })
})

test('the listings of Jira are relayed, and what deletes is not', async () => {
  const { manifest } = await loadManifestFile('manifests/jira.yaml')
  const without = (manifest?.entities ?? [])
    .flatMap(({ actions }) => actions)
    .filter((action) => action.name !== 'delete' && compileRelay(action) === null)
    .map(({ entity, name }) => `${entity}.${name}`)
  // Both have several steps.
  expect(without).toEqual(['issues.update', 'users.api_search'])
})
