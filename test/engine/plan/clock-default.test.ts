import { expect, test } from 'vitest'

import { connect } from '../../../src/client/connect.ts'
import { compilePlan } from '../../../src/engine/plan/plan.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import { type LoadResult, loadManifest } from '../../../src/language/manifest/load.ts'
import { generateReference } from '../../../src/tools/codegen/reference.ts'
import { createSandbox } from '../../../src/sandbox/sandbox.ts'

function load(since: JsonObject): LoadResult {
  return loadManifest({
    file: 'acme.json',
    object: {
      manifest: 1,
      connector: { type: 'acme', title: 'Acme', version: '1.0.0' },
      server: { url: 'https://api.acme.example' },
      auth: { none: { apply: 'none' } },
      entities: {
        items: {
          record: { properties: { id: { type: 'string' } } },
          actions: {
            list: {
              params: {
                required: ['since'],
                properties: { since, page: { type: 'integer' }, limit: { type: 'integer' } },
              },
              request: { http: 'GET /items', query: ['since', 'page', 'limit'] },
              response: { records: '$.items' },
              pagination: { type: 'page', param: 'page', size: 'limit', pages: '$.pages' },
            },
          },
        },
      },
    },
  })
}

const ISO = { type: 'string', format: 'date-time' }
const NOW = Date.parse('2024-03-30T10:20:30.400Z')

test.for<{ name: string; since: JsonObject; given?: JsonObject; want: unknown }>([
  {
    name: 'the past, in UTC',
    since: { ...ISO, default_from: { now: '-30d' } },
    want: '2024-02-29T10:20:30.400Z',
  },
  {
    name: 'the time of the call, in seconds',
    since: { type: 'integer', default_from: { now: '0s', format: 'epoch_s' } },
    want: 1711794030,
  },
  {
    name: 'the future, as a day of the calendar',
    since: { type: 'string', format: 'date', default_from: { now: 'P1M', format: 'yyyy-MM-dd' } },
    want: '2024-04-30',
  },
  {
    name: 'hours',
    since: { ...ISO, default_from: { now: '-36h' } },
    want: '2024-03-28T22:20:30.400Z',
  },
  {
    name: 'what the caller gives stands',
    since: { ...ISO, default_from: { now: '-30d' } },
    given: { since: '2020-01-01T00:00:00Z' },
    want: '2020-01-01T00:00:00Z',
  },
])('$name', ({ since, given = {}, want }) => {
  const { manifest, problems } = load(since)
  expect(problems).toEqual([])
  const action = manifest?.entities[0]?.actions[0]
  if (manifest === null || action === undefined) throw new Error('no manifest')
  expect(compilePlan(manifest, action)(given, {}, () => NOW)['since']).toBe(want)
})

test.for<{ name: string; since: JsonObject; rule: string }>([
  {
    name: 'text where the parameter takes a number',
    since: { type: 'integer', default_from: { now: '-1d' } },
    rule: 'params/default-invalid',
  },
  {
    name: 'a time where the parameter takes a day',
    since: { type: 'string', format: 'date', default_from: { now: '-1d' } },
    rule: 'params/default-invalid',
  },
  {
    name: 'no duration',
    since: { ...ISO, default_from: { now: 'yesterday' } },
    rule: 'schema/form',
  },
  {
    name: 'the clock in a template',
    since: { ...ISO, default_from: '{{ now }}' },
    rule: 'expression/now-out-of-place',
  },
])('$name is refused', ({ since, rule }) => {
  expect(load(since).problems).toMatchObject([{ rule }])
})

test('all pages of a listing have the time of the first, and the reference prints the rule', async () => {
  const { manifest } = load({ ...ISO, default_from: { now: '-30d' } })
  if (manifest === null) throw new Error('no manifest')
  await using vendor = await createSandbox(manifest, null, { sizes: { items: 30 } })
  const client = await connect(manifest, vendor.options())
  const first = await client.execute('items', 'list', { limit: 10 })
  const { next } = first.meta as { next: JsonObject }
  expect(next).toEqual({ page: 2, since: expect.any(String) as string })
  for await (const { records } of client.execute('items', 'list', { limit: 10 }).pages())
    expect(records).toHaveLength(10)
  const sent = vendor.requests().map(({ target }) => new URL(target, 'http://x').searchParams)
  const times = sent.map((query) => query.get('since'))
  expect(times).toHaveLength(4)
  expect(times[0]).toBe(next['since'])
  expect(new Set(times.slice(1)).size).toBe(1)
  const age = Date.now() - Date.parse(times[1] ?? '')
  expect(Math.round(age / 86_400_000)).toBe(30)
  expect(generateReference(manifest, () => ({}))).toContain(
    'Default: the time of the call minus `30d`; all pages of a listing keep that of the first.',
  )
  expect(await client.preview('items', 'list', {})).toMatchObject({
    requests: [{ url: expect.stringContaining('since=20') as string }],
  })
})
