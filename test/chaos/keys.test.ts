// Master keys are exchanged beside running services, and nobody starts without one that is needed.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AcmeVendor, startAcmeVendor } from './acme-vendor.ts'
import { connectAcme, execute, type Fleet, keepCalling, postgresFleet, SCALE } from './processes.ts'

const INSTANCES = 40 * SCALE
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

test(
  'K3 keys rotate beside services that read: no read fails, none is left on the old key, and it can be dropped',
  async (context) => {
    if (fleet === null) return context.skip('no PostgreSQL')
    const first = await fleet.start({ env: { TENON_MASTER_KEYS: OLD } })
    const instances: string[] = []
    while (instances.length < INSTANCES) {
      instances.push(
        ...(await Promise.all(
          Array.from({ length: 20 }, () =>
            connectAcme(first, vendor.url, { api_key: 'key-of-acme' }),
          ),
        )),
      )
    }
    await first.kill()

    const both = `${NEW},${OLD}`
    const services = await fleet.startAll(2, { env: { TENON_MASTER_KEYS: both } })
    // Each instance is opened for the first time at some moment before, during and after the rotation.
    const calling = keepCalling(
      services.flatMap((service, index) =>
        Array.from({ length: 4 }, (_, reader) => async (turn: number) => {
          await sleep(10)
          const next = (turn + index * 7 + reader * 3) % INSTANCES
          return await execute(service, instances[next] ?? '', 'customers.list')
        }),
      ),
    )
    await calling.more(20)
    // Twice at once: each row is exchanged by one of them.
    const rotations = await Promise.all([
      fleet.run(['keys', 'rotate', '--json'], { TENON_MASTER_KEYS: both }),
      fleet.run(['keys', 'rotate', '--json'], { TENON_MASTER_KEYS: both }),
    ])
    await calling.more(2 * INSTANCES)
    await calling.end()
    expect([...calling.statuses.keys()]).toEqual([200])
    expect(rotations.map(({ code }) => code)).toEqual([0, 0])
    const counts = rotations.map(
      ({ out }) => JSON.parse(out) as { readonly rewrapped: number; readonly left: object },
    )
    expect(counts.map(({ left }) => left)).toEqual([{}, {}])
    // The instances, and the keys of organisations.
    expect(counts.reduce((sum, { rewrapped }) => sum + rewrapped, 0)).toBeGreaterThanOrEqual(
      INSTANCES,
    )
    for (const service of services) await service.kill()

    const listed = await fleet.run(['keys', 'list', '--json'], { TENON_MASTER_KEYS: NEW })
    expect([listed.code, JSON.parse(listed.out)]).toEqual([
      0,
      [{ id: 'k2', current: true, given: true, data_keys: expect.any(Number) }],
    ])
    const after = await fleet.start({ env: { TENON_MASTER_KEYS: NEW } })
    expect((await execute(after, instances[0] ?? '', 'customers.list')).status).toBe(200)
    await after.kill()
  },
  60_000 * SCALE,
)

test.for([
  ['the old key alone, which was dropped', OLD, 'master key "k2" (', 'is still in use'],
  ['another key', keyOf('k3', 9), 'master key "k2" (', 'is still in use'],
  ['another key of the same name', keyOf('k2', 9), 'master key "k2" is not the one', ''],
  ['text that is no key', 'k2:short', 'TENON_MASTER_KEYS: key 1 ("k2") is not base64', ''],
  ['no key', '', 'TENON_MASTER_KEYS is required with DATABASE_URL', ''],
] as const)('K3 %s: no start, and a line that names it', async ([, keys, line, more], context) => {
  if (fleet === null) return context.skip('no PostgreSQL')
  const { code, err, out } = await fleet.run(['serve'], { TENON_MASTER_KEYS: keys })
  expect(code).toBe(2)
  expect(err).toContain(line)
  expect(err).toContain(more)
  const secret = keys.split(':')[1] ?? 'none'
  expect(secret !== '' && (err + out).includes(secret) && secret !== 'short').toBe(false)
})
