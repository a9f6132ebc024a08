// Searches of the console for which nobody asked leave no entry in the logs, and only they.
import { expect, test } from 'vitest'
import { signedIn } from '../../fixtures/console-session.ts'
import { runService } from '../../fixtures/running-service.ts'

test('counts and names that the console asks for are no entry of the logs; all other searches are', async () => {
  await using world = await runService({ jobs: true })
  const gong = await world.connect('gong')
  const { name, value } = await signedIn(world)
  const cookie = { 'x-tenon-console': '1', cookie: `${name}=${value}` }
  const count = { 'x-tenon-console-own': 'count' }
  const path = `/connectors/sources/${gong}/execute`
  const body = (params: object) => ({ entity: 'users', action: 'search', params })
  const ask = (headers: object, params: object) =>
    world.call('POST', `/console/api/v1${path}`, body(params), {
      as: null,
      headers: { ...cookie, ...headers },
    })
  await expect.poll(async () => (await ask(count, { query: {}, limit: 1 })).status).toBe(200)
  const query = { filter: { in: { id: ['1', '2'] } } }
  const names = { 'x-tenon-console-own': 'names' }
  const fields = ['id', 'firstName', 'lastName']
  expect((await ask(names, { query, fields, limit: 2 })).status).toBe(200)
  const logged = [
    // More than names, more than the records that were named, and no such question.
    await ask(names, { query, fields: ['id', 'phoneNumber'] }),
    await ask(names, { query }),
    await ask(names, { query: {}, fields }),
    await ask(names, { query: { filter: { gt: { id: '1' } } }, fields }),
    await ask({ 'x-tenon-console-own': 'constructor' }, { query, fields }),
    await ask({}, { query: {}, limit: 1 }),
    await ask(count, { query: {}, limit: 2 }),
    await ask(count, { query: {}, limit: 1, fields: 7 }),
    await world.call('POST', `/v1${path}`, body({ query: {}, limit: 1 }), { headers: count }),
  ]
  await world.service.logs.flush()
  const list = await world.call('GET', '/v1/logs?kind=operation')
  const { data } = list.body as { readonly data: readonly { readonly request_id: string }[] }
  expect(new Set(data.map(({ request_id: id }) => id))).toEqual(
    new Set(logged.map(({ headers }) => headers.get('x-request-id'))),
  )
})
