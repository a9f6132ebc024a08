// That the server which the conformance suite judges (test/opened/mcp-conformance.test.ts) has what the suite asks for.
import { expect, test } from 'vitest'
import { listen } from '../../fixtures/mcp-clients.ts'
import { conformanceHandler } from '../../fixtures/mcp-conformance-server.ts'

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
