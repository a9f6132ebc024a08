// Tools over clients in hosted mode, against a scripted service: what they ask, and what they make of the answers.
import { expect, test } from 'vitest'
import { agentTools } from '../../src/agents/agent-tools.ts'
import type { AgentTool, AgentToolOptions } from '../../src/agents/agent-tool.ts'
import { connectHosted } from '../../src/client/hosted.ts'
import type { Json, JsonObject } from '../../src/json/json.ts'
import { createHastyClock } from '../../src/testing/hasty-clock.ts'
import { type ScriptedExchange, scriptedUpstream } from '../../src/testing/scripted-upstream.ts'

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
