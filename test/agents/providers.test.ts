// Tools of the providers against the sandbox: what a model asks for is done, and what goes wrong is told.
import { generateText, stepCountIs, type ToolSet } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toAiTools } from '../../src/agents/ai-tools.ts'
import { toAnthropicTools } from '../../src/agents/anthropic-tools.ts'
import { toOpenAiTools } from '../../src/agents/openai-tools.ts'
import { connect } from '../../src/client/connect.ts'
import type { Connectors } from '../../src/client/connectors.ts'
import { sandbox } from '../../src/sandbox/open-sandbox.ts'
import '../../src/client/generated/index.ts'

let jira: Connectors['jira']
let close: () => Promise<void>

beforeAll(async () => {
  const vendor = await sandbox('jira')
  jira = await connect('jira', { ...vendor.options(), limits: null })
  close = async () => {
    await jira.close()
    await vendor.close()
  }
})
afterAll(() => close())

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

test('the package ai takes the tools and runs what a model calls', async () => {
  // The types of the package take them as they are.
  const tools: ToolSet = toAiTools(jira, { name: 'jira', entities: ['issues'] })
  const prompts: unknown[] = []
  const model = new MockLanguageModelV4({
    doGenerate: async (options) => {
      prompts.push(options.tools)
      const isFirst = prompts.length === 1
      return await Promise.resolve({
        content: isFirst
          ? [
              {
                type: 'tool-call' as const,
                toolCallId: '1',
                toolName: 'jira_issues_get',
                input: JSON.stringify({ issueIdOrKey: 'OPS-1', answer_fields: ['key'] }),
              },
            ]
          : [{ type: 'text' as const, text: 'done' }],
        finishReason: {
          unified: isFirst ? ('tool-calls' as const) : ('stop' as const),
          raw: undefined,
        },
        usage,
        warnings: [],
      })
    },
  })
  const { steps, text } = await generateText({
    model,
    tools,
    prompt: 'What is OPS-1?',
    stopWhen: stepCountIs(3),
  })
  expect(text).toBe('done')
  expect(steps[0]?.toolResults.map(({ output }) => output as unknown)).toEqual([
    { data: { key: 'OPS-1' } },
  ])
  // The schema arrives as it is: open objects stay open.
  const [first] = prompts as { readonly name: string; readonly inputSchema: unknown }[][]
  const sent = first?.find(({ name }) => name === 'jira_issues_get')
  expect(sent?.inputSchema).toEqual(
    toAiTools(jira, { name: 'jira' })['jira_issues_get']?.inputSchema.jsonSchema,
  )
})

test('a function call of OpenAI is answered, nulls and JSON text put back', async () => {
  const { tools, chatTools, run } = toOpenAiTools(jira, {
    name: 'jira',
    entities: ['issues'],
    allowWrites: true,
  })
  expect(tools.map(({ name }) => name)).toContain('jira_issues_create')
  expect(chatTools[0]?.function.strict).toBe(true)
  const create = tools.find(({ name }) => name === 'jira_issues_create')
  const fields = {
    ...nullsFor(create?.parameters, 'fields'),
    project: { ...nullsFor(create?.parameters, 'fields', 'project'), key: 'OPS' },
    issuetype: { ...nullsFor(create?.parameters, 'fields', 'issuetype'), name: 'Task' },
    summary: 'Oil the hinge',
    other_members: '{"customfield_10031":"north"}',
  }
  const made = await run({
    name: 'jira_issues_create',
    arguments: JSON.stringify({ ...nullsFor(create?.parameters), fields }),
  })
  const { data } = JSON.parse(made) as { readonly data: { readonly key: string } }
  const { data: issue } = await jira.issues.get({ issueIdOrKey: data.key })
  expect(issue.fields).toMatchObject({ summary: 'Oil the hinge', customfield_10031: 'north' })
})

test('arguments that are no JSON are told to the model', async () => {
  const { run } = toOpenAiTools(jira, { name: 'jira' })
  expect(JSON.parse(await run({ name: 'jira_issues_get', arguments: '{"issue' }))).toMatchObject({
    error: { code: 'params_invalid' },
    how_to_mend: 'Correct what the problems name and call again.',
  })
})

test('a tool_use of Anthropic is answered, failures as errors', async () => {
  const { run } = toAnthropicTools(jira, { name: 'jira' })
  expect(
    await run({
      id: 'tu_1',
      name: 'jira_issues_get',
      input: { issueIdOrKey: 'OPS-1', answer_fields: ['key'] },
    }),
  ).toEqual({
    type: 'tool_result',
    tool_use_id: 'tu_1',
    content: '{"data":{"key":"OPS-1"}}',
    is_error: false,
  })
  const failed = await run({ id: 'tu_2', name: 'jira_issues_get', input: { issueIdOrKy: 'OPS-1' } })
  expect(failed.is_error).toBe(true)
  expect(JSON.parse(failed.content)).toMatchObject({
    error: {
      code: 'params_invalid',
      problems: expect.arrayContaining([
        expect.objectContaining({
          at: '/issueIdOrKy',
          detail: 'unknown parameter, did you mean "issueIdOrKey"?',
        }),
      ]) as unknown,
    },
  })
})

test('a tool that is not there is a mistake of the host', async () => {
  const { run } = toAnthropicTools(jira, { name: 'jira' })
  await expect(run({ id: '1', name: 'nothing', input: {} })).rejects.toThrow(TypeError)
})

/** What a model writes in strict mode for members that it leaves out. */
function nullsFor(parameters: unknown, ...path: string[]): Record<string, null> {
  let at = parameters as Schema | undefined
  for (const name of path) at = objectOf(at?.properties?.[name])
  return Object.fromEntries(Object.keys(at?.properties ?? {}).map((name) => [name, null]))
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
}

function objectOf(schema: Schema | undefined): Schema | undefined {
  return schema?.anyOf?.find(({ properties }) => properties !== undefined) ?? schema
}
