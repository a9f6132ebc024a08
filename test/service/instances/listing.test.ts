// The listing of instances over HTTP: sorted, searched by beginnings, counted.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningService, runService } from '../../fixtures/running-service.ts'

const COLLECTION = '/v1/integrations/connectors'

interface Listed {
  readonly data: readonly { readonly id: string; readonly name: string }[]
  readonly meta: { readonly next_cursor: string | null; readonly [member: string]: unknown }
}

let world: RunningService

describe('the listing of instances', () => {
  beforeAll(async () => {
    world = await runService()
    for (const [type, name, user] of [
      ['gong', 'beta', 'ann'],
      ['jira', 'Alpha', 'bert'],
      ['gong', 'gamma', 'bert'],
    ] as const)
      await world.connect(type, { name, external_user_id: user })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  async function list(query: string): Promise<Listed> {
    const answer = await world.call('GET', `${COLLECTION}?${query}`)
    expect(answer.status).toBe(200)
    // As the schema of the route says.
    return answer.body as Listed
  }

  test.for([
    { query: '', names: ['beta', 'Alpha', 'gamma'] },
    { query: 'sort=-created_at', names: ['gamma', 'Alpha', 'beta'] },
    { query: 'sort=name', names: ['Alpha', 'beta', 'gamma'] },
    { query: 'sort=-name', names: ['gamma', 'beta', 'Alpha'] },
    { query: 'sort=-updated_at', names: ['gamma', 'Alpha', 'beta'] },
    { query: 'starts_with=A', names: ['beta', 'Alpha'] },
    { query: 'starts_with=a&sort=name', names: ['Alpha', 'beta'] },
    { query: 'contains=amm', names: ['gamma'] },
    { query: 'contains=gong+a&sort=-name', names: ['gamma', 'beta'] },
  ])('$query', async ({ query, names }) => {
    const { data } = await list(query)
    expect(data.map(({ name }) => name)).toEqual(names)
    // The same in pages of one.
    const paged: (string | undefined)[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await list(
        `${query}&limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      )
      paged.push(page.data[0]?.name)
      cursor = page.meta.next_cursor
    }
    expect(paged).toEqual(names)
  })

  test('a cursor of one order is none of another', async () => {
    const { meta } = await list('sort=name&limit=1')
    const answer = await world.call(
      'GET',
      `${COLLECTION}?sort=-name&cursor=${encodeURIComponent(meta.next_cursor ?? '')}`,
    )
    expect(answer.body).toMatchObject({ code: 'cursor_invalid' })
  })

  test('counts are those of all pages, and each facet is under the other filters', async () => {
    expect((await list('counts=true&limit=1&connector_type=gong')).meta).toMatchObject({
      has_more: true,
      total: 2,
      facets: {
        connector_type: [
          { value: 'gong', count: 2 },
          { value: 'jira', count: 1 },
        ],
        state: [{ value: 'active', count: 2 }],
        sync: [],
      },
    })
    expect((await list('limit=1')).meta).toEqual({
      has_more: true,
      next_cursor: expect.any(String),
    })
  })

  test('instances of which a copy fails are found, and counted under the other filters', async () => {
    const { data } = await list('connector_type=gong')
    const instanceId = data[0]?.id ?? ''
    const { syncFailures } = world.service.store
    const failure = { code: 'upstream_failed', detail: 'no', failures: 1, since: 1, failedAt: 1 }
    await syncFailures.put({ instanceId, entity: 'calls', ...failure })
    const failing = await list('sync=failing&counts=true')
    expect(failing.data.map(({ id }) => id)).toEqual([instanceId])
    expect(failing.meta).toMatchObject({
      total: 1,
      facets: {
        sync: [
          { value: 'attention', count: 1 },
          { value: 'failing', count: 1 },
          { value: 'late', count: 1 },
        ],
      },
    })
    expect((await list('connector_type=jira&counts=true')).meta).toMatchObject({
      facets: { sync: [] },
    })
    await syncFailures.remove(instanceId, 'calls')
    expect((await list('sync=failing')).data).toEqual([])
  })

  test.for([
    { sync: { enabled: false }, failing: [] },
    { sync: { entities: { calls: { enabled: false } } }, failing: ['users'] },
    { sync: { entities: { users: { interval_seconds: 600 } } }, failing: ['calls', 'users'] },
  ])('what is paused does not fail any more: $sync', async ({ sync, failing }) => {
    const instanceId = await world.connect('gong', { external_user_id: 'paused' })
    const { syncFailures } = world.service.store
    const failure = { code: 'upstream_failed', detail: 'no', failures: 1, since: 1, failedAt: 1 }
    for (const entity of ['calls', 'users'])
      await syncFailures.put({ instanceId, entity, ...failure })
    await world.call('PATCH', `${COLLECTION}/${instanceId}`, { sync })
    expect((await syncFailures.of([instanceId])).map(({ entity }) => entity)).toEqual(failing)
    const { meta } = await list('sync=failing&counts=true&external_user_id=paused')
    expect(meta).toMatchObject({ total: failing.length === 0 ? 0 : 1 })
    await world.call('DELETE', `${COLLECTION}/${instanceId}`)
  })

  test('T4 a user counts its own', async () => {
    const as = await world.scoped({ external_user_id: 'ann' })
    const answer = await world.call('GET', `${COLLECTION}?counts=true`, undefined, { as })
    expect(answer.body).toMatchObject({ meta: { total: 1 } })
  })
})
