// Files that are sent to the sandbox: it keeps them, and gives them back.
import { expect, test } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { loadManifest } from '../../src/client/load-manifest.ts'
import { sandbox } from '../../src/sandbox/testing/index.ts'

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
      record: {
        required: ['id'],
        properties: { id: { type: 'string' }, name: { type: 'string' } },
      },
      actions: {
        get: {
          params: { required: ['id'], properties: { id: { type: 'string' } } },
          request: { http: 'GET /files/{{ params.id }}' },
        },
        upload: {
          params: {
            required: ['content'],
            properties: {
              content: { type: 'string', format: 'binary' },
              name: { type: 'string' },
            },
          },
          request: {
            http: 'POST /files',
            multipart: {
              name: '{{ params.name }}',
              file: { base64: '{{ params.content }}', filename: '', type: '' },
            },
          },
        },
        download: {
          params: { required: ['id'], properties: { id: { type: 'string' } } },
          request: { http: 'GET /files/{{ params.id }}/content' },
        },
      },
    },
  },
}

test('an upload adds a record, and its download is the file', async () => {
  await using vendor = await sandbox(MANIFEST)
  await using client = await connect(await loadManifest(MANIFEST), vendor.options())
  const content = new Blob([new Uint8Array([0, 1, 2, 255])])
  const { data } = await client.execute('files', 'upload', { content, name: 'four' })
  const { id } = data as { readonly id: string }
  const read = await client.execute('files', 'get', { id })
  const file = await client.execute('files', 'download', { id })
  expect([read.data, [...(await file.toBytes({ maxBytes: 10 }))]]).toEqual([
    { id, name: 'four' },
    [0, 1, 2, 255],
  ])
})

test('an address of a file leads to the bytes that were sent, and a record says their size', async () => {
  const { files } = MANIFEST.entities
  const { download } = files.actions
  const linked = {
    ...MANIFEST,
    entities: {
      files: {
        record: {
          required: ['id', 'size', 'link'],
          properties: {
            id: { type: 'string' },
            size: { type: 'integer' },
            link: { type: 'string' },
          },
        },
        actions: {
          ...files.actions,
          download: {
            ...download,
            request: { http: 'GET /files/{{ params.id }}/address' },
            download: { url: '$.url' },
          },
        },
      },
    },
  }
  await using vendor = await sandbox(linked)
  await using client = await connect(await loadManifest(linked), vendor.options())
  const bytesOf = async (id: unknown): Promise<readonly number[]> => {
    const file = await client.execute('files', 'download', { id })
    return [...(await file.toBytes({ maxBytes: 200_000_000 }))]
  }
  const { data } = await client.execute('files', 'upload', { content: new Uint8Array([7, 8, 9]) })
  const { id } = data as { readonly id: string }
  const read = await client.execute('files', 'get', { id })
  expect([await bytesOf(id), read.data]).toEqual([[7, 8, 9], expect.objectContaining({ size: 3 })])
  const [seeded] = vendor.records('files')
  expect((await bytesOf(seeded?.['id'])).length).toBe(seeded?.['size'])
})

test('Slack: a file that three requests have sent is the one that is read', async () => {
  await using vendor = await sandbox('slack')
  await using client = await connect('slack', vendor.options())
  const content = Buffer.from('hello')
  const made = await client.files.create({
    filename: 'hello.txt',
    content: content.toString('base64'),
    length: content.length,
  })
  const file = await client.files.download({ file: String(made.data.id) })
  expect([made.data.size, Buffer.from(await file.toBytes({ maxBytes: 100 })).toString()]).toEqual([
    5,
    'hello',
  ])
})

test('an upload without a file is a mistake of the manifest', async () => {
  const { files } = MANIFEST.entities
  const params = { required: ['name'], properties: { name: { type: 'string' } } }
  const upload = { params, request: { http: 'POST /files', body: ['name'] } }
  await expect(
    loadManifest({ ...MANIFEST, entities: { files: { ...files, actions: { upload } } } }),
  ).rejects.toMatchObject({ code: 'manifest_invalid', message: /files\.upload has no parameter/ })
})
