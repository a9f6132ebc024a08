import { describe, expect, test } from 'vitest'

import type { CredentialChange } from '../../../src/engine/credentials/direct-home.ts'
import { silentLogger } from '../../../src/client/observe.ts'
import { createCredentialKeeper } from '../../../src/engine/credentials/keeper.ts'
import type { CredentialKeeper } from '../../../src/engine/credentials/refreshing-keeper.ts'
import { compileMethod } from '../../../src/engine/credentials/method-kit.ts'
import { Secret } from '../../../src/engine/credentials/redact.ts'
import type { ConnectorError } from '../../../src/errors.ts'
import type { Transport } from '../../../src/engine/exchange/transport.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import type { UpstreamRequest } from '../../../src/engine/request/upstream-request.ts'
import { type ExampleAfterToken, exampleManifest, oauthMethod } from './example-manifest.ts'
import { createStoppedClock } from './stopped-clock.ts'

const SITES = 'https://api.example.com/oauth/sites'
const ACME = { id: 'id-acme', url: 'https://acme.example.net', name: 'Acme' }
const OTHER = { id: 'id-other', url: 'https://other.example.net', name: 'Other' }

const FIND_SITE: ExampleAfterToken = {
  request: `GET ${SITES}`,
  choose: {
    from: '$',
    match: { '$.url': 'https://{{ config.subdomain }}.example.net' },
    label: '$.url',
  },
  store: { 'config.cloud_id': '$.id' },
}

interface World {
  readonly keeper: CredentialKeeper
  readonly sent: UpstreamRequest[]
  readonly told: CredentialChange[]
}

/** A keeper whose third party answers with these, in order; the last one again and again. */
function worldOf(
  answers: readonly { status?: number; body: unknown }[],
  config: JsonObject = {},
  changes: { step?: ExampleAfterToken; onCredentials?: () => Promise<void> } = {},
): World {
  const sent: UpstreamRequest[] = []
  const told: CredentialChange[] = []
  const transport: Transport = {
    send(request) {
      const { status = 200, body } = answers[Math.min(sent.length, answers.length - 1)] ?? {
        body: null,
      }
      sent.push(request)
      return Promise.resolve({
        status,
        headers: {},
        url: request.url,
        body: Buffer.from(JSON.stringify(body)),
      })
    },
    stream: () => Promise.reject(new Error('nothing is streamed here')),
    close: () => Promise.resolve(),
  }
  const manifest = exampleManifest({
    config: {
      properties: { subdomain: { type: 'string' }, cloud_id: { type: 'string', minLength: 1 } },
    },
    methods: [
      {
        ...oauthMethod({ afterToken: [changes.step ?? FIND_SITE] }),
        url: 'https://api.example.com/ex/{{ config.cloud_id }}',
      },
    ],
  })
  const keeper = createCredentialKeeper({
    log: silentLogger,
    manifest,
    credentials: {
      access_token: 'at',
      refresh_token: 'rt',
      client_id: 'c',
      client_secret: 'client-secret',
    },
    config,
    onCredentials:
      changes.onCredentials ??
      ((_next, change) => {
        told.push(change)
      }),
    transport,
    clock: createStoppedClock(),
  })
  return { keeper, sent, told }
}

const SOON = 1e6

describe('the site is found at the first call', () => {
  test.for([
    {
      name: 'the one that matches the setting',
      body: [OTHER, ACME],
      config: { subdomain: 'acme' },
      want: 'id-acme',
    },
    {
      name: 'the only one, when the setting is missing',
      body: [OTHER],
      config: {},
      want: 'id-other',
    },
    {
      name: 'one that is listed once for each product counts once',
      body: [
        { ...ACME, scopes: ['a'] },
        { ...ACME, scopes: ['b'] },
      ],
      config: {},
      want: 'id-acme',
    },
  ])('$name', async ({ body, config, want }) => {
    const { keeper, sent, told } = worldOf([{ body }], config)
    const lent = await Promise.all([1, 2, 3].map(() => keeper.current(SOON)))
    expect(lent.map((each) => each.config)).toEqual(
      [1, 2, 3].map(() => ({ ...config, cloud_id: want })),
    )
    expect(sent.map(({ method, url, headers }) => [method, url, headers['authorization']])).toEqual(
      [['GET', SITES, 'Bearer at']],
    )
    expect(told.map(({ reason, config: next }) => ({ reason, next }))).toEqual([
      { reason: 'connected', next: { ...config, cloud_id: want } },
    ])
  })

  test('nothing is asked when it is known', async () => {
    const { keeper, sent } = worldOf([{ body: [] }], { cloud_id: 'given' })
    await keeper.current(SOON)
    expect(sent).toEqual([])
  })

  test('a token that has expired is renewed once on the way', async () => {
    const { keeper, sent } = worldOf([
      { status: 401, body: {} },
      { body: { access_token: 'at2', refresh_token: 'rt2', expires_in: 3600 } },
      { body: [ACME] },
    ])
    expect((await keeper.current(SOON)).config).toEqual({ cloud_id: 'id-acme' })
    expect(sent.map(({ url, headers }) => [url, headers['authorization']])).toEqual([
      [SITES, 'Bearer at'],
      ['https://auth.example.com/token', expect.stringMatching(/^Basic /)],
      [SITES, 'Bearer at2'],
    ])
  })

  test('a host that cannot save the setting loses nothing but the look-up', async () => {
    const { keeper } = worldOf(
      [{ body: [ACME] }],
      {},
      { onCredentials: () => Promise.reject(new Error('away')) },
    )
    expect((await keeper.current(SOON)).config).toEqual({ cloud_id: 'id-acme' })
  })

  test('a look-up under a condition that does not hold is not made', async () => {
    const step = { ...FIND_SITE, if: '{{ config.subdomain }}' }
    const { keeper, sent } = worldOf([{ body: [ACME] }], {}, { step })
    await keeper.current(SOON)
    expect(sent).toEqual([])
  })
})

