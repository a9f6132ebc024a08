// Tokens: minted for applications and, narrowed, for their users; checked on every request; revoked at once.
import { parseAddress } from '../../engine/exchange/address.ts'
import { ConnectorError } from '../../errors.ts'
import {
  type ApplicationRow,
  type FoundToken,
  SECRET_USE_MS,
  type TokenScope,
} from '../store/applications-and-tokens.ts'
import type { AuditEntry } from '../store/audit.ts'
import type { Store } from '../store/store.ts'
import { auditOf } from '../audit.ts'
import type { ServiceBase } from '../base.ts'
import { dropOldest } from '../drop-oldest.ts'
import { addressDenied, isAllowed } from './allowed-addresses.ts'
import { secretsInUse } from './applications.ts'
import { applicationPrincipal, type Principal } from './principal.ts'
import { createWindow, type Window } from './rate-window.ts'
import { whyRefused } from './refused-uses.ts'
import { hashSecret, isSameHash, isTokenText, mintToken } from './token-text.ts'

export const APPLICATION_TOKEN_SECONDS = 900
export const SCOPED_TOKEN_SECONDS = 1200
/** How long an answer of the store is believed: revocation reaches every process within a second. */
const CACHE_MS = 500
const MAX_CACHED = 10_000
const MINTED_PER_SECOND = 10
const FAILED_SECRETS_PER_MINUTE = 10

export interface ScopedTokenRequest extends TokenScope {
  readonly ttlSeconds: number
}

export interface Caller {
  /** Left out: nobody asked by HTTP. */
  readonly requestId?: string | null
  /** IP address; left out: this process. */
  readonly address?: string | null
  /** Told of a client id that is known, where it is refused. */
  claimed?(organizationId: string, why: string): void
}

export interface MintedToken {
  readonly token: string
  readonly expiresInSeconds: number
}

export interface TokenPorts extends Pick<ServiceBase, 'store' | 'clock'> {
  /** Acts as an application token of the first organisation; null: there is none. */
  readonly devToken: { readonly token: string; readonly organizationId: string } | null
}

/** An application whose secret was right. */
/** The application with an id, and whether the secret that came with it is one of it. */
interface FoundClient {
  readonly named: ApplicationRow | null
  readonly verified: VerifiedClient | null
}

interface VerifiedClient extends ApplicationRow {
  /** Of that secret; null: it has no end. */
  readonly endsAt: number | null
}

interface Cached {
  readonly principal: Principal
  readonly expiresAt: number
  readonly until: number
}

export class Tokens {
  readonly #ports: TokenPorts
  readonly #devHash: string | null
  readonly #cache = new Map<string, Cached>()
  /**
   * Hashes of headers that were good a moment ago: the same text comes with thousands of requests. A Map compares texts
   * of the same hash only, so how long it looks tells a guesser nothing. All are dropped as often as tokens are looked up.
   */
  readonly #hashes = new Map<string, string>()
  #hashesUntil = 0
  /** When the use of a secret was noted, by its hash. */
  readonly #uses = new Map<string, number>()
  readonly #minted: Window
  readonly #failed: Window

  constructor(ports: TokenPorts) {
    const { clock, devToken } = ports
    this.#ports = ports
    this.#devHash = devToken === null ? null : hashSecret(devToken.token)
    this.#minted = createWindow(clock, { count: MINTED_PER_SECOND, ms: 1000 })
    this.#failed = createWindow(clock, { count: FAILED_SECRETS_PER_MINUTE, ms: 60_000 })
  }

  /** The caller behind an `Authorization` header, where it was looked up a moment ago; null: ask `authenticate`. */
  remembered(authorization = ''): Principal | null {
    const now = this.#ports.clock.monotonic()
    if (now >= this.#hashesUntil) {
      this.#hashes.clear()
      this.#hashesUntil = now + CACHE_MS
    }
    const seen = this.#hashes.get(authorization)
    if (seen !== undefined) return this.#knownBy(seen)
    const token = bearerOf(authorization)
    if (token === null) return null
    const hash = hashSecret(token)
    const principal = this.#knownBy(hash)
    if (principal !== null) this.#hashes.set(authorization, hash)
    return principal
  }

