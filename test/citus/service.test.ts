// A service on a real Citus, from `tenon migrate` to the erased instance, by the steps of the documentation.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COPY_TABLES } from '../../src/copy/postgres/copy-tables.ts'
import { tenonHere } from '../cli/run-here.ts'
import { BIN } from '../cli/run-tenon.ts'
import { bareEnvironment } from '../fixtures/bare-environment.ts'
import { createCitusDatabase, NO_CITUS } from '../fixtures/citus.ts'
import { createTestDatabase, type TestDatabase } from '../fixtures/postgres.ts'
import { type CallAnswer, type RunningService, runService } from '../fixtures/running-service.ts'

const KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`
const database = await createCitusDatabase()

describe('a service on Citus', () => {
  if (database === null) {
    test.skip(NO_CITUS)
    return
  }
  const options = { databaseUrl: database.url, masterKeys: [KEY], jobs: true }
  const env = { DATABASE_URL: database.url, TENON_MASTER_KEYS: KEY }
  let folder: string
  let one: RunningService
  let two: RunningService
  /** Of the first application, which the first start makes. */
  let token: string
  let id: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenon-citus-test-'))
    const migrated = await tenonHere(['migrate'], { env })
    expect({ code: migrated.code, err: migrated.err }).toEqual({ code: 0, err: '' })
    const placements = await database.placements()
    expect(Object.keys(placements).toSorted()).toEqual(await tablesOf(database))
    expect(placements).toMatchObject({
      application: 'reference',
      credential: 'instance_id',
      event: 'organization_id',
      audit_event: 'chain_id',
      schema_migration: 'reference',
    })
    one = await runService({ ...options, jobs: false })
    token = one.token
    // The one that synchronizes is connected to a worker of Citus.
    two = await runService({ ...options, databaseUrl: await database.workerUrl() })
    id = await one.connect('jira', {}, { as: token })
  })
  afterAll(async () => {
    await one[Symbol.asyncDispose]()
    await two[Symbol.asyncDispose]()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  async function execute(
    on: RunningService,
    entity: string,
    action: string,
    params: object = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<CallAnswer> {
    return await on.call(
      'POST',
      `/api/v1/connectors/sources/${id}/execute`,
      { entity, action, params },
      { as: token, headers },
    )
  }

  test('tenon serve starts, serves and ends', async () => {
    const child = spawn(process.execPath, [BIN, 'serve'], {
      cwd: folder,
      env: { ...bareEnvironment, ...env, TENON_PORT: '0', TENON_JOBS: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        if (!said.includes('listens on') && (said += chunk.toString()).includes('listens on'))
          child.kill('SIGTERM')
      })
    await once(child, 'close')
    expect({ code: child.exitCode, said }).toEqual({
      code: 0,
      said: expect.stringContaining('listens on') as unknown,
    })
  })

  test('every process answers for an instance that one of them made', async () => {
    for (const on of [one, two]) {
      const answer = await execute(on, 'issues', 'get', { issueIdOrKey: 'OPS-1' })
      expect({ status: answer.status, body: answer.body }).toMatchObject({
        status: 200,
        body: { data: { key: 'OPS-1' } },
      })
      const listed = await on.call('GET', '/v1/integrations/connectors', undefined, { as: token })
      expect(listed.body).toMatchObject({ data: [{ id }] })
    }
  })

  test('a repeated write is answered from its row', async () => {
    const headers = { 'idempotency-key': 'citus-1' }
    const params = {
      fields: { project: { key: 'OPS' }, issuetype: { name: 'Task' }, summary: 'Once' },
    }
    const first = await execute(one, 'issues', 'create', params, headers)
    expect(first.status).toBe(200)
    const again = await execute(two, 'issues', 'create', params, headers)
    expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: first.body })
  })

  test('the copies are filled by background jobs, and searched', async () => {
    await expect
      .poll(
        async () => {
          const path = `/v1/integrations/connectors/${id}/sync`
          const { body } = await two.call('GET', path, undefined, { as: token })
          const { data } = body as { readonly data: readonly { readonly complete: boolean }[] }
          return data.length > 0 && data.every(({ complete }) => complete)
        },
        { timeout: 120_000 },
      )
      .toBe(true)
    const found = await execute(two, 'issues', 'search', {
      query: { filter: { keyword: { 'fields.summary': 'once' } } },
    })
    expect({ status: found.status, body: found.body }).toMatchObject({
      status: 200,
      body: { hits: [{ data: { fields: { summary: 'Once' } } }] },
    })
  })

  test('an instance is switched off and on', async () => {
    const path = `/v1/integrations/connectors/${id}`
    for (const enabled of [false, true]) {
      const answer = await one.call('PATCH', path, { enabled }, { as: token })
      expect({ status: answer.status, body: answer.body }).toMatchObject({
        status: 200,
        body: { enabled },
      })
    }
  })

  test('doctor finds nothing wrong, and the audit log is whole', async () => {
    const doctor = await tenonHere(['doctor', '--json'], { env })
    expect(doctor).toMatchObject({ code: 0, err: '' })
    expect(await one.service.store.audit.verify()).toBe(null)
  })

  test('a deleted instance leaves nothing behind in its tables', async () => {
    const gone = await one.call('DELETE', `/v1/integrations/connectors/${id}`, undefined, {
      as: token,
    })
    expect(gone.status).toBe(204)
    for (const table of ['credential', 'lease', 'refresh_intent', ...COPY_TABLES]) {
      await expect
        .poll(
          () =>
            database.run(`select count(*)::int as count from ${table} where instance_id = '${id}'`),
          { message: table },
        )
        .toEqual([{ count: 0 }])
    }
  })

  test('a backup is restored into another Citus, and copied out of it', async ({ skip }) => {
    const file = join(folder, 'tenon.backup')
    const made = await tenonHere(['backup', file], { env })
    expect(made).toMatchObject({ code: 0, err: '' })
    const target = await createCitusDatabase()
    const ordinary = await createTestDatabase()
    if (target === null || ordinary === null) return skip('there is no PostgreSQL')
    const there = { ...env, DATABASE_URL: target.url }
    expect(await tenonHere(['migrate'], { env: there })).toMatchObject({ code: 0 })
    expect(await tenonHere(['restore', file], { env: there })).toMatchObject({ code: 0, err: '' })
    const copy = ['store', 'copy', '--from', target.url, '--to', ordinary.url]
    expect(await tenonHere(copy, { env: there })).toMatchObject({ code: 0 })
    const count = 'select count(*)::int as count from audit_event'
    const [{ count: copied } = {}] = await ordinary.run(count)
    expect(copied).toBeGreaterThan(0)
    expect(await target.run(count)).toEqual([{ count: copied }])
    await ordinary.drop()
    await target.drop()
  })
})

async function tablesOf(database: TestDatabase): Promise<readonly string[]> {
  const rows = await database.run(
    "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
  )
  return rows.map(({ name }) => String(name)).toSorted()
}
