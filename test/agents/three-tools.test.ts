// The three tools over a client that describes itself: what they refuse before anything is asked, and what they tell.
import { expect, test } from 'vitest'
import { agentTools } from '../../src/agents/agent-tools.ts'
import type { JsonObject } from '../../src/language/json/json.ts'
import { connectors } from './every-manifest.ts'

const jira = connectors.find(({ type }) => type === 'jira')?.client
if (jira === undefined) throw new TypeError('jira')
const tools = agentTools({ jira }, { mode: 'three', allowWrites: true })

async function run(name: string, input: JsonObject): Promise<JsonObject> {
  const tool = tools.find((each) => each.name === name)
  if (tool === undefined) throw new TypeError(name)
  return (await tool.run(input)).content
}

const SEARCHED = ['entity', 'filter', 'sort', 'fields', 'limit', 'answer_cursor']
const EXECUTED = ['entity', 'action', 'params', 'answer_fields', 'answer_cursor']

test.for<{ tool: string; input: JsonObject; at: string; says: string; allowed: string[] }>([
  {
    tool: 'describe',
    input: { entitty: 'issues' },
    at: '/entitty',
    says: 'unknown member; did you mean "entity"?',
    allowed: ['entity', 'action'],
  },
  {
    tool: 'search',
    input: { entity: 'issues', query: 'delivery' },
    at: '/query',
    says: 'unknown member; filter and sort stand here without it; words are found by {"filter": {"keyword": {"<field>": "word"}}}',
    allowed: SEARCHED,
  },
  {
    tool: 'search',
    input: { entity: 'issues', filters: { eq: { key: 'OPS-1' } } },
    at: '/filters',
    says: 'unknown member; did you mean "filter"?',
    allowed: SEARCHED,
  },
  {
    tool: 'search',
    input: { entity: 'issues', answer_fields: ['key'] },
    at: '/answer_fields',
    says: 'unknown member; did you mean "fields"?',
    allowed: SEARCHED,
  },
  {
    tool: 'execute',
    input: { entity: 'issues', action: 'api_search', jql: 'project = OPS' },
    at: '/jql',
    says: 'unknown member; jql belongs in params',
    allowed: EXECUTED,
  },
  {
    tool: 'execute',
    input: { entity: 'issues', action: 'get', params: { issueIdOrKey: 'OPS-1' }, fields: ['key'] },
    at: '/fields',
    says: 'unknown member; fields belongs in params; those of the answer are answer_fields',
    allowed: EXECUTED,
  },
  {
    tool: 'execute',
    input: { entity: 'users', action: 'get', fields: ['displayName'] },
    at: '/fields',
    says: 'unknown member; did you mean "answer_fields"?',
    allowed: EXECUTED,
  },
  {
    tool: 'execute',
    input: { entity: 'issues', action: 'delete', params: { issueIdOrKey: 'X-1' }, dry_run: true },
    at: '/dry_run',
    says: 'unknown member',
    allowed: EXECUTED,
  },
])('$tool refuses $at, which would be ignored', async ({ tool, input, at, says, allowed }) => {
  expect(await run(tool, input)).toEqual({
    error: {
      code: 'params_invalid',
      message: `Parameters are not valid: ${at}: ${says}`,
      problems: [{ at, detail: says, allowed }],
      retryable: false,
    },
    how_to_mend: 'Correct what the problems name and call again.',
  })
})

test('the only connector may be named', async () => {
  expect(await run('describe', { connector: 'jira', entity: 'issues' })).toMatchObject({
    entity: 'issues',
  })
})

test('an action that is not there comes with those that are', async () => {
  expect(await run('execute', { entity: 'projects', action: 'fetch' })).toMatchObject({
    error: { message: 'there is no action "fetch"; there is api_search, get' },
  })
})

test('search is told as a tool of its own, where it is looked for', async () => {
  expect(await run('describe', { entity: 'issues' })).toMatchObject({
    actions: { search: 'A tool of its own: fields and operators with the action search.' },
    record: { key: 'string', 'fields.summary': 'string', 'fields.status.name': 'string' },
  })
  expect(await run('describe', { entity: 'issues', action: 'search' })).toMatchObject({
    action: 'search',
    input: { entity: 'issues', limit: 20 },
    operators: { fuzzy: expect.stringContaining('in order') as unknown },
    fields: { key: 'string', fields: 'object' },
    below: { 'fields.summary': 'string' },
  })
  expect(await run('execute', { entity: 'issues', action: 'search' })).toMatchObject({
    error: {
      code: 'operation_unknown',
      message: expect.stringContaining('call it with {"entity":"issues","filter":{}}') as unknown,
    },
  })
  expect(await run('describe', { entity: 'issues_assignee', action: 'search' })).toMatchObject({
    error: {
      problems: [{ at: '/entity', allowed: expect.arrayContaining(['issues']) as unknown }],
    },
  })
})

test('examples of a schema are told by describe', async () => {
  const { params } = await run('describe', { entity: 'issues', action: 'update' })
  expect(JSON.stringify(params)).toContain(String.raw`{\"type\":\"doc\",\"version\":1,`)
})

/** 1,500 tokens: with public tokenizers (o200k, cl100k) these lists have 3.7 characters per token and more. */
const MAX_LIST_CHARS = 5500

test.for([1, 6, 8, 9, 12, 50, 400])(
  'the list of %i connectors is at most 1,500 tokens',
  (count) => {
    const clients = Object.fromEntries(
      Array.from({ length: count }, (_, index) => {
        const each = connectors[index % connectors.length]
        if (each === undefined) throw new TypeError('connectors')
        return [`${each.type.replaceAll('-', '_')}_${index}`, each.client]
      }),
    )
    const listed = agentTools(clients, { mode: 'three', allowWrites: true }).map(
      ({ name, title, description, inputSchema, annotations }) => {
        return { name, title, description, inputSchema, annotations }
      },
    )
    expect(JSON.stringify(listed).length).toBeLessThanOrEqual(MAX_LIST_CHARS)
  },
)
