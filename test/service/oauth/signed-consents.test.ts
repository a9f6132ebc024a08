// Consents of OAuth 1.0a (`oauth1`): from the request of a temporary token to the first signed call, and what must not end so.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { readMasterKeys } from '../../../src/service/vault/keys/local-keys.ts'
import {
  postgresSubject,
  sqliteSubject,
  type StoreSubject,
  tamper,
} from '../../contracts/store/subject.ts'
import { methodFile } from '../../fixtures/method-manifest.ts'
import { type CallAnswer, type RunningService, runService } from '../../fixtures/running-service.ts'
import { METHOD, SERVER, visit } from './signed-set-up.ts'

const REDIRECT = 'http://localhost:3000/connected'

const SUBJECTS = { sqlite: sqliteSubject, postgres: postgresSubject }

describe.for(['sqlite', 'postgres'] as const)('two processes on %s', (kind) => {
  let subject: StoreSubject | null
  let file: Awaited<ReturnType<typeof methodFile>>
  let world: RunningService
  let other: RunningService

  beforeAll(async () => {
    subject = await SUBJECTS[kind]()
    if (subject === null) return
    file = await methodFile({ oauth: METHOD }, SERVER)
    const keyProvider = readMasterKeys(`k1:${Buffer.alloc(32, 1).toString('base64')}`, 'test')
    const options = { manifests: [file.path], connectors: ['acme'], keyProvider }
    world = await runService({ ...options, store: await subject.open() })
    other = await runService({ ...options, store: await subject.open() })
    // Both ask the same vendor.
    const vendors = other.service.sandboxes as Map<string, Sandbox>
    vendors.set('acme', world.vendor('acme'))
  })
  afterAll(async () => {
    if (subject === null) return
    await other[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
    await file[Symbol.asyncDispose]()
    await subject.close()
  })

  async function initiate(): Promise<CallAnswer> {
    return await world.call('POST', '/v1/integrations/connectors/oauth/initiate', {
      external_user_id: 'user-42',
      connector_type: 'acme',
      redirect_url: REDIRECT,
      state: 'mine',
    })
  }

  /** The link to the page, and the address that the vendor leads back to, in the browser that began. */
  async function agreed(more = '') {
    const { body } = await initiate()
    const begun = await visit((body as { consent_url: string }).consent_url)
    const { location } = await visit(begun.location + more)
    return { page: new URL(begun.location), callback: new URL(location), cookie: begun.cookie }
  }

  async function finish(callback: URL, cookie: string): Promise<URLSearchParams | null> {
    const { location } = await visit(callback.href, cookie)
    return location === '' ? null : new URL(location).searchParams
  }

  const sent = (operation: 'oauth.temporary' | 'oauth.token'): number =>
    world.vendor('acme').requests(operation).length

  test('one begins, the other ends it, and the first call is signed', async ({ skip }) => {
    if (subject === null) return skip()
    const { page, callback, cookie } = await agreed()
    expect([...page.searchParams.keys()]).toEqual(['oauth_token', 'name'])
    expect([...callback.searchParams.keys()]).toEqual([
      'state',
      'oauth_token',
      'oauth_verifier',
      'realmId',
    ])
    const there = new URL(callback.pathname + callback.search, other.url)
    const back = await finish(there, cookie)
    expect(back?.get('state')).toBe('mine')
    const created = await other.call(
      'POST',
      '/v1/integrations/connectors',
      {
        external_user_id: 'user-42',
        connector_type: 'acme',
        name: 'by consent',
        server_side_oauth_secret_id: back?.get('secret_id'),
      },
      { as: world.token },
    )
    expect([created.status, created.body]).toMatchObject([
      201,
      {
        state: 'active',
        auth_method: 'oauth',
        config: { realm_id: 'demo-realm-id', user_id: 'demo-user-id' },
      },
    ])
    const { id } = created.body as { id: string }
    const listed = await world.call('POST', `/api/v1/connectors/sources/${id}/execute`, {
      entity: 'things',
      action: 'list',
    })
    expect(listed.status).toBe(200)
    const last = world.vendor('acme').requests('things.list').at(-1)
    const issued = /oauth_token="([^"]*)"/.exec(last?.headers['authorization'] ?? '')?.[1]
    expect(issued).toMatch(/^demo-access-[0-9a-f]+$/)
    // A token that the vendor ends has no successor: its user agrees again.
    world.vendor('acme').expireTokens()
    const refused = await world.call('POST', `/api/v1/connectors/sources/${id}/execute`, {
      entity: 'things',
      action: 'list',
    })
    expect(refused.body).toMatchObject({ code: 'credentials_refused' })
  })

  test('the temporary token and its secret are sealed, and nothing shows them', async ({
    skip,
  }) => {
    if (subject === null) return skip()
    const { callback, page, cookie } = await agreed()
    const store = await subject.open()
    const rows = JSON.stringify(
      (await tamper(store, 'select * from oauth_state')).map((row) =>
        Object.fromEntries(
          Object.entries(row as object).map(([name, value]: [string, unknown]) => [
            name,
            value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
          ]),
        ),
      ),
    )
    await finish(callback, cookie)
    const shown = rows + JSON.stringify([world.lines, other.lines])
    expect(rows).toContain('acme')
    for (const secret of [
      page.searchParams.get('oauth_token') ?? '',
      callback.searchParams.get('oauth_verifier') ?? '',
      'demo-temporary-secret',
      'demo-token-secret',
    ])
      expect([secret, shown.includes(secret)]).toEqual([secret, false])
  })

  test.for([
    {
      name: 'O1 another token than the one that was given',
      change: (url: URL) => url.searchParams.set('oauth_token', 'demo-temporary-other'),
      want: 'upstream_error',
      asks: false,
    },
    {
      name: 'no token',
      change: (url: URL) => url.searchParams.delete('oauth_token'),
      want: 'upstream_error',
      asks: false,
    },
    {
      name: 'no verifier, as before OAuth 1.0a',
      change: (url: URL) => url.searchParams.delete('oauth_verifier'),
      want: 'upstream_error',
      asks: false,
    },
    {
      name: 'another verifier',
      change: (url: URL) => url.searchParams.set('oauth_verifier', 'guessed'),
      want: 'upstream_error',
      asks: true,
    },
    {
      name: 'O1 a value that the schema refuses',
      change: (url: URL) => url.searchParams.set('realmId', '../x'),
      want: 'upstream_error',
      asks: false,
    },
    {
      name: 'a problem',
      change: (url: URL) => {
        url.searchParams.delete('oauth_verifier')
        url.searchParams.set('oauth_problem', 'token_expired')
      },
      want: 'upstream_error',
      asks: false,
    },
    {
      name: 'a denial as a problem, with a verifier next to it',
      change: (url: URL) => url.searchParams.set('oauth_problem', 'user_refused'),
      want: 'access_denied',
      asks: false,
    },
  ])('an answer with $name ends the consent', async ({ change, want, asks }, { skip }) => {
    if (subject === null) return skip()
    const { callback, cookie } = await agreed()
    const right = new URL(callback)
    change(callback)
    const before = sent('oauth.token')
    const back = await finish(callback, cookie)
    expect([back?.get('error'), back?.get('state'), back?.has('secret_id')]).toEqual([
      want,
      'mine',
      false,
    ])
    expect(sent('oauth.token') - before).toBe(asks ? 1 : 0)
    // It was the only try.
    expect(await finish(right, cookie)).toBe(null)
  })

  test('a user who does not agree is told so', async ({ skip }) => {
    if (subject === null) return skip()
    const { callback, cookie } = await agreed('&sandbox_consent=deny')
    expect([...callback.searchParams.keys()]).toEqual(['state', 'denied'])
    expect((await finish(callback, cookie))?.get('error')).toBe('access_denied')
  })

  test('O1 an answer works once, and in the browser that began only', async ({ skip }) => {
    if (subject === null) return skip()
    const first = await agreed()
    const second = await agreed()
    expect(await finish(first.callback, second.cookie)).toBe(null)
    const mixed = new URL(first.callback)
    mixed.searchParams.set('state', second.callback.searchParams.get('state') ?? '')
    const before = sent('oauth.token')
    // The token of one consent in the answer of another.
    expect((await finish(mixed, second.cookie))?.get('error')).toBe('upstream_error')
    expect(sent('oauth.token')).toBe(before)
    expect((await finish(first.callback, first.cookie))?.has('secret_id')).toBe(true)
    expect(await finish(first.callback, first.cookie)).toBe(null)
    expect(sent('oauth.token')).toBe(before + 1)
  })

  test('a vendor that gives no temporary token is told when the consent begins', async ({
    skip,
  }) => {
    if (subject === null) return skip()
    const vendor = world.vendor('acme')
    const answers = [
      { status: 503, want: 'upstream_failed' },
      { status: 401, want: 'oauth_not_configured' },
    ]
    for (const { status, want } of answers) {
      vendor.fail('oauth.temporary', { mode: 'status', status })
      const { body } = await initiate()
      expect(body).toMatchObject({ code: want })
    }
    expect((await initiate()).status).toBe(200)
  })
})

