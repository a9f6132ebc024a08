// `tenon logs` against a running service.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningService, runService } from '../fixtures/running-service.ts'
import { tenonHere } from './run-here.ts'
import type { Run } from './run-tenon.ts'

let world: RunningService
let jira: string
beforeAll(async () => {
  world = await runService({ logsContent: true })
  jira = await world.connect('jira')
  await execute('first', 'OPS-1')
  await execute('second', 'NONE-1')
})
afterAll(() => world[Symbol.asyncDispose]())

async function execute(requestId: string, issueIdOrKey: string): Promise<void> {
  const path = `/api/v1/connectors/sources/${jira}/execute`
  const body = { entity: 'issues', action: 'get', params: { issueIdOrKey } }
  await world.call('POST', path, body, { headers: { 'x-request-id': requestId } })
}

async function logs(...args: readonly string[]): Promise<Run> {
  const env = { TENON_URL: world.url, TENON_TOKEN: world.token }
  return await tenonHere(['logs', ...args], { env })
}

function entriesIn({ out }: Run): readonly { readonly id: string; readonly request_id: string }[] {
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; request_id: string })
}

test('entries are listed, the newest first, as a table and as lines of JSON', async () => {
  const shown = await logs('--kind', 'operation', '--type', 'jira')
  expect(shown).toMatchObject({ code: 0, err: '' })
  const [head, , ...rows] = shown.out.trim().split('\n')
  expect(head).toMatch(/^time +what +result +id +ms +user +connector +request$/)
  expect(rows.map((line) => line.split(/ {2,}/).slice(1, 3))).toEqual([
    ['issues.get', '404 upstream_not_found'],
    ['issues.get', '200'],
  ])
  const lines = entriesIn(await logs('--kind', 'operation', '--json', '--limit', '1'))
  expect(lines.map((entry) => entry.request_id)).toEqual(['second'])
})

test.for([
  [['--failed'], 'second'],
  [['--text', 'NOT_FOUND issues.get'], 'second'],
  [['--code', 'upstream_not_found', '--since', '1h'], 'second'],
  [['--request', 'first', '--entity', 'issues', '--action', 'get'], 'first'],
  [['--user', 'user-1', '--upstream-status', '200'], 'first'],
] as const)('%j', async ([args, requestId]) => {
  const found = entriesIn(await logs('--instance', jira, '--kind', 'operation', '--json', ...args))
  expect(found.map((entry) => entry.request_id)).toEqual([requestId])
})

test('entries are counted over time', async () => {
  const shown = await logs('--figures', '--kind', 'operation', '--text', 'not_found')
  expect(shown).toMatchObject({ code: 0, err: '' })
  const [head, , ...rows] = shown.out.trim().split('\n')
  expect(head).toMatch(/^at +entries +failed$/)
  expect(rows.filter((line) => /^\d{4}-.*Z +1 +1$/.test(line))).toHaveLength(1)
  const answer = await logs('--figures', '--json', '--failed', '--instance', jira)
  expect(JSON.parse(answer.out)).toMatchObject({ counted_from: null, bucket_seconds: 3600 })
})

test('what is not there is said, and wrong use too', async () => {
  expect(await logs('--until', '2000-01-01T00:00:00Z')).toEqual({
    code: 0,
    out: 'no entry is like this\n',
    err: '',
  })
  expect(await logs('--since', 'yesterday')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--since yesterday is no time'),
  })
  expect(await logs('0199f3b7-0000-7000-8000-000000000000')).toMatchObject({
    code: 1,
    err: expect.stringContaining('log_entry_unknown'),
  })
})

test('one entry is shown with its requests and what was said', async () => {
  const [entry] = entriesIn(await logs('--request', 'first', '--json'))
  const { code, out } = await logs(entry?.id ?? '')
  expect(code).toBe(0)
  expect(out).toMatch(/^request id +first$/m)
  expect(out).toMatch(/^requests to the third party +1$/m)
  expect(out).toMatch(/^began \(ms\) +took \(ms\) +request +attempt +result$/m)
  // No member is called as it is on the wire.
  expect(out.split('\n').filter((line) => /^[a-z]+_[a-z]/.test(line))).toEqual([])
  expect(out).toMatch(/GET 127\.0\.0\.1:\d+\/rest\/api\/3\/issue\/\{\} +1 +200$/m)
  expect(out).toContain('OPS-1')
  const [detail] = entriesIn(await logs(entry?.id ?? '', '--json'))
  expect(detail).toMatchObject({ request_id: 'first', said: { params: { issueIdOrKey: 'OPS-1' } } })
})

test('what comes is followed until there is enough', async () => {
  const over = new AbortController()
  const following = logs('--follow', '--limit', '2', '--json', '--kind', 'operation').finally(() =>
    over.abort(),
  )
  // It tells what has happened since it was started, which nobody can see from here: again until it has enough.
  for (let at = 0; !over.signal.aborted; at++) await execute(`followed-${at}`, 'OPS-1')
  const found = entriesIn(await following)
  expect(found).toHaveLength(2)
  expect(found.every((entry) => entry.request_id.startsWith('followed-'))).toBe(true)
})
