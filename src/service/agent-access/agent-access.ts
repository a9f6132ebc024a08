// Who may call /mcp: tokens of the service as everywhere, and tokens that agents get by OAuth, from the operator's OpenID
// provider or from this service. Source: Model Context Protocol 2025-11-25, "Authorization"; RFC 9728.
import type { Transport } from '../../engine/exchange/transport.ts'
import { isConnectorError } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { ServiceBase } from '../base.ts'
import type { ServiceSettings } from '../settings.ts'
import type { Principal } from '../tokens/principal.ts'
import { hashSecret } from '../tokens/token-text.ts'
import { bearerOf, type Tokens } from '../tokens/tokens.ts'
import { AgentClients } from './agent-clients.ts'
import { AgentGrants } from './agent-grants.ts'
import { AgentSeals } from './agent-seals.ts'
import { ProviderTokens } from './provider-tokens.ts'

/** What leads to the OpenID provider that an address names. */
export type ToProvider = (issuer: string) => Transport

export interface AgentAccessPorts extends Pick<
  ServiceBase,
  'store' | 'vault' | 'clock' | 'processId' | 'publicUrl'
> {
  readonly tokens: Tokens
  readonly toProvider: ToProvider
  readonly settings: Pick<
    ServiceSettings,
    'mcpIssuer' | 'mcpAudience' | 'mcpUserClaim' | 'mcpClientId' | 'mcpSignInUrl'
  >
}

/** Below the public address of the service. */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource'

/** What this service issues itself. */
export interface OwnIssuer {
  readonly clients: AgentClients
  readonly grants: AgentGrants
  readonly seals: AgentSeals
}

export class AgentAccess {
  /** Null: another one issues tokens, or nobody. */
  readonly own: OwnIssuer | null
  readonly #ports: AgentAccessPorts
  readonly #provider: ProviderTokens | null

  constructor(ports: AgentAccessPorts) {
    const { mcpIssuer } = ports.settings
    this.#ports = ports
    const seals = new AgentSeals(ports)
    this.own =
      mcpIssuer === 'self'
        ? {
            seals,
            clients: new AgentClients(seals),
            grants: new AgentGrants({ ...ports, seals }),
          }
        : null
    this.#provider =
      mcpIssuer === null || mcpIssuer === 'self'
        ? null
        : new ProviderTokens({
            ...ports,
            issuer: mcpIssuer,
            transport: ports.toProvider(mcpIssuer),
            resource: () => this.resource(),
          })
  }

  /** What tokens are for: the address of /mcp. */
  resource(): string {
    return `${this.#ports.publicUrl()}/mcp`
  }

  /** Where a client finds who issues tokens; null: nobody but applications. */
  metadataUrl(): string | null {
    if (this.#ports.settings.mcpIssuer === null) return null
    return `${this.#ports.publicUrl()}${RESOURCE_METADATA}/mcp`
  }

  /** The metadata of /mcp; null: there is none. Source: RFC 9728, section 2. */
  metadata(): JsonObject | null {
    const { mcpIssuer } = this.#ports.settings
    if (mcpIssuer === null) return null
    return {
      resource: this.resource(),
      authorization_servers: [mcpIssuer === 'self' ? this.#ports.publicUrl() : mcpIssuer],
      bearer_methods_supported: ['header'],
      resource_name: 'Tenon',
    }
  }

  /** The caller behind an `Authorization` header; null: its token is not valid here. */
  async callerOf(authorization: string | undefined): Promise<Principal | null> {
    const token = bearerOf(authorization)
    if (token === null) return null
    const agent = await this.own?.grants.callerOf(token)
    if (agent !== undefined && agent !== null) return agent
    if (this.#provider !== null && token.split('.').length === 3)
      return await this.#provider.callerOf(token, hashSecret(token))
    try {
      return await this.#ports.tokens.authenticate(authorization)
    } catch (error) {
      if (isConnectorError(error, 'token_invalid')) return null
      throw error
    }
  }
}
