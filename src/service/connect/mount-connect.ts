// The connect page on a server: its addresses, what browsers may do with it, and its answers.
import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { vendorName } from '../../connect/field-words.ts'
import { ConnectorError, isConnectorError } from '../../errors.ts'
import { packageFile } from '../../package-file.ts'
import type { Answer, Arrival } from '../http/arrival.ts'
import { type Destination, type ExchangePorts, HttpExchange } from '../http/exchange.ts'
import type { Call, Mounts } from '../http/site.ts'
import { type Choice, type ChoicePorts, choose, type Offer, offerOf, waysIn } from './choice.ts'
import { type ConnectAttempts, readReturnState } from './connect-attempts.ts'
import {
  busyPage,
  closeWindowPage,
  connectedPage,
  connectorsPage,
  formPage,
  type FormView,
  gonePage,
  leavingPage,
  noticePage,
  type PagePlace,
  statusOf,
  waysPage,
} from './connect-page.ts'
import { CONNECT_SECONDS, type ConnectSession, type ConnectSessions } from './connect-sessions.ts'
import type { Typed } from './form-fields.ts'
import { readProblem } from './problem-words.ts'
import { Cookie } from '../cookie.ts'
import type { ServiceReply } from '../route.ts'

export interface ConnectPagePorts extends ChoicePorts {
  readonly sessions: ConnectSessions
  readonly attempts: ConnectAttempts
  readonly publicUrl: () => string
}

const BODY_LIMIT_BYTES = 64 * 1024
/** Never the address itself: the token in it is a secret. */
const PAGES: Destination = {
  route: { name: 'connectPage', token: 'none' },
  path: '/connect/{token}',
}

interface Page {
  readonly status: number
  readonly html: string
  readonly cookie?: string
  /** Says which pages may frame this one; left out: none. */
  readonly session?: ConnectSession
}

interface Visit {
  readonly headers: IncomingHttpHeaders
  readonly path: Readonly<Record<string, string>>
  readonly query: Query
  readonly requestId: string
  form(): Promise<Typed>
}

type Show = (visit: Visit) => Promise<Page | ServiceReply>

export function mountConnect(site: Mounts, server: ExchangePorts, ports: ConnectPagePorts): void {
  function on(method: string, path: string, show: Show): void {
    site.on(method, path, (call) => visited(server, ports, call, show))
  }
  for (const [name, type, files] of [
    ['page.js', 'text/javascript; charset=utf-8', ['page.js']],
    ['page.css', 'text/css; charset=utf-8', ['colours.css', 'page.css']],
  ] as const) {
    const text = files
      .map((file) => readFileSync(packageFile(`src/connect/${file}`), 'utf8'))
      .join('\n')
    on('GET', `/connect/assets/${name}`, async () => plain(200, type, text))
  }
  on('GET', '/connect/return', (visit) => returned(ports, visit))
  on('GET', '/connect/{token}', async (visit) => {
    const place = await placeOf(ports, visit)
    return place === null ? over(ports, visit) : await show(ports, place, visit.query)
  })
  on('GET', '/connect/{token}/status', async (visit) => {
    const place = await placeOf(ports, visit)
    const status = place === null ? { state: 'over', attempts: 0 } : statusOf(place.session)
    const type = 'application/json; charset=utf-8'
    return plain(place === null ? 404 : 200, type, JSON.stringify(status))
  })
  on('POST', '/connect/{token}', async (visit) => {
    const typed = await visit.form()
    const place = await placeOf(ports, visit)
    if (place === null) return over(ports, visit)
    if (!isOwnPage(visit, ports.publicUrl()))
      return notice(ports, visit, 403, 'This form was sent by another page.')
    return place.session.row.connectedId === null
      ? await submitted(ports, place, typed, visit)
      : { ...(await show(ports, place, {})), status: 409 }
  })
}

function over(ports: ConnectPagePorts, { requestId }: Visit): Page {
  return { status: 404, html: noticePage(baseOf(ports), requestId, null) }
}

function notice(
  ports: ConnectPagePorts,
  { requestId }: Pick<Visit, 'requestId'>,
  status: number,
  detail: string,
): Page {
  return { status, html: noticePage(baseOf(ports), requestId, detail) }
}

