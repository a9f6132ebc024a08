// What holds for the tools of every manifest: nothing lost, rules of the providers kept, sizes measured.
import { describe, expect, test } from 'vitest'
import { agentTools } from '../../src/agents/agent-tools.ts'
import { toAnthropicTools } from '../../src/agents/anthropic-tools.ts'
import { toOpenAiTools } from '../../src/agents/openai-tools.ts'
import { plainSchema } from '../../src/agents/plain-schema.ts'
import type { JsonObject } from '../../src/language/json/json.ts'
import { compileSchema } from '../../src/language/manifest/validator.ts'
import { connectors } from './every-manifest.ts'
import { anthropicProblems, openAiProblems } from './published-rules.ts'

const ALL = { allowWrites: true, search: true }

describe.for(connectors)('$type', ({ type, entities, client }) => {
  const tools = agentTools({ [type]: client }, ALL)
  const actions = entities.flatMap(({ entity, actions }) =>
    actions.map((action) => ({ ...action, tool: `${type}_${entity}_${action.action}` })),
  )

  test('has a tool for each action and a search for each searchable entity', () => {
    const searches = entities.filter(({ searchFields }) => searchFields !== null)
    expect(tools.map(({ name }) => name).toSorted()).toEqual(
      [
        ...actions.map(({ tool }) => tool),
        ...searches.map(({ entity }) => `${type}_${entity}_search`),
      ].toSorted(),
    )
  })

  test('loses no parameter, no description, no requirement', () => {
    for (const { tool: name, params } of actions) {
      const schema = tools.find((tool) => tool.name === name)?.inputSchema ?? {}
      const given = membersOf(schema)
      for (const [member, wanted] of Object.entries(membersOf(plainSchema(params))))
        expect([name, member, given[member]]).toEqual([name, member, wanted])
      expect(schema['required'] ?? []).toEqual(params['required'] ?? [])
    }
  })

  test('has schemas without references that a validator takes', () => {
    for (const { name, inputSchema } of tools) {
      expect([name, JSON.stringify(inputSchema).includes('$ref')]).toEqual([name, false])
      expect(() => compileSchema(inputSchema)).not.toThrow()
    }
  })

  test("keeps OpenAI's rules for strict mode", () => {
    const { tools: functions } = toOpenAiTools({ [type]: client }, ALL)
    expect(functions).toHaveLength(tools.length)
    for (const each of functions) expect([each.name, openAiProblems(each)]).toEqual([each.name, []])
  })

  test('loses no parameter in strict mode', () => {
    const { tools: functions } = toOpenAiTools({ [type]: client }, ALL)
    for (const { tool: name, params } of actions) {
      const strict = functions.find((each) => each.name === name)?.parameters ?? {}
      const names = Object.keys(membersOf(strict))
      expect(names).toEqual(expect.arrayContaining(Object.keys(membersOf(params))))
    }
  })

  test("keeps Anthropic's rules", () => {
    const { tools: given } = toAnthropicTools({ [type]: client }, ALL)
    expect(given).toHaveLength(tools.length)
    for (const each of given) expect([each.name, anthropicProblems(each)]).toEqual([each.name, []])
  })

  test('tells whether an action reads, changes or removes', () => {
    for (const { tool: name, action, safe, idempotent } of actions) {
      const annotations = tools.find((tool) => tool.name === name)?.annotations
      expect([name, annotations]).toEqual([
        name,
        {
          readOnlyHint: safe,
          destructiveHint: action === 'update' || action === 'delete',
          idempotentHint: idempotent,
          openWorldHint: true,
        },
      ])
    }
  })

  test('has three tools of at most 1,500 tokens', () => {
    const three = agentTools({ [type]: client }, { mode: 'three', allowWrites: true })
    expect(three.map(({ name }) => name)).toEqual(['describe', 'execute', 'search'])
    expect(tokensOf(three)).toBeLessThanOrEqual(1500)
  })

  test('has tools of at most 500 tokens per action on average', () => {
    expect(tokensOf(tools) / tools.length).toBeLessThanOrEqual(500)
  })
})

test('three tools for all connectors together stay within 1,500 tokens', () => {
  const clients = Object.fromEntries(connectors.map(({ type, client }) => [type, client]))
  const three = agentTools(clients, { mode: 'three', allowWrites: true })
  expect(tokensOf(three)).toBeLessThanOrEqual(1500)
})

/** Four characters of JSON are about one token. */
function tokensOf(tools: ReturnType<typeof agentTools>): number {
  const listed = tools.map(({ name, title, description, inputSchema, annotations }) => {
    return { name, title, description, inputSchema, annotations }
  })
  return Math.ceil(JSON.stringify({ tools: listed }).length / 4)
}

function membersOf(schema: JsonObject): JsonObject {
  return (schema['properties'] ?? {}) as JsonObject
}
