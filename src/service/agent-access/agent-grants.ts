// What users allowed agents: codes and refresh tokens, sealed and good for one use, and tokens for /mcp alone.
//
// A grant is a row among the tokens whose text nobody has; the tokens of an agent are made with it. So whatever ends the
// tokens of a user (the application, an operator) ends the grant, and a code or a refresh token that comes twice ends all
// that came of it. Source: RFC 6749, RFC 7636, RFC 9700.
import { createHash, randomUUID } from 'node:crypto'
import type { JsonObject } from '../../language/json/json.ts'
import { auditOf } from '../audit.ts'
import type { ServiceBase } from '../base.ts'
import type { TokenScope } from '../store/applications-and-tokens.ts'
import { applicationPrincipal, type Principal } from '../tokens/principal.ts'
import { hashSecret, isSameHash, isTokenText, mintToken, randomText } from '../tokens/token-text.ts'
import { SCOPED_TOKEN_SECONDS } from '../tokens/tokens.ts'
import { OAuthProblem } from './agent-clients.ts'
import type { AgentSeals } from './agent-seals.ts'

export interface GrantPorts extends Pick<ServiceBase, 'store' | 'clock' | 'processId'> {
  readonly seals: AgentSeals
}

/** What a user allows, and whom. */
export interface Allowed {
  readonly organizationId: string
  /** The application whose token the user came with. */
  readonly applicationId: string | null
  readonly scope: TokenScope
  /** SHA-256 of the id of the agent's client. */
  readonly clientHash: string
  readonly resource: string
}

export interface AllowedCode extends Allowed {
  readonly redirectUri: string
  readonly challenge: string
}

const CODE_MS = 60_000
/** After this time the user is asked again. */
const GRANT_MS = 30 * 24 * 60 * 60_000
/** How long it is known that a code was used: longer than it can be. */
const KEPT_MS = 10 * CODE_MS
const LEASE_MS = 45_000

export class AgentGrants {
  readonly #ports: GrantPorts

  constructor(ports: GrantPorts) {
    this.#ports = ports
  }

  /** A code for what was allowed, good for one use within a minute. */
  async code(allowed: AllowedCode): Promise<string> {
    const content = { ...allowed, scope: { ...allowed.scope }, id: randomText() }
    return await this.#ports.seals.seal('code', content, CODE_MS)
  }

  /** Throws OAuthProblem, `invalid_grant` for whatever is wrong with the code. */
  async exchange(
    code: string,
    given: { clientId: string; redirectUri: string; verifier: string; resource: string | null },
    requestId: string,
  ): Promise<JsonObject> {
    const content = await this.#ports.seals.open('code', code)
    if (content === null) throw invalidGrant()
    // Written by `code`.
    const allowed = content as unknown as AllowedCode & { readonly id: string }
    const isHis =
      allowed.clientHash === hashSecret(given.clientId) &&
      allowed.redirectUri === given.redirectUri &&
      isVerifier(given.verifier) &&
      isSameHash(challengeOf(given.verifier), allowed.challenge)
    if (!isHis) throw invalidGrant()
    if (given.resource !== null && given.resource !== allowed.resource)
      throw new OAuthProblem('invalid_target', 'the resource is not that of the code')
    const grant = hashSecret(`grant:${allowed.id}`)
    await this.#useOnce(allowed, { grant, text: code, keepMs: KEPT_MS, requestId })
    const { store, clock } = this.#ports
    const { organizationId, applicationId: clientId, scope } = allowed
    const user = scope.externalUserId
    const audit = auditOf({ organizationId, clientId }, requestId, 'agent.allow', { user })
    const expiresAt = clock.now() + GRANT_MS
    await store.tokens.insert(
      { hash: grant, kind: 'scoped', organizationId, clientId, scope, expiresAt },
      audit,
    )
    return await this.#issue(allowed, grant, requestId)
  }

