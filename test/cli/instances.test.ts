import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningService, runService } from '../fixtures/running-service.ts'
import { tenonHere } from './run-here.ts'
import { type Run, tenon } from './run-tenon.ts'

let running: RunningService
let gong: string
let jira: string

beforeAll(async () => {
  running = await runService()
  gong = await running.connect('gong')
  jira = await running.connect('jira', { external_user_id: 'user-2', name: 'Jira of ACME' })
})
afterAll(() => running[Symbol.asyncDispose]())

async function instances(
  args: readonly string[],
  env: Readonly<Record<string, string>> = { TENON_TOKEN: running.token },
): Promise<Run> {
  return await tenonHere(['instances', ...args], { env: { TENON_URL: running.url, ...env } })
}

const linesIn = ({ out }: Run): readonly { readonly id: string }[] =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly id: string })

test('instances are listed as a table, and as JSON', async () => {
  const { code, out } = await instances(['list', '--user', 'user-2'])
  expect(code).toBe(0)
  expect(out.split('\n')[2]).toMatch(new RegExp(`^${jira} +active +Jira of ACME +jira +user-2 `))
  const all = linesIn(await instances(['list', '--json']))
  expect(all.map(({ id }) => id)).toEqual([gong, jira])
  const one = linesIn(await instances(['list', '--limit', '1', '--json']))
  expect(one).toHaveLength(1)
})

test('an application signs in by itself', async () => {
  const first = running.service.firstApplication
  const listed = await instances(['list', '--type', 'gong', '--json'], {
    TENON_CLIENT_ID: first?.clientId ?? '',
    TENON_CLIENT_SECRET: first?.clientSecret ?? '',
  })
  expect({ code: listed.code, ids: linesIn(listed).map(({ id }) => id) }).toEqual({
    code: 0,
    ids: [gong],
  })
})

test('one instance is shown without its credentials', async () => {
  const { code, out } = await instances(['show', gong])
  expect(code).toBe(0)
  expect(out).toMatch(/^connector_type {6}gong$/m)
  expect(out).not.toMatch(/demo-access-key|DEMOACCESSKEY/)
})

test('a check says what came of it, also by its exit code', async () => {
  expect(await instances(['check', gong])).toEqual({
    code: 0,
    out: 'ok, the state is active\n',
    err: '',
  })
  const made = await running.call('POST', '/v1/integrations/connectors?check=false', {
    external_user_id: 'user-3',
    connector_type: 'gong',
    name: 'wrong',
    credentials: { access_key: 'wrong', access_key_secret: 'wrong' },
  })
  const { id } = made.body as { readonly id: string }
  const refused = await instances(['check', id, '--json'])
  expect({ code: refused.code, ...(JSON.parse(refused.out) as object) }).toMatchObject({
    code: 3,
    result: 'refused',
  })
})

test('an instance is deleted only by who says so', async () => {
  const id = await running.connect('gong')
  expect(await instances(['delete', id])).toMatchObject({ code: 2, out: '' })
  expect(await instances(['delete', id, '--yes'])).toEqual({
    code: 0,
    out: `deleted ${id}\n`,
    err: '',
  })
  expect((await instances(['show', id])).code).toBe(1)
})

test.for([
  { name: 'no token', args: ['list'], env: {}, code: 2, says: /set TENON_TOKEN/ },
  { name: 'a wrong token', args: ['list'], env: { TENON_TOKEN: 'x' }, code: 3, says: /token/ },
  {
    name: 'no such state',
    args: ['list', '--state', 'broken'],
    env: { TENON_TOKEN: 'x' },
    code: 2,
    says: /pending, active/,
  },
  {
    name: 'no such trouble',
    args: ['list', '--sync', 'broken'],
    env: { TENON_TOKEN: 'x' },
    code: 2,
    says: /failing, attention/,
  },
  {
    name: 'no address',
    args: ['list', '--url', 'tenon.example'],
    env: { TENON_TOKEN: 'x' },
    code: 2,
    says: /is no address of a service/,
  },
  {
    name: 'nobody there',
    args: ['list', '--url', 'http://127.0.0.1:1'],
    env: { TENON_TOKEN: 'x' },
    code: 4,
    says: /the Tenon service at http:\/\/127\.0\.0\.1:1 cannot be reached/,
  },
])('$name: exit code $code', async ({ args, env, code, says }) => {
  const run = await instances(args, env)
  expect(run.code).toBe(code)
  expect(run.err).toMatch(says)
})

