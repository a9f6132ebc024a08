// The demo data of Jira: what its rules say, seen over HTTP.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Json } from '../../src/language/json/json.ts'
import { loadManifestFile, requireManifest } from '../../src/language/manifest/load.ts'
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
      errors: {},
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
  {
    jql: 'priority >= High',
    holds: (f: Reply['body']) => ['Highest', 'High'].includes(f.priority.name),
  },
  {
    jql: 'project = OPS AND priority < 3',
    holds: (f: Reply['body']) => ['Low', 'Lowest'].includes(f.priority.name),
  },
  {
    jql: 'project = ACME AND resolution = Unresolved',
    holds: (f: Reply['body']) => f.resolution === null,
  },
  {
    jql: 'project = ACME AND resolution != Unresolved',
    holds: (f: Reply['body']) => f.resolution?.name === 'Done',
  },
  {
    jql: 'statusCategory != Done AND priority = High',
    holds: (f: Reply['body']) =>
      f.status.statusCategory.key !== 'done' && f.priority.name === 'High',
  },
  {
    jql: 'project = ACME AND assignee != currentUser()',
    holds: (f: Reply['body']) => f.assignee !== null && f.assignee.displayName !== 'Maren Osterloh',
  },
  {
    jql: 'project = ACME AND NOT assignee = currentUser()',
    holds: (f: Reply['body']) => f.assignee !== null && f.assignee.displayName !== 'Maren Osterloh',
  },
  {
    jql: 'project = ACME AND assignee in (EMPTY, currentUser())',
    holds: (f: Reply['body']) => f.assignee === null || f.assignee.displayName === 'Maren Osterloh',
  },
  {
    jql: 'project = ACME AND summary ~ "reports week*"',
    holds: (f: Reply['body']) => f.summary.includes('weekly report'),
  },
  {
    jql: 'project = OPS AND description ~ "screenshot customers"',
    holds: (f: Reply['body']) =>
      JSON.stringify(f.description).includes('The customer sent a screenshot'),
  },
  {
    jql: 'project = OPS AND labels not in (docs, security)',
    holds: (f: Reply['body']) =>
      f.labels.length > 0 && !f.labels.includes('docs') && !f.labels.includes('security'),
  },
  {
    jql: 'project = ACME AND created >= startOfMonth(-1)',
    holds: (f: Reply['body']) => f.created >= '2026-05-01',
  },
  {
    jql: 'project = ACME AND "Story points" > 3',
    holds: (f: Reply['body']) => f.customfield_10016 > 3,
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
  {
    jql: 'flavour = sweet',
    messages: ["Field 'flavour' does not exist or you do not have permission to view it."],
  },
  {
    jql: 'project =',
    messages: [
      'Error in the JQL Query: Expecting either a value, list or function before the end of the query.',
    ],
  },
  {
    jql: 'project = ACME status = Done',
    messages: [
      "Error in the JQL Query: Expecting either 'OR' or 'AND' but got 'status'. (line 1, character 16)",
    ],
  },
  {
    jql: 'project = OPSS AND status in (Done, Closed)',
    messages: [
      "The value 'OPSS' does not exist for the field 'project'.",
      "The value 'Closed' does not exist for the field 'status'.",
    ],
  },
  {
    jql: 'key = OPS-9999',
    messages: ["An issue with key 'OPS-9999' does not exist for field 'key'."],
  },
  { jql: 'status ~ Done', messages: ["The operator '~' is not supported by the 'status' field."] },
  {
    jql: 'summary = login',
    messages: ["The operator '=' is not supported by the 'summary' field."],
  },
  {
    jql: 'summary ~ "*port"',
    messages: [
      "The text query '*port' for field 'summary' is not allowed to start with character '*'.",
    ],
  },
  {
    jql: 'updated >= -53s',
    messages: [
      "Date value '-53s' for field 'updated' is invalid. Valid formats include: 'yyyy/MM/dd HH:mm', 'yyyy-MM-dd HH:mm', 'yyyy/MM/dd', 'yyyy-MM-dd', or a period format e.g. '-5d', '4w 2d'.",
    ],
  },
  {
    jql: 'updated >= lastPayday()',
    messages: ["Unable to find JQL function 'lastPayday()'."],
  },
  {
    jql: 'project = ACME ORDER BY key, id, created, updated, due, status, priority, summary',
    messages: ['The ORDER BY clause can hold at most 7 fields.'],
  },
])('$jql is refused in the words of Jira', async ({ jql, messages }) => {
  expect(await search(jql)).toEqual({
    status: 400,
    body: { errorMessages: messages, errors: {} },
  })
})

