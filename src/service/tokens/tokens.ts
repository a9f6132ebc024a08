// Tokens: minted for applications and, narrowed, for their users; checked on every request; revoked at once.
import { ConnectorError } from '../../errors.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import type { ApplicationRow, TokenRow } from '../store/applications-and-tokens.ts'
import type { Store } from '../store/store.ts'
import { auditOf } from '../audit.ts'
import { applicationPrincipal, type Principal } from './principal.ts'
import { createWindow } from './rate-window.ts'
import { hashSecret, isSameHash, isTokenText, mintToken } from './token-text.ts'
import ipaddr from 'ipaddr.js'

export const APPLICATION_TOKEN_SECONDS = 900
export const SCOPED_TOKEN_SECONDS = 1200
/** How long an answer of the store is believed: revocation reaches every process within a second. */
const CACHE_MS = 500
const MAX_CACHED = 10_000
const MINTED_PER_SECOND = 10
const FAILED_SECRETS_PER_MINUTE = 10

export interface ScopedTokenWish {
  readonly externalUserId: string
  readonly connectorTypes: readonly string[] | null
  readonly connectorIds: readonly string[] | null
  readonly actions: readonly string[] | null
  readonly manage: boolean
  readonly ttlSeconds: number
}

/** Who shows a client id and secret. */
export interface Caller {
  /** Left out: nobody asked by HTTP. */
  readonly requestId?: string | null
  /** IP address; left out: this process. */
  readonly address?: string | null
}

export interface MintedToken {
  readonly token: string
  readonly expiresInSeconds: number
}

export interface Tokens {
  /** The caller behind an `Authorization` header. Throws `token_invalid`, in one form for everything that can be wrong. */
  authenticate(authorization: string | undefined): Promise<Principal>
  /** The same caller at once, where it was looked up a moment ago; null: ask `authenticate`. */
  remembered(authorization: string | undefined): Principal | null
  /**
   * The application of a client id and secret. The right secret is never refused; wrong ones are counted by id and
   * address, and are `client_invalid`, beyond the limit `rate_limited`.
   */
  verifyClient(clientId: string, clientSecret: string, caller?: Caller): Promise<ApplicationRow>
  /** An application token for a client. Throws `client_invalid`, `rate_limited`. */
  mintApplication(
    clientId: string,
    clientSecret: string,
    caller?: Caller,
  ): Promise<MintedToken & { readonly organizationId: string }>
  /** A token for one user, never with more rights than its maker. Throws `rate_limited`. */
  mintScoped(principal: Principal, wish: ScopedTokenWish, requestId?: string): Promise<MintedToken>
  /** Ends one token, or all scoped tokens of a user. Unknown ones are no error. */
  revoke(
    principal: Principal,
    target: { readonly token: string } | { readonly externalUserId: string },
    requestId?: string,
  ): Promise<void>
}

export interface TokenPorts {
  readonly store: Store
  readonly clock: Clock
  /** Acts as an application token of the first organisation; null: there is none. */
  readonly devToken: { readonly token: string; readonly organizationId: string } | null
}

interface Cached {
  readonly principal: Principal
  readonly expiresAt: number
  readonly until: number
}

