// How a manifest signs in at an MCP server: by what the server says of its tokens (RFC 9728, RFC 8414).
import type { JsonObject } from '../../../language/json/json.ts'
import { own } from '../../../language/json/own.ts'

/** What was found; empty objects where the server has no metadata. */
export interface Authorization {
  /** Metadata of the resource (RFC 9728). */
  readonly resource: JsonObject
  /** Metadata of the authorization server (RFC 8414). */
  readonly server: JsonObject
}

interface Given {
  readonly authorization: Authorization | null
  readonly isOpen: boolean
  readonly url: string
  readonly note: (text: string) => void
}

const BEARER = {
  token: {
    credentials: {
      required: ['token'],
      properties: {
        token: { type: 'string', writeOnly: true, description: 'Token of the MCP server.' },
      },
    },
    apply: { bearer: '{{ credentials.token }}' },
  },
}

/** The methods: OAuth with a registered client where the server offers it, a bearer token, or none. */
export function draftAuthorization({ authorization, isOpen, url, note }: Given): object {
  const server = authorization?.server ?? {}
  const [authorize, token] = [
    urlIn(server, 'authorization_endpoint'),
    urlIn(server, 'token_endpoint'),
  ]
  if (authorize === null || token === null) {
    if (isOpen) return { none: { title: 'Without an account', apply: 'none' } }
    note(
      'auth: the server says nothing of where its tokens come from; a bearer token stands in for it',
    )
    return BEARER
  }
  const register = urlIn(server, 'registration_endpoint')
  const methods = textsIn(server, 'token_endpoint_auth_methods_supported')
  if (register === null)
    note('auth: the authorization server registers no clients by itself; the operator sets one')
  const resource = own(authorization?.resource ?? null, 'resource')
  // Tokens are made for this server and no other. Source: RFC 8707.
  const params = { resource: typeof resource === 'string' ? resource : url }
  const auth = clientAuth(methods, register !== null)
  const secret = { type: 'string', writeOnly: true }
  const scopes = textsIn(authorization?.resource ?? {}, 'scopes_supported')
  return {
    oauth: {
      credentials: {
        required: ['access_token'],
        properties: {
          access_token: secret,
          refresh_token: secret,
          ...(register !== null && { client_id: { type: 'string' } }),
          ...(register !== null && auth !== 'none' && { client_secret: secret }),
        },
      },
      apply: { bearer: '{{ credentials.access_token }}' },
      oauth2: {
        ...(register !== null && { client: 'registered', register: { url: register } }),
        authorize: { url: authorize, ...(scopes.length > 0 && { scopes }), params },
        token: { url: token, client_auth: auth, params },
        refresh: { params },
      },
    },
  }
}

/** A client that registers itself is a public one where it may be. */
function clientAuth(methods: readonly string[], isRegistered: boolean): 'none' | 'body' | 'basic' {
  if (isRegistered && methods.includes('none')) return 'none'
  return methods.includes('client_secret_post') && !methods.includes('client_secret_basic')
    ? 'body'
    : 'basic'
}

function urlIn(server: JsonObject, name: string): string | null {
  const value = own(server, name)
  return typeof value === 'string' && value.startsWith('https://') ? value : null
}

function textsIn(metadata: JsonObject, name: string): readonly string[] {
  const value = own(metadata, name)
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
