// Vendors as large as a test needs them: how many records there are, and that they stay one consistent vendor.
import { expect, test } from 'vitest'
import { connect } from '../../src/index.ts'
import type { JsonObject } from '../../src/language/json/json.ts'
import { sandbox } from '../../src/sandbox/open-sandbox.ts'
import { textOf } from '../../src/sandbox/wire/same-scalar.ts'

test('a set has as many records as asked for, those of a parent spread evenly', async () => {
  await using vendor = await sandbox('jira', { sizes: { issues: 1000, issue_comments: 2500 } })
  const issues = vendor.records('issues')
  const projects = Map.groupBy(issues, ({ key }) => textOf(key).split('-')[0])
  expect([...projects].map(([project, { length }]) => [project, length])).toEqual([
    ['ACME', 333],
    ['OPS', 333],
    ['MOB', 334],
  ])
  expect(vendor.records('issue_comments')).toHaveLength(2500)
  expect(new Set(issues.map(({ id }) => id)).size).toBe(1000)
})

test('the first records are those of the demo data, and none is a size, too', async () => {
  await using vendor = await sandbox('jira', { sizes: { projects: 5, issues: 0 } })
  expect(vendor.records('projects').map(({ key }) => key)).toEqual(['ACME', 'OPS', 'MOB', 'P', 'P'])
  expect(vendor.records('issues')).toEqual([])
})

test('a larger vendor is not older: its records lie closer together', async () => {
  const days = (records: readonly JsonObject[], at: (record: JsonObject) => unknown): number => {
    const times = records.map((record) => Date.parse(textOf(at(record) as string)))
    return Math.round((Math.max(...times) - Math.min(...times)) / 86_400_000)
  }
  const created = ({ fields }: JsonObject): unknown => (fields as JsonObject)['created']
  const started = (call: JsonObject): unknown => call['started']
  await using jira = await sandbox('jira')
  await using large = await sandbox('jira', { sizes: { issues: 6000 } })
  await using gong = await sandbox('gong')
  await using talkative = await sandbox('gong', { sizes: { calls: 6000 } })
  const spans = [jira, large].map((vendor) => days(vendor.records('issues'), created))
  const calls = [gong, talkative].map((vendor) => days(vendor.records('calls'), started))
  expect([spans, calls]).toEqual([
    [90, 92],
    [97, 97],
  ])
  const times = new Set(large.records('issues').map((issue) => created(issue)))
  expect(times.size).toBeGreaterThan(5900)
})

test('an entity without demo data has a size as well', async () => {
  await using vendor = await sandbox('docs/examples/github.yaml', { sizes: { repos: 250 } })
  expect(vendor.records('repos')).toHaveLength(250)
})

test.for([
  [
    { isues: 5 },
    'there are no isues to size; there are users, statuses, transitions, priorities, issue_types, field_options, projects, issues, issue_comments, issue_worklogs, issue_fields',
  ],
  [{ issues: -1 }, 'the size of issues must be a whole number from 0 to 1000000'],
  [{ issues: 1.5 }, 'the size of issues must be a whole number from 0 to 1000000'],
  [{ issues: 1_000_001 }, 'the size of issues must be a whole number from 0 to 1000000'],
] as const)('%j is refused', async ([sizes, message]) => {
  await expect(sandbox('jira', { sizes })).rejects.toThrow(new TypeError(message))
})

test('a walk through thousands of records gives each once; a page after a change sees it', async () => {
  await using vendor = await sandbox('jira', { sizes: { issues: 3000 } })
  const jira = await connect('jira', vendor.options())
  const jql = 'created >= "2000-01-01" ORDER BY key'
  const keys: string[] = []
  for await (const issue of jira.issues.api_search({ jql, maxResults: 100, fields: 'summary' }))
    keys.push(String(issue.key))
  expect(keys).toHaveLength(3000)
  expect(new Set(keys).size).toBe(3000)

  const found = async (): Promise<readonly JsonObject[]> => {
    const wanted = 'project = ACME AND summary ~ "quite unheard of"'
    return (await jira.issues.api_search({ jql: wanted, fields: 'summary' })).data as never
  }
  expect(await found()).toEqual([])
  await jira.issues.update({ issueIdOrKey: 'ACME-7', fields: { summary: 'Quite unheard of' } })
  expect((await found()).map(({ key }) => key)).toEqual(['ACME-7'])
  await jira.issues.delete({ issueIdOrKey: 'ACME-7' })
  expect(await found()).toEqual([])
})
