// Blocks of the guides that are run as they are written, with what a reader has at hand: the document of a vendor, a
// service with accounts. What of the documentation is not run, and why, is in every-block.test.ts.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, describe, expect, test } from 'vitest'
import { toAiTools } from '../../src/agents/index.ts'
import { connect } from '../../src/index.ts'
import type { JsonObject } from '../../src/language/json/json.ts'
import { sandbox } from '../../src/sandbox/testing/index.ts'
import { settingsFromEnvironment } from '../../src/service/environment.ts'
import { tenonHere } from '../cli/run-here.ts'
import { BIN } from '../cli/run-tenon.ts'
import { bareEnvironment } from '../fixtures/bare-environment.ts'
import { mcpClient } from '../fixtures/mcp-clients.ts'
import { runService } from '../fixtures/running-service.ts'
import { blocksOf } from './blocks.ts'
import { callsIn } from './command-line.ts'
import { withSources } from './with-sources.ts'

const folders: string[] = []
afterAll(() => folders.forEach((each) => rmSync(each, { recursive: true, force: true })))

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-guides-'))
  folders.push(folder)
  return folder
}

describe('from OpenAPI to a connector', () => {
  const folder = newFolder()
  const blocks = blocksOf('docs/from-openapi.md')
  // The vendor's document is the reader's; this one has the operations that the guide names.
  cpSync('test/docs/asana.yaml', join(folder, 'asana.yaml'))

  async function run(command: string): Promise<void> {
    const [call, ...more] = callsIn(command)
    expect(more).toEqual([])
    const words = call?.map((word) => word.replaceAll("'", '')) ?? []
    const { code, out, err } = await tenonHere(words, { folder })
    expect({ command, code, ...(code === 0 ? {} : { out, err }) }).toEqual({ command, code: 0 })
  }

  test('each command works as written, in its order', async () => {
    const lines = blocks
      .filter(({ language }) => language === 'sh')
      .flatMap(({ text }) => text.trim().split('\n'))
    const { stdout } = spawnSync('bash', ['-c', lines[0] ?? ''], { cwd: folder, encoding: 'utf8' })
    expect(stdout).toContain('operationId: getUsers')
    for (const line of lines.slice(1)) {
      // It serves until it is ended, as in operation.md, whose blocks are run.
      if (line.includes('tenon serve')) continue
      if (line.startsWith('git add ')) {
        const { status, stderr } = spawnSync('bash', ['-c', `git init -q && ${line}`], {
          cwd: folder,
          encoding: 'utf8',
        })
        expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
        continue
      }
      await run(line)
      // The sentence behind it says so.
      if (line.startsWith('tenon describe'))
        await run(`tenon check asana --against asana.yaml --facts facts/asana.json`)
    }
  })

  test('the program at its end runs with what the commands made', () => {
    const [program] = blocks.filter(({ language }) => language === 'js')
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'program.mts'), withSources(program?.text ?? ''))
    const { status, stdout, stderr } = spawnSync(process.execPath, ['program.mts'], {
      cwd: folder,
      env: bareEnvironment,
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toContain('Oil the hinge')
  })
})

