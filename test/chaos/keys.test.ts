// Master keys are exchanged beside running services, and nobody starts without one that is needed.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AcmeVendor, CLIENT, startAcmeVendor } from './acme-vendor.ts'
import { connectAcme, execute, type Fleet, keepCalling, postgresFleet, SCALE } from './processes.ts'
import { tenonHere } from '../cli/run-here.ts'
import { sized } from '../fixtures/sizes.ts'

/** The row itself, 10,000 instances, is `npm run test:chaos` at its default scale of 10. */
const INSTANCES = SCALE === 1 ? 40 : 1000 * SCALE
/** Of them with tokens that are refreshed meanwhile. */
const WITH_TOKENS = 10
const KILLS = sized(1, 5)
/** What a machine that is busy with others may be answered; nothing of it has to do with keys. */
const BUSY = '503 store_unavailable: the store did not answer in time'
const keyOf = (id: string, byte: number): string =>
  `${id}:${Buffer.alloc(32, byte).toString('base64')}`
const OLD = keyOf('k1', 7)
const NEW = keyOf('k2', 8)

let vendor: AcmeVendor
let fleet: Fleet | null

beforeAll(async () => {
  vendor = await startAcmeVendor()
  fleet = await postgresFleet()
})
afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]()
  await vendor[Symbol.asyncDispose]()
})

test('K3 keys rotate, and are made anew, beside services that read and refresh, and through kill -9: no read fails, none is left on the old key, and it can be dropped', async (context) => {
  if (fleet?.database == null) return context.skip('no PostgreSQL')
  const on = fleet
  const { database } = fleet
  const { provider } = vendor
  const first = await fleet.start({ env: { TENON_MASTER_KEYS: OLD } })
  const instances: string[] = []
  while (instances.length < INSTANCES) {
    const from = instances.length
    instances.push(
      ...(await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          connectAcme(
            first,
            vendor.url,
            from + index < WITH_TOKENS
              ? { ...provider.connect(), ...CLIENT }
              : { api_key: 'key-of-acme' },
          ),
        ),
      )),
    )
  }
  await first.kill()

  const both = `${NEW},${OLD}`
  const env = { TENON_MASTER_KEYS: both }
  const services = await fleet.startAll(2, { env })
  // Each instance is opened for the first time at some moment before, during and after the rotation.
  const calling = keepCalling(
    services.flatMap((service, index) =>
      Array.from({ length: 4 }, (_, reader) => async (turn: number) => {
        // Waits for time: they ask at a steady pace.
        await sleep(10)
        const next = reader === 0 ? turn % WITH_TOKENS : (turn + index * 7 + reader * 3) % INSTANCES
        return await execute(service, instances[next] ?? '', 'customers.list')
      }),
    ),
  )
  await calling.more(20)
  async function count(what: string): Promise<number> {
    const [row] = await database.run(`select count(*)::int as count from data_key where ${what}`)
    return Number(row?.['count'])
  }
  let endedAt = 0
  /** Kills a command several times on its way through all keys, and refreshes tokens meanwhile. */
  async function throughKills(args: readonly string[], done: string): Promise<number> {
    let kills = 0
    for (let part = 1; part <= KILLS; part++) {
      // A token refused within its first minute is renewed twice at most: not its age is the reason. Twice is what the
      // two commands ask for; only a long run has time for more.
      if (part === 1 || (SCALE > 1 && performance.now() > endedAt + 61_000)) {
        // A call that meets both ends of its token would be refused twice, which is an answer.
        await calling.round()
        provider.endAccess()
        endedAt = performance.now()
      }
      const until = (INSTANCES * part) / (KILLS + 1)
      if (await on.runUntil(args, env, async () => (await count(done)) >= until)) kills++
    }
    return kills
  }
  const kills = await throughKills(['keys', 'rotate'], "key_id = 'k2'")
  // Twice at once: each row is exchanged by one of them.
  const rotations = await Promise.all([
    fleet.run(['keys', 'rotate', '--json'], env),
    fleet.run(['keys', 'rotate', '--json'], env),
  ])
  expect(rotations.map(({ code }) => code)).toEqual([0, 0])
  for (const { out } of rotations) expect(JSON.parse(out)).toMatchObject({ left: {} })
  // The instances, and the keys of organisations.
  expect(await count("key_id = 'k2'")).toBeGreaterThanOrEqual(INSTANCES)
  expect(await count("key_id = 'k1'")).toBe(0)

  const before = new Date().toISOString()
  const renew = ['keys', 'rotate', '--data-keys', '--before', before]
  const killsOfRenewal = await throughKills(renew, 'version = 2')
  const renewal = await fleet.run([...renew, '--json'], env)
  expect(renewal.code).toBe(0)
  expect(await count('version = 2')).toBeGreaterThanOrEqual(INSTANCES)
  expect(await count('version > 2')).toBe(0)
  // A service that has not looked yet seals what it refreshes under the key it knows.
  const sealed = await database.run(
    'select get_byte(sealed, 4)::int as version, count(*)::int as count from credential group by 1',
  )
  const old = sealed.find(({ version }) => version === 1)
  expect(Number(old?.['count'] ?? 0)).toBeLessThanOrEqual(WITH_TOKENS)
  await calling.more(Math.min(2 * INSTANCES, 2000))
  await calling.end()
  const { [BUSY]: busy = 0, ...problems } = Object.fromEntries(calling.problems)
  expect(problems).toEqual({})
  expect(calling.statuses.get(200)).toBeGreaterThan(10 * busy)
  if (SCALE > 1) {
    const calls = [...calling.statuses.values()].reduce((sum, each) => sum + each, 0)
    console.log(
      `${INSTANCES} instances, ${calls} calls, ${kills} kills of the rotation, ${killsOfRenewal} of the renewal, ${provider.counters.refreshes} refreshes`,
    )
    expect([kills, killsOfRenewal]).toEqual([KILLS, KILLS])
  }
  expect(provider.counters.replays).toBe(0)
  for (const service of services) await service.kill()

  const listed = await fleet.run(['keys', 'list', '--json'], { TENON_MASTER_KEYS: NEW })
  expect([listed.code, JSON.parse(listed.out)]).toEqual([
    0,
    { id: 'k2', current: true, given: true, data_keys: expect.any(Number) },
  ])
  const after = await fleet.start({ env: { TENON_MASTER_KEYS: NEW } })
  expect((await execute(after, instances[0] ?? '', 'customers.list')).status).toBe(200)
  await after.kill()
})

test.for([
  ['the old key alone, which was dropped', OLD, 'master key "k2" (', 'is still in use'],
  ['another key', keyOf('k3', 9), 'master key "k2" (', 'is still in use'],
  ['another key of the same name', keyOf('k2', 9), 'master key "k2" is not the one', ''],
  ['text that is no key', 'k2:short', 'TENON_MASTER_KEYS: key 1 ("k2") is not base64', ''],
  ['no key', '', 'TENON_MASTER_KEYS is required with DATABASE_URL', ''],
] as const)('K3 %s: no start, and a line that names it', async ([, keys, line, more], context) => {
  if (fleet === null) return context.skip('no PostgreSQL')
  const env = { ...fleet.env, TENON_MASTER_KEYS: keys }
  const { code, err, out } = await tenonHere(['serve'], { env })
  expect(code).toBe(2)
  expect(err).toContain(line)
  expect(err).toContain(more)
  const secret = keys.split(':')[1] ?? 'none'
  expect(secret !== '' && (err + out).includes(secret) && secret !== 'short').toBe(false)
})
