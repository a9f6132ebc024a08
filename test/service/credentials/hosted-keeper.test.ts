import { afterEach, describe, expect, test, vi } from 'vitest'
import { sealCredentials } from '../../../src/service/credentials/sealed-credentials.ts'
import type { HostedKeeper } from '../../../src/service/credentials/hosted-keeper.ts'
import type { IntentRow } from '../../../src/service/store/credentials.ts'
import type { Store } from '../../../src/service/store/store.ts'
import { ConnectorError } from '../../../src/errors.ts'
import type { Fault } from '../../faults/oauth-provider.ts'
import {
  auditOf,
  CLIENT,
  codeOf,
  intentOf,
  type KeeperWorld,
  openKeeperWorld,
  OWNER,
  tokenOf,
} from './keeper-set-up.ts'
import { eventually } from '../../faults/resources.ts'
import { sized } from '../../fixtures/sizes.ts'

const opened: KeeperWorld[] = []
afterEach(async () => {
  for (const world of opened.splice(0)) await world.close()
})

async function open(options: Parameters<typeof openKeeperWorld>[0] = {}): Promise<KeeperWorld> {
  const world = await openKeeperWorld(options)
  opened.push(world)
  return world
}

const soon = ({ clock }: KeeperWorld, ms = 60_000): number => clock.monotonic() + ms

/** What a call does: use the credentials, and after a 401 renew them once. */
async function call(world: KeeperWorld, keeper: HostedKeeper): Promise<string> {
  const lent = keeper.ready() ?? (await keeper.current(soon(world)))
  if (world.provider.isLive(tokenOf(lent))) return 'ok'
  const again = await keeper.renew(lent, soon(world))
  return world.provider.isLive(tokenOf(again)) ? 'ok' : 'refused'
}

describe('lending', () => {
  test('stored credentials are lent, and after the first time nothing is waited for', async () => {
    const world = await open()
    const { id, tokens } = await world.connected()
    const keeper = world.keeper(id)
    expect(keeper.ready()).toBeNull()
    const lent = await keeper.current(soon(world))
    expect(tokenOf(lent)).toBe(tokens.access_token)
    expect(keeper.ready()).toBe(lent)
    expect(world.provider.counters.requests).toBe(0)
  })

  test('a missing access token is fetched, stored sealed under the next generation, and the instance says when next', async () => {
    const world = await open()
    const { id } = await world.connected({ expired: true })
    const lent = await world.keeper(id).current(soon(world))
    expect(world.provider.isLive(tokenOf(lent))).toBe(true)
    expect(lent.generation).toBe(2)
    const row = await world.store.credentials.read(id)
    expect(row?.generation).toBe(2)
    expect(Buffer.from(row?.sealed ?? []).includes(tokenOf(lent))).toBe(false)
    const left = (row?.expiresAt ?? 0) - world.clock.now()
    expect(left).toBeGreaterThan(3_590_000)
    const ahead = (row?.expiresAt ?? 0) - ((await world.row(id)).nextRefreshAt ?? 0)
    expect(ahead).toBeGreaterThanOrEqual(270_000)
    expect(ahead).toBeLessThanOrEqual(330_000)
    expect(await world.store.intents.find(id)).toBeNull()
    // Another process reads them; it asks nobody.
    expect(tokenOf(await world.keeper(id).current(soon(world)))).toBe(tokenOf(lent))
    expect(world.provider.counters.requests).toBe(1)
  })

  test('an instance that is gone says so', async () => {
    const world = await open()
    const { id } = await world.connected()
    const keeper = world.keeper(id)
    await world.store.instances.delete(OWNER, id, auditOf(id))
    expect(await codeOf(keeper.current(soon(world)))).toBe('instance_unknown')
  })

  test('static credentials are lent as they are, and a 401 is final', async () => {
    const { exampleManifest } = await import('../../engine/credentials/example-manifest.ts')
    const manifest = exampleManifest({
      methods: [
        {
          name: 'key',
          credentials: {
            required: ['key'],
            properties: { key: { type: 'string', writeOnly: true } },
          },
          bearer: '{{ credentials.key }}',
        },
      ],
    })
    const world = await open({ manifest })
    const id = await world.instance({ key: 'key-12345' })
    const keeper = world.keeper(id)
    const lent = await keeper.current(soon(world))
    expect([tokenOf(lent), lent.renewable]).toEqual(['key-12345', false])
    expect(await codeOf(keeper.renew(lent, soon(world)))).toBe('credentials_refused not_renewable')
    expect(keeper.redact('it was key-12345')).toBe('it was [secret]')
  })
})

