// Manifests that are published while a service runs.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApplication } from '../../../src/service/tokens/applications.ts'
import { type CallAnswer, type RunningService, runService } from '../../fixtures/running-service.ts'
import { acme } from './acme.ts'

let world: RunningService

beforeAll(async () => {
  world = await runService({
    connectors: ['gong', 'acme'],
    publishOrganization: 'default',
    allowServerUrl: true,
  })
})
afterAll(() => world[Symbol.asyncDispose]())

async function publish(text: string, more: object = {}): Promise<CallAnswer> {
  return await world.call('POST', '/v1/manifests', { text, ...more })
}

async function rollBack(version: string, more: object = {}): Promise<CallAnswer> {
  return await world.call('POST', '/v1/manifests/acme/rollback', { version, ...more })
}

async function unpublish(version: string, query = ''): Promise<CallAnswer> {
  return await world.call('DELETE', `/v1/manifests/acme/versions/${version}${query}`)
}

function codesOf({ body }: CallAnswer): readonly string[] {
  const { errors = [] } = body as { readonly errors?: readonly { readonly code: string }[] }
  return errors.map(({ code }) => code)
}

async function servedVersion(): Promise<string | null> {
  const { body, status } = await world.call('GET', '/v1/connectors/acme')
  return status === 404 ? null : (body as { readonly version: string }).version
}

/** The members of the first customer. */
async function customerOf(id: string): Promise<readonly string[]> {
  const operation = { entity: 'customers', action: 'list' }
  const answer = await world.call('POST', `/v1/connectors/sources/${id}/execute`, operation)
  const [first = {}] = (answer.body as { readonly data?: readonly object[] }).data ?? []
  return Object.keys(first)
}

test('what is published is served at once: catalogue, document, a vendor, operations, agents', async () => {
  expect(await servedVersion()).toBe(null)
  const done = await publish(acme(), { note: 'The first one' })
  expect(done).toMatchObject({
    status: 201,
    body: {
      connector_type: 'acme',
      version: '1.0.0',
      note: 'The first one',
      current: true,
      served: true,
      hidden_by: null,
      before: null,
      after: { version: '1.0.0', origin: 'published' },
      changes: null,
      instances: 0,
      refusals: [],
      dry_run: false,
    },
  })
  expect(await servedVersion()).toBe('1.0.0')
  const document = await world.call('GET', '/openapi.json?connector_type=acme')
  expect(document.text).toContain('customers.list')
  const id = await world.connect('acme')
  expect(await customerOf(id)).toEqual(['id'])
  const described = await world.call('GET', `/v1/integrations/connectors/${id}/describe`)
  expect(described.text).toContain('List customers')
})

test('a compatible version replaces it under running instances', async () => {
  const id = await world.connect('acme')
  const done = await publish(acme({ version: '1.1.0', fields: ['name'] }))
  expect(done).toMatchObject({
    status: 201,
    body: {
      before: { version: '1.0.0', origin: 'published' },
      changes: { needed: 'minor', made: 'minor', refused: false },
    },
  })
  expect((done.body as { readonly instances: number }).instances).toBeGreaterThan(0)
  expect(await customerOf(id)).toEqual(['id', 'name'])
})

test('T12 a breaking change without a major step is refused with the way out; with it instances stay', async () => {
  const id = await world.connect('acme')
  const broken = await publish(acme({ version: '1.2.0' }))
  expect(broken).toMatchObject({ status: 422, body: { code: 'manifest_refused' } })
  expect(codesOf(broken)).toEqual(['breaking'])
  expect(broken.text).toContain('make connector.version 2.0.0')
  expect(await servedVersion()).toBe('1.1.0')
  const major = await publish(acme({ version: '2.0.0', title: 'Acme 2' }))
  expect(major).toMatchObject({
    status: 201,
    body: { before: null, instances: 0, changes: { made: 'major', needed: 'major' } },
  })
  expect(await servedVersion()).toBe('2.0.0')
  const instance = await world.call('GET', `/v1/integrations/connectors/${id}`)
  expect(instance.body).toMatchObject({ connector_version: '1.1.0' })
})

