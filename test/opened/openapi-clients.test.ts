// The OpenAPI document as its readers take it: two linters find nothing in it, and the clients that two generators make of
// it compile strictly and work against a service.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningService, runService } from '../fixtures/running-service.ts'
import { installPackages, root, runHere } from './delivered.ts'

const PACKAGES = [
  '@hey-api/openapi-ts@0.99.0',
  '@redocly/cli@2.77.0',
  '@stoplight/spectral-cli@6.16.3',
  'openapi-fetch@0.17.0',
  'openapi-typescript@7.13.0',
  // The generators are made of its API, which later ones do not have.
  'typescript@5.9.3',
]

const folder = mkdtempSync(join(tmpdir(), 'tenon-openapi-'))
/** Of the document of every connector, and of those of one. */
const documents: string[] = []
let world: RunningService

beforeAll(async () => {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  await installPackages(folder, PACKAGES)
  world = await runService({ jobs: true })
  for (const type of [null, ...world.service.catalogue.manifests.map((each) => each.type)]) {
    const query = type === null ? '' : `?connector_type=${type}`
    const file = `${type ?? 'every'}.json`
    writeFileSync(join(folder, file), (await world.call('GET', `/openapi.json${query}`)).text)
    documents.push(file)
  }
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await world[Symbol.asyncDispose]()
})

test('Redocly finds nothing with its recommended rules', async () => {
  const args = ['lint', '--extends', 'recommended', '--format', 'json', ...documents]
  const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  // One object for each document, with nothing in between.
  const text = (await runHere(folder, 'redocly', args, env)).replaceAll('}{', '},{')
  const reports = JSON.parse(`[${text}]`) as readonly { readonly problems: readonly object[] }[]
  expect(reports.map(({ problems }) => problems)).toEqual(documents.map(() => []))
})

test('Spectral finds nothing with its rules for OpenAPI', async () => {
  writeFileSync(join(folder, 'spectral.yaml'), 'extends: ["spectral:oas"]\n')
  const args = ['lint', '-r', 'spectral.yaml', '--fail-severity', 'hint', '-q', '-f', 'json']
  expect(JSON.parse(await runHere(folder, 'spectral', [...args, ...documents]))).toEqual([])
})

/** What a program is given, and what it gives: both clients do the same. */
const BEGINNING = `
import settings from './settings.json' with { type: 'json' }
const { url, token, credentials, callId } = settings
const headers = { authorization: \`Bearer \${token}\` }
const account = { external_user_id: 'user-9', connector_type: 'gong', name: 'Gong' }
/** Until a copy is there: what it is waited for is told by the code of the error. */
async function untilReady<T extends { readonly error?: { readonly code: string } | undefined }>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const asked = await ask()
    if (asked.error?.code !== 'search_not_ready') return asked
    // Waits for time: a client asks again after a while.
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
`

const OPENAPI_FETCH = `
import createClient from 'openapi-fetch'
import type { paths } from './gong.js'
${BEGINNING}
const client = createClient<paths, 'application/json' | 'application/problem+json'>({ baseUrl: url, headers })
const made = await client.POST('/v1/integrations/connectors', { body: { ...account, credentials } })
if (made.error !== undefined) throw new Error(made.error.detail)
const path = { connector_id: made.data.id }
const at = '/api/v1/connectors/sources/{connector_id}/execute'

const listed = await client.POST(at, { params: { path }, body: { entity: 'users', action: 'list' } })
if (listed.data === undefined || !('data' in listed.data)) throw new Error(listed.error?.detail)
const { data, meta } = listed.data
let [users, pages] = [Array.isArray(data) ? data.length : -1, 1]
for (let cursor = meta['next_cursor']; typeof cursor === 'string'; pages++) {
  const next = await client.POST(at, { params: { path }, body: { entity: 'users', action: 'list', params: { cursor } } })
  if (next.data === undefined || !('data' in next.data)) throw new Error(next.error?.detail)
  users += Array.isArray(next.data.data) ? next.data.data.length : -1
  cursor = next.data.meta['next_cursor']
}
let accounts = 0
for (let cursor: string | null | undefined; cursor !== null; ) {
  const query = { limit: 1, ...(cursor === undefined ? {} : { cursor }) }
  const page = await client.GET('/v1/integrations/connectors', { params: { query } })
  if (page.error !== undefined) throw new Error(page.error.detail)
  accounts += page.data.data.length
  cursor = page.data.meta.next_cursor
}
const searched = await untilReady(() =>
  client.POST(at, { params: { path }, body: { entity: 'users', action: 'search', params: { query: {}, limit: 2 } } }),
)
if (searched.data === undefined || !('hits' in searched.data)) throw new Error(searched.error?.detail)
const file = await client.POST(at, {
  params: { path },
  body: { entity: 'call_audio', action: 'download', params: { filter: { callIds: [callId] }, contentSelector: { exposedFields: { media: true } } } },
  parseAs: 'arrayBuffer',
})
if (file.data === undefined) throw new Error(file.error.detail)
// The types of openapi-fetch stay with those of JSON.
const bytes: unknown = file.data
if (!(bytes instanceof ArrayBuffer)) throw new Error('no file')
const wrong = await client.GET('/v1/integrations/connectors/{connector_id}', { params: { path: { connector_id: 'none' } } })
// @ts-expect-error: no entity is called so
void (() => client.POST(at, { params: { path }, body: { entity: 'userz', action: 'list' } }))
console.log(JSON.stringify({ users, pages, accounts, hits: searched.data.hits.length, bytes: bytes.byteLength, wrong: wrong.error?.code }))
`

