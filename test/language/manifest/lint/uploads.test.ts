// What lint says of files that are sent in parts.
import { expect, test } from 'vitest'
import { loadManifest } from '../../../../src/language/manifest/load.ts'
import { UPLOADS, uploadManifest } from '../../../fixtures/upload-vendors.ts'

interface Written {
  readonly params: object
  readonly request: object
  readonly upload: { readonly chunk: object; readonly ask: object }
}

const GRAPH = UPLOADS.graph as Written
const { params, request, upload } = GRAPH
const TEXT = { name: { type: 'string' }, file: { type: 'string', format: 'binary' } }

function findings(more: object): unknown {
  const object = uploadManifest('graph', more)
  const { problems } = loadManifest({ object, file: 'manifest' })
  return problems.map(({ rule, path }) => [rule, path])
}

test('a manifest without a mistake has no finding', () => {
  expect(findings({})).toEqual([])
})

test.for<{ name: string; more: object; want: string }>([
  {
    name: 'a file that is none',
    more: { upload: { ...upload, file: 'name' }, request: { ...request, body: ['file'] } },
    want: 'upload/file',
  },
  {
    name: 'a file that may be left out',
    more: { params: { properties: TEXT } },
    want: 'upload/file',
  },
  {
    name: 'a request that sends the file as well',
    more: {
      request: { http: 'POST /files', bytes: { base64: '{{ params.file }}' } },
      params: { ...params, properties: { file: TEXT.file } },
    },
    want: 'upload/sent-twice',
  },
  {
    name: 'a part that does not say where it stands',
    more: {
      upload: { ...upload, chunk: { ...upload.chunk, headers: { 'X-Size': '{{ upload.size }}' } } },
    },
    want: 'upload/place',
  },
  {
    name: 'a question with the place of a part',
    more: {
      upload: { ...upload, ask: { ...upload.ask, headers: { 'X-From': '{{ upload.from }}' } } },
    },
    want: 'upload/place',
  },
  {
    name: 'a header that is lost without a size',
    more: { upload: { ...upload, without_size: true } },
    want: 'upload/unknown-size',
  },
  {
    name: 'a member of the file that there is not',
    more: { request: { ...request, headers: { 'X-Size': '{{ upload.length }}' } } },
    want: 'expression/unknown-path',
  },
])('$name is found', ({ more, want }) => {
  expect(
    (findings(more) as readonly (readonly [string, string])[]).map(([rule]) => rule),
  ).toContain(want)
})

test('a file in parts stands next to no steps', () => {
  const steps = [
    { name: 'a', request: { http: 'GET /a' } },
    { name: 'b', request },
  ]
  expect(findings({ request: undefined, steps })).not.toEqual([])
})
