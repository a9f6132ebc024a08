// Who is signed in to the console: sessions in the store, known to the browser by a cookie alone.
import type { Clock } from '../../engine/exchange/clock.ts'
import type { FoundConsoleSession } from '../store/console-sessions.ts'
import type { Store } from '../store/store.ts'
import { auditOf } from '../audit.ts'
import { Cookie } from '../cookie.ts'
import { ConnectorError } from '../../errors.ts'
import type { ServiceSettings } from '../settings.ts'
import { applicationPrincipal, type Principal } from '../tokens/principal.ts'
import { hashSecret, isRandomText, randomText } from '../tokens/token-text.ts'
import { createWindow, type Window } from '../tokens/rate-window.ts'
import type { Caller, Tokens } from '../tokens/tokens.ts'
import type { OpenId } from './open-id.ts'
import { provedAddress, roleOf, type RoleSettings } from './roles.ts'

/** A session ends after an hour without a request (to the minute), and after twelve in any case. */
export const SESSION_IDLE_MS = 3_600_000
export const SESSION_MAX_MS: number = 12 * SESSION_IDLE_MS

/** Who is signed in: an application, or a person of its organisation. */
export type Session = Pick<
  FoundConsoleSession,
  'sessionHash' | 'clientId' | 'organizationId' | 'endsAt' | 'person' | 'addresses'
>

export interface SessionPorts {
  readonly store: Pick<Store, 'consoleSessions' | 'people'>
  readonly clock: Clock
  readonly tokens: Pick<Tokens, 'verifyClient'>
  /** Null: people sign in with the secret of an application only. */
  readonly openId: OpenId | null
  readonly settings: RoleSettings & Pick<ServiceSettings, 'oidcIssuer' | 'oidcOrganization'>
}

interface Opened {
  /** For the cookie. */
  readonly text: string
  readonly session: Session
}

/** Of one address, in a minute: each sign-in at the provider is a request of ours. */
const SIGN_INS_PER_MINUTE = 300

/**
 * The sessions of all processes. The store has their hashes only, so that a copy of it opens none. Nothing is remembered
 * between requests: each looks its session up, so that one that was ended anywhere is over everywhere.
 */
export class Sessions {
  readonly #ports: SessionPorts
  readonly #signIns: Window

  constructor(ports: SessionPorts) {
    this.#ports = ports
    this.#signIns = createWindow(ports.clock, { count: SIGN_INS_PER_MINUTE, ms: 60_000 })
  }

  /** A session of an application. Throws `client_invalid`, `rate_limited`. */
  async open(clientId: string, clientSecret: string, caller: Caller = {}): Promise<Opened> {
    const { tokens, store } = this.#ports
    const application = await tokens.verifyClient(clientId, clientSecret, caller)
    const { organizationId, secretHash, endsAt } = application
    // No longer than the secret is good that opens it.
    const lifeMs = Math.min(
      SESSION_MAX_MS,
      (endsAt ?? Number.MAX_SAFE_INTEGER) - this.#ports.clock.now(),
    )
    const text = randomText()
    const row = { sessionHash: hashSecret(text), organizationId, clientId, personId: null }
    const { address = null, requestId = null } = caller
    const actor = { ...application, address, sessionHash: row.sessionHash }
    const audit = auditOf(actor, requestId, SIGN_IN, { target: clientId })
    const session = await store.consoleSessions.open(row, secretHash, lifeMs, audit)
    if (session !== null)
      return { text, session: { ...session, person: null, addresses: application.addresses } }
    throw new ConnectorError('client_invalid', 'the application was changed meanwhile')
  }

  /** The provider of people, for its sign-in. Throws `route_unknown` where there is none, `rate_limited`. */
  provider({ address = null }: Caller): OpenId {
    const { openId } = this.#ports
    if (openId === null)
      throw new ConnectorError('route_unknown', 'TENON_OIDC_ISSUER names no OpenID provider')
    const waitMs = this.#signIns.wait(address ?? '')
    if (waitMs > 0)
      throw new ConnectorError('rate_limited', 'too many sign-ins', {
        retryAfterMs: Math.ceil(waitMs),
      })
    this.#signIns.take(address ?? '')
    return openId
  }

  get providerTitle(): string | null {
    return this.#ports.openId?.title ?? null
  }

