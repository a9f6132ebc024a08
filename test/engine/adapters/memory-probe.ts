// Run as a process of its own: makes one call and reports how its memory grew meanwhile.
//
//   node test/engine/adapters/memory-probe.ts stream|send url             prints {"code", "bytes", "grownMiB"}
//   node test/engine/adapters/memory-probe.ts upload url path|<bytes>     sends a file, or a stream of so many bytes
//   node test/engine/adapters/memory-probe.ts parts url path|<bytes>      the same in parts of 8 MiB
import { setTimeout as sleep } from 'node:timers/promises'

import { createSystemClock } from '../../../src/engine/adapters/system-clock.ts'
import { createUndiciTransport } from '../../../src/engine/adapters/undici-transport.ts'
import { isConnectorError } from '../../../src/errors.ts'

import { fileFrom } from '../../../src/engine/adapters/file-inputs.ts'
import { fileSourceOf } from '../../../src/engine/adapters/file-sources.ts'
import type { FileSource } from '../../../src/language/expression/file-source.ts'
import { StreamedBody } from '../../../src/engine/request/streamed-body.ts'
import { fileInMemory } from '../../../src/engine/run/upload-file.ts'
import { FileParts } from '../../../src/engine/run/upload-parts.ts'

import { requestOf } from './requests.ts'

const [mode, url = '', given = ''] = process.argv.slice(2)
const transport = createUndiciTransport({ allowHosts: ['127.0.0.1'] })

// What is loaded and allocated once does not count.
await transport.send(requestOf(new URL('/warm-up', url).href))
// Waits for time: what was allocated is given back.
await sleep(50)

const before = process.memoryUsage.rss()
let peak = before
const watch = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss())
}, 2)

let bytes = 0
let code: string | null = null
try {
  const request = requestOf(url, { timeoutMs: 30_000 })
  if (mode === 'stream') {
    const { body } = await transport.stream(request)
    for await (const chunk of body) {
      bytes += (chunk as Buffer).length
      // Waits for time: the reader is slow now and then.
      if (bytes % (8 * 1024 * 1024) < 65_536) await sleep(2)
    }
  } else if (mode === 'parts') {
    const parts = new FileParts(await givenFile(), 8 * 1024 * 1024, {
      clock: createSystemClock(),
      signal: undefined,
    })
    for (let isLast = false; !isLast;) {
      const part = await parts.at(bytes, null)
      const body = new StreamedBody([fileInMemory(part.bytes, { name: null, type: null })])
      const answer = await transport.send({ ...request, method: 'POST', body })
      bytes += Number(answer.body.toString())
      isLast = part.isLast
    }
    parts.close()
  } else if (mode === 'upload') {
    const file = await givenFile()
    const body = new StreamedBody([file])
    const answer = await transport.send({ ...request, method: 'POST', body })
    bytes = Number(answer.body.toString())
  } else {
    bytes = (await transport.send(request)).body.length
  }
} catch (error) {
  code = isConnectorError(error) ? error.code : String(error)
}
peak = Math.max(peak, process.memoryUsage.rss())
clearInterval(watch)
await transport.close()

process.stdout.write(
  JSON.stringify({ code, bytes, grownMiB: Math.round((peak - before) / 1024 / 1024) }),
)

async function givenFile(): Promise<FileSource> {
  const size = Number(given)
  const about = size > 0 ? { size } : {}
  return await fileSourceOf('file', fileFrom(size > 0 ? piecesOf(size) : { path: given }, about))
}

async function* piecesOf(size: number): AsyncGenerator<Buffer> {
  for (let left = size; left > 0; left -= 64 * 1024) yield Buffer.alloc(Math.min(left, 64 * 1024))
}
