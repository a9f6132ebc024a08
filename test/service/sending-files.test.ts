// Files through the service: passed on as they arrive, and nothing half done is called done.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type ClientRequest, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { fileFrom } from '../../src/client/files.ts'
import { connectHosted as connectByFetch } from '../../src/client/fetch/index.ts'
import { connectHosted } from '../../src/client/hosted.ts'
import { loadManifest } from '../../src/client/load-manifest.ts'
import { createUndiciTransport } from '../../src/engine/adapters/undici-transport.ts'
import { DEFAULT_LIMITS } from '../../src/engine/exchange/transport-limits.ts'
import type { ServiceOptions } from '../../src/hosting/service.ts'
import { FIRST_ORGANIZATION } from '../../src/service/tokens/applications.ts'
import { eventually } from '../faults/resources.ts'
import { type RunningService, runService } from '../fixtures/running-service.ts'
import { type Depot, startDepot } from './depot.ts'

const MANIFEST = join(import.meta.dirname, 'depot.yaml')
const TOKEN = 'token-of-a-developer'
const SETTINGS: ServiceOptions = {
  mode: 'dev',
  devToken: TOKEN,
  manifests: [MANIFEST],
  connectors: ['depot'],
  allowHosts: ['127.0.0.1'],
}
const INSTANCE = {
  external_user_id: 'user-1',
  connector_type: 'depot',
  name: 'depot',
  credentials: { key: 'key-of-the-depot' },
}

let vendor: Depot
let world: RunningService
let id: string
let client: Client

beforeAll(async () => {
  vendor = await startDepot()
  world = await runService(SETTINGS)
  const made = await world.call('POST', '/v1/integrations/connectors?check=false', {
    ...INSTANCE,
    server_url: vendor.url,
  })
  id = (made.body as { readonly id: string }).id
  client = await connectHosted(await loadManifest(MANIFEST), {
    baseUrl: world.url,
    connectorId: id,
    token: TOKEN,
  })
})
afterAll(async () => {
  await client.close()
  await world[Symbol.asyncDispose]()
  await vendor[Symbol.asyncDispose]()
})
beforeEach(() => vendor.reset())

const path = (): string => `/api/v1/connectors/sources/${id}/execute`

