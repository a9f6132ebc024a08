import { describe, expect, test } from 'vitest'

import type { Material } from '../../../src/engine/credentials/material.ts'
import { Secret } from '../../../src/engine/credentials/redact.ts'
import { compileStores } from '../../../src/engine/credentials/stored-values.ts'
import type { Json } from '../../../src/language/json/json.ts'
import type { Manifest } from '../../../src/language/manifest/manifest.ts'
import { exampleManifest, type ExampleMethod, oauthMethod } from './example-manifest.ts'
import { call, setUp } from './keeper-set-up.ts'

const CONFIG = {
  properties: {
    api_base_url: { type: 'string', format: 'uri', default: 'https://api.example.com' },
    region: { type: 'string', pattern: '^[a-z]{2}$' },
  },
}
const STORES: Readonly<Record<string, string>> = {
  'config.api_base_url': '$.api_base_url_for_customer',
  'config.region': '$.region',
  'credentials.client_id': '$.client',
  'session.user': '$.user.id',
}
const OLD = 'https://old.api.example.com'

function manifestWith(changes: { hosts?: 'any'; method?: Partial<ExampleMethod> } = {}): Manifest {
  return exampleManifest({
    url: '{{ config.api_base_url }}',
    config: CONFIG,
    methods: [{ ...oauthMethod({ store: STORES }), ...changes.method }],
    ...(changes.hosts === undefined ? {} : { hosts: changes.hosts }),
  })
}

function store(body: Json, manifest = manifestWith()): unknown {
  const [method] = manifest.auth
  if (method === undefined) throw new Error('there is one method')
  const before: Material = {
    credentials: new Secret({ refresh_token: 'rt', client_id: 'old' }),
    session: new Secret({}),
    config: { api_base_url: OLD, region: 'eu' },
  }
  const { material, refused } = compileStores(
    manifest,
    method,
    method.oauth2?.store ?? [],
  )(body, before)
  return {
    credentials: material.credentials.reveal(),
    session: material.session.reveal(),
    config: material.config,
    refused: refused.map(({ target, reason }) => `${target} ${reason}`),
  }
}

const GOOD = {
  api_base_url_for_customer: 'https://us-1.api.example.com',
  region: 'us',
  client: 'new',
  user: { id: 7 },
}

test('values are kept where the manifest says', () => {
  expect(store(GOOD)).toEqual({
    credentials: { refresh_token: 'rt', client_id: 'new' },
    session: { user: 7 },
    config: { api_base_url: 'https://us-1.api.example.com', region: 'us' },
    refused: [],
  })
})

describe('an API host that a token answer names', () => {
  test.for([
    'https://evil.example',
    'https://evil.example/',
    'https://evil.example#.api.example.com',
    'https://evilapi.example.com',
    'https://api.example.com.evil.example',
    'https://x@evil.example',
    'https://api.example.com@evil.example',
    'https://user:pw@us-1.api.example.com',
    'https://us-1.api.example.com:8443',
    'https://127.0.0.1',
    'https://[::1]',
    'https://169.254.169.254',
    'https://2130706433',
    'http://us-1.api.example.com',
    'ftp://us-1.api.example.com',
    'javascript:alert(1)',
    'https://us-1.api.example.com\\@evil.example',
    'us-1.api.example.com',
    '//us-1.api.example.com',
    '',
    7,
    { url: 'https://us-1.api.example.com' },
  ])('O9 %j is refused and the old one stays', (host) => {
    expect(store({ ...GOOD, api_base_url_for_customer: host })).toMatchObject({
      config: { api_base_url: OLD, region: 'us' },
      refused: [expect.stringMatching(/^config\.api_base_url (schema|destination)$/)],
    })
  })

  test('O9 it is refused as a whole where the customer runs the server', () => {
    expect(store(GOOD, manifestWith({ hosts: 'any' }))).toMatchObject({
      config: { api_base_url: OLD },
      refused: ['config.api_base_url destination'],
    })
  })

  test('O9 it is not looked at where the method has a base URL of its own', () => {
    const manifest = manifestWith({ method: { url: 'https://api.example.com' } })
    expect(
      store({ ...GOOD, api_base_url_for_customer: 'https://evil.example' }, manifest),
    ).toMatchObject({
      refused: [],
    })
  })
})

test.for([
  {
    name: 'breaks its schema',
    body: { ...GOOD, region: 'europe' },
    refused: ['config.region schema'],
  },
  {
    name: 'has the wrong type',
    body: { ...GOOD, client: 5 },
    refused: ['credentials.client_id schema'],
  },
  { name: 'is missing', body: { ...GOOD, user: {} }, refused: ['session.user absent'] },
  { name: 'is null', body: { ...GOOD, region: null }, refused: ['config.region absent'] },
])('a value that $name is not kept, the others are', ({ body, refused }) => {
  expect(store(body)).toMatchObject({
    config: { api_base_url: 'https://us-1.api.example.com' },
    refused,
  })
})

describe('through a refresh', () => {
  const manifest = manifestWith()

  test('a new API host travels to the host app with the tokens and is used at once', async () => {
    const world = setUp({
      manifest,
      provider: { extra: { api_base_url_for_customer: 'https://us-1.api.example.com' } },
    })
    expect(world.keeper.config()).toEqual({ api_base_url: 'https://api.example.com' })
    world.provider.endAccess()
    expect(await call(world)).toBe('ok')
    expect(world.saved.map(({ config }) => config)).toEqual([
      { api_base_url: 'https://us-1.api.example.com' },
    ])
    expect((await world.keeper.current(world.soon())).config).toEqual({
      api_base_url: 'https://us-1.api.example.com',
    })
  })

  test('O9 an evil one costs neither the tokens nor the old host, and the log says so', async () => {
    const world = setUp({
      manifest,
      provider: { extra: { api_base_url_for_customer: 'https://evil.example' } },
    })
    world.provider.endAccess()
    expect(await call(world)).toBe('ok')
    expect(world.keeper.config()).toEqual({ api_base_url: 'https://api.example.com' })
    expect(world.log.filter((line) => line.startsWith('error'))).toEqual([
      expect.stringContaining('"target":"config.api_base_url","reason":"destination"'),
    ])
    expect(world.log.join()).not.toContain('evil.example')
  })

  test('O9 a server URL of the caller does not switch the check off', async () => {
    const world = setUp({
      manifest,
      serverUrl: 'https://sandbox.example.org',
      provider: { extra: { api_base_url_for_customer: 'https://evil.example' } },
    })
    world.provider.endAccess()
    expect(await call(world)).toBe('ok')
    expect(world.keeper.config()).toEqual({ api_base_url: 'https://api.example.com' })
    expect(world.transport.sent.map(({ url }) => url)).toEqual([
      'https://sandbox.example.org/token',
    ])
  })
})
