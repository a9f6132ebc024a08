import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { expect, test } from 'vitest'
import { connect } from '../../../src/client/connect.ts'
import { loadManifest } from '../../../src/client/load-manifest.ts'
import { sandbox } from '../../../src/sandbox/open-sandbox.ts'
import { recorder } from '../../../src/sandbox/testing/recorder.ts'
import {
  createUploadVendor,
  type Protocol,
  SESSION_PATH,
  uploadManifest,
} from '../../fixtures/upload-vendors.ts'

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
}

test('a recording replays without the third party, and holds no credentials', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'tenon-tape-'))
  const vendor = await sandbox('jira')
  const options = { ...vendor.options(), limits: null }
  const { username, password } = options.credentials as { username: string; password: string }
  const operation = ['issues', 'api_search', { jql: 'project = OPS', maxResults: 3 }] as const

  const tape = await recorder('jira search', {
    dir,
    mode: 'record',
    env: { JIRA_USER: username, JIRA_TOKEN: password },
  })
  const live = await connect('jira', {
    ...options,
    credentials: { username: tape.value('JIRA_USER'), password: tape.secret('JIRA_TOKEN') },
    dispatcher: tape.dispatcher,
  })
  const recorded = await live.execute(...operation)
  await live.close()
  await tape.stop()
  await vendor.close()

  await using replayed = await recorder('jira search', { dir, mode: 'replay' })
  await using client = await connect('jira', {
    ...options,
    credentials: { username: 'someone@example.com', password: replayed.secret('JIRA_TOKEN') },
    dispatcher: replayed.dispatcher,
  })
  expect((await client.execute(...operation)).records).toEqual(recorded.records)

  const [text = ''] = filesBelow(dir)
  expect(text).toContain('/rest/api/3/search/jql')
  expect(text.toLowerCase()).not.toContain('authorization')
  expect(text).not.toContain(password)
  expect(text).not.toContain(Buffer.from(`${username}:${password}`).toString('base64'))
})

test('a request that the recording lacks is a failure, never a live call', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'tenon-tape-'))
  await using vendor = await sandbox('jira')
  await using tape = await recorder('empty', { dir, mode: 'replay' })
  await using client = await connect('jira', {
    ...vendor.options(),
    limits: null,
    retries: 0,
    dispatcher: tape.dispatcher,
  })
  await expect(client.execute('issue_fields', 'list')).rejects.toMatchObject({
    code: 'upstream_unreachable',
  })
  expect(vendor.requests()).toEqual([])
})

test('a recording without its variables is refused by name', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'tenon-tape-'))
  await using tape = await recorder('nameless', { dir, mode: 'record', env: {} })
  expect(() => tape.secret('GONG_SECRET')).toThrow('GONG_SECRET')
})

test('a recording keeps no value of a header that may be a secret, and no answer that gives one', async () => {
  const SENT = [
    'api-key',
    'apikey',
    'dd-application-key',
    'ocp-apim-subscription-key',
    'private-token',
    'x-amz-security-token',
    'x-api-key',
    'x-auth',
    'x-auth-key',
    'x-auth-token',
    'x-client-secret',
    'x-csrf-token',
    'x-hub-signature-256',
    'x-session-id',
    'x-shopify-access-token',
    'x-vendor-authorization',
    'x-vendor-password',
  ]
  const SHOWN = { 'x-request-id': 'seen-1', 'x-token-count': 'seen-2', 'x-key-id': 'seen-3' }
  const secretOf = (name: string): string => `secret-of-${name}-0123456789`
  const secrets = Object.fromEntries(SENT.map((name) => [name, secretOf(name)]))
  const server = createServer((_, response) => {
    response
      .writeHead(200, { ...secrets, ...SHOWN, 'set-cookie': 'sid=secret-of-cookie' })
      .end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/things`
  const dir = await mkdtemp(join(tmpdir(), 'tenon-tape-'))
  const tape = await recorder('headers', { dir, mode: 'record', env: {} })
  const headers = { ...secrets, ...SHOWN, cookie: 'sid=secret-of-cookie' }
  const { body } = await request(url, { headers, dispatcher: tape.dispatcher })
  await body.dump()
  await tape.stop()
  server.close()
  const [text = ''] = filesBelow(dir)
  expect(SENT.filter((name) => text.includes(secretOf(name)))).toEqual([])
  expect(text).not.toContain('secret-of-cookie')
  expect(Object.values(SHOWN).map((value) => text.split(value).length - 1)).toEqual([2, 2, 2])
})

test.for<Protocol>(['google', 'graph', 'tus'])(
  'the address of an upload is no part of a recording, which replays (%s)',
  async (protocol) => {
    const dir = await mkdtemp(join(tmpdir(), 'tenon-tape-'))
    const vendor = await createUploadVendor(protocol)
    const manifest = await loadManifest(uploadManifest(protocol))
    const upload = async (mode: 'record' | 'replay'): Promise<unknown> => {
      await using tape = await recorder('upload', { dir, mode, env: { KEY: 'key-of-the-depot' } })
      await using client = await connect(manifest, {
        credentials: { key: tape.secret('KEY') },
        serverUrl: vendor.url,
        allowHosts: ['127.0.0.1'],
        dispatcher: tape.dispatcher,
      })
      const file = Buffer.from(Uint8Array.from({ length: 100_000 }, (_, at) => (at * 31) % 251))
      const { data } = await client.execute('files', 'upload', { name: 'film.mp4', file })
      return data
    }
    const recorded = await upload('record')
    expect(vendor.file().bytes).toBe(100_000)
    await vendor[Symbol.asyncDispose]()
    expect(await upload('replay')).toEqual(recorded)
    const [text = ''] = filesBelow(dir)
    expect(text).toContain('/sessions/scrubbed')
    expect(text).not.toContain(SESSION_PATH)
  },
)
