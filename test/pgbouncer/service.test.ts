// Two processes' worth of a service through PgBouncer in transaction mode: connect, write, sync, search, refresh.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPooledDatabase, NO_PGBOUNCER, POOLERS } from '../fixtures/pgbouncer.ts'
import { type CallAnswer, type RunningService, runService } from '../fixtures/running-service.ts'

const KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`

if (POOLERS.length === 0) test.skip(NO_PGBOUNCER)

for (const pooler of POOLERS) {
  const database = await createPooledDatabase(pooler)
  describe.skipIf(database === null)(`a service through ${pooler.name}`, () => {
    let one: RunningService
    let two: RunningService
    let as: string
    let id: string

    beforeAll(async () => {
      const options = { databaseUrl: database?.url ?? '', masterKeys: [KEY], jobs: true }
      one = await runService(options)
      two = await runService(options)
      as = one.token
      id = await one.connect('jira')
    })
    afterAll(async () => {
      await one[Symbol.asyncDispose]()
      await two[Symbol.asyncDispose]()
      await database?.drop()
    })

    async function execute(
      on: RunningService,
      action: string,
      params: object,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<CallAnswer> {
      const path = `/api/v1/connectors/sources/${id}/execute`
      return await on.call('POST', path, { entity: 'issues', action, params }, { as, headers })
    }

    test('a repeated write is answered from its row, by either process', async () => {
      const headers = { 'idempotency-key': 'pooled-1' }
      const params = {
        fields: { project: { key: 'OPS' }, issuetype: { name: 'Task' }, summary: 'Pooled' },
      }
      const first = await execute(one, 'create', params, headers)
      expect(first.status).toBe(200)
      const again = await execute(two, 'create', params, headers)
      expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: first.body })
    })

    test('the copies are filled by background jobs, and searched at once by many', async () => {
      const path = `/v1/integrations/connectors/${id}/sync`
      await expect
        .poll(
          async () => {
            const { body } = await two.call('GET', path, undefined, { as })
            const { data } = body as { readonly data: readonly { readonly complete: boolean }[] }
            return data.length > 0 && data.every(({ complete }) => complete)
          },
          { timeout: 120_000 },
        )
        .toBe(true)
      const query = { query: { filter: { eq: { key: 'OPS-1' } } } }
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, at) => execute(at % 2 === 0 ? one : two, 'search', query)),
      )
      for (const { status, body } of answers)
        expect({ status, body }).toMatchObject({
          status: 200,
          body: { hits: [{ data: { key: 'OPS-1' } }] },
        })
    })
  })
}
