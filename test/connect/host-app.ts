// A host app at an origin of its own, with a page that embeds the connect page, and a service beside it.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { stripTypeScriptTypes } from 'node:module'
import type { BrowserContextOptions } from 'playwright-core'
import { type Chromium, openBrowser, type WatchedPage } from '../fixtures/browser.ts'
import { blocksOf } from '../docs/blocks.ts'
import { type RunningService, runService } from '../fixtures/running-service.ts'

export interface HostApp extends AsyncDisposable {
  readonly service: RunningService
  /** `http://localhost:<port>`: to a browser another site than the service, which is at 127.0.0.1. */
  readonly origin: string
  readonly returnUrl: string
  /** Makes a link. */
  link(more?: object): Promise<string>
  /** A page of the browser at this address, in a profile of its own. */
  visit(url: string, options?: BrowserContextOptions): Promise<WatchedPage>
  /** The host's page, with a button that opens a link in this way. `origin` replaces the host's. */
  embed(
    link: string,
    options?: BrowserContextOptions & {
      readonly mode?: 'frame' | 'popup'
      readonly at?: string
      readonly lang?: string
    },
  ): Promise<WatchedPage>
}

const WIDGET = stripTypeScriptTypes(
  readFileSync(new URL('../../src/connect/index.ts', import.meta.url), 'utf8'),
)

const SCRIPT = `
import { open } from './widget.js'
const { searchParams } = new URL(location.href)
const heard = document.querySelector('output')
const say = (words) => { heard.textContent += words + ';' }
document.querySelector('button').addEventListener('click', () => {
  open({
    url: searchParams.get('link'),
    mode: searchParams.get('mode') ?? 'frame',
    ...(searchParams.has('lang') ? { lang: searchParams.get('lang') } : {}),
    onError: ({ code, message }) => { document.body.dataset.failed = code + ': ' + message },
    onEvent: ({ name, step, code, connection }) => {
      document.body.dataset.events = [document.body.dataset.events, step ?? code ?? name].filter(Boolean).join(' ')
    },
    onSuccess: ({ connection, connectorType }) => say('connected ' + connectorType + ' ' + connection),
    onClose: () => say('closed'),
  })
})
addEventListener('message', ({ data }) => { document.body.dataset.last = JSON.stringify(data) })
`

/** The block of the documentation, with what it leaves to the host. */
const DOCUMENTED = `
const button = document.querySelector('button')
const say = (words) => { document.querySelector('output').textContent += words + ';' }
const askYourServerForALink = async () => ({ connect_url: new URL(location.href).searchParams.get('link') })
const tellYourServer = (connection) => say('told ' + connection)
const refreshTheList = () => say('refreshed')
${blocksOf('docs/connect.md').find(({ language }) => language === 'js')?.text}
`.replace("'tenon/connect'", "'./widget.js'")

const pageWith = (script: string): string => `<!doctype html>
<html lang="en">
<title>Acme</title>
<link rel="icon" href="data:,">
<script type="module" src="${script}"></script>
<main><h1>Acme</h1><button>Connect an account</button> <output></output></main>
</html>
`

/** `consoleFolder`: where the console was built, of which the page has the type face. */
export async function openHostApp(chromium: Chromium, consoleFolder: string): Promise<HostApp> {
  let service: RunningService | null = null
  const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
    '/': ['text/html', pageWith('/host.js')],
    '/documented': ['text/html', pageWith('/documented.js')],
    '/documented.js': ['text/javascript', DOCUMENTED],
    '/connected': ['text/html', '<!doctype html><html lang="en"><title>Back</title><h1>Back</h1>'],
    '/host.js': ['text/javascript', SCRIPT],
    '/widget.js': ['text/javascript', WIDGET],
  }
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const [type, text] = files[pathname] ?? ['text/plain', 'nothing here']
    response.writeHead(pathname in files ? 200 : 404, {
      'content-type': `${type}; charset=utf-8`,
      // As strict as a host may be: no style but what scripts set.
      'content-security-policy': `default-src 'none'; script-src 'self'; img-src data:; frame-src ${service?.url ?? "'none'"}`,
    })
    response.end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens has an address.
  const { port } = server.address() as AddressInfo
  const origin = `http://localhost:${port}`
  const returnUrl = `${origin}/connected`
  const running = await runService({ redirectUrls: [returnUrl] }, { consoleFolder })
  service = running
  const browser = await openBrowser(chromium)

  async function visit(url: string, options: BrowserContextOptions = {}): Promise<WatchedPage> {
    const watched = await browser.page(options)
    await watched.page.goto(url)
    return watched
  }

  return {
    service: running,
    origin,
    returnUrl,
    visit,
    async link(more = {}) {
      const body = { external_user_id: 'user-1', return_url: returnUrl, allowed_origin: origin }
      const answer = await running.call('POST', '/v1/connect/sessions', { ...body, ...more })
      if (answer.status !== 201) throw new Error(answer.text)
      return (answer.body as { readonly connect_url: string }).connect_url
    },
    async embed(link, { mode = 'frame', at = origin, lang, ...options } = {}) {
      return await visit(
        `${at}/?${new URLSearchParams({ link, mode, ...(lang !== undefined && { lang }) }).toString()}`,
        options,
      )
    },
    async [Symbol.asyncDispose]() {
      await browser[Symbol.asyncDispose]()
      await running[Symbol.asyncDispose]()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
