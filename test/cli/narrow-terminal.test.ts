// What a person sees of a vendor's records in a terminal of 80 characters, from the sandbox.
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { runCommand } from '../../src/cli/run-command.ts'
import { createTerminal, type Environment } from '../../src/cli/terminal.ts'
import { DocsLinks } from '../../src/cli/docs-links.ts'
import { eventually } from '../faults/resources.ts'
import { bareEnvironment } from '../fixtures/bare-environment.ts'
import { runService } from '../fixtures/running-service.ts'
import { folderOf } from './run-tenon.ts'

/** The lines of a listing: headings first. */
async function listed(operation: string, columns: number): Promise<readonly string[]> {
  return await shown(['try', ...operation.split(' '), '--sandbox', '--limit', '5'], columns)
}

async function shown(
  args: readonly string[],
  columns: number,
  variables: Environment = {},
): Promise<readonly string[]> {
  const { code, out } = await seen(args, columns, variables)
  expect(code).toBe(0)
  return out.trimEnd().split('\n')
}

/** Both outputs of a command that is called in a terminal. */
async function seen(
  args: readonly string[],
  columns: number,
  variables: Environment = {},
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const terminal = (): PassThrough =>
    Object.assign(new PassThrough(), { isTTY: true, columns, rows: 100 })
  const [out, err] = [terminal(), terminal()]
  const said = Promise.all([text(out), text(err)])
  const env = { ...bareEnvironment, ...variables }
  const code = await runCommand(
    args,
    {
      terminal: createTerminal(out, err, env),
      env,
      folder: folderOf({}),
      signal: new AbortController().signal,
      docs: new DocsLinks(env),
    },
    { serves: false, docs: 'reference/cli' },
  )
  out.end()
  err.end()
  const [outText, errText] = await said
  return { code, out: outText, err: errText }
}

test('issues of Jira show key, summary and status, and when they changed, as far as a line goes', async () => {
  const lines = await listed('jira issues.api_search --params {"jql":"project=OPS"}', 80)
  expect(lines[0]?.split(/ +/)).toEqual(['id', 'key', 'summary', 'status', 'priority', 'updated'])
  expect(lines[2]).toMatch(/^\d+ +OPS-1 +\S.{28,} +(?:To Do|In Progress|Done) +\w+ +\d+\w+ ago$/)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
})

test.for([40, 60, 120])('and no line is longer than %d', async (columns) => {
  const lines = await listed('jira issues.api_search --params {"jql":"project=OPS"}', columns)
  // The last line counts what is left out.
  for (const line of lines.slice(0, -1)) expect(line.length).toBeLessThanOrEqual(columns)
  expect(lines[0]).toMatch(/^id +key +summary/)
})

test.for([
  { operation: 'gong calls.list', want: ['title', 'id', 'started'] },
  { operation: 'stripe customers.list', want: ['name', 'id', 'email', 'created'] },
  { operation: 'jira users.list', want: ['displayName', 'emailAddress'] },
])('$operation shows what names a record first', async ({ operation, want }) => {
  const [heading = ''] = await listed(operation, 80)
  expect(heading.split(/ +/).slice(0, want.length)).toEqual(want)
})

test.for([120, 160, 200])(
  'in a line of %d a summary has its room before further columns are shown',
  async (columns) => {
    const [heading = '', , ...lines] = await listed(
      'jira issues.api_search --params {"jql":"project=OPS"}',
      columns,
    )
    const from = heading.indexOf('summary')
    const to = heading.indexOf('status')
    expect(to - from).toBeGreaterThanOrEqual(Math.min(40, columns * 0.35))
    const cut = lines.slice(0, -1).filter((line) => line.slice(from, to).includes('…'))
    if (columns > 120) expect(cut).toEqual([])
  },
)

test('accounts are told by their names in a narrow line, and named by a part of their id', async () => {
  await using world = await runService()
  const id = await world.connect('gong', {
    external_user_id: 'ada',
    name: 'The company of the north 0044',
  })
  await world.connect('gong', { external_user_id: 'ben', name: 'The company of the north 0045' })
  const env = { TENON_URL: world.url, TENON_TOKEN: world.token }
  for (const columns of [60, 80]) {
    const [heading = '', , ...lines] = await shown(['instances', 'list'], columns, env)
    expect(heading.split(/ +/).slice(0, 3)).toEqual(['id', 'state', 'name'])
    for (const number of ['0044', '0045']) expect(lines.join('\n')).toContain(number)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns)
    const short = lines.find((line) => line.includes('0044'))?.split(' ')[0] ?? ''
    expect(short).toContain('…')
    expect((await shown(['instances', 'show', short], 80, env)).join('\n')).toContain(id)
  }
  // Both were made within a minute.
  const { code, err } = await seen(['sync', 'status', id.slice(0, 6)], 80, env)
  expect(code).toBe(2)
  expect(err.replaceAll(/\s+/g, ' ')).toContain(`several accounts have the id ${id.slice(0, 6)}: `)
})

