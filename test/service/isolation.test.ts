// Tenants: every route of the table, with the ids of somebody else, is answered as for an id that never was.
// A route without a case here fails, so that none is added without one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApplication } from '../../src/service/tokens/applications.ts'
import { type RunningService, runService } from '../fixtures/running-service.ts'

let world: RunningService
/** By tenant: a token of its application, and an instance. */
const tenants: { readonly token: string; readonly id: string; readonly user: string }[] = []
const ORGANIZATIONS = 4

beforeAll(async () => {
  world = await runService()
  for (let index = 0; index < ORGANIZATIONS; index++) {
    const { clientId, clientSecret } = await createApplication(
      { store: world.service.store, clock: world.service.clock },
      {
        name: `tenant ${index}`,
        redirectUrls: ['http://localhost:3000/connected'],
        allows: ['request'],
      },
    )
    const { token } = await world.service.tokens.mintApplication(clientId, clientSecret)
    const user = `user-${index}`
    const id = await world.connect('gong', { external_user_id: user }, { as: token })
    tenants.push({ token, id, user })
  }
})
afterAll(() => world[Symbol.asyncDispose]())

/** How each route with an instance in its path is called. Null: its path has none, and what it shows is below. */
const CASES: Readonly<Record<string, object | undefined | null>> = {
  receiveInstanceWebhook: {},
  answerInstanceWebhook: undefined,
  receiveVendorWebhook: null,
  answerVendorWebhook: null,
  getConnectorInstance: undefined,
  updateConnectorInstance: { name: 'mine now' },
  deleteConnectorInstance: undefined,
  checkConnectorInstance: undefined,
  execute: { entity: 'users', action: 'list' },
  request: { path: '/v2/users' },
  preview: { entity: 'users', action: 'list' },
  describeConnectorInstance: undefined,
  getAccess: undefined,
  getVendorWebhooks: undefined,
  listChanges: undefined,
  getSync: undefined,
  startSync: {},
  confirmSync: { entity: 'calls' },
  undoSync: { run_id: '0199f3b7-0c5e-7a31-9a57-2f4f5d1f9a10' },
  createConnectorInstance: null,
  listConnectorInstances: null,
  listWorkspaces: null,
  listConnectorsForUser: null,
  listInstancesForUser: null,
  initiateOAuth: null,
  createConnectSession: null,
  listReturnUrls: null,
  oauthConsent: null,
  oauthCallback: null,
  listConnectorTypes: null,
  getConnectorType: null,
  getLimits: null,
  mintApplicationToken: null,
  mintScopedToken: null,
  revokeToken: null,
  listEvents: null,
  redeliverEvent: {},
  createWebhook: null,
  listWebhooks: null,
  getWebhook: undefined,
  updateWebhook: { url: 'https://mine.example/now' },
  deleteWebhook: undefined,
  rotateWebhookSecret: undefined,
  testWebhook: undefined,
  listWebhookDeliveries: undefined,
  listLogs: null,
  logSummary: null,
  exportLogs: null,
  getLog: null,
  exportUser: null,
  eraseUser: null,
  listAudit: null,
  exportAudit: null,
  listManifests: null,
  getManifest: null,
  publishManifest: null,
  rollBackManifest: null,
  unpublishManifest: null,
  listOAuthClients: null,
  putOAuthClient: null,
  deleteOAuthClient: null,
}

/** What a route needs in its query. */
const QUERIES: Readonly<Record<string, string>> = { listChanges: '?entity=users' }

const NEVER = '0199f3b2-6f0e-7c31-9a57-2f4f5d1f9a10'

test('T4 every route has a case', () => {
  const names = world.service.routes.map(({ name }) => name)
  expect(names.toSorted()).toEqual(Object.keys(CASES).toSorted())
  const withId = world.service.routes.filter(({ path }) =>
    /\{(connector|webhook|event)_id\}/.test(path),
  )
  expect(withId.map(({ name }) => CASES[name] === null)).toEqual(withId.map(() => false))
})

