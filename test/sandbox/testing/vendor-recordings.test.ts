// Answers in the shapes that Gong and Jira were seen to send, replayed from test/recordings/vendors (see its README.md):
// members that are null, absent, differently spelled or in no documentation reach the caller as they came.
import { expect, test } from 'vitest'
import type { Client } from '../../../src/client/client.ts'
import { connect } from '../../../src/client/connect.ts'
import { isConnectorError } from '../../../src/errors.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import { loadManifestFile, requireManifest } from '../../../src/language/manifest/load.ts'
import type { Manifest } from '../../../src/language/manifest/manifest.ts'
import { recorder } from '../../../src/sandbox/testing/recorder.ts'

const CONNECTIONS = {
  gong: { credentials: { access_key: 'scrubbed', access_key_secret: 'scrubbed' }, config: {} },
  jira: {
    credentials: { username: 'someone@example.com', password: 'scrubbed' },
    config: { subdomain: 'acme' },
  },
}

type Call = readonly [entity: string, action: string, params: JsonObject]

async function replay(tape: string, [entity, action, params]: Call) {
  const type = tape.startsWith('gong') ? 'gong' : 'jira'
  await using opened = await recorder(tape, { dir: 'test/recordings/vendors', mode: 'replay' })
  await using client: Client = await connect(await manifestOf(type), {
    ...CONNECTIONS[type],
    // Nothing listens there: what the tape lacks would fail.
    serverUrl: 'http://127.0.0.1:9',
    allowHosts: ['127.0.0.1'],
    limits: null,
    retries: 0,
    dispatcher: opened.dispatcher,
  })
  // None of these calls is a download.
  return (await client.execute(entity, action, params)) as { data: unknown; meta?: unknown }
}

const ALL = { filter: {}, contentSelector: {} }
const ISSUE = { project: { key: 'TEST' }, issuetype: { name: 'Bug' }, summary: 'x' }

test.for<{ tape: string; call: Call; data: unknown; meta?: unknown }>([
  {
    tape: 'gong call_transcripts.list',
    call: ['call_transcripts', 'list', { filter: { callIds: ['7000000000000000001'] } }],
    // Documented as callId.
    data: [
      {
        callid: '7000000000000000001',
        transcript: [{ topic: 'Objections', sentences: [{ start: 460230, end: 462343 }] }],
      },
    ],
    meta: {
      pagination: {
        totalRecords: 263,
        currentPageSize: 100,
        currentPageNumber: 0,
        cursor: 'next-page',
      },
      has_more: true,
      next: { cursor: 'next-page' },
    },
  },
  {
    tape: 'gong calls_extensive.list',
    call: ['calls_extensive', 'list', ALL],
    data: [
      { metaData: { id: '50000000000000001', customData: 'T-17' } },
      { metaData: { id: '150000000000000002' } },
    ],
    meta: {
      pagination: {
        totalRecords: 3,
        currentPageSize: 2,
        currentPageNumber: 0,
        cursor: 'next-page',
      },
      has_more: true,
      next: { cursor: 'next-page' },
    },
  },
  {
    tape: 'gong calls_extensive.list',
    call: ['calls_extensive', 'list', { ...ALL, cursor: 'next-page' }],
    data: [{ metaData: { id: '150000000000000003' } }],
    meta: {
      pagination: { totalRecords: 3, currentPageSize: 1, currentPageNumber: 1 },
      has_more: false,
      next: null,
    },
  },
  {
    tape: 'gong users.list',
    call: ['users', 'list', {}],
    data: [{ id: '8000000000000000001', active: true, title: 'Account Executive' }],
    meta: {
      pagination: { totalRecords: 2, currentPageSize: 1, currentPageNumber: 0, cursor: 'USERS_2' },
      has_more: true,
      next: { cursor: 'USERS_2' },
    },
  },
  {
    tape: 'gong users.list',
    call: ['users', 'list', { cursor: 'USERS_2' }],
    data: [{ id: '8000000000000000002', title: 'Sales Engineer' }],
    meta: {
      pagination: { totalRecords: 2, currentPageSize: 1, currentPageNumber: 1 },
      has_more: false,
      next: null,
    },
  },
  {
    tape: 'jira issues.api_search',
    call: ['issues', 'api_search', { jql: 'project = TEST' }],
    // Neither id nor self.
    data: [
      {
        key: 'TEST-1',
        fields: { resolution: null, assignee: null, reporter: { displayName: 'Reporter One' } },
      },
      { key: 'TEST-2', fields: { labels: ['critical', 'feature'] } },
      {
        key: 'TEST-3',
        fields: { resolution: { name: 'Done' }, watches: { watchCount: 3, isWatching: false } },
      },
    ],
    meta: { isLast: true, total: null, has_more: false, next: null },
  },
  {
    tape: 'jira issues.api_search with a total',
    call: ['issues', 'api_search', { jql: 'project = TEST' }],
    data: [
      {
        id: '10001',
        fields: { security: null, description: null, customfield_10019: '0|i00007:' },
      },
    ],
    // Neither isLast nor nextPageToken.
    meta: { isLast: null, total: 1, has_more: false, next: null },
  },
  {
    tape: 'jira issues.get',
    call: ['issues', 'get', { issueIdOrKey: 'TEST-1' }],
    data: {
      key: 'TEST-1',
      fields: { issuelinks: [{ outwardIssue: { key: 'TEST-2' } }, { outwardIssue: {} }] },
    },
  },
  {
    tape: 'jira issues.create',
    call: ['issues', 'create', { fields: ISSUE }],
    data: { id: '10057', key: 'TEST-3' },
  },
  {
    tape: 'jira issue_fields.list',
    call: ['issue_fields', 'list', {}],
    // Only one of them has a key.
    data: [
      { id: 'fixVersions' },
      { id: 'customfield_10111', schema: { customId: 10111 } },
      { id: 'timespent', key: 'timespent' },
    ],
  },
  {
    tape: 'jira users.api_search',
    call: ['users', 'api_search', { query: 'user' }],
    // One has the retired name, the other hides its address.
    data: [
      { name: 'one', emailAddress: 'one@tallow.example' },
      { displayName: 'User Two', active: false },
    ],
  },
])('$tape (%#)', async ({ tape, call, data, meta }) => {
  const answer = await replay(tape, call)
  expect(answer.data).toMatchObject(data as object)
  if (meta !== undefined) expect(answer.meta).toEqual(meta)
})

