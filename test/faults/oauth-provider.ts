// An OAuth 2.0 provider with the habits that lose connections: single-use refresh tokens, families that are revoked on
// a replay, grace windows, slow and lost answers. It runs on loopback, or without any network by `answer()`.
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ProviderOptions {
  readonly clientId?: string
  readonly clientSecret?: string
  /** Life of an access token in seconds; default 3600. */
  readonly lifeSeconds?: number
  /** Whether a refresh gives a new refresh token and kills the old one; default true. */
  readonly rotates?: boolean
  /** How long a spent refresh token still works, giving the same successors again; default 0. */
  readonly graceMs?: number
  /** Whether a refresh ends the access token before; default false. */
  readonly endsOldAccess?: boolean
  /** Further members of every token answer. */
  readonly extra?: Readonly<Record<string, unknown>>
  /** Milliseconds of the provider's clock; default Date.now. */
  readonly now?: () => number
  /** Waits; default a timer. */
  readonly sleep?: (ms: number) => Promise<void>
}

/** What may go wrong with the next token request, once per entry. */
export type Fault =
  /** The answer takes this long. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** The tokens are rotated, then the connection breaks. */
  | { readonly kind: 'lost' }
  /** The connection breaks before anything is done. */
  | { readonly kind: 'ignored' }
  /** This is answered instead, nothing is done. */
  | {
      readonly kind: 'refusal'
      readonly status: number
      readonly body: unknown
      readonly headers?: Readonly<Record<string, string>>
    }
  /** The tokens are rotated and the answer is changed. A text is sent as it is. */
  | {
      readonly kind: 'odd'
      readonly change: (answer: Record<string, unknown>) => unknown
      readonly type?: string
    }

export interface ProviderRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

export interface ProviderAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface ProviderCounters {
  /** Token requests that arrived. */
  requests: number
  /** Refresh tokens that were accepted. */
  refreshes: number
  /** Spent refresh tokens that were presented again, grace aside. */
  replays: number
  /** Families revoked because of a replay. */
  revokedFamilies: number
  refusedClients: number
  lost: number
  /** Token requests in progress, and the most there ever were at a time. */
  inFlight: number
  mostInFlight: number
}

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

export interface OAuthProvider {
  readonly counters: ProviderCounters
  /** Bodies of the token requests, read as they were meant, in order. */
  readonly seen: readonly Readonly<Record<string, string>>[]
  /** Every refresh token that arrived, in order; `lost`: its caller got no answer that can be read. */
  readonly presented: readonly {
    readonly refreshToken: string
    readonly at: number
    readonly lost: boolean
  }[]
  /** A connection as after a consent, tokens included. */
  connect(): Tokens
  /** A code as after a consent; `challenge` is the S256 challenge of PKCE. */
  consent(redirectUri: string, challenge?: string): string
  /** Applies to the next token request without a fault. */
  fail(...faults: readonly Fault[]): void
  isLive(accessToken: string): boolean
  /** Ends access tokens at once, as if their time were over; the refresh tokens stay. */
  endAccess(): void
  /** Ends a whole connection. */
  revoke(token: string): void
  /** Answers a request without a network; null: the connection broke. Paths: /token, /me, /inspect. */
  answer(request: ProviderRequest): Promise<ProviderAnswer | null>
  /** Serves on loopback. */
  listen(): Promise<{ readonly url: string; readonly close: () => Promise<void> }>
}

interface Family {
  alive: boolean
}

interface RefreshToken {
  readonly family: Family
  /** When it was used, and what it gave. */
  spent: { readonly at: number; readonly gave: Tokens } | null
}

