// The conformance suite of the Model Context Protocol, as npm has it: against our server with the tools that the suite asks
// for by name, and against `tenon serve --sandbox`.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serviceClient } from '../../src/client/service-client.ts'
import { startTenon, type StartedTenon } from '../cli/start-tenon.ts'
import { listen } from '../fixtures/mcp-clients.ts'
import { conformanceHandler } from '../fixtures/mcp-conformance-server.ts'
import { installPackages, succeeds } from './delivered.ts'

const SUITE = '@modelcontextprotocol/conformance'

/** What every server does, whatever it offers. */
const OF_SERVERS = [
  'server-initialize',
  'ping',
  'completion-complete',
  'tools-list',
  'resources-list',
  'prompts-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
]

/** What asks for tools, resources and prompts by name. The others are of what the server does not offer: docs/mcp.md. */
const BY_NAME = [
  'tools-call-simple-text',
  'tools-call-error',
  'tools-call-with-progress',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'json-schema-2020-12',
  'resources-read-text',
  'resources-templates-read',
  'prompts-get-simple',
  'prompts-get-with-args',
]

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-conformance-'))
  await installPackages(folder, [`${SUITE}@0.1.16`])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What the suite says. Throws with it when it finds something. */
async function judge(url: string, scenario: string): Promise<string> {
  const program = join(folder, 'node_modules', SUITE, 'dist/index.js')
  const args = [program, 'server', '--url', url, '--scenario', scenario]
  return await succeeds(folder, process.execPath, args)
}

test.for([...OF_SERVERS, ...BY_NAME])('our server: %s', async (scenario) => {
  await using server = await listen(conformanceHandler())
  expect(await judge(server.url, scenario)).toContain(scenario)
})

describe('tenon serve --sandbox', () => {
  let started: StartedTenon
  let door: Awaited<ReturnType<typeof withToken>>
  beforeAll(async () => {
    started = await startTenon({ TENON_MCP: 'write' })
    const { url: baseUrl, clientId, clientSecret } = started
    await using service = serviceClient({ baseUrl, clientId, clientSecret })
    await service.instances.create({
      external_user_id: 'user-1',
      connector_type: 'gong',
      name: 'Gong',
      credentials: { access_key: 'DEMOACCESSKEY', access_key_secret: 'demo-access-key-secret' },
    })
    const { token } = await service.tokens.scoped({ external_user_id: 'user-1' })
    door = await withToken(baseUrl, token)
  })
  afterAll(async () => {
    await door[Symbol.asyncDispose]()
    await started[Symbol.asyncDispose]()
  })

  test.for(OF_SERVERS)('%s', async (scenario) => {
    expect(await judge(`${door.url}/mcp`, scenario)).toContain(scenario)
  })
})

/** A door before a service that adds the token, which the suite cannot be given; all else passes as it is. */
async function withToken(
  service: string,
  token: string,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((arrived, response) => {
    const { method, headers } = arrived
    const passed = request(new URL(arrived.url ?? '/', service), {
      method,
      headers: { ...headers, authorization: `Bearer ${token}` },
    })
    passed.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.destroy())
    response.on('close', () => passed.destroy())
    arrived.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
