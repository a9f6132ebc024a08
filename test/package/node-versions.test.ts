// The package on other Nodes than the one that runs the tests: it works on those of its engines, and says so on others.
import { rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import packageJson from '../../package.json' with { type: 'json' }
import { ENTRY_FILES } from '../../scripts/entries.ts'
import { CHECKOUT, PACKAGE, tooOld } from '../../bin/node-version.js'
import { root, run } from './fresh-process.ts'
import { findNodes } from './nodes.ts'
import { packedProject, SERVICE_PEERS } from './project.ts'

const nodes = findNodes()
if (nodes.length === 0)
  process.stderr.write(
    'no other Node here: name some in TENON_TEST_NODES, and the package is tried on them\n',
  )

/** What imports them needs no Node at all, or peers that the project has not. */
const NOT_ASKED = ['tenon/connect', 'tenon/fetch', 'tenon/codegen', 'tenon/mcp']
const ENTRIES = Object.entries(ENTRY_FILES)
  .filter(([, path]) => path.endsWith('.js'))
  .map(([entry]) => entry.replace('.', 'tenon'))

/** Calls in all three modes; prints what came. */
const WALK = `
import { connect, connectHosted, serviceClient } from 'tenon'
import { jira as manifest } from 'tenon/jira'
import * as web from 'tenon/fetch'
import { createService, serve } from 'tenon/service'
import { sandbox } from 'tenon/testing'

const told = {}
const keys = async (client) => (await client.issues.api_search({ jql: 'project = OPS', maxResults: 2 }).toArray({ limit: 3 })).length
const vendor = await sandbox('jira')
for (const connector of ['jira', manifest]) {
  const direct = await connect(connector, vendor.options())
  told[typeof connector] = await keys(direct)
  await direct.close()
}
await vendor.close()

const token = 'for-this-machine-only'
const service = await createService({ mode: 'sandbox', data: 'data', devToken: token, port: 0, logLevel: 'silent', connectors: ['jira'] })
const server = await serve(service)
const settings = { baseUrl: server.url, token }
const application = serviceClient(settings)
const { credentials, config } = service.sandboxes.get('jira').options()
const { id } = await application.instances.create({ external_user_id: 'u', connector_type: 'jira', name: 'jira', credentials, config })
for (const [name, over] of [['hosted', connectHosted], ['fetch', web.connectHosted]]) {
  const client = await over('jira', { ...settings, connectorId: id })
  told[name] = await keys(client)
  told[name + ' error'] = await client.issues.get({}).catch(({ code }) => code)
  await client.close()
}
await application.close()
await server.close()
console.log(JSON.stringify(told))
`

test('the engines, undici and the command line agree about what is needed', () => {
  const undici = createRequire(import.meta.url)('undici/package.json') as {
    readonly engines: { readonly node: string }
  }
  expect([packageJson.engines.node, undici.engines.node]).toEqual([`>=${PACKAGE}`, `>=${PACKAGE}`])
})

test('a Node that the sources need is named with those that they run on', () => {
  expect(tooOld(CHECKOUT, '22.19.0')).toBe(
    'tenon from its sources needs Node >= 24.0.0, this is v22.19.0: install a newer one (24 or 26).',
  )
})

test.for<readonly [string, string | null]>([
  ['18.20.8', 'tenon needs Node >= 22.19.0, this is v18.20.8: install a newer one (22, 24 or 26).'],
  ['22.18.9', 'tenon needs Node >= 22.19.0, this is v22.18.9: install a newer one (22, 24 or 26).'],
  ['22.19.0', null],
  ['22.20.0', null],
  ['24.0.0', null],
  ['100.0.0', null],
])('on %s is said: %s', ([version, sentence]) => {
  expect(tooOld(PACKAGE, version)).toBe(sentence)
})

describe.skipIf(nodes.length === 0)('on another Node', () => {
  let project: string
  beforeAll(async () => {
    project = await packedProject(SERVICE_PEERS)
    await writeFile(join(project, 'walk.mjs'), WALK)
  })
  afterAll(async () => await rm(project, { recursive: true, force: true }))

  const good = nodes.filter(({ version }) => tooOld(PACKAGE, version) === null)
  const bad = nodes.flatMap((node) => {
    const sentence = tooOld(PACKAGE, node.version)
    return sentence === null ? [] : [{ ...node, sentence }]
  })

  test.for(good)('$version calls directly, through a service and on fetch', async ({ path }) => {
    await rm(join(project, 'data'), { recursive: true, force: true })
    const { code, out, err } = await run(project, path, 'walk.mjs')
    // Node 22 says that its SQLite is new.
    const said = err.replaceAll(
      /^\(.*(ExperimentalWarning: SQLite|Use `node --trace-warnings).*\n/gm,
      '',
    )
    expect({ code, out, err: said }).toEqual({
      code: 0,
      out: `${JSON.stringify({ string: 3, object: 3, hosted: 3, 'hosted error': 'params_invalid', fetch: 3, 'fetch error': 'params_invalid' })}\n`,
      err: '',
    })
  })

  test.for(good)('$version has every entry, by import and by require', async ({ path }) => {
    const entries = ENTRIES.filter((entry) => !NOT_ASKED.includes(entry))
    const program = `for (const entry of ${JSON.stringify(entries)}) console.log(Object.keys(await import(entry)).length > 0, Object.keys(require(entry)).length > 0)`
    const text = `(async () => { ${program} })()`
    const { code, out } = await run(project, path, '--input-type=commonjs', '-e', text)
    expect({ code, out }).toEqual({ code: 0, out: 'true true\n'.repeat(entries.length) })
  })

  test.for(good)('$version runs the command line', async ({ path }) => {
    const tenon = join(project, 'node_modules/tenon/bin/tenon.js')
    expect(await run(project, path, tenon, '--version')).toEqual({
      code: 0,
      out: `${packageJson.version}\n`,
      err: '',
    })
    const { code, out } = await run(
      project,
      path,
      tenon,
      'try',
      'jira',
      'issues.get',
      '--sandbox',
      '--params',
      '{"issueIdOrKey":"OPS-1"}',
    )
    expect([code, out]).toEqual([0, expect.stringContaining('OPS-1')])
  })

  test.for(good)('$version passes the contract suite', async ({ path }) => {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const suite = 'test/client/contract.test.ts'
    const { code, out } = await run(root, path, vitest, 'run', '--project', 'sources', suite)
    expect([code, code === 0 ? '' : out]).toEqual([0, ''])
  })

  test.for(bad)('$version says one sentence at every entry', async ({ path, sentence }) => {
    const asked = ENTRIES.filter((entry) => !['tenon/connect', 'tenon/fetch'].includes(entry))
    const texts = asked.flatMap((entry) => [
      `import('${entry}').catch(({ message }) => console.log(message))`,
      `try { require('${entry}') } catch ({ message }) { console.log(message) }`,
    ])
    for (const text of texts) {
      const { out, err } = await run(project, path, '--input-type=commonjs', '-e', text)
      expect({ text, out, err }).toEqual({ text, out: `${sentence}\n`, err: '' })
    }
  })

  test.for(bad)('$version says it at the command line', async ({ path, sentence }) => {
    const tenon = join(project, 'node_modules/tenon/bin/tenon.js')
    expect(await run(project, path, tenon, 'serve')).toEqual({
      code: 1,
      out: '',
      err: `${sentence}\n`,
    })
    // The sources of a checkout need more.
    const { code, err } = await run(root, path, join(root, 'bin/tenon.js'), 'serve')
    expect([code, err]).toEqual([1, expect.stringContaining(`needs Node >= ${CHECKOUT}`)])
  })
})