describe('R1 one refresh per expiry', () => {
  const EXPIRIES = sized(20, 50)

  test(`R1 eight processes, each with many callers, ${EXPIRIES} expiries: as many refreshes, no replay`, async () => {
    const world = await open()
    const { id } = await world.connected({ expired: true })
    // The shortest waits that chance gives.
    const clock = { ...world.clock, random: () => 0 }
    const keepers = Array.from({ length: 8 }, () => world.keeper(id, { clock }))
    for (let expiry = 0; expiry < EXPIRIES; expiry++) {
      const calls = keepers.flatMap((keeper) =>
        Array.from({ length: 5 }, () => call(world, keeper)),
      )
      expect(new Set(await Promise.all(calls))).toEqual(new Set(['ok']))
      // A token that is refused within a minute is not refused for its age.
      world.clock.forward(61_000)
      world.provider.endAccess()
    }
    expect(world.provider.counters).toMatchObject({
      requests: EXPIRIES,
      refreshes: EXPIRIES,
      replays: 0,
      mostInFlight: 1,
    })
  })

  test('R1 near the end of its life a token is renewed beside the calls, by one process', async () => {
    const world = await open()
    const { id } = await world.connected({ expired: true })
    const keepers = Array.from({ length: 4 }, () => world.keeper(id))
    for (const keeper of keepers) await keeper.current(soon(world))
    world.clock.forward(3_400_000)
    for (const keeper of keepers) expect(keeper.ready()).not.toBeNull()
    await Promise.all(keepers.map((keeper) => keeper.refreshDue()))
    world.clock.forward(2_000)
    for (const keeper of keepers)
      expect((await keeper.current(soon(world))).generation).toBeGreaterThan(1)
    await Promise.all(keepers.map((keeper) => keeper.refreshDue()))
    for (const keeper of keepers) expect((await keeper.current(soon(world))).generation).toBe(3)
    expect(world.provider.counters).toMatchObject({ requests: 2, replays: 0 })
  })
})

test('R9 tokens of 10 minutes, a call a minute for a day: at most 170 refreshes, no call waits', async () => {
  const world = await open({ provider: { lifeSeconds: 600 } })
  const { id } = await world.connected({ expired: true })
  const keeper = world.keeper(id)
  await keeper.current(soon(world))
  let waited = 0
  for (let minute = 0; minute < 24 * 60; minute++) {
    world.clock.forward(60_000)
    const lent = keeper.ready()
    if (lent === null || !world.provider.isLive(tokenOf(lent))) waited += 1
    // What was begun beside the call has time to end.
    await keeper.refreshDue()
  }
  expect(waited).toBe(0)
  expect(world.provider.counters.requests).toBeLessThanOrEqual(170)
})

describe('R2 the call belongs to no caller', () => {
  test('R2 a caller whose time is over leaves, the refresh goes on and is stored', async () => {
    const world = await open()
    const { id } = await world.connected({ expired: true })
    world.provider.fail({ kind: 'slow', ms: 300 })
    const keeper = world.keeper(id)
    expect(await codeOf(keeper.current(soon(world, 50)))).toBe('deadline_exceeded')
    await keeper.close()
    expect((await world.store.credentials.read(id))?.generation).toBe(2)
    expect(world.provider.counters).toMatchObject({ requests: 1, lost: 0 })
  })
})

