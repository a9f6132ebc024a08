// The addresses by which agents get tokens: the metadata of /mcp, and where this service issues them itself, those of an
// authorization server. Source: RFC 9728, RFC 8414, RFC 7591, RFC 6749, RFC 7636, RFC 7009, RFC 9207.
import { ConnectorError, isConnectorError } from '../../errors.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { Cookie } from '../cookie.ts'
import type { Answer, Arrival } from '../http/arrival.ts'
import { type Destination, type ExchangePorts, HttpExchange } from '../http/exchange.ts'
import { type Call, type Mounts, optionsAnswer } from '../http/site.ts'
import { empty, json, type ServiceReply, type ServiceRequest } from '../route.ts'
import type { TokenScope } from '../store/applications-and-tokens.ts'
import type { Principal } from '../tokens/principal.ts'
import { hashSecret, isSameHash, randomText } from '../tokens/token-text.ts'
import type { Tokens } from '../tokens/tokens.ts'
import { type AgentAccess, type OwnIssuer, RESOURCE_METADATA } from './agent-access.ts'
import { type AgentClient, mayRedirect, OAuthProblem } from './agent-clients.ts'
import { type Asking, consentPage, leavePage, refusalPage, signInPage } from './authorize-page.ts'

export interface AgentAccessPagePorts {
  readonly access: AgentAccess
  readonly tokens: Pick<Tokens, 'authenticate'>
  readonly publicUrl: () => string
  readonly signInUrl: string | null
  /** Whether agents may change things at all. */
  readonly mayWrite: boolean
  readonly now: () => number
}

const BODY_LIMIT_BYTES = 64 * 1024
/** From the first page to the answer. */
const REQUEST_MS = 15 * 60_000
const MAX_STATE_CHARS = 2000
const BASE = '/mcp/oauth'

type Visit = Pick<ServiceRequest, 'query' | 'requestId' | 'header'>
type Handle = (visit: Visit, arrival: Arrival) => Promise<ServiceReply> | ServiceReply

export function mountAgentAccess(
  site: Mounts,
  server: ExchangePorts,
  ports: AgentAccessPagePorts,
): void {
  const { access } = ports
  const metadata = access.metadata()
  if (metadata === null) return
  function on(method: string, path: string, name: string, handle: Handle): void {
    const destination: Destination = { route: { name, token: 'none' }, path }
    site.on(method, path, (call) => visited(server, destination, call, handle))
  }
  for (const path of [RESOURCE_METADATA, `${RESOURCE_METADATA}/mcp`])
    // The public address is known when the server listens.
    on('GET', path, 'agentResource', () => json(200, access.metadata(), ANY_ORIGIN))
  const { own } = access
  if (own === null) return
  for (const name of ['oauth-authorization-server', 'openid-configuration'])
    on('GET', `/.well-known/${name}`, 'agentServer', () =>
      json(200, serverMetadata(ports.publicUrl()), ANY_ORIGIN),
    )
  // Agents in pages ask here as well: without cookies, so that a page learns no more than a program.
  function open(path: string, name: string, handle: Handle): void {
    const destination: Destination = { route: { name, token: 'none' }, path: `${BASE}/${path}` }
    site.on('POST', `${BASE}/${path}`, async (call) => {
      const given = await visited(server, destination, call, handle)
      return { ...given, headers: { ...given.headers, ...ANY_ORIGIN } }
    })
    site.on('OPTIONS', `${BASE}/${path}`, () => optionsAnswer(['POST'], { ...PREFLIGHT }))
  }
  open('register', 'agentRegister', async (_visit, arrival) => {
    const metadata = parseBody(await bodyOf(arrival, 'application/json'))
    return json(201, await own.clients.register(metadata, ports.now()))
  })
  open('token', 'agentToken', async ({ requestId }, arrival) => {
    const form = await formOf(arrival)
    return json(200, await issue(own, form, requestId))
  })
  open('revoke', 'agentRevoke', async ({ requestId }, arrival) => {
    const { token, client_id: clientId = '' } = await formOf(arrival)
    if (token === undefined) throw new OAuthProblem('invalid_request', 'token is needed')
    await own.grants.revoke(token, clientId, requestId)
    return empty(200)
  })
  on('GET', `${BASE}/authorize`, 'agentAuthorize', (visit) => authorize(ports, own, visit))
  on('POST', `${BASE}/sign-in`, 'agentSignIn', async (visit, arrival) =>
    signIn(ports, own, await formOf(arrival), visit),
  )
  on('POST', `${BASE}/answer`, 'agentAnswer', async (visit, arrival) =>
    answer(ports, own, await formOf(arrival), visit),
  )
}

