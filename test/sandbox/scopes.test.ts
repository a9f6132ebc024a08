// Tokens that were issued for less than an action needs: the vendor refuses, and the client says what is missing.
import { describe, expect, test } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { loadManifestFile, requireManifest } from '../../src/language/manifest/load.ts'
import { sandbox } from '../../src/sandbox/open-sandbox.ts'
import { textOf } from '../../src/sandbox/wire/same-scalar.ts'

/** `ok`, or what the client says of the failure. */
async function outcomeOf(
  type: string,
  operation: string,
  given: { readonly withhold: readonly string[]; readonly method: string },
): Promise<unknown> {
  const manifest = requireManifest(await loadManifestFile(`manifests/${type}.yaml`))
  await using vendor = await sandbox(type, { withhold: given.withhold })
  await using client = await connect(manifest, { ...vendor.options(given.method), limits: null })
  const [entity = '', action = ''] = operation.split('.')
  try {
    await client.execute(entity, action, vendor.example(operation))
    return 'ok'
  } catch (error) {
    const { code, details, upstream } = error as Record<string, unknown>
    return { code, details, upstream }
  }
}

describe('what a token was not issued for is refused in the vendor’s own form', () => {
  test.for([
    {
      type: 'gong',
      operation: 'users.list',
      withhold: 'api:users:read',
      status: 401,
      body: `{"errors":["You don't have permission to use 'api:users:read'"],"requestId":"`,
      details: { scopes: ['api:users:read'] },
    },
    {
      type: 'jira',
      operation: 'issues.update',
      withhold: 'write:jira-work',
      status: 403,
      body: '{"errorMessages":["The token lacks the scope write:jira-work"],',
      details: { scopes: ['write:jira-work', 'read:jira-work'] },
    },
    {
      type: 'facebook-marketing',
      operation: 'campaigns.update',
      withhold: 'ads_management',
      status: 403,
      body: '{"error":{"message":"(#10) Application does not have permission for this action",',
      details: { scopes: ['ads_management'], vendorCode: '10' },
    },
  ])('$type', async ({ type, operation, withhold, status, body, details }) => {
    const [entity = '', action = ''] = operation.split('.')
    const refused = await outcomeOf(type, operation, { withhold: [withhold], method: 'oauth' })
    expect(refused).toMatchObject({
      code: 'upstream_forbidden',
      details: { entity, action, ...details },
      upstream: { status },
    })
    expect((refused as { upstream: { body: string } }).upstream.body.startsWith(body)).toBe(true)
  })
})

test.for([
  ['gong', 'calls.list', 'api:users:read', 'oauth'],
  ['gong', 'users.list', 'api:users:read', 'access_key'],
  ['gong', 'calls_extensive.list', 'api:calls:read:media-url', 'oauth'],
  ['jira', 'issues.get', 'write:jira-work', 'oauth'],
  ['jira', 'issues.update', 'write:jira-work', 'api_token'],
  ['facebook-marketing', 'campaigns.list', 'ads_management', 'oauth'],
] as const)('%s: %s needs no %s with %s', async ([type, operation, withheld, method]) => {
  expect(await outcomeOf(type, operation, { withhold: [withheld], method })).toBe('ok')
})

test('Gong: links of media need a scope of their own, also for a download', async () => {
  const given = { withhold: ['api:calls:read:media-url'], method: 'oauth' }
  expect(await outcomeOf('gong', 'call_audio.download', given)).toMatchObject({
    code: 'upstream_forbidden',
    details: { scopes: ['api:calls:read:extensive', 'api:calls:read:media-url'] },
  })
})

