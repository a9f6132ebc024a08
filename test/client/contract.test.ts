// One interface, three modes: the same calls on a client with the credentials, and on clients of a running service.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import type { Manifest } from '../../src/client/connectors.ts'
import { connect } from '../../src/client/connect.ts'
import * as web from '../../src/client/fetch/index.ts'
import { connectHosted } from '../../src/client/hosted.ts'
import { serviceClient } from '../../src/client/service-client.ts'
import type { JsonObject } from '../../src/language/json/json.ts'
import { loadManifestFile, requireManifest } from '../../src/language/manifest/load.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { sandbox } from '../../src/sandbox/open-sandbox.ts'
import { type RunningService, runService } from '../fixtures/running-service.ts'
import { eventually } from '../faults/resources.ts'

interface Mode {
  readonly vendor: (type: string) => Sandbox
  readonly client: (type: string) => Client
  close(): Promise<void>
}

const TYPES = ['gong', 'jira', 'facebook-marketing'] as const

async function direct(): Promise<Mode> {
  const vendors = new Map<string, Sandbox>()
  const clients = new Map<string, Client>()
  for (const type of TYPES) {
    const vendor: Sandbox = await sandbox(type)
    const manifest = requireManifest(await loadManifestFile(`manifests/${type}.yaml`))
    vendors.set(type, vendor)
    clients.set(type, await connect(manifest, { ...demo(vendor), limits: null }))
  }
  return modeOf(vendors, clients, async () => {
    for (const vendor of vendors.values()) await vendor.close()
  })
}

/** Over the transport of Node, and over `fetch`. */
async function hosted(over: Pick<typeof web, 'connectHosted' | 'serviceClient'>): Promise<Mode> {
  const world: RunningService = await runService()
  const { clientId = '', clientSecret = '' } = world.service.firstApplication ?? {}
  const application = over.serviceClient({ baseUrl: world.url, clientId, clientSecret })
  const clients = new Map<string, Client>()
  for (const type of TYPES) {
    const { credentials, config } = world.vendor(type).options()
    const instance = await application.instances.create({
      external_user_id: 'user-1',
      connector_type: type,
      name: type,
      credentials,
      config,
    })
    const { token } = await application.tokens.scoped({ external_user_id: 'user-1' })
    clients.set(
      type,
      // Each connector has its own type; the contract is about what they share.
      await over.connectHosted(manifestOf(world, type), {
        baseUrl: world.url,
        connectorId: instance.id,
        token,
      }),
    )
  }
  const vendors = new Map(TYPES.map((type) => [type as string, world.vendor(type)]))
  return modeOf(vendors, clients, async () => {
    await application.close()
    await world[Symbol.asyncDispose]()
  })
}

/** Credentials and settings of a local vendor as those of any connector. */
function demo(vendor: Sandbox): ReturnType<Sandbox['options']> {
  return vendor.options()
}

function manifestOf(world: RunningService, type: string): Manifest {
  return world.service.catalogue.get(type)
}

function modeOf(
  vendors: ReadonlyMap<string, Sandbox>,
  clients: ReadonlyMap<string, Client>,
  close: () => Promise<void>,
): Mode {
  const at = <T>(map: ReadonlyMap<string, T>, type: string): T => {
    const found = map.get(type)
    if (found === undefined) throw new TypeError(`no ${type}`)
    return found
  }
  return {
    vendor: (type) => at(vendors, type),
    client: (type) => at(clients, type),
    async close() {
      for (const client of clients.values()) await client.close()
      await close()
    },
  }
}

