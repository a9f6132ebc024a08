import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { inputsOf } from '../../src/manifest/inputs.ts'
import { loadManifestFile, requireManifest } from '../../src/manifest/load.ts'
import { compileSchema, withDefinitions } from '../../src/manifest/validator.ts'
import { sandbox } from '../../src/sandbox/open-sandbox.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

async function run(
  program: string,
  ...args: string[]
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, '--', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = Promise.all([text(child.stdout), text(child.stderr)])
  await once(child, 'close')
  const [out, err] = await output
  return { code: child.exitCode, out, err }
}

beforeAll(async () => {
  const build = spawn(process.execPath, ['scripts/build.ts'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
    },
  })
  const [code] = (await once(build, 'close')) as [number]
  expect(code).toBe(0)
})

test('the built client runs a packaged connector', async () => {
  await using vendor = await sandbox('jira')
  const program = `
    import { connect } from './dist/bundle/index.js'
    const options = JSON.parse(process.argv.at(-1))
    const jira = await connect('jira', { ...options, limits: null })
    const page = await jira.execute('issues', 'api_search', { jql: 'project = OPS', maxResults: 3 })
    console.log(page.records.length)
    await jira.close()`
  expect(await run(program, JSON.stringify(vendor.options()))).toEqual({
    code: 0,
    out: '3\n',
    err: '',
  })
})

test('importing and using it loads no YAML or template parser, and no validator compiler', async () => {
  await using vendor = await sandbox('gong')
  const program = `
    import { registerHooks } from 'node:module'
    const packages = new Set()
    registerHooks({ load(url, context, next) {
      const found = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)
      if (found) packages.add(found[1])
      return next(url, context)
    } })
    const { connect } = await import('./dist/bundle/index.js')
    const gong = await connect('gong', { ...JSON.parse(process.argv.at(-1)), limits: null })
    await gong.execute('users', 'list')
    await gong.close()
    console.log(JSON.stringify([...packages].sort()))`
  const { out, err } = await run(program, JSON.stringify(vendor.options()))
  expect(err).toBe('')
  const loaded = JSON.parse(out) as string[]
  expect(
    loaded.filter(
      (name) =>
        !['ajv', 'ajv-formats', 'fast-deep-equal', 'ipaddr.js', 're2js', 'undici'].includes(name),
    ),
  ).toEqual([])
})

test('a mistake in the parameters is explained as from the sources', async () => {
  await using vendor = await sandbox('jira')
  const program = `
    import { connect } from './dist/bundle/index.js'
    const jira = await connect('jira', JSON.parse(process.argv.at(-1)))
    const error = await jira.execute('issues', 'get', { issueIdOrKey: 'A-1', expnd: 'names' }).catch((reason) => reason)
    console.log(JSON.stringify([error.code, error.errors.map(({ pointer, detail }) => pointer + ' ' + detail)]))
    await jira.close()`
  const { out } = await run(program, JSON.stringify(vendor.options()))
  expect(JSON.parse(out)).toEqual([
    'params_invalid',
    ['/params/expnd unknown parameter, did you mean "expand"?'],
  ])
})

describe.for(['gong', 'jira'])('the validators made for %s', (type) => {
  test('agree with Ajv on every golden case', async () => {
    const manifest = requireManifest(
      await loadManifestFile(join(root, 'manifests', `${type}.yaml`)),
    )
    const cases = parse(
      readFileSync(join(root, 'test/contracts/requests', `${type}.yaml`), 'utf8'),
    ) as {
      readonly operations: Readonly<
        Record<string, { readonly cases: readonly { readonly params?: unknown }[] }>
      >
    }
    const require = createRequire(join(root, 'dist/connectors', type, 'manifest.json'))
    let compared = 0
    for (const { name, schema } of inputsOf(manifest)) {
      const made = require(`./validators/${name}.cjs`) as (value: unknown) => boolean
      const compiled = compileSchema(withDefinitions(schema, manifest.definitions))
      const golden =
        cases.operations[name.replace('params.', '')]?.cases.map(({ params = {} }) => params) ?? []
      for (const value of [{}, [], null, { unknown: 1 }, ...golden]) {
        expect([name, value, made(value)]).toEqual([name, value, compiled(value)])
        compared++
      }
    }
    expect(compared).toBeGreaterThan(100)
  })
})