describe('the guide to agents', () => {
  const blocks = blocksOf('docs/mcp.md')
    .filter(({ language }) => language === 'json')
    .map(({ text }) => JSON.parse(text) as Readonly<Record<string, unknown>>)

  interface Server {
    readonly command: string
    readonly args: readonly string[]
    readonly env: Readonly<Record<string, string>>
  }

  /** Starts a server as a host of agents does, by its block; which accounts it offers. */
  async function accountsOf(
    { command, args, env }: Server,
    more: Readonly<Record<string, string>> = {},
  ): Promise<string[]> {
    expect([command, args[0]]).toEqual(['npx', 'tenon'])
    const client = mcpClient()
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [BIN, ...args.slice(1)],
        env: { ...bareEnvironment, ...env, ...more },
        stderr: 'ignore',
      }),
    )
    try {
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toEqual(['describe', 'execute', 'search'])
      return (await client.listResources()).resources.map(({ uri }) => uri)
    } finally {
      await client.close()
    }
  }

  test('the settings of hosts start servers: with credentials, and with accounts of a service', async () => {
    const [direct, hosted] = blocks.flatMap(({ mcpServers }) =>
      mcpServers === undefined ? [] : Object.values(mcpServers as Readonly<Record<string, Server>>),
    )
    if (direct === undefined || hosted === undefined) throw new TypeError('there are two')
    expect(await accountsOf(direct)).toContain('tenon://jira')
    await using world = await runService()
    const [work, calls] = [await world.connect('jira'), await world.connect('gong')]
    const { clientId = '', clientSecret = '' } = world.service.firstApplication ?? {}
    const args = hosted.args.map((word) =>
      word.replace(/^work=.*/, `work=${work}`).replace(/^calls=.*/, `calls=${calls}`),
    )
    const env = {
      TENON_URL: world.url,
      TENON_CLIENT_ID: clientId,
      TENON_CLIENT_SECRET: clientSecret,
    }
    // Nothing but what the block sets is set here.
    expect(Object.keys(env)).toEqual(Object.keys(hosted.env))
    expect(await accountsOf({ ...hosted, args }, env)).toEqual(
      expect.arrayContaining(['tenon://work', 'tenon://calls']),
    )
  })

  test('answers and failures of tools have the members that are shown', async () => {
    await using vendor = await sandbox('jira')
    await using jira = await connect('jira', vendor.options())
    const tools = toAiTools({ jira }, { entities: ['issues'], actions: ['get', 'api_search'] })
    const call = async (name: string, input: JsonObject): Promise<unknown> =>
      await tools[name]?.execute(input, {})
    const [listing] = blocks.filter(({ data }) => data !== undefined)
    const found = await call('jira_issues_api_search', {
      jql: 'project = OPS ORDER BY key ASC',
      answer_fields: ['key'],
      maxResults: 2,
    })
    expect(found).toMatchObject({ ...listing, answer_cursor: expect.any(String) as unknown })
    const [failure] = blocks.filter(({ error }) => error !== undefined)
    const refused = await call('jira_issues_get', { issueIdOrKy: 'OPS-1' })
    const { problems } = (refused as { readonly error: { readonly problems: readonly object[] } })
      .error
    const shown = failure?.['error'] as { readonly problems: readonly object[] }
    expect(refused).toMatchObject({
      ...failure,
      error: {
        ...shown,
        message: expect.any(String) as unknown,
        problems: expect.any(Array) as unknown,
      },
    })
    expect(problems).toEqual(
      expect.arrayContaining(
        shown.problems.map((each) => expect.objectContaining(each) as unknown),
      ),
    )
  })
})

test('the settings of the guide to the console are settings of a service', () => {
  const folder = newFolder()
  const [block] = blocksOf('docs/console.md').filter(({ text }) => text.includes('TENON_OIDC'))
  const secret = join(folder, 'secret')
  writeFileSync(secret, 'a-secret-of-this-test')
  const env = Object.fromEntries(
    (block?.text ?? '')
      .trim()
      .split('\n')
      .map((line) => line.replace('/run/secrets/tenon-oidc', secret).split(/=(.*)/s).slice(0, 2)),
  ) as Readonly<Record<string, string>>
  const settings = settingsFromEnvironment({ ...env, TENON_DATA: folder })
  expect(settings).toMatchObject({
    oidcIssuer: 'https://login.example.com/realms/acme',
    oidcClientId: 'tenon',
    oidcClientSecret: 'a-secret-of-this-test',
    oidcAdministrators: ['ada@example.com'],
    oidcDevelopers: ['@example.com'],
  })
})

describe('the guide to frameworks', () => {
  const blocks = blocksOf('docs/frameworks.md')

  // Apps with the first of them are built in test/opened/frameworks.test.ts.
  test('its settings of Next are modules, and trace folders that an installation has', async () => {
    const folder = newFolder()
    const programs = blocks.filter(({ text }) => text.includes('serverExternalPackages'))
    expect(programs).toHaveLength(2)
    const traced: string[] = []
    for (const [index, { text }] of programs.entries()) {
      const file = join(folder, `next-${index}.mjs`)
      writeFileSync(file, text)
      const { default: config } = (await import(file)) as {
        readonly default: {
          readonly serverExternalPackages: readonly string[]
          readonly outputFileTracingIncludes?: Readonly<Record<string, readonly string[]>>
        }
      }
      expect(config.serverExternalPackages).toEqual(['tenon'])
      traced.push(...Object.values(config.outputFileTracingIncludes ?? {}).flat())
    }
    const names = traced.map((glob) => /^\.\/node_modules\/([^/]+)\/\*\*\/\*$/.exec(glob)?.[1])
    // Tenon is this checkout.
    const others = names.filter((name) => name !== 'tenon')
    expect(others.map((name) => existsSync(`node_modules/${name}`))).toEqual(others.map(() => true))
  })

  test('the commands make an account of an application next to the service', async () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'tenon-data'))
    const [line] = blocks.filter(({ text }) => text.includes('apps create'))
    const [, data = '', words = ''] =
      /^TENON_DATA=(\S+) npx tenon (.*)$/m.exec(line?.text ?? '') ?? []
    const env = { TENON_DATA: join(folder, data) }
    const { code, out } = await tenonHere(words.split(' '), { folder, env })
    expect([code, out]).toEqual([0, expect.stringContaining('client_secret') as unknown])
  })
})
