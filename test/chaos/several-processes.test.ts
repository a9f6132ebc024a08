// Three processes on one PostgreSQL behave like one service, also when one of them dies.
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MIGRATIONS } from '../../src/service/store/sql/migrations/all-migrations.ts'
import { createCanaries } from '../faults/canary.ts'
import { eventually } from '../faults/resources.ts'
import { type AcmeVendor, CLIENT, startAcmeVendor } from './acme-vendor.ts'
import {
  type Answer,
  connectAcme,
  execute,
  type Fleet,
  keepCalling,
  postgresFleet,
  SCALE,
  type ServeProcess,
} from './processes.ts'
import { RUNS_LONG, sized } from '../fixtures/sizes.ts'
import { openTcpGate } from '../fixtures/tcp-gate.ts'

/** The row itself, 200 callers in each process and 1,000 expiries, is `npm run test:chaos` at its default scale of 10. */
const [CALLERS, CONNECTIONS, ROUNDS] =
  SCALE === 1 ? [sized(8, 20), sized(12, 30), 1] : [200, 200, Math.ceil(SCALE / 2)]
const EXPIRIES = CONNECTIONS * ROUNDS

let vendor: AcmeVendor
let fleet: Fleet | null
let processes: ServeProcess[] = []

beforeAll(async () => {
  vendor = await startAcmeVendor()
  fleet = await postgresFleet()
  if (fleet !== null) processes = [...(await fleet.startAll(3))]
})
afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]()
  await vendor[Symbol.asyncDispose]()
})

/** Skips where there is no PostgreSQL. */
function there(context: { skip: (note: string) => never }): {
  readonly on: Fleet
  readonly sql: (statement: string) => Promise<readonly Record<string, unknown>[]>
  readonly one: ServeProcess
  readonly two: ServeProcess
  readonly three: ServeProcess
} {
  const [one, two, three] = processes
  if (fleet?.database == null || one === undefined || two === undefined || three === undefined)
    return context.skip('no PostgreSQL')
  const { database } = fleet
  return { on: fleet, sql: (statement) => database.run(statement), one, two, three }
}

test('D4 three processes that start at once on an empty database make one schema and one first application', async (context) => {
  const { sql } = there(context)
  expect(processes.map(({ output }) => output.err.includes('The first application'))).toSatisfy(
    (shown: readonly boolean[]) => shown.filter(Boolean).length === 1,
  )
  expect(await sql('select count(*)::int as count from schema_migration')).toEqual([
    { count: MIGRATIONS.length },
  ])
  expect(await sql('select count(*)::int as count from application')).toEqual([{ count: 1 }])
  const ready = await Promise.all(processes.map(({ call }) => call('GET', '/readyz')))
  expect(ready.map(({ status }) => status)).toEqual([200, 200, 200])
})