  /** The caller behind an `Authorization` header. Throws `token_invalid`, in one form for everything that can be wrong. */
  async authenticate(authorization: string | undefined): Promise<Principal> {
    const token = bearerOf(authorization)
    if (token === null) throw tokenInvalid()
    const hash = hashSecret(token)
    const { devToken } = this.#ports
    if (devToken !== null && this.#devHash !== null && isSameHash(hash, this.#devHash))
      // On a machine of its developer nothing is kept from the developer.
      return { ...applicationPrincipal(devToken.organizationId, null, hash), mayRequest: true }
    if (!isTokenText(token, ['application', 'scoped'])) throw tokenInvalid()
    return await this.#lookUp(hash)
  }

  /** Found by a hash, whose digits tell a guesser nothing. */
  #knownBy(hash: string): Principal | null {
    const { clock } = this.#ports
    const known = this.#cache.get(hash)
    if (known === undefined || known.until <= clock.monotonic()) return null
    return known.expiresAt > clock.now() ? known.principal : null
  }

  async #lookUp(hash: string): Promise<Principal> {
    const known = this.#knownBy(hash)
    if (known !== null) return known
    const { clock, store } = this.#ports
    const now = clock.monotonic()
    const row = await store.tokens.find(hash)
    this.#cache.delete(hash)
    // An unknown token is asked for again: it may be minted by another process a moment later.
    if (row === null || !isSameHash(row.hash, hash) || row.expiresAt <= clock.now())
      throw tokenInvalid()
    const principal = principalOf(row)
    this.#cache.set(hash, { principal, expiresAt: row.expiresAt, until: now + CACHE_MS })
    dropOldest(this.#cache, MAX_CACHED)
    return principal
  }

  /**
   * The application of a client id and secret. The right secret is never refused; wrong ones are counted by id and
   * address, and are `client_invalid`, beyond the limit `rate_limited`. From an address that is not on its list the right
   * one is `address_denied`.
   */
  async verifyClient(
    clientId: string,
    clientSecret: string,
    caller: Caller = {},
  ): Promise<VerifiedClient> {
    const { address = null } = caller
    const key = `${addressGroup(address)} ${clientId}`
    const waitMs = this.#failed.wait(key)
    // Counted before anything is awaited, so that guesses made at once are counted as well.
    const giveBack = waitMs > 0 ? () => {} : this.#failed.take(key)
    let found: FoundClient
    try {
      found = await this.#client(clientId, clientSecret)
    } catch (error) {
      giveBack()
      throw error
    }
    const { named, verified: application } = found
    const refuse = (reason: Parameters<typeof whyRefused>[0]): void =>
      named === null ? undefined : caller.claimed?.(named.organizationId, whyRefused(reason, named))
    if (application === null) {
      refuse(named?.disabledAt == null ? 'wrong_secret' : 'disabled')
      refuseBeyond(waitMs, 'too many wrong secrets for this client')
      throw new ConnectorError('client_invalid', 'client_id or client_secret is wrong')
    }
    // Others who guess must not be able to lock it out.
    giveBack()
    if ((application.endsAt ?? Number.MAX_SAFE_INTEGER) <= this.#ports.clock.now()) {
      refuse('expired_secret')
      throw new ConnectorError(
        'client_invalid',
        'this client_secret has expired; have an administrator make another one',
      )
    }
    // Only who has the secret is told.
    if (caller.address !== undefined && !isAllowed(application.addresses, caller.address)) {
      refuse('address')
      throw addressDenied(caller.address)
    }
    this.#noteUse(clientId, hashSecret(clientSecret))
    return application
  }

