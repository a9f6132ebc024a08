import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { databaseOf } from '../../../../../src/service/store/open/open-store.ts'
import { runMigrations } from '../../../../../src/service/store/sql/migrate.ts'
import { bucketOf } from '../../../../../src/service/store/jobs.ts'
import type { LogFilter, LogRow } from '../../../../../src/service/store/logs.ts'
import type { Store } from '../../../../../src/service/store/store.ts'
import { columnName } from '../../../../../src/service/store/sql/row.ts'
import { entries } from '../../../../contracts/store/logs.ts'
import { MIGRATIONS } from '../../../../../src/service/store/sql/migrations/all-migrations.ts'
import {
  type StoreSubject,
  postgresSubject,
  sqliteSubject,
  tamper,
} from '../../../../contracts/store/subject.ts'

const PROGRAM = fileURLToPath(new URL('./migrating-process.ts', import.meta.url))
const NAMES = MIGRATIONS.map(({ name }) => name)

interface Ended {
  readonly signal: string | null
  readonly output: string
}

async function migrate({ location }: StoreSubject, ...more: readonly string[]): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>()
  execFile(
    process.execPath,
    [PROGRAM, JSON.stringify(location), ...more],
    (error, stdout, stderr) => resolve({ signal: error?.signal ?? null, output: stdout + stderr }),
  )
  return await promise
}

describe.for([
  { name: 'SQLite', make: sqliteSubject },
  { name: 'PostgreSQL', make: postgresSubject },
])('a schema on $name', async ({ make }) => {
  const subject = await make()
  if (subject === null) {
    test.skip('there is none')
    return
  }
  afterAll(() => subject.close())

  test('D4 a process that is killed in the middle of a migration leaves nothing of it', async () => {
    expect(await migrate(subject, 'die')).toEqual({ signal: 'SIGKILL', output: '' })
    const store = await subject.open({ migrate: false })
    expect(await store.migrations.pending()).toBe(NAMES.length)
  })

  test('D4 of three processes that start at once, one migrates and all work', async () => {
    const ended = await Promise.all([migrate(subject), migrate(subject), migrate(subject)])
    const outputs = ended.map(({ output }) => output).sort()
    expect(outputs).toEqual([JSON.stringify(NAMES), '[]', '[]'].sort())
    const store = await subject.open({ migrate: false })
    expect(await store.migrations.pending()).toBe(0)
    expect(await store.applications.count()).toBe(0)
  })

  test('jobs of an earlier schema lie in the buckets of their instances, and every instance that works gets its plan', async () => {
    const earlier = await make()
    if (earlier === null) return
    const store = await earlier.open({ migrate: false })
    const database = databaseOf(store)
    await runMigrations(database, MIGRATIONS.slice(0, NAMES.indexOf('job-buckets')))
    const ends = ['00', '0f', '10', '7e', 'a3', 'ff']
    const uuids = ends.map((end) => `${randomUUID().slice(0, -2)}${end}`)
    const ids = [...uuids, 'q', 'made by hand']
    for (const id of ids)
      await tamper(
        store,
        `insert into job values ('${id}', 'sync', 'calls', 'full', '', 5, null, 1, '', 7, 0, 2)`,
      )
    const idle = await storedByHand(store, 'active')
    await storedByHand(store, 'auth_error')
    expect(await store.migrations.run()).toEqual(NAMES.slice(NAMES.indexOf('job-buckets')))
    const rows = (await tamper(
      store,
      'select bucket, instance_id, kind, detail, due_at, priority, fence, attempts from job',
    )) as readonly { readonly bucket: number | string; readonly instance_id: string }[]
    const moved = { kind: 'sync', detail: 'full', due_at: 5, priority: 1, fence: 7, attempts: 2 }
    const plan = { kind: 'plan', detail: '', due_at: 0, priority: 2, fence: 0, attempts: 0 }
    const want = [
      ...ids.map((id) => ({ bucket: bucketOf(id), instance_id: id, ...moved })),
      { bucket: bucketOf(idle), instance_id: idle, ...plan },
    ]
    expect(rows).toHaveLength(want.length)
    expect(rows).toEqual(expect.arrayContaining(want))
    await earlier.close()
  })

  test('log entries of an earlier schema, with a row each, are found as before', async () => {
    const earlier = await make()
    if (earlier === null) return
    const store = await earlier.open({ migrate: false })
    await runMigrations(databaseOf(store), MIGRATIONS.slice(0, NAMES.indexOf('logs-together')))
    const rows = entries('acme', 3).map((row, at) => ({
      ...row,
      code: at === 1 ? 'aborted' : null,
    }))
    for (const row of rows) {
      const values = Object.values({ ...row, data: JSON.stringify(row.data) })
      const texts = values.map((value) =>
        typeof value === 'string' ? `'${value}'` : String(value),
      )
      const names = Object.keys(row).map(columnName)
      await tamper(
        store,
        `insert into log_entry (${names.join(', ')}) values (${texts.join(', ')})`,
      )
    }
    await store.migrations.run()
    const owner = { organizationId: 'acme' }
    const listed = async (filter: LogFilter): Promise<readonly LogRow[]> =>
      (await store.logs.list(owner, filter, { limit: 10, scan: 10 })).rows
    expect(await listed({})).toEqual(rows.toReversed())
    expect(await listed({ instanceId: 'i', failed: true })).toEqual(rows.slice(1, 2))
    expect(await listed({ requestId: 'r2' })).toEqual(rows.slice(2))
    await earlier.close()
  })
})

/** An instance as a schema of any version has it; its id. */
async function storedByHand(store: Store, state: string): Promise<string> {
  const id = randomUUID()
  await tamper(
    store,
    `insert into connector_instance (instance_id, organization_id, external_user_id, connector_type, connector_version,
      name, state, enabled, config, sync, credential_epoch, created_at, updated_at)
      values ('${id}', 'acme', 'u', 'gong', '1.0.0', 'n', '${state}', 1, '{}', '{}', 1, 0, 0)`,
  )
  return id
}
