// Faults from all sides through the whole service: the third party, the client, the store.
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openStore } from '../../src/service/store/open/open-store.ts'
import { ConnectorError } from '../../src/errors.ts'
import type { FaultMode } from '../../src/sandbox/faults.ts'
import type { Store } from '../../src/service/store/store.ts'
import { SCALE } from '../chaos/processes.ts'
import { eventually, turnsOfTheLoop } from '../faults/resources.ts'
import { type CallAnswer, type RunningService, runService } from '../fixtures/running-service.ts'
import { once } from 'node:events'
import { sized } from '../fixtures/sizes.ts'

const FAULTS = sized(30, 60) * SCALE
const AT_ONCE = 30
const MODES: readonly FaultMode[] = [
  'status',
  'status-after-apply',
  'rate-limited',
  'html',
  'reset',
  'reset-after-apply',
  'delay',
  'malformed',
  'cut',
]

/** Numbers that repeat from run to run (mulberry32). */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

describe('a third party and clients that fail', () => {
  let world: RunningService
  const unhandled: unknown[] = []
  const note = (error: unknown): void => void unhandled.push(error)

  beforeAll(async () => {
    process.on('unhandledRejection', note)
    world = await runService({ connectors: ['gong', 'jira'] })
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    process.off('unhandledRejection', note)
  })

  const OPERATIONS = [
    ['gong', 'users.list'],
    ['gong', 'call_audio.download'],
    ['jira', 'issues.get'],
    ['jira', 'issues.api_search'],
    ['jira', 'issues.create'],
    ['jira', 'issues.update'],
  ] as const

  async function storm(
    instances: Readonly<Record<string, string>>,
    seed: number,
  ): Promise<number[]> {
    const pick = seeded(seed)
    const statuses: number[] = []
    for (let round = 0; round < FAULTS / AT_ONCE; round++) {
      const calls = Array.from({ length: AT_ONCE }, async () => {
        const [type, operation] = OPERATIONS[pick(OPERATIONS.length)] ?? OPERATIONS[0]
        const mode = MODES[pick(MODES.length)] ?? 'status'
        const vendor = world.vendor(type)
        vendor.fail(operation === 'call_audio.download' && pick(2) === 0 ? 'file' : operation, {
          mode,
          times: 1 + pick(3),
          delayMs: 50,
        })
        const [entity, action] = operation.split('.')
        const leaving = new AbortController()
        // Waits for time: some leave at any moment.
        if (pick(4) === 0) setTimeout(() => leaving.abort(), pick(60))
        const params = vendor.example(operation)
        try {
          const { status } = await world.call(
            'POST',
            `/api/v1/connectors/sources/${instances[type]}/execute`,
            { entity, action, params },
            { signal: leaving.signal, headers: { prefer: 'wait=1' } },
          )
          statuses.push(status)
        } catch {
          // The client has left, or a file broke off.
          statuses.push(0)
        }
      })
      await Promise.all(calls)
    }
    return statuses
  }

  /** What keeps this process busy, by kind. */
  function resources(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1
    return counts
  }

  test(`X2 and X4 of ${2 * FAULTS} faults none is unhandled or a fault of ours, and none leaves a socket or timer behind`, async () => {
    const instances = { gong: await world.connect('gong'), jira: await world.connect('jira') }
    const first = await storm(instances, 1)
    await eventually(() => world.service.lifecycle.running === 0)
    const before = resources()
    const second = await storm(instances, 2)
    await eventually(() => world.service.lifecycle.running === 0)
    await eventually(() => world.service.streams.active === 0)
    for (const status of [...first, ...second])
      expect([0, 200, 206, 424, 429, 502, 503, 504]).toContain(status)
    expect(new Set(first.concat(second)).size).toBeGreaterThan(3)
    expect(unhandled).toEqual([])
    expect(world.lines.filter(({ level }) => level === 'error')).toEqual([])
    // As many as after the first half: sockets are kept for the next call, so some remain.
    const after = resources()
    for (const kind of ['Timeout', 'TCPSocketWrap', 'TCPServerWrap'])
      expect((after[kind] ?? 0) - (before[kind] ?? 0)).toBeLessThan(30)
    expect((await world.call('GET', '/readyz')).status).toBe(200)
  })

  test('a path that a proxy on this machine forwards does not show the metrics', async () => {
    const statuses = await Promise.all(
      [
        {},
        { 'x-forwarded-for': '203.0.113.7' },
        { forwarded: 'for=203.0.113.7' },
        { via: '1.1 x' },
        { 'x-real-ip': '203.0.113.7' },
        { 'x-forwarded-proto': 'https' },
        { 'x-forwarded-port': '443' },
        { 'true-client-ip': '203.0.113.7' },
      ].map(
        async (headers) =>
          (await world.call('GET', '/metrics', undefined, { as: null, headers })).status,
      ),
    )
    expect(statuses).toEqual([200, 401, 401, 401, 401, 401, 401, 401])
  })

  test('an operator can close the metrics for everybody', async () => {
    await using own = await runService({ showsMetrics: false, metricsToken: 'metrics-token' })
    const asked = [null, own.token, 'metrics-token'].map(
      async (as) => (await own.call('GET', '/metrics', undefined, { as })).status,
    )
    expect(await Promise.all(asked)).toEqual([404, 404, 404])
  })
})

