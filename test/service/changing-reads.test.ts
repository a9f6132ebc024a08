// An action that only reads by its name and changes data by its method, as a compiled manifest from before the word `reads`
// holds it: the service, the hosted client and the copy take it for the write that it is.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectHosted } from '../../src/client/hosted.ts'
import { loadManifest, requireManifest } from '../../src/language/manifest/load.ts'
import { applyOwnWrite } from '../../src/copy/sync/own-write.ts'
import { syncedEntities } from '../../src/copy/sync/synced-entity.ts'
import { createHastyClock } from '../../src/sandbox/testing/hasty-clock.ts'
import {
  type ScriptedUpstream,
  scriptedUpstream,
} from '../../src/sandbox/testing/scripted-upstream.ts'
import { folderOf } from '../cli/run-tenon.ts'
import { type RunningService, runService } from '../fixtures/running-service.ts'
import { manifestOf } from '../language/manifest/resolved.ts'

const LIST = {
  request: { http: 'GET /things' },
  response: { records: '$.items' },
  pagination: { type: 'none', reason: 'All at once.' },
}
const COMPILED = JSON.stringify(
  manifestOf({
    entities: {
      things: {
        record: { properties: { id: { type: 'string' } } },
        actions: {
          list: LIST,
          get: { request: { http: 'DELETE /thing' } },
          api_search: { ...LIST, request: { http: 'PUT /search' } },
          download: { request: { http: 'PUT /file' } },
          update: { request: { http: 'PUT /thing' } },
        },
        search: { fields: ['id'] },
        sync: { every: '1h', primary_key: 'id', action: 'list' },
      },
    },
  }),
)
const MANIFEST = requireManifest(loadManifest({ file: 'thing.json', text: COMPILED }))

let world: RunningService
let vendor: ScriptedUpstream
let id: string

beforeAll(async () => {
  vendor = await scriptedUpstream([
    { expect: { send: 'DELETE /thing' }, answer: { body: { id: '1' } } },
    { expect: { send: 'PUT /search' }, answer: { body: { items: [{ id: '1' }] } } },
    { expect: { send: 'PUT /file' }, answer: { text: 'one' } },
    { expect: { send: 'PUT /file' }, answer: { text: 'two' } },
    { expect: { send: 'GET /things' }, answer: { body: { items: [] } } },
    { expect: { send: 'PUT /search' }, answer: { body: { items: 7 } } },
  ])
  world = await runService({
    mode: 'dev',
    manifests: [join(folderOf({ 'thing.json': COMPILED }), 'thing.json')],
    connectors: ['thing'],
    allowHosts: ['127.0.0.1'],
    jobs: false,
  })
  const made = await world.call('POST', '/v1/integrations/connectors?check=false', {
    external_user_id: 'user-1',
    connector_type: 'thing',
    name: 'things',
    credentials: {},
    server_url: vendor.url,
  })
  id = (made.body as { readonly id: string }).id
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await vendor[Symbol.asyncDispose]()
})

test('the service does it once per key and keeps it in the audit log, but for the bytes of a file', async () => {
  const run = async (action: string) => {
    const { status, text, headers } = await world.call(
      'POST',
      `/api/v1/connectors/sources/${id}/execute`,
      { entity: 'things', action },
      { headers: { 'idempotency-key': `key-of-${action}` } },
    )
    return [status, headers.get('idempotent-replayed'), text.slice(0, 20)]
  }
  const twice = async (action: string) => [await run(action), await run(action)]
  expect([
    await twice('get'),
    await twice('api_search'),
    await twice('download'),
    await run('list'),
  ]).toEqual([
    [
      [200, null, '{"data":{"id":"1"},"'],
      [200, 'true', '{"data":{"id":"1"},"'],
    ],
    [
      [200, null, '{"data":[{"id":"1"}]'],
      [200, 'true', '{"data":[{"id":"1"}]'],
    ],
    [
      [200, null, 'one'],
      [200, null, 'two'],
    ],
    [200, null, '{"data":[],"meta":{"'],
  ])
  const events = await world.service.store.audit.list(
    { organizationId: 'default' },
    { instanceId: id, limit: 10 },
  )
  const executed = events.filter(({ action }) => action.startsWith('execute.'))
  expect(executed.map(({ action, outcome }) => [action, outcome]).toReversed()).toEqual([
    ['execute.get', 'done'],
    ['execute.api_search', 'done'],
    ['execute.download', 'done'],
    ['execute.download', 'done'],
  ])
})

test('an answer that cannot be read leaves it applied', async () => {
  const { body } = await world.call('POST', `/api/v1/connectors/sources/${id}/execute`, {
    entity: 'things',
    action: 'api_search',
  })
  expect(body).toMatchObject({ code: 'upstream_malformed', outcome: 'applied' })
})

test.for([
  { action: 'get', hasKey: true, code: null },
  { action: 'api_search', hasKey: true, code: null },
  { action: 'update', hasKey: true, code: null },
  { action: 'list', hasKey: false, code: null },
  // What is kept for no key cannot be asked for twice.
  { action: 'download', hasKey: false, code: 'service_unreachable, uncertain' },
])(
  'the hosted client repeats a lost $action with a key: $hasKey',
  async ({ action, hasKey, code }) => {
    await using service = await scriptedUpstream([
      { answer: { reset: true } },
      ...(code === null ? [{ answer: { body: { data: [], meta: {} } } }] : []),
    ])
    await using client = await connectHosted(MANIFEST, {
      baseUrl: service.url,
      connectorId: 'c-1',
      token: 't',
      clock: createHastyClock(),
    })
    const came = await Promise.resolve(client.execute('things', action)).then(
      () => null,
      ({ code, outcome }: { readonly code: string; readonly outcome: string }) =>
        `${code}, ${outcome}`,
    )
    expect(came).toBe(code)
    const keys = service.requests.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual(code === null ? [keys[0], keys[0]] : [undefined])
    expect(keys[0] !== undefined).toBe(hasKey)
  },
)

test('the copy never asks for a record by it, and reads the entity after it', async () => {
  const entities = syncedEntities(MANIFEST)
  expect(entities.get('things')?.get).toBe(null)
  const [get] = MANIFEST.entities[0]?.actions.filter(({ name }) => name === 'get') ?? []
  if (get === undefined) throw new Error('there is a get')
  const never = (): never => {
    throw new Error('nothing is asked, and nothing is written')
  }
  const changed = await applyOwnWrite(
    {
      index: { copies: async () => [{}] } as never,
      upstream: { config: () => ({}), list: never, get: never },
      clock: createHastyClock(),
      newId: never,
      childrenDue: never,
    },
    entities,
    { instanceId: id, action: get, params: {}, data: { id: '1' }, sentAtMs: 0 },
    new AbortController().signal,
  )
  expect(changed).toBe(null)
})
