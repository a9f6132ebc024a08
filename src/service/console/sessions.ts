// Who is signed in to the console: sessions in the memory of this process, known to the browser by a cookie alone.
import type { Clock } from '../../engine/exchange/clock.ts'
import type { Store } from '../store/store.ts'
import { auditOf } from '../audit.ts'
import { Cookie } from '../cookie.ts'
import { ConnectorError } from '../../errors.ts'
import { applicationPrincipal, type Principal } from '../tokens/principal.ts'
import { hashSecret, isRandomText, randomText } from '../tokens/token-text.ts'
import type { Caller, Tokens } from '../tokens/tokens.ts'
import { dropOldest } from '../drop-oldest.ts'

/** A session ends after an hour without a request, and after twelve in any case. */
export const SESSION_IDLE_MS = 3_600_000
export const SESSION_MAX_MS: number = 12 * SESSION_IDLE_MS
/** How long the application behind a session is believed to be what it was. */
const BELIEVED_MS = 500
const MAX_SESSIONS = 10_000

export interface Session {
  readonly clientId: string
  readonly organizationId: string
  /** Milliseconds since 1970, however busy the session is. */
  readonly endsAt: number
}

export interface SessionPorts {
  readonly store: Store
  readonly clock: Clock
  readonly tokens: Pick<Tokens, 'verifyClient'>
}

interface Kept extends Session {
  readonly secretHash: string
  usedAt: number
  believedUntil: number
}

/** The sessions of one process. Only their hashes are kept, so a memory dump opens none. */
export class Sessions {
  readonly #store: Store
  readonly #clock: Clock
  readonly #tokens: Pick<Tokens, 'verifyClient'>
  readonly #kept = new Map<string, Kept>()

  constructor({ store, clock, tokens }: SessionPorts) {
    this.#store = store
    this.#clock = clock
    this.#tokens = tokens
  }

  /** The session and the text for its cookie. Throws `client_invalid`, `rate_limited`. */
  async open(
    clientId: string,
    clientSecret: string,
    caller: Caller = {},
  ): Promise<{ readonly text: string; readonly session: Session }> {
    const application = await this.#tokens.verifyClient(clientId, clientSecret, caller)
    await this.#store.audit.append(
      auditOf(application, caller.requestId ?? null, 'console.sign_in', { target: clientId }),
    )
    const text = randomText()
    const now = this.#clock.now()
    const session: Kept = {
      clientId,
      organizationId: application.organizationId,
      secretHash: application.secretHash,
      endsAt: now + SESSION_MAX_MS,
      usedAt: now,
      believedUntil: now + BELIEVED_MS,
    }
    this.#kept.set(hashSecret(text), session)
    dropOldest(this.#kept, MAX_SESSIONS)
    return { text, session }
  }

  /** Null: there is none, it is over, or its application was disabled or got another secret. */
  async find(text: string | undefined): Promise<Session | null> {
    if (!isRandomText(text)) return null
    const key = hashSecret(text)
    const session = this.#kept.get(key)
    if (session === undefined) return null
    const now = this.#clock.now()
    const isOver = now >= session.endsAt || now - session.usedAt >= SESSION_IDLE_MS
    if (isOver || !(await this.#isKnown(session, now))) {
      this.#kept.delete(key)
      return null
    }
    session.usedAt = now
    return session
  }

  close(text: string | undefined): void {
    if (text !== undefined) this.#kept.delete(hashSecret(text))
  }

  async #isKnown(session: Kept, now: number): Promise<boolean> {
    if (now < session.believedUntil) return true
    const application = await this.#store.applications.byClientId(session.clientId)
    session.believedUntil = now + BELIEVED_MS
    return application?.disabledAt === null && application.secretHash === session.secretHash
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
