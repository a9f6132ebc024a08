// What the client on fetch does differently from the one in Node, and what it refuses.
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  connect,
  connectHosted,
  fileFrom,
  type HostedOptions,
  serviceClient,
} from '../../../src/client/fetch/index.ts'
import type { Client } from '../../../src/client/client.ts'
import type { Download } from '../../../src/client/download.ts'
import { createHttpVendor } from '../../faults/http-vendor.ts'

const ID = '0199f3b2-6f0e-7c31-9a57-2f4f5d1f9a10'
const CATALOGUE = {
  entities: [
    {
      entity: 'files',
      actions: [
        { action: 'download', safe: true },
        { action: 'upload', safe: false },
      ],
      search_fields: null,
      search_paths: [],
    },
  ],
}
const OPTIONS = { baseUrl: 'https://tenon.example.com', connectorId: ID, token: 't' }

afterEach(() => vi.unstubAllGlobals())

/** A client whose service answers everything but the catalogue so. */
async function clientOf(
  answer: (url: string, init: RequestInit) => Response | Promise<Response>,
  more: Partial<Pick<HostedOptions, 'timeoutMs' | 'retries'>> = {},
): Promise<Client> {
  return await connectHosted('depot' as 'jira', {
    ...OPTIONS,
    retries: 0,
    ...more,
    fetch: async (url, init) =>
      init.method === 'GET' ? Response.json(CATALOGUE) : await answer(url, init),
  })
}

describe('refuses in words that say the way out', () => {
  const file = () => clientOf(() => new Response('abc', { headers: { 'content-type': 'a/b' } }))

  test.for<readonly [string, () => unknown, RegExp]>([
    [
      'a file on disk',
      async () => (await (await file()).execute('files', 'download')).toFile('/x'),
      /toWebStream\(\) or toBytes\(\)/,
    ],
    [
      'a stream of Node',
      async () => (await (await file()).execute('files', 'download')).body,
      /toWebStream\(\) or toBytes\(\)/,
    ],
    [
      'a path',
      async () =>
        await (await file()).execute('files', 'upload', { content: fileFrom({ path: '/x' }) }),
      /give its bytes, or a Blob or File/,
    ],
    [
      'a proxy',
      () => connectHosted('jira', { ...OPTIONS, proxy: 'http://p' } as never),
      /connections are made by the runtime/,
    ],
    [
      'a dispatcher',
      () => connectHosted('jira', { ...OPTIONS, dispatcher: {} } as never),
      /give fetch/,
    ],
    [
      'a transport',
      async () => serviceClient({ ...OPTIONS, transport: {} } as never),
      /give fetch/,
    ],
    [
      'credentials of a third party',
      async () => connect(),
      /use connectHosted with a token of your service/,
    ],
  ])('%s', async ([, run, words]) => {
    await expect((async () => await run())()).rejects.toThrow(words)
  })

  test('a path is a problem of its parameter', async () => {
    const client = await file()
    const call = client.execute('files', 'upload', { content: fileFrom({ path: '/x' }) })
    await expect(call).rejects.toMatchObject({
      code: 'params_invalid',
      errors: [{ pointer: '/params/content', code: 'file' }],
    })
  })

  test('in a page: a stream, and the secret of an application', async () => {
    const client = await file()
    vi.stubGlobal('document', {})
    const call = client.execute('files', 'upload', { content: new Blob(['x']).stream() })
    await expect(call).rejects.toMatchObject({
      code: 'params_invalid',
      message: expect.stringContaining('new Response(stream).blob()'),
    })
    const { baseUrl } = OPTIONS
    expect(() => serviceClient({ baseUrl, clientId: 'a', clientSecret: 'b' })).toThrow(
      /mint a scoped token on your server/,
    )
  })

  test('a runtime without Web Crypto, or without the source of numbers', async () => {
    vi.stubGlobal('crypto', { getRandomValues: () => 0 })
    await expect(connectHosted('jira', OPTIONS)).rejects.toThrow(/serve the page by https/)
    vi.unstubAllGlobals()
    vi.stubGlobal('JSON', { parse: JSON.parse, stringify: JSON.stringify })
    await expect(connectHosted('jira', OPTIONS)).rejects.toThrow(/Chrome 114/)
  })
})

