// `tenon logs` against a running service.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningService, runService } from '../fixtures/running-service.ts'
import { tenonHere } from './run-here.ts'
import { folderOf, type Run } from './run-tenon.ts'

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
  expect(head).toMatch(/^time +what +result +account +id +ms +user +connector +request +instance$/)
  expect(rows.map((line) => line.split(/ {2,}/).slice(1, 3))).toEqual([
    ['issues.get', 'third party 404, upstream_not_found'],
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

/** What every option of the filters is given here. */
const FILTERS: Readonly<Record<string, readonly string[]>> = {
  text: ['--text', 'word'],
  kind: ['--kind', 'sync'],
  connector_id: ['--instance', 'one'],
  external_user_id: ['--user', 'ada'],
  connector_type: ['--type', 'jira'],
  entity: ['--entity', 'issues'],
  action: ['--action', 'get'],
  status: ['--ok'],
  code: ['--code', 'overloaded'],
  upstream_status: ['--upstream-status', '500'],
  request_id: ['--request', 'first'],
  from: ['--since', '1h'],
  to: ['--until', '5m'],
  min_ms: ['--min-ms', '20'],
}
/** Options that say how much is shown and how, and whose logs they are. */
const OTHERS = ['follow', 'figures', 'export', 'out', 'limit', 'failed', 'url', 'json', 'help']

test('every filter of GET /v1/logs has an option, and every option is one of them or known', async () => {
  const { parameters } = (
    world.service.openApi() as unknown as {
      readonly paths: Record<string, { readonly get: { readonly parameters: Parameter[] } }>
    }
  ).paths['/v1/logs']?.get ?? { parameters: [] }
  const places = new Set(['cursor', 'after', 'limit'])
  const filters = parameters.map(({ name }) => name).filter((name) => !places.has(name))
  expect(Object.keys(FILTERS).toSorted()).toEqual(filters.toSorted())

  const asked = Promise.withResolvers<readonly string[]>()
  const server = createServer(({ url = '' }, response) => {
    asked.resolve([...new URL(url, 'http://localhost').searchParams.keys()])
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ data: [], meta: { has_more: false, next_cursor: null } }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // It listens on a port.
  const { port } = server.address() as AddressInfo
  const args = ['logs', ...Object.values(FILTERS).flat(), '--json']
  const env = { TENON_URL: `http://127.0.0.1:${port}`, TENON_TOKEN: 'token' }
  expect(await tenonHere(args, { env })).toMatchObject({ code: 0 })
  server.close()
  expect((await asked.promise).toSorted()).toEqual([...filters, 'limit'].toSorted())

  const { out: help } = await tenonHere(['logs', '--help'])
  const options = [...help.matchAll(/^ {2}(?:-\w, )?--([a-z-]+)/gm)].map(([, name = '']) => name)
  const known = [...Object.values(FILTERS).map(([flag = '']) => flag.slice(2)), ...OTHERS]
  expect(options.toSorted()).toEqual(known.toSorted())
})

interface Parameter {
  readonly name: string
}

test('what succeeded is found, and both at once is wrong use', async () => {
  const found = entriesIn(await logs('--ok', '--kind', 'operation', '--json'))
  expect(found.map((entry) => entry.request_id)).toEqual(['first'])
  expect(await logs('--ok', '--failed')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--failed and --ok exclude each other'),
  })
})

test('an export is the one of the service, to the output or to a new file of its owner', async () => {
  const { text: table } = await world.call('GET', '/v1/logs/export?kind=operation&form=csv')
  expect(table).toMatch(/^id,kind,at,/)
  expect(await logs('--kind', 'operation', '--export', 'csv')).toEqual({
    code: 0,
    out: table,
    err: '',
  })
  const folder = folderOf({})
  const env = { TENON_URL: world.url, TENON_TOKEN: world.token }
  const args = ['logs', '--kind', 'operation', '--ok', '--export', 'ndjson', '--out', 'logs.jsonl']
  expect(await tenonHere(args, { env, folder })).toEqual({
    code: 0,
    out: '',
    err: 'exported to logs.jsonl\n',
  })
  expect(await tenonHere(args, { env, folder })).toMatchObject({
    code: 2,
    err: expect.stringContaining('there is a file logs.jsonl already'),
  })
  const file = join(folder, 'logs.jsonl')
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ request_id: 'first' })
  for (const wrong of [
    ['--export', 'csv', '--limit', '5'],
    ['--out', 'x.csv'],
  ])
    expect(await logs(...wrong)).toMatchObject({ code: 2 })
})

test('entries are counted over time', async () => {
  const shown = await logs('--figures', '--kind', 'operation', '--text', 'not_found')
  expect(shown).toMatchObject({ code: 0, err: '' })
  const [head, , ...rows] = shown.out.trim().split('\n')
  expect(head).toMatch(/^at +entries +failed$/)
  expect(rows.filter((line) => /^\d{4}-.*Z +1 +1$/.test(line))).toHaveLength(1)
  const moments = rows.map((line) => Date.parse(line.split(' ')[0] ?? ''))
  expect(moments).toEqual(moments.toSorted((a, b) => b - a))
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
