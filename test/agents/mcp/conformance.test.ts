// The conformance suite of the Model Context Protocol against our server, where the suite is at hand: it is no package of
// the project. TENON_MCP_CONFORMANCE=<folder>/node_modules/@modelcontextprotocol/conformance/dist/index.js, of 0.1.16.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { listen } from '../../fixtures/mcp-clients.ts'
import { conformanceHandler } from '../../fixtures/mcp-conformance-server.ts'

const SUITE = process.env['TENON_MCP_CONFORMANCE'] ?? ''

/** The others are of what the server does not offer: docs/mcp.md, "Which parts of the protocol". */
const SCENARIOS = [
  'server-initialize',
  'ping',
  'completion-complete',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-error',
  'tools-call-with-progress',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'json-schema-2020-12',
  'server-sse-multiple-streams',
  'resources-list',
  'resources-read-text',
  'resources-templates-read',
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
  'dns-rebinding-protection',
]

test.skipIf(SUITE === '').for(SCENARIOS)('%s', { timeout: 60_000 }, async (scenario) => {
  await using server = await listen(conformanceHandler())
  const given = [SUITE, 'server', '--url', server.url, '--scenario', scenario]
  const ran = await promisify(execFile)(process.execPath, given).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { readonly code: number; readonly stdout: string }) => ({ code, stdout }),
  )
  expect(ran).toMatchObject({ code: 0 })
})

test('what the suite asks for by name is there', async () => {
  await using server = await listen(conformanceHandler())
  const response = await fetch(server.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  const named = [...(await response.text()).matchAll(/"name":"((?:test|json)_\w+)"/g)]
  expect(named.map(([, name]) => name)).toEqual([
    'test_simple_text',
    'test_error_handling',
    'test_tool_with_progress',
    'test_elicitation',
    'test_elicitation_sep1034_defaults',
    'json_schema_2020_12_tool',
  ])
})
