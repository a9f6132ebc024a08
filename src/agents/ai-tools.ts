// Tools for the package `ai`, which is not imported: they are plain objects of the form that it takes.
import type { CallOptions } from '../client/client.ts'
import type { JsonObject } from '../language/json/json.ts'
import { toPlainJson } from '../engine/run/params-to-json.ts'
import type { AgentClient, AgentClients } from './agent-tool.ts'
import type { AgentTool } from './agent-tool.ts'
import { type ClientToolOptions, toolsOf } from './agent-tools.ts'

/** A tool as `generateText({ tools })` and `streamText({ tools })` take it. */
export interface AiTool {
  readonly title: string
  readonly description: string
  readonly inputSchema: AiSchema
  /** The answer as JSON: `{ data, … }`, or `{ error, how_to_mend }`. */
  readonly execute: (
    input: JsonObject,
    options: { readonly abortSignal?: AbortSignal | undefined },
  ) => Promise<JsonObject>
}

/** A JSON Schema in the form of Standard Schema, version 1. Source: https://standardschema.dev */
export interface AiSchema {
  readonly jsonSchema: JsonObject
  readonly validate: (value: unknown) => { readonly success: true; readonly value: JsonObject }
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => { readonly value: JsonObject }
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>
      readonly output: () => Record<string, unknown>
    }
  }
}

/**
 * Tools by name for `ai` 7: `generateText({ model, tools: toAiTools(jira, { name: 'jira' }) })`.
 *
 * Takes one client, or several by name: `{ jira, gong }`. Writes are left out unless `allowWrites`.
 * Throws `operation_unknown` for a filter that names nothing that is there.
 */
export function toAiTools(
  clients: AgentClient | AgentClients,
  options: ClientToolOptions = {},
): Record<string, AiTool> {
  return Object.fromEntries(toolsOf(clients, options).map((tool) => [tool.name, aiTool(tool)]))
}

function aiTool({ title, description, inputSchema, run }: AgentTool): AiTool {
  return {
    title,
    description,
    inputSchema: aiSchema(inputSchema),
    execute: async (input, { abortSignal }) => {
      const call: CallOptions = abortSignal === undefined ? {} : { signal: abortSignal }
      return (await run(toPlainJson(input, ''), call)).content
    },
  }
}

/** How `ai` tells a JSON Schema that it takes as it is; of other Standard Schemas it closes every object. */
const AI_SCHEMA = Symbol.for('vercel.ai.schema')

/** The engine checks inputs and says how to mend them, so every object passes here. */
function aiSchema(schema: JsonObject): AiSchema {
  const copy = (): Record<string, unknown> => structuredClone(schema)
  const marked = { [AI_SCHEMA]: true }
  return {
    ...marked,
    jsonSchema: schema,
    validate: (value) => ({ success: true, value: value as JsonObject }),
    '~standard': {
      version: 1,
      vendor: 'tenon',
      validate: (value) => ({ value: value as JsonObject }),
      jsonSchema: { input: copy, output: copy },
    },
  }
}
