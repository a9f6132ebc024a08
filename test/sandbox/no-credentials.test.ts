// `apply: none`: an API that is called without credentials, alone and next to a method with a token.
import { expect, test } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { eventually } from '../faults/resources.ts'
import { findingsOf, methodFile, methodManifest } from '../fixtures/method-manifest.ts'
import { runService } from '../fixtures/running-service.ts'

const PUBLIC = { public: { title: 'Without an account', apply: 'none' } }
const TOKEN = {
  credentials: {
    required: ['token'],
    properties: { token: { type: 'string', writeOnly: true } },
  },
  apply: { bearer: '{{ credentials.token }}' },
}

const outcomeOf = async (run: Promise<unknown>): Promise<string> => {
  try {
    await run
    return 'ok'
  } catch (error) {
    return String((error as { code?: unknown }).code)
  }
}

test('the sandbox answers requests without credentials, and refuses wrong ones', async () => {
  const manifest = methodManifest({ ...PUBLIC, token: TOKEN })
  await using vendor = await createSandbox(manifest, null)
  const { credentials: known, ...options } = vendor.options('token')
  const list = async (credentials: object): Promise<string> => {
    await using client = await connect(manifest, { ...options, retries: 0, credentials })
    return await outcomeOf(client.execute('things', 'list'))
  }
  expect([
    vendor.options().credentials,
    await list({}),
    await list(known),
    await list({ token: 'wrong' }),
  ]).toEqual([{}, 'ok', 'ok', 'credentials_refused'])
  const [first, second] = vendor.requests()
  expect([first?.headers['authorization'], typeof second?.headers['authorization']]).toEqual([
    undefined,
    'string',
  ])
})

test('credentials that a connector does not take are refused with the methods it has', async () => {
  const manifest = methodManifest({ ...PUBLIC, token: TOKEN })
  await expect(
    (async () => {
      await connect(manifest, { credentials: { tokn: 'x' } })
    })(),
  ).rejects.toMatchObject({
    code: 'credentials_invalid',
    message:
      'the credentials fit no method of acme: give those of public (none) or of token (token)',
  })
})

test('an instance needs neither credentials nor a consent, and its form asks for nothing', async () => {
  await using file = await methodFile(PUBLIC)
  await using world = await runService({ manifests: [file.path] })
  const created = await world.call('POST', '/v1/integrations/connectors', {
    external_user_id: 'user-42',
    connector_type: 'acme',
    name: 'open data',
  })
  expect([created.status, created.body]).toMatchObject([
    201,
    { state: 'active', auth_method: 'public' },
  ])
  const refused = await world.call('POST', '/v1/integrations/connectors', {
    external_user_id: 'user-42',
    connector_type: 'acme',
    name: 'open data',
    credentials: { token: 'x' },
  })
  expect([refused.status, refused.body]).toMatchObject([
    400,
    { code: 'credentials_invalid', errors: [{ pointer: '/credentials/token' }] },
  ])
  const session = await world.call('POST', '/v1/connect/sessions', {
    external_user_id: 'user-43',
    connector_types: ['acme'],
    return_url: 'http://localhost:3000/connected',
  })
  const { connect_url: url } = session.body as { connect_url: string }
  const form = await (await fetch(url)).text()
  expect([form.includes('type="password"'), form.includes('What you enter')]).toEqual([
    false,
    false,
  ])
  const body = new URLSearchParams({ connector: 'acme', way: 'public' })
  const sent = await fetch(url, { method: 'POST', body, redirect: 'manual' })
  expect(sent.status).toBeLessThan(400)
  await eventually(async () => {
    const { body: list } = await world.call(
      'GET',
      '/v1/integrations/connectors?external_user_id=user-43',
    )
    return (list as { data: readonly unknown[] }).data.length === 1
  })
})

test.for([
  {
    name: 'another word',
    auth: { public: { apply: 'nothing' } },
    want: ['apply', 'none'],
  },
  {
    name: 'a login whose session is applied nowhere',
    auth: { public: { apply: 'none', session: { request: 'x', store: {} } } },
    want: ['session'],
  },
  {
    name: 'credentials that nothing applies',
    auth: { public: { ...TOKEN, apply: 'none' } },
    want: ['auth/credential-unused', '"token"'],
  },
  {
    name: 'a method with credentials that does not say which',
    auth: { token: { apply: { bearer: '{{ credentials.token }}' } } },
    want: ['credentials'],
  },
  {
    name: 'two methods without credentials',
    auth: { ...PUBLIC, other: { apply: 'none' } },
    want: ['auth/indistinct', 'credentials that suit other suit public too'],
  },
])('lint refuses $name', ({ auth, want }) => {
  const found = findingsOf(auth).join('\n')
  for (const part of want) expect(found).toContain(part)
  expect(found.split('\n')).toHaveLength(1)
})
