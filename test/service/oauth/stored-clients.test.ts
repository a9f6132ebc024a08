// OAuth clients that administrators store while the service runs.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createApplication } from '../../../src/service/tokens/applications.ts'
import { OAuthClients } from '../../../src/service/oauth/oauth-clients.ts'
import { createSystemClock } from '../../../src/engine/adapters/system-clock.ts'
import { readMasterKeys } from '../../../src/service/vault/keys/local-keys.ts'
import { openStore } from '../../../src/service/store/open/open-store.ts'
import { Vault } from '../../../src/service/vault/vault.ts'
import { startAcmeVendor } from '../../chaos/acme-vendor.ts'
import { acme } from '../manifests/acme.ts'
import { type CallAnswer, type RunningService, runService } from '../../fixtures/running-service.ts'

const MANIFEST = join(import.meta.dirname, '../../chaos/acme.yaml')
const SECRET = 'client-secret-1'
const CLIENT = { connector_type: 'acme', client_id: 'client-1', client_secret: SECRET }
const AT = '/v1/oauth-clients'

let world: RunningService
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-clients-'))
  const plain = join(folder, 'plain.yaml')
  await writeFile(plain, acme().replace('type: acme', 'type: plain'))
  world = await runService({
    mode: 'dev',
    manifests: [MANIFEST, plain],
    connectors: ['acme', 'gong', 'jira', 'plain'],
    allowHosts: ['127.0.0.1'],
    allowServerUrl: true,
    oauthClients: { jira: { id: 'of-the-operator', secret: 'operator-secret' } },
  })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

async function audited(): Promise<readonly object[]> {
  const { body } = await world.call('GET', '/v1/audit?action=oauth_client')
  return (body as { readonly data: readonly { readonly members: readonly string[] }[] }).data
}

/** Whether a consent could be started with a client. */
async function canConsent(type: string, as = world.token): Promise<boolean> {
  const { body } = await world.call('GET', `/v1/connectors/${type}`, undefined, { as })
  const { auth_methods: methods } = body as {
    readonly auth_methods: readonly { readonly oauth_configured: boolean }[]
  }
  return methods.some(({ oauth_configured: is }) => is)
}

test('K1 a client is stored, changed and removed without a restart; its secret is in no answer, log, audit event or file', async () => {
  expect(await canConsent('gong')).toBe(false)
  const gong = { connector_type: 'gong', client_id: 'gong-client', client_secret: 'gong-secret-1' }
  const shown = {
    connector_type: 'gong',
    client_id: 'gong-client',
    has_secret: true,
    changed_by: 'default',
    changed_at: expect.any(String),
    used: true,
  }
  const stored = await world.call('POST', AT, gong)
  expect([stored.status, stored.body]).toEqual([200, shown])
  expect(await canConsent('gong')).toBe(true)
  // Another id leaves the secret as it is.
  const renamed = { connector_type: 'gong', client_id: 'renamed' }
  expect((await world.call('POST', AT, renamed)).body).toMatchObject({ has_secret: true })
  expect((await world.call('GET', AT)).body).toEqual({
    data: [{ ...shown, client_id: 'renamed' }],
  })
  await world.call('POST', AT, gong)
  expect((await audited()).slice(0, 2)).toMatchObject([
    {
      actor: 'default',
      target: 'gong',
      action: 'oauth_client.put',
      members: ['client_id', 'client_secret'],
    },
    { members: ['client_id'] },
  ])
  const files = await readdir(world.folder, { recursive: true, withFileTypes: true })
  const contents = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name))),
  )
  const answers = [(await world.call('GET', AT)).text, JSON.stringify(await audited())]
  const everywhere = [...answers, JSON.stringify(world.lines), ...contents]
  expect(everywhere.filter((each) => each.includes('gong-secret-1'))).toEqual([])
  expect((await world.call('DELETE', `${AT}/gong`)).status).toBe(204)
  expect(await canConsent('gong')).toBe(false)
  const again = await world.call('DELETE', `${AT}/gong`)
  expect([again.status, again.body]).toMatchObject([409, { code: 'oauth_not_configured' }])
})

