// The tools of agents as a server of the Model Context Protocol: the entry `tenon/mcp`.
export { createMcpHttpHandler } from './mcp-http.ts'
export type { ClientsOfToken, McpHandler, McpHttpOptions } from './mcp-http.ts'
export { createMcpServer } from './mcp-server.ts'
export type { McpServerOptions } from './mcp-server.ts'
export { serveMcpStdio } from './mcp-stdio.ts'
export type { McpStdioOptions } from './mcp-stdio.ts'
export type { AgentClient, AgentClients } from '../agent-tool.ts'
export type { AgentToolOptions, FileSource } from '../agent-tool.ts'
