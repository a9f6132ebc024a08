// The demo data of Jira: what its rules say, seen over HTTP.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Json } from '../../src/json/json.ts'
import { loadManifestFile, requireManifest } from '../../src/manifest/load.ts'
import { loadDemo } from '../../src/sandbox/open-sandbox.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { basicAuthorization } from './vendor-client.ts'

const manifest = requireManifest(await loadManifestFile('manifests/jira.yaml'))
const demo = await loadDemo('manifests/jira.yaml', manifest)
let jira: Sandbox
beforeEach(async () => {
  jira = await createSandbox(manifest, demo, { seed: 7 })
})
afterEach(() => jira.close())

interface Reply {
  readonly status: number
  // Bodies are looked into member by member; the assertions say what they hold.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

async function call(method: string, path: string, body?: Json): Promise<Reply> {
  const response = await fetch(`${jira.url}/rest/api/3${path}`, {
    method,
    headers: {
      authorization: basicAuthorization(jira, 'username', 'password'),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}

function search(jql: string, more = ''): Promise<Reply> {
  return call('GET', `/search/jql?jql=${encodeURIComponent(jql)}&fields=*navigable${more}`)
}

test.for(['', 'ORDER BY created', 'order by key desc'])('"%s" is unbounded', async (jql) => {
  expect(await search(jql)).toEqual({
    status: 400,
    body: {
      errorMessages: [
        'Unbounded JQL queries are not allowed here. Please add a search restriction to your query.',
      ],
    },
  })
})

test.for([
  { jql: 'project = ACME', holds: (f: Reply['body']) => f.project.key === 'ACME' },
  { jql: 'project in (OPS, MOB)', holds: (f: Reply['body']) => f.project.key !== 'ACME' },
  {
    jql: 'project = ACME AND status = "in progress"',
    holds: (f: Reply['body']) => f.status.name === 'In Progress',
  },
  {
    jql: 'project = ACME AND status != Done',
    holds: (f: Reply['body']) => f.status.name !== 'Done',
  },
  { jql: 'project = OPS AND assignee is EMPTY', holds: (f: Reply['body']) => f.assignee === null },
  {
    jql: 'assignee = currentUser()',
    holds: (f: Reply['body']) => f.assignee?.displayName === 'Maren Osterloh',
  },
  {
    jql: 'project = MOB AND issuetype = Sub-task',
    holds: (f: Reply['body']) => f.issuetype.subtask === true,
  },
  {
    jql: 'updated >= "2026-05-20 12:00"',
    holds: (f: Reply['body']) => f.updated >= '2026-05-20T12:00',
  },
  {
    jql: 'project = ACME AND created < -30d',
    holds: (f: Reply['body']) => f.created < '2026-05-02T09:00:00',
  },
  {
    jql: 'project = ACME AND (priority = High OR labels = security)',
    holds: (f: Reply['body']) => f.priority.name === 'High' || f.labels.includes('security'),
  },
  {
    jql: 'project = ACME AND summary ~ login',
    holds: (f: Reply['body']) => f.summary.includes('login'),
  },
])('$jql finds what it says', async ({ jql, holds }) => {
  const { status, body } = await search(jql, '&maxResults=100')
  expect(status).toBe(200)
  expect(body.issues.length).toBeGreaterThan(0)
  expect(body.issues.filter((issue: Reply['body']) => !holds(issue.fields))).toEqual([])
  const all = jira
    .records('issues')
    .filter((issue: Reply['body']) => holds(issue.fields)) as Reply['body'][]
  expect(body.issues.length).toBeLessThanOrEqual(all.length)
})

test.for([
  { jql: 'flavour = sweet', message: 'The field "flavour" does not exist' },
  { jql: 'project =', message: 'The query ends too early' },
  { jql: 'project ACME', message: 'Error in the query at "ACME"' },
])('$jql is refused', async ({ jql, message }) => {
  expect(await search(jql)).toEqual({ status: 400, body: { errorMessages: [message] } })
})

test('an order is kept, and a listing says isLast and a token but no total', async () => {
  const { body } = await search('project = ACME ORDER BY updated DESC', '&maxResults=5')
  const times: string[] = body.issues.map((issue: Reply['body']) => issue.fields.updated)
  expect(times).toEqual(times.toSorted((a, b) => b.localeCompare(a)))
  expect(Object.keys(body).sort()).toEqual(['isLast', 'issues', 'nextPageToken'])
  expect(body.isLast).toBe(false)
})

test('fields choose members of the issue, expand adds others', async () => {
  const { body } = await call('GET', '/issue/ACME-4?fields=summary,status&expand=transitions')
  expect(Object.keys(body.fields).sort()).toEqual(['status', 'summary'])
  expect(body.transitions.map(({ id, name }: Reply['body']) => [id, name])).toEqual([
    ['11', 'To Do'],
    ['21', 'In Progress'],
    ['31', 'Done'],
  ])
  const all = await call('GET', '/issue/ACME-4?fields=*all,-summary')
  expect(Object.keys(all.body.fields)).toContain('created')
  expect(Object.keys(all.body.fields)).not.toContain('summary')
  expect(all.body).not.toHaveProperty('transitions')
})

test('an issue lives: created, changed, moved, assigned, commented, deleted', async () => {
  const created = await call('POST', '/issue', {
    fields: {
      project: { key: 'OPS' },
      issuetype: { name: 'Task' },
      summary: 'Oil the hinge',
      customfield_10031: 'Northwind',
    },
  })
  expect(created.status).toBe(201)
  const { key, id } = created.body
  expect(created.body).toEqual({
    id,
    key,
    self: `https://tallow-demo.atlassian.net/rest/api/3/issue/${id}`,
  })
  expect(key).toMatch(/^OPS-\d+$/)

  expect(
    await call('PUT', `/issue/${key}`, {
      fields: { priority: { name: 'High' } },
      update: { labels: [{ add: 'new' }] },
    }),
  ).toEqual({ status: 204, body: null })
  expect(
    (await call('POST', `/issue/${key}/transitions`, { transition: { id: '31' } })).status,
  ).toBe(204)
  expect((await call('PUT', `/issue/${key}/assignee`, { accountId: '-1' })).status).toBe(204)
  const { fields } = (await call('GET', `/issue/${id}`)).body
  expect({
    project: fields.project.name,
    summary: fields.summary,
    custom: fields.customfield_10031,
    priority: fields.priority.name,
    labels: fields.labels,
    status: fields.status.name,
    resolution: fields.resolution.name,
    assignee: fields.assignee.displayName,
    reporter: fields.reporter.displayName,
  }).toEqual({
    project: 'Operations',
    summary: 'Oil the hinge',
    custom: 'Northwind',
    priority: 'High',
    labels: ['new'],
    status: 'Done',
    resolution: 'Done',
    assignee: 'Maren Osterloh',
    reporter: 'Maren Osterloh',
  })
  expect(fields.updated > fields.created).toBe(true)

  await call('PUT', `/issue/${key}/assignee`, { accountId: null })
  expect((await call('GET', `/issue/${key}?fields=assignee`)).body.fields).toEqual({
    assignee: null,
  })

  const document = {
    type: 'doc',
    version: 1,
    content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Done.' }] }],
  }
  const comment = await call('POST', `/issue/${key}/comment?expand=renderedBody`, {
    body: document,
  })
  expect([comment.status, comment.body.author.displayName, comment.body.renderedBody]).toEqual([
    201,
    'Maren Osterloh',
    '<p>Done.</p>',
  ])
  expect((await call('GET', `/issue/${key}/comment`)).body).toMatchObject({
    startAt: 0,
    maxResults: 100,
    total: 1,
  })
  expect(
    (await call('GET', `/issue/${key}?fields=updated`)).body.fields.updated > fields.updated,
  ).toBe(true)

  expect((await call('DELETE', `/issue/${key}`)).status).toBe(204)
  expect((await call('GET', `/issue/${key}`)).status).toBe(404)
  expect((await call('GET', `/issue/${key}/comment/${comment.body.id}`)).status).toBe(404)
})

test('an issue with subtasks is deleted only together with them', async () => {
  const refused = await call('DELETE', '/issue/ACME-4')
  expect(refused.status).toBe(400)
  expect(refused.body.errorMessages[0]).toContain('has subtasks')
  expect((await call('DELETE', '/issue/ACME-4?deleteSubtasks=true')).status).toBe(204)
  expect((await call('GET', '/issue/ACME-5')).status).toBe(404)
  expect((await call('GET', '/issue/ACME-6')).status).toBe(404)
})

test.for([
  {
    name: 'an unknown project',
    body: { fields: { project: { key: 'NONE' }, issuetype: { name: 'Task' }, summary: 'x' } },
    errors: { project: 'Specify a valid project ID or key' },
  },
  {
    name: 'an unknown type',
    body: { fields: { project: { key: 'OPS' }, issuetype: { name: 'Epic' }, summary: 'x' } },
    errors: { issuetype: 'Specify an issue type' },
  },
  {
    name: 'an unknown user',
    body: {
      fields: {
        project: { key: 'OPS' },
        issuetype: { name: 'Task' },
        summary: 'x',
        assignee: { accountId: 'nobody' },
      },
    },
    errors: { assignee: "User 'nobody' does not exist." },
  },
])('$name is refused with the field', async ({ body, errors }) => {
  const reply = await call('POST', '/issue', body)
  expect([reply.status, reply.body.errors]).toEqual([400, errors])
})

test.for([
  { method: 'PUT', path: '/issue/ACME-1', body: {}, names: "'fields' or 'update'" },
  { method: 'PUT', path: '/issue/ACME-1/assignee', body: {}, names: 'accountId' },
  {
    method: 'POST',
    path: '/issue/ACME-1/transitions',
    body: { transition: { id: '99' } },
    names: 'workflow',
  },
  { method: 'GET', path: '/user/search', body: undefined, names: 'One of query' },
  { method: 'GET', path: '/users?maxResults=2000', body: undefined, names: 'maxResults' },
  {
    method: 'GET',
    path: '/issue/ACME-1/comment?orderBy=+created',
    body: undefined,
    names: 'orderBy',
  },
])('$method $path is a 400', async ({ method, path, body, names }) => {
  const reply = await call(method, path, body)
  expect(reply.status).toBe(400)
  expect(reply.body.errorMessages[0]).toContain(names)
})

test('projects are found, sorted and counted', async () => {
  const { body } = await call('GET', '/project/search?orderBy=-name&maxResults=2&expand=insight')
  expect(body.values.map(({ name }: Reply['body']) => name)).toEqual(['Operations', 'Mobile App'])
  expect(body).toMatchObject({ startAt: 0, maxResults: 2, total: 3, isLast: false })
  expect(body.nextPage).toBe(
    `${jira.url}/rest/api/3/project/search?orderBy=-name&maxResults=2&expand=insight&startAt=2`,
  )
  expect(body.values[0].insight.totalIssueCount).toBeGreaterThan(40)
  const found = await call('GET', '/project/search?keys=ACME&keys=MOB')
  expect(found.body.values.map(({ key }: Reply['body']) => key)).toEqual(['ACME', 'MOB'])
  const byId = await call('GET', '/project/search?id=10001')
  expect(byId.body.values.map(({ key }: Reply['body']) => key)).toEqual(['OPS'])
})

test('written times follow the clock of the sandbox', async () => {
  await call('POST', '/issue/ACME-1/comment', { body: { type: 'doc', version: 1, content: [] } })
  jira.advance(3_600_000)
  await call('POST', '/issue/ACME-1/comment', { body: { type: 'doc', version: 1, content: [] } })
  const { body } = await call('GET', '/issue/ACME-1/comment?orderBy=-created&maxResults=2')
  expect(body.comments.map(({ created }: Reply['body']) => created)).toEqual([
    '2026-06-01T10:00:02.000+0000',
    '2026-06-01T09:00:01.000+0000',
  ])
})
