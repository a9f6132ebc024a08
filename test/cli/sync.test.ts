// `tenon sync status` of copies that fail.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../faults/resources.ts'
import { type RunningService, runService } from '../fixtures/running-service.ts'
import { tenonHere } from './run-here.ts'

let running: RunningService
let gong: string

beforeAll(async () => {
  running = await runService({ jobs: true })
  gong = await running.connect('gong')
  running.vendor('gong').fail('*', { mode: 'status', status: 500, times: 100_000 })
  const failing = async (): Promise<number> =>
    (await running.service.store.syncFailures.of([gong])).length
  await eventually(async () => {
    await running.call('POST', `/v1/integrations/connectors/${gong}/sync`, { mode: 'full' })
    return (await failing()) > 1
  })
})
afterAll(() => running[Symbol.asyncDispose]())

test('the first cause is told once, and when it is tried again; never only that it is left alone', async () => {
  const env = { TENON_URL: running.url, TENON_TOKEN: running.token }
  const { code, out, err } = await tenonHere(['sync', 'status', gong], { env })
  expect(code).toBe(0)
  expect(out.split('\n')[0]).toMatch(/^entity +state +records .* error$/)
  expect(out.split('\n')[0]).not.toContain('_')
  expect(out).toContain('upstream_failed')
  expect(out).not.toContain('upstream_suspended')
  expect(err).toMatch(/^\w+(?:, \w+)*: .* \(status 500\).* \(upstream_failed\), since 2\S+Z.*\n$/)
  const failing = out.split('\n').filter((line) => line.includes('upstream_failed'))
  expect(failing.length).toBeGreaterThan(1)
  for (const line of failing) expect(err).toContain(line.split(' ')[0])
})

test('the accounts of which a copy fails are listed', async () => {
  const env = { TENON_URL: running.url, TENON_TOKEN: running.token }
  for (const trouble of ['failing', 'attention']) {
    const { code, out } = await tenonHere(['instances', 'list', '--sync', trouble], { env })
    expect(code).toBe(0)
    expect(out).toMatch(new RegExp(`^${gong} `, 'm'))
  }
  const well = await running.connect('slack', { external_user_id: 'well' })
  // Where all are listed, the state of those says so; for programs it is the state alone.
  const all = await tenonHere(['instances', 'list'], { env })
  expect(all.out).toMatch(new RegExp(`^${gong} +active, failing +gong`, 'm'))
  expect(all.out).toMatch(new RegExp(`^${well} +active +slack`, 'm'))
  const { out: json } = await tenonHere(['instances', 'list', '--type', 'gong', '--json'], { env })
  expect(JSON.parse(json)).toMatchObject({ id: gong, state: 'active' })
  const asked = ['instances', 'list', '--sync', 'failing', '--user', 'well']
  expect((await tenonHere(asked, { env })).out).toBe('no instance is like this\n')
})

test('a check of what is left alone says until when', async () => {
  const env = { TENON_URL: running.url, TENON_TOKEN: running.token }
  const before = Date.now()
  await eventually(async () => {
    const { code, out } = await tenonHere(['instances', 'check', gong], { env })
    expect(code).toBe(4)
    const until =
      /\. The third party was not asked: .*\. It can be asked again from (2\S+Z)\.\n$/.exec(
        out,
      )?.[1] ?? ''
    return Date.parse(until) > before
  })
})

test('what is read below an entity that fails waits for it, and says so', async () => {
  const github = await running.connect('github')
  const repositories = async () => {
    const { body } = await running.call('GET', `/v1/integrations/connectors/${github}/sync`)
    return (body as { readonly data: readonly Record<string, unknown>[] }).data
  }
  await eventually(async () => (await repositories()).every(({ state }) => state === 'ready'))
  running.vendor('github').fail('repositories.list', { mode: 'status', status: 500, times: 1_000 })
  await running.call('POST', `/v1/integrations/connectors/${github}/sync`, {})
  await eventually(async () => (await repositories()).some(({ state }) => state === 'error'))
  const env = { TENON_URL: running.url, TENON_TOKEN: running.token }
  const { out, err } = await tenonHere(['sync', 'status', github], { env })
  expect(out).toMatch(/^repositories +error /m)
  expect(out).toMatch(/^issues +waiting /m)
  expect(out).not.toContain(' ready ')
  expect(err).toMatch(
    /\(status 500\).*\(upstream_failed\), .*; who acts: the third party; .*(?:next attempt (?:of [\w, ]+ )?(?:due since )?2|being tried now)/,
  )
  expect(err).toMatch(
    /^.*\bissues\b.*: wait for repositories, which has been failing since 2\S+Z; not known to be up to date$/m,
  )
  const issues = (await repositories()).find(({ entity }) => entity === 'issues')
  expect(issues).toMatchObject({
    state: 'waiting',
    waits_for: { entity: 'repositories', state: 'error', code: 'upstream_failed' },
    failures: 0,
    parent: 'repositories',
  })
})

