// Recordings of the sandbox of each packaged connector, replayed without any server. To make them again after a change
// of the demo data: TENON_RECORD=1 vitest run test/sandbox/testing/sandbox-recordings.test.ts
import { existsSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Client } from '../../../src/client/client.ts'
import { connect } from '../../../src/client/connect.ts'
import { isConnectorError } from '../../../src/errors.ts'
import type { Json, JsonObject } from '../../../src/language/json/json.ts'
import { loadManifestFile, requireManifest } from '../../../src/language/manifest/load.ts'
import type { Manifest } from '../../../src/language/manifest/manifest.ts'
import { sandbox } from '../../../src/sandbox/open-sandbox.ts'
import { recorder } from '../../../src/sandbox/testing/recorder.ts'

const DIR = 'test/recordings/sandbox'
const isRecording = process.env['TENON_RECORD'] === '1'

interface Tape {
  readonly type: string
  /** As the sandbox hands them out, but for the secrets. */
  readonly credentials: JsonObject
  readonly config?: JsonObject
  readonly calls: (client: Client) => Promise<unknown>
  readonly want: unknown
}

const TAPES: readonly Tape[] = [
  {
    type: 'gong',
    credentials: { access_key: 'scrubbed', access_key_secret: 'scrubbed' },
    async calls(client) {
      const range = { fromDateTime: '2026-04-24T00:00:00Z', toDateTime: '2026-06-01T00:00:00Z' }
      const pages = await pagesOf(client, 'calls', 'list', range)
      const [first] = pages[0]?.records ?? []
      const one = await client.execute('calls', 'get', { id: own(first, 'id') as string })
      return {
        pages: pages.map(({ records, meta }) => [records.length, own(meta, 'pagination')]),
        same: JSON.stringify(one.data) === JSON.stringify(first),
        workspaces: (await client.execute('workspaces', 'list')).records.map((record) =>
          own(record, 'name'),
        ),
        refused: await failureOf(client, 'calls', 'get', { id: '1' }),
      }
    },
    want: {
      pages: [
        [
          100,
          {
            totalRecords: 102,
            currentPageSize: 100,
            currentPageNumber: 0,
            cursor: 'eyJhdCI6MTAwLCJvZiI6ImQ4MzExNWI5ZGJmZCJ9',
          },
        ],
        [2, { totalRecords: 102, currentPageSize: 2, currentPageNumber: 1 }],
      ],
      same: true,
      workspaces: ['Sales', 'Customer success'],
      refused: ['upstream_not_found', 404],
    },
  },
  {
    type: 'jira',
    credentials: { username: 'maren.osterloh@tallow.example', password: 'scrubbed' },
    config: { subdomain: 'tallow-demo' },
    async calls(client) {
      const pages = await pagesOf(client, 'projects', 'api_search', { maxResults: 2 })
      const issue = await client.execute('issues', 'get', {
        issueIdOrKey: 'OPS-1',
        fields: 'summary',
      })
      const made = await client.execute('issues', 'create', {
        fields: { project: { key: 'OPS' }, issuetype: { name: 'Task' }, summary: 'Oil the hinge' },
      })
      return {
        pages: pages.map(({ records }) => records.map((record) => own(record, 'key'))),
        issue: [own(issue.data, 'key'), Object.keys(own(issue.data, 'fields') as object)],
        made: own(made.data, 'key'),
        refused: await failureOf(client, 'issues', 'get', { issueIdOrKey: 'NONE-1' }),
        query: await failureOf(client, 'issues', 'api_search', { jql: 'project = NONE' }),
      }
    },
    want: {
      pages: [['ACME', 'MOB'], ['OPS']],
      issue: ['OPS-1', ['summary']],
      made: 'OPS-51',
      refused: ['upstream_not_found', 404],
      query: ['upstream_rejected', 400],
    },
  },
  {
    type: 'facebook-marketing',
    credentials: { access_token: 'scrubbed' },
    config: { account_ids: 'act_1101,1102' },
    async calls(client) {
      const pages = await pagesOf(client, 'campaigns', 'list', {
        account_id: '1101',
        limit: 2,
        fields: 'id,name',
      })
      const [first] = pages[0]?.records ?? []
      const one = await client.execute('campaigns', 'get', {
        campaign_id: own(first, 'id') as string,
        fields: 'id,name',
      })
      const made = await client.execute('campaigns', 'create', {
        account_id: '1101',
        name: 'Autumn sale',
        objective: 'OUTCOME_SALES',
        status: 'PAUSED',
        special_ad_categories: [],
      })
      return {
        pages: pages.map(({ records }) => records.length),
        same: JSON.stringify(one.data) === JSON.stringify(first),
        made: own(made.data, 'id'),
        refused: await failureOf(client, 'campaigns', 'get', { campaign_id: '1' }),
      }
    },
    want: { pages: [2, 2], same: true, made: '230017', refused: ['upstream_not_found', 400] },
  },
  {
    type: 'github',
    credentials: { token: 'scrubbed' },
    async calls(client) {
      const where = { owner: 'tallow', repo: 'app' }
      // The address of the second page is one of the sandbox, which is gone.
      const labels = await client.execute('labels', 'list', { ...where, per_page: 2 })
      const issue = await client.execute('issues', 'get', { ...where, issue_number: 1 })
      const made = await client.execute('issues', 'create', { ...where, title: 'It stops' })
      return {
        labels: [labels.records.map((record) => own(record, 'name')), labels.meta.has_more],
        issue: own(issue.data, 'number'),
        made: [own(made.data, 'number'), own(made.data, 'state')],
        refused: await failureOf(client, 'issues', 'get', { ...where, issue_number: 4711 }),
        merged: await failureOf(client, 'pull_request_merges', 'update', {
          ...where,
          pull_number: 102,
        }),
      }
    },
    want: {
      labels: [['bug', 'good first issue'], true],
      issue: 1,
      made: [10, 'open'],
      refused: ['upstream_not_found', 404],
      merged: ['upstream_conflict', 405],
    },
  },
  {
    type: 'stripe',
    credentials: { secret_key: 'sk_scrubbed' },
    async calls(client) {
      const pages = await pagesOf(client, 'products', 'list', { limit: 4 })
      const [first] = pages[0]?.records ?? []
      const product = own(first, 'id') as string
      const one = await client.execute('products', 'get', { product })
      const made = await client.execute('customers', 'create', {
        name: 'Zoë & Söhne',
        metadata: { order: '6735' },
      })
      return {
        pages: pages.map(({ records }) => records.length),
        same: JSON.stringify(one.data) === JSON.stringify(first),
        made: [own(made.data, 'name'), own(made.data, 'metadata')],
        refused: await failureOf(client, 'products', 'get', { product: 'prod_none' }),
      }
    },
    want: {
      pages: [4, 2],
      same: true,
      made: ['Zoë & Söhne', { order: '6735' }],
      refused: ['upstream_not_found', 404],
    },
  },
  {
    type: 'slack',
    credentials: { bot_token: 'xoxb-scrubbed' },
    async calls(client) {
      const pages = await pagesOf(client, 'users', 'list', { limit: 6 })
      const channel = { channel: 'C07GENERAL' }
      const general = await client.execute('conversations', 'get', channel)
      const made = await client.execute('messages', 'create', { ...channel, text: 'Grüße' })
      return {
        pages: pages.map(({ records }) => records.length),
        general: own(general.data, 'name'),
        made: ['channel', 'text'].map((name) => own(made.data, name)),
        refused: await failureOf(client, 'conversations', 'get', { channel: 'C0NONE' }),
        empty: await failureOf(client, 'messages', 'list', {}),
      }
    },
    want: {
      pages: [6, 4],
      general: 'general',
      made: ['C07GENERAL', 'Grüße'],
      refused: ['upstream_not_found', 200],
      empty: ['params_invalid', undefined],
    },
  },
]

