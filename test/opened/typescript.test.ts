// The declarations of the package, checked by the compilers that hosts have, from the oldest that is supported.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { ENTRY_FILES } from '../../scripts/entries.ts'
import { installed, succeeds } from './delivered.ts'

/** By the name under which each is installed. */
const COMPILERS: Readonly<Record<string, string>> = {
  'typescript-5.5': 'npm:typescript@~5.5.0',
  'typescript-5.9': 'npm:typescript@~5.9.0',
  'typescript-6': 'npm:typescript@^6.0.0',
  'typescript-7': `npm:typescript@${packageJson.devDependencies.typescript}`,
}

const entries = Object.entries(ENTRY_FILES).flatMap(([name, path]) =>
  path.endsWith('.js') ? [name.replace('.', 'tenon')] : [],
)

let folder: string

beforeAll(async () => {
  folder = await installed()
  const { fastify, '@types/node': node } = packageJson.devDependencies
  const compilers = Object.entries(COMPILERS).map(([name, version]) => `${name}@${version}`)
  await succeeds(folder, 'npm', [
    'install',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    `@types/node@${node}`,
    // The plugin's types are Fastify's.
    `fastify@${fastify}`,
    ...compilers,
  ])
  const imports = entries.map((entry, index) => `import * as entry${index} from '${entry}'`)
  const names = entries.map((_, index) => `entry${index}`)
  writeFileSync(
    join(folder, 'host.ts'),
    `${HOST}${imports.join('\n')}\nconsole.log(${names.join(', ')})\n`,
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.for(Object.keys(COMPILERS))(
  '%s takes every entry, and checks all declarations',
  async (name) => {
    const config = {
      compilerOptions: {
        strict: true,
        exactOptionalPropertyTypes: true,
        // The newest that all of them know.
        target: 'es2022',
        lib: ['esnext'],
        module: 'nodenext',
        types: ['node'],
        skipLibCheck: false,
        noEmit: true,
      },
      files: ['host.ts'],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const tsc = join('node_modules', name, 'bin/tsc')
    expect(await succeeds(folder, process.execPath, [tsc, '-p', '.'])).toBe('')
  },
)

test.for(Object.keys(COMPILERS))(
  '%s takes the client on fetch without types of Node, where declarations are not checked',
  async (name) => {
    const config = {
      compilerOptions: {
        strict: true,
        target: 'es2022',
        lib: ['es2022', 'dom', 'dom.iterable'],
        module: 'nodenext',
        types: [],
        skipLibCheck: true,
        noEmit: true,
      },
      files: ['page.ts'],
    }
    writeFileSync(join(folder, 'page.tsconfig.json'), JSON.stringify(config))
    writeFileSync(join(folder, 'page.ts'), PAGE)
    const tsc = join('node_modules', name, 'bin/tsc')
    expect(await succeeds(folder, process.execPath, [tsc, '-p', 'page.tsconfig.json'])).toBe('')
  },
)

const PAGE = `
import { connectHosted } from 'tenon/fetch'

const gong = await connectHosted('gong', { baseUrl: 'https://a', connectorId: 'b', token: 'c' })
for await (const { firstName } of gong.users.list()) console.log(firstName?.trim())
const { hits, replica } = await gong.calls.search({
  query: { filter: { gte: { duration: 600 } }, sort: [{ started: 'desc' }] },
  fields: ['title'],
})
console.log(hits[0]?.data.title?.trim(), replica?.complete)
`

const HOST = `
import { connect, isConnectorError } from 'tenon'
import { type IssuesRecord, jira } from 'tenon/jira'

const options = { credentials: { username: 'a', password: 'b' }, config: { subdomain: 'acme' } }
const client = await connect(jira, options)
const named = await connect('jira', options)
const issues: IssuesRecord[] = await client.issues.api_search({ jql: 'x' }).toArray({ limit: 3 })
console.log(issues[0]?.fields?.summary?.trim(), issues[0]?.fields?.['customfield_10016'])
try {
  await named.execute('issues', 'get', { issueIdOrKey: 'OPS-1' })
} catch (error) {
  if (isConnectorError(error, 'upstream_not_found')) console.log(error.details)
}
// @ts-expect-error: the parameter is misspelt
void client.preview('issues', 'get', { issueIdOrKy: 'OPS-1' })
`