describe('T4 foreign and unknown are one', () => {
  test('for every route × foreign instance × kind of token', async () => {
    const routes = world.service.routes.filter(({ path }) => path.includes('{connector_id}'))
    const [mine] = tenants
    if (mine === undefined) throw new TypeError('no tenants')
    const scope = { as: mine.token }
    const mint = async (wish: object): Promise<string> =>
      (
        (await world.call('POST', '/api/v1/account/applications/scoped-token', wish, scope))
          .body as { token: string }
      ).token
    const tokens = [
      mine.token,
      await mint({ external_user_id: mine.user }),
      await mint({ external_user_id: mine.user, connector_types: ['gong'] }),
      await mint({ external_user_id: mine.user, connector_ids: [mine.id] }),
      await mint({ external_user_id: mine.user, actions: ['users.list'] }),
    ]
    const foreign = tenants.slice(1).map(({ id }) => id)
    let cases = 0
    for (const { name, method, path, aliases } of routes) {
      for (const spelling of [path, ...aliases]) {
        for (const as of tokens) {
          const ask = async (id: string) => {
            const answer = await world.call(
              method,
              `/v1${spelling.replace('{connector_id}', id).replace('{connector_type}', 'gong')}${QUERIES[name] ?? ''}`,
              CASES[name] ?? undefined,
              { as },
            )
            const { request_id: _, ...body } = answer.body as Record<string, unknown>
            return { status: answer.status, body }
          }
          const unknown = await ask(NEVER)
          expect(unknown).toMatchObject(
            // Vendors show no token, and are told nothing of what there is.
            name.endsWith('InstanceWebhook')
              ? { status: 401, body: { code: 'webhook_unverified' } }
              : { status: 404, body: { code: 'instance_unknown' } },
          )
          for (const id of foreign) {
            expect(await ask(id)).toEqual(unknown)
            cases++
          }
        }
      }
    }
    expect(cases).toBe(routes.flatMap(({ aliases }) => [1, ...aliases]).length * 5 * 3)
  })

  test('instances of the same organisation are hidden from tokens narrowed to others', async () => {
    const [mine] = tenants
    if (mine === undefined) throw new TypeError('no tenants')
    const jira = await world.connect('jira', { external_user_id: mine.user }, { as: mine.token })
    const other = await world.connect('gong', { external_user_id: 'other' }, { as: mine.token })
    const mint = async (wish: object): Promise<string> =>
      (
        (
          await world.call('POST', '/api/v1/account/applications/scoped-token', wish, {
            as: mine.token,
          })
        ).body as { token: string }
      ).token
    const cases: [object, string][] = [
      [{ external_user_id: mine.user }, other],
      [{ external_user_id: mine.user, connector_types: ['gong'] }, jira],
      [{ external_user_id: mine.user, connector_ids: [mine.id] }, jira],
    ]
    for (const [wish, id] of cases) {
      const as = await mint(wish)
      const one = await world.call('GET', `/v1/integrations/connectors/${id}`, undefined, { as })
      const list = await world.call('GET', '/v1/integrations/connectors', undefined, { as })
      const ids = (list.body as { data: { id: string }[] }).data.map((each) => each.id)
      expect([one.status, ids.includes(id), ids.includes(mine.id)]).toEqual([404, false, true])
    }
  })

  test('a list shows the instances of its organisation only', async () => {
    for (const { token, id } of tenants) {
      const list = await world.call('GET', '/v1/integrations/connectors', undefined, { as: token })
      const ids = (list.body as { data: { id: string }[] }).data.map((each) => each.id)
      const foreign = tenants.filter((tenant) => tenant.id !== id).map((tenant) => tenant.id)
      expect([ids.includes(id), ids.some((each) => foreign.includes(each))]).toEqual([true, false])
    }
  })
})

test('T4 an Idempotency-Key of another organisation is another key', async () => {
  const { credentials } = world.vendor('gong').options()
  const ids = new Set<string>()
  for (const { token, user } of tenants) {
    const answer = await world.call(
      'POST',
      '/v1/integrations/connectors',
      { external_user_id: user, connector_type: 'gong', name: 'once', credentials },
      { as: token, headers: { 'idempotency-key': 'the-same' } },
    )
    expect(answer.headers.get('idempotent-replayed')).toBe(null)
    ids.add((answer.body as { id: string }).id)
  }
  expect(ids.size).toBe(ORGANIZATIONS)
})

