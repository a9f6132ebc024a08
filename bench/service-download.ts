// A large file through a whole service, beside the best raw pipe that a server can be.
import { once } from 'node:events'
import { request as send } from 'node:http'

import { buildPackage } from './build.ts'
import { BYTES, compareFiles, type Turn } from './download-turns.ts'
import type { LoadRequest } from './load.ts'
import type { Row } from './row.ts'
import { type Running, startPipe, startService } from './running.ts'
import { startVendor } from './vendor.ts'

const LOOK_EVERY_MS = 20
const MIB = 1024 ** 2

const GONG = {
  credentials: { access_key: 'a-key-of-some-length', access_key_secret: 'a-secret-of-some-length' },
  config: {},
}

/** Memory counts from before the first download: what the server keeps of one is there at the next. */
export const serviceDownloadRow: Row = {
  name: 'service-download',
  about: '1 GiB through a service',
  async run() {
    buildPackage()
    using vendor = await startVendor()
    await using pipe = await startPipe(vendor.url, `/media/${BYTES}`)
    await using service = await startService()
    const gong = await service.connect('gong', vendor.url, GONG)
    const request: LoadRequest = {
      url: service.url,
      method: 'POST',
      path: `/api/v1/connectors/sources/${gong}/execute`,
      headers: {
        authorization: `Bearer ${service.token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        entity: 'call_audio',
        action: 'download',
        params: {
          filter: { callIds: [String(BYTES)] },
          contentSelector: { exposedFields: { media: true } },
        },
      }),
    }
    const [pipeStart, start] = [await pipe.usage(), await service.usage()]
    return [
      await compareFiles(
        () => download(pipe, { ...request, url: pipe.url }, pipeStart.rss),
        () => download(service, request, start.rss),
      ),
    ]
  },
}

/** Throws unless all bytes come. `rss`: resident memory before the first download. */
async function download(running: Running, request: LoadRequest, rss: number): Promise<Turn> {
  const before = await running.usage()
  const startedAt = performance.now()
  let peak = before.rss
  let bytes = 0
  const outgoing = send(request.url + request.path, {
    method: request.method,
    headers: request.headers,
    agent: false,
  }).end(request.body)
  outgoing.on('response', (incoming) => {
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    incoming.on('end', () => outgoing.emit('read'))
  })
  const done = once(outgoing, 'read').then(() => true)
  while (!(await Promise.race([done, pause()]))) peak = Math.max(peak, (await running.usage()).rss)
  const ms = performance.now() - startedAt
  if (bytes !== BYTES) throw new Error(`${request.url} delivered ${bytes} bytes`)
  const after = await running.usage()
  return { ms, cpuMs: (after.cpuUs - before.cpuUs) / 1000, grownMiB: (peak - rss) / MIB }
}

async function pause(): Promise<false> {
  return await new Promise((resolve) => {
    setTimeout(() => resolve(false), LOOK_EVERY_MS)
  })
}
