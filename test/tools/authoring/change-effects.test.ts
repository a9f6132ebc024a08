// What `tenon diff` calls cosmetic changes no call: every small change of a manifest, with the calls made before and after.
import { expect, test } from 'vitest'
import { connect } from '../../../src/client/connect.ts'
import type { Transport } from '../../../src/engine/exchange/transport.ts'
import { isConnectorError } from '../../../src/errors.ts'
import type { Json, JsonObject } from '../../../src/language/json/json.ts'
import { isJsonObject } from '../../../src/language/json/members.ts'
import { loadManifest } from '../../../src/language/manifest/load.ts'
import type { Manifest } from '../../../src/language/manifest/manifest.ts'
import { compareManifests } from '../../../src/tools/authoring/compare-manifests.ts'
import { createPatientClock } from '../../contracts/scripted-upstream.ts'
import { rule } from '../../language/manifest/resolved.ts'
import { sized } from '../../fixtures/sizes.ts'

const TEXT = { type: 'string' } as const
const BASE: JsonObject = {
  manifest: 1,
  connector: { type: 'notes', title: 'Notes', version: '1.0.0' },
  server: { url: '{{ config.base }}', hosts: ['api.notes.example', '*.notes.example'] },
  config: { required: ['base'], properties: { base: { type: 'string', format: 'uri' } } },
  auth: {
    key: {
      credentials: { required: ['key'], properties: { key: { ...TEXT, writeOnly: true } } },
      apply: { bearer: '{{ credentials.key }}' },
    },
  },
  entities: {
    notes: {
      record: { properties: { id: TEXT, text: { type: ['string', 'null'] }, size: TEXT } },
      actions: {
        list: {
          params: {
            properties: {
              limit: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
              state: { type: 'string', enum: ['open', 'done'], aliases: ['status'] },
              text: TEXT,
              after: TEXT,
              old: TEXT,
            },
          },
          refuse: [
            { if: '{{ and params.state params.old }}', params: ['old'], message: 'Not both.' },
          ],
          unsent: { old: 'The vendor has it no longer.' },
          request: { http: 'GET /notes', query: ['limit', 'state', 'after'] },
          response: {
            records: '$.items',
            where: { text: 'text' },
            keep: '{{ record.id }}',
            set: { size: '{{ json record.size }}' },
            drop: ['secret'],
          },
          pagination: {
            type: 'cursor',
            param: 'after',
            size: 'limit',
            next: '$.next',
            meta: { total: '$.total' },
          },
          errors: [rule({ status: 404, body: { '$.code': 'none' } }, 'empty') as JsonObject],
        },
        get: {
          params: { required: ['id'], properties: { id: { type: 'string', maxLength: 40 } } },
          request: { http: 'GET /notes/{{ params.id }}' },
        },
        update: {
          params: {
            required: ['id'],
            properties: { id: TEXT, text: { type: ['string', 'null'] } },
          },
          request: { http: 'PUT /notes/{{ params.id }}', body: ['text'] },
          retry: { idempotent: true },
        },
      },
    },
  },
}

/** Where the vendor has things: what the manifest says there follows the vendor, whose change is not looked at here. */
const WIRE =
  /\.(request|records|record|next|total|param|first|carry|apply|url|errors\.0\.when)(\.|$)/
/** Records are never validated: their schema is a promise, and makes casts. */
const PROMISES = /^entities\.notes\.record\./

const CALLS: readonly (readonly [action: string, params: JsonObject])[] = [
  ['list', {}],
  ['list', { limit: 1 }],
  ['list', { limit: 50, state: 'done' }],
  ['list', { status: 'open' }],
  ['list', { text: 'b' }],
  ['list', { old: 'x', after: 'none' }],
  ['get', { id: '7' }],
  ['get', { id: 'a'.repeat(40) }],
  ['update', { id: '7', text: 'b' }],
  ['update', { id: '7', text: null }],
]
const HOSTS = ['api.notes.example', 'eu.notes.example']

/** The vendor keeps its ways. A busy one fails the first time. */
function vendor(): Transport {
  let calls = 0
  const answerTo = (method: string, url: string): readonly [status: number, body: Json] => {
    const { pathname, searchParams } = new URL(url)
    if (method === 'PUT') return calls++ === 0 ? [503, {}] : [200, { id: '7', text: 'b', method }]
    if (method !== 'GET') return [200, { method }]
    if (pathname !== '/notes') return [200, { id: pathname.slice(7), text: null, size: 3 }]
    if (searchParams.get('after') === 'none') return [404, { code: 'none' }]
    const isFirst = searchParams.get('after') === null
    const size = searchParams.get('limit') ?? 'all'
    const items = [
      {
        id: isFirst ? '1' : '2',
        text: 'a',
        size: 3,
        secret: 's',
        asked: `${size} ${searchParams.get('state')}`,
      },
      { id: isFirst ? '3' : '4', text: 'b', size: 4, secret: 's' },
      { id: '', text: 'b' },
    ]
    return [200, { items, total: 6, ...(isFirst && { next: 'p2' }) }]
  }
  return {
    send: async ({ method, url }) => {
      const [status, body] = answerTo(method, url)
      const headers = { 'content-type': 'application/json' }
      return { status, headers, url, body: Buffer.from(JSON.stringify(body)) }
    },
    stream: () => Promise.reject(new Error('no streams')),
    close: async () => {},
  }
}