describe('R5 what follows from each outcome', () => {
  interface Case {
    readonly name: string
    readonly faults: readonly Fault[]
    readonly rotates?: boolean
    readonly code: string
    readonly state: string
    readonly reason: string | null
    readonly intent: Partial<IntentRow> | null
  }
  const refusal = (status: number, error: string, headers = {}): Fault => ({
    kind: 'refusal',
    status,
    body: { error },
    headers,
  })
  test.for<Case>([
    {
      name: 'invalid_grant',
      faults: [refusal(400, 'invalid_grant')],
      code: 'reauthorization_required grant_refused',
      state: 'auth_error',
      reason: 'grant_refused',
      intent: null,
    },
    {
      name: 'invalid_client',
      faults: [refusal(401, 'invalid_client')],
      code: 'credentials_refused invalid_client',
      state: 'active',
      reason: null,
      intent: null,
    },
    {
      name: 'another OAuth error',
      faults: [refusal(400, 'invalid_scope')],
      code: 'refresh_failed invalid_scope',
      state: 'active',
      reason: null,
      intent: null,
    },
    {
      name: '429',
      faults: [refusal(429, 'slow_down', { 'retry-after': '7' })],
      code: 'refresh_failed',
      state: 'active',
      reason: null,
      intent: { kind: 'normal', attempts: 1, mark: 'busy 429' },
    },
    {
      name: 'temporarily_unavailable',
      faults: [refusal(400, 'temporarily_unavailable')],
      code: 'refresh_failed',
      state: 'active',
      reason: null,
      intent: { kind: 'normal', attempts: 1, mark: 'busy 400' },
    },
    {
      name: '503',
      faults: [refusal(503, 'nothing')],
      code: 'refresh_failed',
      state: 'active',
      reason: null,
      intent: { kind: 'normal', attempts: 1, mark: 'unwell 503' },
    },
    {
      name: 'a reset after sending',
      faults: [{ kind: 'lost' }],
      code: 'refresh_unknown',
      state: 'refresh_unknown',
      reason: 'refresh_unknown',
      intent: { kind: 'recovery', attempts: 1 },
    },
    {
      name: 'a 2xx that cannot be read',
      faults: [{ kind: 'odd', change: () => '<html>' }],
      code: 'refresh_unknown',
      state: 'refresh_unknown',
      reason: 'refresh_unknown',
      intent: { kind: 'recovery', attempts: 1 },
    },
    {
      name: 'a reset where tokens do not rotate',
      faults: [{ kind: 'ignored' }],
      rotates: false,
      code: 'refresh_failed',
      state: 'active',
      reason: null,
      intent: null,
    },
  ])('R5 $name', async ({ faults, rotates = true, code, state, reason, intent }) => {
    const world = await open({
      oauth2: { rotatesRefreshToken: rotates },
      provider: { rotates },
    })
    const { id } = await world.connected({ expired: true })
    world.provider.fail(...faults)
    const keeper = world.keeper(id)
    expect(await codeOf(keeper.current(soon(world)))).toBe(code)
    const row = await world.row(id)
    expect([row.state, row.stateReason?.code ?? null]).toEqual([state, reason])
    const found = await world.store.intents.find(id)
    if (intent === null) expect(found).toBeNull()
    else expect(found).toMatchObject(intent)
    // Nothing more is sent before the wait is over: neither by this process nor, where it was told, by another.
    expect(await codeOf(keeper.current(soon(world)))).toBe(code)
    if (intent !== null || state === 'auth_error')
      expect(await codeOf(world.keeper(id).current(soon(world)))).toBe(code)
    expect(world.provider.counters.requests).toBe(1)
    expect((await world.store.credentials.read(id))?.generation).toBe(1)
  })

  test('R5 not sent: the state stays, and the next attempt after a second is an ordinary one', async () => {
    const world = await open()
    const { id } = await world.connected({ expired: true })
    const keeper = world.keeper(id, { serverUrl: 'http://127.0.0.1:1' })
    expect(await codeOf(keeper.current(soon(world)))).toBe('refresh_failed')
    expect([(await world.row(id)).state, await world.store.intents.find(id)]).toEqual([
      'active',
      null,
    ])
    expect(await call(world, world.keeper(id))).toBe('ok')
    expect(world.provider.counters.replays).toBe(0)
  })

  test('R5 a 503 is waited out, and the same token is presented again', async () => {
    const world = await open()
    const { id } = await world.connected({ expired: true })
    world.provider.fail(refusal(503, 'nothing'))
    const keeper = world.keeper(id)
    expect(await codeOf(keeper.current(soon(world)))).toBe('refresh_failed')
    world.clock.forward(1_100)
    expect(await call(world, world.keeper(id))).toBe('ok')
    expect(world.provider.counters).toMatchObject({ requests: 2, refreshes: 1, replays: 0 })
  })

  test('R5 invalid_grant after a 503 is a token that may have been lost', async () => {
    const world = await open()
    const { id } = await world.connected({ expired: true })
    world.provider.fail(refusal(503, 'nothing'), refusal(400, 'invalid_grant'))
    expect(await codeOf(world.keeper(id).current(soon(world)))).toBe('refresh_failed')
    world.clock.forward(1_100)
    const other = world.keeper(id)
    expect(await codeOf(other.current(soon(world)))).toBe('reauthorization_required refresh_lost')
    expect((await world.row(id)).stateReason?.code).toBe('refresh_lost')
  })

  test('R5 while the old access token works, an unknown outcome is left alone; then it is presented once', async () => {
    const world = await open()
    const { id, tokens } = await world.connected()
    const keeper = world.keeper(id)
    const lent = await keeper.current(soon(world))
    world.provider.fail({ kind: 'ignored' })
    expect(await codeOf(keeper.renew(lent, soon(world)))).toBe('refresh_unknown')
    // A process whose access token was not refused goes on with it.
    const other = world.keeper(id)
    expect(tokenOf(await other.current(soon(world)))).toBe(tokens.access_token)
    world.clock.forward(31_000)
    expect(tokenOf(await other.current(soon(world)))).toBe(tokens.access_token)
    expect(world.provider.counters.requests).toBe(1)
    world.provider.endAccess()
    expect(await call(world, other)).toBe('ok')
    expect(await world.row(id)).toMatchObject({ state: 'active', stateReason: null })
    expect(world.provider.counters).toMatchObject({ requests: 2, replays: 0 })
    expect(world.reports.map(({ reason, outcome }) => `${reason} ${outcome}`)).toEqual([
      'refused lost',
      'recovery tokens',
    ])
  })

  test('R5 a recovery that is lost as well waits longer, one that is refused ends the connection', async () => {
    const world = await open()
    const { id } = await world.connected({ expired: true })
    world.provider.fail({ kind: 'lost' }, { kind: 'ignored' })
    const keeper = world.keeper(id)
    expect(await codeOf(keeper.current(soon(world)))).toBe('refresh_unknown')
    world.clock.forward(31_000)
    expect(await codeOf(world.keeper(id).current(soon(world)))).toBe('refresh_unknown')
    const intent = await world.store.intents.find(id)
    expect(intent).toMatchObject({ kind: 'recovery', attempts: 2 })
    expect((intent?.notBefore ?? 0) - world.clock.now()).toBeGreaterThan(55_000)
    world.clock.forward(61_000)
    expect(await codeOf(keeper.current(soon(world)))).toBe('reauthorization_required refresh_lost')
    expect(world.provider.counters).toMatchObject({ requests: 3, replays: 1 })
  })

  test('R5 within a grace window the recovery follows at once', async () => {
    const world = await open({
      oauth2: { reuseGraceMs: 60_000 },
      provider: { graceMs: 60_000 },
    })
    const { id } = await world.connected({ expired: true })
    world.provider.fail({ kind: 'lost' })
    const keeper = world.keeper(id)
    expect(await codeOf(keeper.current(soon(world)))).toBe('refresh_unknown')
    expect(await call(world, world.keeper(id))).toBe('ok')
    expect(world.provider.counters).toMatchObject({ requests: 2, replays: 0 })
  })
})

