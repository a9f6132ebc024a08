import { expect, test } from 'vitest'
import { CLIENT_CLOSED } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import { loadManifest } from '../../src/client/load-manifest.ts'
import type { Json } from '../../src/language/json/json.ts'

const ACME = await loadManifest({
  manifest: 1,
  connector: { type: 'acme', title: 'Acme', version: '1.0.0' },
  server: { url: 'https://api.acme.example/v1' },
  config: { properties: { since: { type: 'string' } } },
  auth: {
    key: {
      credentials: {
        required: ['api_key'],
        properties: { api_key: { type: 'string', writeOnly: true } },
      },
      apply: { headers: { 'X-Api-Key': '{{ credentials.api_key }}' } },
    },
  },
  entities: {
    items: {
      record: { properties: { id: { type: 'string' } } },
      actions: {
        list: {
          request: { http: 'GET /items', query: { since: '{{ config.since }}' } },
          response: { records: '$.items' },
          pagination: { type: 'none', reason: 'one page holds all' },
        },
      },
    },
  },
})

test.for<{ name: string; value: unknown }>([
  { name: 'NaN', value: Number.NaN },
  { name: 'a date', value: new Date(0) },
  { name: 'a function', value: () => 'x' },
])('what no setting and no credential can be is named as such: $name', async ({ value: given }) => {
  // Only code without types can give it.
  const value = given as Json
  const good = { api_key: 'demo-key-1' }
  await expect(
    connect(ACME, { credentials: good, config: { since: value } }),
  ).rejects.toMatchObject({
    code: 'config_invalid',
    errors: [{ pointer: '/config/since' }],
  })
  const refused = {
    code: 'credentials_invalid',
    errors: [{ pointer: '/credentials/api_key' }],
  }
  await expect(connect(ACME, { credentials: { api_key: value } })).rejects.toMatchObject(refused)
  await using client = await connect(ACME, { credentials: () => ({ api_key: value }) })
  await expect(client.execute('items', 'list')).rejects.toMatchObject(refused)
})

test('a call on a closed client says so', async () => {
  const client = await connect(ACME, { credentials: { api_key: 'demo-key-1' } })
  await client.close()
  await expect(client.execute('items', 'list')).rejects.toMatchObject({
    code: 'aborted',
    message: expect.stringContaining(CLIENT_CLOSED),
  })
})