/** What anybody may read: no page learns more by it than a program. */
const ANY_ORIGIN = { 'access-control-allow-origin': '*' }
const PREFLIGHT = {
  ...ANY_ORIGIN,
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'content-type, mcp-protocol-version',
  'access-control-max-age': '86400',
}

function serverMetadata(issuer: string): JsonObject {
  return {
    issuer,
    authorization_endpoint: `${issuer}${BASE}/authorize`,
    token_endpoint: `${issuer}${BASE}/token`,
    registration_endpoint: `${issuer}${BASE}/register`,
    revocation_endpoint: `${issuer}${BASE}/revoke`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
}

async function issue(
  { grants }: OwnIssuer,
  form: Readonly<Record<string, string>>,
  requestId: string,
): Promise<JsonObject> {
  const { grant_type: type = '', client_id: clientId = '', resource = null } = form
  switch (type) {
    case 'authorization_code': {
      const { code = '', redirect_uri: redirectUri = '', code_verifier: verifier = '' } = form
      return await grants.exchange(code, { clientId, redirectUri, verifier, resource }, requestId)
    }
    case 'refresh_token':
      return await grants.refresh(form['refresh_token'] ?? '', clientId, requestId)
    default:
      throw new OAuthProblem(
        'unsupported_grant_type',
        'grant_type is authorization_code or refresh_token',
      )
  }
}

/** What an agent asked for, sealed between its pages. */
interface AskedGrant extends Asking {
  readonly clientId: string
  readonly redirectUri: string
  readonly challenge: string
  readonly state: string | null
  readonly resource: string
}

async function authorize(
  ports: AgentAccessPagePorts,
  own: OwnIssuer,
  { query }: Visit,
): Promise<ServiceReply> {
  const { client_id: clientId = '', redirect_uri: redirectUri = '' } = query
  const client = await own.clients.find(clientId)
  // An answer goes nowhere that is not known to be the client's.
  if (client === null) return page(400, refusalPage('This agent is not registered here.'))
  if (!mayRedirect(client, redirectUri))
    return page(
      400,
      refusalPage('The answer would go to an address that the agent did not register.'),
    )
  const state = query['state'] ?? null
  const back = { redirectUri, state: state === null ? null : state.slice(0, MAX_STATE_CHARS) }
  const problem = problemOfRequest(ports, query)
  if (problem !== null) return backTo(ports, back, problem)
  const asked: AskedGrant = {
    ...askingOf(client, redirectUri),
    clientId,
    redirectUri,
    challenge: query['code_challenge'] ?? '',
    state,
    resource: ports.access.resource(),
  }
  const request = await own.seals.seal('request', { ...asked }, REQUEST_MS)
  if (ports.signInUrl === null) return page(200, signInPage(addresses(ports), asked, request, null))
  const url = new URL(ports.signInUrl)
  url.searchParams.set('request', request)
  url.searchParams.set('return_url', `${ports.publicUrl()}${BASE}/sign-in`)
  return page(200, leavePage(asked, url.href))
}

function problemOfRequest(
  { access }: AgentAccessPagePorts,
  query: Visit['query'],
): Readonly<Record<string, string>> | null {
  const { response_type: type, code_challenge: challenge = '', resource, state = '' } = query
  if (type !== 'code')
    return { error: 'unsupported_response_type', error_description: 'response_type must be code' }
  if (query['code_challenge_method'] !== 'S256' || !/^[\w-]{43}$/.test(challenge))
    return {
      error: 'invalid_request',
      error_description: 'a code_challenge with the method S256 is needed',
    }
  if (state.length > MAX_STATE_CHARS)
    return { error: 'invalid_request', error_description: 'state is too long' }
  if (resource !== undefined && resource.replace(/\/$/, '') !== access.resource())
    return { error: 'invalid_target', error_description: `resource must be ${access.resource()}` }
  return null
}

function askingOf({ name }: AgentClient, redirectUri: string): Asking {
  const { protocol, host } = new URL(redirectUri)
  return { name, place: host === '' ? `${protocol} (a program on this device)` : host }
}

/** A token of the user, pasted or brought by the page of the host app, whose origin is another one. */
async function signIn(
  ports: AgentAccessPagePorts,
  own: OwnIssuer,
  { request = '', token = '' }: Readonly<Record<string, string>>,
  _visit: Visit,
): Promise<ServiceReply> {
  const asked = (await own.seals.open('request', request)) as unknown as AskedGrant | null
  if (asked === null) return page(400, refusalPage('This page was open for too long.'))
  const user = await userOf(ports, token)
  if (typeof user === 'string') return page(422, signInPage(addresses(ports), asked, request, user))
  const { organizationId, clientId: applicationId, externalUserId } = user
  const { connectorTypes, connectorIds, actions } = user
  const scope = {
    externalUserId: externalUserId ?? '',
    connectorTypes,
    connectorIds,
    actions,
    manage: false,
  }
  const browser = randomText()
  const content = { ...asked, organizationId, applicationId, scope, browser: hashSecret(browser) }
  const consent = await own.seals.seal('consent', content, REQUEST_MS)
  const shown = consentPage(addresses(ports), asked, consent, {
    scope,
    mayWrite: ports.mayWrite,
  })
  const cookie = cookieOf(ports).write(browser, REQUEST_MS / 1000)
  return page(200, shown, { to: asked.redirectUri, cookie })
}

/** The user of a token, or what is wrong with it. */
async function userOf(
  { tokens }: AgentAccessPagePorts,
  token: string,
): Promise<Principal | string> {
  try {
    const principal = await tokens.authenticate(`Bearer ${token.trim()}`)
    if (principal.kind === 'scoped' && principal.externalUserId !== null) return principal
    return 'This token is of an application. A scoped token, of one user, is needed.'
  } catch (error) {
    if (isConnectorError(error, 'token_invalid')) return 'This token is wrong, or over.'
    throw error
  }
}

/** The answer of the user, on our own page in the browser that showed it. */
async function answer(
  ports: AgentAccessPagePorts,
  own: OwnIssuer,
  form: Readonly<Record<string, string>>,
  visit: Visit,
): Promise<ServiceReply> {
  const content = await own.seals.open('consent', form['consent'] ?? '')
  if (content === null) return page(400, refusalPage('This page was open for too long.'))
  // Written by `signIn`.
  const { browser, organizationId, applicationId, scope, ...asked } =
    content as unknown as AskedGrant & {
      readonly browser: string
      readonly organizationId: string
      readonly applicationId: string | null
      readonly scope: TokenScope
    }
  const cookie = cookieOf(ports).read(visit.header('cookie')) ?? ''
  if (!isOwnPage(visit, ports.publicUrl()) || !isSameHash(hashSecret(cookie), browser))
    return page(403, refusalPage('This answer came from another page or browser.'))
  const { clientId, redirectUri, challenge, resource } = asked
  if (form['answer'] !== 'allow') return backTo(ports, asked, { error: 'access_denied' })
  const clientHash = hashSecret(clientId)
  const code = await own.grants.code({
    organizationId,
    applicationId,
    scope,
    clientHash,
    resource,
    redirectUri,
    challenge,
  })
  return backTo(ports, asked, { code })
}

/** Sends the browser back to the agent. Source: RFC 6749, section 4.1.2, and RFC 9207. */
function backTo(
  { publicUrl }: AgentAccessPagePorts,
  { redirectUri, state }: Pick<AskedGrant, 'redirectUri' | 'state'>,
  members: Readonly<Record<string, string>>,
): ServiceReply {
  const url = new URL(redirectUri)
  const all = { ...members, ...(state === null ? {} : { state }), iss: publicUrl() }
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value)
  return empty(303, { location: url.href, 'referrer-policy': 'no-referrer' })
}

