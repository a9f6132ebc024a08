// Ids beyond 2^53 through the service: the client has them as text and gives them back, every digit arrives.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connectHosted } from '../../src/client/hosted.ts'
import { loadManifest } from '../../src/client/load-manifest.ts'
import { scriptedUpstream } from '../../src/sandbox/testing/scripted-upstream.ts'
import { folderOf } from '../cli/run-tenon.ts'
import { runService } from '../fixtures/running-service.ts'

const BIG = '9007199254740993'
const MANIFEST = `
manifest: 1
connector: { type: ledgers, title: Ledgers, version: 1.0.0 }
server: { url: https://api.ledgers.example }
auth:
  key:
    credentials: { required: [api_key], properties: { api_key: { type: string, writeOnly: true } } }
    apply: { bearer: "{{ credentials.api_key }}" }
entities:
  notes:
    record: { properties: { id: { type: integer, format: int64 } } }
    actions:
      get:
        params: { required: [id], properties: { id: { type: integer, format: int64 } } }
        request: { http: "GET /notes/{{ params.id }}" }
      update:
        params: { required: [id], properties: { id: { type: integer, format: int64 } } }
        request: { http: PUT /notes, body: [id] }
`

test('the id of a record goes back as it came out', async () => {
  await using vendor = await scriptedUpstream([
    { expect: { send: 'GET /notes/1' }, answer: { text: `{"id":${BIG}}` } },
    { expect: { send: `GET /notes/${BIG}` }, answer: { text: '{}' } },
    { expect: { send: 'PUT /notes' }, answer: { text: '{}' } },
  ])
  const file = join(folderOf({ 'ledgers.yaml': MANIFEST }), 'ledgers.yaml')
  await using world = await runService({
    mode: 'dev',
    manifests: [file],
    connectors: ['ledgers'],
    allowHosts: ['127.0.0.1'],
  })
  const made = await world.call('POST', '/v1/integrations/connectors?check=false', {
    external_user_id: 'user-1',
    connector_type: 'ledgers',
    name: 'ledgers',
    credentials: { api_key: 'x' },
    server_url: vendor.url,
  })
  const { id: connectorId } = made.body as { readonly id: string }
  const options = { baseUrl: world.url, connectorId, token: world.token }
  await using client = await connectHosted(await loadManifest(file), options)
  const { data } = (await client.execute('notes', 'get', { id: 1 })) as {
    readonly data: { readonly id: string }
  }
  expect(data).toEqual({ id: BIG })
  await client.execute('notes', 'get', { id: data.id })
  await client.execute('notes', 'update', { id: data.id })
  expect(vendor.requests[2]?.text).toBe(`{"id":${BIG}}`)
})