describe('credentials of a look-up', () => {
  test.for([
    {
      name: 'go to a host that is listed by name',
      origin: 'https://api.example.com',
      want: 'Bearer at',
    },
    {
      name: 'do not go to a host that only a *. entry covers',
      origin: 'https://x.api.example.com',
      want: undefined,
    },
    {
      name: 'do not go to a host that is not listed',
      origin: 'https://else.example.net',
      want: undefined,
    },
  ])('G3 $name', async ({ origin, want }) => {
    const step = { ...FIND_SITE, request: `GET ${origin}/sites` }
    const { keeper, sent } = worldOf([{ body: [ACME] }], {}, { step })
    await keeper.current(SOON)
    expect(sent.map(({ url, headers }) => [url, headers['authorization']])).toEqual([
      [`${origin}/sites`, want],
    ])
  })
})

describe('the site is not found', () => {
  async function refusal({ keeper }: World): Promise<ConnectorError> {
    try {
      await keeper.current(SOON)
    } catch (error) {
      return error as ConnectorError
    }
    throw new Error('nothing was refused')
  }

  test.for([
    {
      name: 'several, and the setting is missing',
      body: [ACME, OTHER],
      config: {},
      allowed: [ACME.url, OTHER.url],
    },
    {
      name: 'none matches the setting',
      body: [OTHER],
      config: { subdomain: 'acme' },
      allowed: [OTHER.url],
    },
    { name: 'the credentials reach none', body: [], config: {}, allowed: [] },
  ])('config_invalid with the choices: $name', async ({ body, config, allowed }) => {
    const error = await refusal(worldOf([{ body }], config))
    expect([error.code, error.errors]).toEqual([
      'config_invalid',
      [expect.objectContaining({ pointer: '/config/subdomain', code: 'choice', allowed })],
    ])
  })

  test.for([
    { status: 200, body: { sites: [] }, code: 'upstream_malformed' },
    { status: 200, body: [{ url: 'https://acme.example.net' }], code: 'upstream_malformed' },
    { status: 200, body: [{ ...ACME, id: 7 }], code: 'upstream_malformed' },
    { status: 403, body: {}, code: 'upstream_forbidden' },
    { status: 500, body: {}, code: 'upstream_failed' },
    { status: 429, body: {}, code: 'upstream_rate_limited' },
    { status: 302, body: {}, code: 'upstream_unexpected' },
  ])('$status $body is $code', async ({ status, body, code }) => {
    expect((await refusal(worldOf([{ status, body }]))).code).toBe(code)
  })

  test('it is asked for again by the next call', async () => {
    const world = worldOf([{ status: 503, body: {} }, { body: [ACME] }])
    expect((await refusal(world)).code).toBe('upstream_failed')
    expect((await world.keeper.current(SOON)).config).toEqual({ cloud_id: 'id-acme' })
  })
})

test('after a consent a short-lived token is exchanged for a long-lived one', async () => {
  const sent: UpstreamRequest[] = []
  const manifest = exampleManifest({
    methods: [
      {
        ...oauthMethod({
          refresh: null,
          afterToken: [
            {
              on: 'consent',
              request: 'GET /exchange/{{ client.id }}',
              store: { 'credentials.access_token': '$.access_token' },
            },
          ],
        }),
      },
    ],
  })
  const kit = compileMethod(manifest, manifest.auth[0] ?? null, {
    clock: createStoppedClock(),
    serverUrl: null,
    client: { id: 'operator', secret: 's' },
    transport: {
      send(request) {
        sent.push(request)
        return Promise.resolve({
          status: 200,
          headers: {},
          url: request.url,
          body: Buffer.from('{"access_token":"long-lived"}'),
        })
      },
      stream: () => Promise.reject(new Error('nothing is streamed here')),
      close: () => Promise.resolve(),
    },
  })
  const material = {
    credentials: new Secret<JsonObject>({ access_token: 'short', refresh_token: 'r' }),
    session: new Secret<JsonObject>({}),
    config: {},
  }
  expect(kit.finisher?.isDue('connect', material)).toBe(false)
  expect(kit.finisher?.isDue('consent', material)).toBe(true)
  const finished = await kit.finisher?.run('consent', material)
  expect(finished?.credentials.reveal()).toEqual({ access_token: 'long-lived', refresh_token: 'r' })
  expect(sent.map(({ url }) => url)).toEqual(['https://api.example.com/exchange/operator'])
})
