import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { inspect } from 'node:util'

import { jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'

import { createCredentialKeeper } from '../../../src/engine/credentials/keeper.ts'
import type { CredentialKeeper } from '../../../src/engine/credentials/refreshing-keeper.ts'
import type { Transport } from '../../../src/engine/exchange/transport.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import { loadManifestFile, requireManifest } from '../../../src/language/manifest/load.ts'
import type { Manifest } from '../../../src/language/manifest/manifest.ts'
import type { UpstreamRequest } from '../../../src/engine/request/upstream-request.ts'
import { createStoppedClock } from './stopped-clock.ts'
import { PREFIXES } from '../../fixtures/credential-prefixes.ts'

// What the manifests of this project say about authentication, against what the vendors document.

const FILES = readdirSync('manifests').filter((file) => file.endsWith('.yaml'))
const SOON = 1e9

async function manifestIn(file: string): Promise<Manifest> {
  return requireManifest(await loadManifestFile(`manifests/${file}`))
}

interface World {
  readonly keeper: CredentialKeeper
  readonly sent: UpstreamRequest[]
  readonly saved: unknown[]
  readonly log: string[]
}

async function worldOf(
  file: string,
  credentials: JsonObject,
  config: JsonObject = {},
  answers: readonly unknown[] = [],
): Promise<World> {
  const sent: UpstreamRequest[] = []
  const saved: unknown[] = []
  const log: string[] = []
  const line = (facts: object, message: string): void =>
    void log.push(message + JSON.stringify(facts))
  const transport: Transport = {
    send(request) {
      const body = Buffer.from(JSON.stringify(answers[sent.length] ?? {}))
      sent.push(request)
      return Promise.resolve({
        status: 200,
        headers: { 'content-type': 'application/json' },
        url: request.url,
        body,
      })
    },
    stream: () => Promise.reject(new Error('nothing is streamed here')),
    close: () => Promise.resolve(),
  }
  const keeper = createCredentialKeeper({
    manifest: await manifestIn(file),
    credentials,
    config,
    onCredentials: (next, change) => void saved.push({ next, ...change }),
    transport,
    clock: createStoppedClock(),
    log: { info: line, warn: line, error: line },
  })
  return { keeper, sent, saved, log }
}

/** Settings without which a manifest has no base URL. */
const SETTINGS: Readonly<Record<string, JsonObject>> = {
  'jira.yaml': { subdomain: 'acme', cloud_id: '11111111-2222-3333-4444-555555555555' },
  'facebook-marketing.yaml': { account_ids: '1101' },
}
/** As GitHub hands it out. */
const PRIVATE_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
  format: 'pem',
  type: 'pkcs1',
})
/** Credentials that have a form, by their names. */
const FORMED: Readonly<Record<string, string>> = {
  installation_id: '42',
  private_key: String(PRIVATE_KEY),
}
/** What a login answers. */
const LOGGED_IN = { token: 'canary-session-9876', expires_at: '2100-01-01T00:00:00Z' }
const CLIENT = { client_id: 'the-client', client_secret: 'the-client-secret' }

