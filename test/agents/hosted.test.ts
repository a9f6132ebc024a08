// Tools over clients in hosted mode, against a scripted service: what they ask, and what they make of the answers.
import { expect, test } from 'vitest'
import { agentTools } from '../../src/agents/agent-tools.ts'
import type { AgentTool, AgentToolOptions } from '../../src/agents/agent-tool.ts'
import { connectHosted } from '../../src/client/hosted.ts'
import type { Json, JsonObject } from '../../src/language/json/json.ts'
import { createHastyClock } from '../../src/sandbox/testing/hasty-clock.ts'
import { connectors } from './every-manifest.ts'
import {
  type ScriptedExchange,
  scriptedUpstream,
} from '../../src/sandbox/testing/scripted-upstream.ts'

const clientOf = (type: string) => {
  const found = connectors.find((each) => each.type === type)
  if (found === undefined) throw new TypeError(type)
  return found.client
}

const ID = '0199f3b2-6f0e-7c31-9a57-2f4f5d1f9a10'

async function hosted(exchanges: readonly ScriptedExchange[], options: AgentToolOptions) {
  const service = await scriptedUpstream(exchanges)
  const client = await connectHosted('gong', {
    baseUrl: service.url,
    connectorId: ID,
    token: 'tenon_st_x',
    clock: createHastyClock(),
  })
  const tools = agentTools({ gong: client }, options)
  return {
    tools,
    tool: (name: string): AgentTool => {
      const found = tools.find((tool) => tool.name === name)
      if (found === undefined) throw new TypeError(name)
      return found
    },
    async [Symbol.asyncDispose]() {
      await client.close()
      await service[Symbol.asyncDispose]()
    },
  }
}

const hits = (ids: readonly string[], cursor: string | null): JsonObject => ({
  hits: ids.map((id) => ({ id, score: 1, data: { title: 'x'.repeat(300) } })),
  next_cursor: cursor,
  took_ms: 2,
  replica: { synced_at: '2026-07-01T00:00:00Z', lag_seconds: 5, complete: true, stale: false },
  execution: { request_id: 'r-1' },
})
const query = { filter: { gte: { duration: 600 } }, sort: [{ started: 'desc' }] }
const EXPECTED = { entity: 'calls', action: 'search' }

test('a search tells hits and freshness, and goes on where the answer was full', async () => {
  await using world = await hosted(
    [
      {
        expect: { body: { ...EXPECTED, params: { query, limit: 4 } } },
        answer: { body: hits(['1', '2', '3', '4'], 'page-2') },
      },
      { answer: { body: hits(['1', '2', '3', '4'], 'page-2') } },
      {
        expect: { body: { ...EXPECTED, params: { query, limit: 4, cursor: 'page-2' } } },
        answer: { body: hits(['5'], null) },
      },
    ],
    { mode: 'three', maxAnswerChars: 1500 },
  )
  const search = world.tool('search')
  const input = { entity: 'calls', ...query, limit: 4 }
  const ids: unknown[] = []
  let cursor: Json | undefined
  let answers = 0
  do {
    const given = cursor === undefined ? input : { ...input, answer_cursor: cursor }
    const { isError, content } = await search.run(given)
    expect(isError).toBe(false)
    expect(content['meta']).toMatchObject({ took_ms: 2, replica: { stale: false } })
    if (content['note'] !== undefined)
      expect(content['note']).toMatch(
        /more records .* did not fit; with few fields more of them fit$/,
      )
    ids.push(...(content['data'] as readonly JsonObject[]).map(({ id }) => id))
    cursor = content['answer_cursor']
    answers++
  } while (cursor !== null)
  expect(ids).toEqual(['1', '2', '3', '4', '5'])
  expect(answers).toBe(3)
})

test('one tool per action has a search per entity when it is asked for', async () => {
  await using world = await hosted(
    [
      {
        expect: { body: { ...EXPECTED, params: { query } } },
        answer: { body: hits(['1'], null) },
      },
    ],
    { search: true },
  )
  const search = world.tool('gong_calls_search')
  expect(search.inputSchema).toMatchObject({
    required: ['query'],
    properties: { query: { properties: { filter: { type: 'object' } } }, answer_cursor: {} },
  })
  const { content } = await search.run({ query })
  expect(content).toMatchObject({ data: [{ id: '1', score: 1 }], answer_cursor: null })
})

test('an error of the service comes with what to do and when', async () => {
  await using world = await hosted(
    [
      {
        answer: {
          status: 409,
          headers: { 'content-type': 'application/problem+json' },
          body: {
            code: 'search_not_ready',
            title: 'Nothing is synchronized yet',
            status: 409,
            detail: 'calls is being synchronized',
            retryable: true,
          },
        },
      },
    ],
    { mode: 'three' },
  )
  const { isError, content } = await world.tool('search').run({ entity: 'calls' })
  expect(isError).toBe(true)
  expect(content).toMatchObject({
    error: { code: 'search_not_ready', retryable: true },
    how_to_mend: expect.stringMatching(/^Nothing is synchronized yet\. Use a list/) as unknown,
  })
})