test('what was searched is on the screen', async () => {
  await using world = await runService({ jobs: true })
  const id = await world.connect('slack')
  const env = { TENON_URL: world.url, TENON_TOKEN: world.token }
  const search = ['search', id, 'messages', '--words', 'the']
  await eventually(async () => / the /.test((await seen(search, 80, env)).out))
  const [heading = '', , ...lines] = await shown(search, 80, env)
  expect(heading.split(/ +/).slice(0, 2)).toEqual(['id', 'text'])
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
})

test('events of the audit log are in words and names, and how they ended stands before what is left out', async () => {
  await using world = await runService()
  const id = await world.connect('gong', { external_user_id: 'ada', name: 'Northwind' })
  await world.service.store.audit.append({
    organizationId: 'default',
    instanceId: id,
    requestId: 'request-1',
    actor: 'person:ada.lovelace.of.the.office@example.com',
    action: 'access.refuse',
    target: 'deleteConnectorInstance',
    outcome: 'scope_denied, 3 times',
    members: ['first at 2026-11-01T08:00:00.000Z'],
    address: '203.0.113.7',
    token: 'ab12ab12ab12',
  })
  const list = (columns: number): Promise<readonly string[]> =>
    shown(['audit', 'list', '--data', world.folder, '--all', '--action', 'access'], columns)
  const lines = await list(80)
  expect(lines[0]?.split(/ +/)).toEqual(['time', 'what', 'result', 'who', 'on'])
  expect(lines[2]).toMatch(
    /^(?:now|\d+s ago) +Had no access +denied +ada\.lovelace\.of\S*… +Northwind: Delete .*$/,
  )
  expect(lines[3]).toMatch(/^\(\d more columns; --json shows everything\)$/)
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
  // Columns shrink before the thing that it was about is left out.
  expect((await list(70))[0]?.split(/ +/)).toEqual(lines[0]?.split(/ +/))
  const [heading = '', , event = ''] = await list(300)
  expect(heading.split(/ +/)).toEqual(
    'time what result who on why details from user token request action place'.split(' '),
  )
  expect(event).toContain('  scope_denied, 3 times  ')
  expect(event).toMatch(
    new RegExp(`203\\.0\\.113\\.7 +ada +ab12ab12ab12 +request-1 +access\\.refuse +${id}:\\d+$`),
  )
  const nothing = await shown(
    ['audit', 'list', '--data', world.folder, '--text', 'no-such-word'],
    80,
  )
  expect(nothing).toEqual(['no event is like this'])
})

test('a line of the logs has the id of its entry in a short form, by which one goes on', async () => {
  await using world = await runService()
  const id = await world.connect('jira', { external_user_id: 'ada', name: 'Jira of the north' })
  // Those of one moment that are alike, and one that is not.
  const run = (issueIdOrKey: string): Promise<unknown> =>
    world.call('POST', `/api/v1/connectors/sources/${id}/execute`, {
      entity: 'issues',
      action: 'get',
      params: { issueIdOrKey },
    })
  await Promise.all(['OPS-1', 'OPS-2', 'OPS-3', 'NONE-1'].map(run))
  const env = { TENON_URL: world.url, TENON_TOKEN: world.token }
  const list = (columns: number): Promise<readonly string[]> =>
    shown(['logs', '--kind', 'operation'], columns, env)
  const [heading = '', , ...lines] = await list(80)
  const columns = 'time what result account id ms'.split(' ')
  expect(heading.split(/ +/).slice(0, 6)).toEqual(columns)
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
  const shorts = lines.flatMap((line) => /[-\da-f]{18}…[\da-f]{2}/.exec(line)?.[0] ?? [])
  expect(new Set(shorts).size).toBe(4)
  const [, , ...whole] = await list(300)
  const ids = whole.flatMap((line) => /[-\da-f]{36}/.exec(line)?.[0] ?? [])
  for (const [at, short] of shorts.entries())
    for (const typed of [short, short.replace('…', '..')]) {
      const entry = await shown(['logs', typed], 80, env)
      expect(entry.join('\n')).toMatch(
        new RegExp(`^account +Jira of the north\\s+\\(${id}\\)$`, 'm'),
      )
      for (const line of entry) expect(line.length).toBeLessThanOrEqual(80)
      expect(entry.filter((line) => line.startsWith('id '))).toEqual([
        expect.stringContaining(ids[at] ?? '') as unknown,
      ])
    }
})