export function createOAuthProvider(options: ProviderOptions = {}): OAuthProvider {
  const {
    clientId = 'client-1',
    clientSecret = 'client-secret-1',
    lifeSeconds = 3600,
    rotates = true,
    graceMs = 0,
    endsOldAccess = false,
    extra = {},
    now = Date.now,
    // Waits for time: a provider that is slow.
    sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  } = options
  const accessTokens = new Map<string, { readonly family: Family; until: number }>()
  const refreshTokens = new Map<string, RefreshToken>()
  const codes = new Map<
    string,
    { readonly redirectUri: string; readonly challenge: string | null }
  >()
  const faults: Fault[] = []
  const seen: Record<string, string>[] = []
  const presented: { refreshToken: string; at: number; lost: boolean }[] = []
  const counters: ProviderCounters = {
    requests: 0,
    refreshes: 0,
    replays: 0,
    revokedFamilies: 0,
    refusedClients: 0,
    lost: 0,
    inFlight: 0,
    mostInFlight: 0,
  }

  function issue(family: Family): Tokens {
    const tokens = { access_token: secretText('at'), refresh_token: secretText('rt') }
    accessTokens.set(tokens.access_token, { family, until: now() + lifeSeconds * 1000 })
    refreshTokens.set(tokens.refresh_token, { family, spent: null })
    return tokens
  }

  function refresh(presented: string): Tokens | null {
    const token = refreshTokens.get(presented)
    if (token === undefined || !token.family.alive) return null
    if (token.spent !== null) {
      if (now() < token.spent.at + graceMs) return token.spent.gave
      counters.replays++
      counters.revokedFamilies++
      token.family.alive = false
      return null
    }
    counters.refreshes++
    if (endsOldAccess) endAccessOf(token.family)
    if (!rotates) return { ...issue(token.family), refresh_token: presented }
    const gave = issue(token.family)
    token.spent = { at: now(), gave }
    return gave
  }

  function endAccessOf(family: Family): void {
    for (const token of accessTokens.values()) if (token.family === family) token.until = now()
  }

  const grants: Readonly<Record<string, (form: Record<string, string>) => Tokens | null>> = {
    refresh_token: (form) => refresh(form['refresh_token'] ?? ''),
    client_credentials: () => issue({ alive: true }),
    password: (form) => (form['password'] === 'right' ? issue({ alive: true }) : null),
    authorization_code: (form) => {
      const code = codes.get(form['code'] ?? '')
      codes.delete(form['code'] ?? '')
      const proof = createHash('sha256')
        .update(form['code_verifier'] ?? '')
        .digest('base64url')
      const proven = code !== undefined && (code.challenge === null || code.challenge === proof)
      return proven && code.redirectUri === form['redirect_uri'] ? issue({ alive: true }) : null
    },
  }

  function tokenAnswer(request: ProviderRequest, fault: Fault | undefined): ProviderAnswer | null {
    if (fault?.kind === 'ignored') return null
    if (fault?.kind === 'refusal') return json(fault.status, fault.body, fault.headers)
    const form = formOf(request)
    seen.push(form)
    const [id, secret] = clientOf(request, form)
    if (id !== clientId || secret !== clientSecret) {
      counters.refusedClients++
      return json(401, { error: 'invalid_client' })
    }
    const grant = grants[form['grant_type'] ?? '']
    if (grant === undefined) return json(400, { error: 'unsupported_grant_type' })
    const tokens = grant(form)
    if (tokens === null) return json(400, { error: 'invalid_grant' })
    if (fault?.kind === 'lost') return null
    const answer = { ...tokens, token_type: 'bearer', expires_in: lifeSeconds, ...extra }
    if (fault?.kind !== 'odd') return json(200, answer)
    const changed = fault.change(answer)
    const type = fault.type ?? 'application/json'
    return {
      status: 200,
      headers: { 'content-type': type },
      body: typeof changed === 'string' ? changed : JSON.stringify(changed),
    }
  }

  async function token(request: ProviderRequest): Promise<ProviderAnswer | null> {
    counters.requests++
    counters.inFlight++
    counters.mostInFlight = Math.max(counters.mostInFlight, counters.inFlight)
    try {
      const fault = faults.shift()
      // Waits for time: it is slow.
      if (fault?.kind === 'slow') await sleep(fault.ms)
      const at = now()
      const answer = tokenAnswer(request, fault)
      if (answer === null) counters.lost++
      const refreshToken = formOf(request)['refresh_token']
      const lost = answer === null || (answer.status === 200 && !answer.body.startsWith('{'))
      if (refreshToken !== undefined) presented.push({ refreshToken, at, lost })
      return answer
    } finally {
      counters.inFlight--
    }
  }

  function isLive(accessToken: string): boolean {
    const token = accessTokens.get(accessToken)
    return token !== undefined && token.family.alive && now() < token.until
  }

  async function answer(request: ProviderRequest): Promise<ProviderAnswer | null> {
    switch (new URL(request.url, 'http://provider').pathname) {
      case '/token':
        return token(request)
      case '/me': {
        const bearer = /^Bearer (.+)$/.exec(request.headers['authorization'] ?? '')?.[1] ?? ''
        return isLive(bearer) ? json(200, { ok: true }) : json(401, { error: 'expired' })
      }
      case '/inspect':
        return json(200, counters)
      default:
        return json(404, {})
    }
  }

  return {
    counters,
    seen,
    presented,
    connect: () => issue({ alive: true }),
    consent(redirectUri, challenge) {
      const code = secretText('code')
      codes.set(code, { redirectUri, challenge: challenge ?? null })
      return code
    },
    fail: (...next) => void faults.push(...next),
    isLive,
    endAccess() {
      for (const each of accessTokens.values()) each.until = now()
    },
    revoke(value) {
      const family = accessTokens.get(value)?.family ?? refreshTokens.get(value)?.family
      if (family !== undefined) family.alive = false
    },
    answer,
    listen: () => serve(answer),
  }
}

function secretText(kind: string): string {
  return `${kind}-${randomBytes(18).toString('base64url')}`
}

function json(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): ProviderAnswer {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: text }
}

function formOf({ method, url, headers, body }: ProviderRequest): Record<string, string> {
  const query = Object.fromEntries(new URL(url, 'http://provider').searchParams)
  if (method === 'GET') return query
  const isJson = headers['content-type']?.startsWith('application/json') === true
  const sent: unknown = isJson ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body))
  return { ...query, ...(sent as Record<string, string>) }
}

function clientOf(
  { headers }: ProviderRequest,
  form: Record<string, string>,
): readonly [string | undefined, string | undefined] {
  const basic = /^Basic (.+)$/.exec(headers['authorization'] ?? '')?.[1]
  if (basic === undefined) return [form['client_id'], form['client_secret']]
  const text = Buffer.from(basic, 'base64').toString()
  const colon = text.indexOf(':')
  return [text.slice(0, colon), text.slice(colon + 1)]
}

async function serve(
  answer: OAuthProvider['answer'],
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  async function reply(
    request: ProviderRequest,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ): Promise<void> {
    const given = await answer(request).catch((error: unknown) => json(500, String(error)))
    if (given === null) incoming.socket.destroy()
    else outgoing.writeHead(given.status, { ...given.headers }).end(given.body)
  }
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const headers = Object.fromEntries(
        Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
      )
      const request = {
        method: incoming.method ?? 'GET',
        url: incoming.url ?? '/',
        headers,
        body: Buffer.concat(chunks).toString(),
      }
      void reply(request, incoming, outgoing)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server has an address object once it listens.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
