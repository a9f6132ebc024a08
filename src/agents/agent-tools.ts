// The tools that clients give an agent.
import { actionTools } from './action-tools.ts'
import type { AgentClient, AgentClients, AgentTool, AgentToolOptions } from './agent-tool.ts'
import { threeTools } from './three-tools.ts'

/**
 * Tools for these clients, in the mode of the options. Every parameter of an action is a member of its tool's input.
 *
 * Throws `operation_unknown` for a filter that names nothing that is there or leaves nothing, TypeError for wrong options.
 */
export function agentTools(
  clients: AgentClients,
  options: AgentToolOptions = {},
): readonly AgentTool[] {
  const { maxAnswerChars } = options
  if (maxAnswerChars !== undefined && !(Number.isInteger(maxAnswerChars) && maxAnswerChars >= 1000))
    throw new TypeError('maxAnswerChars must be a whole number from 1,000 on')
  return options.mode === 'three' ? threeTools(clients, options) : actionTools(clients, options)
}

export interface ClientToolOptions extends AgentToolOptions {
  /** Of a single client: begins the names of its tools, `jira` gives `jira_issues_get`. Default: `tenon`. */
  readonly name?: string
}

/** The tools of a client, or of clients by name. Throws as `agentTools` does. */
export function toolsOf(
  clients: AgentClient | AgentClients,
  { name = 'tenon', ...options }: ClientToolOptions,
): readonly AgentTool[] {
  return agentTools(isClient(clients) ? { [name]: clients } : clients, options)
}

function isClient(clients: AgentClient | AgentClients): clients is AgentClient {
  return typeof clients.describe === 'function'
}
