// Files in parts and the sandbox: it plays each protocol by the manifest, and keeps what was sent.
import { expect, test } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { loadManifest } from '../../src/client/load-manifest.ts'
import { sandbox } from '../../src/sandbox/testing/index.ts'
import { type Protocol, uploadManifest } from '../fixtures/upload-vendors.ts'

const KIB = 1024
const BYTES = Buffer.from(Uint8Array.from({ length: 150 * KIB }, (_, at) => (at * 7) % 253))

/** With a listing and a download, which give back what was sent. */
function manifest(protocol: Protocol): object {
  const made = uploadManifest(protocol) as {
    readonly entities: { readonly files: { readonly actions: object } }
  }
  const { files } = made.entities
  const ID = { required: ['id'], properties: { id: { type: 'string' } } }
  const actions = {
    ...files.actions,
    get: { params: ID, request: { http: 'GET /files/{{ params.id }}' } },
    list: {
      request: { http: 'GET /files' },
      response: { records: '$.files' },
      pagination: { type: 'none', reason: 'There are few.' },
    },
    download: { params: ID, request: { http: 'GET /files/{{ params.id }}/content' } },
  }
  return { ...made, entities: { files: { ...files, actions } } }
}

const PROTOCOLS: readonly Protocol[] = ['google', 'graph', 'tus']

test.for(PROTOCOLS)('%s: what was sent in parts is the file of a record', async (protocol) => {
  const source = manifest(protocol)
  await using vendor = await sandbox(source)
  await using client = await connect(await loadManifest(source), vendor.options())
  const before = new Set(vendor.records('files').map(({ id }) => id))
  vendor.fail('upload', { mode: 'reset-after-apply' })
  const { data } = await client.execute('files', 'upload', { name: 'film', file: BYTES })
  const added = vendor.records('files').find(({ id }) => !before.has(id))
  expect(data).toEqual(protocol === 'tus' ? null : added)
  if (protocol !== 'tus') expect(added).toMatchObject({ name: 'film' })
  const file = await client.execute('files', 'download', { id: added?.['id'] })

  expect(BYTES.equals(await file.toBytes({ maxBytes: BYTES.length }))).toBe(true)
  expect(vendor.requests('upload').map(({ status }) => status)).toEqual(
    {
      google: [null, 308, 308, 201],
      graph: [null, 200, 202, 201],
      tus: [null, 200, 204, 204],
    }[protocol],
  )
})
