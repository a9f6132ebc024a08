import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { IS_FULL } from '../fixtures/sizes.ts'
import { root, run } from './fresh-process.ts'
import { packedProject } from './project.ts'

/** An empty project far from this one, with the packed package and links to the packages that it depends on. */
let project: string

beforeAll(async () => {
  project = await packedProject()
})

afterAll(async () => {
  await rm(project, { recursive: true, force: true })
})

test('the package holds what it names, and nothing of the workshop', async () => {
  expect((await readdir(join(project, 'node_modules/tenon'))).toSorted()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'bin',
    'dist',
    'docs',
    'manifests',
    'package.json',
    'schemas',
  ])
})

const TYPESCRIPT = `
import { connect, isConnectorError } from 'tenon'
import { type IssuesRecord, jira } from 'tenon/jira'
import { sandbox } from 'tenon/testing'

await using vendor = await sandbox('jira')
await using client = await connect(jira, { ...vendor.options(), limits: null })
const found: IssuesRecord[] = await client.issues
  .api_search({ jql: 'project = OPS', maxResults: 2 })
  .toArray({ limit: 3 })
console.log(found.length)
try {
  await client.issues.get({ issueIdOrKey: 'NONE-1' })
} catch (error) {
  console.log(isConnectorError(error, 'upstream_not_found'))
}
// @ts-expect-error: the parameter is misspelt
void client.preview('issues', 'get', { issueIdOrKy: 'OPS-1' }).catch(() => {})
`

test('a TypeScript program is checked against the types and runs against the sandbox', async () => {
  await writeFile(join(project, 'host.ts'), TYPESCRIPT)
  expect(await compile('host.ts')).toEqual({ code: 0, out: '', err: '' })
  expect(await run(project, process.execPath, 'host.ts')).toEqual({
    code: 0,
    out: '3\ntrue\n',
    err: '',
  })
})

const HOST_OF_SERVICE = `
import { createServer } from 'node:http'
import { createHandler, createService, type TenonPluginOptions } from 'tenon/service'
import { createMcpServer } from 'tenon/mcp'

const service = await createService({ mode: 'sandbox' })
const { node } = createHandler(service, { basePath: '/tenon' })
createServer((request, response) => void node(request, response))
void ({ service } satisfies TenonPluginOptions)
void createMcpServer
// @ts-expect-error: the option is misspelt
createHandler(service, { basepath: '/tenon' })
`

test('a host of the service is checked without the optional packages', async () => {
  await writeFile(join(project, 'service.ts'), HOST_OF_SERVICE)
  expect(await compile('service.ts')).toEqual({ code: 0, out: '', err: '' })
})

const OWN_COPY = `
import { connect, connectHosted, loadManifest } from 'tenon'
import type { Gong, GongSettings } from './own/index.ts'

const options = { baseUrl: 'http://127.0.0.1:9', connectorId: 'c', token: 't' }
const hosted = await connectHosted('gong', options)
void hosted.own_workspaces.list()
// @ts-expect-error: the own manifest goes before the one of the package
void hosted.workspaces
const jira = await connectHosted('jira', options)
void jira.issues.get({ issueIdOrKey: 'OPS-1' })
const credentials = { access_key: 'a', access_key_secret: 's' }
const packaged = await connect('gong', { credentials })
void packaged.workspaces.list()
const own = await connect(await loadManifest<Gong, GongSettings>('manifests/gong.yaml'), { credentials })
void own.own_workspaces.list()
`

test.runIf(IS_FULL)(
  'the types of an own copy of a packaged connector compile, and go before those of the package',
  async () => {
    const packaged = await readFile(join(root, 'manifests/gong.yaml'), 'utf8')
    await mkdir(join(project, 'manifests'), { recursive: true })
    const copy = packaged.replace(/^  workspaces:$/m, '  own_workspaces:')
    await writeFile(join(project, 'manifests/gong.yaml'), copy)
    const tenon = join(project, 'node_modules/tenon/bin/tenon.js')
    const made = await run(project, process.execPath, tenon, 'types', '--out', 'own')
    expect(made).toMatchObject({ code: 0, out: 'own/gong.ts\nown/index.ts\n' })
    await writeFile(join(project, 'copy.ts'), OWN_COPY)
    expect(await compile('copy.ts')).toEqual({ code: 0, out: '', err: '' })
  },
)

/** Checks a program of the project as strictly as TypeScript can. */
async function compile(file: string): ReturnType<typeof run> {
  const config = {
    compilerOptions: {
      strict: true,
      exactOptionalPropertyTypes: true,
      target: 'es2024',
      lib: ['es2024', 'esnext.disposable'],
      module: 'nodenext',
      types: ['node'],
      allowImportingTsExtensions: true,
      noEmit: true,
    },
    files: [file],
  }
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify(config))
  return await run(project, 'tsc', '-p', '.')
}

const JAVASCRIPT = `
import { connect } from 'tenon'
import { sandbox } from 'tenon/testing'

const vendor = await sandbox('gong')
const gong = await connect('gong', { ...vendor.options(), limits: null })
const { data } = await gong.users.list()
console.log(data.length > 0)
await gong.close()
await vendor.close()
`

test('a JavaScript program runs against the sandbox', async () => {
  await writeFile(join(project, 'host.js'), JAVASCRIPT)
  expect(await run(project, process.execPath, 'host.js')).toEqual({
    code: 0,
    out: 'true\n',
    err: '',
  })
})

test('a bundler makes one file of a program that runs without node_modules', async () => {
  const program = `
    import { connect } from 'tenon'
    import { jira } from 'tenon/jira'
    const client = await connect(jira, JSON.parse(process.argv[2]))
    console.log((await client.issues.get({ issueIdOrKey: 'OPS-1' })).data.key)
    const error = await client.issues.get({ issueIdOrKey: 7 }).catch((reason) => reason)
    console.log(error.code, error.errors.length)
    await client.close()`
  await writeFile(join(project, 'app.js'), program)
  const bundle = await rolldown({ input: join(project, 'app.js'), platform: 'node', cwd: project })
  const alone = await mkdtemp(join(tmpdir(), 'tenon-alone-'))
  try {
    await bundle.write({ file: join(alone, 'app.mjs'), codeSplitting: false })
    await bundle.close()
    const host = `
      import { sandbox } from 'tenon/testing'
      import { once } from 'node:events'
      import { spawn } from 'node:child_process'
      const vendor = await sandbox('jira')
      const options = JSON.stringify({ ...vendor.options(), limits: null })
      const child = spawn(process.execPath, [process.argv[2], options], { stdio: 'inherit' })
      await once(child, 'close')
      await vendor.close()`
    await writeFile(join(project, 'start.js'), host)
    expect(await run(project, process.execPath, 'start.js', join(alone, 'app.mjs'))).toEqual({
      code: 0,
      out: 'OPS-1\nparams_invalid 1\n',
      err: '',
    })
  } finally {
    await rm(alone, { recursive: true, force: true })
  }
})

test('the command line of the package runs its own code', async () => {
  const tenon = join(project, 'node_modules/tenon/bin/tenon.js')
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly version: string
  }
  expect(await run(project, process.execPath, tenon, '--version')).toEqual({
    code: 0,
    out: `${version}\n`,
    err: '',
  })
  const call = ['jira', 'users.list', '--limit', '1', '--sandbox', '--json']
  const tried = await run(project, process.execPath, tenon, 'try', ...call)
  expect({ code: tried.code, isJson: typeof JSON.parse(tried.out) }).toEqual({
    code: 0,
    isJson: 'object',
  })
})
