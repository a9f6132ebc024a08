// Tokens, codes and sessions that the vendor has given out, and which of them still work.
import { createHash } from 'node:crypto'
import type { TokenPair as SignedPair } from '../../language/manifest/credential-places/oauth1.ts'
import { type Chance, hexDigits } from '../data/chance.ts'
import type { Scopes } from './scopes.ts'

export interface TokenPair {
  readonly access: string
  readonly refresh: string
}

/** What the texts of a method's tokens begin with. */
export type Beginnings = Partial<TokenPair>

export interface CodeTerms {
  readonly redirectUri: string
  readonly clientId: string
  readonly scopes: Scopes
  /** PKCE: the challenge and how it was made of the verifier; null without PKCE. */
  readonly challenge: { readonly value: string; readonly method: 'S256' | 'plain' } | null
}

/** A token of OAuth 1.0a before its user agreed, and until it is exchanged. */
export interface Temporary {
  readonly method: string
  readonly secret: string
  readonly callback: string
  /** null: nobody has agreed yet. */
  verifier: string | null
  readonly untilMs: number
}

/** One consent: all tokens that descend from it. Presenting a spent refresh token ends it. */
interface Family {
  readonly method: string
  readonly scopes: Scopes
  revoked: boolean
}

export interface TokenRules {
  /** A refresh token works once. */
  readonly rotates: boolean
  /** How long a spent one still works; null: not at all. */
  readonly graceMs: number | null
}

type SecretKind =
  | keyof Beginnings
  | 'code'
  | 'session'
  | 'temporary'
  | 'temporary-secret'
  | 'token-secret'
  | 'verifier'

/** How long an access token lives, in seconds. */
export const ACCESS_SECONDS = 3600
const CODE_MS = 10 * 60_000

/** The tokens of one sandbox. Times are those of its own clock. */
export class TokenBook {
  readonly #chance: Chance
  readonly #now: () => number
  readonly #beginnings: ReadonlyMap<string, Beginnings>
  readonly #access = new Map<string, { readonly family: Family; readonly untilMs: number }>()
  readonly #refresh = new Map<string, { readonly family: Family; spentAtMs: number | null }>()
  readonly #codes = new Map<string, { terms: CodeTerms; method: string; untilMs: number }>()
  readonly #sessions = new Map<string, number>()
  readonly #temporary = new Map<string, Temporary>()
  /** Of tokens of OAuth 1.0a. */
  readonly #secrets = new Map<string, string>()
  #made = 0

  constructor(
    chance: Chance,
    now: () => number,
    beginnings: ReadonlyMap<string, Beginnings> = new Map(),
  ) {
    this.#chance = chance
    this.#now = now
    this.#beginnings = beginnings
  }

  /** The tokens of a new consent. `known`: the tokens that the demo credentials name. */
  grant(method: string, scopes: Scopes, known: Partial<TokenPair> = {}): TokenPair {
    const family: Family = { method, scopes, revoked: false }
    const pair = {
      access: known.access ?? this.#secret('access', method),
      refresh: known.refresh ?? this.#secret('refresh', method),
    }
    this.#add(family, pair)
    return pair
  }

  /**
   * New tokens for a refresh token; null when it is unknown, revoked or spent. Presenting a spent one revokes every
   * token of its family (RFC 9700, section 4.14.2).
   */
  renew(method: string, token: string, rules: TokenRules): (TokenPair & { scopes: Scopes }) | null {
    const issued = this.#refresh.get(token)
    if (issued === undefined || issued.family.method !== method || issued.family.revoked)
      return null
    const { family, spentAtMs } = issued
    const spentMs = spentAtMs === null ? null : this.#now() - spentAtMs
    if (spentMs !== null && spentMs > (rules.graceMs ?? -1)) {
      family.revoked = true
      return null
    }
    if (rules.rotates) issued.spentAtMs ??= this.#now()
    const pair = {
      access: this.#secret('access', method),
      refresh: rules.rotates ? this.#secret('refresh', method) : token,
    }
    this.#add(family, pair)
    return { ...pair, scopes: family.scopes }
  }

  /** What an access token of this method was issued for; null when it does not work, or no longer. */
  rightsOf(method: string, access: string): { readonly scopes: Scopes } | null {
    const issued = this.#access.get(access)
    const works =
      issued !== undefined &&
      issued.family.method === method &&
      !issued.family.revoked &&
      issued.untilMs > this.#now()
    return works ? issued.family : null
  }