test('of an account that stands still it is said first why, and who acts; only what somebody paused is paused', async () => {
  const env = { TENON_URL: running.url, TENON_TOKEN: running.token }
  const jira = await running.connect('jira')
  const path = `/v1/integrations/connectors/${jira}`
  await running.call('PATCH', path, { sync: { entities: { users: { enabled: false } } } })
  await running.call('PATCH', path, { enabled: false })
  const disabled = await tenonHere(['sync', 'status', jira], { env })
  expect(disabled.err).toMatch(
    /^Disabled.*: Switched off here\. Nothing is sent until it is enabled\.\n/,
  )
  expect(disabled.out).toMatch(/^users +paused /m)
  expect(disabled.out).toMatch(/^issues +stands still /m)
  await running.call('PATCH', path, { enabled: true })
  running.vendor('jira').fail('*', { mode: 'status', status: 401, times: 100 })
  await running.call('POST', `${path}/check`)
  const refused = await tenonHere(['sync', 'status', jira], { env })
  expect(refused.err).toMatch(
    /^Needs re-authentication \(credentials_refused, since 2\S+Z\): Nothing is sent on its own until the user connects again\..*\n/,
  )
  expect(refused.err).not.toContain('next attempt')
  expect(refused.out).toMatch(/^projects +stands still /m)
  expect(refused.out).not.toContain(' ready ')
})

test('without an id it is told what fails of all accounts, each with its causes, as far as there is room', async () => {
  const env = { TENON_URL: running.url, TENON_TOKEN: running.token }
  const { code, out, err } = await tenonHere(['sync', 'status'], { env })
  expect(code).toBe(1)
  expect(out).toMatch(
    new RegExp(
      `^.+ \\(gong, user .+\\): ${gong}\n {2}\\w.*\\(upstream_failed\\), since 2\\S+Z`,
      'm',
    ),
  )
  expect(out).toMatch(/^.+ \(github, user .+\): \S{36}\n {2}repositories: .*upstream_failed/m)
  // What stands still is not tried.
  expect(out).not.toContain('(jira, ')
  expect(err).toBe(
    'one account stands still and needs re-authentication: tenon instances list --state auth_error\n',
  )
  const one = await tenonHere(['sync', 'status', '--limit', '1'], { env })
  expect(one.out.match(/ \(\w+, user /g)).toHaveLength(1)
  expect(one.err).toMatch(/^and 1 more: tenon instances list --sync failing\n/)
  const json = await tenonHere(['sync', 'status', '--json'], { env })
  const copies = json.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
  expect(copies.map(({ failures }) => Number(failures) > 0)).not.toContain(false)
  expect(copies).toContainEqual(expect.objectContaining({ connector_id: gong, state: 'error' }))
  for (const wrong of [['--watch'], [gong, '--limit', '1']])
    expect((await tenonHere(['sync', 'status', ...wrong], { env })).code).toBe(2)
})

test('where nothing fails it says so', async () => {
  await using well = await runService()
  const env = { TENON_URL: well.url, TENON_TOKEN: well.token }
  expect(await tenonHere(['sync', 'status'], { env })).toEqual({
    code: 0,
    out: 'no sync fails\n',
    err: '',
  })
})

test('an entry of the logs has the time of the next attempt', async () => {
  const env = { TENON_URL: running.url, TENON_TOKEN: running.token }
  const asked = ['logs', '--instance', gong, '--kind', 'sync', '--failed', '--limit', '1', '--json']
  const { id, at } = JSON.parse((await tenonHere(asked, { env })).out)
  const { tried_again_in_s: seconds } = JSON.parse(
    (await tenonHere(['logs', id, '--json'], { env })).out,
  ).facts
  const { out } = await tenonHere(['logs', id], { env })
  const next = /^next attempt +(\S+)/m.exec(out)?.[1] ?? ''
  expect(Date.parse(next) - Date.parse(at)).toBe(seconds * 1000)
  expect(out).not.toContain('tried_again_in_s')
  expect(out).toMatch(/^first error +upstream_failed$/m)
})

test('accounts of several users that fail alike are told together', async () => {
  await using ill = await runService({ jobs: true })
  ill.vendor('gong').fail('*', { mode: 'status', status: 500, times: 100_000 })
  const ids: string[] = []
  for (const user of ['one', 'two', 'three'])
    ids.push(await ill.connect('gong', { external_user_id: user, name: `Calls of ${user}` }))
  await eventually(async () => {
    const failing = await ill.service.store.syncFailures.of(ids)
    return new Set(failing.map(({ instanceId }) => instanceId)).size === ids.length
  })
  const env = { TENON_URL: ill.url, TENON_TOKEN: ill.token }
  const { out } = await tenonHere(['sync', 'status'], { env })
  expect(out).toMatch(
    /^3 of 3 accounts of gong: .*\(upstream_failed\); who acts: the third party; looks like the third party\n {2}Calls of \w+ \(gong, user \w+\): \S{36}\n {4}\w/,
  )
  expect(out.match(/who acts: /g)).toHaveLength(1)
})