async function returned(ports: ConnectPagePorts, visit: Visit): Promise<Page | ServiceReply> {
  const { sessions, attempts } = ports
  const { state: stateText, secret_id: secretId } = visit.query
  const state = readReturnState(stateText)
  if (state === null) return over(ports, visit)
  const cookie = cookieOf(ports, state.tokenHash)
  const token = cookie.read(visit.headers.cookie)
  const session = token === undefined ? null : await sessions.find(token)
  // The cookie is of the browser that began; the state is what came back.
  if (session?.row.tokenHash !== state.tokenHash) return over(ports, visit)
  if (secretId !== undefined)
    await attempts.finishConsent(session, state.connectorType, secretId, visit.requestId)
  return seeOther(`${baseOf(ports)}/${token}${state.ownWindow ? '?window=1' : ''}`, {
    'set-cookie': cookie.write('', 0),
  })
}

function baseOf({ publicUrl }: ConnectPagePorts): string {
  return `${(URL.parse(publicUrl())?.pathname ?? '').replace(/\/$/, '')}/connect`
}

async function submitted(
  ports: ConnectPagePorts,
  place: PagePlace,
  typed: Typed,
  visit: Visit,
): Promise<Page | ServiceReply> {
  const { session, token } = place
  const { connector = '', way = '', window: ownWindow } = typed
  const { requestId } = visit
  const offer = await offerOf(ports, session).catch(goneIfUnknown)
  if (offer === null) return { status: 404, html: gonePage(place), session }
  const choice = choose(ports, offer, connector, way)
  if (choice === null)
    return { ...notice(ports, visit, 400, 'This link is not for that connection.'), session }
  const end =
    choice.way.kind === 'form'
      ? await ports.attempts.submit({ session, choice, typed, requestId })
      : await ports.attempts.startConsent({ session, choice, typed, requestId }, ownWindow === '1')
  switch (end.kind) {
    case 'connected':
      return seeOther(`${place.base}/${token}`)
    case 'consent': {
      const cookie = cookieOf(ports, session.row.tokenHash).write(token, CONNECT_SECONDS)
      return { status: 200, html: leavingPage(place, choice.vendor, end.url), cookie, session }
    }
    case 'failed': {
      const { problem } = end
      const html = formPage(place, { choice, typed, problem, backTo: backOf(offer, choice) })
      return { status: 422, html, session }
    }
    case 'busy':
      return { status: 409, html: busyPage(place), session }
  }
}

async function show(ports: ConnectPagePorts, place: PagePlace, query: Query): Promise<Page> {
  const { session } = place
  const { row, principal } = session
  if (row.connectedId !== null) {
    const made = await ports.rows.read(principal, row.connectedId).catch(goneIfUnknown)
    const manifest = made === null ? undefined : ports.catalogue.find(made.connectorType)
    const vendor = manifest === undefined ? 'The account' : vendorName(manifest.title)
    return { status: 200, html: connectedPage(place, row.connectedId, made, vendor), session }
  }
  const problem = readProblem(row.problem)
  if (place.isOwnWindow && problem !== null)
    return { status: 200, html: closeWindowPage(place, problem), session }
  const offer = await offerOf(ports, session).catch(goneIfUnknown)
  return offer === null
    ? { status: 404, html: gonePage(place), session }
    : { status: 200, html: openPage(ports, place, offer, query), session }
}

function openPage(ports: ConnectPagePorts, place: PagePlace, offer: Offer, query: Query): string {
  const last = readProblem(place.session.row.problem)
  const [only] = offer.manifests.length === 1 ? offer.manifests : []
  const wanted = query['connector'] ?? only?.type ?? last?.connector
  const manifest = offer.manifests.find(({ type }) => type === wanted)
  if (manifest === undefined) return connectorsPage(place, offer.manifests)
  const ways = waysIn(ports, manifest)
  const [onlyWay] = ways.length === 1 ? ways : []
  const used = query['connector'] === undefined ? (last?.way ?? offer.instance?.authMethod) : null
  const choice = choose(ports, offer, manifest.type, query['way'] ?? onlyWay?.name ?? used ?? '')
  if (choice === null) return waysPage(place, manifest, ways)
  const isItsProblem = last?.connector === manifest.type && last.way === choice.way.name
  const problem = isItsProblem ? last : null
  return formPage(place, { choice, typed: null, problem, backTo: backOf(offer, choice) })
}

