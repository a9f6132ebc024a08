import {
  copyFile,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { databaseOf, openStore } from '../../src/service/store/open/open-store.ts'
import { StoreDatabase } from '../../src/service/store/sql/database.ts'
import { runMigrations } from '../../src/service/store/sql/migrate.ts'
import { MIGRATIONS } from '../../src/service/store/sql/migrations/all-migrations.ts'
import { openSqlite } from '../../src/service/store/sqlite/sqlite-client.ts'
import { sqliteParts } from '../../src/service/store/sqlite/sqlite-dialect.ts'
import { type BackupManifest, restore } from '../../src/hosting/backup.ts'
import { tenonHere } from '../cli/run-here.ts'
import { tenon } from '../cli/run-tenon.ts'
import { IS_FULL } from '../fixtures/sizes.ts'
import { createTestDatabase, type TestDatabase } from '../fixtures/postgres.ts'
import { runService } from '../fixtures/running-service.ts'
import { credentialInput, storedInstance } from '../contracts/store/rows.ts'
import { tamper } from '../contracts/store/subject.ts'
import { eventually } from '../faults/resources.ts'

const KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`
const closers: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closers) await close()
})

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-backup-test-'))
  closers.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function newDatabase(): Promise<TestDatabase | null> {
  const database = await createTestDatabase()
  if (database !== null) closers.push(() => database.drop())
  return database
}

/** Settings of a new, empty store; null: there is no PostgreSQL. */
async function newPlace(kind: 'SQLite' | 'PostgreSQL'): Promise<Record<string, string> | null> {
  if (kind === 'SQLite')
    return { TENON_DATA: join(await newFolder(), 'data'), TENON_MASTER_KEYS: KEY }
  const database = await newDatabase()
  return database === null ? null : { DATABASE_URL: database.url, TENON_MASTER_KEYS: KEY }
}

function optionsOf(place: Record<string, string>): object {
  return {
    masterKeys: [KEY],
    databaseUrl: place['DATABASE_URL'] ?? null,
    ...(place['TENON_DATA'] === undefined ? {} : { data: place['TENON_DATA'] }),
  }
}

describe('a backup made beside a running service', () => {
  test.for([
    { from: 'SQLite', to: 'PostgreSQL' },
    { from: 'PostgreSQL', to: 'SQLite' },
    ...(IS_FULL
      ? ([
          { from: 'SQLite', to: 'SQLite' },
          { from: 'PostgreSQL', to: 'PostgreSQL' },
        ] as const)
      : []),
  ] as const)('from $from to $to gives working instances', async ({ from, to }, { skip }) => {
    const source = await newPlace(from)
    const target = await newPlace(to)
    if (source === null || target === null) return skip('there is no PostgreSQL')
    const file = join(await newFolder(), 'tenon.backup')
    let id: string
    let token: string
    {
      await using running = await runService(optionsOf(source))
      token = running.token
      id = await running.connect('gong')
      const made = await tenon(['backup', file, '--json'], { env: source })
      expect({ code: made.code, err: made.err }).toEqual({ code: 0, err: '' })
      const manifest = JSON.parse(made.out) as BackupManifest
      expect(manifest).toMatchObject({
        format: 'tenon-backup/1',
        schema: MIGRATIONS.length,
        rows: { application: 1, connector_instance: 1, credential: 1 },
        master_keys: ['k1'],
      })
      // What comes later is not in it.
      await running.connect('jira')
    }
    const put = await tenonHere(['restore', file], { env: target })
    expect({ code: put.code, err: put.err }).toEqual({ code: 0, err: '' })
    await using again = await runService(optionsOf(target))
    const listed = await again.call('GET', '/v1/integrations/connectors', undefined, {
      as: token,
    })
    expect((listed.body as { readonly data: readonly unknown[] }).data).toHaveLength(1)
    const answer = await again.call(
      'POST',
      `/api/v1/connectors/sources/${id}/execute`,
      { entity: 'users', action: 'list' },
      { as: token },
    )
    expect(answer.status).toBe(200)
    expect(await again.service.store.audit.verify()).toBe(null)
  })
})

/** A backup of a small store, with what it was made from. */
async function smallBackup(): Promise<{
  readonly file: string
  readonly folder: string
  readonly data: string
}> {
  const folder = await newFolder()
  const data = join(folder, 'data')
  const store = await openStore({ folder: data })
  await storedInstance(store)
  await store.close()
  const file = join(folder, 'a.backup')
  const { code, err } = await tenonHere(['backup', file, '--data', data])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return { file, folder, data }
}

describe('a row that cannot be restored', () => {
  const SILENCE = "insert into rate_block values ('connector:acme', 99999999999999000)"

  test.for(['SQLite', 'PostgreSQL'] as const)(
    'is named when a backup of %s is read back, and again by the restore, which goes on without it',
    async (kind, { skip }) => {
      const place = await newPlace(kind)
      if (place === null) return skip('there is no PostgreSQL')
      const folder = await newFolder()
      const file = join(folder, 'a.backup')
      const store = await openStore(
        kind === 'SQLite' ? { folder: place['TENON_DATA']! } : { url: place['DATABASE_URL']! },
      )
      const row = await storedInstance(store)
      await tamper(store, SILENCE)
      await store.close()
      const bad = 'rate_block (owner_id connector:acme): blocked_until is out of range'
      const made = await tenonHere(['backup', file], { env: place })
      expect([made.code, made.err.split('\n')]).toEqual([1, expect.arrayContaining([bad])])
      const manifest = JSON.parse(await readFile(`${file}.json`, 'utf8')) as BackupManifest
      expect(manifest.unreadable).toEqual([bad])

      const target = join(folder, 'new')
      if (kind === 'SQLite') {
        const refused = await tenonHere(['restore', file, '--data', target])
        expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(bad)])
      }
      const put = await tenonHere(['restore', file, '--data', target, '--skip', '--json'])
      expect(put.code).toBe(0)
      // What a backup of PostgreSQL cannot hold is not in its file.
      expect(JSON.parse(put.out)).toMatchObject({ skipped: kind === 'SQLite' ? [bad] : [] })
      const restored = await openStore({ folder: target })
      expect(await restored.instances.find(row.id)).toMatchObject({ id: row.id })
      await restored.close()
      const told = await tenonHere(['restore', file, '--data', join(folder, 'told'), '--skip'])
      expect(told.out.split('\n')).toEqual(
        expect.arrayContaining(['connector_instance  1', 'rate_block  0']),
      )
    },
  )

  test('is left out of PostgreSQL with what depends on it, where its text has a NUL', async ({
    skip,
  }) => {
    const database = await newDatabase()
    if (database === null) return skip('there is no PostgreSQL')
    const folder = await newFolder()
    const data = join(folder, 'data')
    const store = await openStore({ folder: data })
    const bad = await storedInstance(store, { name: 'a\0b' })
    const good = await storedInstance(store)
    await store.close()
    const file = join(folder, 'a.backup')
    expect((await tenonHere(['backup', file, '--data', data])).code).toBe(0)
    const env = { DATABASE_URL: database.url, TENON_MASTER_KEYS: KEY }
    const refused = await tenonHere(['restore', file], { env })
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining(`connector_instance (instance_id ${bad.id}): name holds a NUL`),
    ])
    const put = await tenonHere(['restore', file, '--skip', '--json'], { env })
    const { skipped } = JSON.parse(put.out) as { readonly skipped: readonly string[] }
    expect([put.code, skipped.map((each) => each.split(' ')[0])]).toEqual([
      0,
      ['connector_instance', 'credential'],
    ])
    const restored = await openStore({ url: database.url })
    expect(await restored.credentials.read(good.id)).toMatchObject({ generation: 1 })
    expect(await restored.instances.find(bad.id)).toBe(null)
    await restored.close()
  })

  test('U1 comes of no wait and no life of a token that a third party names', async () => {
    const folder = await newFolder()
    const file = join(folder, 'a.backup')
    {
      await using running = await runService({ masterKeys: [KEY] })
      const id = await running.connect('gong')
      running
        .vendor('gong')
        .fail('users.list', { mode: 'rate-limited', retryAfter: 99999999999999 })
      const answer = await running.call(
        'POST',
        `/api/v1/connectors/sources/${id}/execute`,
        { entity: 'users', action: 'list' },
        { headers: { prefer: 'wait=1' } },
      )
      expect([answer.status, answer.body]).toEqual([
        429,
        expect.objectContaining({ retry_after_ms: 86_400_000 }),
      ])
      await eventually(async () => (await running.service.store.rates.blocked()).length === 1)
      const made = await tenonHere(['backup', file, '--data', running.folder])
      expect(made.code).toBe(0)
    }
    const target = join(folder, 'new')
    expect((await tenonHere(['restore', file, '--data', target])).code).toBe(0)
    const restored = await openStore({ folder: target })
    expect(await restored.rates.blocked()).toHaveLength(1)
    await restored.close()
  })
})

test('K1 K6 a backup is two files for this user only, without a master key', async () => {
  const { file, folder, data } = await smallBackup()
  expect((await readdir(folder)).toSorted()).toEqual(['a.backup', 'a.backup.json', 'data'])
  for (const name of [file, `${file}.json`]) expect((await stat(name)).mode & 0o777).toBe(0o600)
  await writeFile(join(data, 'master.key'), `${KEY}\n`, { mode: 0o600 })
  const again = join(folder, 'b.backup')
  await tenon(['backup', again, '--data', data])
  expect((await readFile(again)).includes(KEY.slice(3))).toBe(false)
})

test('K7 what was erased before is not in a backup', async () => {
  const folder = await newFolder()
  const data = join(folder, 'data')
  const store = await openStore({ folder: data })
  const row = await storedInstance(store, {}, credentialInput('canary-of-a-credential'))
  await store.instances.delete({ organizationId: row.organizationId }, row.id, {
    organizationId: row.organizationId,
    instanceId: row.id,
    requestId: null,
    actor: 'cli',
    action: 'instance.delete',
    target: row.id,
    outcome: 'done',
    members: [],
    address: null,
    token: null,
  })
  await store.close()
  const file = join(folder, 'a.backup')
  expect((await tenonHere(['backup', file, '--data', data])).code).toBe(0)
  expect((await readFile(file)).includes('canary-of-a-credential')).toBe(false)
})

describe('refused with one line', () => {
  test('a backup over another one', async () => {
    const { file, data } = await smallBackup()
    const { code, err } = await tenonHere(['backup', file, '--data', data])
    expect(code).toBe(1)
    expect(err).toMatch(/^error {2}failed {2}.*a\.backup exists; .*\n {2}docs: .*\n$/)
  })

  test('a backup of a folder without a store, which stays as it is', async () => {
    const folder = await newFolder()
    const { code, err } = await tenonHere(['backup', join(folder, 'a'), '--data', folder])
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining(
        `error  failed  there is no store in ${folder}; --data names its folder, DATABASE_URL a PostgreSQL, and tenon serve makes one\n`,
      ),
    })
    expect(await readdir(folder)).toEqual([])
  })

  test('a restore into a store that has rows', async () => {
    const { file, data } = await smallBackup()
    const { code, err } = await tenonHere(['restore', file, '--data', data])
    expect(code).toBe(1)
    expect(err).toMatch(/^error {2}failed {2}the store is not empty .*\n {2}docs: .*\n$/)
  })

  test('a restore under a running service', async () => {
    const { file } = await smallBackup()
    await using running = await runService()
    const { code, err } = await tenon(['restore', file, '--data', running.folder])
    expect(code).toBe(2)
    expect(err).toContain('another service uses the folder')
  })

  test.for([
    {
      name: 'a file that was cut off',
      spoil: (file: string) => truncate(file, 5000),
      says: /is not the file that its manifest describes/,
    },
    {
      name: 'a file without its manifest',
      spoil: (file: string) => rm(`${file}.json`),
      says: /a\.backup\.json is missing/,
    },
    {
      name: 'a manifest that is none',
      spoil: (file: string) => writeFile(`${file}.json`, '{"format":"tenon-backup/2"}'),
      says: /is no manifest of a backup that this version can read/,
    },
    ...[{ master_keys: {} }, { rows: [] }, { sha256: null }].map((member) => ({
      name: `a manifest with ${JSON.stringify(member)}`,
      spoil: async (file: string) => {
        const manifest = JSON.parse(await readFile(`${file}.json`, 'utf8')) as BackupManifest
        await writeFile(`${file}.json`, JSON.stringify({ ...manifest, ...member }))
      },
      says: /is no manifest of a backup that this version can read/,
    })),
    {
      name: 'a newer schema',
      spoil: async (file: string) => {
        const manifest = JSON.parse(await readFile(`${file}.json`, 'utf8')) as BackupManifest
        await writeFile(`${file}.json`, JSON.stringify({ ...manifest, schema: 999 }))
      },
      says: /the backup has schema 999/,
    },
  ])('a restore of $name', async ({ spoil, says }) => {
    const { file, folder } = await smallBackup()
    await spoil(file)
    const target = join(folder, 'new')
    await expect(restore(file, { folder: target })).rejects.toThrow(says)
    expect(await readdir(folder)).not.toContain('new')
  })
})

test('a backup of an older schema is brought up to date on the way, and stays as it is', async () => {
  const folder = await newFolder()
  const old = join(folder, 'old')
  const client = await openSqlite(join(old, 'state.sqlite'))
  const database = new StoreDatabase(sqliteParts(client), {})
  await runMigrations(database, MIGRATIONS.slice(0, 1))
  await database.db
    .insertInto('application')
    .values({
      clientId: 'c',
      organizationId: 'acme',
      name: 'n',
      secretHash: 'h',
      redirectUrls: [],
      createdAt: 1,
      disabledAt: null,
      // The columns of the first schema.
    } as never)
    .execute()
  await database.db.destroy()
  const file = join(folder, 'old.backup')
  await copyFile(join(old, 'state.sqlite'), file)
  const { contentsOf } = await import('../../src/service/store/open/backup-file.ts')
  const contents = await contentsOf(file)
  expect(contents.schema).toBe(1)
  const manifest = {
    format: 'tenon-backup/1',
    made_at: '2026-01-01T00:00:00.000Z',
    tenon: '0.0.1',
    ...contents,
  }
  await writeFile(`${file}.json`, JSON.stringify(manifest))
  await restore(file, { folder: join(folder, 'new') })
  const store = await openStore({ folder: join(folder, 'new') }, { migrate: false })
  try {
    expect(await store.migrations.pending()).toBe(0)
    expect(await store.applications.byClientId('c')).toMatchObject({ organizationId: 'acme' })
    expect(databaseOf(store).kind).toBe('sqlite')
  } finally {
    await store.close()
  }
  expect((await contentsOf(file)).sha256).toBe(contents.sha256)
})

test('a restore without the master keys says which are needed, and makes none', async () => {
  const folder = await newFolder()
  const file = join(folder, 'a.backup')
  {
    await using running = await runService({ masterKeys: [KEY] })
    await running.connect('gong')
    await tenon(['backup', file, '--data', running.folder])
  }
  const target = join(folder, 'new')
  const { code, err } = await tenon(['restore', file, '--data', target])
  expect({ code, err }).toEqual({
    code: 0,
    err: `Before the start: put master.key into ${target}, or set TENON_MASTER_KEYS. Needed: k1.\n`,
  })
  expect(await readdir(target)).not.toContain('master.key')
})
