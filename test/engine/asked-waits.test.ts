// A wait of an hour that the third party asks for: what it closes, and what goes on.
import { describe, expect, test } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { isConnectorError } from '../../src/errors.ts'
import type { JsonObject } from '../../src/language/json/json.ts'
import { scriptUpstream } from '../contracts/scripted-upstream.ts'
import { readShippedManifest } from '../contracts/run-operation.ts'

type Call = readonly [entity: string, action: string, params: JsonObject]

const edit = (issueIdOrKey: string): Call => [
  'issues',
  'update',
  { issueIdOrKey, fields: { summary: 'x' } },
]
const read = (issueIdOrKey: string): Call => ['issues', 'get', { issueIdOrKey }]
const assign = (issueIdOrKey: string): Call => [
  'issues_assignee',
  'update',
  { issueIdOrKey, accountId: null },
]
const PER_ISSUE = { 'ratelimit-reason': 'jira-per-issue-on-write' }

describe('U1 a wait that Jira asks for closes', () => {
  test.for<{
    name: string
    first: Call
    reason: Record<string, string>
    after: readonly Call[]
    want: readonly string[]
  }>([
    {
      name: 'writes to one issue, where the limit is that of the issue',
      first: edit('A-1'),
      reason: PER_ISSUE,
      after: [edit('A-1'), assign('A-1'), read('A-1'), edit('A-2'), assign('A-3')],
      want: ['closed', 'closed', 'sent', 'sent', 'sent'],
    },
    {
      name: 'writes to one issue, where no limit is named',
      first: assign('A-1'),
      reason: {},
      after: [edit('A-1'), read('A-1'), edit('A-2')],
      want: ['closed', 'sent', 'sent'],
    },
    {
      name: 'the instance, where another limit is named',
      first: edit('A-1'),
      reason: { 'ratelimit-reason': 'jira-quota-tenant-based' },
      after: [edit('A-1'), read('A-1'), edit('A-2')],
      want: ['closed', 'closed', 'closed'],
    },
    {
      name: 'the instance, where a read is refused',
      first: read('A-1'),
      reason: {},
      after: [read('A-2'), edit('A-2')],
      want: ['closed', 'closed'],
    },
  ])('$name', async ({ first, reason, after, want }) => {
    const refusal = {
      status: 429,
      headers: { 'retry-after': '3600', ...reason },
      body: { errorMessages: ['Rate limit exceeded'] },
    }
    const upstream = scriptUpstream([refusal], { body: { id: '1' } })
    await using jira = await connect(readShippedManifest('jira'), {
      credentials: { username: 'ada@example.com', password: 'demo-token' },
      config: { subdomain: 'acme' },
      transport: upstream.transport,
    })
    const endOf = async ([entity, action, params]: Call): Promise<string> => {
      const before = upstream.requests.length
      const error: unknown = await jira.execute(entity, action, params).then(
        () => null,
        (reason: unknown) => reason,
      )
      if (error === null) return 'sent'
      const waits = isConnectorError(error, 'upstream_rate_limited') && (error.retryAfterMs ?? 0)
      if (waits === false || waits < 3_000_000) throw error
      return upstream.requests.length === before ? 'closed' : 'refused'
    }
    expect(await endOf(first)).toBe('refused')
    const ends: string[] = []
    for (const call of after) ends.push(await endOf(call))
    expect(ends).toEqual(want)
  })
})

test('U1 a wait that Slack asks for closes the method, and no other', async () => {
  const refusal = {
    status: 429,
    headers: { 'retry-after': '3600' },
    body: { ok: false, error: 'ratelimited' },
  }
  const history = { ok: true, messages: [], has_more: false }
  const upstream = scriptUpstream([refusal], { body: { ...history, channel: { id: 'C1' } } })
  await using slack = await connect(readShippedManifest('slack'), {
    credentials: { bot_token: 'xoxb-demo' },
    transport: upstream.transport,
  })
  const closed = { code: 'upstream_rate_limited' }
  await expect(slack.execute('messages', 'list', { channel: 'C1' })).rejects.toMatchObject(closed)
  await expect(slack.execute('messages', 'list', { channel: 'C2' })).rejects.toMatchObject(closed)
  expect(await slack.execute('conversations', 'get', { channel: 'C1' })).toMatchObject({
    data: { id: 'C1' },
  })
  expect(upstream.requests.map(({ send }) => send.replace(/\?.*/, ''))).toEqual([
    'GET https://slack.com/api/conversations.history',
    'GET https://slack.com/api/conversations.info',
  ])
})

test('U1 a wait that a media host asks for closes nothing of the third party', async () => {
  const found = { body: { calls: [{ media: { audioUrl: 'https://media.example.com/a.mp3' } }] } }
  const refusal = { status: 429, headers: { 'retry-after': '3600' }, text: '' }
  const upstream = scriptUpstream([found, refusal], { body: { users: [] } })
  await using gong = await connect(readShippedManifest('gong'), {
    credentials: { access_key: 'a', access_key_secret: 'b' },
    transport: upstream.transport,
  })
  const params = {
    filter: { callIds: ['1'] },
    contentSelector: { exposedFields: { media: true } },
  }
  await expect(gong.execute('call_audio', 'download', params)).rejects.toMatchObject({
    code: 'upstream_rate_limited',
    retryAfterMs: 3_600_000,
  })
  expect(await gong.execute('users', 'list')).toMatchObject({ data: [] })
})
