import { expect, test } from 'vitest'
import { MIGRATIONS } from '../../../src/service/store/sql/migrations/all-migrations.ts'
import { PRIMARY_KEYS } from '../../../src/service/store/sql/schema.ts'
import type { Store } from '../../../src/service/store/store.ts'
import { tokenRow } from './rows.ts'
import { type StoreSubject, tamper } from './subject.ts'

const KEYS_OF: Readonly<Record<StoreSubject['kind'], string>> = {
  sqlite: `select t.name as "table", c.name as "column" from sqlite_schema t join pragma_table_info(t.name) c
    where t.type = 'table' and c.pk > 0 order by t.name, c.pk`,
  postgres: `select table_name as "table", column_name as "column" from information_schema.table_constraints
    join information_schema.key_column_usage using (constraint_name, table_name)
    where constraint_type = 'PRIMARY KEY' and table_name <> 'schema_migration' and table_constraints.table_schema = 'public'
    order by table_name, ordinal_position`,
}

/** The column that says which instance a row belongs to. A statement without it would ask every node of a cluster. */
const DISTRIBUTED_BY: Readonly<Record<string, string>> = {
  connector_instance: 'instance_id',
  credential: 'instance_id',
  lease: 'instance_id',
  refresh_intent: 'instance_id',
  data_key: 'owner_id',
  idempotency_record: 'scope_id',
  job: 'bucket',
  audit_head: 'chain_id',
  audit_event: 'chain_id',
  log_content: 'instance_id',
}

/** Lists of an organisation, and the few jobs over everything. */
const OVER_ALL: readonly RegExp[] = [
  /"organization_id" = /,
  /group by "(state|key_id|chain_id|kind|connector_version)"/,
  /where "next_refresh_at" <= /,
  /delete from "idempotency_record" where "expires_at" <= /,
  /update "(lease|idempotency_record|job)" set .*"held_until" = \S+ where .*"held_until" > /,
  /from "data_key" where "key_id" = /,
  /delete from "log_content" where "log_id" < /,
]

/** `statements` are all that were run so far. */
export function schema(
  subject: () => StoreSubject,
  store: () => Store,
  statements: ReadonlySet<string>,
): void {
  test.for([2 ** 53, -(2 ** 53), 1e17, Number.POSITIVE_INFINITY, Number.NaN, 0.5])(
    'the number %s is stored in no column, and a time is none that leads to it',
    async (number) => {
      const { tokens, rates, leases } = store()
      const mistake = { code: 'internal_error', retryable: false }
      const hash = `number ${number}`
      await expect(tokens.insert(tokenRow({ hash, expiresAt: number }))).rejects.toMatchObject(
        mistake,
      )
      expect(await tokens.find(hash)).toBe(null)
      const place = { ownerId: hash, periodMs: 1000 }
      await expect(rates.write(place, 0, { slice: number, used: [] }, 1000)).rejects.toMatchObject(
        mistake,
      )
      if (Math.abs(number) > 1)
        await expect(leases.acquire(hash, 'refresh', 'p', number)).rejects.toMatchObject(mistake)
    },
  )

  test('the primary keys are those that the copy follows', async () => {
    const rows = (await tamper(store(), KEYS_OF[subject().kind])) as readonly {
      readonly table: string
      readonly column: string
    }[]
    const keys: Record<string, string[]> = {}
    for (const { table, column } of rows) {
      if (table !== 'schema_migration') (keys[table] ??= []).push(column)
    }
    expect(keys).toEqual(PRIMARY_KEYS)
    for (const [table, column] of Object.entries(DISTRIBUTED_BY))
      expect(keys[table]?.[0]).toBe(column)
  })

  test('T4 every statement on what belongs to an instance names it, or its organisation', () => {
    const loose = [...statements].filter((statement) => {
      const table = /(?:from|into|update) "(\w+)"/.exec(statement)?.[1] ?? ''
      const column = DISTRIBUTED_BY[table]
      return (
        column !== undefined &&
        !statement.includes(`"${column}"`) &&
        !OVER_ALL.some((pattern) => pattern.test(statement))
      )
    })
    expect(loose).toEqual([])
    expect(statements.size).toBeGreaterThan(60)
  })

  test('a store that is up to date has nothing to do', async () => {
    expect(await store().migrations.pending()).toBe(0)
    expect(await store().migrations.run()).toEqual([])
    expect(await store().health()).toBe('ok')
  })

  test('D4 a schema of a newer version is refused in plain words', async () => {
    const newer = MIGRATIONS.length + 1
    await tamper(
      store(),
      `insert into schema_migration (version, name, applied_at) values (${newer}, 'from the future', 0)`,
    )
    const error = {
      code: 'store_unavailable',
      retryable: false,
      details: { schema: newer, known: MIGRATIONS.length },
    }
    await expect(subject().open()).rejects.toMatchObject(error)
    await expect(subject().open({ migrate: false })).rejects.toMatchObject(error)
    await tamper(store(), `delete from schema_migration where version = ${newer}`)
    await subject().open()
  })
}