describe('R5 what a process that died leaves', () => {
  async function leftBy(
    world: KeeperWorld,
    id: string,
    changes: Parameters<typeof intentOf>[1] = {},
  ): Promise<void> {
    const lease = await world.store.leases.acquire(id, 'refresh', 'dead', 1)
    expect(
      await world.store.intents.put(intentOf(id, { fence: lease?.fence ?? 0, ...changes })),
    ).toBe(true)
  }

  async function eventuallyFound({ store }: KeeperWorld, id: string): Promise<void> {
    // The lease of the process that died ends after a millisecond.
    await vi.waitUntil(
      async () => (await store.intents.abandoned(10)).some((row) => row.id === id),
      { timeout: 60_000 },
    )
  }

  test('R5 before the intent: an ordinary refresh', async () => {
    const world = await open()
    const { id } = await world.connected({ expired: true })
    await world.store.leases.acquire(id, 'refresh', 'dead', 300)
    expect(await call(world, world.keeper(id))).toBe('ok')
    expect(world.reports).toMatchObject([{ reason: 'missing', outcome: 'tokens' }])
  })

  test('R5 with the intent, not yet sent: the recovery heals', async () => {
    const world = await open()
    const { id } = await world.connected({ expired: true })
    await leftBy(world, id)
    const keeper = world.keeper(id)
    // It is not known yet how it ended: visible, and nothing is sent in the first half minute.
    expect(await codeOf(keeper.current(soon(world)))).toBe('refresh_unknown')
    expect((await world.row(id)).state).toBe('refresh_unknown')
    world.clock.forward(31_000)
    expect(await call(world, keeper)).toBe('ok')
    expect(world.reports).toMatchObject([{ reason: 'recovery', outcome: 'tokens' }])
    expect((await world.row(id)).state).toBe('active')
  })

  test('R5 after it was sent and rotated: one replay, and it is visible', async () => {
    const world = await open()
    const { id, tokens } = await world.connected({ expired: true })
    await leftBy(world, id)
    const other = await open()
    await other.close()
    opened.splice(opened.indexOf(other), 1)
    await world.transport.send({
      method: 'POST',
      url: `${world.url}/token`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: String(
        new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token: tokens.refresh_token,
          ...CLIENT,
        }),
      ),
      redirects: 0,
      timeoutMs: 60_000,
      secretHeaders: [],
      secretQuery: [],
    })
    world.clock.forward(31_000)
    expect(await codeOf(world.keeper(id).current(soon(world)))).toBe(
      'reauthorization_required refresh_lost',
    )
    expect((await world.row(id)).stateReason?.code).toBe('refresh_lost')
    expect(world.provider.counters.replays).toBe(1)
  })

  test('R5 within a grace window the job recovers at once, while the old token still works', async () => {
    const world = await open({ oauth2: { reuseGraceMs: 60_000 }, provider: { graceMs: 60_000 } })
    const { id } = await world.connected()
    await leftBy(world, id)
    const keeper = world.keeper(id)
    await eventuallyFound(world, id)
    await keeper.refreshDue()
    expect(world.reports).toMatchObject([{ reason: 'recovery', outcome: 'tokens' }])
    expect((await world.store.credentials.read(id))?.generation).toBe(2)
    expect((await world.row(id)).state).toBe('active')
    expect(await world.store.intents.abandoned(10)).toEqual([])
  })

  test('R5 without a grace window the job tells that the outcome is unknown, and presents nothing while the old token works', async () => {
    const world = await open()
    const { id } = await world.connected()
    await leftBy(world, id)
    const keeper = world.keeper(id)
    await eventuallyFound(world, id)
    await keeper.refreshDue()
    expect(world.reports).toEqual([])
    expect((await world.row(id)).state).toBe('refresh_unknown')
    expect(await world.store.intents.abandoned(10)).toEqual([])
    expect(await call(world, keeper)).toBe('ok')
    expect(world.provider.counters.requests).toBe(0)
  })

  test('R5 a recovery that died counts as one more lost answer', async () => {
    const world = await open()
    const { id } = await world.connected({ expired: true })
    await leftBy(world, id, {
      kind: 'recovery',
      attempts: 1,
      mark: `lost ${world.clock.now() - 1000}`,
    })
    world.clock.forward(31_000)
    expect(await codeOf(world.keeper(id).current(soon(world)))).toBe('refresh_unknown')
    world.clock.forward(31_000)
    expect(await call(world, world.keeper(id))).toBe('ok')
  })
})

