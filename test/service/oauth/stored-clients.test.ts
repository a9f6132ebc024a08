// OAuth clients that administrators store while the service runs.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createApplication } from '../../../src/service/tokens/applications.ts'
import { OAuthClients } from '../../../src/service/oauth/oauth-clients.ts'
import { OperatorClients } from '../../../src/service/oauth/operator-clients.ts'
import { createSystemClock } from '../../../src/engine/adapters/system-clock.ts'
import { readMasterKeys } from '../../../src/service/vault/keys/local-keys.ts'
import { openStore } from '../../../src/service/store/open/open-store.ts'
import { Vault } from '../../../src/service/vault/vault.ts'
import { organizationEntry } from '../../contracts/store/rows.ts'
import { tamper } from '../../contracts/store/subject.ts'
import { startAcmeVendor } from '../../chaos/acme-vendor.ts'
import { acme } from '../manifests/acme.ts'
import { filesBelow } from '../../fixtures/files-below.ts'
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
  const contents = filesBelow(world.folder).map(({ bytes }) => bytes)
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

test('T4 what a third party says of a client is told to its organization alone, and not of the next one', () => {
  const clients = new OperatorClients({ error() {}, info() {} } as never)
  const stored = (): { id: string; secret: string; givenBy: ['stored'] } => ({
    id: 'client-1',
    secret: 'a',
    givenBy: ['stored'],
  })
  const [ours, theirs, corrected] = [stored(), stored(), stored()]
  clients.refused('acme', ours, 'invalid_client')
  clients.refused('acme', null, 'invalid_client')
  const seen = (): unknown =>
    [ours, theirs, corrected, null].map((client) => clients.refusalOf('acme', client))
  expect(seen()).toEqual(['invalid_client', null, null, null])
  clients.accepted('acme', theirs)
  expect(seen()).toEqual(['invalid_client', null, null, null])
  clients.accepted('acme', ours)
  expect(seen()).toEqual([null, null, null, null])
})

test('a secret that another process has removed meanwhile is not taken for one that is kept', async () => {
  await world.call('POST', AT, { ...CLIENT, connector_type: 'gong' })
  const place = { organizationId: 'default', connectorType: 'gong' }
  const entry = organizationEntry('default', 'oauth_client.remove')
  await world.service.store.oauthClients.remove(place, entry)
  const answer = await world.call('POST', AT, { connector_type: 'gong', client_id: 'renamed' })
  expect([answer.status, answer.body]).toMatchObject([
    400,
    { errors: [{ pointer: '/client_secret', code: 'required' }] },
  ])
})

test('a sealed secret that was swapped or altered opens nowhere, is told once, and opens when it is back', async () => {
  const store = await openStore({ folder: join(folder, 'swapped') })
  const clock = createSystemClock()
  const provider = readMasterKeys(`k1:${Buffer.alloc(32, 1).toString('base64')}`, 'test')
  const told: string[] = []
  const log = { warn: () => void told.push('warning') }
  const onTampered = ({ column }: { readonly column: string }): void => void told.push(column)
  const vault = new Vault({ provider, dataKeys: store.dataKeys, clock, onTampered })
  const clients = new OAuthClients({ store, vault, log, given: {} })
  const put = async (organizationId: string, type: string): Promise<void> => {
    const principal = { organizationId, clientId: 'app' } as never
    await clients.put(principal, 'r', type, { id: type, secret: `${organizationId} ${type}` })
  }
  await put('acme', 'gong')
  await put('acme', 'jira')
  await put('other', 'gong')
  const places = [
    ['acme', 'gong'],
    ['acme', 'jira'],
    ['other', 'gong'],
  ] as const
  const secrets = (): unknown =>
    places.map(([organizationId, type]) => clients.of(organizationId, type)?.secret ?? null)
  const whole = places.map((place) => place.join(' '))
  expect(secrets()).toEqual(whole)
  // A row of another version is looked at.
  const copy = async (from: string, to: string): Promise<void> => {
    await tamper(
      store,
      `update oauth_client set version = version + 1, secret_sealed = (
        select secret_sealed from oauth_client where ${from}) where ${to}`,
    )
  }
  const jira = `connector_type = 'jira'`
  const theirs = `organization_id = 'other'`
  await tamper(store, `create table kept as select * from oauth_client`)
  await copy(jira, `organization_id = 'acme' and connector_type = 'gong'`)
  await copy(jira, theirs)
  for (let looks = 0; looks < 3; looks++) await clients.refresh()
  expect(secrets()).toEqual([null, 'acme jira', null])
  const [warning, column] = ['warning', 'stored_oauth_client:gong']
  expect(told.toSorted()).toEqual([column, column, warning, warning])
  await tamper(store, 'delete from oauth_client')
  await tamper(store, 'insert into oauth_client select * from kept')
  await clients.refresh()
  expect([secrets(), told.length]).toEqual([whole, 4])
  await store.close()
})
