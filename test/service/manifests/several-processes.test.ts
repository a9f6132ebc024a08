// What one process publishes, the others of the service serve: those that run, and those that start later.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../faults/resources.ts'
import { createTestDatabase, type TestDatabase } from '../../fixtures/postgres.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'
import { acme } from './acme.ts'

let database: TestDatabase | null = null
let folder: string

beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'tenon-published-'))
})
afterAll(async () => {
  await database?.drop()
  await rm(folder, { recursive: true })
})

const KEYS = [`one:${Buffer.alloc(32, 7).toString('base64')}`]
const SECRET = 'a secret of thirty-two characters'

async function start(more: object = {}): Promise<RunningService> {
  return await runService({
    databaseUrl: database?.url ?? '',
    masterKeys: KEYS,
    clientSecret: SECRET,
    connectors: ['gong', 'acme'],
    publishOrganization: 'default',
    ...more,
  })
}

/** What a process serves; null: nothing. */
function servedBy({ service }: RunningService): string | null {
  return service.catalogue.find('acme')?.version ?? null
}

test('T12 every process follows, a later one begins with it, and a file of its operator goes before it', async ({
  skip,
}) => {
  if (database === null) skip('no PostgreSQL can be started here')
  await using first = await start()
  await using second = await start()
  const publish = async (version: string): Promise<number> => {
    const text = acme({ version, fields: version === '1.0.0' ? [] : ['name'] })
    return (await first.call('POST', '/v1/manifests', { text })).status
  }
  expect(await publish('1.0.0')).toBe(201)
  await eventually(() => servedBy(second) === '1.0.0')
  const id = await first.connect('acme')
  expect(await publish('1.1.0')).toBe(201)
  await eventually(() => servedBy(second) === '1.1.0')
  {
    await using third = await start()
    expect(servedBy(third)).toBe('1.1.0')
  }
  const file = join(folder, 'acme.yaml')
  await writeFile(file, acme({ version: '1.0.7', title: 'Of a file' }))
  {
    await using own = await start({ manifests: [file] })
    expect(servedBy(own)).toBe('1.0.7')
    const { body } = await own.call('GET', '/v1/manifests', undefined, { as: first.token })
    expect(body).toMatchObject({
      data: [{ version: '1.1.0', current: true, served: false, hidden_by: 'file' }, {}],
    })
    const text = acme({ version: '1.2.0', fields: ['name', 'city'] })
    const done = await own.call('POST', '/v1/manifests', { text }, { as: first.token })
    expect(done).toMatchObject({
      status: 201,
      body: {
        served: false,
        hidden_by: 'file',
        after: { version: '1.0.7', origin: 'file' },
        warnings: [expect.stringContaining('a file of the operator')],
      },
    })
  }
  await eventually(() => servedBy(first) === '1.2.0' && servedBy(second) === '1.2.0')
  const answer = await second.call(
    'POST',
    `/v1/connectors/sources/${id}/execute`,
    { entity: 'customers', action: 'list' },
    { as: first.token },
  )
  expect(answer.status).toBe(200)
  {
    await using off = await start({ publishOrganization: null, connectors: ['gong'] })
    expect(servedBy(off)).toBe(null)
  }
})
