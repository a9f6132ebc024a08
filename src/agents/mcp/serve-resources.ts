// The connected accounts and their records as resources, for hosts.
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
} from '@modelcontextprotocol/server'
import type { AgentResources } from '../agent-resources.ts'

const JSON_TYPE = 'application/json'

/** `onError` is told of defects, which the client sees as an internal error only. */
export function serveResources(
  server: Server,
  resources: AgentResources,
  onError: ((error: Error) => void) | undefined,
): void {
  server.setRequestHandler('resources/list', () => ({
    resources: resources.accounts.map((each) => ({ ...each, mimeType: JSON_TYPE })),
  }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: resources.records.map(({ uri, ...each }) => {
      return { ...each, uriTemplate: uri, mimeType: JSON_TYPE }
    }),
  }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq }) => {
    const reading = resources.read(uri, { signal: mcpReq.signal })
    if (reading === null) throw new ResourceNotFoundError(uri)
    const { isError, content } = await reading.catch((error: unknown) => {
      onError?.(error instanceof Error ? error : new Error(String(error)))
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'internal error')
    })
    if (isError)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, JSON.stringify(content), content)
    return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(content) }] }
  })
}
