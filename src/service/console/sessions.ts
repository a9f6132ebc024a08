// Who is signed in to the console: sessions in the store, known to the browser by a cookie alone.
import type { Store } from '../store/store.ts'
import { auditOf } from '../audit.ts'
import { Cookie } from '../cookie.ts'
import { ConnectorError } from '../../errors.ts'
import type { ConsoleSessionRow } from '../store/console-sessions.ts'
import { applicationPrincipal, type Principal } from '../tokens/principal.ts'
import { hashSecret, isRandomText, randomText } from '../tokens/token-text.ts'
import type { Caller, Tokens } from '../tokens/tokens.ts'

/** A session ends after an hour without a request (to the minute), and after twelve in any case. */
export const SESSION_IDLE_MS = 3_600_000
export const SESSION_MAX_MS: number = 12 * SESSION_IDLE_MS

export type Session = Pick<ConsoleSessionRow, 'clientId' | 'organizationId' | 'endsAt'>

export interface SessionPorts {
  readonly store: Pick<Store, 'consoleSessions'>
  readonly tokens: Pick<Tokens, 'verifyClient'>
}

/**
 * The sessions of all processes. The store has their hashes only, so that a copy of it opens none. Nothing is remembered
 * between requests: each looks its session up, so that one that was ended anywhere is over everywhere.
 */
export class Sessions {
  readonly #sessions: Store['consoleSessions']
  readonly #tokens: SessionPorts['tokens']

  constructor({ store, tokens }: SessionPorts) {
    this.#sessions = store.consoleSessions
    this.#tokens = tokens
  }

  /** The session and the text for its cookie. Throws `client_invalid`, `rate_limited`. */
  async open(
    clientId: string,
    clientSecret: string,
    caller: Caller = {},
  ): Promise<{ readonly text: string; readonly session: Session }> {
    const application = await this.#tokens.verifyClient(clientId, clientSecret, caller)
    const { organizationId, secretHash } = application
    const text = randomText()
    const about = { target: clientId }
    const audit = auditOf(application, caller.requestId ?? null, 'console.sign_in', about)
    const row = { sessionHash: hashSecret(text), organizationId, clientId }
    const session = await this.#sessions.open(row, secretHash, SESSION_MAX_MS, audit)
    if (session !== null) return { text, session }
    throw new ConnectorError('client_invalid', 'the application was changed meanwhile')
  }

  /** Null: there is none, or it is over. Only what has the form of a cookie of ours is looked up. */
  async find(text: string | undefined): Promise<Session | null> {
    if (!isRandomText(text)) return null
    return await this.#sessions.find(hashSecret(text), SESSION_IDLE_MS)
  }

  async close(text: string | undefined): Promise<void> {
    if (isRandomText(text)) await this.#sessions.close(hashSecret(text))
  }
}

/** A session acts as its application does. */
export function sessionPrincipal({ organizationId, clientId }: Session): Principal {
  return applicationPrincipal(organizationId, clientId, null)
}

/** The cookie of a service at `publicUrl`. With http, which loopback alone has, cookies ignore ports: its name has ours. */
export function sessionCookie(publicUrl: string): Cookie {
  const port = publicUrl.startsWith('https:') ? '' : `-${URL.parse(publicUrl)?.port ?? ''}`
  return new Cookie(publicUrl, `tenon-console${port}`, 'Strict')
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
