// The tools of one client, whose name the host may choose, or of several by their names.
import type { AgentClient, AgentClients } from './agent-client.ts'
import type { AgentTool, AgentToolOptions } from './agent-tool.ts'
import { agentTools } from './agent-tools.ts'

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