describe('a store that fails at the wrong moment', () => {
  let folder: string
  let store: Store
  let world: RunningService
  /** What is away, and how often it was asked for meanwhile. */
  const away = { finish: false, setState: false, find: Promise.resolve(), finds: 0, asked: 0 }

  const unlessAway = (name: 'finish' | 'setState'): void => {
    if (!away[name]) return
    away.asked++
    throw new ConnectorError('store_unavailable', 'the store cannot be reached', {
      retryAfterMs: 1000,
    })
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenon-faulty-store-'))
    store = await openStore({ folder })
    world = await runService({
      connectors: ['jira', 'gong'],
      store: {
        ...store,
        idempotency: {
          ...store.idempotency,
          async finish(...given) {
            unlessAway('finish')
            return await store.idempotency.finish(...given)
          },
        },
        instances: {
          ...store.instances,
          async setState(...given) {
            unlessAway('setState')
            return await store.instances.setState(...given)
          },
        },
        tokens: {
          ...store.tokens,
          async find(hash) {
            away.finds++
            await away.find
            return await store.tokens.find(hash)
          },
        },
      },
    })
  })
  afterEach(() =>
    Object.assign(away, { finish: false, setState: false, find: Promise.resolve(), asked: 0 }),
  )
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    await store.close()
    await rm(folder, { recursive: true })
  })

  const create = (
    id: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<CallAnswer> =>
    world.call(
      'POST',
      `/api/v1/connectors/sources/${id}/execute`,
      { entity: 'issues', action: 'create', params: world.vendor('jira').example('issues.create') },
      { headers },
    )
  const created = (): number => world.vendor('jira').requests('issues.create').length

  test('U10 an answer that cannot be stored is given all the same, stored later, and its key never writes again', async () => {
    const id = await world.connect('jira')
    const before = created()
    const key = { 'idempotency-key': 'kept-nowhere' }
    away.finish = true
    const first = await create(id, key)
    const second = await create(id, key)
    expect([first.status, second.status, created() - before]).toEqual([200, 409, 1])
    expect(second.body).toMatchObject({
      code: 'idempotency_in_flight',
      outcome: 'uncertain',
      retryable: true,
    })
    away.finish = false
    await eventually(async () => (await create(id, key)).status === 200)
    expect((await create(id, key)).body).toEqual(first.body)
    expect(created() - before).toBe(1)
  })

  test('U10 an uncertain write stays uncertain when the store is away behind it', async () => {
    const id = await world.connect('jira')
    const before = created()
    const key = { 'idempotency-key': 'uncertain-and-away' }
    world.vendor('jira').fail('issues.create', { mode: 'reset-after-apply', times: 1 })
    away.finish = true
    const first = await create(id, key)
    const second = await create(id, key)
    away.finish = false
    await eventually(async () => (await create(id, key)).status === 502)
    expect([first.status, first.body, second.status, created() - before]).toEqual([
      502,
      expect.objectContaining({ code: 'upstream_unreachable', outcome: 'uncertain' }),
      409,
      1,
    ])
  })

  test('D2 a state that cannot be stored hides no outcome', async () => {
    const { credentials, config } = world.vendor('jira').options()
    const made = await world.call('POST', '/v1/integrations/connectors?check=false', {
      external_user_id: 'user-1',
      connector_type: 'jira',
      name: 'pending',
      credentials: credentials as object,
      config: config as object,
    })
    const { id } = made.body as { readonly id: string }
    const before = created()
    away.setState = true
    const answer = await create(id)
    expect([answer.status, created() - before, away.asked]).toEqual([200, 1, 1])
    away.setState = false
    expect((await create(id)).status).toBe(200)
    const shown = await world.call('GET', `/v1/integrations/connectors/${id}`)
    expect(shown.body).toMatchObject({ state: 'active' })
  })

  test('P8 a client that left while its token was looked up makes nobody work', async () => {
    const id = await world.connect('gong')
    const listed = (): number => world.vendor('gong').requests('users.list').length
    const before = listed()
    const token = await world.scoped({ external_user_id: 'user-1' })
    const body = JSON.stringify({ entity: 'users', action: 'list' })
    const { finds } = away
    const found = Promise.withResolvers<void>()
    away.find = found.promise
    const socket = connect(Number(new URL(world.url).port), '127.0.0.1')
    socket.write(
      `POST /api/v1/connectors/sources/${id}/execute HTTP/1.1\r\nhost: x\r\nx-request-id: left-early\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    await eventually(() => away.finds > finds)
    socket.resetAndDestroy()
    await once(socket, 'close')
    await turnsOfTheLoop()
    found.resolve()
    await eventually(() => world.lines.some(({ facts }) => facts['request_id'] === 'left-early'))
    expect([listed() - before, world.service.lifecycle.running]).toEqual([0, 0])
  })
})
