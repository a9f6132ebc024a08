// A node of a real Citus that is lost while a service runs on it: what lies on the others goes on, what is missing is said,
// and the node is used again within seconds of its return.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgresSearchIndex } from '../../src/copy/postgres/postgres-search-index.ts'
import { HISTORY_PREFIX, readRun, RUN_ENTRY } from '../../src/copy/sync/run-record.ts'
import type { ServiceOptions } from '../../src/hosting/service.ts'
import { bucketOf } from '../../src/service/store/jobs.ts'
import {
  createNotesSync,
  createNotesVendor,
  idOf,
  notesManifest,
} from '../copy/sync/notes-vendor.ts'
import { eventually } from '../faults/resources.ts'
import { type CitusDatabase, createCitusDatabase, NO_CITUS } from '../fixtures/citus.ts'
import { type CallAnswer, type RunningService, runService } from '../fixtures/running-service.ts'
import { type CitusServers, startCitusServers } from './servers.ts'

const KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`
const COLLECTION = '/v1/integrations/connectors'
const DAY_MS = 86_400_000
/** At least. */
const INSTANCES = 12
/** Three of four have their rows, or their bucket of jobs, on the lost node. */
const NEW_INSTANCES = 6
/** From the moment at which the node takes connections to an answer for each instance on it. */
const USED_AGAIN_MS = 5_000
const AWAY = {
  status: 503,
  body: { code: 'store_unavailable', retryable: true, outcome: 'not_applied' },
}

describe('a node of Citus is lost', () => {
  if (process.env['TENON_TEST_CITUS'] === undefined) {
    test.skip(NO_CITUS)
    return
  }
  let servers: CitusServers
  let database: CitusDatabase
  let options: ServiceOptions
  /** Of the node that is lost. */
  let lostPort: number
  let one: RunningService
  /** Of the application that the first start makes. */
  let token: string
  /** The ids of instances on the nodes that stay, and on the one that is lost. */
  const there: string[] = []
  const lost: string[] = []
  /** One of those that stay, whose jobs stay, too. */
  let working = ''

  beforeAll(async () => {
    servers = await startCitusServers()
    const made = await createCitusDatabase({ at: servers.url })
    if (made === null) throw new TypeError('there is no Citus')
    database = made
    options = { databaseUrl: database.url, masterKeys: [KEY] }
    const first = await runService(options)
    token = first.token
    await first[Symbol.asyncDispose]()
    // A change of an instance needs the node of its organization: the other one is lost.
    const [application] = await database.run('select organization_id as id from application')
    lostPort = servers.ports[2]
    if (await liesOnLost('event_head', `'${String(application?.['id'])}'`))
      lostPort = servers.ports[1]
    one = await runService({ ...options, jobs: true })
    // So many, and more where chance has put too few on a node.
    for (let n = 0; n < INSTANCES || lost.length < 2 || there.length < 2 || working === ''; n++) {
      const id = await one.connect('jira', {}, { as: token })
      const isLost = await liesOnLost('connector_instance', `'${id}'`)
      if (isLost) lost.push(id)
      else there.push(id)
      if (!isLost && !(await liesOnLost('job', `${bucketOf(id)}`))) working = id
    }
    const ids = [...there, ...lost]
    await eventually(async () => {
      const shown = await Promise.all(ids.map((id) => ask('GET', `${COLLECTION}/${id}/sync`)))
      return shown.every(({ body }) => rowsOf(body).some(({ last_synced_at: at }) => at !== null))
    }, 240_000)
    // A service at work has the key of its organization, which seals the cursors of lists, in memory.
    await ask('GET', `${COLLECTION}?limit=1`)
  }, 300_000)
  afterAll(async () => {
    await one[Symbol.asyncDispose]()
    await servers[Symbol.asyncDispose]()
  })

  async function liesOnLost(table: string, value: string): Promise<boolean> {
    const [row] = await database.run(
      `select nodeport as port from citus_shards where shardid = get_shard_id_for_distribution_column('${table}', ${value})`,
    )
    return row?.['port'] === lostPort
  }

  function ask(method: string, path: string, body?: object): Promise<CallAnswer> {
    return one.call(method, path, body, { as: token })
  }

  async function execute(id: string, action: keyof typeof PARAMS): Promise<CallAnswer> {
    const body = { entity: 'issues', action, params: PARAMS[action] }
    return await ask('POST', `/api/v1/connectors/sources/${id}/execute`, body)
  }

  async function idsOf(
    list: Promise<readonly { readonly id: string }[]>,
  ): Promise<readonly string[]> {
    return (await list).map(({ id }) => id).toSorted()
  }

  test('instances on the other nodes are used, lists say what is missing, and no more is refused than what lies there', async () => {
    await servers.kill(lostPort)
    const listed = await ask('GET', COLLECTION)
    expect({ status: listed.status, ids: rowsOf(listed.body).map(({ id }) => id) }).toEqual({
      status: 200,
      ids: there.toSorted(),
    })
    expect(listed.body).toMatchObject({
      meta: { has_more: false, next_cursor: null, incomplete: expect.any(String) as unknown },
    })
    // The pages of a list that lacks something lead to its end.
    const page = await ask('GET', `${COLLECTION}?limit=1`)
    expect(page.body).toMatchObject({ data: [{ id: there[0] }], meta: { has_more: true } })
    for (const id of there)
      for (const action of ['get', 'create', 'search'] as const)
        expect({ action, status: (await execute(id, action)).status }).toEqual({
          action,
          status: 200,
        })
    // Of new ones as many as would lie on the lost node, in part, by chance.
    for (let n = 0; n < NEW_INSTANCES; n++) {
      const id = await one.connect('jira', {}, { as: token })
      there.push(id)
      expect((await execute(id, 'get')).status).toBe(200)
    }
    for (const id of lost.slice(0, 2))
      for (const action of ['get', 'create', 'search'] as const)
        expect(await execute(id, action)).toMatchObject(AWAY)
    const ready = await one.call('GET', '/readyz', undefined, { as: null })
    expect({ status: ready.status, body: ready.body }).toMatchObject({
      status: 200,
      body: { status: 'ready', checks: { store: 'ok', keys: 'ok' }, writes: true, nodes_away: 1 },
    })
    const metrics = await one.call('GET', '/metrics', undefined, { as: null })
    expect(metrics.text).toContain('tenon_store_nodes_away 1')
    // Until it is back.
    await servers.start(lostPort)
    const from = performance.now()
    const times = await Promise.all(
      lost.map(async (id) => {
        await expect
          .poll(async () => (await execute(id, 'create')).status, { timeout: USED_AGAIN_MS })
          .toBe(200)
        return performance.now() - from
      }),
    )
    expect(Math.max(...times)).toBeLessThan(USED_AGAIN_MS)
    for (const id of lost) expect((await execute(id, 'search')).status).toBe(200)
    expect((await ask('GET', COLLECTION)).body).toMatchObject({ meta: { has_more: false } })
    expect((await ask('GET', COLLECTION)).text).not.toContain('incomplete')
  }, 120_000)

  test('jobs go on: what is due on the other nodes is found, done and removed', async () => {
    const { store } = one.service
    const row = (id: string): string =>
      `('${id}', 'o', 'r', 'k', 'f', 'p', 0, 0, null, null, null, 0, 1)`
    await database.run(
      `insert into idempotency_record (scope_id, organization_id, route, key_hash, fingerprint, owner_id, held_until, sent, status, headers, sealed_body, created_at, expires_at) values ${[...there, ...lost].map(row).join()}`,
    )
    // Due tomorrow, so that nothing but this test asks for them.
    const dueAt = Date.now() + DAY_MS
    await database.run(`update connector_instance set next_refresh_at = ${dueAt}`)
    const vendors = [...there, ...lost].map((id) => `vendor of ${id}`)
    for (const vendor of vendors) await store.rates.block(vendor, DAY_MS)
    const areLost = await Promise.all(
      vendors.map((vendor) => liesOnLost('rate_block', `'${vendor}'`)),
    )
    await servers.kill(lostPort)
    expect(await idsOf(store.credentials.expiring(dueAt, 100))).toEqual(there.toSorted())
    expect((await store.credentials.expiring(dueAt, 1)).map(({ id }) => id)).toEqual([
      there.toSorted()[0],
    ])
    expect(await store.intents.abandoned(100)).toEqual([])
    expect((await store.rates.blocked()).map(({ ownerId }) => ownerId).toSorted()).toEqual(
      vendors.filter((_, index) => areLost[index] === false).toSorted(),
    )
    expect(await store.webhooks.due(10, ['none'])).toEqual([])
    expect(await store.idempotency.purgeExpired()).toBe(there.length)
    expect(await store.rates.purgeExpired()).toBeGreaterThanOrEqual(0)
    expect(await store.audit.purgeBefore(2 * Date.now())).toBeGreaterThanOrEqual(there.length)
    expect(await store.events.purgeBefore(0)).toBe(0)
    expect(await store.audit.closeAbandoned(0)).toBe(0)
    // A sync that is asked for is done.
    const path = `${COLLECTION}/${working}/sync`
    const before = rowsOf((await ask('GET', path)).body)
    const entities = ['projects']
    expect((await ask('POST', path, { mode: 'full', entities })).status).toBe(202)
    await eventually(async () => {
      const now = rowsOf((await ask('GET', path)).body)
      return now.some(
        ({ entity, last_synced_at: at }, index) =>
          entity === 'projects' && at !== before[index]?.['last_synced_at'],
      )
    }, 120_000)
    await servers.start(lostPort)
    await expect.poll(() => store.idempotency.purgeExpired()).toBe(lost.length)
    expect(await idsOf(store.credentials.expiring(dueAt, 100))).toEqual(
      [...there, ...lost].toSorted(),
    )
    expect(await store.audit.verify()).toBe(null)
  }, 180_000)

  test('a service starts while the node is away, and its start is in the audit log once that is back', async () => {
    await servers.kill(lostPort)
    const another = await runService(options)
    for (const id of there) {
      const path = `${COLLECTION}/${id}`
      expect((await another.call('GET', path, undefined, { as: token })).status).toBe(200)
    }
    expect((await another.call('GET', '/readyz', undefined, { as: null })).status).toBe(200)
    await servers.start(lostPort)
    const starts = async (): Promise<number> => {
      const events = await one.service.store.audit.list({ organizationId: '' }, { limit: 100 })
      return events.filter(({ action }) => action === 'service.start').length
    }
    // Those of the three that were removed above are not counted.
    await expect.poll(starts).toBeGreaterThan(0)
    await another[Symbol.asyncDispose]()
  }, 120_000)

  test('a sync that the loss cuts is not told as complete, and the next turn says that it went on with it', async () => {
    await using vendor = await createNotesVendor(40)
    const index = await openPostgresSearchIndex({ url: database.url })
    const [instanceId = ''] = lost
    const manifest = await notesManifest()
    const sync = await createNotesSync(vendor.http.url, manifest, { index, instanceId })
    const turn = { leaseTimes: { ttlMs: 1_000, beatMs: 200 } }
    const copyNow = async () => (await index.copies({ instanceId, entity: 'notes' })).at(-1)
    // Two pages are written, then the node is lost.
    const next = Promise.withResolvers<void>()
    const listing = sync.run('notes', turn).catch((error: unknown) => error)
    await eventually(async () => ((await copyNow())?.live ?? 0) >= 10)
    vendor.answersAfter = next.promise
    await servers.kill(lostPort)
    next.resolve()
    expect(await listing).toMatchObject({
      code: 'store_unavailable',
      details: { reason: 'node_away' },
    })
    await servers.start(lostPort)
    const cut = await copyNow()
    expect(cut).toMatchObject({ complete: false, syncedAtMs: null })
    if (cut === undefined) throw new TypeError('the copy is there')
    const [entry] = await index.entries(cut, RUN_ENTRY)
    expect(entry && readRun(entry)).toMatchObject({ phase: 'reading', finishedAtMs: null })
    expect(await index.entries(cut, HISTORY_PREFIX)).toEqual([])
    await eventually(async () => (await sync.run('notes', turn)).kind === 'done')
    expect(await sync.ids()).toEqual(Array.from({ length: 40 }, (_, n) => idOf(n + 1)))
    const [told] = await index.entries(cut, HISTORY_PREFIX)
    expect(told && readRun(told)).toMatchObject({ resumed: true, read: 40, error: null })
    await sync[Symbol.asyncDispose]()
    await index.close()
  }, 120_000)
})

const PARAMS = {
  get: { issueIdOrKey: 'OPS-1' },
  create: { fields: { project: { key: 'OPS' }, issuetype: { name: 'Task' }, summary: 'Once' } },
  search: { query: { filter: { keyword: { 'fields.summary': 'login' } } } },
}

function rowsOf(body: unknown): readonly Readonly<Record<string, unknown>>[] {
  return (body as { readonly data: readonly Readonly<Record<string, unknown>>[] }).data
}
