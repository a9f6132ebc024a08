// Requests to a token endpoint. The manifest decides their wire form, so they are rendered here and not by an OAuth
// library: those know the form of RFC 6749 only, while vendors take JSON bodies, GET, and the client where they like.
import { ConnectorError } from '../../errors.ts'
import type { Scope, Text } from '../../language/expression/syntax.ts'
import type { Json } from '../../language/json/json.ts'
import {
  ASSERTION_TYPE,
  CLIENT_AUTH,
  GRANTS,
  type Presentation,
  REFRESH,
} from '../../language/manifest/access/grants.ts'
import type { Entry, Manifest, OAuth2 } from '../../language/manifest/manifest.ts'
import { createServerResolver, standIn } from '../request/base-url.ts'
import type { UpstreamRequest } from '../request/upstream-request.ts'
import { encodePairs } from '../request/entries.ts'
import { manifestDefect } from '../../language/expression/value-error.ts'
import { headerValue, printScalar } from '../../language/expression/text-value.ts'
import { basicHeader } from '../../language/manifest/credential-places/basic.ts'
import { nothingToRenewWith } from './credential-errors.ts'
import { compilePlaced } from './apply.ts'

/** The OAuth client that asks. A public client has no secret. */
export interface OAuthClient {
  readonly id: string
  readonly secret: string | null
}

/** Where an answer is waited for this long: giving up on a slow answer is what loses a single-use token. */
const ROTATING_TIMEOUT_MS = 120_000
const TIMEOUT_MS = 20_000

/** How long a token request may take, in milliseconds, whatever its callers' deadlines are. */
export function tokenTimeoutMs(oauth2: OAuth2): number {
  return oauth2.rotatesRefreshToken ? ROTATING_TIMEOUT_MS : TIMEOUT_MS
}

/**
 * Compiles the token requests of one method.
 *
 * `serverUrl` replaces the origin of the token endpoint, its path stays. `token.params` travel with every grant but
 * `refresh_token`, `refresh.params` with that one; a parameter the manifest names replaces one of ours.
 * Throws `credentials_refused` when the client is needed and not known (`details.missing`), `config_invalid` when the
 * address needs a setting that is absent, `destination_refused` when its host is not allowed.
 * Source: RFC 6749 sections 2.3, 4.1.3, 4.3.2, 4.4.2 and 6; RFC 7636 section 4.5.
 */
export function compileTokenRequest(
  manifest: Manifest,
  oauth2: OAuth2,
  serverUrl: string | null,
): (presented: Presentation, client: OAuthClient | null, scope: Scope) => UpstreamRequest {
  const { token, refresh } = oauth2
  const firstUrl = compileTokenUrl(token.url, manifest, serverUrl)
  const refreshUrl = refresh === null ? firstUrl : compileTokenUrl(refresh.url, manifest, serverUrl)
  // Only a JSON body can hold more than texts.
  const put =
    token.method === 'POST' && token.body === 'json' ? (value: Json) => value : printScalar
  const firstParams = compileValues<Json>(token.params, put)
  const refreshParams = compileValues<Json>(refresh?.params ?? [], put)
  const extraHeaders = compileValues(token.headers, headerValue)
  return (presented, client, scope) => {
    const refreshing = presented.grant_type === REFRESH
    const url = (refreshing ? refreshUrl : firstUrl)(scope)
    const params: Record<string, Json> = { ...presented }
    const query: Record<string, Json> = {}
    const headers: Record<string, string> = { accept: 'application/json' }
    putClient(token.clientAuth, client, { headers, params, query })
    const jwt = (): string => {
      const made = scope.jwt
      if (made === undefined) throw manifestDefect('the method has no jwt block')
      return made
    }
    if (CLIENT_AUTH[token.clientAuth].asserts === true)
      Object.assign(params, { client_assertion_type: ASSERTION_TYPE, client_assertion: jwt() })
    if (!refreshing && GRANTS[oauth2.grant].asserts === true) params['assertion'] = jwt()
    Object.assign(params, (refreshing ? refreshParams : firstParams)(scope))
    for (const [name, value] of Object.entries(extraHeaders(scope))) {
      headers[name.toLowerCase()] = value
    }
    const isGet = token.method === 'GET'
    if (isGet) Object.assign(query, params)
    else headers['content-type'] ??= CONTENT_TYPES[token.body]
    return {
      method: token.method,
      url: withQuery(url, query),
      headers,
      body: isGet ? null : token.body === 'json' ? JSON.stringify(params) : formEncode(params),
      redirects: 0,
      timeoutMs: tokenTimeoutMs(oauth2),
      headMs: tokenTimeoutMs(oauth2),
      secretHeaders: Object.keys(headers).filter((name) => !PUBLIC_HEADERS.has(name)),
      secretQuery: Object.keys(query).filter((name) => name !== 'grant_type'),
    }
  }
}

