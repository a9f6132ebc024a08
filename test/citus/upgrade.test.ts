// Steps of the schema that move the rows of tables which are distributed already.
import { describe, expect, test } from 'vitest'
import { openStore } from '../../src/service/store/open/open-store.ts'
import { bucketOf } from '../../src/service/store/jobs.ts'
import { MIGRATIONS } from '../../src/service/store/sql/migrations/all-migrations.ts'
import { createCitusDatabase, NO_CITUS } from '../fixtures/citus.ts'

const TYPES = {
  text: 'text collate "C"',
  integer: 'bigint',
  bytes: 'bytea',
  options: '',
  inOrder: '',
  find: 'strpos',
}

/** What takes back a table, an index or a column that a step makes. */
function undone(statement: string): readonly string[] {
  const [, index] = /^create (?:unique )?index (\w+)/.exec(statement) ?? []
  if (index !== undefined) return [`drop index if exists ${index}`]
  const [, table, column] =
    /^(?:create table|alter table) (\w+)(?: add column (\w+))?/.exec(statement) ?? []
  if (table === undefined) return []
  if (column !== undefined)
    return [`alter table if exists ${table} drop column if exists ${column}`]
  // A later step may have made a table again.
  return statement.startsWith('create') ? [`drop table if exists ${table}`] : []
}

const database = await createCitusDatabase()

describe('an earlier schema on Citus', () => {
  if (database === null) {
    test.skip(NO_CITUS)
    return
  }

  test('jobs that were distributed by instance are distributed by bucket, in one transaction', async () => {
    await (await openStore({ url: database.url })).close()
    const at = MIGRATIONS.findIndex(({ name }) => name === 'job-buckets')
    const jobs = MIGRATIONS.find(({ name }) => name === 'jobs')?.statements(TYPES) ?? []
    // As the version before left it.
    for (const statement of [
      'drop table job',
      'drop table job_bucket',
      ...MIGRATIONS.slice(at + 1)
        .flatMap(({ statements }) => statements(TYPES).flatMap(undone))
        .toReversed(),
      ...jobs,
      "select create_distributed_table('job', 'instance_id', colocate_with => 'connector_instance')",
      `delete from schema_migration where version > ${at}`,
    ])
      await database.run(statement)
    const ids = Array.from({ length: 40 }, () => crypto.randomUUID())
    for (const id of ids)
      await database.run(
        `insert into job values ('${id}', 'sync', 'calls', '', '', 5, null, 0, '', 0, 0, 0)`,
      )
    await (await openStore({ url: database.url })).close()
    expect(await database.placements()).toMatchObject({ job: 'bucket', job_bucket: 'queue_id' })
    const rows = await database.run('select instance_id, bucket::int as bucket from job')
    expect(new Map(rows.map(({ instance_id, bucket }) => [instance_id, bucket]))).toEqual(
      new Map(ids.map((id) => [id, bucketOf(id)])),
    )
    await database.drop()
  })
})