describe('R4 the owner was paused past its lease', () => {
  /** The owner's request is answered, and before it can commit its lease is over. */
  async function paused(
    world: KeeperWorld,
    id: string,
  ): Promise<{
    readonly owner: Promise<string>
    readonly wake: () => void
  }> {
    const waiting = Promise.withResolvers<void>()
    const { store } = world
    const held: Store = {
      ...store,
      leases: { ...store.leases, acquire: (a, b, c) => store.leases.acquire(a, b, c, 1) },
      credentials: {
        ...store.credentials,
        async commitRefresh(...parts) {
          await waiting.promise
          return await store.credentials.commitRefresh(...parts)
        },
      },
    }
    const owner = codeOf(world.keeper(id, { store: held }).current(soon(world)))
    await eventually(() => world.provider.counters.refreshes > 0)
    // Waits for time: a lease of one millisecond ends.
    await world.clock.sleep(20)
    return { owner, wake: () => waiting.resolve() }
  }

  test('R4 and nobody recovered: its answer is the only living token and is stored', async () => {
    const world = await open()
    const { id } = await world.connected({ expired: true })
    const { owner, wake } = await paused(world, id)
    const other = world.keeper(id)
    // The other one holds the lease by now and finds the intent.
    expect(await codeOf(other.current(soon(world)))).toBe('refresh_unknown')
    wake()
    expect(await owner).toBe('ok')
    expect(await call(world, other)).toBe('ok')
    expect(await world.row(id)).toMatchObject({ state: 'active', stateReason: null })
    expect(world.provider.counters).toMatchObject({ requests: 1, replays: 0 })
  })

  test('R4 and the other side recovered within a grace window: the later answer is dropped', async () => {
    const world = await open({ oauth2: { reuseGraceMs: 60_000 }, provider: { graceMs: 60_000 } })
    const { id } = await world.connected({ expired: true })
    const { owner, wake } = await paused(world, id)
    const other = world.keeper(id)
    expect(await call(world, other)).toBe('ok')
    const before = await world.store.credentials.read(id)
    wake()
    expect(await owner).toBe('ok')
    expect(await world.store.credentials.read(id)).toEqual(before)
    expect(world.reports.map(({ outcome }) => outcome)).toEqual(['tokens', 'dropped'])
    expect(world.provider.counters.replays).toBe(0)
  })

  test('R4 and the other side was refused: the late commit heals the connection', async () => {
    const world = await open()
    const { id } = await world.connected({ expired: true })
    const { owner, wake } = await paused(world, id)
    world.provider.fail({ kind: 'refusal', status: 400, body: { error: 'invalid_grant' } })
    world.clock.forward(31_000)
    const other = world.keeper(id)
    expect(await codeOf(other.current(soon(world)))).toBe('reauthorization_required refresh_lost')
    wake()
    expect(await owner).toBe('ok')
    expect((await world.row(id)).state).toBe('active')
    expect(await call(world, other)).toBe('ok')
  })

  test('R4 a paused owner whose answer is no token leaves the intent of the next one alone', async () => {
    const world = await open()
    const { id } = await world.connected({ expired: true })
    world.provider.fail({ kind: 'refusal', status: 401, body: { error: 'invalid_client' } })
    const { store, transport } = world
    const keeper = world.keeper(id, {
      store: {
        ...store,
        leases: { ...store.leases, acquire: (a, b, c) => store.leases.acquire(a, b, c, 1) },
      },
      transport: {
        ...transport,
        async send(request) {
          const answer = await transport.send(request)
          const lease = await store.leases.acquire(id, 'refresh', 'next', 45_000)
          await store.intents.put(intentOf(id, { fence: lease?.fence ?? 0, sentBy: 'next' }))
          return answer
        },
      },
    })
    expect(await codeOf(keeper.current(soon(world)))).toBe('credentials_refused invalid_client')
    expect(await store.intents.find(id)).toMatchObject({ sentBy: 'next' })
  })
})

