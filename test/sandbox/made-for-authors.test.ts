// What a sandbox without demo data gets right for manifests that were written a minute ago.
import { expect, test } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { loadManifest } from '../../src/client/load-manifest.ts'
import { sandbox } from '../../src/sandbox/open-sandbox.ts'

const HELPDESK = {
  manifest: 1,
  connector: { type: 'acme', title: 'Acme', version: '1.0.0' },
  server: { url: 'https://api.acme.example/v2' },
  auth: {
    key: {
      credentials: {
        required: ['api_key'],
        properties: { api_key: { type: 'string', writeOnly: true } },
      },
      apply: { headers: { 'X-Api-Key': '{{ credentials.api_key }}' } },
    },
  },
  check: { entity: 'users', action: 'list' },
  entities: {
    users: {
      record: { properties: { id: { type: 'integer' }, name: { type: 'string' } } },
      actions: {
        list: {
          params: {
            properties: { page: { type: 'integer', minimum: 1 }, limit: { type: 'integer' } },
          },
          request: { http: 'GET /users', query: ['page', 'limit'] },
          response: { records: '$.users' },
          pagination: {
            type: 'page',
            param: 'page',
            size: 'limit',
            meta: { page: '$.page', last_page: '$.last_page' },
          },
        },
      },
    },
    tickets: {
      record: {
        properties: {
          id: { type: 'string' },
          user_id: { type: 'integer' },
          subject: { type: 'string' },
        },
      },
      actions: {
        list: {
          request: { http: 'GET /tickets' },
          response: { records: '$.tickets' },
          pagination: { type: 'none', reason: 'All at once.' },
        },
        create: {
          params: { required: ['subject'], properties: { subject: { type: 'string' } } },
          request: {
            http: 'POST /tickets',
            headers: { 'Content-Type': 'application/vnd.acme.v2+json' },
            body: ['subject'],
          },
        },
      },
    },
  },
} as const

test.for([
  { name: 'an object', source: async () => await Promise.resolve(HELPDESK) },
  { name: 'a loaded manifest', source: async () => await loadManifest(HELPDESK) },
])('a sandbox of $name', async ({ source }) => {
  await using vendor = await sandbox(await source())
  await using client = await connect(await loadManifest(HELPDESK), vendor.options())
  const first = await client.execute('users', 'list', { limit: 10 })
  expect(first.meta).toMatchObject({ page: 1, last_page: 6, next: { page: 2 } })
  const created = await client.execute('tickets', 'create', { subject: 'A' })
  expect(created.data).toMatchObject({ subject: 'A' })
  const users = new Set(vendor.records('users').map(({ id }) => id))
  const named = vendor
    .records('tickets')
    .flatMap(({ user_id: user, subject }) => (subject === 'A' ? [] : [user]))
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((user) => !users.has(user ?? null))).toEqual([])
})

test('values that refer to an entity name its records, at the top, inside and in lists', async () => {
  const { users, tickets } = HELPDESK.entities
  const { actions, record } = tickets
  const user = { type: 'integer', refers_to: 'users' } as const
  const properties = {
    ...record.properties,
    owner: user,
    history: { type: 'object', properties: { closer: user } },
    watchers: { type: 'array', items: user },
  } as const
  const synced = { ...users, sync: { primary_key: 'id', action: 'list' } } as const
  const entities = { users: synced, tickets: { record: { properties }, actions } }
  const manifest = await loadManifest({ ...HELPDESK, entities })
  await using vendor = await sandbox(manifest)
  await using client = await connect(manifest, vendor.options())
  const { data } = await client.execute('tickets', 'list', {})
  const known = new Set(vendor.records('users').map(({ id }) => id))
  const listed = data as {
    owner: number
    history: { closer: number }
    watchers: number[]
  }[]
  const named = listed.flatMap(({ owner, history, watchers }) => [
    owner,
    history.closer,
    ...watchers,
  ])
  expect(named.length).toBeGreaterThan(60)
  expect(new Set(named).size).toBeGreaterThan(10)
  expect(named.filter((each) => !known.has(each))).toEqual([])
})

test('an object that is no manifest is refused', async () => {
  await expect(sandbox({ manifest: 1 })).rejects.toMatchObject({ code: 'manifest_invalid' })
})
