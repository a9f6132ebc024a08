// The client on fetch in a page and in a worker of a real browser, against a service of another origin.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeApplication } from '../../../src/service/tokens/applications.ts'
import { findChromium, type OpenBrowser, openBrowser } from '../../fixtures/browser.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'
import { blocksOf } from '../../docs/blocks.ts'
import { bundleForBrowsers } from './bundle.ts'

const chromium = await findChromium()
if (chromium === null)
  process.stderr.write('no Chromium here: the tests of tenon/fetch in a page are skipped\n')

const DEPOT = join(import.meta.dirname, '../../service/depot.yaml')

describe.skipIf(chromium === null)('in a browser', () => {
  let host: Awaited<ReturnType<typeof startHost>>
  let world: RunningService
  let browser: OpenBrowser
  let page: Page
  let token: string
  let stranger: string

  beforeAll(async () => {
    if (chromium === null) throw new TypeError('tests without a browser are skipped')
    host = await startHost((await bundleForBrowsers()).code)
    world = await runService({
      manifests: [DEPOT],
      connectors: ['jira', 'gong', 'depot'],
      corsOrigins: [host.origin],
      jobs: true,
    })
    const { clientId = '' } = world.service.firstApplication ?? {}
    await changeApplication(
      world.service.store,
      clientId,
      { allows: ['request'] },
      { verb: 'update' },
    )
    token = await world.scoped({ external_user_id: 'user-1' })
    stranger = await world.scoped({ external_user_id: 'user-2' })
    browser = await openBrowser(chromium)
    const opened = await browser.page()
    page = opened.page
    await page.goto(host.origin)
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
    await host[Symbol.asyncDispose]()
  })

  /** Runs the body of an async function in the page. It has `settings`, `connect(type)` and what it is given. */
  async function inPage<T>(body: string, given: object = {}): Promise<T> {
    const options = (type: string) => world.vendor(type).options()
    const known = {
      settings: { baseUrl: world.url, token },
      demo: { jira: options('jira'), gong: options('gong'), depot: options('depot') },
      ...given,
    }
    const told: unknown = await page.evaluate(`(async ({ ${Object.keys(known).join(', ')} }) => {
      const user = tenon.serviceClient(settings)
      const connect = async (type) => {
        const { credentials, config } = demo[type]
        const { id } = await user.instances.create({
          external_user_id: 'user-1', connector_type: type, name: type, credentials, config,
        })
        return await tenon.connectHosted(type, { ...settings, connectorId: id })
      }
      ${body}
    })(${JSON.stringify(known)})`)
    // What the program of the test returns.
    return told as T
  }

  test('an instance is made, an operation runs, pages follow each other, errors have their codes', async () => {
    const told = await inPage(
      `
      const jira = await connect('jira')
      const created = await jira.issues.create(params)
      const read = await jira.issues.get({ issueIdOrKey: created.data.key })
      const sizes = []
      for await (const { records } of jira.issues.api_search({ jql: 'project = OPS', maxResults: 7 }).pages())
        sizes.push(records.length)
      const error = await jira.issues.get({ issueIdOrKey: 'OPS-999999' }).catch((thrown) => thrown)
      return { isSame: read.data.key === created.data.key, isPaged: sizes.length > 2 && sizes[0] === 7,
        error: [tenon.isConnectorError(error), error.code, error.origin, typeof error.requestId] }
    `,
      { params: world.vendor('jira').example('issues.create') },
    )
    expect(told).toEqual({
      isSame: true,
      isPaged: true,
      error: [true, 'upstream_not_found', 'upstream', 'string'],
    })
  })

  test('the copy is searched once it is there', async () => {
    const id = await world.connect('gong')
    const hits = () =>
      inPage<readonly string[] | string>(
        `const gong = await tenon.connectHosted('gong', { ...settings, connectorId: id, retries: 0 })
        try {
          const found = await gong.users.search({ query: { filter: { eq: { lastName: 'Novak' } } } })
          return found.hits.map(({ data }) => data.firstName)
        } catch (error) {
          return error.code
        }`,
        { id },
      )
    await expect.poll(hits, { timeout: 60_000, interval: 500 }).toEqual(['Gregor'])
  })

  test('a download has its head, as a whole and in part, and is a stream of the web', async () => {
    const params = world.vendor('gong').example('call_audio.download')
    const told = await inPage(
      `const gong = await connect('gong')
      const whole = await gong.call_audio.download(params)
      const bytes = await whole.toBytes({ maxBytes: 1e7 })
      const part = await gong.call_audio.download({ ...params, range_header: 'bytes=10-19' })
      const blob = await new Response(part.toWebStream()).blob()
      const isMiddle = String(new Uint8Array(await blob.arrayBuffer())) === String(bytes.slice(10, 20))
      const refused = await gong.call_audio.download(params)
        .then((file) => file.toFile('/x')).catch((error) => [error.name, error.message.includes('toWebStream()')])
      return { head: [whole.status, whole.contentType, whole.contentLength === bytes.length],
        part: [part.status, part.contentRange, part.acceptRanges], size: bytes.length, isMiddle, refused }`,
      { params },
    )
    const { size } = told as { readonly size: number }
    expect(told).toEqual({
      head: [200, 'audio/mpeg', true],
      part: [206, { start: 10, end: 19, size }, 'bytes'],
      size,
      isMiddle: true,
      refused: ['TypeError', true],
    })
  })

  test('a Blob of 4 MB is sent with its name and digest, and a stream is refused in words', async () => {
    const told = await inPage<{ readonly digest: string; readonly data: unknown }>(`
      const depot = await connect('depot')
      const bytes = new Uint8Array(4e6).map((_, index) => index)
      const file = new File([bytes], 'Größe.bin', { type: 'a/b' })
      const sent = []
      const send = globalThis.fetch
      globalThis.fetch = (url, init) => { sent.push(init); return send(url, init) }
      const { data } = await depot.files.create({ content: file, folder: 'a' })
      globalThis.fetch = send
      const form = await sent[0].body.text()
      const stream = await depot.files.create({ content: file.stream() }).catch((error) => [error.code, error.message])
      return { data: typeof data.id, digest: /"sha256":"(\\w+)"/.exec(form)[1], key: 'idempotency-key' in sent[0].headers, stream }
    `)
    const bytes = Uint8Array.from({ length: 4e6 }, (_, index) => index)
    expect(told).toEqual({
      data: 'string',
      digest: createHash('sha256').update(bytes).digest('hex'),
      key: true,
      stream: ['params_invalid', expect.stringContaining('new Response(stream).blob()')],
    })
    expect(world.vendor('depot').requests('files.create')).toHaveLength(1)
  })

  test('a request of its own has the status and headers of the third party', async () => {
    const told = await inPage(`
      const jira = await connect('jira')
      const answer = await jira.request({ path: '/rest/api/3/issue/OPS-1' })
      return [answer.status, answer.headers['content-type'], (await answer.json()).key]
    `)
    expect(told).toEqual([200, expect.stringContaining('application/json'), 'OPS-1'])
  })

  test('a call ends with its signal', async () => {
    const vendor = world.vendor('jira')
    const asked = vendor.requests('issues.get').length
    vendor.fail('issues.get', { mode: 'hang', times: 1 })
    await inPage(`
      const jira = await connect('jira')
      globalThis.stop = new AbortController()
      const { signal } = stop
      globalThis.call = jira.issues.get({ issueIdOrKey: 'OPS-1' }, { signal }).catch((error) => error.code)
    `)
    await expect.poll(() => vendor.requests('issues.get').length).toBe(asked + 1)
    expect(await inPage('stop.abort(); return await call')).toBe('aborted')
  })

  test('the page of the guide lists what it says', async () => {
    const documented = blocksOf('docs/host-apps.md').find(({ text }) =>
      text.startsWith("import { connectHosted } from 'tenon/fetch'"),
    )
    const program = (documented?.text ?? '')
      .replace(/import (\{.*\}) from 'tenon\/fetch'/, 'const $1 = tenon')
      .replace('https://tenon.example.com', world.url)
      .replace("'/tenon-token'", "'/tenon-token?' + settings.token")
    const shown = await inPage<readonly string[]>(
      `const shown = []
      const show = (name) => shown.push(name)
      ${program}
      return shown`,
      { connectorId: await world.connect('gong') },
    )
    expect(shown).toContain('Gregor Novak')
  })

  test('another user finds nothing, and the secret of an application is refused', async () => {
    const told = await inPage(
      `await connect('gong')
      const others = await tenon.serviceClient({ ...settings, token: stranger }).instances.list()
      let refused = null
      try {
        tenon.serviceClient({ baseUrl: settings.baseUrl, clientId: 'a', clientSecret: 'b' })
      } catch (error) {
        refused = error.message
      }
      return [others.records.length, refused]`,
      { stranger },
    )
    expect(told).toEqual([0, expect.stringContaining('mint a scoped token on your server')])
  })

  test('a worker of the page calls as the page does', async () => {
    const told = await inPage(`
      const jira = await connect('jira')
      const [{ id }] = (await user.instances.list({ connector_type: 'jira', limit: 1 })).records
      const worker = new Worker('/worker.js')
      const answer = new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data) })
      worker.postMessage({ ...settings, connectorId: id })
      return await answer
    `)
    expect(told).toEqual('OPS-1')
  })

  test('a page of an origin that the service does not know is told that it cannot be reached', async () => {
    const other = await startHost((await bundleForBrowsers()).code)
    try {
      const opened = await browser.page()
      await opened.page.goto(other.origin)
      const told: unknown = await opened.page.evaluate(
        `tenon.connectHosted('jira', ${JSON.stringify({ baseUrl: world.url, token, connectorId: 'x', retries: 0 })}).catch(({ code, message }) => [code, message])`,
      )
      expect(told).toEqual([
        'service_unreachable',
        expect.stringContaining('TENON_CORS_ORIGINS of the service'),
      ])
    } finally {
      await other[Symbol.asyncDispose]()
    }
  })
})

/** A site with the client as a script, at an origin of its own. */
async function startHost(code: string): Promise<AsyncDisposable & { readonly origin: string }> {
  const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
    '/': [
      'text/html',
      '<!doctype html><html lang="en"><title>Acme</title><link rel="icon" href="data:,"><script src="/tenon.js"></script></html>',
    ],
    '/tenon.js': ['text/javascript', code],
    '/worker.js': [
      'text/javascript',
      `importScripts('/tenon.js')
      onmessage = async ({ data: settings }) => {
        const jira = await tenon.connectHosted('jira', settings)
        const { data } = await jira.issues.get({ issueIdOrKey: 'OPS-1' })
        postMessage(data.key)
      }`,
    ],
  }
  const server = createServer((request, response) => {
    const [path = '/', query = ''] = (request.url ?? '/').split('?')
    // The host's server, which knows who is signed in.
    const minted = ['application/json', JSON.stringify({ token: query })] as const
    const [type, text] = files[path] ?? minted
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens has an address.
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://localhost:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
