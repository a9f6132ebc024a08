// Two majors of one connector beside each other: instances stay with theirs until they are moved.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { loadManifest, requireManifest } from '../../src/language/manifest/load.ts'
import { Catalogue } from '../../src/service/catalogue.ts'
import { type AcmeVendor, startAcmeVendor } from '../chaos/acme-vendor.ts'
import { type CallAnswer, type RunningService, runService } from '../fixtures/running-service.ts'

const FIRST = readFileSync(join(import.meta.dirname, '../chaos/acme.yaml'), 'utf8')
/** A setting is newly required, and customers are called clients. */
const SECOND = FIRST.replace('version: 1.0.0', 'version: 2.1.0')
  .replace(
    'auth:\n',
    'config: { required: [region], properties: { region: { type: string, enum: [eu, us] } } }\nauth:\n',
  )
  .replace(
    'url: https://api.acme.example',
    'url: https://api.acme.example, headers: { x-region: "{{ config.region }}" }',
  )
  .replace('entity: customers', 'entity: clients')
  .replace('  customers:\n', '  clients:\n')

const folder = mkdtempSync(join(tmpdir(), 'tenon-versions-'))
let vendor: AcmeVendor
let world: RunningService

beforeAll(async () => {
  const files = [SECOND, FIRST].map((text, at) => {
    const file = join(folder, String(at), 'acme.yaml')
    mkdirSync(dirname(file))
    writeFileSync(file, text)
    return file
  })
  vendor = await startAcmeVendor()
  world = await runService({
    mode: 'dev',
    manifests: files,
    connectors: ['acme'],
    allowHosts: ['127.0.0.1'],
  })
})

afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await vendor[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const INSTANCES = '/v1/integrations/connectors'

async function create(config: object): Promise<CallAnswer> {
  const body = {
    external_user_id: 'user-1',
    connector_type: 'acme',
    name: 'acme',
    credentials: { api_key: 'key-of-acme' },
    config,
    server_url: vendor.url,
  }
  return await world.call('POST', INSTANCES, body)
}

async function change(id: string, body: object): Promise<CallAnswer> {
  return await world.call('PATCH', `${INSTANCES}/${id}`, body)
}

async function run(id: string, entity: string): Promise<readonly [number, unknown]> {
  const path = `/api/v1/connectors/sources/${id}/execute`
  const { status, body } = await world.call('POST', path, { entity, action: 'list', params: {} })
  const { code, execution } = body as { code?: string; execution?: { connector_version: string } }
  return [status, code ?? execution?.connector_version]
}

test('an instance is made with the highest major, and moved by a change that fits the other one', async () => {
  const made = await create({ region: 'eu' })
  expect(made).toMatchObject({ status: 201, body: { connector_version: '2.1.0' } })
  const { id } = made.body as { readonly id: string }
  expect(await run(id, 'clients')).toEqual([200, '2.1.0'])

  // The other major knows no such setting.
  expect(await change(id, { connector_version: '1' })).toMatchObject({
    status: 400,
    body: { code: 'config_invalid' },
  })
  expect(await run(id, 'clients')).toEqual([200, '2.1.0'])
  const moved = await change(id, { connector_version: '1', config: { region: null } })
  expect(moved).toMatchObject({ status: 200, body: { connector_version: '1.0.0', config: {} } })
  expect(await run(id, 'customers')).toEqual([200, '1.0.0'])
  expect(await run(id, 'clients')).toEqual([400, 'operation_unknown'])

  // With new credentials as well.
  expect(
    await change(id, {
      connector_version: '2.1.0',
      config: { region: 'us' },
      credentials: { api_key: 'another-key' },
    }),
  ).toMatchObject({
    status: 200,
    body: { connector_version: '2.1.0', config: { region: 'us' }, state: 'active' },
  })
  expect(await run(id, 'clients')).toEqual([200, '2.1.0'])
})

test('credentials that the vendor refuses leave the instance with its version', async () => {
  const { body } = await create({ region: 'eu' })
  const { id } = body as { readonly id: string }
  vendor.refused.add('a-wrong-key')
  const wish = {
    connector_version: '1',
    config: { region: null },
    credentials: { api_key: 'a-wrong-key' },
  }
  expect(await change(id, wish)).toMatchObject({ body: { code: 'credentials_refused' } })
  expect(await run(id, 'clients')).toEqual([200, '2.1.0'])
})

test.for(['3', '2.0.0', 'x'])('version %s is not there', async (wanted) => {
  const { body } = await create({ region: 'eu' })
  const { id } = body as { readonly id: string }
  const detail = `version ${wanted} of acme is not loaded here, but 1.0.0, 2.1.0`
  expect(await change(id, { connector_version: wanted })).toMatchObject({
    status: 400,
    body: {
      code: 'request_malformed',
      errors: [
        {
          pointer: '/connector_version',
          code: 'unknown',
          detail,
          allowed: ['1.0.0', '2.1.0'],
        },
      ],
    },
  })
})

test('a major that is not loaded says so', () => {
  const manifest = requireManifest(loadManifest({ file: 'acme.yaml', text: SECOND }))
  const catalogue = new Catalogue([manifest], null)
  expect(catalogue.serves('acme', '1.0.0')).toBe(false)
  expect(() => catalogue.forInstance('acme', '1.0.0')).toThrow(
    'this instance needs version 1 of acme, and this process has 2.1.0',
  )
})
