// Tools for OpenAI's function calling, in strict mode.
import type { CallOptions } from '../client/client.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { isJsonObject } from '../language/json/members.ts'
import { JsonError, parseJson } from '../language/json/parse-json.ts'
import type { AgentClient, AgentClients } from './agent-tool.ts'
import { strictSchema } from './strict-schema.ts'
import { wrongInput } from './tool-input.ts'
import { type ClientToolOptions, toolsOf } from './agent-tools.ts'

/** A function of the Responses API. */
export interface OpenAiTool {
  readonly type: 'function'
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
  readonly strict: true
}

/** A function of the Chat Completions API. */
export interface OpenAiChatTool {
  readonly type: 'function'
  readonly function: Omit<OpenAiTool, 'type'>
}

export interface OpenAiTools {
  /** For `responses.create({ tools })`. */
  readonly tools: readonly OpenAiTool[]
  /** For `chat.completions.create({ tools })`. */
  readonly chatTools: readonly OpenAiChatTool[]
  /**
   * Answers a function call: the text for `function_call_output`, or for the message of the role `tool`. What goes
   * wrong is told in the text; a name that is none of these tools is a TypeError.
   */
  readonly run: (
    call: { readonly name: string; readonly arguments: string },
    options?: CallOptions,
  ) => Promise<string>
}

/**
 * The tools of a client, or of clients by name, for OpenAI in strict mode.
 *
 * Strict mode has no optional members and no open objects: what a model leaves out it writes as null, members that no
 * schema names as JSON text in `other_members`; `run` puts both back. Throws as `toAiTools` does.
 * Source: OpenAI, "Function calling", strict mode, and "Structured model outputs", supported schemas.
 */
export function toOpenAiTools(
  clients: AgentClient | AgentClients,
  options: ClientToolOptions = {},
): OpenAiTools {
  const entries = toolsOf(clients, options).map((tool) => {
    const { schema, decode } = strictSchema(tool.inputSchema)
    return { tool, schema, decode }
  })
  const byName = new Map(entries.map((entry) => [entry.tool.name, entry]))
  const functions = entries.map(({ tool: { name, description }, schema }) => {
    return { name, description, parameters: schema, strict: true as const }
  })
  return {
    tools: functions.map((each) => ({ type: 'function', ...each })),
    chatTools: functions.map((each) => ({ type: 'function', function: each })),
    async run(call, callOptions = {}) {
      const entry = byName.get(call.name)
      if (entry === undefined) throw new TypeError(`there is no tool ${call.name}`)
      const { tool, decode } = entry
      const read = (): JsonObject => objectIn(decode(parsed(call.arguments), ''))
      return JSON.stringify((await tool.run(read, callOptions)).content)
    },
  }
}

function parsed(text: string): Json {
  try {
    return parseJson(text === '' ? '{}' : text)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    throw wrongInput('', `the arguments are not JSON: ${error.message}`)
  }
}

function objectIn(value: Json): JsonObject {
  if (isJsonObject(value)) return value
  throw wrongInput('', 'the arguments must be an object')
}
