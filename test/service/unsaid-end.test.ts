// A listing that was probably cut short: callers of the service are told, whether its records are read or passed on.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ScriptedUpstream,
  scriptedUpstream,
} from '../../src/sandbox/testing/scripted-upstream.ts'
import { folderOf } from '../cli/run-tenon.ts'
import { type RunningService, runService } from '../fixtures/running-service.ts'

const LISTING = (more: string): string => `
        params: { properties: { limit: { type: integer }, cursor: { type: string } } }
        request: { http: GET /notes, query: [limit, cursor] }
        response: { records: $.items${more} }
        pagination: { type: cursor, param: cursor, size: limit, next: $.nxt }`
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
    record: { properties: { id: { type: string } } }
    actions:
      list:${LISTING('')}
      api_search:${LISTING(', set: { seen: true }')}
`
const FULL = { items: [{ id: '1' }, { id: '2' }], next: 'c2' }

let world: RunningService
let vendor: ScriptedUpstream
let id: string

beforeAll(async () => {
  vendor = await scriptedUpstream([FULL, FULL, FULL].map((body) => ({ answer: { body } })))
  world = await runService({
    mode: 'dev',
    manifests: [join(folderOf({ 'ledgers.yaml': MANIFEST }), 'ledgers.yaml')],
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
  id = (made.body as { readonly id: string }).id
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await vendor[Symbol.asyncDispose]()
})

test.for([
  { name: 'passed on', action: 'list', limit: 2, told: true },
  { name: 'read', action: 'api_search', limit: 2, told: true },
  { name: 'fewer than were asked for', action: 'list', limit: 3, told: false },
])('records $name', async ({ action, limit, told }) => {
  const { body } = await world.call('POST', `/api/v1/connectors/sources/${id}/execute`, {
    entity: 'notes',
    action,
    params: { limit },
  })
  const { execution, meta } = body as {
    readonly execution: { readonly warnings?: readonly object[] }
    readonly meta: object
  }
  expect(meta).toMatchObject({ has_more: false })
  const warning = { code: 'unsaid_end', pointer: '', detail: expect.stringContaining('$.nxt') }
  expect(execution.warnings).toEqual(told ? [warning] : undefined)
})
