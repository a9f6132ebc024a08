// What HTTP promises: methods that are told, changes under a condition, answers made smaller, and the end of actions told.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request as send, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  gunzipSync,
  gzipSync,
} from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningService, runService } from '../../fixtures/running-service.ts'

let world: RunningService
let folder: string
let one: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-conventions-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><script src="./assets/a.js"></script>',
  )
  await writeFile(join(folder, 'assets', 'a.js'), `// ${'the same again and again '.repeat(200)}`)
  await writeFile(join(folder, 'assets', 'packed.js.br'), PACKED)
  await writeFile(join(folder, 'old.yaml'), OLD)
  world = await runService({ manifests: [join(folder, 'old.yaml')] }, { consoleFolder: folder })
  one = `/v1/integrations/connectors/${await world.connect('gong')}`
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const TEXT = Buffer.from(`// ${'what a build has packed '.repeat(100)}`)
/** As small as it can be, smaller than a service would make it. */
const PACKED = brotliCompressSync(TEXT, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })

const OLD = `manifest: 1
connector: { type: old, title: Old, version: 1.0.0 }
server: { url: https://api.old.example }
auth:
  key:
    credentials: { required: [key], properties: { key: { type: string, writeOnly: true } } }
    apply: { bearer: "{{ credentials.key }}" }
check: { entity: things, action: list }
entities:
  things:
    record: { properties: { id: { type: string } } }
    actions:
      list:
        deprecated: use the other one
        deprecated_since: 2026-11-01
        sunset: 2027-11-01
        request: { http: GET /things }
        response: { records: $.data }
        pagination: { type: none, reason: There are few. }
      get:
        deprecated: true
        params: { required: [id], properties: { id: { type: string } } }
        request: { http: "GET /things/{{ params.id }}" }
`