test('moments that are numbers are told in copies as well, and stay numbers for programs', async () => {
  await using world = await runService({ jobs: true })
  const id = await world.connect('stripe')
  const env = { TENON_URL: world.url, TENON_TOKEN: world.token }
  await seen(['sync', 'run', id, 'charges', '--wait'], 80, env)
  const named = ['search', id, 'charges', '--fields', 'created']
  for (const args of [['search', id, 'charges'], ['changes', id, 'charges'], named]) {
    expect((await seen(args, 80, env)).out).toMatch(/ created\b[^]*\d(?:mo|y) ago/)
    expect((await seen([...args, '--json'], 80, env)).out).toMatch(/"created":\d{10}/)
  }
})

test('what a value names is told by the copies, once for each page, and programs keep the value', async () => {
  await using world = await runService({ jobs: true })
  const id = await world.connect('gong')
  const env = { TENON_URL: world.url, TENON_TOKEN: world.token }
  await seen(['sync', 'run', id, '--wait'], 80, env)
  const searched = ['search', id, 'calls', '--fields', 'id,primaryUserId', '--limit', '90']
  const tried = ['try', 'gong', 'calls.list', '--connector-id', id, '--limit', '90']
  const searches = async (): Promise<number> => {
    const asked = ['logs', '--entity', 'users', '--action', 'search', '--json']
    return (await seen(asked, 80, env)).out.trim().split('\n').filter(Boolean).length
  }
  expect(await searches()).toBe(0)
  for (const [at, args] of [searched, tried].entries()) {
    expect((await seen(args, 300, env)).out).toContain('Andre Duarte')
    expect(await searches()).toBe(at + 1)
    expect((await seen([...args, '--json'], 300, env)).out).not.toContain('Andre Duarte')
    expect(await searches()).toBe(at + 1)
  }
})

