import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { databaseOf, openStore } from '../../../../src/service/store/open/open-store.ts'
import { auditEntry, credentialInput, storedInstance } from '../../../contracts/store/rows.ts'
import { createTestDatabase } from '../../../fixtures/postgres.ts'
import { runService } from '../../../fixtures/running-service.ts'
import { IS_FULL } from '../../../fixtures/sizes.ts'
import { postgresSubject, tamper } from '../../../contracts/store/subject.ts'

const subject = await postgresSubject()
const ACME = { organizationId: 'acme' }

test.runIf(IS_FULL)(
  'a service on a store that a newer version migrated is not ready, and what no longer fits is refused for now',
  async ({ skip }) => {
    const database = await createTestDatabase()
    if (database === null) return skip('there is no PostgreSQL')
    const service = await runService({
      databaseUrl: database.url,
      masterKeys: [`k1:${Buffer.alloc(32, 1).toString('base64')}`],
    })
    await database.run('alter table job rename column due_at to due')
    await database.run("insert into schema_migration values (999, 'tomorrow', 0)")
    const ready = await service.call('GET', '/readyz', undefined, { as: null })
    expect(ready).toMatchObject({
      status: 503,
      body: { status: 'not ready', checks: { store: 'ok' } },
    })
    expect(ready.text).toMatch(/"migrations":"the store has schema 999, .*start the newer version/)
    const { credentials, config } = service.vendor('jira').options()
    const made = await service.call('POST', '/v1/integrations/connectors?check=false', {
      external_user_id: 'user-1',
      connector_type: 'jira',
      name: 'jira',
      credentials,
      config,
    })
    expect(made).toMatchObject({
      status: 503,
      body: {
        code: 'store_unavailable',
        retryable: true,
        outcome: 'not_applied',
        detail: expect.stringContaining('replace this one') as unknown,
      },
    })
    expect(made.headers.get('retry-after')).toBe('1')
    await service[Symbol.asyncDispose]()
    await database.drop()
  },
)

describe('a server that is not there', () => {
  test('D2 nobody listens: an error that can be retried, in time', async () => {
    const listener = createServer().listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const { port } = listener.address() as AddressInfo
    listener.close()
    const startedAt = performance.now()
    await expect(
      openStore({ url: `postgres://a:secret@127.0.0.1:${port}/a` }),
    ).rejects.toMatchObject({
      code: 'store_unavailable',
      retryAfterMs: 1000,
      details: { reason: 'away' },
    })
    expect(performance.now() - startedAt).toBeLessThan(60_000)
  })

  test('D3 a server that accepts and says nothing: the same', async () => {
    const listener = createServer(() => {}).listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const { port } = listener.address() as AddressInfo
    const startedAt = performance.now()
    await expect(openStore({ url: `postgres://127.0.0.1:${port}/a` })).rejects.toMatchObject({
      code: 'store_unavailable',
      retryAfterMs: 1000,
    })
    expect(performance.now() - startedAt).toBeLessThan(60_000)
    listener.close()
  })
})

describe('a server that goes away', async () => {
  if (subject === null) {
    test.skip('there is none')
    return
  }
  afterAll(async () => {
    await operator.close()
    await subject.close()
  })
  const store = await subject.open()
  const operator = await openStore({ url: subject.url, poolSize: 1 })
  await operator.health()

  test('D3 when all connections are taken, who waits longer than 2 s is told so', async () => {
    const small = await openStore({ url: subject.url, poolSize: 1 })
    const release = Promise.withResolvers<void>()
    const holding = databaseOf(small)
      .db.transaction()
      .execute(async (tx) => {
        await tx.selectFrom('application').selectAll().execute()
        await release.promise
      })
    await expect(small.applications.count()).rejects.toMatchObject({
      code: 'store_unavailable',
      details: { reason: 'busy' },
    })
    release.resolve()
    await holding
    expect(await small.health()).toBe('ok')
    await small.close()
  })

  test('D2 connections that the server ended are replaced by new ones', async () => {
    const row = await storedInstance(store)
    for (let i = 0; i < 5; i++) {
      await Promise.all(Array.from({ length: 5 }, () => store.health()))
      await endConnections()
      // Whoever was in the middle is told; the next one gets a new connection.
      const asked = await Promise.allSettled(
        Array.from({ length: 5 }, () => store.instances.get(ACME, row.id)),
      )
      for (const each of asked) {
        if (each.status === 'rejected')
          expect(each.reason).toMatchObject({
            code: 'store_unavailable',
            details: { reason: 'away' },
          })
      }
      expect(await store.instances.get(ACME, row.id)).toEqual(row)
    }
  })

  test('D2 a commit whose connection ends is not acknowledged, and can be repeated', async () => {
    const row = await storedInstance(store)
    let generation = 1
    let refused = 0
    for (let i = 0; i < 30; i++) {
      const next = { ...credentialInput(`n${i}`), nextRefreshAt: null }
      const committing = store.credentials
        .commitRefresh(row.id, generation, next, auditEntry(row))
        .catch((error: unknown) => error)
      if (i % 3 === 0) await endConnections()
      const outcome = await committing
      if (outcome !== true) {
        refused += 1
        expect(outcome).toMatchObject({ code: 'store_unavailable' })
      } else {
        expect((await store.credentials.read(row.id))?.sealed).toEqual(next.sealed)
      }
      const stored = await store.credentials.read(row.id)
      expect(stored?.generation).toBeGreaterThanOrEqual(generation + (outcome === true ? 1 : 0))
      generation = stored?.generation ?? generation
    }
    expect(refused).toBeGreaterThan(0)
    expect(await store.audit.verify()).toBe(null)
  })

  test('D2 a database that may only be read answers reads and refuses changes', async () => {
    const row = await storedInstance(store)
    const name = new URL(subject.url).pathname.slice(1)
    await tamper(store, `alter database ${name} set default_transaction_read_only = on`)
    const reader = await openStore({ url: subject.url })
    expect(await reader.instances.get(ACME, row.id)).toEqual(row)
    const change = reader.instances.update(ACME, row.id, { name: 'x' }, auditEntry(row))
    await expect(change).rejects.toMatchObject({
      code: 'store_unavailable',
      details: { reason: 'read_only' },
    })
    await reader.close()
    await tamper(store, `alter database ${name} reset default_transaction_read_only`)
  })

  /** What a restart of the server does to every connection. */
  async function endConnections(): Promise<void> {
    await tamper(
      operator,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
  }
})
