// The code of each request of the reference: it runs as it is copied, in four languages at most.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { curlOfRequest, pythonOfRequest } from '../../../src/console/code/http-code.ts'
import { readDocument } from '../../../src/console/reference/document.ts'
import {
  type ApiRequest,
  commandOfRequest,
  sentOf,
  typescriptOfRequest,
} from '../../../src/console/reference/request-code.ts'
import { serviceClient } from '../../../src/index.ts'
import { tenonHere } from '../../cli/run-here.ts'
import { callsIn, expectCall } from '../../docs/command-line.ts'
import { withSources } from '../../docs/with-sources.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'

let world: RunningService
let instance: string
let requests: ReadonlyMap<string, ApiRequest>
let folder: string

beforeAll(async () => {
  world = await runService()
  instance = await world.connect('jira')
  folder = await mkdtemp(join(tmpdir(), 'tenon-code-'))
  const { text: document } = await world.call('GET', '/openapi.json')
  const { server, groups } = readDocument(document, world.url)
  requests = new Map(
    groups
      .flatMap(({ operations }) => operations)
      .map(({ id, method, path, takesToken, parameters, body }) => {
        const given = (place: string): Record<string, string> =>
          Object.fromEntries(
            parameters
              .filter((each) => each.place === place && each.example !== '')
              .map(({ name, example }) => [name, example]),
          )
        const request: ApiRequest = {
          operation: id,
          method,
          server,
          template: path,
          takesToken,
          path: given('path'),
          query: given('query'),
          headers: given('header'),
          body: body?.example ?? null,
          connectorType: 'gong',
        }
        return [id, request]
      }),
  )
})
afterAll(() => world[Symbol.asyncDispose]())

function requestOf(id: string, change: Partial<ApiRequest>): ApiRequest {
  const request = requests.get(id)
  if (request === undefined) throw new TypeError(`there is no operation ${id}`)
  return { ...request, headers: {}, query: {}, ...change }
}

/** Runs a program with a token, and gives what it prints. */
async function run(command: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, TENON_TOKEN: world.token }
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  expect([code, code === 0 ? '' : err]).toEqual([0, ''])
  return out
}

/** A word without the quotes that a shell takes away. */
function asTheShell(word: string): string {
  return word.replace(/^'([\s\S]*)'$/, '$1')
}

const hasPython = spawnSync('python3', ['--version']).status === 0
const hasCurl = spawnSync('curl', ['--version']).status === 0

/** What is sent for real, and what its answer has in it. */
const SENT: readonly (readonly [
  id: string,
  change: () => Partial<ApiRequest>,
  has: () => string,
])[] = [
  [
    'listConnectorInstances',
    () => ({ query: { connector_type: 'jira', limit: '5' } }),
    () => instance,
  ],
  ['getConnectorInstance', () => ({ path: { connector_id: instance } }), () => instance],
  [
    'execute',
    () => ({
      path: { connector_id: instance },
      body: { entity: 'issues', action: 'get', params: { issueIdOrKey: 'OPS-1' } },
      connectorType: 'jira',
    }),
    () => 'OPS-1',
  ],
  [
    'mintScopedToken',
    () => ({ body: { external_user_id: "o'user", manage: false } }),
    () => 'token',
  ],
  ['listWebhooks', () => ({}), () => '[]'],
  ['listLogs', () => ({ query: { connector_id: instance, limit: '5' } }), () => instance],
]

for (const [id, change, has] of SENT) {
  test.skipIf(!hasCurl)(`${id} by curl`, async () => {
    const code = curlOfRequest(sentOf(requestOf(id, change()))).replace('curl ', 'curl -sSf ')
    expect(await run('sh', '-c', code)).toContain(has())
  })

  test.skipIf(!hasPython)(`${id} in Python`, async () => {
    const code = pythonOfRequest(sentOf(requestOf(id, change())))
    expect(await run('python3', '-c', code)).toContain(has())
  })

  test(`${id} in TypeScript`, async () => {
    const file = join(folder, `${id}.mts`)
    await writeFile(file, withSources(typescriptOfRequest(requestOf(id, change()))))
    expect(await run(process.execPath, file)).toContain(has())
  })

  test(`${id} on the command line, where a command does it`, async () => {
    const command = commandOfRequest(requestOf(id, change()))
    if (command === null) {
      expect(id).toBe('mintScopedToken')
      return
    }
    const [call] = callsIn(command.text.replaceAll(/\\\n/g, ' '))
    const { code, out, err } = await tenonHere([...(call ?? []).map(asTheShell), '--json'], {
      env: { TENON_TOKEN: world.token },
    })
    expect([code, code === 0 ? '' : err]).toEqual([0, ''])
    // A list without rows is no line.
    if (has() === '[]') expect(out).toBe('')
    else expect(out).toContain(has())
  })
}

