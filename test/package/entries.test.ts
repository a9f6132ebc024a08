import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

import { findManifests } from '../../src/cli/manifest-files.ts'
import { sandbox } from '../../src/sandbox/open-sandbox.ts'

import { root, runCommonJs, runModule } from './fresh-process.ts'

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, string>>
}
const MODULES = Object.keys(exports)
  .filter((entry) => exports[entry]?.endsWith('.js') === true)
  .map((entry) => entry.replace('.', 'tenon'))

/** Prints the packages that a program loads, by name. */
const WATCH = `
  import { registerHooks } from 'node:module'
  const packages = new Set()
  registerHooks({ load(url, context, next) {
    const found = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)
    if (found) packages.add(found[1])
    // What was a package is a file of this one.
    const late = /\\/dist\\/late\\/([\\w-]+)\\.cjs/.exec(url)
    if (late) packages.add('late/' + late[1])
    if (/\\/dist\\/(agents|cli|connect|hosting|sandbox|tools)\\//.test(url)) packages.add(url.split('/dist/')[1])
    return next(url, context)
  } })
  const print = () => console.log(JSON.stringify([...packages].sort()))`

async function packagesOf(program: string, ...args: string[]): Promise<readonly string[]> {
  const { out, err } = await runModule(`${WATCH}\n${program}\nprint()`, ...args)
  expect(err).toBe('')
  return JSON.parse(out) as string[]
}

test('what the exports map names is there', () => {
  for (const path of Object.values(exports)) {
    expect([path, existsSync(join(root, path.replace('/*', '')))]).toEqual([path, true])
    if (path.endsWith('.js')) {
      const types = join(root, path.replace(/\.js$/, '.d.ts'))
      expect([types, existsSync(types)]).toEqual([types, true])
    }
  }
})

test('every manifest is an entry', () => {
  const types = findManifests(root, ['manifests']).map(({ path }) =>
    path.replace(/^.*\/|\.yaml$/g, ''),
  )
  expect(types.length).toBeGreaterThan(2)
  for (const type of types) {
    expect(exports[`./${type}`]).toBe(`./dist/connectors/${type}/index.js`)
  }
})

test.for([
  { entry: 'tenon', packages: [] },
  { entry: 'tenon/fetch', packages: [] },
  { entry: 'tenon/gong', packages: [] },
  { entry: 'tenon/jira', packages: [] },
  { entry: 'tenon/facebook-marketing', packages: [] },
  { entry: 'tenon/github', packages: [] },
  { entry: 'tenon/stripe', packages: [] },
  { entry: 'tenon/slack', packages: [] },
  // No package of a model's provider: tools are plain objects.
  { entry: 'tenon/agents', packages: ['agents/index.js'] },
  // For browsers: nothing is touched before `open` is called.
  { entry: 'tenon/connect', packages: ['connect/index.js'] },
  // No Polly: `recorder` loads it.
  { entry: 'tenon/testing', packages: ['sandbox/testing/index.js'] },
])('importing $entry loads no other package than $packages', async ({ entry, packages }) => {
  expect(await packagesOf(`await import('${entry}')`)).toEqual(packages)
})

test('importing tenon/codegen loads the generator and nothing that runs connectors', async () => {
  const packages = await packagesOf(`await import('tenon/codegen')`)
  expect(packages).toContain('json-schema-to-typescript')
  const others = ['yaml', 'handlebars', 'ajv', 'undici', 're2js', 'commander', 'fastify', 'kysely']
  expect(packages.filter((name) => others.includes(name))).toEqual([])
})

test('importing tenon/mcp loads the protocol and nothing that runs connectors', async () => {
  const packages = await packagesOf(`await import('tenon/mcp')`)
  // What speaks HTTP for Node is loaded by the first request.
  expect(packages).toEqual([
    '@modelcontextprotocol/core',
    '@modelcontextprotocol/server',
    'agents/mcp/index.js',
    'zod',
  ])
})

test('every module of the exports map is tested here', () => {
  expect(MODULES).toEqual([
    'tenon',
    'tenon/fetch',
    'tenon/gong',
    'tenon/jira',
    'tenon/facebook-marketing',
    'tenon/github',
    'tenon/stripe',
    'tenon/slack',
    'tenon/testing',
    'tenon/codegen',
    'tenon/agents',
    'tenon/mcp',
    'tenon/connect',
    'tenon/service',
  ])
})

test.for([
  { type: 'gong', packages: [] },
  { type: 'jira', packages: [] },
  // The form of its account ids has two ways through a row of blanks.
  { type: 'facebook-marketing', packages: ['late/re2js'] },
  { type: 'github', packages: [] },
  { type: 'stripe', packages: [] },
  { type: 'slack', packages: [] },
])('a client of $type loads $packages while nothing goes wrong', async ({ type, packages }) => {
  await using vendor = await sandbox(type)
  const program = `
    const { connect } = await import('tenon')
    const client = await connect('${type}', { ...JSON.parse(process.argv.at(-1)), limits: null })
    const { result } = await client.check()
    if (result !== 'ok') throw new Error(result)
    await client.close()`
  expect(await packagesOf(program, JSON.stringify(vendor.options()))).toEqual(packages)
})

test.for(['tenon', 'tenon/jira', 'tenon/agents', 'tenon/connect'])(
  'importing %s calls no createRequire, which a bundle cannot follow',
  async (entry) => {
    const program = `
      import module from 'node:module'
      module.createRequire = () => { throw new Error('createRequire was called') }
      module.syncBuiltinESMExports()
      console.log(Object.keys(await import('${entry}')).length > 0)`
    expect(await runModule(program)).toEqual({ code: 0, out: 'true\n', err: '' })
  },
)

test.for(MODULES)('%s can be required from CommonJS', async (entry) => {
  const { code, out, err } = await runCommonJs(
    `console.log(Object.keys(require('${entry}')).length > 0)`,
  )
  expect({ code, out, err }).toEqual({ code: 0, out: 'true\n', err: '' })
})

test('manifests, schemas and package.json are files of the package', async () => {
  const program = `
    import { readFileSync } from 'node:fs'
    for (const path of ['manifests/jira.yaml', 'schemas/manifest.schema.json', 'package.json'])
      console.log(readFileSync(new URL(import.meta.resolve('tenon/' + path)), 'utf8').length > 100)`
  expect(await runModule(program)).toEqual({ code: 0, out: 'true\ntrue\ntrue\n', err: '' })
})

test('the widget of the connect page has less than 4 KB, compressed, and imports nothing', () => {
  const code = readFileSync(join(root, 'dist/connect/index.js'))
  expect(gzipSync(code).length).toBeLessThan(4096)
  expect(code.toString()).not.toMatch(/\bimport\b|\brequire\b/)
})

test('the client on fetch has at most 30 KB, compressed, and imports nothing', () => {
  const code = readFileSync(join(root, 'dist/client/fetch/index.js'))
  expect(gzipSync(code).length).toBeLessThan(30_000)
  expect(code.toString()).not.toMatch(/\bimport\b|\brequire\b/)
})
