// Files among the parameters, in direct mode: from what host code has to the bytes that a vendor gets.
import { createHash, createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import { loadManifest } from '../../src/client/load-manifest.ts'
import type { CallOptions } from '../../src/client/client.ts'
import { fileFrom } from '../../src/client/files.ts'
import { createHttpVendor, type Handler, sendJson } from '../faults/http-vendor.ts'

const FILE = { type: 'string', format: 'binary' }
const PART = {
  base64: '{{ params.file }}',
  filename: '{{ params.name }}',
  type: '{{ params.type }}',
}
const TEXTS = { name: { type: 'string' }, type: { type: 'string' } }

/** An action of each form of body that takes a file. */
const MANIFEST = {
  manifest: 1,
  connector: { type: 'depot', title: 'Depot', version: '1.0.0' },
  server: { url: 'https://api.depot.example' },
  auth: {
    key: {
      credentials: { required: ['key'], properties: { key: { type: 'string', writeOnly: true } } },
      apply: { bearer: '{{ credentials.key }}' },
    },
  },
  entities: {
    files: {
      record: { properties: { id: { type: 'string' } } },
      actions: {
        create: {
          params: { required: ['file'], properties: { file: FILE, type: TEXTS.type } },
          request: {
            http: 'POST /files',
            bytes: { base64: '{{ params.file }}', type: '{{ params.type }}' },
          },
        },
        update: {
          params: { required: ['file'], properties: { file: FILE, ...TEXTS } },
          request: { http: 'PUT /files', multipart: { note: 'a b', part: PART } },
          retry: { idempotent: true, wait: [{ constant: '1ms' }] },
        },
      },
    },
    pictures: {
      record: { properties: { id: { type: 'string' } } },
      actions: {
        create: {
          params: {
            required: ['file'],
            properties: { file: { ...FILE, aliases: ['picture'] }, ...TEXTS },
          },
          request: {
            http: 'POST /pictures',
            related: [
              { json: { name: '{{ params.name }}' } },
              { base64: '{{ params.file }}', type: '{{ params.type }}' },
            ],
          },
        },
      },
    },
  },
}

type Bed = AsyncDisposable & {
  readonly client: Client
  readonly got: Awaited<ReturnType<typeof createHttpVendor>>['requests']
}

async function openBed(handler: Handler = ok, manifest: object = MANIFEST): Promise<Bed> {
  const vendor = await createHttpVendor(handler)
  const client = await connect(await loadManifest(manifest), {
    credentials: { key: 'key-of-the-depot' },
    serverUrl: vendor.url,
    allowHosts: ['127.0.0.1'],
  })
  return {
    client,
    got: vendor.requests,
    async [Symbol.asyncDispose]() {
      await client.close()
      await vendor[Symbol.asyncDispose]()
    },
  }
}

const ok: Handler = (_request, response) => sendJson(response, { id: '1' })

/** What a call rejects with. */
async function refusalOf(
  { client }: Bed,
  action: 'create' | 'update',
  params: object,
  options?: CallOptions,
): Promise<unknown> {
  return await client.execute('files', action, params, options).then(
    () => null,
    (error: unknown) => error,
  )
}

describe('P10 a file among the parameters', () => {
  test.for<{ name: string; file: () => unknown; type?: string; length?: string }>([
    { name: 'base64 text', file: () => 'b25lLHR3bw==', length: '7' },
    { name: 'bytes', file: () => Buffer.from('one,two'), length: '7' },
    {
      name: 'a Blob',
      file: () => new Blob(['one,two'], { type: 'text/plain' }),
      type: 'text/plain',
      length: '7',
    },
    { name: 'a stream', file: () => Readable.from([Buffer.from('one,'), Buffer.from('two')]) },
    {
      name: 'a stream and what is known of it',
      file: () => fileFrom(new Blob(['one,two']).stream(), { size: 7, type: 'text/csv' }),
      type: 'text/csv',
      length: '7',
    },
  ])('is the body: $name', async ({ file, type = 'application/octet-stream', length }) => {
    await using bed = await openBed()
    const { data } = await bed.client.execute('files', 'create', { file: file() })
    const [{ body, headers } = { body: '', headers: {} }] = bed.got
    expect([data, body, headers['content-type'], headers['content-length']]).toEqual([
      { id: '1' },
      'one,two',
      type,
      length,
    ])
  })

  test('is a part with its name and type, which the manifest may say otherwise', async () => {
    await using bed = await openBed()
    const file = new File(['one'], 'my "notes".txt', { type: 'text/plain' })
    await bed.client.execute('files', 'update', { file })
    await bed.client.execute('files', 'update', { file, name: 'b.bin', type: 'a/b' })
    await bed.client.execute('pictures', 'create', { picture: file, name: 'p' })
    const shown = bed.got.map(({ body, headers: { 'content-type': type = '' } }) => {
      const [, kind, boundary = ''] = /^([^;]+); boundary=(.+)$/.exec(type) ?? []
      return `${kind} ${body.replaceAll(boundary, '').replaceAll('\r\n', '|')}`
    })
    const note = '--|content-disposition: form-data; name="note"||a b|--|'
    const part = 'content-disposition: form-data; name="part"; filename='
    expect(shown).toEqual([
      `multipart/form-data ${note}${part}"my %22notes%22.txt"|content-type: text/plain||one|----|`,
      `multipart/form-data ${note}${part}"b.bin"|content-type: a/b||one|----|`,
      'multipart/related --|content-type: application/json; charset=UTF-8||{"name":"p"}|--|content-type: text/plain||one|----|',
    ])
  })

  test('is shown by its name in a preview, which does not read it', async () => {
    await using bed = await openBed()
    const file = fileFrom(Readable.from([Buffer.from('one')]), { name: 'a.txt', size: 3 })
    const { requests } = await bed.client.preview('files', 'create', { file })
    expect(requests[0]).toMatchObject({ body: '<a.txt, 3 bytes>' })
    await bed.client.execute('files', 'create', { file })
    expect(bed.got[0]?.body).toBe('one')
    const { requests: bytes } = await bed.client.preview('files', 'create', {
      file: Buffer.from([0xff, 0xfe]),
    })
    expect(bytes[0]).toMatchObject({ body: '<2 bytes>' })
  })

  test.for<{ name: string; params: () => object; pointer: string; detail: RegExp }>([
    {
      name: 'where none is taken',
      params: () => ({ file: 'b25l', type: Buffer.from('a') }),
      pointer: '/params/type',
      detail: /takes no file/,
    },
    {
      name: 'that is no base64',
      params: () => ({ file: 'no base64!' }),
      pointer: '/params/file',
      detail: /base64/,
    },
    {
      name: 'that was read',
      params: () => {
        const file = Readable.from([Buffer.from('a')])
        file.read()
        return { file }
      },
      pointer: '/params/file',
      detail: /was read already/,
    },
    {
      name: 'at a path that leads nowhere',
      params: () => ({ file: fileFrom({ path: './no/such/file' }) }),
      pointer: '/params/file',
      detail: /there is no such file/,
    },
    {
      name: 'at a path of a folder',
      params: () => ({ file: fileFrom({ path: '.' }) }),
      pointer: '/params/file',
      detail: /is no file/,
    },
    // JSON of a stranger that a host app passes on.
    {
      name: 'at a path that JSON names',
      params: () => ({ file: { path: '/etc/passwd' } }),
      pointer: '/params/file',
      detail: /must be text/,
    },
    {
      name: 'that text pretends to be',
      params: () => ({ file: '<the file file>' }),
      pointer: '/params/file',
      detail: /base64/,
    },
    {
      name: 'with a type that would be another header',
      params: () => ({ file: fileFrom(new Blob(['a']), { type: 'a/b\r\nx: y' }) }),
      pointer: '/params/file',
      detail: /line breaks/,
    },
  ])('is refused $name, and nothing is sent', async ({ params, pointer, detail }) => {
    await using bed = await openBed()
    const error = await refusalOf(bed, 'create', params())
    expect(error).toMatchObject({
      code: 'params_invalid',
      errors: [{ pointer, detail: expect.stringMatching(detail) }],
    })
    expect(bed.got).toEqual([])
  })
})

describe('M3 a file that was sent once', () => {
  /** Refuses the first request. */
  const later: () => Handler = () => {
    let asked = 0
    return (_request, response) =>
      sendJson(response, { id: '1' }, { status: ++asked === 1 ? 503 : 200 })
  }

  test('is sent again where it can be read again', async () => {
    await using bed = await openBed(later())
    const { data } = await bed.client.execute('files', 'update', { file: new Blob(['one']) })
    expect([data, bed.got.length]).toEqual([{ id: '1' }, 2])
  })

  test('is not sent again when it was a stream, and the error says so', async () => {
    await using bed = await openBed(later())
    const file = Readable.from([Buffer.from('one')])
    const error = await refusalOf(bed, 'update', { file })
    expect(error).toMatchObject({ code: 'upstream_failed', details: { repeatable: false } })
    expect((error as Error).message).toMatch(/cannot be sent again: call again with a new one$/)
    expect(bed.got.length).toBe(1)
    // The same stream in another call has nothing left to give.
    expect(await refusalOf(bed, 'update', { file })).toMatchObject({ code: 'params_invalid' })
  })

  test('that broke off did nothing, and may be tried with another one', async () => {
    await using bed = await openBed()
    const file = fileFrom(Readable.from([Buffer.from('one')]), { size: 4 })
    expect(await refusalOf(bed, 'create', { file })).toMatchObject({
      code: 'upload_interrupted',
      outcome: 'not_applied',
      retryable: true,
      details: { bytes: 3, size: 4 },
    })
    expect(bed.got).toEqual([])
  })
})

describe('apply.sign over a body that streams', () => {
  const signing = (hash: string): object => ({
    ...MANIFEST,
    auth: {
      key: {
        ...MANIFEST.auth.key,
        apply: {
          sign: {
            alg: 'sha256',
            of: `{{ credentials.key }} ${hash}`,
            headers: { 'X-Signature': '{{ signature }}' },
          },
        },
      },
    },
  })
  const signatureOf = (hash: string): string =>
    createHash('sha256').update(`key-of-the-depot ${hash}`).digest('hex')

  test('is refused, and made where the bytes are in memory', async () => {
    await using bed = await openBed(ok, signing('{{ request.body_hash }}'))
    expect(await refusalOf(bed, 'create', { file: new Blob(['one']) })).toMatchObject({
      code: 'params_invalid',
      details: { missing: ['request.body_hash'] },
    })
    await bed.client.execute('files', 'create', { file: Buffer.from('one') })
    const hash = createHash('sha256').update('one').digest('hex')
    expect(bed.got.map(({ headers }) => headers['x-signature'])).toEqual([signatureOf(hash)])
  })

  test('takes what the manifest says instead', async () => {
    await using bed = await openBed(ok, signing(`{{ default request.body_hash 'UNSIGNED' }}`))
    await bed.client.execute('files', 'create', { file: new Blob(['one']) })
    expect(bed.got.map(({ headers }) => headers['x-signature'])).toEqual([signatureOf('UNSIGNED')])
  })

  const amazon = (variant: object): object => ({
    ...MANIFEST,
    auth: {
      key: {
        ...MANIFEST.auth.key,
        apply: {
          aws_v4: {
            access_key_id: 'AKID',
            secret_access_key: '{{ credentials.key }}',
            region: 'eu-1',
            service: 's3',
            ...variant,
          },
        },
      },
    },
  })

  test('is made without the body where S3 takes that, and refused by its other services', async () => {
    await using bed = await openBed(ok, amazon({ variant: 's3' }))
    await bed.client.execute('files', 'create', { file: new Blob(['one']) })
    const { headers = {}, url = '' } = bed.got[0] ?? {}
    const time = String(headers['x-amz-date'])
    const signed = ['content-type', 'host', 'x-amz-content-sha256', 'x-amz-date']
    const canonical = [
      'POST',
      url,
      '',
      ...signed.map((name) => `${name}:${String(headers[name])}`),
      '',
      signed.join(';'),
      'UNSIGNED-PAYLOAD',
    ].join('\n')
    const scope = [time.slice(0, 8), 'eu-1', 's3', 'aws4_request']
    const hash = createHash('sha256').update(canonical).digest('hex')
    const text = ['AWS4-HMAC-SHA256', time, scope.join('/'), hash].join('\n')
    const key = scope.reduce<string | Buffer>(hmac, 'AWS4key-of-the-depot')
    expect([headers['x-amz-content-sha256'], headers.authorization]).toEqual([
      'UNSIGNED-PAYLOAD',
      `AWS4-HMAC-SHA256 Credential=AKID/${scope.join('/')}, SignedHeaders=${signed.join(';')}, Signature=${hmac(key, text).toString('hex')}`,
    ])
    await using other = await openBed(ok, amazon({}))
    expect(await refusalOf(other, 'create', { file: new Blob(['one']) })).toMatchObject({
      code: 'params_invalid',
    })
  })
})

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
