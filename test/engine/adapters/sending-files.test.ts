// Bodies that are read while they are sent, over real sockets.
import { once } from 'node:events'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { fileFrom, type FileInput } from '../../../src/engine/adapters/file-inputs.ts'
import { fileSourceOf } from '../../../src/engine/adapters/file-sources.ts'
import { StreamedBody } from '../../../src/engine/request/streamed-body.ts'
import type { UpstreamRequest } from '../../../src/engine/request/upstream-request.ts'
import { watchResources } from '../../faults/resources.ts'
import { sized } from '../../fixtures/sizes.ts'
import { probeMemory } from './probe-memory.ts'
import { errorOf, openTransport, requestOf } from './requests.ts'

type Vendor = AsyncDisposable & { readonly url: string; readonly complete: readonly boolean[] }

/** A vendor that sees each request as it arrives; `complete` says of each whether its body came to its end. */
async function createVendor(
  handle: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
): Promise<Vendor> {
  const complete: boolean[] = []
  const server = createServer((request, response) => {
    request.on('error', () => {}).on('close', () => complete.push(request.complete))
    void handle(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/files`,
    complete,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Answers with what came. */
async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks = await request.toArray().catch(() => [])
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  const text = Buffer.concat(chunks as Buffer[]).toString()
  response.end(JSON.stringify({ length, coding, text }))
}

async function uploadOf(
  url: string,
  file: Exclude<FileInput, string>,
  changes: Partial<UpstreamRequest> = {},
): Promise<UpstreamRequest> {
  const source = await fileSourceOf('file', file)
  const body = new StreamedBody([Buffer.from('<'), source, Buffer.from('>')])
  return requestOf(url, { method: 'POST', body, ...changes })
}

/** A file without content of its own, which takes no room. */
async function emptyFile(size: number): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-file-'))
  const path = join(folder, 'large.bin')
  await writeFile(path, '')
  await truncate(path, size)
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

async function* pieces(...texts: readonly string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text)
}

async function* silent(signal: AbortSignal): AsyncGenerator<Buffer> {
  yield Buffer.from('one')
  await once(signal, 'abort')
}

describe('M3 a body that streams', () => {
  test.for<{ name: string; file: () => Exclude<FileInput, string>; want: object }>([
    {
      name: 'a Blob says its length',
      file: () => new Blob(['one', 'two']),
      want: { length: '8', text: '<onetwo>' },
    },
    {
      name: 'a stream goes in chunks',
      file: () => Readable.from([Buffer.from('one'), 'two']),
      want: { coding: 'chunked', text: '<onetwo>' },
    },
    {
      name: 'a stream whose size is given says its length',
      file: () => fileFrom(pieces('one', 'two'), { size: 6 }),
      want: { length: '8', text: '<onetwo>' },
    },
    {
      name: 'a stream of the web goes in chunks',
      file: () => new Blob(['one']).stream(),
      want: { coding: 'chunked', text: '<one>' },
    },
    {
      name: 'a file of no bytes is sent',
      file: () => new Blob([]),
      want: { length: '2', text: '<>' },
    },
    {
      name: 'a path is read',
      file: () => fileFrom({ path: 'LICENSE' }, { name: 'licence' }),
      want: { text: expect.stringMatching(/^<\s+Apache License[^]*>$/) },
    },
  ])('$name', async ({ file, want }) => {
    await using _ = watchResources()
    await using vendor = await createVendor(echo)
    await using transport = openTransport()
    const { body } = await transport.send(await uploadOf(vendor.url, file()))
    expect(JSON.parse(body.toString())).toMatchObject(want)
    expect(vendor.complete).toEqual([true])
  })

  test.for<{ name: string; file: () => Exclude<FileInput, string>; message: RegExp }>([
    {
      name: 'that breaks off',
      file: () =>
        Readable.from(
          (async function* () {
            yield* pieces('one')
            throw new Error('the disk is gone')
          })(),
        ),
      message: /broke off, after 3 bytes/,
    },
    {
      name: 'that ends early',
      file: () => fileFrom(pieces('one'), { size: 6, name: 'a.txt' }),
      message: /"a.txt" ended early, after 3 of 6 bytes/,
    },
    {
      name: 'that is longer than it said',
      file: () => fileFrom(pieces('one', 'two'), { size: 5 }),
      message: /is longer than it said/,
    },
    {
      name: 'that gives no bytes',
      file: () => Readable.from([{ no: 'bytes' }]),
      message: /gives no bytes/,
    },
  ])('a file $name ends the request, and the vendor never has it whole', async (given) => {
    await using _ = watchResources()
    await using vendor = await createVendor(echo)
    await using transport = openTransport()
    const error = await errorOf(transport.send(await uploadOf(vendor.url, given.file())))
    expect(error).toMatchObject({ code: 'upload_interrupted', details: { sent: true } })
    expect((error as Error).message).toMatch(given.message)
    await expect.poll(() => vendor.complete).toEqual([false])
  })

  test('a file that falls silent is told from a vendor that takes nothing', async () => {
    await using _ = watchResources()
    await using vendor = await createVendor(() => {})
    await using transport = openTransport({ limits: { idleMs: 60 } })
    const leave = new AbortController()
    const quiet = await uploadOf(vendor.url, silent(leave.signal))
    expect(await errorOf(transport.send(quiet))).toMatchObject({
      code: 'upload_interrupted',
      details: { reason: 'file' },
    })
    leave.abort()
    const large = await uploadOf(vendor.url, new Blob([Buffer.alloc(32 * 1024 * 1024)]))
    expect(await errorOf(transport.send(large))).toMatchObject({
      code: 'upstream_timeout',
      details: { reason: 'send_timeout' },
    })
  })

  test('a server that passes a file on may rest for longer, and its sender may not', async () => {
    await using _ = watchResources()
    await using vendor = await createVendor(async (request, response) => {
      // Waits for time: longer than a third party may take nothing.
      await sleep(300)
      request.resume().on('end', () => response.end('{}'))
    })
    await using transport = openTransport({ limits: { idleMs: 60 } })
    const large = await uploadOf(vendor.url, new Blob([Buffer.alloc(32 * 1024 * 1024)]))
    expect(await transport.send({ ...large, restMs: 60_000 })).toMatchObject({ status: 200 })
    const leave = new AbortController()
    const quiet = await uploadOf(vendor.url, silent(leave.signal))
    expect(await errorOf(transport.send({ ...quiet, restMs: 60_000 }))).toMatchObject({
      code: 'upload_interrupted',
      details: { reason: 'file' },
    })
    leave.abort()
  })

  test.for([
    ['from a stream', 'upload'],
    ['from a path', 'upload'],
    ['in parts from a stream', 'parts'],
    ['in parts from a path', 'parts'],
  ] as const)('passes through 64 MiB of memory %s', async ([source, mode]) => {
    await using vendor = await createVendor(async (request, response) => {
      let bytes = 0
      for await (const chunk of request) bytes += (chunk as Buffer).length
      response.end(String(bytes))
    })
    const size = sized(128, 1024) * 1024 * 1024
    await using file = source.endsWith('from a path') ? await emptyFile(size) : null
    const report = await probeMemory(mode, vendor.url, file?.path ?? String(size))
    expect(report).toMatchObject({ code: null, bytes: size })
    expect(report.grownMiB).toBeLessThan(64)
  })

  test('the time of an attempt begins behind the last byte', async () => {
    await using vendor = await createVendor(echo)
    await using transport = openTransport()
    async function* slow(): AsyncGenerator<Buffer> {
      for (const text of ['one', 'two', 'six']) {
        // Waits for time: the file takes longer than the attempt may.
        await sleep(40)
        yield Buffer.from(text)
      }
    }
    const request = await uploadOf(vendor.url, slow(), { timeoutMs: 100 })
    expect((await transport.send(request)).status).toBe(200)
  })

  test('an answer before the end of the file ends its reading', async () => {
    await using _ = watchResources()
    await using vendor = await createVendor((_request, response) => {
      response.writeHead(413, { connection: 'close' }).end('too large')
    })
    await using transport = openTransport()
    let isEnded = false
    async function* endless(): AsyncGenerator<Buffer> {
      try {
        for (;;) yield Buffer.alloc(64 * 1024)
      } finally {
        isEnded = true
      }
    }
    const outcome = transport.send(await uploadOf(vendor.url, endless())).then(
      ({ status }) => status,
      (error: { code: string }) => error.code,
    )
    // A vendor that closes at once may be heard of by its reset alone: RFC 9112, section 9.6.
    expect([413, 'upstream_unreachable']).toContain(await outcome)
    await expect.poll(() => isEnded).toBe(true)
  })

  test('an abort ends the reading of a silent file', async () => {
    await using _ = watchResources()
    await using vendor = await createVendor(() => {})
    await using transport = openTransport()
    const leave = new AbortController()
    const file = Readable.from(silent(leave.signal))
    const call = new AbortController()
    const sending = transport.send(await uploadOf(vendor.url, file), { signal: call.signal })
    await expect.poll(() => file.readableDidRead).toBe(true)
    call.abort()
    expect(await errorOf(sending)).toMatchObject({ code: 'aborted' })
    expect(file.destroyed).toBe(true)
    leave.abort()
  })

  test('a redirect sends what can be read again, and no stream', async () => {
    await using vendor = await createVendor(async (request, response) => {
      if (request.url === '/other') return echo(request, response)
      for await (const _ of request);
      response.writeHead(307, { location: '/other' }).end()
    })
    await using transport = openTransport()
    const send = async (file: Exclude<FileInput, string>): Promise<number> =>
      (await transport.send(await uploadOf(vendor.url, file, { redirects: 1 }))).status
    expect([await send(new Blob(['one'])), await send(pieces('one'))]).toEqual([200, 307])
  })
})
