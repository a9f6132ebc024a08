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

test('a parameter says itself what it names, and one that does is not taken for the record of the action', () => {
  const text = `
manifest: 1
connector: { type: demo, title: Demo, version: 1.0.0 }
server: { url: https://demo.test }
auth: { none: { apply: none } }
defaults: { pagination: { type: none, reason: Few. } }
entities:
  people:
    record: { properties: { handle: { type: string } } }
    actions:
      list: { request: { http: GET /people }, response: { records: $.people } }
    sync: { primary_key: handle, action: list }
  notes:
    record: { properties: { id: { type: string } } }
    actions:
      list: { request: { http: GET /notes }, response: { records: $.notes } }
      update:
        params: { required: [owner, note], properties: { owner: { $ref: "#/shapes/owner" }, note: { type: string } } }
        request: { http: "POST /notes/{{ params.note }}/owner", body: [owner] }
    sync: { primary_key: id, action: list }
shapes: { owner: { type: string, refers_to: people } }
`
  const { manifest, problems } = loadManifest({ file: 'demo.yaml', text })
  expect(problems).toEqual([])
  const update = manifest?.entities.at(-1)?.actions.at(-1)
  if (manifest == null || update === undefined) throw new TypeError('update')
  expect(namedRecords(manifest)(update)).toEqual({
    owner: { entity: 'people', field: 'handle' },
    note: { entity: 'notes', field: 'id' },
  })
})