test.for<{ tape: string; call: Call; code: string; status: number; says: string }>([
  {
    tape: 'gong refused',
    call: ['calls_extensive', 'list', { filter: { workspaceId: '1' }, contentSelector: {} }],
    code: 'upstream_rejected',
    status: 400,
    says: 'parties: must not be null; direction: must not be null; actualStart: must not be null',
  },
  {
    tape: 'jira refused project',
    call: ['issues', 'create', { fields: { ...ISSUE, project: { key: 'NONE' } } }],
    code: 'upstream_rejected',
    status: 400,
    says: 'Specify a valid project ID or key',
  },
  {
    tape: 'jira refused type',
    call: ['issues', 'create', { fields: { ...ISSUE, issuetype: { name: 'None' } } }],
    code: 'upstream_rejected',
    status: 400,
    says: 'Specify an issue type',
  },
  {
    tape: 'jira refused query',
    call: ['issues', 'api_search', { jql: 'updated >= -53s' }],
    code: 'upstream_rejected',
    status: 400,
    says: "Date value '-53s' for field 'updated' is invalid.",
  },
  {
    tape: 'jira refused key',
    call: ['issues', 'get', { issueIdOrKey: 'TEST-9' }],
    code: 'upstream_not_found',
    status: 404,
    says: 'Issue does not exist or you do not have permission to see it.',
  },
])(
  '$tape is refused with $code, in the words of the vendor',
  async ({ tape, call, code, status, says }) => {
    const refused = await replay(tape, call).then(
      () => null,
      (error: unknown) => error,
    )
    if (!isConnectorError(refused)) throw new TypeError('the call was not refused')
    expect([refused.code, refused.upstream?.status, refused.outcome]).toEqual([
      code,
      status,
      'not_applied',
    ])
    expect(refused.message).toContain(says)
  },
)

async function manifestOf(type: string): Promise<Manifest> {
  return requireManifest(await loadManifestFile(`manifests/${type}.yaml`))
}
