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

test('an upload without a file is a mistake of the manifest', async () => {
  const { files } = MANIFEST.entities
  const params = { required: ['name'], properties: { name: { type: 'string' } } }
  const upload = { params, request: { http: 'POST /files', body: ['name'] } }
  await expect(
    loadManifest({ ...MANIFEST, entities: { files: { ...files, actions: { upload } } } }),
  ).rejects.toMatchObject({ code: 'manifest_invalid', message: /files\.upload has no parameter/ })
})
