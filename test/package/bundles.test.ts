// Programs of hosts in one file, by the bundlers that hosts use: each is copied alone into an empty folder and works there.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { build } from 'esbuild'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import packageJson from '../../package.json' with { type: 'json' }
import { constantName } from '../../src/client/packaged.ts'
import { sandbox } from '../../src/sandbox/open-sandbox.ts'
import { IS_FULL } from '../fixtures/sizes.ts'
import { root, run } from './fresh-process.ts'
import { packedProject, SERVICE_PEERS } from './project.ts'

type Format = 'esm' | 'cjs'

let project: string

beforeAll(async () => {
  project = await packedProject(SERVICE_PEERS)
})
afterAll(() => rm(project, { recursive: true, force: true }))

/** Packages of CommonJS that the service brings ask for modules of Node by `require`, which esbuild gives ESM only so. */
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`

const BUNDLERS: Readonly<
  Record<string, (input: string, file: string, format: Format, banner: string) => Promise<unknown>>
> = {
  async esbuild(input, file, format, banner) {
    const { errors } = await build({
      entryPoints: [input],
      outfile: file,
      format,
      banner: { js: banner },
      bundle: true,
      platform: 'node',
      minify: true,
      logLevel: 'silent',
    })
    return errors
  },
  async rolldown(input, file, format) {
    const bundle = await rolldown({ input, platform: 'node', logLevel: 'silent' })
    await bundle.write({ file, format, codeSplitting: false, minify: true })
    return await bundle.close()
  },
}

/** With every form in the full run; else with one, since continuous integration runs these tests. */
const FORMS = Object.keys(BUNDLERS).flatMap((bundler) =>
  (['esm', 'cjs'] as const).map((format) => ({ bundler, format })),
)
const TRIED = FORMS.filter(
  ({ bundler, format }) => IS_FULL || bundler === (format === 'esm' ? 'rolldown' : 'esbuild'),
)

/** Bundles a program and copies what came of it into an empty folder. */
async function alone(
  text: string,
  { bundler, format }: (typeof FORMS)[number],
  banner = '',
): Promise<{ readonly folder: string; readonly file: string }> {
  const name = `program-${Math.random().toString(36).slice(2)}`
  const input = join(project, `${name}.js`)
  await writeFile(input, text)
  const made = join(project, 'out', `${name}.${format === 'esm' ? 'mjs' : 'cjs'}`)
  await BUNDLERS[bundler]?.(input, made, format, format === 'esm' ? banner : '')
  const folder = await mkdtemp(join(tmpdir(), 'tenon-alone-'))
  const file = join(folder, made.slice(made.lastIndexOf('/') + 1))
  await copyFile(made, file)
  expect(await readdir(folder)).toHaveLength(1)
  return { folder, file }
}

const types = Object.entries(packageJson.exports).flatMap(([name, path]) =>
  path.startsWith('./dist/connectors/') ? [name.slice(2)] : [],
)

function direct(type: string): string {
  const name = constantName(type)
  return `
    import { connect } from 'tenon'
    import { ${name} } from 'tenon/${type}'
    async function main() {
      const client = await connect(${name}, JSON.parse(process.argv[2]))
      const { result } = await client.check()
      const [{ entity, actions }] = client.describe()
      const wrong = { nobody_knows_this: 1 }
      const error = await Promise.resolve(client.execute(entity, actions[0].action, wrong)).catch((reason) => reason)
      console.log(result, error.code, error.errors[0].detail)
      await client.close()
    }
    void main()`
}

describe.each(TRIED)('by $bundler as $format', (form) => {
  test.for(IS_FULL ? types : ['jira'])('a client of %s', async (type) => {
    await using vendor = await sandbox(type)
    const { folder, file } = await alone(direct(type), form)
    const options = JSON.stringify({ ...vendor.options(), limits: null })
    const { code, out, err } = await run(folder, process.execPath, file, options)
    expect({ code, out, err }).toEqual({
      code: 0,
      out: expect.stringMatching(/^ok params_invalid unknown parameter/),
      err: '',
    })
  })

  test('a manifest that is loaded, its mistakes, and patterns that need the linear engine', async () => {
    const program = `
      import { connect, loadManifest } from 'tenon'
      async function main() {
        const manifest = await loadManifest('depot.yaml')
        const client = await connect(manifest, JSON.parse(process.argv[2]))
        const error = await client.execute('shelves', 'get', { code: 'aaaaaaa!' }).catch((reason) => reason)
        console.log(error.code, error.errors[0].code)
        const wrong = await loadManifest('wrong.yaml').catch((reason) => reason)
        console.log(wrong.code, wrong.details.problems[0].rule)
      }
      void main()`
    const { folder, file } = await alone(program, form)
    await writeFile(join(folder, 'depot.yaml'), DEPOT)
    await writeFile(join(folder, 'wrong.yaml'), DEPOT.replace('entities:', 'entitys:'))
    const options = JSON.stringify({ credentials: { key: 'k' } })
    expect(await run(folder, process.execPath, file, options)).toEqual({
      code: 0,
      out: 'params_invalid pattern\nmanifest_invalid schema/unknown-key\n',
      err: '',
    })
  })

  test('the service, and a hosted client of it', async () => {
    const service = await alone(SERVICE, form, REQUIRE)
    await copyFile(join(root, 'manifests/jira.yaml'), join(service.folder, 'jira.yaml'))
    const child = spawn(process.execPath, [service.file], {
      cwd: service.folder,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    try {
      let said = ''
      for await (const chunk of child.stdout) {
        said += String(chunk)
        if (said.includes('\n')) break
      }
      const hosted = await alone(HOSTED, form)
      const { out } = await run(hosted.folder, process.execPath, hosted.file, said)
      expect(out).toBe('true\nparams_invalid\n')
    } finally {
      const ended = once(child, 'exit')
      child.stdin.end()
      expect(await ended).toEqual([0, null])
    }
  })
})

const SERVICE = `
  import { createService, serve } from 'tenon/service'
  async function main() {
    const service = await createService({
      mode: 'sandbox', data: 'data', devToken: 'for-this-machine-only', port: 0, logLevel: 'silent', manifests: ['jira.yaml'],
    })
    const { url, close } = await serve(service)
    console.log(JSON.stringify({ url, ...service.sandboxes.get('jira').options() }))
    process.stdin.resume().once('end', () => void close())
  }
  void main()`

const HOSTED = `
  import { connectHosted, serviceClient } from 'tenon'
  async function main() {
    const { url, credentials, config } = JSON.parse(process.argv[2])
    const options = { baseUrl: url, token: 'for-this-machine-only' }
    const tenon = serviceClient(options)
    const given = { external_user_id: 'u', connector_type: 'jira', name: 'Jira', credentials, config }
    const { id } = await tenon.instances.create(given)
    const jira = await connectHosted('jira', { ...options, connectorId: id })
    const { data } = await jira.users.list()
    console.log(data.length > 0)
    const error = await jira.issues.get({ nobody: 1 }).catch((reason) => reason)
    console.log(error.code)
    await jira.close()
    await tenon.close?.()
  }
  void main()`

const DEPOT = `
manifest: 1
connector: { type: depot, title: Depot, version: 1.0.0 }
server: { url: https://depot.example }
auth:
  key:
    credentials: { required: [key], properties: { key: { type: string, writeOnly: true } } }
    apply: { bearer: '{{ credentials.key }}' }
check: { entity: shelves, action: get, params: { code: a } }
entities:
  shelves:
    record: { properties: { id: { type: string } } }
    actions:
      get:
        summary: Get a shelf
        params: { required: [code], properties: { code: { type: string, pattern: '^(a+)+$' } } }
        request: { http: 'GET /shelves/{{ params.code }}' }
        response: { record: $ }
`

/** Bytes that are loaded when a program starts, compressed: without what it imports later. */
async function startSize(text: string): Promise<number> {
  const input = join(project, 'measured.js')
  await writeFile(input, text)
  const bundle = await rolldown({ input, platform: 'node', logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  const chunks = output.filter((file) => file.type === 'chunk')
  const loaded = new Set(chunks.filter(({ isEntry }) => isEntry))
  for (const { imports } of loaded)
    for (const each of chunks) if (imports.includes(each.fileName)) loaded.add(each)
  return [...loaded].reduce((sum, { code }) => sum + gzipSync(code).length, 0)
}

describe('what a bundle loads when it starts, compressed', () => {
  // The transport, the compiler of schemas, the linear engine and the readers of YAML, XML and zip are loaded when they are needed.
  test('connect with Jira has at most 120 KB', async () => {
    const size = await startSize(`
      import { connect } from 'tenon'
      import { jira } from 'tenon/jira'
      console.log(await connect(jira, JSON.parse(process.argv[2])))`)
    expect(size).toBeLessThanOrEqual(120_000)
  })

  test('verifyWebhook has at most 10 KB', async () => {
    const size = await startSize(
      `import { verifyWebhook } from 'tenon'\nconsole.log(verifyWebhook({}, '', process.argv[2]))`,
    )
    expect(size).toBeLessThanOrEqual(10_000)
  })
})