test('T2 a token revoked in one process is refused by the others within a second', async (context) => {
  const { one, two, three } = there(context)
  const minted = await one.call('POST', '/api/v1/account/applications/scoped-token', {
    external_user_id: 'user-1',
  })
  const { token } = minted.body as { readonly token: string }
  const list = ({ call }: ServeProcess): Promise<Answer> =>
    call('GET', '/v1/integrations/connectors', undefined, { token })
  const statuses: { readonly at: number; readonly status: number }[] = []
  let revokedAt = Infinity
  const asking = [two, three].map(async (process) => {
    for (;;) {
      const at = performance.now()
      if (statuses.filter((each) => each.at > revokedAt + 1000).length > 10) return
      statuses.push({ at, status: (await list(process)).status })
      // Waits for time: they ask at a steady pace.
      await sleep(20)
    }
  })
  await eventually(() => statuses.length > 10)
  await one.call('POST', '/api/v1/account/applications/revoke', { token })
  revokedAt = performance.now()
  await Promise.all(asking)
  const before = statuses.slice(0, 10)
  const after = statuses.filter(({ at }) => at > revokedAt + 1000)
  expect(new Set(before.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(after.map(({ status }) => status))).toEqual(new Set([401]))
})

test('K1 no secret is in any row of the database', async (context) => {
  const { one, sql } = there(context)
  const canaries = createCanaries()
  const tokens = vendor.provider.connect()
  canaries.watch('access token', tokens.access_token)
  canaries.watch('refresh token', tokens.refresh_token)
  canaries.watch('client secret', CLIENT.client_secret)
  const oauth = await connectAcme(one, vendor.url, { ...tokens, ...CLIENT })
  const key = { api_key: canaries.issue('key'), api_secret: canaries.issue('secret') }
  const keyed = await connectAcme(one, vendor.url, key)
  const write = { headers: { 'idempotency-key': canaries.issue('idempotency key').slice(0, 24) } }
  await execute(one, keyed, 'customers.create', { name: canaries.issue('answer') }, write)
  expect((await execute(one, oauth, 'customers.list')).status).toBe(200)
  const tables = await sql("select tablename from pg_tables where schemaname = 'public'")
  let rows = 0
  for (const { tablename } of tables) {
    const dumped = await sql(`select t::text as row from "${String(tablename)}" t`)
    rows += dumped.length
    const text = dumped.map(({ row }) => String(row)).join('\n')
    expect(canaries.findIn(String(tablename), text)).toEqual([])
  }
  expect([tables.length > 10, rows > 10]).toEqual([true, true])
})

test.runIf(RUNS_LONG)(
  `R1 ${CALLERS} callers in each of three processes over ${EXPIRIES} expiries cause exactly ${EXPIRIES} refreshes`,
  async (context) => {
    const { one } = there(context)
    const { provider } = vendor
    const instances: string[] = []
    while (instances.length < CONNECTIONS)
      instances.push(
        ...(await Promise.all(
          Array.from({ length: Math.min(10, CONNECTIONS - instances.length) }, () =>
            connectAcme(one, vendor.url, { ...provider.connect(), ...CLIENT }),
          ),
        )),
      )
    const before = { ...provider.counters }
    const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
    const calling = keepCalling(
      processes.flatMap((process, index) =>
        Array.from(
          { length: CALLERS },
          (_, caller) => (turn: number) =>
            execute(
              process,
              instances[(turn + index + caller) % instances.length] ?? '',
              'customers.list',
              {},
              { agent },
            ),
        ),
      ),
    )
    for (let round = 1; round <= ROUNDS; round++) {
      // Everybody has seen the tokens that end now.
      await calling.more(CONNECTIONS * 6)
      provider.endAccess()
      await eventually(
        () => provider.counters.refreshes - before.refreshes >= CONNECTIONS * round,
        120_000 * SCALE,
      )
      // Waits for time: a token refused within its first minute is renewed twice at most, as its age is not the reason.
      if (round < ROUNDS) await sleep(61_000)
    }
    await calling.more(CONNECTIONS * 6)
    await calling.end()
    agent.destroy()
    const { refreshes, requests, replays } = provider.counters
    const calls = [...calling.statuses.values()].reduce((sum, count) => sum + count, 0)
    if (SCALE > 1)
      console.log(`${calls} calls over ${EXPIRIES} expiries`, Object.fromEntries(calling.problems))
    expect({
      refreshes: refreshes - before.refreshes,
      requests: requests - before.requests,
      replays,
    }).toEqual({ refreshes: EXPIRIES, requests: EXPIRIES, replays: 0 })
    // So many callers may be more than the machine has room for; then they are told to come again, or that their time is
    // over before the tokens are there, and nothing else.
    const problems = [...calling.problems.keys()]
    expect(problems.filter((problem) => !/^(503|504 deadline_exceeded)/.test(problem))).toEqual([])
  },
  300_000 * ROUNDS * SCALE,
)

test('D2 a database that cannot be reached is 503 with Retry-After, starts no refresh, and is found again', async (context) => {
  const { on, one } = there(context)
  const direct = new URL(on.env['DATABASE_URL'] ?? '')
  await using gate = await openTcpGate(Number(direct.port))
  direct.port = String(gate.port)
  const behind = await on.start({ env: { DATABASE_URL: direct.href, TENON_JOBS: '0' } })
  const { provider } = vendor
  const { refresh_token } = provider.connect()
  const needy = await connectAcme(one, vendor.url, { refresh_token, ...CLIENT })
  const keyed = await connectAcme(one, vendor.url, { api_key: 'key-of-acme' })
  expect((await execute(behind, keyed, 'customers.list')).status).toBe(200)
  const { requests } = provider.counters
  gate.cut()
  // Waits for time: what was looked up is believed for half a second.
  await sleep(700)
  const [needed, read, listed, health, ready, metrics] = await Promise.all([
    execute(behind, needy, 'customers.list'),
    execute(behind, keyed, 'customers.list'),
    behind.call('GET', '/v1/integrations/connectors'),
    behind.call('GET', '/healthz'),
    behind.call('GET', '/readyz'),
    behind.call('GET', '/metrics'),
  ])
  for (const answer of [needed, read, listed]) {
    expect([answer.status, answer.headers['retry-after'], answer.body]).toEqual([
      503,
      '1',
      expect.objectContaining({
        code: 'store_unavailable',
        retryable: true,
        outcome: 'not_applied',
      }),
    ])
  }
  expect([health.status, ready.status, metrics.status]).toEqual([200, 503, 200])
  expect(metrics.text).toContain('tenon_http_requests_total')
  expect(provider.counters.requests).toBe(requests)
  gate.mend()
  await expect.poll(async () => (await execute(behind, needy, 'customers.list')).status).toBe(200)
  expect(provider.counters.requests - requests).toBe(1)
  expect((await behind.call('GET', '/readyz')).status).toBe(200)
  await behind.kill()
})

test('U10 a process killed between sending and answering leaves an uncertain key, and nobody writes again', async (context) => {
  const { on, one, sql } = there(context)
  const doomed = await on.start()
  const instance = await connectAcme(one, vendor.url, { api_key: 'key-of-acme' })
  const write = (process: ServeProcess): Promise<Answer> =>
    execute(
      process,
      instance,
      'customers.create',
      { name: 'killed in the middle' },
      { headers: { 'idempotency-key': 'order-4711' } },
    )
  const gate = vendor.hold('POST /customers')
  const lost = write(doomed).catch(() => 'broke off')
  await gate.arrived()
  await doomed.kill()
  gate.open()
  expect(await lost).toBe('broke off')
  const meanwhile = await write(one)
  // The lease of the dead process runs out.
  await sql('update idempotency_record set held_until = 0')
  const after = await Promise.all(processes.map(write))
  expect([meanwhile.status, meanwhile.body]).toEqual([
    409,
    expect.objectContaining({ code: 'idempotency_in_flight' }),
  ])
  for (const { status, body } of after) {
    expect([status, body]).toEqual([
      502,
      expect.objectContaining({ code: 'upstream_failed', outcome: 'uncertain', retryable: false }),
    ])
  }
  expect(vendor.created.get('killed in the middle')).toBe(1)
})

test.runIf(RUNS_LONG)(
  'R3 kill -9 during refreshes: what was not sent heals, what was lost is visible, and nothing is presented twice for it',
  async (context) => {
    const { on, sql, one } = there(context)
    const { provider } = vendor
    const connected = async (): Promise<string> =>
      await connectAcme(one, vendor.url, {
        refresh_token: provider.connect().refresh_token,
        ...CLIENT,
      })
    for (const { gate: name, ends } of [
      { gate: 'before /token', ends: { status: 200, state: 'active', reason: null } },
      { gate: '/token', ends: { status: 424, state: 'auth_error', reason: 'refresh_lost' } },
    ]) {
      const doomed = await on.start({ env: { TENON_JOBS: '0' } })
      const instances = await Promise.all([connected(), connected(), connected()])
      const { replays } = provider.counters
      const gate = vendor.hold(name)
      const lost = instances.map((id) => execute(doomed, id, 'customers.list').catch(() => null))
      await gate.arrived(instances.length)
      await doomed.kill()
      gate.open()
      await Promise.all(lost)
      // Leases and intents of the dead process grow old; nobody has to wait for that here.
      await sql('update lease set held_until = 0')
      await sql('update refresh_intent set created_at = created_at - 60000')
      const ended = await Promise.all(
        instances.map(async (id) => {
          // All three processes want it at once; an unknown outcome is presented again once, after its wait.
          await Promise.all(processes.map((process) => execute(process, id, 'customers.list')))
          await sql('update refresh_intent set not_before = 0 where not_before is not null')
          const last = await Promise.all(
            processes.map((process) => execute(process, id, 'customers.list')),
          )
          const shown = (await one.call('GET', `/v1/integrations/connectors/${id}`)).body as {
            readonly state: string
            readonly state_reason: { readonly code: string } | null
          }
          return {
            status: last[0]?.status,
            state: shown.state,
            reason: shown.state_reason?.code ?? null,
          }
        }),
      )
      expect(ended).toEqual([ends, ends, ends])
      const lostAnswers = name === '/token' ? instances.length : 0
      expect(provider.counters.replays - replays).toBeLessThanOrEqual(lostAnswers)
    }
  },
)