describe('a consent', () => {
  const CALLBACK = 'https://host.example/callback'

  /** The token answer of a consent at Gong's sandbox, and what its token may do. */
  async function connected(
    asked: string | null,
    { withhold = [], chosen = [] }: { withhold?: readonly string[]; chosen?: readonly string[] },
  ) {
    await using vendor = await sandbox('gong', { withhold })
    const { id, secret } = vendor.client
    const query = new URLSearchParams({
      client_id: id,
      response_type: 'code',
      redirect_uri: CALLBACK,
      ...(asked === null ? {} : { scope: asked }),
    })
    for (const scope of chosen) query.append('sandbox_scope', scope)
    const answer = await fetch(`${vendor.url}/oauth2/authorize?${query.toString()}`, {
      redirect: 'manual',
    })
    const back = new URL(answer.headers.get('location') ?? '').searchParams
    if (back.has('error')) return back.get('error')
    const token = async (given: Record<string, string>) => {
      const response = await fetch(`${vendor.url}/oauth2/generate-customer-token`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
        },
        body: new URLSearchParams({ client_id: id, ...given }),
      })
      return (await response.json()) as Record<string, unknown>
    }
    const first = await token({
      grant_type: 'authorization_code',
      code: back.get('code') ?? '',
      redirect_uri: CALLBACK,
    })
    const second = await token({
      grant_type: 'refresh_token',
      refresh_token: textOf(first['refresh_token'] as string),
    })
    const statuses = await Promise.all(
      ['/v2/users', '/v2/calls', '/v2/workspaces'].map(async (path) => {
        const { status } = await fetch(vendor.url + path, {
          headers: { authorization: `Bearer ${textOf(second['access_token'] as string)}` },
        })
        return status
      }),
    )
    return { scope: first['scope'], refreshed: second['scope'], statuses }
  }

  const TWO = 'api:users:read api:calls:read:basic'

  test.for([
    {
      name: 'gives what was asked for, and a refresh no more',
      asked: TWO,
      want: { scope: TWO, refreshed: TWO, statuses: [200, 200, 401] },
    },
    {
      name: 'that asks for nothing in particular gives everything',
      asked: null,
      want: { scope: undefined, refreshed: undefined, statuses: [200, 200, 200] },
    },
    {
      name: 'gives what was chosen on the page',
      asked: TWO,
      chosen: ['', 'api:users:read', 'api:workspaces:read'],
      want: { scope: 'api:users:read', refreshed: 'api:users:read', statuses: [200, 401, 401] },
    },
    {
      name: 'gives nothing that is withheld',
      asked: TWO,
      withhold: ['api:calls:read:basic'],
      want: { scope: 'api:users:read', refreshed: 'api:users:read', statuses: [200, 401, 401] },
    },
    { name: 'to nothing at all is a refusal', asked: TWO, chosen: [''], want: 'access_denied' },
  ])('$name', async ({ asked, want, ...given }) => {
    expect(await connected(asked, given)).toEqual(want)
  })
})

test('Facebook: a token that is exchanged for another one gives it no more rights', async () => {
  await using vendor = await sandbox('facebook-marketing', { withhold: ['ads_management'] })
  const options = vendor.options('oauth')
  const given = options.credentials.access_token
  const query = new URLSearchParams({
    grant_type: 'fb_exchange_token',
    client_id: vendor.client.id,
    client_secret: vendor.client.secret,
    fb_exchange_token: given,
  })
  const answer = await fetch(`${vendor.url}/v24.0/oauth/access_token?${query.toString()}`)
  const { access_token } = (await answer.json()) as { readonly access_token: string }
  expect(access_token).not.toBe(given)
  const credentials = { ...options.credentials, access_token }
  await using client = await connect('facebook-marketing', { ...options, credentials })
  const [campaign] = (await client.campaigns.list({ account_id: 'act_1101' })).records
  const changed = { campaign_id: textOf(campaign?.id), name: 'Winter' }
  await expect(client.campaigns.update(changed)).rejects.toMatchObject({
    code: 'upstream_forbidden',
  })
})

test('a scope that no action needs cannot be withheld', async () => {
  await expect(sandbox('gong', { withhold: ['api:nothing'] })).rejects.toThrow(
    /^gong has no scope "api:nothing"; it has api:users:read, /,
  )
})