describe('R6 a 401', () => {
  test('R6 a burst with the current generation causes one refresh, with an old one none', async () => {
    const world = await open()
    const { id } = await world.connected()
    const [one, two] = [world.keeper(id), world.keeper(id)]
    const old = await one.current(soon(world))
    await two.current(soon(world))
    const lent = await Promise.all(
      [one, two].flatMap((keeper) =>
        Array.from({ length: 20 }, () => keeper.renew(old, soon(world))),
      ),
    )
    expect(new Set(lent.map(({ generation }) => generation))).toEqual(new Set([2]))
    expect(world.provider.counters.requests).toBe(1)
    await Promise.all([one, two, world.keeper(id)].map((keeper) => keeper.renew(old, soon(world))))
    expect(world.provider.counters.requests).toBe(1)
  })

  test('R6 a process that still has the old generation takes the newer one over', async () => {
    const world = await open()
    const { id } = await world.connected()
    const [one, two] = [world.keeper(id), world.keeper(id)]
    const old = await two.current(soon(world))
    await one.current(soon(world))
    await one.renew(old, soon(world))
    expect((await two.renew(old, soon(world))).generation).toBe(2)
    expect(world.provider.counters.requests).toBe(1)
  })
})

describe('R7 the store is away', () => {
  const away = (): never => {
    throw new ConnectorError('store_unavailable', 'disk full', { retryAfterMs: 1000 })
  }

  test('R7 before the call: there is no call', async () => {
    const world = await open()
    const { id } = await world.connected({ expired: true })
    const { store } = world
    const keeper = world.keeper(id, {
      store: { ...store, intents: { ...store.intents, put: async () => away() } },
    })
    expect(await codeOf(keeper.current(soon(world)))).toBe('store_unavailable')
    expect(world.provider.counters.requests).toBe(0)
    // Nothing hinders the next one.
    expect(await call(world, world.keeper(id))).toBe('ok')
  })

  test('R7 at the commit: the answer is kept, stored once that can be done, and shown to nobody before', async () => {
    const world = await open()
    const { id } = await world.connected({ expired: true })
    const { store } = world
    let isAway = true
    let attempts = 0
    const keeper = world.keeper(id, {
      store: {
        ...store,
        credentials: {
          ...store.credentials,
          commitRefresh: async (...parts) => {
            attempts += 1
            return isAway ? away() : await store.credentials.commitRefresh(...parts)
          },
        },
      },
    })
    expect(await codeOf(keeper.current(soon(world, 400)))).toBe('deadline_exceeded')
    await eventually(() => attempts > 1)
    expect(keeper.ready()).toBeNull()
    isAway = false
    const lent = await keeper.current(soon(world))
    expect(world.provider.isLive(tokenOf(lent))).toBe(true)
    expect((await store.credentials.read(id))?.generation).toBe(2)
    expect(world.provider.counters).toMatchObject({ requests: 1, replays: 0 })
  })

  test('R7 a commit that was stored although its answer was lost is found', async () => {
    const world = await open()
    const { id } = await world.connected({ expired: true })
    const { store } = world
    let first = true
    const keeper = world.keeper(id, {
      store: {
        ...store,
        credentials: {
          ...store.credentials,
          async commitRefresh(...parts) {
            const done = await store.credentials.commitRefresh(...parts)
            if (first) {
              first = false
              away()
            }
            return done
          },
        },
      },
    })
    const lent = await keeper.current(soon(world))
    expect([world.provider.isLive(tokenOf(lent)), lent.generation]).toEqual([true, 2])
  })
})