test('the connect page asks for nothing that the consent brings, and connects', async () => {
  await using file = await methodFile({ oauth: METHOD }, SERVER)
  await using world = await runService({ manifests: [file.path], connectors: ['acme'] })
  const session = await world.call('POST', '/v1/connect/sessions', {
    external_user_id: 'user-43',
    connector_types: ['acme'],
    return_url: REDIRECT,
  })
  const { connect_url: url } = session.body as { connect_url: string }
  expect((await visit(url)).text).not.toMatch(/realm_id|user_id"/)
  const sent = await visit(url, undefined, { connector: 'acme', way: 'oauth' })
  const consentUrl = /href="([^"]*\/v1\/oauth\/consent\/[^"]*)"/.exec(sent.text)?.[1] ?? ''
  const begun = await visit(consentUrl)
  const { location } = await visit(begun.location)
  const back = await visit(location, begun.cookie)
  await visit(back.location, sent.cookie)
  const { body } = await world.call('GET', '/v1/integrations/connectors?external_user_id=user-43')
  expect(body).toMatchObject({ data: [{ state: 'active', config: { user_id: 'demo-user-id' } }] })
  world.vendor('acme').fail('oauth.temporary', { mode: 'status', status: 503 })
  const again = await world.call('POST', '/v1/connect/sessions', {
    external_user_id: 'user-43',
    connector_types: ['acme'],
    return_url: REDIRECT,
  })
  const { connect_url: next } = again.body as { connect_url: string }
  const failed = await visit(next, undefined, { connector: 'acme', way: 'oauth' })
  expect([failed.status, failed.text]).toEqual([
    expect.any(Number),
    expect.stringContaining('Acme'),
  ])
})