async function send(
  form: FormData | { readonly body: string; readonly type: string },
  headers: Record<string, string> = {},
): Promise<{ readonly status: number; readonly body: unknown; readonly replayed: boolean }> {
  const isText = !(form instanceof FormData)
  const response = await fetch(world.url + path(), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TOKEN}`,
      ...(isText ? { 'content-type': form.type } : {}),
      ...headers,
    },
    body: isText ? form.body : form,
  })
  const replayed = response.headers.get('idempotent-replayed') === 'true'
  return { status: response.status, body: await response.json(), replayed }
}

function formOf(operation: object, files: Readonly<Record<string, Blob>>): FormData {
  const form = new FormData()
  form.append('operation', new Blob([JSON.stringify(operation)], { type: 'application/json' }))
  for (const [name, file] of Object.entries(files)) form.append(name, file)
  return form
}

const CREATE = { entity: 'files', action: 'create', params: { folder: 'a' } }

describe('a form', () => {
  test('brings a file to the third party, with what it says of the file', async () => {
    const file = new File(['one,two'], 'a.csv', { type: 'text/csv' })
    const answer = await send(formOf(CREATE, { content: file }))
    expect([answer.status, answer.body]).toEqual([
      200,
      { data: { id: '1' }, meta: {}, execution: expect.objectContaining({ connector_id: id }) },
    ])
    expect(vendor.got).toEqual([
      {
        path: '/files',
        text: 'one,two',
        folder: 'a',
        type: 'text/csv',
        length: undefined,
        authorization: 'Bearer key-of-the-depot',
      },
    ])
  })

  test('whose operation tells the size makes a request with a length', async () => {
    const files = { content: { size: 7, type: 'text/plain' } }
    await send(formOf({ ...CREATE, files }, { content: new Blob(['one,two']) }))
    expect(vendor.got).toMatchObject([{ text: 'one,two', type: 'text/plain', length: '7' }])
  })

  test('brings an empty file', async () => {
    await send(formOf(CREATE, { content: new Blob([]) }))
    expect(vendor.got).toMatchObject([{ text: '' }])
  })

  test('without a file is the same as JSON', async () => {
    const params = { content: 'b25l' }
    const answer = await send(formOf({ ...CREATE, params }, {}))
    expect([answer.status, vendor.got]).toMatchObject([200, [{ text: 'one' }]])
  })

  test('brings several files in their order', async () => {
    const operation = { entity: 'pairs', action: 'create', files: { first: {}, second: {} } }
    const answer = await send(
      formOf(operation, { first: new Blob(['1']), second: new Blob(['2']) }),
    )
    expect([answer.status, vendor.got[0]?.text.replaceAll('\r\n', '|')]).toEqual([
      200,
      expect.stringMatching(/name="one".*\|\|1\|.*name="two".*\|\|2\|/),
    ])
  })
})

describe('what is refused', () => {
  const content = new Blob(['one,two'])
  const TYPE = 'multipart/form-data; boundary=b'
  const part = (name: string, text: string): string =>
    `--b\r\ncontent-disposition: form-data; name="${name}"; filename="f"\r\n\r\n${text}\r\n`
  const operation = part('operation', JSON.stringify(CREATE))

  test.for<{
    name: string
    form: () => Parameters<typeof send>[0]
    headers?: Record<string, string>
    code: string
    pointer?: string
  }>([
    {
      name: 'a form that begins with a file',
      form: () => ({ type: TYPE, body: `${part('content', 'one')}${operation}--b--\r\n` }),
      code: 'request_malformed',
    },
    {
      name: 'a form without a boundary',
      form: () => ({ type: 'multipart/form-data', body: 'x' }),
      code: 'request_malformed',
    },
    {
      name: 'a form that ends in its operation',
      form: () => ({ type: TYPE, body: operation.slice(0, -10) }),
      code: 'request_malformed',
    },
    {
      name: 'an operation that is no JSON',
      form: () => ({ type: TYPE, body: `${part('operation', '{')}--b--\r\n` }),
      code: 'request_malformed',
    },
    {
      name: 'an operation with a member that there is not',
      form: () => formOf({ ...CREATE, file: {} }, { content }),
      code: 'request_malformed',
      pointer: '/file',
    },
    {
      name: 'a file of which nonsense is said',
      form: () => formOf({ ...CREATE, files: { content: { size: -1 } } }, { content }),
      code: 'request_malformed',
      pointer: '/files/content/size',
    },
    {
      name: 'a file for a parameter that is none',
      form: () => formOf(CREATE, { folder: content }),
      code: 'params_invalid',
      pointer: '/params/folder',
    },
    {
      name: 'an operation without its file',
      form: () => formOf(CREATE, {}),
      code: 'params_invalid',
      pointer: '/params/content',
    },
    {
      name: 'an operation larger than a body may be',
      form: () => formOf({ ...CREATE, params: { folder: 'x'.repeat(1024 ** 2) } }, { content }),
      code: 'body_too_large',
    },
    {
      name: 'a key without a digest of the file',
      form: () => formOf(CREATE, { content }),
      headers: { 'idempotency-key': 'no-digest' },
      code: 'request_malformed',
      pointer: '/files/content/sha256',
    },
    {
      name: 'a file that is shorter than it said',
      form: () => formOf({ ...CREATE, files: { content: { size: 9 } } }, { content }),
      code: 'upload_interrupted',
    },
    {
      name: 'a file that is longer than it said',
      form: () => formOf({ ...CREATE, files: { content: { size: 5 } } }, { content }),
      code: 'upload_interrupted',
    },
    {
      name: 'a file with another digest than it said',
      form: () =>
        formOf({ ...CREATE, files: { content: { sha256: '0'.repeat(64) } } }, { content }),
      code: 'upload_interrupted',
    },
    {
      name: 'a second file of which nothing was said',
      form: () => formOf(CREATE, { content, other: content }),
      code: 'upload_interrupted',
    },
    {
      name: 'a form that ends in its file',
      form: () => ({ type: TYPE, body: `${operation}${part('content', 'one,two').slice(0, -3)}` }),
      code: 'upload_interrupted',
    },
    {
      name: 'files in another order than the third party takes them',
      form: () =>
        formOf(
          { entity: 'pairs', action: 'create', files: { second: {}, first: {} } },
          { second: content, first: content },
        ),
      code: 'upload_interrupted',
    },
  ])('$name', async ({ form, headers, code, pointer }) => {
    const { body } = await send(form(), headers)
    expect(body).toMatchObject({ code, outcome: 'not_applied' })
    if (pointer !== undefined) expect(body).toMatchObject({ errors: [{ pointer }] })
    // A request that broke off is no request.
    expect(vendor.got).toEqual([])
  })

  test('a form where a route takes JSON', async () => {
    const response = await fetch(`${world.url}/v1/integrations/connectors`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}` },
      body: formOf(CREATE, { content }),
    })
    expect([response.status, await response.json()]).toMatchObject([
      415,
      { code: 'media_type_unsupported' },
    ])
  })
})