/** Creates the tokens of one process. */
export function createTokens({ store, clock, devToken }: TokenPorts): Tokens {
  const cache = new Map<string, Cached>()
  /**
   * Hashes of headers that were good a moment ago: the same text comes with thousands of requests. A Map compares texts
   * of the same hash only, so how long it looks tells a guesser nothing. All are dropped as often as tokens are looked up.
   */
  const hashes = new Map<string, string>()
  let hashesUntil = 0
  const minted = createWindow(clock, { count: MINTED_PER_SECOND, ms: 1000 })
  const failed = createWindow(clock, { count: FAILED_SECRETS_PER_MINUTE, ms: 60_000 })
  const devHash = devToken === null ? null : hashSecret(devToken.token)

  /** Found by a hash, whose digits tell a guesser nothing. */
  function knownBy(hash: string): Principal | null {
    const known = cache.get(hash)
    if (known === undefined || known.until <= clock.monotonic()) return null
    return known.expiresAt > clock.now() ? known.principal : null
  }

  async function lookUp(hash: string): Promise<Principal> {
    const known = knownBy(hash)
    if (known !== null) return known
    const now = clock.monotonic()
    const row = await store.tokens.find(hash)
    cache.delete(hash)
    // An unknown token is asked for again: it may be minted by another process a moment later.
    if (row === null || !isSameHash(row.hash, hash) || row.expiresAt <= clock.now())
      throw tokenInvalid()
    const principal = principalOf(row)
    cache.set(hash, { principal, expiresAt: row.expiresAt, until: now + CACHE_MS })
    const [oldest] = cache.keys()
    if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest)
    return principal
  }

  async function verifyClient(
    clientId: string,
    clientSecret: string,
    { address = null }: Caller = {},
  ): Promise<ApplicationRow> {
    const key = `${addressGroup(address)} ${clientId}`
    const waitMs = failed.wait(key)
    // Counted before anything is awaited, so that guesses made at once are counted as well.
    const giveBack = waitMs > 0 ? () => {} : failed.take(key)
    const application = await rightApplication(clientId, clientSecret).catch((error: unknown) => {
      giveBack()
      throw error
    })
    if (application === null) {
      refuseBeyond(waitMs, 'too many wrong secrets for this client')
      throw new ConnectorError('client_invalid', 'client_id or client_secret is wrong')
    }
    // Others who guess must not be able to lock it out.
    giveBack()
    return application
  }

  /** null: there is none with this secret. */
  async function rightApplication(
    clientId: string,
    clientSecret: string,
  ): Promise<ApplicationRow | null> {
    const application = await store.applications.byClientId(clientId)
    const hash = hashSecret(clientSecret)
    // The comparison runs for unknown clients too, so that time does not tell them apart.
    const matches = isSameHash(application?.secretHash ?? hashSecret(clientId), hash)
    return application !== null && matches && application.disabledAt === null ? application : null
  }

  return {
    remembered(authorization = '') {
      const now = clock.monotonic()
      if (now >= hashesUntil) {
        hashes.clear()
        hashesUntil = now + CACHE_MS
      }
      const seen = hashes.get(authorization)
      if (seen !== undefined) return knownBy(seen)
      const token = bearerOf(authorization)
      if (token === null) return null
      const hash = hashSecret(token)
      const principal = knownBy(hash)
      if (principal !== null) hashes.set(authorization, hash)
      return principal
    },

    async authenticate(authorization) {
      const token = bearerOf(authorization)
      if (token === null) throw tokenInvalid()
      const hash = hashSecret(token)
      if (devToken !== null && devHash !== null && isSameHash(hash, devHash))
        return applicationPrincipal(devToken.organizationId, null, hash)
      if (!isTokenText(token, ['application', 'scoped'])) throw tokenInvalid()
      return await lookUp(hash)
    },

    verifyClient,

    async mintApplication(clientId, clientSecret, caller = {}) {
      const application = await verifyClient(clientId, clientSecret, caller)
      refuseBeyond(minted.wait(clientId), 'too many tokens a second')
      minted.take(clientId)
      const token = mintToken('application')
      await store.tokens.insert(
        {
          hash: hashSecret(token),
          kind: 'application',
          organizationId: application.organizationId,
          clientId,
          scope: null,
          expiresAt: clock.now() + APPLICATION_TOKEN_SECONDS * 1000,
        },
        auditOf(application, caller.requestId ?? null, 'token.mint', { target: clientId }),
      )
      return {
        token,
        expiresInSeconds: APPLICATION_TOKEN_SECONDS,
        organizationId: application.organizationId,
      }
    },

    async mintScoped(principal, wish, requestId) {
      const maker = principal.clientId ?? principal.organizationId
      refuseBeyond(minted.wait(maker), 'too many tokens a second')
      minted.take(maker)
      const token = mintToken('scoped')
      const { ttlSeconds, ...scope } = wish
      await store.tokens.insert(
        {
          hash: hashSecret(token),
          kind: 'scoped',
          organizationId: principal.organizationId,
          clientId: principal.clientId,
          scope,
          madeBy: principal.tokenHash,
          expiresAt: clock.now() + ttlSeconds * 1000,
        },
        auditOf(principal, requestId ?? null, 'token.mint_scoped', {
          target: wish.externalUserId,
        }),
      )
      return { token, expiresInSeconds: ttlSeconds }
    },

    async revoke(principal, target, requestId) {
      if ('token' in target) {
        const hash = hashSecret(target.token)
        await store.tokens.revoke(
          principal.organizationId,
          hash,
          auditOf(principal, requestId ?? null, 'token.revoke', { target: 'token' }),
        )
        cache.delete(hash)
        return
      }
      await store.tokens.revokeUser(
        principal.organizationId,
        target.externalUserId,
        auditOf(principal, requestId ?? null, 'token.revoke_user', {
          target: target.externalUserId,
        }),
      )
      cache.clear()
    },
  }
}

function principalOf(row: TokenRow): Principal {
  if (row.scope === null) return applicationPrincipal(row.organizationId, row.clientId, row.hash)
  return {
    kind: 'scoped',
    organizationId: row.organizationId,
    clientId: row.clientId,
    externalUserId: row.scope.externalUserId,
    connectorTypes: row.scope.connectorTypes,
    connectorIds: row.scope.connectorIds,
    actions: row.scope.actions,
    manage: row.scope.manage,
    tokenHash: row.hash,
  }
}

function bearerOf(authorization: string | undefined): string | null {
  const match = /^bearer +(\S+)$/i.exec(authorization ?? '')
  return match?.[1] ?? null
}

/** One form for a missing, malformed, unknown, expired and revoked token: it tells a thief nothing. */
function tokenInvalid(): ConnectorError {
  return new ConnectorError(
    'token_invalid',
    'the bearer token is missing, wrong, expired or revoked; mint a new one',
  )
}

function refuseBeyond(waitMs: number, message: string): void {
  if (waitMs <= 0) return
  throw new ConnectorError('rate_limited', message, { retryAfterMs: Math.ceil(waitMs) })
}

/** A caller with IPv6 has at least a network of this many bits for itself. Source: RFC 6177. */
const NETWORK_BYTES = 8

/**
 * What stands for the caller behind an IP address: IPv4 as it is, also where it is mapped into IPv6, and the first 64 bits
 * of IPv6. Null and text that is no address stand for themselves.
 */
function addressGroup(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return address ?? ''
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return Buffer.from(parsed.toByteArray().slice(0, NETWORK_BYTES)).toString('hex')
}
