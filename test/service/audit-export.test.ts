// GET /audit/export: what GET /audit lists, as files, up to a bound that the file tells.
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningService, runService } from '../fixtures/running-service.ts'

let world: RunningService

beforeAll(async () => {
  world = await runService()
})
afterAll(() => world[Symbol.asyncDispose]())

const linesOf = (text: string): readonly object[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object)

test('a file has what the list shows, of the same filter, in both forms', async () => {
  const id = await world.connect('jira', { name: '=Sales', external_user_id: 'user-1' })
  await world.scoped({ external_user_id: 'user-1' })
  const filter = 'external_user_id=user-1'
  const listed = await world.call('GET', `/v1/audit?${filter}`)
  const { data } = listed.body as { data: readonly object[] }
  expect(listed.body).toMatchObject({ meta: { kept_days: 90, has_more: false } })
  const lines = await world.call('GET', `/v1/audit/export?${filter}`)
  expect(linesOf(lines.text)).toEqual(data)
  expect(data.length).toBeGreaterThan(1)
  const table = await world.call('GET', `/v1/audit/export?${filter}&form=csv`)
  expect(table.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(table.headers.get('content-disposition')).toBe('attachment; filename="tenon-audit.csv"')
  const [head, ...rows] = table.text.trimEnd().split('\r\n')
  expect(head?.split(',')).toEqual(Object.keys(data[0] ?? {}))
  expect(rows.length).toBe(data.length)
  // A spreadsheet runs nothing.
  expect(table.text).toContain(`,'=Sales`)
  await world.call('DELETE', `/v1/users?external_user_id=user-1`)
  const after = await world.call('GET', `/v1/audit/export?connector_id=${id}`)
  // Of an erased user there is no name and no id.
  expect(after.text).toContain('instance.create')
  expect(after.text).not.toMatch(/user-1|Sales/)
})

test('an empty file has its head, and what failed is found without what is named otherwise', async () => {
  const none = await world.call('GET', '/v1/audit/export?action=nothing&form=csv')
  expect(none.text).toMatch(/^at,actor,action,[a-z_,]+\r\n$/)
  await world.connect('gong')
  const { body } = await world.call('GET', '/v1/audit?status=failed&action=instance')
  expect(body).toMatchObject({ data: [] })
  const scoped = await world.scoped({ external_user_id: 'user-2', manage: false })
  const denied = await world.call('GET', '/v1/audit/export', undefined, { as: scoped })
  expect([denied.status, denied.body]).toMatchObject([403, { code: 'scope_denied' }])
})

test('a file that is cut says so in its last line, and the cursor there goes on', async () => {
  const file = new DatabaseSync(`${world.folder}/state.sqlite`, { timeout: 60_000 })
  file.exec(`with recursive n (i) as (select 1 union all select i + 1 from n where i < 50002)
    insert into audit_event (chain_id, seq, at, organization_id, instance_id, request_id, actor, action, target, outcome, members, hash)
    select 'many', i, i, 'default', null, null, 'many', 'token.mint', 'default', 'done', '[]', '' from n`)
  file.close()
  const path = '/v1/audit/export?actor=many'
  const { text } = await world.call('GET', path)
  const lines = linesOf(text)
  expect(lines.length).toBe(50_001)
  expect(lines[0]).toMatchObject({ seq: 50_002 })
  const last = lines.at(-1)
  expect(last).toEqual({ cut: true, cursor: expect.any(String) })
  const { cursor } = last as { cursor: string }
  const rest = await world.call('GET', `${path}&cursor=${cursor}`)
  expect(linesOf(rest.text)).toMatchObject([{ seq: 2 }, { seq: 1 }])
  const table = await world.call('GET', `${path}&form=csv`)
  expect(table.text.trimEnd().split('\r\n').at(-1)).toMatch(/^cut,cursor=[\w.-]+$/)
})