test('ids are completed from the service, else from the store; without either, or late, there are none', async () => {
  const ids = async (
    env: Readonly<Record<string, string>>,
    ...more: readonly string[]
  ): Promise<readonly string[]> => {
    const { code, out, err } = await tenonHere(['completion', '--instances', ...more], { env })
    expect([code, err]).toEqual([0, ''])
    return out.split('\n').filter((line) => line !== '')
  }
  const gongLine = expect.stringMatching(new RegExp(`^${gong}\tgong, `)) as string
  const jiraLine = `${jira}\tjira, user-2, Jira of ACME`
  const fromService = await ids({ TENON_URL: running.url, TENON_TOKEN: running.token })
  expect(fromService).toEqual(expect.arrayContaining([gongLine, jiraLine]))
  // An id begins with the time.
  expect(fromService).toEqual(fromService.toSorted().toReversed())
  const fromStore = await ids({ TENON_DATA: running.folder })
  expect(fromStore).toEqual(fromService)
  for (const from of [
    { TENON_URL: running.url, TENON_TOKEN: running.token },
    { TENON_DATA: running.folder },
  ]) {
    expect(await ids(from, '--begun', jira.slice(0, -1).toUpperCase())).toEqual([jiraLine])
    // It begins a name, and no id.
    expect(await ids(from, '--begun', 'Jira')).toEqual([])
  }
  // Behind an account its own entities are offered, and those of all where it is not known.
  const entities = async (words: string): Promise<readonly string[]> => {
    const env = { TENON_DATA: running.folder }
    const { out } = await tenonHere(['completion', '--entities', words], { env })
    return out.trim().split('\n')
  }
  const [ofGong, ofJira, ofAll] = [
    await entities(`search ${gong}`),
    await entities(`sync run ${jira}`),
    await entities('search 0199f3b7-4c1e-7d31-9a57-2f4f5d1f9a10'),
  ]
  expect([ofGong.includes('calls'), ofGong.includes('issues')]).toEqual([true, false])
  expect([ofJira.includes('calls'), ofJira.includes('issues')]).toEqual([false, true])
  expect(ofAll).toEqual(expect.arrayContaining([...ofGong, ...ofJira]))
  expect(await ids({ TENON_DATA: `${running.folder}/none` })).toEqual([])
  expect(await ids({ TENON_URL: running.url, TENON_TOKEN: 'wrong' })).toEqual([])
  await using silent = await listenSilently()
  expect(await ids({ TENON_URL: silent.url, TENON_TOKEN: running.token })).toEqual([])
})

/** A service that takes connections and says nothing. */
async function listenSilently(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // It listens on a port.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

test('the audit log is listed beside the running service', async () => {
  const env = { TENON_DATA: running.folder }
  const { code, out } = await tenon(['audit', 'list', '--instance', gong, '--json'], { env })
  expect(code).toBe(0)
  const events = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly action: string; readonly chain: string })
  expect(events.at(-1)).toMatchObject({ action: 'instance.create', chain: gong })
  const above = await tenonHere(['audit', 'list', '--limit', '1'], { env })
  expect(above.out).toMatch(/^time +what +result +who/)
  expect(above.out.trim().split('\n')).toHaveLength(3)
  expect(await tenonHere(['audit', 'list', '--limit', 'x'], { env })).toMatchObject({ code: 2 })
})