describe('a key', () => {
  const sha256 = createHash('sha256').update('one,two').digest('hex')
  const operation = { ...CREATE, files: { content: { sha256 } } }
  const content = new Blob(['one,two'])

  test('with the digest of the file runs once', async () => {
    const headers = { 'idempotency-key': 'twice' }
    const first = await send(formOf(operation, { content }), headers)
    const again = await send(formOf(operation, { content }), headers)
    expect([first.status, first.replayed, again.status, again.replayed]).toEqual([
      200,
      false,
      200,
      true,
    ])
    expect([again.body, vendor.got.length]).toEqual([first.body, 1])
  })

  test('with another file is refused', async () => {
    const headers = { 'idempotency-key': 'another' }
    await send(formOf(operation, { content }), headers)
    const other = createHash('sha256').update('other').digest('hex')
    const { status, body } = await send(
      formOf(
        { ...CREATE, files: { content: { sha256: other } } },
        { content: new Blob(['other']) },
      ),
      headers,
    )
    expect([status, body]).toMatchObject([422, { code: 'idempotency_key_reused' }])
  })
})

test('when the client leaves in its file, the request to the third party breaks off', async () => {
  const outgoing = httpRequest(world.url + path(), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'multipart/form-data; boundary=b',
    },
  })
  outgoing.on('error', () => {})
  outgoing.write(
    `--b\r\ncontent-disposition: form-data; name="operation"\r\n\r\n${JSON.stringify(CREATE)}\r\n` +
      `--b\r\ncontent-disposition: form-data; name="content"; filename="f"\r\n\r\n`,
  )
  outgoing.write(Buffer.alloc(512 * 1024))
  await eventually(() => vendor.receiving > 0)
  outgoing.destroy()
  await eventually(() => vendor.broken === 1 && world.service.streams.active === 0)
  await eventually(() =>
    world.lines.some(
      ({ facts }) => facts['code'] === 'upload_interrupted' || facts['code'] === 'aborted',
    ),
  )
  expect(vendor.got).toEqual([])
})

test('an early answer of the third party comes back while the client still sends', async () => {
  vendor.refuseEarly = true
  let sent = 0
  async function* endless(): AsyncGenerator<Buffer> {
    for (; sent < 1024; sent++) yield Buffer.alloc(1024 ** 2)
  }
  const error: unknown = await client
    .execute('files', 'create', { content: Readable.from(endless()) })
    .then(null, (thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'upstream_payload_too_large', upstream: { status: 413 } })
  expect(sent).toBeLessThan(256)
})

test('a client waits for a service whose third party takes nothing of a file or does not answer', async () => {
  const limits = { ...DEFAULT_LIMITS, idleMs: 50, headMs: 50 }
  const transport = createUndiciTransport({ allowHosts: [new URL(world.url).host], limits })
  await using patient = await connectHosted(await loadManifest(MANIFEST), {
    baseUrl: world.url,
    connectorId: id,
    token: TOKEN,
    transport,
  })
  // Waits for time: what a third party may be waited for would be over meanwhile.
  const rest = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 300))
  vendor.reads = rest()
  const large = new Blob([Buffer.alloc(48 * 1024 ** 2, 'x')])
  const sent = await patient.execute('files', 'create', { content: large })
  expect([sent.data, vendor.got.map(({ text }) => text.length)]).toEqual([
    { id: '1' },
    [large.size],
  ])
  vendor.reads = rest()
  const answered = await patient.execute('files', 'create', { content: 'b25l' })
  expect([answered.data, vendor.got.length]).toEqual([{ id: '1' }, 2])
  await transport.close()
})

test('a stream is not sent again after its token was refused', async () => {
  vendor.status = 401
  const error: unknown = await client
    .execute('files', 'create', { content: Readable.from([Buffer.from('one')]) })
    .then(null, (thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'credentials_refused', outcome: 'not_applied' })
  expect(vendor.got.length).toBe(1)
})