async function placeOf(
  ports: ConnectPagePorts,
  { path, headers, query }: Visit,
): Promise<PagePlace | null> {
  const { token = '' } = path
  const session = await ports.sessions.find(token)
  if (session === null) return null
  return {
    base: baseOf(ports),
    token,
    session,
    isFramed: headers['sec-fetch-dest'] === 'iframe',
    isDocument: (headers['sec-fetch-dest'] ?? 'document') === 'document',
    isOwnWindow: query['window'] === '1',
  }
}

type Query = Readonly<Record<string, string | undefined>>

/** One request: limits, log and metrics around a page, and a page for what is wrong. */
async function visited(
  server: ExchangePorts,
  ports: ConnectPagePorts,
  { arrival, path, query }: Call,
  show: Show,
): Promise<Answer> {
  const exchange = new HttpExchange(server, arrival, PAGES)
  const { requestId } = exchange
  try {
    server.lifecycle.admit()
    const form = (): Promise<Typed> => formOf(arrival)
    const { headers } = arrival
    const shown = await show({ headers, path, query: single(query), requestId, form })
    return exchange.render('html' in shown ? pageReply(shown) : shown)
  } catch (thrown) {
    const { status } = exchange.renderProblem(thrown)
    const detail =
      status >= 500
        ? 'The service cannot answer right now. Try again in a moment.'
        : 'The form could not be read. Go back and send it again.'
    return exchange.render(pageReply(notice(ports, { requestId }, status, detail)))
  }
}

async function formOf(arrival: Arrival): Promise<Typed> {
  const bytes = await arrival.body(BODY_LIMIT_BYTES)
  if (bytes.length === 0) return {}
  const [type = ''] = (arrival.headers['content-type'] ?? '').split(';')
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
    throw new ConnectorError('media_type_unsupported', 'the body must be a form')
  return Object.fromEntries(new URLSearchParams(bytes.toString()))
}

/** What is given more than once counts as not given. */
function single(query: Call['query']): Query {
  return Object.fromEntries(
    Object.entries(query).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
}

function plain(status: number, type: string, content: string): ServiceReply {
  return { status, headers: { 'content-type': type }, content }
}

function seeOther(location: string, more: Readonly<Record<string, string>> = {}): ServiceReply {
  return { status: 303, headers: { location, ...more }, content: null }
}

function goneIfUnknown(error: unknown): null {
  if (isConnectorError(error, 'instance_unknown')) return null
  throw error
}

function backOf({ manifests }: Offer, { ways }: Choice): FormView['backTo'] {
  if (ways.length > 1) return 'ways'
  return manifests.length > 1 ? 'connectors' : null
}

/** Nothing from elsewhere, nothing inline, in no frame but those of the one origin that was named. */
function pageReply({ status, html, cookie, session }: Page): ServiceReply {
  const origin = session?.row.allowedOrigin ?? null
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      'img-src data:',
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      `frame-ancestors ${origin ?? "'none'"}`,
    ].join('; '),
    // A page that talks to the window that opened it must stay in its group.
    'cross-origin-opener-policy': origin === null ? 'same-origin' : 'unsafe-none',
    'referrer-policy': 'no-referrer',
    ...(origin === null ? { 'x-frame-options': 'DENY' } : {}),
    ...(cookie === undefined ? {} : { 'set-cookie': cookie }),
  }
  return { status, headers, content: html }
}

/**
 * Whether a form was sent by our own page. Its address is a secret already; this is the second wall. Without a referrer
 * a browser's `Origin` is `null`, so that `Sec-Fetch-Site` has to tell.
 */
function isOwnPage({ headers }: Visit, publicUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin } = headers
  return origin === undefined || origin === 'null' || origin === URL.parse(publicUrl)?.origin
}

/** A cookie per session, so that several may be under way in one browser. */
function cookieOf({ publicUrl }: ConnectPagePorts, tokenHash: string): Cookie {
  return new Cookie(publicUrl(), `tenon-connect-${tokenHash.slice(0, 16)}`, 'Lax')
}
