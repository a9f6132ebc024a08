// The server on standard input and output, for hosts that start it as a process.
import type { Readable, Writable } from 'node:stream'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import type { AgentClients } from '../agent-tool.ts'
import { mcpOffer, type McpServerOptions, serverOf } from './mcp-server.ts'

export interface McpStdioOptions extends McpServerOptions {
  /** Ends the server. */
  readonly signal?: AbortSignal
  /** Default: those of the process. Nothing else may be written to the output. */
  readonly input?: Readable
  readonly output?: Writable
}

/**
 * Serves the tools of these clients until the host closes the input or `signal` aborts. The clients stay open.
 * Throws as `createMcpServer` does, before anything is read.
 */
export async function serveMcpStdio(
  clients: AgentClients,
  options: McpStdioOptions = {},
): Promise<void> {
  const offer = mcpOffer(clients, options)
  const { signal, input = process.stdin, output = process.stdout, onError } = options
  const ended = new Promise<void>((resolve) => {
    input.once('end', resolve)
    input.once('close', resolve)
    signal?.addEventListener('abort', () => resolve(), { once: true })
    if (signal?.aborted === true) resolve()
  })
  const handle = serveStdio(() => serverOf(offer, options), {
    transport: new StdioServerTransport(input, output),
    ...(onError === undefined ? {} : { onerror: onError }),
  })
  await ended
  await handle.close()
}