/** Data and meta of every call, over all pages; the code of the error where it fails. */
async function outcomes(manifest: Manifest): Promise<readonly Json[]> {
  const all: Json[] = []
  for (const host of HOSTS)
    for (const [action, params] of host === HOSTS[0] ? CALLS : CALLS.slice(0, 1))
      all.push(await outcome(manifest, { host, action, params }))
  return all
}

async function outcome(
  manifest: Manifest,
  call: { readonly host: string; readonly action: string; readonly params: JsonObject },
): Promise<Json> {
  const pages: unknown[] = []
  try {
    await using client = await connect(manifest, {
      credentials: { key: 'k' },
      config: { base: `https://${call.host}` },
      transport: vendor(),
      clock: createPatientClock(),
    })
    let params: JsonObject | null = call.params
    while (params !== null && pages.length < 4) {
      const { data, meta } = (await client.execute('notes', call.action, params)) as {
        readonly data: Json
        readonly meta: JsonObject | null
      }
      const { next = null, ...told } = { ...meta }
      pages.push({ data, told })
      params = isJsonObject(next) ? { ...call.params, ...next } : null
    }
    return JSON.parse(JSON.stringify(pages)) as Json
  } catch (error) {
    if (!isConnectorError(error)) throw error
    return { fails: error.code }
  }
}

/** Every value of a manifest taken out, or replaced by others that may stand there. */
function* mutants(
  value: Json,
  at: readonly string[] = [],
): Generator<{ readonly at: string; readonly text: string }> {
  const entries = Array.isArray(value)
    ? [...value.entries()]
    : isJsonObject(value)
      ? Object.entries(value)
      : []
  for (const [key, inner] of entries as readonly (readonly [string | number, Json])[]) {
    const place = [...at, String(key)]
    for (const other of [undefined, ...replacements(inner)])
      yield { at: place.join('.'), text: JSON.stringify(withValue(BASE, place, other)) }
    yield* mutants(inner, place)
  }
}

function replacements(value: Json): readonly Json[] {
  if (typeof value === 'number') return [value - 5, value + 5]
  if (typeof value === 'boolean') return [!value]
  if (typeof value !== 'string') return []
  return [
    ...new Set([
      'id',
      'text',
      'state',
      'integer',
      'none',
      'open',
      '{{ record.text }}',
      'fail',
      '*.other.example',
    ]),
  ].filter((other) => other !== value)
}

function withValue(
  value: Json,
  [step = '', ...rest]: readonly string[],
  to: Json | undefined,
): Json {
  const copy = structuredClone(value) as Record<string, Json>
  if (rest.length > 0) copy[step] = withValue(copy[step] ?? null, rest, to)
  else if (to !== undefined) copy[step] = to
  else if (Array.isArray(copy)) copy.splice(Number(step), 1)
  else Reflect.deleteProperty(copy, step)
  return copy
}

test('a change that makes an earlier call fail or answer differently is never cosmetic', async () => {
  const load = (text: string): Manifest | null =>
    loadManifest({ text, file: 'notes.yaml' }).manifest
  const base = load(JSON.stringify(BASE))
  if (base === null) throw new Error('the base is valid')
  const before = await outcomes(base)
  expect(before.filter((one) => isJsonObject(one) && 'fails' in one)).toEqual([])
  const wrong: string[] = []
  let compared = 0
  let changed = 0
  // The rest runs at full size: a change is ten calls.
  const every = sized(25, 1)
  for (const [index, { at, text }] of [...mutants(BASE)].entries()) {
    if (index % every !== 0 || WIRE.test(`.${at}`) || PROMISES.test(at)) continue
    const manifest = load(text)
    if (manifest === null) continue
    compared++
    const after = await outcomes(manifest)
    const differs = before.some((one, call) => JSON.stringify(one) !== JSON.stringify(after[call]))
    if (!differs) continue
    changed++
    const { changes } = compareManifests(base, manifest)
    if (changes.every((change) => change.class === 'cosmetic')) wrong.push(`${at}: ${text}`)
  }
  expect(wrong).toEqual([])
  expect(compared).toBeGreaterThan(sized(4, 100))
  expect(changed).toBeGreaterThan(sized(1, 50))
})