describe('a request that takes longer than requests may', () => {
  const arrival = { headMs: 10_000, wholeMs: 100, fileMs: 60_000, checkEveryMs: 20 }
  const HEAD = `--b\r\ncontent-disposition: form-data; name="operation"\r\n\r\n`

  async function slowly(
    write: (outgoing: ClientRequest) => Promise<void>,
  ): Promise<number | undefined> {
    await using slow = await runService(SETTINGS, { arrival })
    const made = await slow.call('POST', '/v1/integrations/connectors?check=false', {
      ...INSTANCE,
      server_url: vendor.url,
    })
    const outgoing = httpRequest(
      `${slow.url}/v1/connectors/sources/${(made.body as { readonly id: string }).id}/execute`,
      {
        method: 'POST',
        agent: false,
        headers: {
          authorization: `Bearer ${TOKEN}`,
          'content-type': 'multipart/form-data; boundary=b',
        },
      },
    )
    const answered = new Promise<number | undefined>((resolve, reject) => {
      outgoing.on('error', reject)
      outgoing.on('response', (response) => resolve(response.resume().statusCode))
    })
    outgoing.write(HEAD)
    await write(outgoing)
    return await answered
  }

  test('is refused while its operation is not there', async () => {
    expect(await slowly(async () => {})).toBe(408)
  })

  test('is left to its file from there on', async () => {
    const status = await slowly(async (outgoing) => {
      outgoing.write(
        `${JSON.stringify(CREATE)}\r\n--b\r\ncontent-disposition: form-data; name="content"\r\n\r\n`,
      )
      for (let piece = 0; piece < 10; piece++) {
        outgoing.write('piece')
        // Waits for time: a body that is watched would be cut meanwhile.
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      outgoing.end('\r\n--b--\r\n')
    })
    expect([status, vendor.got]).toMatchObject([200, [{ text: 'piece'.repeat(10) }]])
  })
})

test('curl sends a file', async (context) => {
  const given = [
    '-sS',
    world.url + path(),
    '-H',
    `authorization: Bearer ${TOKEN}`,
    '-F',
    `operation=${JSON.stringify(CREATE)};type=application/json`,
    '-F',
    `content=@${MANIFEST};type=text/yaml`,
  ]
  const ran = await promisify(execFile)('curl', given).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  context.skip(ran === null, 'this machine has no curl')
  expect([JSON.parse(ran?.stdout ?? ''), vendor.got]).toMatchObject([
    { data: { id: '1' } },
    [{ text: await readFile(MANIFEST, 'utf8'), type: 'text/yaml' }],
  ])
})

test('a client in the same process sends a stream', async () => {
  await using own = await world.service.connect(await loadManifest(MANIFEST), {
    connectorId: id,
    principal: { organizationId: FIRST_ORGANIZATION },
  })
  const content = Readable.from([Buffer.from('one,'), Buffer.from('two')])
  const { data } = await own.execute('files', 'create', { content })
  expect([data, vendor.got]).toMatchObject([{ id: '1' }, [{ text: 'one,two' }]])
})

describe.for([
  ['in Node', connectHosted],
  ['on fetch', connectByFetch],
] as const)('a hosted client %s', ([, over]) => {
  const open = async (identity: { token: string } | { getToken: () => string }) =>
    await over(await loadManifest(MANIFEST), { baseUrl: world.url, connectorId: id, ...identity })
  let client: Client
  beforeAll(async () => {
    client = await open({ token: TOKEN })
  })
  afterAll(() => client.close())

  test.for<{ name: string; file: () => unknown; type?: string; length?: string }>([
    { name: 'bytes', file: () => Buffer.from('one,two'), length: '7' },
    {
      name: 'a Blob',
      file: () => new Blob(['one,two'], { type: 'text/csv' }),
      type: 'text/csv',
      length: '7',
    },
    { name: 'a stream', file: () => Readable.from([Buffer.from('one,'), Buffer.from('two')]) },
    {
      name: 'a stream and what is known of it',
      file: () => fileFrom(new Blob(['one,two']).stream(), { size: 7, type: 'text/csv' }),
      type: 'text/csv',
      length: '7',
    },
  ])('sends $name', async ({ file, type = 'application/octet-stream', length }) => {
    const { data } = await client.execute('files', 'create', { content: file(), folder: 'b' })
    expect([data, vendor.got]).toMatchObject([
      { id: '1' },
      [{ text: 'one,two', type, length, folder: 'b' }],
    ])
  })

  test('previews without the bytes', async () => {
    const content = fileFrom(Readable.from([]), { name: 'a.csv', size: 7 })
    const { requests } = await client.preview('files', 'create', { content })
    expect([requests[0]?.body, vendor.got]).toEqual(['<a.csv, 7 bytes>', []])
  })

  test('repeats a file that can be read again after its token was refused', async () => {
    let asked = 0
    await using renewing = await open({
      getToken: () => (asked++ === 0 ? 'an-old-token' : TOKEN),
    })
    const { data } = await renewing.execute('files', 'create', { content: Buffer.from('one') })
    expect([data, asked, vendor.got.length]).toEqual([{ id: '1' }, 2, 1])
  })

  test('takes no key of its caller with a stream', async () => {
    await expect(
      client.execute(
        'files',
        'create',
        { content: Readable.from(['x']) },
        { idempotencyKey: 'mine' },
      ),
    ).rejects.toMatchObject({ code: 'params_invalid', errors: [{ pointer: '/params/content' }] })
  })
})

test('a hosted client in Node sends a path, and names the file', async () => {
  const here = import.meta.filename
  await client.execute('pairs', 'create', {
    first: fileFrom({ path: here }),
    second: Buffer.from('2'),
  })
  expect(vendor.got[0]?.text).toMatch(/filename="sending-files.test.ts"/)
})