  /** A session of a person whom the provider sent back. Throws `client_invalid`, `scope_denied` and as `OpenId.finish`. */
  async openForPerson(query: URLSearchParams, cookie: string, caller: Caller): Promise<Opened> {
    const { store, settings } = this.#ports
    const claims = await this.provider(caller).finish(query, cookie)
    const role = roleOf(claims, settings)
    const login = provedAddress(claims) ?? loginOf(claims.sub)
    if (role === null) {
      caller.claimed?.(settings.oidcOrganization, `no role for person:${login}`)
      throw new ConnectorError('scope_denied', 'no role of this service is yours; ask its operator')
    }
    const { oidcOrganization: organizationId, oidcIssuer: issuer } = settings
    const name = typeof claims['name'] === 'string' ? shownName(claims['name']) : null
    const person = { organizationId, issuer: issuer ?? '', subject: claims.sub, login, name, role }
    const text = randomText()
    const sessionHash = hashSecret(text)
    const { address = null, requestId = null } = caller
    const actor = { organizationId, clientId: null, person, address, sessionHash }
    const about = { target: `person:${login}`, members: [role] }
    const session = await store.people.signIn(
      person,
      { sessionHash, lifeMs: SESSION_MAX_MS },
      auditOf(actor, requestId, SIGN_IN, about),
    )
    if (session !== null) return { text, session: { ...session, person, addresses: [] } }
    caller.claimed?.(organizationId, `person:${login} was removed`)
    throw new ConnectorError('scope_denied', 'an administrator has removed you')
  }

  /** Null: there is none, or it is over. Only what has the form of a cookie of ours is looked up. */
  async find(text: string | undefined): Promise<Session | null> {
    if (!isRandomText(text)) return null
    return await this.#ports.store.consoleSessions.find(hashSecret(text), SESSION_IDLE_MS)
  }

  /** The login of the administrator who signed in last, for people who are none; null: nobody is known. */
  async administratorFor({ organizationId, person }: Session): Promise<string | null> {
    if (person === null || person.role === 'administrator') return null
    const people = await this.#ports.store.people.list(organizationId)
    const [last] = people
      .filter(
        ({ givenRole, role, removedAt }) =>
          (givenRole ?? role) === 'administrator' && removedAt === null,
      )
      .toSorted((one, other) => other.signedInAt - one.signedInAt)
    return last?.login ?? null
  }

  async close(text: string | undefined): Promise<void> {
    if (isRandomText(text)) await this.#ports.store.consoleSessions.close(hashSecret(text))
  }
}

const SIGN_IN = 'console.sign_in'
const MAX_NAME_CHARS = 255

/** What looks like an address and was not proved may be somebody else's: the audit log must tell the two apart. */
function loginOf(subject: string): string {
  return subject.includes('@') ? `subject:${subject}` : subject
}

/** People name themselves at many providers: without what no database keeps and what turns a line of text around. */
function shownName(text: string): string {
  return text.replaceAll(UNSHOWN, '').slice(0, MAX_NAME_CHARS).toWellFormed()
}

const UNSHOWN = /[\p{Cc}\p{Bidi_Control}]/gu

/** A session acts as its application does, that of a person as far as their role reaches. */
export function sessionPrincipal(session: Session): Principal {
  const { organizationId, clientId, person, sessionHash, addresses } = session
  const known = applicationPrincipal(organizationId, clientId, null)
  const principal = { ...known, sessionHash, addresses }
  return person === null ? principal : { ...principal, person }
}

/** The cookie of a service at `publicUrl`. With http, which loopback alone has, cookies ignore ports: its name has ours. */
export function sessionCookie(publicUrl: string): Cookie {
  return cookieOf(publicUrl, 'tenon-console', 'Strict')
}

/** Sent by the console with every request. A page of another origin cannot add it without our leave, which nobody gets. */
const MARK = 'x-tenon-console'

/**
 * Throws `scope_denied` for a request that another page may have caused. The cookie alone proves nothing: every port
 * of one host is the same site to a browser.
 */
export function requireOwnPage(header: (name: string) => string | undefined): void {
  const site = header('sec-fetch-site')
  if (header(MARK) === '1' && (site === undefined || site === 'same-origin')) return
  throw new ConnectorError(
    'scope_denied',
    'only the console itself may use its session; programs send a token to /v1',
  )
}

/**
 * The cookie of a sign-in under way at an OpenID provider. It comes back from the provider's page, which is another site:
 * so it is no session.
 */
export function signInCookie(publicUrl: string): Cookie {
  return cookieOf(publicUrl, 'tenon-console-sign-in', 'Lax')
}

function cookieOf(publicUrl: string, name: string, sameSite: 'Lax' | 'Strict'): Cookie {
  const port = publicUrl.startsWith('https:') ? '' : `-${URL.parse(publicUrl)?.port ?? ''}`
  return new Cookie(publicUrl, name + port, sameSite)
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'] as const

/**
 * The console's page for returning users, at our origin. A service on loopback is opened under any of its names, and
 * the page must be where the session's cookie is.
 */
export function consoleReturnUrls(publicUrl: string): readonly string[] {
  const url = URL.parse(`${publicUrl}/console/connected`)
  if (url === null) return []
  if (url.protocol !== 'http:' || !LOOPBACK.some((name) => name === url.hostname)) return [url.href]
  return LOOPBACK.map((name) => {
    url.hostname = name
    return url.href
  })
}