test('what copies fail with fits the line, and moments are told in words and by the clock', async () => {
  await using world = await runService({ jobs: true })
  const id = await world.connect('gong')
  world.vendor('gong').fail('*', { mode: 'status', status: 500, times: 100_000 })
  const env = { TENON_URL: world.url, TENON_TOKEN: world.token }
  await eventually(async () => {
    await world.call('POST', `/v1/integrations/connectors/${id}/sync`, { mode: 'full' })
    const { err } = await seen(['sync', 'status', id], 80, env)
    return /next attempt (?:of [\w, ]+ )?in /.test(err.replaceAll(/\n */g, ' '))
  })
  const { err } = await seen(['sync', 'status', id], 80, env)
  const all = await seen(['sync', 'status'], 80, env)
  expect(all.code).toBe(1)
  for (const said of [err, all.out]) {
    expect(Math.max(...said.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    const words = said.replaceAll(/\n +/g, ' ')
    expect(words).toMatch(/, since \d\d:\d\d:\d\d, failed /)
    expect(words).not.toMatch(/\d{4}-\d\d-\d\dT/)
    expect(words).toMatch(/(?:now|in \d+ \w+) \(\d\d:\d\d:\d\d\)|due since \d|being tried now/)
  }
})

test('a person is told how to see more, and gets no cursor to read; a program gets it', async () => {
  await using world = await runService({ jobs: true })
  const id = await world.connect('gong')
  const env = { TENON_URL: world.url, TENON_TOKEN: world.token }
  await seen(['sync', 'run', id, '--wait'], 80, env)
  const said = async (...args: readonly string[]): Promise<string> => {
    const { err } = await seen(args, 80, env)
    // A sentence that is longer than a line goes on in the next one.
    return err.replaceAll('\n  ', ' ')
  }
  expect(await said('search', id, 'users', '--limit', '1')).toMatch(
    /^the first hit, found in .*\nThere may be more: --limit 20 shows them, --all .* counts them\n$/,
  )
  expect(await said('search', id, 'users', '--limit', '1', '--json')).toMatch(/ --cursor \S{40,} /)
  expect(await said('search', id, 'users')).toMatch(/^30 hits in all, [^\n]*\n$/)
  expect(await said('changes', id, 'users', '--limit', '2')).toMatch(
    /\nthe first 2 changes of more; --limit 20 shows more, --json tells the place to go on from\n$/,
  )
  expect(await said('changes', id, 'users', '--limit', '2', '--json')).toMatch(/to go on: --since /)
  expect(await said('changes', id, 'users')).toMatch(/\n30 changes, and no more for now; --json /)
})

test.for([
  ['describe', 'gong'],
  ['describe', 'jira', 'issues'],
  ['--help'],
  ['search', '--help'],
  ['sync', '--help'],
  ['try', '--help'],
  ['mcp', '--help'],
  ['audit', 'list', '--help'],
])('%j goes over no edge of a terminal of 80 characters', async (args) => {
  const lines = await shown(args, 80, { TENON_PAGER: '' })
  const long = lines.filter((line) => line.length > 80 && !line.startsWith('Docs: '))
  expect(long).toEqual([])
  expect(lines.length).toBeGreaterThan(7)
})

test('what describes an action keeps its indent, and its calls can be copied', async () => {
  const lines = await shown(['describe', 'jira', 'issues.api_search'], 80)
  const [at, after] = lines.flatMap((line, index) =>
    /^ {2}jql /.test(line) ? [index, index + 1] : [],
  )
  expect(lines[at ?? 0]).toMatch(/^ {2}jql {2}string {2}Query/)
  expect(lines[after ?? 0]).toMatch(/^ {4}restrict /)
  expect(lines.join('\n')).toMatch(
    / {2}tenon try jira issues\.api_search --params \\\n {6}'\{.*\}' \\\n {6}--sandbox\n/,
  )
})

test('what a last page has not is no fault, and of what answers nothing it is said what was done', async () => {
  const last = [
    'try',
    'jira',
    'issues.api_search',
    '--params',
    '{"jql":"project=OPS"}',
    '--sandbox',
  ]
  expect((await seen([...last, '--limit', '3'], 80)).err).not.toContain('nextPageToken')
  expect((await seen(['try', 'gong', 'users.list', '--sandbox', '--all'], 80)).err).not.toContain(
    'There is no',
  )
  const deleted = [
    'try',
    'jira',
    'issues.delete',
    '--params',
    '{"issueIdOrKey":"OPS-1"}',
    '--sandbox',
  ]
  expect((await seen(deleted, 80)).out).toBe(
    'deleted: issues.delete, issueIdOrKey OPS-1, in the sandbox; the answer holds no record\n',
  )
})

test('an event has the user and what happened before ids', async () => {
  await using world = await runService()
  await world.connect('jira', { external_user_id: 'ada' })
  const env = { TENON_URL: world.url, TENON_TOKEN: world.token }
  const [heading = '', , event = ''] = await shown(['events'], 80, env)
  expect(heading.split(/ +/)).toEqual(['time', 'type', 'user', 'connector', 'what'])
  expect(event).toMatch(/ connector\.created +ada +jira +\w+$/)
})

test('accounts say with their state that their syncs fail, whatever room there is for the rest', async () => {
  await using world = await runService()
  const ids = new Map<string, string>()
  const since = Date.parse('2026-11-01T10:00:00Z')
  for (const state of ['active', 'pending', 'refresh_unknown'] as const) {
    const name = `Jira of the branch in the north of the country (${state})`
    const id = await world.connect('jira', { external_user_id: state, name })
    ids.set(state, id)
    const failure = { code: 'upstream_failed', detail: 'status 500', failures: 1, failedAt: since }
    const { syncFailures, instances } = world.service.store
    await syncFailures.put({ ...failure, instanceId: id, entity: 'issues', since })
    await instances.setState(id, { from: ['active'], to: state, reason: null })
  }
  const env = { TENON_URL: world.url, TENON_TOKEN: world.token }
  const lines = await shown(['instances', 'list'], 80, env)
  for (const [index, [state, id]] of [...ids].entries())
    expect(lines[index + 2]).toMatch(
      new RegExp(
        `^${id.slice(0, 8)}\\S*…\\S*${id.slice(-8)} +${state}, failing +Jira of\\S* .*\\)`,
      ),
    )
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
})
