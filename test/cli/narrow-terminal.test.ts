// What a person sees of a vendor's records in a terminal of 80 characters, from the sandbox.
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { runCommand } from '../../src/cli/run-command.ts'
import { createTerminal } from '../../src/cli/terminal.ts'
import { DocsLinks } from '../../src/cli/docs-links.ts'
import { bareEnvironment } from '../fixtures/bare-environment.ts'
import { folderOf } from './run-tenon.ts'

/** The lines of a listing: headings first. */
async function listed(operation: string, columns: number): Promise<readonly string[]> {
  const out = Object.assign(new PassThrough(), { isTTY: true, columns, rows: 100 })
  const said = text(out)
  const env = bareEnvironment
  const code = await runCommand(
    ['try', ...operation.split(' '), '--sandbox', '--limit', '5'],
    {
      terminal: createTerminal(out, new PassThrough(), env),
      env,
      folder: folderOf({}),
      signal: new AbortController().signal,
      docs: new DocsLinks(env),
    },
    { serves: false, docs: 'reference/cli' },
  )
  out.end()
  expect(code).toBe(0)
  return (await said).trimEnd().split('\n')
}

test('issues of Jira show key, summary and status, and when they changed, as far as a line goes', async () => {
  const lines = await listed('jira issues.api_search --params {"jql":"project=OPS"}', 80)
  expect(lines[0]?.split(/ +/)).toEqual([
    'id',
    'key',
    'summary',
    'status',
    'updated',
    'priority',
    'created',
  ])
  expect(lines[2]).toMatch(
    /^\d+ +OPS-1 +\S.{18,} +(?:To Do|In Progress|Done) +\d+\w+ ago +\w+ +\d+\w+ ago$/,
  )
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
})

test.for([40, 60, 120])('and no line is longer than %d', async (columns) => {
  const lines = await listed('jira issues.api_search --params {"jql":"project=OPS"}', columns)
  // The last line counts what is left out.
  for (const line of lines.slice(0, -1)) expect(line.length).toBeLessThanOrEqual(columns)
  expect(lines[0]).toMatch(/^id +key +summary/)
})

test.for([
  { operation: 'gong calls.list', want: ['id', 'title', 'started', 'purpose'] },
  { operation: 'stripe customers.list', want: ['id', 'name', 'email', 'created'] },
  { operation: 'jira users.list', want: ['displayName', 'emailAddress', 'accountId'] },
])('$operation shows what names a record first', async ({ operation, want }) => {
  const [heading = ''] = await listed(operation, 80)
  expect(heading.split(/ +/).slice(0, want.length)).toEqual(want)
})
