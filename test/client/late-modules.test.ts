// A client in a process where nothing stands by: what stands apart is waited for by the call that needs it.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { packed } from '../../scripts/shared-parts.ts'
import { loadManifest, requireManifest } from '../../src/language/manifest/load.ts'

const DEPOT = {
  manifest: 1,
  connector: { type: 'depot', title: 'Depot', version: '1.0.0' },
  server: { url: 'https://depot.example' },
  auth: {
    key: {
      credentials: {
        required: ['key'],
        properties: { key: { type: 'string', minLength: 3, writeOnly: true } },
      },
      apply: { bearer: '{{ credentials.key }}' },
    },
  },
  check: { entity: 'shelves', action: 'get', params: { code: 'a' } },
  entities: {
    shelves: {
      record: { properties: { id: { type: 'string' } } },
      actions: {
        get: {
          summary: 'Get a shelf',
          params: {
            required: ['code'],
            properties: { code: { type: 'string', pattern: '^(a+)+$' } },
          },
          request: { http: 'GET /shelves/{{ params.code }}' },
          response: { decode: 'xml', record: '$.shelf' },
          errors: [
            {
              when: { body: { '$.error.reason': { matches: '^(no|not)_(.+)+$' } } },
              // oxlint-disable-next-line unicorn/no-thenable -- a word of the manifest language
              then: 'fail',
              as: 'not_found',
            },
          ],
        },
      },
    },
  },
}

const PROGRAM = `
  import { createServer } from 'node:http'
  import { once } from 'node:events'
  import { connect } from './src/client/connect.ts'
  import { prebuilt } from './src/client/prebuilt.ts'
  import './src/late-modules.ts'
  import { provideAtOnce } from './src/late-registry.ts'

  provideAtOnce({})
  const manifest = prebuilt(JSON.parse(process.argv[1]))
  const server = createServer((request, response) => {
    const isKnown = request.url === '/shelves/aa'
    response.writeHead(isKnown ? 200 : 400, { 'content-type': 'application/xml' })
    response.end(isKnown ? '<shelf><id>7</id></shelf>' : '<error><reason>no_shelf</reason></error>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const options = {
    serverUrl: 'http://127.0.0.1:' + server.address().port,
    allowHosts: ['127.0.0.1'],
    retries: 0,
  }
  const told = (error) => [error.code, ...(error.errors ?? []).map(({ pointer, code }) => pointer + ' ' + code)]
  const refused = await connect(manifest, { ...options, credentials: { key: 'k' } }).catch(told)
  const client = await connect(manifest, { ...options, credentials: { key: 'key' } })
  const found = await client.execute('shelves', 'get', { code: 'aa' })
  const wrong = await client.execute('shelves', 'get', { code: 'b', x: 1 }).catch(told)
  const missing = await client.execute('shelves', 'get', { code: 'aaa' }).catch(told)
  const { requests } = await client.preview('shelves', 'get', { code: 'aa' })
  console.log(JSON.stringify({ refused, found: found.data, wrong, missing, previewed: requests.length }))
  await client.close()
  server.close()
`

test('credentials, parameters, XML and the patterns of errors wait for what they need', async () => {
  const manifest = requireManifest(loadManifest({ object: DEPOT, file: 'depot' }))
  const given = JSON.stringify(packed(JSON.parse(JSON.stringify(manifest)) as object))
  const args = ['--input-type=module', '-e', PROGRAM, given]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(JSON.parse(stdout)).toEqual({
    refused: ['credentials_invalid', '/credentials/key minLength'],
    found: { id: '7' },
    wrong: ['params_invalid', '/params/x unknown', '/params/code pattern'],
    missing: ['upstream_not_found'],
    previewed: 1,
  })
})
