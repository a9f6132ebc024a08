// The instances of a token's user as tools of an agent, at /mcp.
import type { AgentClients } from '../agents/agent-tool.ts'
import { createMcpHttpHandler, type McpHandler } from '../agents/mcp/mcp-http.ts'
import { dropOldest } from '../service/drop-oldest.ts'
import { ownerOf, type Principal } from '../service/tokens/principal.ts'
import type { InProcess } from './in-process.ts'
import type { Service } from './service.ts'

/** Instances in one server; an agent with more than that asks for a narrower token. */
const MAX_INSTANCES = 50
/** Clients of a token are kept so long: tools are made once for a run of calls. */
const KEPT_MS = 10_000
const MAX_KEPT = 1000

interface Kept {
  readonly clients: Promise<AgentClients>
  readonly until: number
}

/**
 * A handler for streamable HTTP. The bearer token is one of the service, of an agent or of the operator's OpenID provider,
 * and is checked at each request; what it
 * narrows (types, instances, actions) holds for the tools. Instances have the name of their type, a second one of it
 * `<type>_2`.
 */
export function createMcpRoute(service: Service, inProcess: InProcess): McpHandler {
  const kept = new Map<string, Kept>()

  async function open(principal: Principal): Promise<AgentClients> {
    const { rows } = await service.store.instances.list(ownerOf(principal), {
      limit: MAX_INSTANCES,
    })
    const clients: Record<string, AgentClients[string]> = {}
    for (const row of rows.filter(({ enabled }) => enabled)) {
      if (!service.catalogue.serves(row.connectorType, row.connectorVersion)) continue
      const manifest = service.catalogue.forInstance(row.connectorType, row.connectorVersion)
      const options = { connectorId: row.id, principal, via: 'mcp' } as const
      const client = await inProcess.connect(manifest, options)
      clients[freeName(clients, row.connectorType.replaceAll('-', '_'))] = client
    }
    return clients
  }

  return createMcpHttpHandler(
    async (token) => {
      const principal = await service.agentAccess.callerOf(`Bearer ${token}`)
      if (principal === null) return null
      const key = principal.tokenHash ?? ''
      const now = service.clock.monotonic()
      const known = kept.get(key)
      if (known !== undefined && known.until > now) return await known.clients
      const clients = open(principal)
      kept.delete(key)
      kept.set(key, { clients, until: now + KEPT_MS })
      dropOldest(kept, MAX_KEPT)
      return await clients
    },
    {
      // One description of what there is, whatever the number of instances and actions.
      mode: 'three',
      search: true,
      allowedHosts: hostsOf(service),
      resourceMetadataUrl: () => service.agentAccess.metadataUrl(),
      allowWrites: service.settings.mcp === 'write',
      allowedOrigins: service.settings.corsOrigins,
      maxBodyBytes: service.settings.bodyLimitBytes,
      onError: (error) => service.log.error({ stack: error.stack }, 'a tool of /mcp failed'),
    },
  )
}

/** The names of this service: that of its public address, of what it listens on, and those of the settings. */
function hostsOf({ settings }: Service): readonly string[] {
  const { publicUrl, host, mcpHosts } = settings
  const name = publicUrl === null ? undefined : URL.parse(publicUrl)?.hostname
  return [...(name === undefined ? [] : [name]), host, ...mcpHosts]
}

function freeName(taken: Readonly<Record<string, unknown>>, name: string): string {
  let free = name
  for (let count = 2; taken[free] !== undefined; count++) free = `${name}_${count}`
  return free
}
