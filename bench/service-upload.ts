// A large file through a whole service to the third party, beside the best raw pipe that a server can be.
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { request as send } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'

import { buildPackage, loadPackage } from './build.ts'
import { BYTES, compareFiles, type Turn } from './download-turns.ts'
import type { Line, Row } from './row.ts'
import { type Running, startPassing, startService } from './running.ts'
import { startVendor } from './vendor.ts'

const LOOK_EVERY_MS = 20
const MIB = 1024 ** 2
/** The pipe looks at nothing; a form has to be searched for its boundary. */
const SHOWN = { must: null, goal: null }
const MANIFEST = fileURLToPath(new URL('programs/depot.yaml', import.meta.url))

/** Memory counts from before the first upload: what the server keeps of one is there at the next. */
export const serviceUploadRow: Row = {
  name: 'service-upload',
  about: '1 GiB through a service to the third party',
  async run() {
    buildPackage()
    const { connectHosted, fileFrom, loadManifest } = await loadPackage()
    using vendor = await startVendor()
    await using pipe = await startPassing(vendor.url, '/files')
    await using service = await startService([MANIFEST])
    const connectorId = await service.connect('depot', vendor.url, {
      credentials: { key: 'a-key' },
    })
    await using client = await connectHosted(await loadManifest(MANIFEST), {
      baseUrl: service.url,
      connectorId,
      token: service.token,
    })
    const [pipeStart, start] = [await pipe.usage(), await service.usage()]

    async function upload(content: unknown): Promise<number> {
      const { data } = await client.execute('files', 'create', { content })
      return Number((data as { readonly bytes?: number } | null)?.bytes)
    }
    const raw = (make: () => Readable) => (): Promise<Turn> =>
      measure(pipe, pipeStart.rss, () => sendRaw(pipe.url, make()))
    const ours = (make: () => unknown) => (): Promise<Turn> =>
      measure(service, start.rss, () => upload(make()))

    const lines: Line[] = []
    const streams = { title: '1 GiB, a stream', raw: 'undici.request', speed: SHOWN }
    lines.push(await compareFiles(raw(makeStream), ours(makeStream), streams))
    const folder = await mkdtemp(join(tmpdir(), 'tenon-bench-'))
    try {
      const path = join(folder, 'file')
      await pipeline(makeStream(), createWriteStream(path))
      // A path is read twice: for its digest, which makes the write safe to repeat, and to send it.
      const paths = {
        title: '1 GiB, a path, read twice',
        raw: 'undici.request of a stream',
        speed: SHOWN,
      }
      lines.push(
        await compareFiles(
          raw(makeStream),
          ours(() => fileFrom({ path })),
          paths,
        ),
      )
    } finally {
      await rm(folder, { recursive: true })
    }
    return lines
  },
}

function makeStream(): Readable {
  const piece = Buffer.alloc(64 * 1024, 'file')
  function* pieces(): Generator<Buffer> {
    for (let left = BYTES; left > 0; left -= piece.length) yield piece
  }
  return Readable.from(pieces(), { objectMode: false, highWaterMark: 256 * 1024 })
}

/** What the third party got. */
async function sendRaw(url: string, file: Readable): Promise<number> {
  const outgoing = send(url, { method: 'POST', agent: false })
  const answered = new Promise<number>((resolve, reject) => {
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      json(incoming).then((body) => resolve((body as { readonly bytes: number }).bytes), reject)
    })
  })
  file.pipe(outgoing)
  return await answered
}

/** Throws unless all bytes come. `rss`: resident memory before the first upload. */
async function measure(running: Running, rss: number, work: () => Promise<number>): Promise<Turn> {
  const before = await running.usage()
  const startedAt = performance.now()
  let peak = before.rss
  const done = work()
  const ended = done.then(() => true)
  while (!(await Promise.race([ended, pause()]))) peak = Math.max(peak, (await running.usage()).rss)
  const ms = performance.now() - startedAt
  const bytes = await done
  if (bytes !== BYTES) throw new Error(`${running.url} sent ${bytes} bytes on`)
  const after = await running.usage()
  return { ms, cpuMs: (after.cpuUs - before.cpuUs) / 1000, grownMiB: (peak - rss) / MIB }
}

async function pause(): Promise<false> {
  return await new Promise((resolve) => {
    setTimeout(() => resolve(false), LOOK_EVERY_MS)
  })
}