test('T4 limits of a foreign instance are unknown', async () => {
  const [mine, other] = tenants
  const answer = await world.call('GET', `/v1/limits?connector_id=${other?.id}`, undefined, {
    as: mine?.token ?? null,
  })
  expect([answer.status, answer.body]).toEqual([
    404,
    expect.objectContaining({ code: 'instance_unknown' }),
  ])
})

describe('T4 events and webhooks are their organisation’s own', () => {
  const first = async (as: string): Promise<{ id: string; data: { id: string } }[]> =>
    ((await world.call('GET', '/v1/events', undefined, { as })).body as { data: never[] }).data

  test('foreign and unknown ids are one, and change nothing', async () => {
    const [mine, other] = tenants
    if (mine === undefined || other === undefined) throw new TypeError('no tenants')
    const url = 'https://other.example/hooks'
    const made = await world.call('POST', '/v1/webhooks', { url }, { as: other.token })
    const webhook = (made.body as { id: string }).id
    const [event] = await first(other.token)
    const routes = world.service.routes.filter(({ path }) => /\{(webhook|event)_id\}/.test(path))
    for (const { name, method, path } of routes) {
      const ask = async (webhookId: string, eventId: string) => {
        const filled = path.replace('{webhook_id}', webhookId).replace('{event_id}', eventId)
        const { status, body } = await world.call(
          method,
          `/v1${filled}`,
          CASES[name] ?? undefined,
          {
            as: mine.token,
          },
        )
        const { request_id: _, ...rest } = body as Record<string, unknown>
        return { status, body: rest }
      }
      const unknown = await ask(NEVER, NEVER)
      expect([name, unknown.status]).toEqual([name, 404])
      expect([name, await ask(webhook, event?.id ?? '')]).toEqual([name, unknown])
      expect([name, await ask('no-id', 'no-id')]).toEqual([name, unknown])
    }
    const [own] = await first(mine.token)
    const at = async (webhookId: string) => {
      const path = `/v1/events/${own?.id}/redeliver`
      const answer = await world.call('POST', path, { webhook_id: webhookId }, { as: mine.token })
      return [answer.status, (answer.body as { code: string }).code]
    }
    expect([await at(webhook), await at(NEVER)]).toEqual([
      [404, 'webhook_unknown'],
      [404, 'webhook_unknown'],
    ])
    const after = await world.call('GET', `/v1/webhooks/${webhook}`, undefined, { as: other.token })
    expect(after.body).toMatchObject({ url, enabled: true, previous_secret_ends_at: null })
  })

  test('a list shows what belongs to its organisation only', async () => {
    for (const { token, id } of tenants) {
      const instances = (await first(token)).map(({ data }) => data.id)
      const foreign = tenants.filter((tenant) => tenant.id !== id).map((tenant) => tenant.id)
      expect([instances.includes(id), instances.some((each) => foreign.includes(each))]).toEqual([
        true,
        false,
      ])
    }
    const [mine] = tenants
    const list = await world.call('GET', '/v1/webhooks', undefined, { as: mine?.token ?? null })
    expect(list.body).toEqual({ data: [] })
  })

  test('T3 scoped tokens call none of these routes', async () => {
    const [mine] = tenants
    const wish = { external_user_id: mine?.user }
    const minted = await world.call('POST', '/api/v1/account/applications/scoped-token', wish, {
      as: mine?.token ?? null,
    })
    const as = (minted.body as { token: string }).token
    const routes = world.service.routes.filter(({ path }) => /^\/(events|webhooks)/.test(path))
    expect(routes).toHaveLength(10)
    for (const { method, path } of routes) {
      const filled = path.replaceAll(/\{\w+\}/g, NEVER)
      const answer = await world.call(method, `/v1${filled}`, undefined, { as })
      expect([path, answer.status, (answer.body as { code: string }).code]).toEqual([
        path,
        403,
        'scope_denied',
      ])
    }
  })
})