const PROBLEM = { 'content-type': 'application/problem+json' }
const copy = { synced_at: null, lag_seconds: null, complete: true, stale: false, records: 138 }
const found = (data: readonly JsonObject[]): JsonObject => ({
  hits: data.map((each, index) => ({ id: String(index), score: 1, data: each })),
  next_cursor: null,
  took_ms: 1,
  replica: copy,
})

test('a search tells how many match, and the size of the copy by another name', async () => {
  await using world = await hosted([{ answer: { body: found([{ title: 'a' }, {}]) } }], {
    mode: 'three',
  })
  const { content } = await world
    .tool('search')
    .run({ entity: 'calls', fields: ['title', 'titel'] })
  expect(content).toMatchObject({
    meta: {
      took_ms: 1,
      matches: 2,
      replica: { synced_at: null, complete: true, records_in_copy: 138 },
    },
    note: 'none of these hits has titel',
  })
  expect(JSON.stringify(content)).not.toContain('"records"')
})

test('a search without hits asks what there is, and tells it', async () => {
  const filter = { eq: { 'metaData.titel': 'x' } }
  await using world = await hosted(
    [
      {
        expect: { body: { ...EXPECTED, params: { query: { filter } } } },
        answer: { body: found([]) },
      },
      {
        expect: {
          body: {
            ...EXPECTED,
            params: { query: { filter: { neq: { 'metaData.titel': null } } }, limit: 1 },
          },
        },
        answer: { body: found([]) },
      },
    ],
    { mode: 'three' },
  )
  const { content } = await world.tool('search').run({ entity: 'calls', filter })
  expect(content).toMatchObject({
    data: [],
    meta: { matches: 0 },
    note: 'no record of the copy has metaData.titel',
  })
})

test.for([
  { mode: 'three', name: 'search', filter: { fuzzy: { titel: 'x' } }, at: '/filter/fuzzy/titel' },
  {
    mode: 'actions',
    name: 'gong_calls_search',
    filter: { fuzzy: { titel: 'x' } },
    at: '/query/filter/fuzzy/titel',
  },
] as const)(
  '$name tells the place of a problem in its own input',
  async ({ mode, name, filter, at }) => {
    const pointer = '/params/query/filter/fuzzy/titel'
    const detail = '"titel" is not a searchable field'
    await using world = await hosted(
      [
        {
          answer: {
            status: 400,
            headers: PROBLEM,
            body: {
              code: 'params_invalid',
              title: 'Parameters are not valid',
              status: 400,
              detail: `${pointer}: ${detail}`,
              errors: [{ pointer, code: 'field_unknown', detail, allowed: ['title'] }],
            },
          },
        },
      ],
      { mode, search: true },
    )
    const input = mode === 'three' ? { entity: 'calls', filter } : { query: { filter } }
    const { content } = await world.tool(name).run(input)
    expect(content).toMatchObject({
      error: {
        message: expect.stringMatching(`^Parameters are not valid: ${at}: `) as unknown,
        problems: [{ at }],
      },
    })
  },
)

test('a search per entity names paths that stand for all others', () => {
  const jira = agentTools({ jira: clientOf('jira') }, { search: true, actions: ['issues.search'] })
  expect(JSON.stringify(jira[0]?.inputSchema)).toContain(
    'dotted paths below objects and arrays too, such as fields.summary, fields.status.name',
  )
})

test('a search per entity takes paths as fields, and refuses the cursor of the service', async () => {
  await using world = await hosted([], { search: true })
  const search = world.tool('gong_calls_search')
  expect(search.inputSchema).toMatchObject({
    properties: { fields: { type: 'array', items: { type: 'string' } } },
    additionalProperties: false,
  })
  const { content } = await search.run({ query: {}, cursor: 'x' })
  expect(content).toMatchObject({
    error: {
      problems: [
        {
          at: '/cursor',
          detail: 'unknown member; did you mean "answer_cursor"?',
          allowed: ['query', 'limit', 'fields', 'answer_cursor'],
        },
      ],
    },
  })
})

test('the steps of a write that failed midway come through a service', async () => {
  await using world = await hosted(
    [
      {
        answer: {
          status: 400,
          headers: PROBLEM,
          body: {
            code: 'upstream_rejected',
            title: 'Refused by the third party',
            status: 400,
            detail: 'edit was applied; move failed',
            outcome: 'uncertain',
            steps: [
              { step: 1, name: 'edit', outcome: 'applied' },
              { step: 2, name: 'move', outcome: 'not_applied', upstream: { status: 400 } },
            ],
          },
        },
      },
    ],
    { mode: 'three', allowWrites: true },
  )
  const { content } = await world.tool('execute').run({ entity: 'calls', action: 'list' })
  expect(content['how_to_mend']).toMatch(/^Done: edit; .* Not done: move; /)
})
