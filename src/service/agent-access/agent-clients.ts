// The clients of agents: each registers itself, and its id is what it said, sealed. Source: RFC 7591, RFC 8252.
import type { JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import type { AgentSeals } from './agent-seals.ts'

export interface AgentClient {
  readonly id: string
  /** What it calls itself: anybody may say anything. */
  readonly name: string
  readonly redirectUris: readonly string[]
}

/** An error of OAuth: its code and what is wrong. */
export class OAuthProblem extends Error {
  readonly code: string

  constructor(code: string, description: string) {
    super(description)
    this.code = code
  }
}

const MAX_REDIRECTS = 10
const MAX_REDIRECT_CHARS = 300
const MAX_NAME_CHARS = 80

export class AgentClients {
  readonly #seals: AgentSeals

  constructor(seals: AgentSeals) {
    this.#seals = seals
  }

  /** The answer to a registration. Throws OAuthProblem with the codes of RFC 7591, section 3.2.2. */
  async register(metadata: JsonObject, nowMs: number): Promise<JsonObject> {
    const { redirect_uris: given, client_name: called } = metadata
    if (!Array.isArray(given) || given.length === 0 || given.length > MAX_REDIRECTS)
      throw new OAuthProblem(
        'invalid_redirect_uri',
        `redirect_uris must be 1 to ${MAX_REDIRECTS} addresses`,
      )
    const wrong = given.find((each) => !isRedirect(each))
    if (wrong !== undefined)
      throw new OAuthProblem(
        'invalid_redirect_uri',
        'a redirect_uri must be https, http on a loopback host, or of a scheme of its own, without fragment',
      )
    const redirectUris = given as readonly string[]
    const name = typeof called === 'string' ? called.slice(0, MAX_NAME_CHARS) : ''
    const id = await this.#seals.seal('client', { name, redirectUris }, null)
    return {
      client_id: id,
      client_id_issued_at: Math.floor(nowMs / 1000),
      client_name: name,
      redirect_uris: redirectUris,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    }
  }

  /** Null: no client was registered here under this id. */
  async find(id: string): Promise<AgentClient | null> {
    const content = await this.#seals.open('client', id)
    if (!isJsonObject(content)) return null
    // Written by `register`.
    return { id, ...(content as unknown as Omit<AgentClient, 'id'>) }
  }
}

/** Whether a client may be sent there: character by character, but for the port of a program on the user's machine. */
export function mayRedirect({ redirectUris }: AgentClient, uri: string): boolean {
  return redirectUris.some((known) => known === uri || withoutPort(known) === withoutPort(uri))
}

/** Of http on loopback, whose port is another one each time (RFC 8252, section 7.3); of others the address itself. */
function withoutPort(uri: string): string {
  const url = URL.parse(uri)
  if (url === null || url.protocol !== 'http:' || !LOOPBACK.has(url.hostname)) return uri
  url.port = ''
  return url.href
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])
/** Schemes that show or run what stands in the address. */
const UNSAFE: ReadonlySet<string> = new Set([
  'about:',
  'blob:',
  'data:',
  'file:',
  'filesystem:',
  'ftp:',
  'javascript:',
  'vbscript:',
  'view-source:',
  'ws:',
  'wss:',
])

function isRedirect(uri: unknown): boolean {
  if (typeof uri !== 'string' || uri.length > MAX_REDIRECT_CHARS || uri.includes('#')) return false
  const url = URL.parse(uri)
  if (url === null || url.username + url.password !== '' || UNSAFE.has(url.protocol)) return false
  return url.protocol !== 'http:' || LOOPBACK.has(url.hostname)
}
