// What was answered and is held by nobody goes in the quick rounds of the collector: what waits for a full one costs every
// call more than all else that it does.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { expect, test } from 'vitest'

import { connect } from '../../src/client/connect.ts'
import { loadManifest } from '../../src/client/load-manifest.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { readonly type: 'minor' | 'major' }) => void

const ACME = await loadManifest({
  manifest: 1,
  connector: { type: 'acme', title: 'Acme', version: '1.0.0' },
  server: { url: 'https://api.acme.example' },
  auth: {
    key: {
      credentials: {
        required: ['api_key'],
        properties: { api_key: { type: 'string', writeOnly: true } },
      },
      apply: { headers: { 'X-Api-Key': '{{ credentials.api_key }}' } },
    },
  },
  entities: {
    items: {
      record: { properties: { id: { type: 'string' } } },
      actions: {
        list: {
          request: { http: 'GET /items' },
          response: { records: '$.items' },
          pagination: { type: 'none', reason: 'one page holds all' },
        },
      },
    },
  },
})

const CALLS = 40
/** Comes in several pieces, and takes more memory as a value than as bytes. */
const BODY = JSON.stringify({
  items: Array.from({ length: 4_000 }, (_, index) => ({ id: `item-${index}`, of: [index, null] })),
})

test('neither pages nor the pieces that they came in are kept until all memory is collected', async () => {
  await using vendor = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(BODY)
  }).listen(0, '127.0.0.1')
  await once(vendor, 'listening')
  await using acme = await connect(ACME, {
    credentials: { api_key: 'demo-key-1' },
    serverUrl: `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`,
    allowHosts: ['127.0.0.1'],
  })
  const callAll = async (): Promise<void> => {
    for (let call = 0; call < CALLS; call++) await acme.execute('items', 'list')
  }
  const held = (): number => {
    // What survives one round is young in the next one.
    for (let round = 0; round < 3; round++) collect({ type: 'minor' })
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  await callAll()
  collect({ type: 'major' })
  const before = held()
  await callAll()
  // Kept, they would take several times as much.
  expect(held() - before).toBeLessThan(CALLS * BODY.length)
})