function addresses({ publicUrl }: AgentAccessPagePorts): { readonly base: string } {
  return { base: `${(URL.parse(publicUrl())?.pathname ?? '').replace(/\/$/, '')}${BASE}` }
}

function cookieOf({ publicUrl }: AgentAccessPagePorts): Cookie {
  return new Cookie(publicUrl(), 'tenon-agent', 'Lax')
}

function isOwnPage(visit: Visit, publicUrl: string): boolean {
  const site = visit.header('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin'
  const origin = visit.header('origin')
  return origin === undefined || origin === 'null' || origin === URL.parse(publicUrl)?.origin
}

/** Nothing from elsewhere, no script, in no frame. Browsers hold redirects behind a form to `form-action`, too. */
function page(
  status: number,
  content: string,
  more: { readonly to?: string; readonly cookie?: string } = {},
): ServiceReply {
  const { to, cookie } = more
  const { protocol = '', origin = 'null' } = to === undefined ? {} : new URL(to)
  const leads = to === undefined ? '' : ` ${origin === 'null' ? protocol : origin}`
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      `form-action 'self'${leads}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    ...(cookie === undefined ? {} : { 'set-cookie': cookie }),
  }
  return { status, headers, content }
}

/** One request: limits, log and metrics around it. What is wrong by OAuth is answered as OAuth says. */
async function visited(
  server: ExchangePorts,
  destination: Destination,
  { arrival, query }: Call,
  handle: Handle,
): Promise<Answer> {
  const exchange = new HttpExchange(server, arrival, destination)
  const single = Object.entries(query).filter(([, value]) => typeof value === 'string')
  Object.assign(exchange, { query: Object.fromEntries(single) })
  try {
    server.lifecycle.admit()
    return exchange.render(await exchange.within(() => Promise.resolve(handle(exchange, arrival))))
  } catch (thrown) {
    if (!(thrown instanceof OAuthProblem)) return exchange.renderProblem(thrown)
    const told = { error: thrown.code, error_description: thrown.message }
    return exchange.render(json(400, told))
  }
}

async function bodyOf(arrival: Arrival, wanted: string): Promise<string> {
  const bytes = await arrival.body(BODY_LIMIT_BYTES)
  const [type = ''] = (arrival.headers['content-type'] ?? '').split(';')
  if (type.trim().toLowerCase() !== wanted)
    throw new ConnectorError('media_type_unsupported', `the body must be ${wanted}`)
  return bytes.toString()
}

/** What is given more than once is refused. Source: RFC 6749, section 3.2. */
async function formOf(arrival: Arrival): Promise<Readonly<Record<string, string>>> {
  const given = [...new URLSearchParams(await bodyOf(arrival, 'application/x-www-form-urlencoded'))]
  const form = Object.fromEntries(given)
  if (Object.keys(form).length !== given.length)
    throw new OAuthProblem('invalid_request', 'a parameter is given twice')
  return form
}

function parseBody(text: string): JsonObject {
  let value: Json = null
  try {
    value = JSON.parse(text) as Json
  } catch {
    // Said below, as for other values that are no object.
  }
  if (isJsonObject(value)) return value
  throw new OAuthProblem('invalid_client_metadata', 'the body must be a JSON object')
}
