// `after_token` of methods without oauth2: what a connection needs to know is asked for once, with the credentials.
import { expect, test } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { findingsOf, methodManifest } from '../fixtures/method-manifest.ts'

const KEY = {
  credentials: { required: ['key'], properties: { key: { type: 'string', writeOnly: true } } },
  apply: { headers: { 'X-Key': '{{ credentials.key }}' } },
}
const LOGIN = {
  credentials: { required: ['pin'], properties: { pin: { type: 'string', writeOnly: true } } },
  apply: { headers: { 'X-Session': '{{ session.token }}' } },
  session: {
    request: { http: 'POST /login', body: { pin: '{{ credentials.pin }}' } },
    store: { 'session.token': '$.token' },
  },
}
const AFTER = {
  after_token: [{ request: { http: 'GET /me' }, store: { 'config.account': '$.account.id' } }],
}
const SERVER = {
  server: {
    url: ['https://api.acme.example/accounts/{{ config.account }}', 'https://api.acme.example'],
  },
  config: { properties: { account: { type: 'string' } } },
}

test.for([
  { name: 'a key', method: { ...KEY, ...AFTER }, login: [] },
  { name: 'a login', method: { ...LOGIN, ...AFTER }, login: ['POST /login'] },
])('$name: the account is asked for once', async ({ method, login }) => {
  const manifest = methodManifest({ key: method }, SERVER)
  await using vendor = await createSandbox(manifest, null)
  await using client = await connect(manifest, {
    ...vendor.options(),
    onCredentials: () => {},
    retries: 0,
  })
  await Promise.all([client.execute('things', 'list'), client.execute('things', 'list')])
  const sent = vendor.requests().map((each) => `${each.method} ${each.target}`)
  const listed = 'GET /accounts/demo-account/things'
  expect(sent).toEqual([...login, 'GET /me', listed, listed])
})

test.for([
  {
    name: 'a look-up after a consent that there is not',
    method: { ...KEY, after_token: [{ ...AFTER.after_token[0], on: 'consent' }] },
    want: 'on',
  },
  {
    name: 'a setting that there is not',
    method: {
      ...KEY,
      after_token: [{ request: { http: 'GET /me' }, store: { 'config.acount': '$.id' } }],
    },
    want: 'auth/undeclared-target',
  },
])('lint refuses $name', ({ method, want }) => {
  const found = findingsOf({ key: method }, SERVER)
  expect(found).toHaveLength(1)
  expect(found[0]).toContain(want)
})
