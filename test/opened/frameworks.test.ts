// The apps of docs/frameworks.md, as they are written there, with the package and the frameworks that npm installs: built,
// started, and used by a program and in a browser.
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocksOf } from '../docs/blocks.ts'
import { installed, runHere, type Serving, serving } from './delivered.ts'
import { type Application, openPages } from './walk.ts'

const FRAMEWORKS = [
  '@types/express@5.0.6',
  '@types/node@24.19.2',
  '@types/react@19.3.0',
  'express@5.3.0',
  'next@16.4.6',
  'react@19.3.1',
  'react-dom@19.3.1',
  // What Next checks an app with.
  'typescript@5.9.3',
]
const QUIET = { NEXT_TELEMETRY_DISABLED: '1' }

let folder: string
beforeAll(async () => {
  folder = await installed(FRAMEWORKS)
  writeApp()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Each block to the file that its first line names. */
function writeApp(): void {
  for (const { text } of blocksOf('docs/frameworks.md')) {
    const [, name] = /^\/\/ ([\w./[\]-]+\.\w+)/.exec(text) ?? []
    if (name === undefined) continue
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const options = { strict: true, module: 'nodenext', target: 'es2022', noEmit: true }
  const files = ['server.ts', 'recent-calls.ts']
  const config = { compilerOptions: { ...options, types: ['node'] }, files }
  writeFileSync(join(folder, 'server.tsconfig.json'), JSON.stringify(config))
  // Somebody has read the body before the service gets it.
  mkdirSync(join(folder, 'app/read/[[...path]]'), { recursive: true })
  writeFileSync(
    join(folder, 'app/read/[[...path]]/route.ts'),
    `import { POST as pass } from '../../tenon/[[...path]]/route'
export async function POST(request: Request): Promise<Response> {
  await request.text()
  const url = request.url.replace('/read/', '/tenon/')
  // The same request, whose body was read.
  return await pass(new Proxy(request, {
    get: (target, name) => name === 'url' ? url : Reflect.get(target, name, target),
  }))
}
`,
  )
}

test('the app for Express, and the client of its service, compile', async () => {
  expect(await runHere(folder, 'tsc', ['-p', 'server.tsconfig.json'])).toBe('')
})

describe.for([
  {
    name: 'Express 5',
    prepare: async () => {},
    start: (port: number) => start(port, process.execPath, ['server.ts']),
    read: null,
  },
  {
    name: 'Next',
    prepare: async () => void (await runHere(folder, 'next', ['build'], QUIET)),
    start: (port: number) =>
      start(port, join(folder, 'node_modules/.bin/next'), ['start', '-H', '127.0.0.1']),
    read: '/read',
  },
])('in $name', ({ name, prepare, start: startApp, read }) => {
  let app: Serving
  let application: Application
  let token: string
  let tenon: string

  beforeAll(async () => {
    rmSync(join(folder, 'tenon-data'), { recursive: true, force: true })
    await prepare()
    app = await startApp(await freePort())
    tenon = `${app.url}/tenon`
    // Of Next the service is there with the first request.
    expect((await fetch(`${tenon}/readyz`)).status).toBe(200)
    const made = await runHere(folder, 'tenon', ['apps', 'create', '--name', 'app', '--json'], {
      TENON_DATA: join(folder, 'tenon-data'),
    })
    application = JSON.parse(made) as Application
    const { client_id, client_secret } = application
    const minted = await send('POST', '/v1/account/applications/token', {
      client_id,
      client_secret,
    })
    token = (minted.body as { readonly access_token: string }).access_token
  })
  afterAll(() => app[Symbol.asyncDispose]())

  async function send(method: string, path: string, body?: object, at = tenon) {
    const answer = await fetch(at + path, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const isJson = answer.headers.get('content-type')?.includes('json') === true
    return {
      status: answer.status,
      bytes,
      body: isJson ? (JSON.parse(bytes.toString()) as unknown) : null,
    }
  }

  test('accounts are created, operations run, copies searched and files downloaded', async () => {
    const made = await send('POST', '/v1/integrations/connectors', {
      external_user_id: 'user-1',
      connector_type: 'gong',
      name: 'Gong',
      credentials: { access_key: 'DEMOACCESSKEY', access_key_secret: 'demo-access-key-secret' },
    })
    expect([made.status, made.body]).toMatchObject([201, { connector_type: 'gong' }])
    const { id } = made.body as { readonly id: string }
    const execute = (entity: string, action: string, params: object) =>
      send('POST', `/v1/connectors/sources/${id}/execute`, { entity, action, params })
    const listed = await execute('calls', 'list', { fromDateTime: '2020-01-01T00:00:00Z' })
    expect(listed.status).toBe(200)
    const [call] = (listed.body as { readonly data: readonly [{ readonly id: string }] }).data
    await expect
      .poll(async () => (await execute('users', 'search', { query: {}, limit: 1 })).status)
      .toBe(200)
    const file = await execute('call_audio', 'download', {
      filter: { callIds: [call.id] },
      contentSelector: { exposedFields: { media: true } },
    })
    expect([file.status, file.bytes.length > 1000]).toEqual([200, true])
    const gone = await send('DELETE', `/v1/integrations/connectors/${id}`)
    expect(gone.status).toBe(204)
  })

  test('the console and the reference work below the path', async () => {
    expect(await openPages(tenon, application, `mounted-${name.replace(' ', '-')}`)).toEqual([])
  })

  test.runIf(read !== null)('a body that was read is refused at once', async () => {
    const body = { external_user_id: 'user-1' }
    const refused = await send('POST', '/v1/integrations/connectors', body, app.url + String(read))
    expect([refused.status, refused.body]).toMatchObject([500, { code: 'body_already_read' }])
  })

  test('the rest of the app is as it was', async () => {
    if (read === null) {
      const echoed = await send('POST', '/echo', { a: 1 }, app.url)
      expect([echoed.status, echoed.body]).toEqual([200, { a: 1 }])
    }
    expect((await fetch(`${app.url}/none`)).status).toBe(404)
  })
})

async function start(port: number, command: string, args: readonly string[]): Promise<Serving> {
  const url = `http://127.0.0.1:${port}`
  const PATH = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`
  const env = { ...QUIET, PATH, PORT: String(port), PUBLIC_URL: `${url}/tenon` }
  const app = await serving(folder, command, args, env, /listens on port|Ready in/)
  return { url, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  listener.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}