describe.for([
  ['direct', direct],
  ['hosted', () => hosted({ connectHosted, serviceClient })],
  ['fetch', () => hosted(web)],
] as const)('%s', ([, open]) => {
  let mode: Mode
  beforeAll(async () => {
    mode = await open()
  })
  afterAll(() => mode.close())

  const jira = () => mode.client('jira')
  const gong = () => mode.client('gong')

  test('a page has records and the rest of the envelope', async () => {
    const page = await jira().execute('issues', 'api_search', {
      jql: 'project = OPS ORDER BY key',
      maxResults: 2,
    })
    expect(page.records).toHaveLength(2)
    expect(page.data).toEqual(page.records)
    expect(page.meta).toMatchObject({ has_more: true, next: { nextPageToken: expect.any(String) } })
  })

  test('a listing iterates over all pages, and toArray stops where it is told', async () => {
    const call = () =>
      jira().execute('issues', 'api_search', { jql: 'project = OPS', maxResults: 7 })
    const keys: unknown[] = []
    for await (const record of call()) keys.push((record as JsonObject)['key'])
    const some = await call().toArray({ limit: 9 })
    const pages: number[] = []
    for await (const page of call().pages()) pages.push(page.records.length)
    expect(new Set(keys).size).toBe(keys.length)
    expect([some.length, pages.reduce((sum, count) => sum + count, 0)]).toEqual([9, keys.length])
    expect(pages.slice(0, -1).every((count) => count === 7)).toBe(true)
  })

  test('create, read, change and delete, with null as a value', async () => {
    const params = mode.vendor('jira').example('issues.create')
    const created = await jira().execute('issues', 'create', params)
    const { key } = created.data as { key: string }
    const updated = await jira().execute('issues', 'update', {
      issueIdOrKey: key,
      fields: { summary: 'changed by the contract' },
    })
    const read = await jira().execute('issues', 'get', { issueIdOrKey: key })
    const deleted = await jira().execute('issues', 'delete', { issueIdOrKey: key })
    await expect(jira().execute('issues', 'get', { issueIdOrKey: key })).rejects.toMatchObject({
      code: 'upstream_not_found',
      origin: 'upstream',
      outcome: 'not_applied',
      retryable: false,
    })
    expect([updated.data, deleted.data]).toEqual([null, null])
    expect(read.data).toMatchObject({ key, fields: { summary: 'changed by the contract' } })
  })

  test('a write whose answer is lost is uncertain', async () => {
    mode.vendor('jira').fail('issues.create', { mode: 'reset-after-apply', times: 1 })
    const params = mode.vendor('jira').example('issues.create')
    await expect(jira().execute('issues', 'create', params)).rejects.toMatchObject({
      code: 'upstream_unreachable',
      outcome: 'uncertain',
    })
  })

  test.for<readonly [string, string, string, object, string]>([
    ['jira', 'issue', 'get', {}, 'operation_unknown'],
    ['jira', 'issues', 'gett', {}, 'operation_unknown'],
    ['jira', 'issues', 'get', {}, 'params_invalid'],
    ['jira', 'issues', 'get', { issueIdOrKey: '..' }, 'params_invalid'],
    ['jira', 'issues', 'api_search', { jql: 'project = OPS', maxResults: 5001 }, 'params_invalid'],
    ['jira', 'issues', 'get', { issueIdOrKey: 'OPS-999999' }, 'upstream_not_found'],
    ['gong', 'call_audio', 'download', { filter: { callIds: ['1', '2'] } }, 'params_invalid'],
  ])('%s %s.%s %j is %s', async ([type, entity, action, params, code]) => {
    await expect(
      (async () => await mode.client(type).execute(entity, action, params))(),
    ).rejects.toMatchObject({ name: 'ConnectorError', code })
  })

  test('all problems of the params at once, with the same pointers', async () => {
    await expect(
      (async () =>
        await jira().execute('issues', 'api_search', { maxResults: 5001, expnd: 'x' }))(),
    ).rejects.toMatchObject({
      code: 'params_invalid',
      errors: expect.arrayContaining(
        [{ pointer: '/params/maxResults' }, { pointer: '/params/expnd', code: 'unknown' }].map(
          (each) => expect.objectContaining(each),
        ),
      ),
    })
  })

  test('long ids keep their digits', async () => {
    const page = await gong().execute('calls', 'list', {})
    const ids = page.records.map((record) => (record as JsonObject)['id'])
    expect(ids.every((id) => typeof id === 'string' && /^\d{10,}$/.test(id))).toBe(true)
  })

  test('a download is a stream with its head', async () => {
    const params = mode.vendor('gong').example('call_audio.download')
    const whole = await gong().execute('call_audio', 'download', params)
    const bytes = Buffer.from(await whole.toBytes({ maxBytes: 10_000_000 }))
    const part = await gong().execute('call_audio', 'download', {
      ...params,
      range_header: 'bytes=10-19',
    })
    const middle = Buffer.from(await part.toBytes({ maxBytes: 100 }))
    expect([whole.contentType, whole.contentLength, whole.status]).toEqual([
      'audio/mpeg',
      bytes.length,
      200,
    ])
    expect([part.status, part.contentRange, middle]).toEqual([
      206,
      { start: 10, end: 19, size: bytes.length },
      bytes.subarray(10, 20),
    ])
  })

  test('preview shows the request with secrets masked', async () => {
    const { requests } = await gong().preview('users', 'list')
    expect(requests).toEqual([
      expect.objectContaining({
        method: 'GET',
        url: expect.stringContaining('/v2/users'),
        curl: expect.stringContaining("'authorization: Basic ***'"),
      }),
    ])
  })

  test('describe tells entities and actions', async () => {
    const described = jira().describe('issues')
    expect(
      described.map(({ entity, actions }) => [entity, actions.map(({ action }) => action)]),
    ).toEqual([
      ['issues', expect.arrayContaining(['api_search', 'get', 'create', 'update', 'delete'])],
    ])
  })

  test('check asks the third party', async () => {
    expect(await jira().check()).toMatchObject({ result: 'ok' })
  })

  test('the signal ends a call', async () => {
    const vendor = mode.vendor('jira')
    const asked = vendor.requests('issues.get').length
    vendor.fail('issues.get', { mode: 'hang', times: 1 })
    const stop = new AbortController()
    await Promise.all([
      expect(
        jira().execute('issues', 'get', { issueIdOrKey: 'OPS-1' }, { signal: stop.signal }),
      ).rejects.toMatchObject({ code: 'aborted' }),
      eventually(() => vendor.requests('issues.get').length > asked).then(() => stop.abort()),
    ])
  })

  test('every listing of advertising marketing answers the same shape', async () => {
    const page = await mode
      .client('facebook-marketing')
      .execute('campaigns', 'list', { account_id: '1101' })
    expect(page.records.length).toBeGreaterThan(0)
    expect(page.meta).toHaveProperty('has_more')
  })
})