test('comments and worklogs are searched below their issues', async () => {
  await call('POST', '/issue/ACME-7/comment', {
    body: adf({
      type: 'paragraph',
      content: [text('Courier says '), text('pangolin', 'strong'), text('boxes')],
    }),
  })
  const keys = async (jql: string): Promise<string[]> =>
    (await search(jql)).body.issues.map(({ key }: Reply['body']) => key)
  expect(await keys('comment ~ pangolinbox')).toEqual(['ACME-7'])
  expect(await keys('text ~ "courier pangolinbox"')).toEqual(['ACME-7'])
  expect(await keys('comment ~ "\\"pangolinboxes courier\\""')).toEqual([])
  expect(await keys('comment ~ paragraph')).toEqual([])
  const logged = await keys('project = ACME AND worklogDate >= -20d')
  expect(logged.length).toBeGreaterThan(0)
  for (const key of logged) {
    const { worklogs } = (await call('GET', `/issue/${key}/worklog`)).body
    const started: string[] = worklogs.map((worklog: Reply['body']) => worklog.started)
    expect(started.some((time) => time >= '2026-05-12T09:00')).toBe(true)
  }
})

test('an order has several fields; priorities and keys have an order of their own', async () => {
  const { body } = await search(
    'project = ACME AND priority in (Highest, Lowest) ORDER BY priority DESC, key DESC',
    '&maxResults=100',
  )
  const found: [string, number][] = body.issues.map(({ key, fields }: Reply['body']) => [
    fields.priority.name,
    Number(key.slice(5)),
  ])
  expect(found.length).toBeGreaterThan(4)
  expect(found).toEqual(
    found.toSorted((a, b) => (a[0] === b[0] ? b[1] - a[1] : a[0] === 'Highest' ? -1 : 1)),
  )
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

test('the key of a deleted issue is never given again', async () => {
  const fields = { project: { key: 'OPS' }, issuetype: { name: 'Task' }, summary: 'Oil the hinge' }
  const make = async (): Promise<string> => {
    const { body } = await call('POST', '/issue', { fields })
    return (body as { readonly key: string }).key
  }
  const first = await make()
  expect((await call('DELETE', `/issue/${first}`)).status).toBe(204)
  const numberOf = (key: string): number => Number(key.split('-')[1])
  expect(numberOf(await make())).toBe(numberOf(first) + 1)
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

test('all that is wrong with a new issue is said at once', async () => {
  const reply = await call('POST', '/issue', {
    fields: {
      project: { key: 'NONE' },
      issuetype: { name: 'Task' },
      summary: 'x',
      priority: { name: 'Urgent' },
      labels: ['two words'],
      status: { name: 'Done' },
      customfield_10016: 'five',
    },
  })
  expect(reply).toEqual({
    status: 400,
    body: {
      errorMessages: [],
      errors: {
        project: 'Specify a valid project ID or key',
        status: "Field 'status' cannot be set. It is not on the appropriate screen, or unknown.",
        priority: 'The priority selected is invalid.',
        labels: "The label 'two words' contains spaces which is invalid.",
        customfield_10016: 'Operation value must be a number',
      },
    },
  })
})

const NOT_ON_SCREEN = 'cannot be set. It is not on the appropriate screen, or unknown.'

test.for([
  { fields: { status: { name: 'Done' } }, errors: { status: `Field 'status' ${NOT_ON_SCREEN}` } },
  { fields: { sumary: 'x' }, errors: { sumary: `Field 'sumary' ${NOT_ON_SCREEN}` } },
  {
    fields: { priority: { name: 'Urgent' } },
    errors: { priority: 'The priority selected is invalid.' },
  },
  { fields: { summary: ' ' }, errors: { summary: 'You must specify a summary of the issue.' } },
  {
    fields: { customfield_10030: { value: 'XS' } },
    errors: { customfield_10030: "Option value 'XS' is not valid" },
  },
  {
    fields: { components: [{ name: 'Engine' }] },
    errors: { components: "Component name 'Engine' is not valid" },
  },
  { fields: { duedate: 'soon' }, errors: { duedate: 'Error parsing date string: soon' } },
])('an edit of $fields is refused and changes nothing', async ({ fields, errors }) => {
  const before = (await call('GET', '/issue/ACME-1')).body
  expect(await call('PUT', '/issue/ACME-1', { fields })).toEqual({
    status: 400,
    body: { errorMessages: [], errors },
  })
  expect((await call('GET', '/issue/ACME-1')).body).toEqual(before)
})

test('operations are checked like fields, and a field is not in both', async () => {
  const { body } = await call('PUT', '/issue/ACME-1', {
    fields: { labels: [] },
    update: { labels: [{ add: 'x' }], status: [{ set: { name: 'Done' } }] },
  })
  expect(body).toEqual({
    errorMessages: [],
    errors: {
      status: `Field 'status' ${NOT_ON_SCREEN}`,
      labels: "Field 'labels' cannot appear in both 'fields' and 'update'",
    },
  })
})

test.for([
  { update: { priority: [{ set: { name: 'Urgent' } }] }, field: 'priority' },
  { update: { summary: [{ set: '' }] }, field: 'summary' },
  { update: { duedate: [{ set: 'soon' }] }, field: 'duedate' },
  { update: { customfield_10016: [{ set: 'five' }] }, field: 'customfield_10016' },
  { update: { customfield_10030: [{ set: { value: 'XS' } }] }, field: 'customfield_10030' },
])('an operation $update is refused', async ({ update, field }) => {
  const { status, body } = await call('PUT', '/issue/ACME-1', { update })
  expect([status, Object.keys(body.errors)]).toEqual([400, [field]])
})

test('a sub-task needs a parent, and is made below it', async () => {
  const fields = { project: { key: 'OPS' }, issuetype: { name: 'Sub-task' }, summary: 'x' }
  expect(await call('POST', '/issue', { fields })).toEqual({
    status: 400,
    body: {
      errorMessages: ['Issue type is a sub-task but parent issue key or id not specified.'],
      errors: {},
    },
  })
  const made = await call('POST', '/issue', { fields: { ...fields, parent: { key: 'OPS-1' } } })
  expect(made.status).toBe(201)
  const { body } = await search(`parent = OPS-1 AND key = ${made.body.key}`)
  expect(body.issues[0].fields.parent.fields.summary).toBeTypeOf('string')
})

test('the name of an option becomes the whole option, in fields and in operations', async () => {
  await call('PUT', '/issue/ACME-1', {
    fields: { priority: { name: 'High' }, customfield_10030: { value: 'M' } },
    update: { customfield_10031: [{ set: 'Northwind' }] },
  })
  const self = 'https://tallow-demo.atlassian.net'
  const high = {
    self: `${self}/rest/api/3/priority/2`,
    id: '2',
    name: 'High',
    iconUrl: `${self}/images/priority.svg`,
  }
  const size = { id: '10101', self: `${self}/rest/api/3/customFieldOption/10101`, value: 'M' }
  const path = '/issue/ACME-1?fields=priority,customfield_10030,customfield_10031'
  expect((await call('GET', path)).body.fields).toEqual({
    priority: high,
    customfield_10030: size,
    customfield_10031: 'Northwind',
  })
  await call('PUT', '/issue/ACME-1', { update: { priority: [{ set: { id: '4' } }] } })
  expect((await call('GET', path)).body.fields.priority).toMatchObject({ id: '4', name: 'Low' })
})

test.for([
  ['/issue/NONE-1', 'Issue does not exist or you do not have permission to see it.'],
  ['/issue/NONE-1/comment', 'Issue does not exist or you do not have permission to see it.'],
  ['/issue/ACME-1/comment/9', 'Can not find a comment for the id: 9.'],
  ['/issue/ACME-1/worklog/9', "Cannot find worklog with id: '9'."],
  ['/project/NONE', "No project could be found with key 'NONE'."],
  [
    '/user?accountId=nobody',
    'Specified user does not exist or you do not have required permissions',
  ],
] as const)('%s is not found, in the words of Jira', async ([path, message]) => {
  expect(await call('GET', path)).toEqual({
    status: 404,
    body: { errorMessages: [message], errors: {} },
  })
})

function text(words: string, ...marks: readonly string[]): Json {
  return marks.length === 0
    ? { type: 'text', text: words }
    : { type: 'text', text: words, marks: marks.map((type) => ({ type })) }
}

function paragraph(words: string): Json {
  return { type: 'paragraph', content: [text(words)] }
}

function adf(...content: readonly Json[]): Json {
  return { type: 'doc', version: 1, content }
}

test.for([
  {
    name: 'paragraphs, marks and breaks',
    document: adf(paragraph('One & two'), {
      type: 'paragraph',
      content: [
        text('<Bold>', 'strong', 'em'),
        { type: 'hardBreak' },
        text('code', 'code'),
        {
          type: 'text',
          text: 'here',
          marks: [{ type: 'link', attrs: { href: 'https://a.example/?q="' } }],
        },
      ],
    }),
    html: '<p>One &#38; two</p><p><b><em>&#60;Bold&#62;</em></b><br/><tt>code</tt><a href="https://a.example/?q=&#34;">here</a></p>',
  },
  {
    name: 'lists in lists, headings, code',
    document: adf(
      { type: 'heading', attrs: { level: 2 }, content: [text('Steps')] },
      {
        type: 'orderedList',
        content: [
          {
            type: 'listItem',
            content: [
              paragraph('a'),
              { type: 'bulletList', content: [{ type: 'listItem', content: [paragraph('b')] }] },
            ],
          },
        ],
      },
      { type: 'codeBlock', content: [text('x < y')] },
    ),
    html: '<h2>Steps</h2><ol><li><p>a</p><ul><li><p>b</p></li></ul></li></ol><pre>x &#60; y</pre>',
  },
  {
    name: 'tables and mentions, and what is inside of an unknown node',
    document: adf(
      {
        type: 'table',
        content: [
          {
            type: 'tableRow',
            content: [
              { type: 'tableHeader', content: [paragraph('h')] },
              {
                type: 'tableCell',
                content: [
                  {
                    type: 'paragraph',
                    content: [{ type: 'mention', attrs: { id: 'a:1', text: '@Maren' } }],
                  },
                ],
              },
            ],
          },
        ],
      },
      { type: 'layoutSection', content: [paragraph('beside')] },
    ),
    html: '<table><tbody><tr><th><p>h</p></th><td><p><a href="https://tallow-demo.atlassian.net/jira/people/a%3A1" class="user-hover">@Maren</a></p></td></tr></tbody></table><p>beside</p>',
  },
])('$name are rendered whole', async ({ document, html }) => {
  await call('PUT', '/issue/ACME-2', { fields: { description: document } })
  const issue = await call('GET', '/issue/ACME-2?expand=renderedFields')
  expect(issue.body.renderedFields.description).toBe(html)
  const comment = await call('POST', '/issue/ACME-2/comment?expand=renderedBody', {
    body: document,
  })
  expect(comment.body.renderedBody).toBe(html)
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

test('users are looked up by several account ids, in pages that say what there is', async () => {
  const ids = jira.records('users').map(({ accountId }) => accountId as string)
  const query = ids.slice(1, 4).map((id) => `accountId=${encodeURIComponent(id)}`)
  const { body } = await call('GET', `/user/bulk?${query.join('&')}&maxResults=2`)
  expect(body).toMatchObject({ total: 3, isLast: false })
  expect(body.values.map(({ accountId }: Reply['body']) => accountId)).toEqual(ids.slice(1, 3))
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

test('a page of fields says where it stands, how large it may be and whether it is the last', async () => {
  const { body } = await call('GET', '/field/search?startAt=30&maxResults=10')
  expect(Object.keys(body).toSorted()).toEqual([
    'isLast',
    'maxResults',
    'startAt',
    'total',
    'values',
  ])
  expect({ ...body, values: body.values.length }).toEqual({
    startAt: 30,
    maxResults: 10,
    total: body.total,
    isLast: true,
    values: body.total - 30,
  })
})