  /** Ends every access token at once, as if its time were over; refresh tokens go on. */
  expireAccess(): void {
    this.#access.clear()
    this.#sessions.clear()
  }

  /** Whether a code or a refresh token is of this method. */
  isIssuedBy(method: string, text: string): boolean {
    return (this.#codes.get(text)?.method ?? this.#refresh.get(text)?.family.method) === method
  }

  issueCode(method: string, terms: CodeTerms): string {
    const code = this.#secret('code')
    this.#codes.set(code, { terms, method, untilMs: this.#now() + CODE_MS })
    return code
  }

  /** The terms of a code, which works once; null when it is unknown, spent or too old. */
  redeemCode(method: string, code: string): CodeTerms | null {
    const issued = this.#codes.get(code)
    this.#codes.delete(code)
    return issued?.method === method && issued.untilMs > this.#now() ? issued.terms : null
  }

  /** A temporary token of OAuth 1.0a. Source: RFC 5849 section 2.1. */
  issueTemporary(method: string, callback: string): SignedPair {
    const pair = { token: this.#secret('temporary'), secret: this.#secret('temporary-secret') }
    const untilMs = this.#now() + CODE_MS
    const { token, secret } = pair
    this.#temporary.set(token, { method, secret, callback, verifier: null, untilMs })
    return pair
  }

  /** null: it is unknown, was exchanged, or is too old. */
  temporaryOf(method: string, token: string): Temporary | null {
    const issued = this.#temporary.get(token)
    return issued?.method === method && issued.untilMs > this.#now() ? issued : null
  }

  /** The verifier of a temporary token to which its user agrees. */
  allowTemporary(token: string): string {
    const issued = this.#temporary.get(token)
    if (issued === undefined) throw new TypeError('there is no such temporary token')
    issued.verifier ??= this.#secret('verifier')
    return issued.verifier
  }

  endTemporary(token: string): void {
    this.#temporary.delete(token)
  }

  /** A token of OAuth 1.0a with its secret, which does not end. `pair`: one that the demo credentials name. */
  grantSigned(method: string, scopes: Scopes, pair?: SignedPair): SignedPair {
    const { token, secret } = pair ?? {
      token: this.#secret('access', method),
      secret: this.#secret('token-secret'),
    }
    const family: Family = { method, scopes, revoked: false }
    this.#access.set(token, { family, untilMs: Infinity })
    this.#secrets.set(token, secret)
    return { token, secret }
  }

  /** The secret of a token of OAuth 1.0a; null: it is none. */
  secretOf(token: string): string | null {
    return this.#secrets.get(token) ?? null
  }

  /** Ends every consent and session of which a token stands in the text. */
  revokeIn(text: string): void {
    for (const [token, { family }] of [...this.#access, ...this.#refresh])
      if (text.includes(token)) family.revoked = true
    for (const token of this.#sessions.keys())
      if (text.includes(token)) this.#sessions.delete(token)
  }

  /** `before`: the token of a login under way, which goes on; empty: it begins. */
  openSession(ttlMs: number, before = ''): { readonly token: string; readonly untilMs: number } {
    const token = before === '' ? this.#secret('session') : before
    const untilMs = this.#now() + ttlMs
    this.#sessions.set(token, untilMs)
    return { token, untilMs }
  }

  acceptsSession(token: string): boolean {
    return (this.#sessions.get(token) ?? 0) > this.#now()
  }

  #add(family: Family, pair: TokenPair): void {
    this.#access.set(pair.access, { family, untilMs: this.#now() + ACCESS_SECONDS * 1000 })
    if (!this.#refresh.has(pair.refresh))
      this.#refresh.set(pair.refresh, { family, spentAtMs: null })
  }

  #secret(kind: SecretKind, method = ''): string {
    this.#made++
    const beginnings: Readonly<Record<string, string>> = this.#beginnings.get(method) ?? {}
    return `${beginnings[kind] ?? `demo-${kind}`}-${hexDigits(this.#chance, `token/${kind}/${this.#made}`, 24)}`
  }
}

/** Whether a verifier belongs to a challenge. Source: RFC 7636, section 4.6. */
export function fitsChallenge(
  challenge: CodeTerms['challenge'],
  verifier: string | undefined,
): boolean {
  if (challenge === null) return verifier === undefined
  if (verifier === undefined) return false
  const expected =
    challenge.method === 'plain'
      ? verifier
      : createHash('sha256').update(verifier).digest('base64url')
  return challenge.value === expected
}