interface Raw {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

/** Nothing is added to the request, and nothing decoded. */
async function raw(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: object,
): Promise<Raw> {
  return await new Promise((resolve, reject) => {
    const outgoing = send(
      world.url + path,
      {
        method: body === undefined ? 'GET' : 'POST',
        agent: false,
        headers: {
          authorization: `Bearer ${world.token}`,
          'content-type': 'application/json',
          ...headers,
        },
      },
      (incoming) => {
        buffer(incoming).then(
          (bytes) => resolve({ status: incoming.statusCode, headers: incoming.headers, bytes }),
          reject,
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

describe('methods', () => {
  test.for<readonly [() => string, string]>([
    [() => one, 'GET, PATCH, DELETE, HEAD, OPTIONS'],
    [() => '/healthz', 'GET, HEAD, OPTIONS'],
    [() => '/docs', 'GET, HEAD, OPTIONS'],
    [() => '/v1/account/applications/token', 'POST, OPTIONS'],
  ])(
    'OPTIONS tells them, and so does a method that is none of them (%#)',
    async ([path, allow]) => {
      const asked = await world.call('OPTIONS', path(), undefined, { as: null })
      expect([asked.status, asked.headers.get('allow'), asked.text]).toEqual([204, allow, ''])
      const refused = await world.call('PUT', path(), {}, { as: null })
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, allow])
    },
  )
})

describe('conditions', () => {
  test('a change is made of what was read, or not at all', async () => {
    const id = await world.connect('gong')
    const path = `/v1/integrations/connectors/${id}`
    const read = await world.call('GET', path)
    const etag = read.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{22}"$/)
    const same = await world.call('GET', path, undefined, { headers: { 'if-none-match': etag } })
    expect([same.status, same.text]).toEqual([304, ''])
    const patch = (ifMatch: string, name: string) =>
      world.call('PATCH', path, { name }, { headers: { 'if-match': ifMatch } })
    const first = await patch(etag, 'first')
    expect([first.status, first.headers.get('etag') === etag]).toEqual([200, false])
    const stale = await patch(etag, 'second')
    expect([stale.status, stale.body]).toEqual([
      412,
      expect.objectContaining({ code: 'precondition_failed', outcome: 'not_applied' }),
    ])
    const gone = await world.call('DELETE', path, undefined, { headers: { 'if-match': etag } })
    expect(gone.status).toBe(412)
    const weak = await patch(`W/${first.headers.get('etag')}`, 'weak')
    expect(weak.status).toBe(412)
    const listed = await patch(`"none", ${first.headers.get('etag')}`, 'third')
    expect([listed.status, (listed.body as { readonly name: string }).name]).toEqual([200, 'third'])
    expect((await patch('*', 'fourth')).status).toBe(200)
    const last = (await world.call('GET', path)).headers.get('etag') ?? ''
    const removed = await world.call('DELETE', path, undefined, { headers: { 'if-match': last } })
    expect(removed.status).toBe(204)
  })

  test('of two changes of one reading one is made', async () => {
    const path = `/v1/integrations/connectors/${await world.connect('gong')}`
    const etag = (await world.call('GET', path)).headers.get('etag') ?? ''
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        world.call('PATCH', path, { name }, { headers: { 'if-match': etag } }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412])
  })
})

describe('conditions on what asks the vendor', () => {
  test.for(['gong', 'slack'])(
    'of several removals of one reading one is made: %s',
    async (type) => {
      const path = `/v1/integrations/connectors/${await world.connect(type)}`
      const etag = (await world.call('GET', path)).headers.get('etag') ?? ''
      const answers = await Promise.all(
        [1, 2, 3].map(() =>
          world.call('DELETE', path, undefined, { headers: { 'if-match': etag } }),
        ),
      )
      const codes = answers.map(({ status, body }) =>
        status === 204 ? 'done' : (body as { readonly code: string }).code,
      )
      expect(codes.filter((code) => code === 'done')).toHaveLength(1)
      // Where it is gone before it is looked for, there is nothing that a condition could be about: RFC 9110 section 13.2.1.
      expect(['done', 'precondition_failed', 'instance_unknown']).toEqual(
        expect.arrayContaining(codes),
      )
    },
  )

  test('of several new credentials of one reading one are kept, and only those', async () => {
    const id = await world.connect('gong')
    const path = `/v1/integrations/connectors/${id}`
    const etag = (await world.call('GET', path)).headers.get('etag') ?? ''
    const { credentials } = world.vendor('gong').options()
    const answers = await Promise.all(
      [1, 2, 3].map(() =>
        world.call('PATCH', path, { credentials }, { headers: { 'if-match': etag } }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412])
    expect((await world.service.store.credentials.read(id))?.generation).toBe(2)
  })

  test('a removal and a change of one reading: one is made', async () => {
    const path = `/v1/integrations/connectors/${await world.connect('gong')}`
    const etag = (await world.call('GET', path)).headers.get('etag') ?? ''
    const headers = { 'if-match': etag }
    const [removed, changed] = await Promise.all([
      world.call('DELETE', path, undefined, { headers }),
      world.call('PATCH', path, { name: 'other' }, { headers }),
    ])
    const isRemoved = removed.status === 204
    expect([removed.status, changed.status]).toEqual(
      isRemoved ? [204, expect.toBeOneOf([412, 404])] : [412, 200],
    )
    expect((await world.call('GET', path)).status).toBe(isRemoved ? 404 : 200)
  })
})

describe('compression', () => {
  const execute = () => `${one.replace('integrations/connectors', 'connectors/sources')}/execute`
  const listing = { entity: 'users', action: 'list', params: {} }

  test('JSON above 1 KiB is compressed for who asks', async () => {
    const plain = await raw(execute(), {}, listing)
    const small = await raw(execute(), { 'accept-encoding': 'br;q=0, gzip' }, listing)
    expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([
      undefined,
      'Accept-Encoding',
    ])
    expect([small.headers['content-encoding'], small.headers.vary]).toEqual([
      'gzip',
      'Accept-Encoding',
    ])
    expect(small.bytes.length).toBeLessThan(plain.bytes.length)
    expect(Number(small.headers['content-length'])).toBe(small.bytes.length)
    const dataIn = (bytes: Buffer): unknown =>
      (JSON.parse(bytes.toString()) as { data: unknown }).data
    expect(dataIn(gunzipSync(small.bytes))).toEqual(dataIn(plain.bytes))
    const document = await raw('/openapi.json', { 'accept-encoding': '*' })
    expect(document.headers['content-encoding']).toBe('gzip')
    expect(
      (await raw('/openapi.json', { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding'],
    ).toBeUndefined()
  })

  test('files are compressed as small as they can be', async () => {
    const plain = await raw('/console/assets/a.js')
    const small = await raw('/console/assets/a.js', { 'accept-encoding': 'gzip, deflate, br' })
    expect([small.headers['content-encoding'], small.headers['cache-control']]).toEqual([
      'br',
      'public, max-age=31536000, immutable',
    ])
    expect(brotliDecompressSync(small.bytes).equals(plain.bytes)).toBe(true)
    const older = await raw('/console/assets/a.js', { 'accept-encoding': 'gzip' })
    expect(gunzipSync(older.bytes).equals(plain.bytes)).toBe(true)
  })

  test('files of which the build has left the packed form are sent as they are, or unpacked', async () => {
    const path = '/console/assets/packed.js'
    const asked = async (coding: string) => {
      const { headers, bytes } = await raw(path, { 'accept-encoding': coding })
      return [headers['content-encoding'], headers['content-type'], headers.vary, bytes]
    }
    const about = ['text/javascript; charset=utf-8', 'Accept-Encoding'] as const
    expect(await asked('gzip, br')).toEqual(['br', ...about, PACKED])
    expect(await asked('identity')).toEqual([undefined, ...about, TEXT])
    expect(await asked('gzip')).toEqual([
      'gzip',
      ...about,
      gzipSync(TEXT, { level: constants.Z_BEST_COMPRESSION }),
    ])
    expect((await raw(`${path}.br`)).status).toBe(404)
  })

  test('downloads, small answers, answers with secrets and those for a cookie are not', async () => {
    const accept = { 'accept-encoding': 'gzip, br' }
    const params = world.vendor('gong').example('call_audio.download')
    const file = await raw(execute(), accept, { entity: 'call_audio', action: 'download', params })
    const health = await raw('/healthz', accept)
    const minted = await raw('/api/v1/account/applications/scoped-token', accept, {
      external_user_id: 'user-1',
      // Long enough, were it not for the secret.
      actions: Array.from({ length: 100 }, (_, index) => `entity_${index}.list`),
    })
    const forCookie = await raw(execute(), { ...accept, cookie: 'a=b' }, listing)
    expect(
      [file, health, minted, forCookie].map(({ status, headers }) => [
        status,
        headers['content-encoding'],
      ]),
    ).toEqual([
      [200, undefined],
      [200, undefined],
      [200, undefined],
      [200, undefined],
    ])
  })
})

test('an action that is deprecated says since when, and until when it works', async () => {
  const id = await world.connect('old')
  const path = `/v1/connectors/sources/${id}/execute`
  const list = await world.call('POST', path, { entity: 'things', action: 'list', params: {} })
  const [thing] = (list.body as { readonly data: readonly { readonly id: string }[] }).data
  const get = await world.call('POST', path, {
    entity: 'things',
    action: 'get',
    params: { id: thing?.id ?? '' },
  })
  const other = await world.call(
    'POST',
    `${one.replace('integrations/connectors', 'connectors/sources')}/execute`,
    {
      entity: 'users',
      action: 'list',
      params: {},
    },
  )
  const told = ({ headers }: { readonly headers: Headers }) => [
    headers.get('deprecation'),
    headers.get('sunset'),
  ]
  expect([told(list), told(get), told(other)]).toEqual([
    ['@1793491200', 'Mon, 01 Nov 2027 00:00:00 GMT'],
    ['@0', null],
    [null, null],
  ])
})
