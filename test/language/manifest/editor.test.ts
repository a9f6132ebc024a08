// What an author's editor shows: the real yaml-language-server over our manifests and over broken ones.
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

interface Diagnostic {
  readonly message: string
  readonly range: { readonly start: { readonly line: number } }
}
type Params = Record<string, unknown>

/** As much of the Language Server Protocol as these tests speak. */
class Editor {
  readonly #server: ChildProcess
  #buffer = Buffer.alloc(0)
  #id = 0
  readonly #answers = new Map<number, (result: unknown) => void>()
  readonly #diagnostics = new Map<string, (found: Diagnostic[]) => void>()

  constructor() {
    this.#server = spawn(
      process.execPath,
      ['node_modules/yaml-language-server/bin/yaml-language-server', '--stdio'],
      { stdio: ['pipe', 'pipe', 'ignore'] },
    )
    this.#server.stdout?.on('data', (chunk: Buffer) => this.#read(chunk))
  }

  async start(): Promise<void> {
    await this.request('initialize', {
      processId: process.pid,
      rootUri: pathToFileURL(process.cwd()).href,
      capabilities: { textDocument: { publishDiagnostics: {}, completion: {}, hover: {} } },
    })
    this.notify('initialized', {})
  }

  stop(): void {
    this.#server.kill()
  }

  /** The diagnostics of a text under this name. */
  async open(name: string, text: string): Promise<readonly Diagnostic[]> {
    const uri = uriOf(name)
    const found = new Promise<Diagnostic[]>((answer) => {
      this.#diagnostics.set(uri, answer)
    })
    this.notify('textDocument/didOpen', {
      textDocument: { uri, languageId: 'yaml', version: 1, text },
    })
    return await found
  }

  async request(method: string, params: Params): Promise<unknown> {
    const id = ++this.#id
    const answer = new Promise((settle) => {
      this.#answers.set(id, settle)
    })
    this.#send({ jsonrpc: '2.0', id, method, params })
    return await answer
  }

  notify(method: string, params: Params): void {
    this.#send({ jsonrpc: '2.0', method, params })
  }

  #send(message: object): void {
    const body = JSON.stringify(message)
    this.#server.stdin?.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }

  #read(chunk: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, chunk])
    for (;;) {
      const head = this.#buffer.indexOf('\r\n\r\n')
      const length = Number(
        /Content-Length: (\d+)/.exec(this.#buffer.subarray(0, head).toString())?.[1],
      )
      if (head === -1 || this.#buffer.length < head + 4 + length) return
      const body = this.#buffer.subarray(head + 4, head + 4 + length).toString()
      this.#buffer = this.#buffer.subarray(head + 4 + length)
      this.#take(JSON.parse(body) as Params)
    }
  }

  #take({ id, method, params, result }: Params): void {
    if (method === 'textDocument/publishDiagnostics') {
      const { uri, diagnostics } = params as { uri: string; diagnostics: Diagnostic[] }
      this.#diagnostics.get(uri)?.(diagnostics)
    } else if (method === undefined) this.#answers.get(id as number)?.(result)
    // What the server asks for (settings, registrations) has no answer here but null.
    else if (id !== undefined)
      this.#send({
        jsonrpc: '2.0',
        id,
        result: method === 'workspace/configuration' ? [{}, {}, {}, {}, {}] : null,
      })
  }
}

function uriOf(name: string): string {
  return pathToFileURL(resolve('manifests', name)).href
}

const editor = new Editor()
beforeAll(async () => await editor.start(), 30_000)
afterAll(() => editor.stop())

const manifests = readdirSync('manifests').filter((name) => name.endsWith('.yaml'))

test.for(manifests)('%s has no diagnostic', async (name) => {
  expect(await editor.open(name, readFileSync(`manifests/${name}`, 'utf8'))).toEqual([])
})

const ACME = readFileSync('test/types/manifests/acme.yaml', 'utf8').replace(
  '../../../schemas',
  '../schemas',
)

test.for([
  { name: 'an unknown key', was: 'check:', is: 'chekc:', line: 9, says: 'chekc' },
  { name: 'a wrong type', was: 'manifest: 1', is: 'manifest: one', line: 1, says: '1' },
  { name: 'an unknown action', was: '      list:', is: '      lst:', line: 14, says: 'lst' },
])('$name is shown at its line', async ({ was, is, line, says }) => {
  const text = ACME.replace(was, is)
  expect(text).not.toBe(ACME)
  const found = await editor.open(`broken-${line}.yaml`, text)
  expect(found.some((one) => one.range.start.line === line && one.message.includes(says))).toBe(
    true,
  )
})

/** The labels that are offered behind these lines, which follow the manifest. */
async function offered(name: string, lines: string): Promise<readonly string[]> {
  const text = `${ACME}\n${lines}`
  await editor.open(name, text)
  const all = text.split('\n')
  const completion = (await editor.request('textDocument/completion', {
    textDocument: { uri: uriOf(name) },
    position: { line: all.length - 1, character: (all.at(-1) ?? '').length },
  })) as { readonly items: readonly { readonly label: string }[] }
  return completion.items.map(({ label }) => label)
}

test.for([
  {
    name: 'types inside params',
    lines:
      '      get:\n        params:\n          properties:\n            id:\n              type: ',
    labels: ['string', 'integer', 'boolean', 'array'],
  },
  {
    name: 'each pagination',
    lines: '      api_search:\n        pagination:\n          ',
    labels: ['cursor', 'page', 'offset', 'link', 'none'],
  },
  {
    name: 'each action',
    lines: '  orders:\n    actions:\n      ',
    labels: ['list', 'get', 'create', 'update', 'delete', 'api_search', 'download'],
  },
])('completions offer $name', async ({ name, lines, labels }) => {
  expect(await offered(`${name.replaceAll(' ', '-')}.yaml`, lines)).toEqual(
    expect.arrayContaining(labels),
  )
})

test('completions offer each authentication', async () => {
  const text = 'manifest: 1\nconnector: { type: a, title: A, version: 1.0.0 }\nauth:\n  '
  const schema = '# yaml-language-server: $schema=../schemas/manifest.schema.json\n'
  await editor.open('auth.yaml', schema + text)
  const completion = (await editor.request('textDocument/completion', {
    textDocument: { uri: uriOf('auth.yaml') },
    position: { line: 4, character: 2 },
  })) as { readonly items: readonly { readonly label: string }[] }
  expect(completion.items.map(({ label }) => label)).toEqual(
    expect.arrayContaining(['bearer', 'header', 'query', 'basic', 'oauth2 with consent', 'none']),
  )
})

test('keys are completed, and explained when pointed at', async () => {
  await editor.open('acme.yaml', ACME)
  const textDocument = { uri: uriOf('acme.yaml') }
  const hover = JSON.stringify(
    await editor.request('textDocument/hover', {
      textDocument,
      position: { line: 3, character: 2 },
    }),
  )
  expect(hover.length).toBeGreaterThan(20)
  await editor.open('begun.yaml', `${ACME}\n      get:\n        \n`)
  const completion = (await editor.request('textDocument/completion', {
    textDocument: { uri: uriOf('begun.yaml') },
    position: { line: ACME.split('\n').length + 1, character: 8 },
  })) as { readonly items: readonly { readonly label: string }[] }
  expect(completion.items.map(({ label }) => label)).toEqual(
    expect.arrayContaining(['request', 'params', 'summary']),
  )
})