test('a client that is corrected is used by accounts that are connected already', async () => {
  const vendor = await startAcmeVendor()
  onTestFinished(() => vendor[Symbol.asyncDispose]())
  const put = (secret: string): Promise<CallAnswer> =>
    world.call('POST', AT, { ...CLIENT, client_secret: secret })
  await put('of last year')
  const made = await world.call('POST', '/v1/integrations/connectors?check=false', {
    external_user_id: 'user-1',
    connector_type: 'acme',
    name: 'acme',
    server_url: vendor.url,
    credentials: vendor.provider.connect(),
  })
  const { id } = made.body as { readonly id: string }
  const list = (): Promise<CallAnswer> =>
    world.call('POST', `/v1/connectors/sources/${id}/execute`, {
      entity: 'customers',
      action: 'list',
    })
  expect((await list()).status).toBe(200)
  vendor.provider.endAccess()
  expect((await list()).body).toMatchObject({ code: 'refresh_failed' })
  await put(SECRET)
  expect((await list()).status).toBe(200)
})

test('what the operator sets goes before it, and is told', async () => {
  const stored = await world.call('POST', AT, { ...CLIENT, connector_type: 'jira' })
  expect(stored.body).toMatchObject({ connector_type: 'jira', used: false })
  expect(world.service.oauthClients.of('default', 'jira')).toMatchObject({ id: 'of-the-operator' })
  expect((await world.call('DELETE', `${AT}/jira`)).status).toBe(204)
})

test('T4 a client is of one organization: another one neither sees nor uses nor removes it', async () => {
  const other = await createApplication(world.service, {
    name: 'other',
    organizationId: 'other',
    redirectUrls: [],
  })
  const minted = await world.service.tokens.mintApplication(other.clientId, other.clientSecret)
  const as = minted?.token ?? ''
  await world.call('POST', AT, { ...CLIENT, connector_type: 'gong' })
  expect((await world.call('GET', AT, undefined, { as })).body).toEqual({ data: [] })
  expect(await canConsent('gong', as)).toBe(false)
  expect((await world.call('DELETE', `${AT}/gong`, undefined, { as })).status).toBe(409)
  expect(await canConsent('gong')).toBe(true)
})

test('a connector without a consent, an unknown one, and text that no header can carry are refused with their place', async () => {
  for (const [body, code, pointer] of [
    [{ ...CLIENT, connector_type: 'plain' }, 'request_malformed', '/connector_type'],
    [{ ...CLIENT, connector_type: 'gonk' }, 'connector_unknown', '/connector_type'],
    [{ ...CLIENT, client_secret: 'two\nlines' }, 'request_malformed', '/client_secret'],
    [{ ...CLIENT, client_id: '' }, 'request_malformed', '/client_id'],
    // The vendor takes no public client.
    [{ ...CLIENT, client_secret: null }, 'request_malformed', '/client_secret'],
  ] as const) {
    const answer = await world.call('POST', AT, body)
    expect(answer.body).toMatchObject({ code, errors: [{ pointer }] })
  }
})

test('what one process stores, changes and removes, another one uses after a look', async () => {
  const store = await openStore({ folder: join(folder, 'shared') })
  const clock = createSystemClock()
  const provider = readMasterKeys(`k1:${Buffer.alloc(32, 1).toString('base64')}`, 'test')
  const warnings: string[] = []
  const log = { warn: (_: object, text: string) => void warnings.push(text) }
  const open = (): OAuthClients => {
    const vault = new Vault({ provider, dataKeys: store.dataKeys, clock })
    return new OAuthClients({ store, vault, log, given: {} })
  }
  const [here, there] = [open(), open()]
  const principal = { organizationId: 'acme', clientId: 'app' } as never
  const seen = async (): Promise<unknown> => {
    const { generation } = there
    await there.refresh()
    return [there.generation - generation, there.of('acme', 'gong')]
  }
  await here.put(principal, 'r', 'gong', { id: 'one', secret: 'first' })
  const one = { id: 'one', secret: 'first', givenBy: ['stored'] }
  expect(await seen()).toEqual([1, one])
  expect(await seen()).toEqual([0, one])
  await here.remove(principal, 'r', 'gong')
  await here.put(principal, 'r', 'gong', { id: 'two' })
  expect(await seen()).toEqual([1, { id: 'two', secret: null, givenBy: ['stored'] }])
  await here.remove(principal, 'r', 'gong')
  expect(await seen()).toEqual([1, null])
  expect(warnings).toEqual([])
  await store.close()
})