  /** Throws OAuthProblem, `invalid_grant` for whatever is wrong with the refresh token. */
  async refresh(refreshToken: string, clientId: string, requestId: string): Promise<JsonObject> {
    const content = await this.#ports.seals.open('refresh', refreshToken)
    if (content === null) throw invalidGrant()
    // Written by `#issue`.
    const allowed = content as unknown as Allowed & { readonly grant: string }
    if (allowed.clientHash !== hashSecret(clientId)) throw invalidGrant()
    if ((await this.#ports.store.tokens.find(allowed.grant)) === null) throw invalidGrant()
    const { grant } = allowed
    await this.#useOnce(allowed, { grant, text: refreshToken, keepMs: GRANT_MS, requestId })
    return await this.#issue(allowed, grant, requestId)
  }

  /**
   * Ends what a user allowed, by a refresh token of the client, or one access token, from any holder of it. What is
   * unknown has ended already. Source: RFC 7009, section 2.
   */
  async revoke(token: string, clientId: string, requestId: string): Promise<void> {
    const { store, seals } = this.#ports
    const content = await seals.open('refresh', token)
    if (content !== null) {
      // Written by `#issue`.
      const { grant, ...allowed } = content as unknown as Allowed & { readonly grant: string }
      if (allowed.clientHash === hashSecret(clientId)) await this.#end(allowed, grant, requestId)
      return
    }
    if (!isTokenText(token, ['agent'])) return
    const row = await store.tokens.find(hashSecret(token))
    if (row === null || row.scope === null) return
    const { organizationId, clientId: applicationId, scope, hash } = row
    await this.#end({ organizationId, applicationId, scope }, hash, requestId)
  }

  async #end(
    {
      organizationId,
      applicationId: clientId,
      scope,
    }: Pick<Allowed, 'organizationId' | 'applicationId' | 'scope'>,
    hash: string,
    requestId: string,
  ): Promise<void> {
    const user = scope.externalUserId
    const audit = auditOf({ organizationId, clientId }, requestId, 'agent.revoke', { user })
    await this.#ports.store.tokens.revoke(organizationId, hash, audit)
  }

  /** The caller behind a token of an agent; null: it is none, or over. */
  async callerOf(token: string): Promise<Principal | null> {
    if (!isTokenText(token, ['agent'])) return null
    const hash = hashSecret(token)
    const { store, clock } = this.#ports
    const row = await store.tokens.find(hash)
    if (row === null || row.scope === null || row.expiresAt <= clock.now()) return null
    const principal = applicationPrincipal(row.organizationId, row.clientId, row.hash)
    return { ...principal, kind: 'scoped', ...row.scope, manage: false }
  }

  async #issue(allowed: Allowed, grant: string, requestId: string): Promise<JsonObject> {
    const { store, clock, seals } = this.#ports
    const { organizationId, applicationId: clientId, scope, clientHash, resource } = allowed
    const token = mintToken('agent')
    const user = scope.externalUserId
    await store.tokens.insert(
      {
        hash: hashSecret(token),
        kind: 'scoped',
        organizationId,
        clientId,
        scope,
        expiresAt: clock.now() + SCOPED_TOKEN_SECONDS * 1000,
        madeBy: grant,
      },
      auditOf({ organizationId, clientId }, requestId, 'token.mint_agent', { user }),
    )
    const next = {
      organizationId,
      applicationId: clientId,
      scope: { ...scope },
      clientHash,
      resource,
    }
    const content = { ...next, grant, id: randomText() }
    return {
      access_token: token,
      token_type: 'Bearer',
      expires_in: SCOPED_TOKEN_SECONDS,
      refresh_token: await seals.seal('refresh', content, GRANT_MS),
    }
  }

  /** Of many calls with one text exactly one comes back. The others end the grant: one of two who have it stole it. */
  async #useOnce(
    { organizationId, applicationId: clientId, scope }: Allowed,
    use: {
      readonly grant: string
      readonly text: string
      readonly keepMs: number
      readonly requestId: string
    },
  ): Promise<void> {
    const { grant, text, keepMs, requestId } = use
    const { store, processId } = this.#ports
    const keyHash = hashSecret(text)
    const place = { organizationId, instanceId: null, route: 'agent', keyHash }
    const ownerId = `${processId}/${randomUUID()}`
    const begun = await store.idempotency.begin(place, {
      fingerprint: keyHash,
      ownerId,
      leaseMs: LEASE_MS,
      keepMs,
    })
    if (begun.kind === 'new') return await store.idempotency.markSent(place, ownerId)
    const audit = auditOf({ organizationId, clientId }, requestId, 'agent.reuse', {
      user: scope.externalUserId,
    })
    await store.tokens.revoke(organizationId, grant, audit)
    throw invalidGrant()
  }
}

/** Source: RFC 7636, section 4.2. */
function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

/** Source: RFC 7636, section 4.1. */
function isVerifier(text: string): boolean {
  return /^[\w.~-]{43,128}$/.test(text)
}

function invalidGrant(): OAuthProblem {
  return new OAuthProblem(
    'invalid_grant',
    'the code or refresh token is wrong, used or over; authorize again',
  )
}