test.for([
  ['an error of lint', acme({ version: '3.0.0' }).replace('$.items', '$..items'), null],
  ['the number that is there', acme({ version: '2.0.0', title: 'Another' }), 'same_version'],
  ['a lower number', acme({ version: '1.0.5' }), 'backwards'],
  ['a type that the settings leave out', acme().replace('type: acme', 'type: other'), 'type'],
  [
    'the name of another connector',
    acme({ version: '9.0.0', title: 'A, aliases: [gong]' }),
    'name',
  ],
] as const)('%s is refused, and nothing is stored', async ([, text, code]) => {
  const answer = await publish(text)
  expect([answer.status, (answer.body as { readonly code: string }).code]).toEqual([
    422,
    'manifest_refused',
  ])
  expect(codesOf(answer).length).toBeGreaterThan(0)
  if (code !== null) expect(codesOf(answer)).toContain(code)
  const list = await world.call('GET', '/v1/manifests?connector_type=acme')
  expect((list.body as { readonly data: readonly object[] }).data).toHaveLength(3)
})

test('a dry run says what would become of it, and changes nothing', async () => {
  const trial = await publish(acme({ version: '2.0.1', fields: ['name'] }), { dry_run: true })
  expect(trial).toMatchObject({
    status: 200,
    body: { dry_run: true, version: '2.0.1', current: false, refusals: [] },
  })
  const refusal = await publish(acme({ version: '2.0.0', title: 'Other' }), { dry_run: true })
  expect(refusal).toMatchObject({
    status: 200,
    body: { refusals: [{ code: 'taken' }, { code: 'same_version' }] },
  })
  expect(await servedVersion()).toBe('2.0.0')
})

test('versions are listed with who and when, the newest first, page by page', async () => {
  const first = await world.call('GET', '/v1/manifests?connector_type=acme&limit=2')
  expect(first.body).toMatchObject({
    data: [
      { version: '2.0.0', current: true, served: true, published_by: 'default' },
      { version: '1.1.0', current: true, served: true },
    ],
    meta: { has_more: true },
  })
  const { next_cursor: cursor } = (first.body as { meta: { next_cursor: string } }).meta
  const rest = await world.call('GET', `/v1/manifests?connector_type=acme&limit=2&cursor=${cursor}`)
  expect(rest.body).toMatchObject({
    data: [{ version: '1.0.0', current: false, served: false, note: 'The first one' }],
    meta: { has_more: false, next_cursor: null },
  })
  const one = await world.call('GET', '/v1/manifests/acme/versions/1.0.0')
  expect(one.body).toMatchObject({ version: '1.0.0', text: acme() })
  expect((await world.call('GET', '/v1/manifests/acme/versions/7.0.0')).status).toBe(404)
})

test('an earlier version is made current again, once what instances lose is confirmed', async () => {
  const id = await world.connect('acme', { connector_version: undefined })
  await world.call('PATCH', `/v1/integrations/connectors/${id}`, { connector_version: '1' })
  const refusal = await rollBack('1.0.0')
  expect(codesOf(refusal)).toEqual(['unconfirmed'])
  expect(refusal.text).toMatch(/\d instances? of major 1/)
  expect(await rollBack('1.0.0', { accept_breaking: true })).toMatchObject({
    status: 200,
    body: { version: '1.0.0', current: true, before: { version: '1.1.0' } },
  })
  expect(await customerOf(id)).toEqual(['id'])
  expect(codesOf(await rollBack('1.0.0'))).toEqual(['current'])
  expect((await rollBack('1.1.0')).status).toBe(200)
})

test('one that is unpublished leaves instances without a manifest only when that is confirmed', async () => {
  expect(codesOf(await unpublish('1.0.0'))).toEqual(['not_current'])
  expect(codesOf(await unpublish('1.1.0'))).toEqual(['unconfirmed'])
  expect(await unpublish('1.1.0', '?accept_breaking=true')).toMatchObject({
    status: 200,
    body: { current: false, served: false, after: null },
  })
  const id = await world.connect('acme')
  const moved = await world.call('PATCH', `/v1/integrations/connectors/${id}`, {
    connector_version: '1',
  })
  expect(moved.status).toBe(400)
  expect((await rollBack('1.1.0')).status).toBe(200)
})

test('the packaged version comes back when the one in its place is unpublished', async () => {
  const { text } = await consoleText('gong')
  const next = text.replace('version: 1.0.0', 'version: 1.0.1').replaceAll('(Gong)', '(Gong!)')
  const id = await world.connect('gong')
  const done = await publish(next)
  expect(done).toMatchObject({
    status: 201,
    body: {
      before: { version: '1.0.0', origin: 'packaged' },
      warnings: [expect.stringContaining('gong 1.0.0 of the package')],
    },
  })
  const users = { entity: 'users', action: 'list' }
  const execute = `/v1/connectors/sources/${id}/execute`
  expect((await world.call('POST', execute, users)).status).toBe(200)
  const back = await world.call('DELETE', '/v1/manifests/gong/versions/1.0.1')
  expect(back).toMatchObject({
    status: 200,
    body: { served: false, after: { version: '1.0.0', origin: 'packaged' } },
  })
  expect((await world.call('POST', execute, users)).status).toBe(200)
})

