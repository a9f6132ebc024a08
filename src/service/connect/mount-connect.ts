// The connect page on a server: its addresses, what browsers may do with it, and its answers.
import { vendorName } from '../../display/field-words.ts'
import { ConnectorError, isConnectorError } from '../../errors.ts'
import { connectAssets } from '../../late-modules.ts'
import type { Answer, Arrival } from '../http/arrival.ts'
import { type Destination, type ExchangePorts, HttpExchange } from '../http/exchange.ts'
import type { Call, Mounts } from '../http/site.ts'
import { accentStyle } from './accent.ts'
import {
  type Choice,
  type ChoicePorts,
  choose,
  type Offer,
  offerOf,
  settingsShown,
  waysIn,
} from './choice.ts'
import { type ConnectAttempts, readReturnState } from './connect-attempts.ts'
import {
  allFields,
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
import { CONNECT_SECONDS, type ConnectSessions } from './connect-sessions.ts'
import { mountIcons } from '../connector-icons.ts'
import type { PageWord } from './english.ts'
import type { Typed } from './form-fields.ts'
import { chooseLanguage, languageIn, sayIn } from './page-words.ts'
import { takeApart } from './pasted-address.ts'
import { readProblem, tellAddresses } from './problem-words.ts'
import { mountTypeface } from './typeface.ts'
import { Cookie } from '../cookie.ts'
import { logoReply } from '../logo-image.ts'
import { empty, json, type ServiceReply, type ServiceRequest } from '../route.ts'

export interface ConnectPagePorts extends ChoicePorts {
  readonly sessions: ConnectSessions
  readonly attempts: ConnectAttempts
  readonly publicUrl: () => string
}

const BODY_LIMIT_BYTES = 64 * 1024
const PAGE: Destination['route'] = { name: 'connectPage', token: 'none' }

type Visit = Pick<ServiceRequest, 'path' | 'query' | 'requestId' | 'header'>
type Show = (visit: Visit, form: () => Promise<Typed>) => Promise<ServiceReply>

/** `consoleFolder`: where the built files of the console are, of which the page has the type face. */
export function mountConnect(
  site: Mounts,
  server: ExchangePorts,
  ports: ConnectPagePorts,
  consoleFolder: string,
): void {
  function on(method: string, path: string, show: Show): void {
    // Never the address itself: the token in it is a secret.
    const destination = { route: PAGE, path }
    site.on(method, path, (call) => visited({ ...ports, server, destination }, call, show))
  }
  mountIcons(site, '/connect', ports.icons)
  const { script, typeface, style } = connectAssets()
  const rules = mountTypeface(site, '/connect/assets', typeface, consoleFolder)
  for (const [name, type, text] of [
    ['page.js', 'text/javascript; charset=utf-8', async () => script],
    ['page.css', 'text/css; charset=utf-8', async () => `${await rules()}\n${style}`],
  ] as const) {
    const headers = { 'content-type': type }
    on('GET', `/connect/assets/${name}`, async () => ({
      status: 200,
      headers,
      content: await text(),
    }))
  }
  on('GET', '/connect/return', (visit) => returned(ports, visit))
  on('GET', '/connect/{token}', async (visit) => {
    const place = await placeOf(ports, visit)
    return place === null ? await over(ports, visit) : await show(ports, place, visit.query)
  })
  on('GET', '/connect/{token}/status', async (visit) => {
    const place = await placeOf(ports, visit)
    const status = place === null ? { state: 'over', attempts: 0 } : statusOf(place.session)
    return json(place === null ? 404 : 200, status)
  })
  on('GET', '/connect/{token}/logo', async (visit) => {
    const place = await placeOf(ports, visit)
    const image = place === null ? null : await ports.sessions.logo(place.session)
    return image === null ? notice(ports, visit, 404, null) : logoReply(image)
  })
  on('GET', '/connect/{token}/theme.css', async (visit) => {
    const accent = (await placeOf(ports, visit))?.session.accent ?? null
    if (accent === null) return notice(ports, visit, 404, null)
    const headers = {
      'content-type': 'text/css; charset=utf-8',
      'cross-origin-resource-policy': 'same-origin',
    }
    return { status: 200, headers, content: accentStyle(accent) }
  })
  on('POST', '/connect/{token}', async (visit, form) => {
    const typed = await form()
    const place = await placeOf(ports, visit)
    if (place === null) return await over(ports, visit)
    if (!isOwnPage(visit, ports.publicUrl())) return notice(ports, visit, 403, 'foreign_form')
    return place.session.row.connectedId === null
      ? await submitted(ports, place, typed, visit)
      : { ...(await show(ports, place, {})), status: 409 }
  })
}

/** For a visitor whose link is over; with `detail`, for one who asks for what is not possible. */
function notice(
  ports: ConnectPagePorts,
  visit: Visit,
  status: number,
  refusal: PageWord | null,
): ServiceReply {
  const words = { base: baseOf(ports), ...languageOf(visit) }
  return pageReply(status, noticePage(words, visit.requestId, refusal))
}

/** A link that is over leads back to its app, as long as it is known which one that was. */
async function over(ports: ConnectPagePorts, visit: Visit): Promise<ServiceReply> {
  const session = await ports.sessions.findExpired(visit.path['token'] ?? '')
  if (session === null) return notice(ports, visit, 404, null)
  const words = { base: baseOf(ports), ...languageOf(visit), session, isFramed: false }
  return pageReply(404, noticePage(words, visit.requestId, null))
}

/** The language that a visitor reads: the link's, else that of the browser. */
function languageOf(visit: Visit): Pick<PagePlace, 'language' | 'asked' | 'say'> {
  const language = chooseLanguage(visit.query['lang'], visit.header('accept-language'))
  return { language, asked: languageIn(visit.query['lang']), say: sayIn(language) }
}

async function returned(ports: ConnectPagePorts, visit: Visit): Promise<ServiceReply> {
  const { sessions, attempts } = ports
  const { state: stateText, secret_id: secretId } = visit.query
  const state = readReturnState(stateText)
  if (state === null) return notice(ports, visit, 404, null)
  const cookie = cookieOf(ports, state.tokenHash)
  const token = cookie.read(visit.header('cookie'))
  const session = token === undefined ? null : await sessions.find(token)
  // The cookie is of the browser that began; the state is what came back.
  if (session?.row.tokenHash !== state.tokenHash) return notice(ports, visit, 404, null)
  if (secretId !== undefined)
    await attempts.finishConsent(session, state, secretId, visit.requestId)
  const query = new URLSearchParams({
    ...(state.ownWindow && { window: '1' }),
    ...(state.language !== null && { lang: state.language }),
  }).toString()
  const location = `${baseOf(ports)}/${token}${query === '' ? '' : `?${query}`}`
  return empty(303, { location, 'set-cookie': cookie.write('', 0) })
}

function baseOf({ publicUrl }: ConnectPagePorts): string {
  return `${(URL.parse(publicUrl())?.pathname ?? '').replace(/\/$/, '')}/connect`
}

async function submitted(
  ports: ConnectPagePorts,
  place: PagePlace,
  typed: Typed,
  visit: Visit,
): Promise<ServiceReply> {
  const { session, token } = place
  const { connector = '', way = '', window: ownWindow } = typed
  const { requestId } = visit
  const offer = await offerOf(ports, session).catch(goneIfUnknown)
  if (offer === null) return pageReply(404, gonePage(place), place)
  const choice = choose(ports, offer, connector, way)
  if (choice === null) {
    return pageReply(400, noticePage(place, requestId, 'foreign_connector'), place)
  }
  const apart = takeApart(choice, typed)
  const submission = { session, choice, typed: apart.typed, requestId }
  const end =
    choice.way.kind === 'form'
      ? await ports.attempts.submit(submission)
      : await ports.attempts.startConsent(submission, {
          ownWindow: ownWindow === '1',
          language: place.asked,
        })
  switch (end.kind) {
    case 'connected':
      return empty(303, {
        location: `${place.base}/${token}${place.asked === null ? '' : `?lang=${place.asked}`}`,
      })
    case 'consent': {
      const cookie = cookieOf(ports, session.row.tokenHash).write(token, CONNECT_SECONDS)
      return pageReply(200, leavingPage(place, choice.vendor, end.url), place, cookie)
    }
    case 'failed': {
      const problem = tellAddresses(end.problem, allFields(choice), apart.typed)
      const backTo = backOf(offer, choice)
      const html = formPage(place, { choice, ...apart, problem, backTo })
      return pageReply(422, html, place)
    }
    case 'twin': {
      const view = { choice, ...apart, problem: null, backTo: backOf(offer, choice) }
      return pageReply(200, formPage(place, { ...view, twin: end.twin }), place)
    }
    case 'busy':
      return pageReply(409, busyPage(place), place)
  }
}

async function show(
  ports: ConnectPagePorts,
  place: PagePlace,
  query: Visit['query'],
): Promise<ServiceReply> {
  const { session } = place
  const { row, principal } = session
  if (row.connectedId !== null) {
    const made = await ports.rows.read(principal, row.connectedId).catch(goneIfUnknown)
    const manifest = made === null ? undefined : ports.catalogue.find(made.connectorType)
    const known =
      manifest === undefined
        ? null
        : { manifest, settings: settingsShown(manifest, made?.config ?? {}) }
    return pageReply(200, connectedPage(place, row.connectedId, made, known), place)
  }
  const problem = readProblem(row.problem)
  if (place.isOwnWindow && problem !== null) {
    const failed = ports.catalogue.find(problem.connector)
    const vendor = failed === undefined ? problem.connector : vendorName(failed.title)
    return pageReply(200, closeWindowPage(place, problem, vendor), place)
  }
  const offer = await offerOf(ports, session).catch(goneIfUnknown)
  return offer === null
    ? pageReply(404, gonePage(place), place)
    : pageReply(200, openPage(ports, place, offer, query), place)
}

function openPage(
  ports: ConnectPagePorts,
  place: PagePlace,
  offer: Offer,
  query: Visit['query'],
): string {
  const last = readProblem(place.session.row.problem)
  const [only] = offer.manifests.length === 1 ? offer.manifests : []
  const wanted = query['connector'] ?? only?.type ?? last?.connector
  const manifest = offer.manifests.find(({ type }) => type === wanted)
  if (manifest === undefined) return connectorsPage(place, offer.manifests)
  const ways = waysIn(ports, offer, manifest)
  const [onlyWay] = ways.length === 1 ? ways : []
  const used = query['connector'] === undefined ? (last?.way ?? offer.instance?.authMethod) : null
  const choice = choose(ports, offer, manifest.type, query['way'] ?? onlyWay?.name ?? used ?? '')
  if (choice === null) return waysPage(place, manifest, ways, elsewhereOf(offer))
  const isItsProblem = last?.connector === manifest.type && last.way === choice.way.name
  const problem = isItsProblem ? last : null
  return formPage(place, { choice, typed: null, problem, backTo: backOf(offer, choice) })
}

async function placeOf(ports: ConnectPagePorts, visit: Visit): Promise<PagePlace | null> {
  const { token = '' } = visit.path
  const session = await ports.sessions.find(token)
  if (session === null) return null
  const shownIn = visit.header('sec-fetch-dest')
  return {
    base: baseOf(ports),
    token,
    session,
    icons: ports.icons,
    isFramed: shownIn === 'iframe',
    isDocument: (shownIn ?? 'document') === 'document',
    isOwnWindow: visit.query['window'] === '1',
    ...languageOf(visit),
  }
}

/** One request: limits, log and metrics around a page, and a page for what is wrong. */
async function visited(
  ports: ConnectPagePorts & { readonly server: ExchangePorts; readonly destination: Destination },
  { arrival, path, query }: Call,
  show: Show,
): Promise<Answer> {
  const { server, destination } = ports
  const exchange = new HttpExchange(server, arrival, destination)
  Object.assign(exchange, { path, query: single(query) })
  try {
    server.lifecycle.admit()
    return exchange.render(await exchange.within(() => show(exchange, () => formOf(arrival))))
  } catch (thrown) {
    const { status } = exchange.renderProblem(thrown)
    const refusal = status >= 500 ? 'service_fails' : 'unreadable_form'
    return exchange.render(notice(ports, exchange, status, refusal))
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
function single(query: Call['query']): Visit['query'] {
  return Object.fromEntries(
    Object.entries(query).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
}

function goneIfUnknown(error: unknown): null {
  if (isConnectorError(error, 'instance_unknown')) return null
  throw error
}

function backOf({ manifests }: Offer, { ways }: Choice): FormView['backTo'] {
  if (ways.length > 1) return 'ways'
  return elsewhereOf({ manifests })
}

function elsewhereOf({ manifests }: Pick<Offer, 'manifests'>): 'connectors' | null {
  return manifests.length > 1 ? 'connectors' : null
}

/** Nothing from elsewhere, nothing inline, in no frame but those of the one origin that was named. */
function pageReply(
  status: number,
  content: string,
  place?: PagePlace,
  cookie?: string,
): ServiceReply {
  const origin = place?.session.row.allowedOrigin ?? null
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "font-src 'self'",
      "img-src 'self' data:",
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
  return { status, headers, content }
}

/**
 * Whether a form was sent by our own page. Its address is a secret already; this is the second wall. Without a referrer
 * a browser's `Origin` is `null`, so that `Sec-Fetch-Site` has to tell.
 */
function isOwnPage(visit: Visit, publicUrl: string): boolean {
  const site = visit.header('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const origin = visit.header('origin')
  return origin === undefined || origin === 'null' || origin === URL.parse(publicUrl)?.origin
}

/** A cookie per session, so that several may be under way in one browser. */
function cookieOf({ publicUrl }: ConnectPagePorts, tokenHash: string): Cookie {
  return new Cookie(publicUrl(), `tenon-connect-${tokenHash.slice(0, 16)}`, 'Lax')
}
