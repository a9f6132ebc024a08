// Tools for Anthropic's Messages API.
import type { CallOptions } from '../client/client.ts'
import type { JsonObject } from '../language/json/json.ts'
import { toPlainJson } from '../engine/run/params-to-json.ts'
import type { AgentClient, AgentClients } from './agent-tool.ts'
import { type ClientToolOptions, toolsOf } from './agent-tools.ts'

export interface AnthropicTool {
  readonly name: string
  readonly description: string
  readonly input_schema: { readonly type: 'object' } & JsonObject
}

/** The block that answers a `tool_use` block. */
export interface AnthropicToolResult {
  readonly type: 'tool_result'
  readonly tool_use_id: string
  readonly content: string
  readonly is_error: boolean
}

export interface AnthropicTools {
  /** For `messages.create({ tools })`. */
  readonly tools: readonly AnthropicTool[]
  /** Answers a `tool_use` block; a name that is none of these tools is a TypeError. */
  readonly run: (
    use: { readonly id: string; readonly name: string; readonly input: unknown },
    options?: CallOptions,
  ) => Promise<AnthropicToolResult>
}

/**
 * The tools of a client, or of clients by name, for Anthropic. Throws as `toAiTools` does.
 * Source: Anthropic, "Define tools".
 */
export function toAnthropicTools(
  clients: AgentClient | AgentClients,
  options: ClientToolOptions = {},
): AnthropicTools {
  const tools = toolsOf(clients, options)
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  return {
    tools: tools.map(({ name, description, inputSchema }) => {
      return { name, description, input_schema: { ...inputSchema, type: 'object' } }
    }),
    async run(use, callOptions = {}) {
      const tool = byName.get(use.name)
      if (tool === undefined) throw new TypeError(`there is no tool ${use.name}`)
      const { isError, content } = await tool.run(toPlainJson(use.input, ''), callOptions)
      const text = JSON.stringify(content)
      return { type: 'tool_result', tool_use_id: use.id, content: text, is_error: isError }
    },
  }
}