async function consoleText(type: string): Promise<{ readonly text: string }> {
  const text = await world.service.workshop?.textOf(type)
  return { text: text ?? '' }
}

test('each change is in the audit log, with what it took the place of', async () => {
  const { body } = await world.call('GET', '/v1/audit?action=manifest&limit=200')
  const { data } = body as { readonly data: readonly Record<string, unknown>[] }
  expect(data.at(-1)).toMatchObject({
    action: 'manifest.publish',
    actor: 'default',
    target: 'acme 1.0.0',
    members: ['to published 1.0.0'],
  })
  expect(data.find(({ action }) => action === 'manifest.rollback')).toBeDefined()
  expect(data.find(({ target }) => target === 'gong 1.0.1')).toMatchObject({
    action: 'manifest.unpublish',
    members: ['from published 1.0.1', 'to packaged 1.0.0'],
  })
})

test('T4 other organisations may neither see nor publish versions', async () => {
  const { store, clock, tokens } = world.service
  const other = await createApplication({ store, clock }, { name: 'other', redirectUrls: [] })
  const { token: as } = await tokens.mintApplication(other.clientId, other.clientSecret)
  for (const [method, path, body] of [
    ['GET', '/v1/manifests', undefined],
    ['GET', '/v1/manifests/acme/versions/1.0.0', undefined],
    ['POST', '/v1/manifests', { text: acme({ version: '8.0.0' }) }],
    ['POST', '/v1/manifests/acme/rollback', { version: '1.0.0' }],
    ['DELETE', '/v1/manifests/acme/versions/1.1.0', undefined],
  ] as const) {
    const answer = await world.call(method, path, body, { as })
    expect([method, path, answer.status]).toEqual([method, path, 403])
  }
})

test('below 1.0.0 a minor step may break, when it is confirmed; what instances have is kept', async () => {
  await using young = await runService({ connectors: ['acme'], publishOrganization: 'default' })
  const ask = async (text: string, more: object = {}): Promise<CallAnswer> =>
    await young.call('POST', '/v1/manifests', { text, ...more })
  await ask(acme({ version: '0.1.0', config: ['region'] }))
  const id = await young.connect('acme', { config: { region: 'eu' } })
  const operation = { entity: 'customers', action: 'list' }
  const run = async (): Promise<unknown> => {
    const path = `/v1/connectors/sources/${id}/execute`
    const { status, body } = await young.call('POST', path, operation)
    const { code, errors } = body as Record<string, unknown>
    return status === 200 ? 'done' : [code, errors]
  }
  const back = async (version: string): Promise<unknown> => {
    const body = { version, accept_breaking: true }
    return (await young.call('POST', '/v1/manifests/acme/rollback', body)).status
  }
  const withoutSetting = acme({ version: '0.2.0' })
  expect(codesOf(await ask(withoutSetting))).toEqual(['unconfirmed'])
  expect(await ask(withoutSetting, { accept_breaking: true })).toMatchObject({
    status: 201,
    body: {
      instances: 1,
      changes: {
        changes: [
          { class: 'breaking', path: 'config.region', change: 'removed' },
          { class: 'cosmetic', path: 'customers.list request' },
        ],
      },
    },
  })
  expect(await run()).toEqual([
    'config_invalid',
    [expect.objectContaining({ pointer: '/config/region' })],
  ])
  expect(await back('0.1.0')).toBe(200)
  expect(await run()).toBe('done')
  const otherKey = acme({ version: '0.3.0', config: ['region'] }).replaceAll('api_key', 'token')
  expect((await ask(otherKey, { accept_breaking: true })).status).toBe(201)
  expect(await run()).toEqual(['credentials_refused', []])
  expect(await back('0.1.0')).toBe(200)
  const check = `/v1/integrations/connectors/${id}/check`
  expect((await young.call('POST', check)).body).toMatchObject({ state: 'active' })
  expect(await run()).toBe('done')
})

test('T12 publishing is off by default', async () => {
  await using closed = await runService({ connectors: ['gong'] })
  const answer = await closed.call('POST', '/v1/manifests', { text: acme() })
  expect(answer).toMatchObject({ status: 403, body: { code: 'scope_denied' } })
  expect(answer.text).toContain('TENON_PUBLISH_ORGANIZATION')
})