/** The request that registers a client. Source: RFC 7591 section 3.1. */
export function registrationRequest(url: string, metadata: object): UpstreamRequest {
  return {
    method: 'POST',
    url,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
    redirects: 0,
    timeoutMs: TIMEOUT_MS,
    secretHeaders: [],
    secretQuery: [],
  }
}

function putClient(
  clientAuth: OAuth2['token']['clientAuth'],
  client: OAuthClient | null,
  { headers, params, query }: Record<'headers' | 'params' | 'query', Record<string, Json>>,
): void {
  const auth = CLIENT_AUTH[clientAuth]
  if (!auth.hasSecret) {
    if (client !== null) params['client_id'] = client.id
    return
  }
  if (client === null || client.secret === null) throw nothingToRenewWith(missingClient(client))
  const { id, secret } = client
  if (auth.in === 'authorization') headers['authorization'] = basicHeader(id, secret)
  else Object.assign(auth.in === 'query' ? query : params, { client_id: id, client_secret: secret })
}

/** What of the client is needed to ask for tokens and not known. */
export function clientLacks(oauth2: OAuth2, client: OAuthClient | null): readonly string[] {
  return CLIENT_AUTH[oauth2.token.clientAuth].hasSecret ? missingClient(client) : []
}

function missingClient(client: OAuthClient | null): readonly string[] {
  if (client === null) return ['client_id', 'client_secret']
  return client.secret === null ? ['client_secret'] : []
}

const CONTENT_TYPES = {
  form: 'application/x-www-form-urlencoded',
  json: 'application/json',
} as const

const PUBLIC_HEADERS: ReadonlySet<string> = new Set(['accept', 'content-type'])

/** Values of a list, absent and null ones left out. */
function compileValues<T extends Json>(
  entries: readonly Entry[],
  put: (value: Json) => T,
): (scope: Scope) => Record<string, T> {
  const compiled = entries.map(({ name, value }) => [name, compilePlaced(value, put)] as const)
  return (scope) => {
    const values: Record<string, T> = {}
    for (const [name, valueIn] of compiled) {
      const value = valueIn(scope)
      if (value !== undefined) values[name] = value
    }
    return values
  }
}

function formEncode(values: Readonly<Record<string, Json>>): string {
  return encodePairs(Object.entries(values).map(([name, value]) => [name, printScalar(value)]))
}

function withQuery(url: string, values: Readonly<Record<string, Json>>): string {
  const query = formEncode(values)
  return query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`
}

/**
 * Compiles an OAuth address. One that is made of settings is checked like a base URL, against `server.hosts`.
 *
 * `serverUrl` replaces its origin. Throws what the server resolver throws: `config_invalid` with the missing names,
 * `destination_refused`.
 */
export function compileTokenUrl(
  url: Text,
  manifest: Manifest,
  serverUrl: string | null,
): (scope: Scope) => string {
  const literal = url.every((part) => typeof part === 'string') ? url.join('') : null
  if (literal !== null) {
    const { username, password } = new URL(literal)
    if (username !== '' || password !== '')
      return () => {
        throw new ConnectorError(
          'destination_refused',
          'an OAuth address of the manifest has user information before its host; nothing was sent',
        )
      }
    const address = moved(literal, serverUrl)
    return () => address
  }
  const server = { ...manifest.server, urls: [url] }
  const resolve = createServerResolver({ ...manifest, server }, null)
  // A base URL has no slash at its end; some token endpoints need theirs.
  const last = url.at(-1)
  const slash = typeof last === 'string' && last.endsWith('/') ? '/' : ''
  return (scope) => {
    const { origin, path } = resolve(scope)
    return moved(origin + path + slash, serverUrl)
  }
}

function moved(address: string, serverUrl: string | null): string {
  if (serverUrl === null) return address
  const { pathname, search } = new URL(address)
  const { origin, path } = standIn(serverUrl)
  return origin + path + pathname + search
}
