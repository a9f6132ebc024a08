// From one process with a folder to several with PostgreSQL: the same service.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AcmeVendor, CLIENT, startAcmeVendor } from './acme-vendor.ts'
import { connectAcme, execute, type Fleet, folderFleet, postgresFleet } from './processes.ts'

let vendor: AcmeVendor
let folder: Fleet
let database: Fleet | null

beforeAll(async () => {
  vendor = await startAcmeVendor()
  folder = folderFleet()
  database = await postgresFleet()
})
afterAll(async () => {
  await folder[Symbol.asyncDispose]()
  await database?.[Symbol.asyncDispose]()
  await vendor[Symbol.asyncDispose]()
})

test('what a folder held works in PostgreSQL, in two processes alike: instances, credentials, tokens, keys of writes', async (context) => {
  if (database === null || !('folder' in folder.place)) return context.skip('no PostgreSQL')
  const before = await folder.start()
  const { refresh_token } = vendor.provider.connect()
  const instances = [
    await connectAcme(before, vendor.url, { api_key: 'key-of-acme' }),
    await connectAcme(before, vendor.url, { refresh_token, ...CLIENT }),
  ]
  for (const id of instances) expect((await execute(before, id, 'customers.list')).status).toBe(200)
  const minted = await before.call('POST', '/api/v1/account/applications/scoped-token', {
    external_user_id: 'user-1',
  })
  const { token } = minted.body as { readonly token: string }
  const key = { 'idempotency-key': 'written-before-the-move' }
  const write = [
    instances[0] ?? '',
    'customers.create',
    { name: 'moved' },
    { headers: key },
  ] as const
  const written = await execute(before, ...write)
  const listed = await before.call('GET', '/v1/integrations/connectors')
  expect((await before.stop()).code).toBe(0)

  const url = database.env['DATABASE_URL'] ?? ''
  const copied = await folder.run([
    'store',
    'copy',
    '--from',
    folder.place.folder,
    '--to',
    url,
    '--json',
  ])
  expect([copied.code, JSON.parse(copied.out)]).toEqual([
    0,
    expect.objectContaining({ connector_instance: 2, credential: 2 }),
  ])
  const again = await folder.run(['store', 'copy', '--from', folder.place.folder, '--to', url])
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('not empty')])

  // The key file goes with the data.
  const env = {
    TENON_MASTER_KEYS: '',
    TENON_MASTER_KEYS_FILE: join(folder.place.folder, 'master.key'),
  }
  const services = await database.startAll(2, { env })
  const { refreshes } = vendor.provider.counters
  for (const service of services) {
    expect(service.output.err).not.toContain('The first application')
    const shown = await service.call('GET', '/v1/integrations/connectors', undefined, { token })
    expect([shown.status, shown.body]).toEqual([200, listed.body])
    for (const id of instances)
      expect((await execute(service, id, 'customers.list', {}, { token })).status).toBe(200)
    const replayed = await execute(service, ...write)
    expect([replayed.headers['idempotent-replayed'], replayed.body]).toEqual(['true', written.body])
  }
  expect(vendor.created.get('moved')).toBe(1)
  // The token that the folder held was good enough.
  expect(vendor.provider.counters.refreshes).toBe(refreshes)
  const audit = await database.run(['audit', 'verify'], env)
  expect([audit.code, audit.err]).toEqual([0, ''])
})
