// A service whose master key moves into a transit engine while it keeps what it has, as an operator does it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tenonHere } from '../cli/run-here.ts'
import { transitEngine } from '../fixtures/transit-engine.ts'
import { startAcmeVendor } from './acme-vendor.ts'
import { connectAcme, execute, folderFleet } from './processes.ts'

const LOCAL = `k1:${Buffer.alloc(32, 1).toString('base64')}`

test('K3 a service moves from a key in memory to one in a transit engine, and every credential still opens', async () => {
  await using opened = new AsyncDisposableStack()
  const vendor = opened.use(await startAcmeVendor())
  const engine = opened.use(await transitEngine())
  const fleet = opened.use(folderFleet())
  const bao = `bao:${engine.address}`
  const folder = opened.adopt(await mkdtemp(join(tmpdir(), 'tenon-transit-')), (made) =>
    rm(made, { recursive: true }),
  )
  const tokenFile = join(folder, 'token')
  await writeFile(tokenFile, 'an-old-token\n')
  const envOf = (masterKeys: string): Readonly<Record<string, string>> => ({
    TENON_MASTER_KEYS: masterKeys,
    TENON_TRANSIT_TOKEN_FILE: tokenFile,
  })
  const keys = async (command: string): Promise<unknown> => {
    const env = { ...fleet.env, ...envOf(`${bao},${LOCAL}`) }
    const { code, out, err } = await tenonHere(['keys', command, '--json'], { env })
    if (code !== 0) return `${code} ${err}`
    const lines = out.trimEnd().split('\n')
    const values = lines.map((line) => JSON.parse(line) as unknown)
    return command === 'list' ? values : values[0]
  }

  const before = await fleet.start({ env: envOf(LOCAL) })
  const instance = await connectAcme(before, vendor.url, { api_key: 'key-of-acme' })
  await before.stop()

  expect(await keys('list')).toContain('the token may not use it (permission denied)')
  await writeFile(tokenFile, 'token-of-tenon\n')
  const both = await fleet.start({ env: envOf(`${bao},${LOCAL}`) })
  expect((await execute(both, instance, 'customers.list')).status).toBe(200)
  expect(await keys('rotate')).toMatchObject({ left: {} })
  expect(await keys('list')).toMatchObject([
    { id: 'bao:v1', current: true, given: true },
    { id: 'k1', current: false, data_keys: 0 },
  ])
  await both.stop()

  engine.rotate()
  const after = await fleet.start({ env: envOf(bao) })
  // A new version of the engine's key is a new master key.
  expect(await keys('rotate')).toMatchObject({ left: {} })
  expect(await keys('list')).toMatchObject([
    { id: 'bao:v2', current: true },
    { id: 'bao:v1', data_keys: 0 },
    { id: 'k1', data_keys: 0 },
  ])
  engine.isSealed = true
  expect(await execute(after, instance, 'customers.list')).toMatchObject({
    status: 503,
    body: { code: 'store_unavailable' },
  })
  engine.isSealed = false
  expect((await execute(after, instance, 'customers.list')).status).toBe(200)
})