describe('R8 credentials replaced by hand', () => {
  async function replace(world: KeeperWorld, id: string): Promise<string> {
    const tokens = world.provider.connect()
    await world.store.credentials.replace(
      OWNER,
      id,
      {
        seal: (generation) =>
          sealCredentials(
            world.vault,
            { id, generation },
            { credentials: { ...tokens, ...CLIENT }, session: {}, expiresAt: null },
          ),
        oauthSecretHash: null,
      },
      auditOf(id),
    )
    return tokens.access_token
  }

  /** A keeper in front of whose step something happens once. */
  function before(
    world: KeeperWorld,
    id: string,
    step: 'acquire' | 'find' | 'put' | 'send' | 'commit' | 'tell',
    happens: () => Promise<unknown>,
  ): HostedKeeper {
    let done = false
    const once = async (): Promise<void> => {
      if (done) return
      done = true
      await happens()
    }
    const { store, transport } = world
    const { leases, intents, credentials, instances } = store
    let finds = 0
    return world.keeper(id, {
      store: {
        ...store,
        leases: {
          ...leases,
          async acquire(...parts) {
            if (step === 'acquire') await once()
            return await leases.acquire(...parts)
          },
        },
        intents: {
          ...intents,
          async find(instanceId) {
            finds += 1
            if (step === 'find' && finds === 2) await once()
            return await intents.find(instanceId)
          },
          async put(intent) {
            if (step === 'put') await once()
            return await intents.put(intent)
          },
        },
        credentials: {
          ...credentials,
          async commitRefresh(...parts) {
            if (step === 'commit') await once()
            return await credentials.commitRefresh(...parts)
          },
        },
        instances: {
          ...instances,
          async setState(...parts) {
            if (step === 'tell') await once()
            return await instances.setState(...parts)
          },
        },
      },
      transport: {
        ...transport,
        async send(request) {
          if (step === 'send') await once()
          return await transport.send(request)
        },
      },
    })
  }

  test.for(['acquire', 'find', 'put', 'send', 'commit'] as const)(
    'R8 before the step "%s": they stay',
    async (step) => {
      const world = await open()
      const { id } = await world.connected({ expired: true })
      let manual = ''
      const keeper = before(world, id, step, async () => {
        manual = await replace(world, id)
      })
      expect(tokenOf(await keeper.current(soon(world)))).toBe(manual)
      expect(tokenOf(await world.keeper(id).current(soon(world)))).toBe(manual)
      expect(await world.row(id)).toMatchObject({ state: 'pending', stateReason: null })
      expect(await world.store.intents.find(id)).toBeNull()
    },
  )

  const refused = { kind: 'refusal', status: 400, body: { error: 'invalid_grant' } } as const
  const lost = { kind: 'lost' } as const
  const unwell = { kind: 'refusal', status: 503, body: {} } as const
  test.for<{ step: 'send' | 'tell'; name: string; fault: Fault }>([
    { step: 'send', name: 'refused', fault: refused },
    { step: 'send', name: 'lost', fault: lost },
    { step: 'send', name: 'unwell', fault: unwell },
    { step: 'tell', name: 'refused', fault: refused },
    { step: 'tell', name: 'lost', fault: lost },
  ])(
    'R8 before $step of a call that ends $name: they stay, and their state, and who waits gets them',
    async ({ step, fault }) => {
      const world = await open()
      const { id } = await world.connected({ expired: true })
      world.provider.fail(fault)
      let manual = ''
      const keeper = before(world, id, step, async () => {
        manual = await replace(world, id)
      })
      expect(tokenOf(await keeper.current(soon(world)))).toBe(manual)
      expect(await world.row(id)).toMatchObject({ state: 'pending', stateReason: null })
      expect(await world.store.intents.find(id)).toBeNull()
    },
  )

  test('R8 before it is told what a process that died left: who waits gets them', async () => {
    const world = await open()
    const { id } = await world.connected({ expired: true })
    const lease = await world.store.leases.acquire(id, 'refresh', 'dead', 0)
    await world.store.intents.put(intentOf(id, { fence: lease?.fence ?? 0 }))
    let manual = ''
    const keeper = before(world, id, 'tell', async () => {
      manual = await replace(world, id)
    })
    expect(tokenOf(await keeper.current(soon(world)))).toBe(manual)
    expect(await world.row(id)).toMatchObject({ state: 'pending', stateReason: null })
  })

  test('R8 a call that began before them hears that the connection ended: their refresh stays due', async () => {
    const world = await open()
    const { id } = await world.connected()
    const keeper = world.keeper(id)
    const lent = await keeper.current(soon(world))
    await replace(world, id)
    await world.store.credentials.scheduleRefresh(id, 2, 1_000)
    keeper.revoke(lent)
    await keeper.close()
    expect(await world.row(id)).toMatchObject({ state: 'pending', nextRefreshAt: 1_000 })
  })
})

