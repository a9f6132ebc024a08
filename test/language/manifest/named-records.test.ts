// Which parameters name a record, as far as a manifest says so.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { loadManifest, requireManifest } from '../../../src/language/manifest/load.ts'
import { namedRecords } from '../../../src/language/manifest/named-records.ts'

const file = new URL('../../../manifests/jira.yaml', import.meta.url)
const jira = requireManifest(loadManifest({ file: 'jira.yaml', text: readFileSync(file, 'utf8') }))

const ISSUE = { entity: 'issues', field: 'id' }
const ACCOUNT = { entity: 'users', field: 'accountId' }

test.for([
  { name: 'issues.get', why: 'its one required parameter', want: { issueIdOrKey: ISSUE } },
  { name: 'issues.api_search', why: 'it names none', want: {} },
  { name: 'issue_comments.list', why: 'the parent is bound', want: { issueIdOrKey: ISSUE } },
  {
    name: 'issue_comments.get',
    why: 'the parent and its own key',
    want: { issueIdOrKey: ISSUE, commentId: { entity: 'issue_comments', field: 'id' } },
  },
  { name: 'users.get', why: 'the key has another name than id', want: { accountId: ACCOUNT } },
  {
    name: 'issues_assignee.update',
    why: 'parameters of these names lead to one entity elsewhere',
    want: { issueIdOrKey: ISSUE, accountId: ACCOUNT },
  },
])('$name: $why', ({ name, want }) => {
  const action = jira.entities
    .flatMap(({ actions }) => actions)
    .find((each) => `${each.entity}.${each.name}` === name)
  if (action === undefined) throw new TypeError(name)
  expect(namedRecords(jira)(action)).toEqual(want)
})