  async #client(clientId: string, clientSecret: string): Promise<FoundClient> {
    const { clock, store } = this.#ports
    const [named, secrets] = await Promise.all([
      store.applications.byClientId(clientId),
      store.applications.secrets([clientId]),
    ])
    const hash = hashSecret(clientSecret)
    // The comparison runs for unknown clients too, so that time does not tell them apart.
    const isNewest = isSameHash(named?.secretHash ?? hashSecret(clientId), hash)
    if (named === null || named.disabledAt !== null) return { named, verified: null }
    const { newest, earlier } = secretsInUse(named, secrets, clock.now())
    const known = isNewest ? newest : earlier.find(({ secretHash }) => isSameHash(secretHash, hash))
    if (!isNewest && known === undefined) return { named, verified: null }
    return { named, verified: { ...named, endsAt: known?.endsAt ?? null } }
  }

  /** Written behind the answer, and seldom: that it is not written is nobody's failure. */
  #noteUse(clientId: string, secretHash: string): void {
    const { clock, store } = this.#ports
    const now = clock.monotonic()
    if ((this.#uses.get(secretHash) ?? Number.NEGATIVE_INFINITY) > now - SECRET_USE_MS) return
    this.#uses.delete(secretHash)
    this.#uses.set(secretHash, now)
    dropOldest(this.#uses, MAX_CACHED)
    store.applications.noteSecretUse(clientId, secretHash).catch(() => {})
  }

  /** An application token for a client. Throws `client_invalid`, `rate_limited`. */
  async mintApplication(
    clientId: string,
    clientSecret: string,
    caller: Caller = {},
  ): Promise<MintedToken & { readonly organizationId: string }> {
    const application = await this.verifyClient(clientId, clientSecret, caller)
    const { organizationId } = application
    this.#countMinted(clientId)
    const { address = null, requestId = null } = caller
    const actor = { ...application, address }
    const audit = auditOf(actor, requestId, 'token.mint', { target: clientId })
    const row = { kind: 'application', organizationId, clientId, scope: null } as const
    return { ...(await this.#mint(row, APPLICATION_TOKEN_SECONDS, audit)), organizationId }
  }

  /** A token for one user, never with more rights than its maker. Throws `rate_limited`. */
  async mintScoped(
    principal: Principal,
    { ttlSeconds, ...scope }: ScopedTokenRequest,
    requestId: string | null = null,
  ): Promise<MintedToken> {
    const { organizationId, clientId, tokenHash: madeBy } = principal
    this.#countMinted(clientId ?? organizationId)
    const user = scope.externalUserId
    const audit = auditOf(principal, requestId, 'token.mint_scoped', { user })
    const row = { kind: 'scoped', organizationId, clientId, scope, madeBy } as const
    return await this.#mint(row, ttlSeconds, audit)
  }

  #countMinted(maker: string): void {
    refuseBeyond(this.#minted.wait(maker), 'too many tokens a second')
    this.#minted.take(maker)
  }

  async #mint(
    row: Omit<Parameters<Store['tokens']['insert']>[0], 'hash' | 'expiresAt'>,
    expiresInSeconds: number,
    audit: AuditEntry,
  ): Promise<MintedToken> {
    const { clock, store } = this.#ports
    const token = mintToken(row.kind)
    const expiresAt = clock.now() + expiresInSeconds * 1000
    await store.tokens.insert({ ...row, hash: hashSecret(token), expiresAt }, audit)
    return { token, expiresInSeconds }
  }

  /** Ends one token, or all scoped tokens of a user. Unknown ones are no error. */
  async revoke(
    principal: Principal,
    target: { readonly token: string } | { readonly externalUserId: string },
    requestId: string | null = null,
  ): Promise<void> {
    const { tokens } = this.#ports.store
    if ('token' in target) {
      const hash = hashSecret(target.token)
      const audit = auditOf(principal, requestId, 'token.revoke', { target: 'token' })
      await tokens.revoke(principal.organizationId, hash, audit)
      this.#cache.delete(hash)
    } else {
      const { externalUserId } = target
      const audit = auditOf(principal, requestId, 'token.revoke_user', { user: externalUserId })
      await tokens.revokeUser(principal.organizationId, externalUserId, audit)
      this.#cache.clear()
    }
  }
}

function principalOf(row: FoundToken): Principal {
  const { organizationId, clientId, hash, compat } = row
  const principal = {
    ...applicationPrincipal(organizationId, clientId, hash),
    compat,
    mayRequest: row.allows?.includes('request') === true,
  }
  if (row.scope !== null) return { ...principal, kind: 'scoped', ...row.scope }
  // Tokens of end users are used from where these are.
  return row.addresses === undefined ? principal : { ...principal, addresses: row.addresses }
}

/** The token of an `Authorization` header; null: there is none. */
export function bearerOf(authorization: string | undefined): string | null {
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
  const parsed = address === null ? null : parseAddress(address)
  if (parsed === null) return address ?? ''
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return Buffer.from(parsed.toByteArray().slice(0, NETWORK_BYTES)).toString('hex')
}
