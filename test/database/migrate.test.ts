import { expect, test } from 'vitest'
import { runSteps, untilFree } from '../../src/database/migrate.ts'

test('every step waits for a table no longer than those behind it can, and one process runs them', async () => {
  const statements: string[] = []
  const names = await runSteps(
    (statement) => {
      statements.push(statement)
      return Promise.resolve(statement.startsWith('select coalesce') ? [{ version: 1 }] : [{}])
    },
    {
      kind: 'postgres',
      name: 'the garden',
      table: 'garden_step',
      types: { text: 'text', integer: 'bigint', options: '' },
      lock: 7,
      steps: [
        { name: 'beds', statements: ['create table bed ()'] },
        { name: 'paths', statements: ['create table path ()', 'alter table bed add width bigint'] },
      ],
    },
    () => Promise.resolve(1_000),
  )
  expect(names).toEqual(['paths'])
  expect(statements).toEqual([
    'select pg_advisory_xact_lock(7)',
    "set local citus.propagate_set_commands to 'local'",
    "set local lock_timeout = '5s'",
    "set local citus.multi_shard_modify_mode to 'sequential'",
    "select 1 where to_regclass('garden_step') is not null",
    'select coalesce(max(version), 0) as version from garden_step',
    'create table if not exists garden_step (version bigint not null primary key, name text not null, applied_at bigint not null) ',
    'create table path ()',
    'alter table bed add width bigint',
    "insert into garden_step (version, name, applied_at) values (2, 'paths', 1000)",
  ])
})

test('a transaction that others are in the way of is tried again; any other failure is thrown', async () => {
  const failures = ['held', 'held', 'broken']
  const tried = untilFree(
    () => Promise.reject(new Error(failures.shift())),
    (error) => error instanceof Error && error.message === 'held',
  )
  await expect(tried).rejects.toThrow('broken')
  expect(failures).toEqual([])
})