const HEY_API = `
import { client } from './hey-api/client.gen.js'
import { createConnectorInstance, execute, getConnectorInstance, listConnectorInstances } from './hey-api/index.js'
${BEGINNING}
client.setConfig({ baseUrl: url, headers })
const made = await createConnectorInstance({ body: { ...account, credentials } })
if (made.data === undefined) throw new Error(made.error.detail)
const path = { connector_id: made.data.id }

const listed = await execute({ path, body: { entity: 'users', action: 'list' } })
if (listed.data === undefined || !('data' in listed.data)) throw new Error(listed.error?.detail)
const { data, meta } = listed.data
let [users, pages] = [Array.isArray(data) ? data.length : -1, 1]
for (let cursor = meta['next_cursor']; typeof cursor === 'string'; pages++) {
  const next = await execute({ path, body: { entity: 'users', action: 'list', params: { cursor } } })
  if (next.data === undefined || !('data' in next.data)) throw new Error(next.error?.detail)
  users += Array.isArray(next.data.data) ? next.data.data.length : -1
  cursor = next.data.meta['next_cursor']
}
let accounts = 0
for (let cursor: string | null | undefined; cursor !== null; ) {
  const page = await listConnectorInstances({ query: { limit: 1, ...(cursor === undefined ? {} : { cursor }) } })
  if (page.data === undefined) throw new Error(page.error.detail)
  accounts += page.data.data.length
  cursor = page.data.meta.next_cursor
}
const searched = await untilReady(() =>
  execute({ path, body: { entity: 'users', action: 'search', params: { query: {}, limit: 2 } } }),
)
if (searched.data === undefined || !('hits' in searched.data)) throw new Error(searched.error?.detail)
const file: unknown = (
  await execute({ path, body: { entity: 'call_audio', action: 'download', params: { filter: { callIds: [callId] }, contentSelector: { exposedFields: { media: true } } } }, parseAs: 'blob' })
).data
if (!(file instanceof Blob)) throw new Error('no file')
const wrong = await getConnectorInstance({ path: { connector_id: 'none' } })
// @ts-expect-error: no entity is called so
void (() => execute({ path, body: { entity: 'userz', action: 'list' } }))
console.log(JSON.stringify({ users, pages, accounts, hits: searched.data.hits.length, bytes: file.size, wrong: wrong.error?.code }))
`

/** That of every connector, that of the programs, and the largest. */
const GENERATED = ['every.json', 'gong.json', 'stripe.json']

const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  types: [],
  resolveJsonModule: true,
}

describe.for([
  {
    name: 'openapi-typescript and openapi-fetch',
    place: 'openapi-fetch',
    program: OPENAPI_FETCH,
    options: { ...STRICT, exactOptionalPropertyTypes: true },
    generate: (file: string, place: string) =>
      runHere(folder, 'openapi-typescript', [file, '-o', `${place}/${file.slice(0, -5)}.ts`]),
  },
  {
    name: '@hey-api/openapi-ts',
    place: 'hey-api',
    program: HEY_API,
    // With exactOptionalPropertyTypes the client that it brings does not compile.
    options: STRICT,
    generate: (file: string, place: string) => {
      const out = `${place}/${file === 'gong.json' ? 'hey-api' : file.slice(0, -5)}`
      const args = ['-i', file, '-o', out, '-c', '@hey-api/client-fetch', '--no-log-file']
      return runHere(folder, 'openapi-ts', args)
    },
  },
])('clients made by $name', ({ place, program, options, generate }) => {
  beforeAll(async () => {
    mkdirSync(join(folder, place))
    const config = { compilerOptions: { ...options, rootDir: '.', outDir: 'out' }, include: ['.'] }
    writeFileSync(join(folder, place, 'tsconfig.json'), JSON.stringify(config))
    // Generators read how the folder that they are run in compiles.
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }))
    for (const file of GENERATED) await generate(file, place)
    writeFileSync(join(folder, place, 'program.ts'), program)
    const { filter } = world.vendor('gong').example('call_audio.download') as {
      readonly filter: { readonly callIds: readonly [string] }
    }
    const [callId] = filter.callIds
    const settings = {
      url: world.url,
      token: world.token,
      credentials: world.vendor('gong').options().credentials,
      callId,
    }
    writeFileSync(join(folder, place, 'settings.json'), JSON.stringify(settings))
  })

  test.for([
    ['5.9', 'node_modules/typescript/bin/tsc'],
    ['7', join(root, 'node_modules/typescript/bin/tsc')],
  ] as const)('compile strictly with TypeScript %s', async ([, tsc]) => {
    expect(await runHere(folder, process.execPath, [tsc, '-p', place])).toBe('')
  })

  test('create, execute, search, read pages and download', async () => {
    const gong = await world.connect('gong', { external_user_id: 'user-8' })
    const { data: users } = (
      await world.call('POST', `/v1/connectors/sources/${gong}/execute`, {
        entity: 'users',
        action: 'list',
        params: {},
      })
    ).body as { readonly data: readonly object[] }
    const done = JSON.parse(
      await runHere(folder, process.execPath, [`${place}/out/program.js`]),
    ) as Readonly<Record<string, unknown>>
    const params = world.vendor('gong').example('call_audio.download')
    const file = await fetch(`${world.url}/v1/connectors/sources/${gong}/execute`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ entity: 'call_audio', action: 'download', params }),
    })
    const listed = await world.call('GET', '/v1/integrations/connectors?limit=200')
    expect(done).toEqual({
      users: users.length,
      pages: 1,
      accounts: (listed.body as { readonly data: readonly object[] }).data.length,
      hits: 2,
      bytes: (await file.arrayBuffer()).byteLength,
      wrong: 'instance_unknown',
    })
  })
})