describe('a request', () => {
  test('follows no redirect and carries no cookies', async () => {
    const inits: RequestInit[] = []
    const client = await clientOf((_url, init) => {
      inits.push(init)
      return Response.json({ data: {}, meta: {} })
    })
    await client.execute('files', 'get')
    expect(inits).toMatchObject([{ redirect: 'manual', credentials: 'omit' }])
  })

  test('with files of which all is there is one Blob', async () => {
    const bodies: unknown[] = []
    const client = await clientOf((_url, init) => {
      bodies.push(init.body)
      return Response.json({ data: {}, meta: {} })
    })
    await client.execute('files', 'upload', {
      content: new File(['one,two'], 'a.csv', { type: 'text/csv' }),
    })
    const [body] = bodies
    expect(body).toBeInstanceOf(Blob)
    expect(await (body as Blob).text()).toContain(
      '"files":{"content":{"name":"a.csv","type":"text/csv","size":7,"sha256":"',
    )
  })

  test('whose stream breaks off fails because of it', async () => {
    await using server = await createHttpVendor(() => {})
    async function* broken() {
      yield new TextEncoder().encode('one')
      throw new Error('the disk is gone')
    }
    const client = await clientOf((url, init) =>
      fetch(url.replace(OPTIONS.baseUrl, server.url), init),
    )
    await expect(client.execute('files', 'upload', { content: broken() })).rejects.toMatchObject({
      code: 'upload_interrupted',
      details: { bytes: 3 },
    })
  })

  test('ends in time where nothing is answered', async () => {
    await using server = await createHttpVendor(() => {})
    const client = await clientOf(
      (url, init) => fetch(url.replace(OPTIONS.baseUrl, server.url), init),
      { timeoutMs: 50 },
    )
    await expect(client.execute('files', 'get')).rejects.toMatchObject({
      code: 'service_unreachable',
      cause: { code: 'upstream_timeout' },
    })
  })

  test('of a client that is closed is not sent, and one under way ends', async () => {
    let asked = 0
    const client = await clientOf(
      (_url, { signal }) =>
        new Promise((_resolve, reject) => {
          asked++
          // As the standard has it: a request rejects with the reason of its signal.
          signal?.addEventListener('abort', () => reject(signal.reason as Error))
        }),
    )
    const call = client.execute('files', 'get')
    await vi.waitFor(() => expect(asked).toBe(1))
    await client.close()
    await expect(call).rejects.toMatchObject({ code: 'aborted' })
    await expect(client.execute('files', 'get')).rejects.toMatchObject({
      code: 'aborted',
      details: { sent: false },
    })
    expect(asked).toBe(1)
  })
})

describe('a download', () => {
  const head = { 'content-type': 'a/b', 'content-length': '6' }
  const pieces = (...texts: readonly string[]) =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        const text = texts[0]
        if (text === undefined) controller.close()
        else controller.enqueue(new TextEncoder().encode(text))
        texts = texts.slice(1)
      },
    })

  test('is the body of a Response', async () => {
    const client = await clientOf(() => new Response(pieces('abc', 'def'), { headers: head }))
    const file = await client.execute('files', 'download')
    expect(await new Response(file.toWebStream()).text()).toBe('abcdef')
    expect(() => file.toWebStream()).toThrow(/read once/)
  })

  test.for<readonly [string, (file: Download) => Promise<unknown>]>([
    ['toBytes', async (file) => await file.toBytes({ maxBytes: 10 })],
    ['toWebStream', async (file) => await new Response(file.toWebStream()).text()],
  ])('that is shorter than it said never ends cleanly: %s', async ([, read]) => {
    const client = await clientOf(() => new Response(pieces('abc'), { headers: head }))
    await expect(read(await client.execute('files', 'download'))).rejects.toMatchObject({
      code: 'download_interrupted',
      details: { bytes: 3 },
    })
  })

  test('that breaks off says after how many bytes', async () => {
    await using server = await createHttpVendor((_request, response) => {
      response.writeHead(200, head)
      response.write('abc', () => response.destroy())
    })
    const client = await clientOf((url, init) =>
      fetch(url.replace(OPTIONS.baseUrl, server.url), init),
    )
    const file = await client.execute('files', 'download')
    await expect(file.toBytes({ maxBytes: 10 })).rejects.toMatchObject({
      code: 'download_interrupted',
      details: { bytes: 3 },
    })
  })

  test('ends with the signal of its call', async () => {
    const stop = new AbortController()
    await using server = await createHttpVendor((_request, response) => {
      response.writeHead(200, head)
      response.write('abc')
    })
    const client = await clientOf((url, init) =>
      fetch(url.replace(OPTIONS.baseUrl, server.url), init),
    )
    const file = await client.execute('files', 'download', {}, { signal: stop.signal })
    const read = (async () => {
      for await (const _ of file) stop.abort()
    })()
    await expect(read).rejects.toMatchObject({ code: 'aborted' })
  })
})