describe('a connection that the third party ended', () => {
  test('nothing is sent any more, by no process, until credentials are replaced', async () => {
    const world = await open()
    const { id } = await world.connected()
    const keeper = world.keeper(id)
    keeper.revoke(await keeper.current(soon(world)))
    await keeper.close()
    expect(await world.row(id)).toMatchObject({
      state: 'auth_error',
      stateReason: { code: 'revoked_upstream' },
    })
    for (const each of [keeper, world.keeper(id)])
      expect(await codeOf(each.current(soon(world)))).toBe(
        'reauthorization_required revoked_upstream',
      )
    expect(world.provider.counters.requests).toBe(0)
  })
})

describe('what is told', () => {
  test('K5 no log line and no audit event holds a token', async () => {
    const world = await open()
    const { id, tokens } = await world.connected({ expired: true })
    world.provider.fail({ kind: 'refusal', status: 503, body: { error: tokens.refresh_token } })
    const keeper = world.keeper(id)
    await codeOf(keeper.current(soon(world)))
    world.clock.forward(1_100)
    const lent = await keeper.current(soon(world))
    const events = await world.store.audit.list(OWNER, { instanceId: id, limit: 100 })
    expect(events.map(({ action }) => action)).toContain('credentials.refreshed')
    const told = world.log.join('\n') + JSON.stringify(events)
    for (const secret of [tokens.refresh_token, tokenOf(lent), CLIENT.client_secret])
      expect(told).not.toContain(secret)
  })
})
