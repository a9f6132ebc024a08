// What a process that was killed held is the next one's at once, where only one process can have the store.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { eventually } from '../faults/resources.ts'
import { type AcmeVendor, CLIENT, startAcmeVendor } from './acme-vendor.ts'
import { connectAcme, execute, type Fleet, folderFleet } from './processes.ts'

const INSTANCES = 8
/** Less than a lease of a process that has ended lasts. */
const AT_ONCE_MS = 30_000
const GRACE_MS = 600_000

const opened: AsyncDisposable[] = []
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each[Symbol.asyncDispose]()
})

async function open(): Promise<{
  readonly vendor: AcmeVendor
  readonly fleet: Fleet
  /** For files of the test; removed with the fleet. */
  readonly folder: string
}> {
  const vendor = await startAcmeVendor({ graceMs: GRACE_MS })
  const fleet = folderFleet()
  opened.push(vendor, fleet)
  // `folderFleet` gives a place in a folder.
  const { folder: data } = fleet.place as { readonly folder: string }
  return { vendor, fleet, folder: dirname(data) }
}

/** acme with a provider that takes a spent refresh token once more. */
function manifestWithGrace(folder: string): string {
  const path = join(folder, 'acme.yaml')
  const manifest = readFileSync(join(import.meta.dirname, 'acme.yaml'), 'utf8')
  writeFileSync(
    path,
    manifest.replace(
      'rotates_refresh_token: true',
      `rotates_refresh_token: true\n      reuse_grace: ${GRACE_MS / 60_000}m`,
    ),
  )
  return path
}

test(`R3 ${INSTANCES} refreshes whose process was killed are made good within the grace of the provider, without any call`, async () => {
  const { vendor, fleet, folder } = await open()
  const { provider } = vendor
  const env = { TENON_MANIFESTS: manifestWithGrace(folder) }
  const first = await fleet.start({ env })
  const ids = await Promise.all(
    Array.from({ length: INSTANCES }, () =>
      connectAcme(first, vendor.url, { ...provider.connect(), ...CLIENT }),
    ),
  )
  for (const id of ids) expect((await execute(first, id, 'customers.list')).status).toBe(200)
  const tokens = vendor.hold('/token')
  provider.endAccess()
  const calls = ids.map((id) => execute(first, id, 'customers.list').catch(() => null))
  // Rotated, and nobody was told.
  await tokens.arrived(INSTANCES)
  await first.kill()
  await Promise.all(calls)
  tokens.open()
  expect(provider.counters).toMatchObject({ requests: INSTANCES, refreshes: INSTANCES })

  const second = await fleet.start({ env })
  await eventually(() => provider.counters.requests >= 2 * INSTANCES, AT_ONCE_MS)
  expect(provider.counters).toMatchObject({ refreshes: INSTANCES, replays: 0, revokedFamilies: 0 })
  const answers = await Promise.all(ids.map((id) => execute(second, id, 'customers.list')))
  expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200))
  expect(provider.counters.requests).toBe(2 * INSTANCES)
})

test('a write that was under way when its process was killed is uncertain at once for who repeats it, and in the audit log', async () => {
  const { vendor, fleet } = await open()
  const first = await fleet.start()
  const id = await connectAcme(first, vendor.url, { api_key: 'key-of-acme' })
  const held = vendor.hold('POST /customers')
  const headers = { 'idempotency-key': 'one-write' }
  const create = { name: 'Ada' }
  const write = execute(first, id, 'customers.create', create, { headers }).catch(() => null)
  await held.arrived()
  await first.kill()
  await write
  held.open()

  const second = await fleet.start()
  const again = await execute(second, id, 'customers.create', create, { headers })
  expect([again.status, again.body]).toMatchObject([
    502,
    { code: 'upstream_failed', outcome: 'uncertain' },
  ])
  expect(vendor.created.get('Ada')).toBe(1)
  // The audit log knows of the write although the process that sent it could not tell.
  const listed = await fleet.run(['audit', 'list', '--json', '--instance', id])
  const events = listed.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly action: string; readonly outcome: string })
    .filter(({ action }) => action === 'execute.create')
  expect(events).toMatchObject([{ action: 'execute.create', outcome: 'uncertain' }])
})