test.for(TAPES)(
  '$type answers as its sandbox was recorded',
  async ({ type, calls, want, ...given }) => {
    expect(await (isRecording ? record(type, calls) : replay(type, calls, given))).toEqual(want)
  },
)

test('each packaged connector has a recording', () => {
  const types = readdirSync('manifests')
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
  expect(
    types.filter(
      (type) => !existsSync(DIR) || !readdirSync(DIR).some((name) => name.startsWith(type)),
    ),
  ).toEqual([])
})

async function record(type: string, calls: Tape['calls']): Promise<unknown> {
  await using vendor = await sandbox(type)
  await using tape = await recorder(type, { dir: DIR, mode: 'record' })
  const options = vendor.options()
  for (const [name, value] of Object.entries(options.credentials as Record<string, string>))
    if (/secret|password|token/.test(name)) tape.hide(value)
  await using client = await connect(await manifestOf(type), {
    ...options,
    limits: null,
    dispatcher: tape.dispatcher,
  })
  return await calls(client)
}

async function replay(
  type: string,
  calls: Tape['calls'],
  { credentials, config = {} }: Pick<Tape, 'credentials' | 'config'>,
): Promise<unknown> {
  await using tape = await recorder(type, { dir: DIR, mode: 'replay' })
  await using client = await connect(await manifestOf(type), {
    credentials,
    config,
    // Nothing listens there: what the tape lacks would fail.
    serverUrl: 'http://127.0.0.1:9',
    allowHosts: ['127.0.0.1'],
    limits: null,
    retries: 0,
    dispatcher: tape.dispatcher,
  })
  return await calls(client)
}

async function pagesOf(
  client: Client,
  entity: string,
  action: 'list' | 'api_search',
  params: JsonObject,
) {
  const pages = []
  for await (const page of client.execute(entity, action, params).pages()) pages.push(page)
  return pages
}

/** Code and status of a refusal. */
async function failureOf(
  client: Client,
  entity: string,
  action: string,
  params: JsonObject,
): Promise<unknown> {
  try {
    await client.execute(entity, action, params)
  } catch (error) {
    if (isConnectorError(error)) return [error.code, error.upstream?.status]
    throw error
  }
  return null
}

function own(value: unknown, name: string): Json | undefined {
  return (value as Readonly<Record<string, Json>> | null)?.[name]
}

async function manifestOf(type: string): Promise<Manifest> {
  return requireManifest(await loadManifestFile(`manifests/${type}.yaml`))
}