/** Asked of the service by HTTP alone. A new operation gets a command in `COMMANDS`, or a line here. */
const WITHOUT_COMMAND: readonly string[] = [
  'answerInstanceWebhook',
  'answerVendorWebhook',
  'createConnectSession',
  'createConnectorInstance',
  'describeConnectorInstance',
  'getAccess',
  'getLimits',
  'getVendorWebhooks',
  'initiateOAuth',
  'listConnectorTypes',
  'listReturnUrls',
  'listWorkspaces',
  'mintApplicationToken',
  'mintScopedToken',
  'receiveInstanceWebhook',
  'receiveVendorWebhook',
  'revokeToken',
  'updateConnectorInstance',
]

test('an operation has a command, or is known to have none', async () => {
  const without: string[] = []
  for (const [id, request] of requests) {
    const command = commandOfRequest(request)
    if (command === null) without.push(id)
    const calls = callsIn((command?.text ?? '').replaceAll(/\\\n/g, ' '))
    expect([id, calls.length]).toEqual([id, command === null ? 0 : 1])
    for (const call of calls) await expectCall(call)
  }
  expect(without.toSorted()).toEqual(WITHOUT_COMMAND)
})

test.for<[id: string, change: Partial<ApiRequest>, text: string | null]>([
  [
    'listLogs',
    { query: { status: 'failed', from: '2026-11-28T09:00:00Z', limit: '5' } },
    'npx tenon logs --failed --since 2026-11-28T09:00:00Z --limit 5 --url URL',
  ],
  ['listLogs', { query: { cursor: 'abc' } }, null],
  ['listConnectorInstances', { query: { sort: 'name' } }, null],
  ['getLog', { path: { log_id: 'one' } }, 'npx tenon logs one --url URL'],
  ['logSummary', { query: { kind: 'sync' } }, 'npx tenon logs --figures --kind sync --url URL'],
  ['exportLogs', { query: { form: 'csv' } }, 'npx tenon logs --export csv --url URL'],
  [
    'listAudit',
    { query: { action: 'instance', status: 'failed' } },
    'npx tenon audit list --action instance --failed',
  ],
  ['listAudit', { query: { status: 'done' } }, null],
  ['exportAudit', { query: { form: 'csv' } }, 'npx tenon audit export --form csv'],
  [
    'confirmSync',
    { path: { connector_id: 'one' }, body: { entity: 'issues' } },
    'npx tenon sync confirm one issues',
  ],
  [
    'undoSync',
    { path: { connector_id: 'one' }, body: { run_id: 'two' } },
    'npx tenon sync undo-deletes one two',
  ],
])('%s of a request is a command that does the same: %j', ([id, change, text]) => {
  const command = commandOfRequest(requestOf(id, change))
  expect(command?.text.replace(world.url, 'URL') ?? null).toBe(text)
})

test('every call of the client is one that it has', async () => {
  await using client = serviceClient({ baseUrl: world.url, token: world.token })
  let called = 0
  for (const request of requests.values()) {
    const [, path] = /await service\.([\w.]+)\(/.exec(typescriptOfRequest(request)) ?? []
    if (path === undefined) continue
    const member = path
      .split('.')
      .reduce((value: unknown, name) => (value as Record<string, unknown>)[name], client)
    expect([path, typeof member]).toEqual([path, 'function'])
    called++
  }
  expect(called).toBeGreaterThan(20)
})

test.skipIf(!hasPython)('every program in Python can be compiled', async () => {
  const programs = [...requests.values()].map((each) => pythonOfRequest(sentOf(each)))
  const check = 'import json, sys; [compile(each, "it", "exec") for each in json.load(sys.stdin)]'
  const { status, stderr } = spawnSync('python3', ['-c', check], {
    input: JSON.stringify(programs),
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, ''])
})