describe('Gong', () => {
  test('an access key travels as Basic', async () => {
    const { keeper } = await worldOf('gong.yaml', {
      access_key: 'KEY',
      access_key_secret: 'SECRET',
    })
    const { applied, config } = await keeper.current(SOON)
    // printf 'KEY:SECRET' | base64
    expect(applied).toEqual({ headers: { authorization: 'Basic S0VZOlNFQ1JFVA==' }, query: [] })
    expect(config).toEqual({ api_base_url: 'https://api.gong.io' })
  })

  test('a refresh token alone is refreshed first, and the answer names the API host', async () => {
    const { keeper, sent, saved } = await worldOf(
      'gong.yaml',
      { refresh_token: 'old', ...CLIENT },
      {},
      [
        {
          access_token: 'new-access',
          refresh_token: 'new-refresh',
          token_type: 'bearer',
          expires_in: 86_400,
          scope: 'api:users:read',
          api_base_url_for_customer: 'https://us-12345.api.gong.io',
        },
      ],
    )
    const { applied, config } = await keeper.current(SOON)
    expect(sent).toEqual([
      {
        method: 'POST',
        url: 'https://app.gong.io/oauth2/generate-customer-token',
        headers: {
          accept: 'application/json',
          // printf 'the-client:the-client-secret' | base64
          authorization: 'Basic dGhlLWNsaWVudDp0aGUtY2xpZW50LXNlY3JldA==',
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: 'grant_type=refresh_token&refresh_token=old',
        redirects: 0,
        timeoutMs: 120_000,
        headMs: 120_000,
        secretHeaders: ['authorization'],
        secretQuery: [],
      },
    ])
    expect(applied).toEqual({ headers: { authorization: 'Bearer new-access' }, query: [] })
    expect(config).toEqual({ api_base_url: 'https://us-12345.api.gong.io' })
    expect(saved).toEqual([
      {
        next: { access_token: 'new-access', refresh_token: 'new-refresh', ...CLIENT },
        previous: { refresh_token: 'old', ...CLIENT },
        reason: 'missing',
        config: { api_base_url: 'https://us-12345.api.gong.io' },
      },
    ])
  })

  test('O9 an API host that is not of Gong is refused', async () => {
    const { keeper, log } = await worldOf('gong.yaml', { refresh_token: 'old', ...CLIENT }, {}, [
      {
        access_token: 'a',
        refresh_token: 'r',
        api_base_url_for_customer: 'https://api.gong.io.evil.example',
      },
    ])
    expect((await keeper.current(SOON)).config).toEqual({ api_base_url: 'https://api.gong.io' })
    expect(log.join()).toContain('config.api_base_url')
  })
})

describe('Jira', () => {
  test.for([
    { username: 'ada@example.com', password: 'TOKEN' },
    { email: 'ada@example.com', api_token: 'TOKEN' },
  ])('e-mail and API token travel as Basic: %o', async (credentials) => {
    const { keeper } = await worldOf('jira.yaml', credentials, { subdomain: 'acme' })
    // printf 'ada@example.com:TOKEN' | base64
    expect((await keeper.current(SOON)).applied).toEqual({
      headers: { authorization: 'Basic YWRhQGV4YW1wbGUuY29tOlRPS0VO' },
      query: [],
    })
  })

  test('a site is needed', async () => {
    const without = worldOf('jira.yaml', { username: 'ada@example.com', password: 'TOKEN' })
    await expect(without).rejects.toMatchObject({ code: 'config_invalid' })
  })

  test('OAuth refreshes by JSON and finds its site', async () => {
    const { keeper, sent, saved } = await worldOf(
      'jira.yaml',
      { refresh_token: 'old', ...CLIENT },
      { subdomain: 'acme' },
      [
        {
          access_token: 'new-access',
          refresh_token: 'new-refresh',
          expires_in: 3600,
          token_type: 'Bearer',
        },
        [
          {
            id: '99999999-2222-3333-4444-555555555555',
            url: 'https://other.atlassian.net',
            name: 'other',
            scopes: [],
          },
          {
            id: '11111111-2222-3333-4444-555555555555',
            url: 'https://acme.atlassian.net',
            name: 'acme',
            scopes: [],
          },
        ],
      ],
    )
    const { applied, config } = await keeper.current(SOON)
    expect(
      sent.map(({ method, url, headers, body }) => ({
        method,
        url,
        authorization: headers['authorization'],
        body,
      })),
    ).toEqual([
      {
        method: 'POST',
        url: 'https://auth.atlassian.com/oauth/token',
        authorization: undefined,
        body: '{"grant_type":"refresh_token","refresh_token":"old","client_id":"the-client","client_secret":"the-client-secret"}',
      },
      {
        method: 'GET',
        url: 'https://api.atlassian.com/oauth/token/accessible-resources',
        authorization: 'Bearer new-access',
        body: null,
      },
    ])
    expect(applied).toEqual({ headers: { authorization: 'Bearer new-access' }, query: [] })
    expect(config).toEqual({ subdomain: 'acme', cloud_id: '11111111-2222-3333-4444-555555555555' })
    expect(saved).toMatchObject([
      { reason: 'missing', config: { subdomain: 'acme' } },
      {
        reason: 'connected',
        config: { subdomain: 'acme', cloud_id: '11111111-2222-3333-4444-555555555555' },
      },
    ])
  })

  test('several sites and none that matches: the choices are named', async () => {
    const { keeper } = await worldOf('jira.yaml', { access_token: 'a', refresh_token: 'r' }, {}, [
      [
        { id: '1', url: 'https://one.atlassian.net' },
        { id: '2', url: 'https://two.atlassian.net' },
      ],
    ])
    await expect(keeper.current(SOON)).rejects.toMatchObject({
      code: 'config_invalid',
      errors: [
        {
          pointer: '/config/subdomain',
          allowed: ['https://one.atlassian.net', 'https://two.atlassian.net'],
        },
      ],
    })
  })
})

describe('GitHub', () => {
  const INSTALLATION = {
    app_id: 'Iv1.demo',
    installation_id: '42',
    private_key: String(PRIVATE_KEY),
  }

  test('a GitHub App asks for the token of an installation with an assertion of its key', async () => {
    const { keeper, sent } = await worldOf('github.yaml', INSTALLATION, {}, [
      { token: 'ghs_installation', expires_at: '2100-01-01T00:00:00Z', permissions: {} },
    ])
    const { applied, config } = await keeper.current(SOON)
    const { authorization = '', ...headers } = sent[0]?.headers ?? {}
    expect([sent[0]?.method, sent[0]?.url, headers]).toEqual([
      'POST',
      'https://api.github.com/app/installations/42/access_tokens',
      { accept: 'application/json', 'user-agent': 'tenon', 'x-github-api-version': '2022-11-28' },
    ])
    const now = createStoppedClock().now()
    const { payload, protectedHeader } = await jwtVerify(
      authorization.replace('Bearer ', ''),
      createPublicKey(PRIVATE_KEY),
      { currentDate: new Date(now) },
    )
    expect(protectedHeader.alg).toBe('RS256')
    expect(payload.iss).toBe('Iv1.demo')
    // GitHub takes no assertion from its future, and none that lives longer than ten minutes.
    const [issued = 0, ends = 0] = [payload.iat, payload.exp]
    expect(issued).toBe(Math.floor(now / 1000) - 60)
    expect(ends - issued).toBeLessThanOrEqual(600)
    expect(applied).toEqual({ headers: { authorization: 'Bearer ghs_installation' }, query: [] })
    expect(config).toMatchObject({ api_host: 'api.github.com', host: 'github.com' })
    expect(sent).toHaveLength(1)
  })

  test('a user of GitHub Enterprise Server refreshes at the host of the pages', async () => {
    const { keeper, sent } = await worldOf(
      'github.yaml',
      { refresh_token: 'ghr_1', ...CLIENT },
      { host: 'github.example.com', api_host: 'github.example.com/api/v3' },
      [{ access_token: 'ghu_2', refresh_token: 'ghr_2', expires_in: 28_800, token_type: 'bearer' }],
    )
    const { applied } = await keeper.current(SOON)
    expect([sent[0]?.url, sent[0]?.body]).toEqual([
      'https://github.example.com/login/oauth/access_token',
      'grant_type=refresh_token&refresh_token=ghr_1&client_id=the-client&client_secret=the-client-secret',
    ])
    expect(applied).toEqual({ headers: { authorization: 'Bearer ghu_2' }, query: [] })
  })
})

describe('every manifest', () => {
  test.for(FILES.map((file) => ({ file })))(
    'K5 K8 $file: no printed form of its credentials shows a secret',
    async ({ file }) => {
      const manifest = await manifestIn(file)
      for (const method of manifest.auth) {
        const properties = method.credentials.schema['properties'] as JsonObject
        const credentials = Object.fromEntries(
          Object.entries(properties).map(([name, schema]) => {
            const { format, pattern } = schema as JsonObject
            const prefix = typeof pattern === 'string' ? (PREFIXES[pattern] ?? '') : ''
            const plain = format === 'email' ? 'ada@example.com' : `${prefix}canary-${name}-9876`
            return [name, FORMED[name] ?? plain]
          }),
        )
        const secrets = method.credentials.secrets.map(([name = '']) => credentials[name] ?? '')
        expect(secrets.length).toBeGreaterThan(0)
        const world = await worldOf(file, credentials, SETTINGS[file] ?? {}, [LOGGED_IN])
        const lent = await world.keeper.current(SOON)
        const shown = [lent, world.keeper, [lent], { lent }]
          .flatMap((value) => [
            inspect(value, { depth: 9, showHidden: true }),
            JSON.stringify(value),
          ])
          .concat(
            world.log,
            world.keeper.redact(JSON.stringify(lent.applied)),
            world.keeper.redact(JSON.stringify(lent.credentials)),
          )
          .join('\n')
        for (const secret of secrets) {
          expect(shown).not.toContain(secret)
          expect(shown).not.toContain(Buffer.from(secret).toString('base64').slice(0, 12))
        }
      }
    },
  )
})
