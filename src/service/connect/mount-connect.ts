// The connect page on a server: its addresses, what browsers may do with it, and its answers.
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ConnectorError, ERRORS, isConnectorError } from '../../errors.ts'
import { packageFile } from '../../package-file.ts'
import { uuidv7 } from '../../store/uuid.ts'
import type { ApiPorts } from '../http/api.ts'
import { type ChoicePorts, choose, type Offer, offerOf, waysIn } from './choice.ts'
import { type ConnectAttempts, readReturnState } from './connect-attempts.ts'
import {
  busyPage,
  closeWindowPage,
  connectedPage,
  connectorsPage,
  formPage,
  gonePage,
  leavingPage,
  overPage,
  type PagePlace,
  refusedPage,
  statusOf,
  waysPage,
} from './connect-page.ts'
import { CONNECT_SECONDS, type ConnectSession, type ConnectSessions } from './connect-sessions.ts'
import type { Typed } from './form-fields.ts'
import { type ConnectProblem, readProblem } from './problem-words.ts'
import { vendorOf } from './ways.ts'

export interface ConnectPagePorts extends ChoicePorts {
  readonly sessions: ConnectSessions
  readonly attempts: ConnectAttempts
  readonly publicUrl: () => string
}

type ServerPorts = Pick<ApiPorts, 'clock' | 'lifecycle' | 'log' | 'observe'>

const BODY_LIMIT_BYTES = 64 * 1024
const ROUTE = 'connectPage'

/** A page of ours, and how browsers may treat it. */
interface PageAnswer {
  readonly status: number
  readonly html: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Mounts `/connect`, encapsulated: what it does to requests and answers reaches no other route. */
export async function mountConnect(
  app: FastifyInstance,
  server: ServerPorts,
  ports: ConnectPagePorts,
): Promise<void> {
  await app.register(async (scope) => {
    mountPages(scope, server, ports)
  })
}

function mountPages(app: FastifyInstance, server: ServerPorts, ports: ConnectPagePorts): void {
  const { sessions, attempts } = ports
  const requestIds = new WeakMap<FastifyRequest, string>()
  const idOf = (request: FastifyRequest): string => requestIds.get(request) ?? ''
  const base = (): string =>
    `${(URL.parse(ports.publicUrl())?.pathname ?? '').replace(/\/$/, '')}/connect`

  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  app.addHook('onRequest', async (request, reply) => {
    const requestId = uuidv7(server.clock.now())
    requestIds.set(request, requestId)
    const startedAt = server.clock.monotonic()
    const leave = server.lifecycle.enter()
    reply.raw.once('close', () => {
      leave()
      const { statusCode: status } = reply.raw
      const tookMs = server.clock.monotonic() - startedAt
      server.observe(ROUTE, status, null, tookMs)
      // Never the path: the token in it is a secret.
      const facts = { request_id: requestId, route: ROUTE, method: request.method, status }
      server.log.info({ ...facts, took_ms: Math.round(tookMs * 10) / 10 }, 'request')
    })
    void reply.header('x-content-type-options', 'nosniff').header('cache-control', 'no-store')
    server.lifecycle.admit()
  })
  app.setErrorHandler((thrown, request, reply) => {
    const status = isConnectorError(thrown)
      ? (ERRORS[thrown.code].status ?? 500)
      : ((thrown as { readonly statusCode?: number }).statusCode ?? 500)
    if (status >= 500 && !isConnectorError(thrown)) {
      server.log.error(
        { request_id: idOf(request), stack: thrown instanceof Error ? thrown.stack : '' },
        'a connect page failed for a reason of ours',
      )
    }
    const detail =
      status >= 500
        ? 'The service cannot answer right now. Try again in a moment.'
        : 'The form could not be read. Go back and send it again.'
    return send(reply, { status, html: refusedPage(base(), idOf(request), detail) })
  })

  for (const [name, type, files] of [
    ['page.js', 'text/javascript; charset=utf-8', ['page.js']],
    ['page.css', 'text/css; charset=utf-8', ['colours.css', 'page.css']],
  ] as const) {
    const text = files
      .map((file) => readFileSync(packageFile(`src/connect/${file}`), 'utf8'))
      .join('\n')
    app.get(`/connect/assets/${name}`, (_request, reply) => reply.type(type).send(text))
  }

  app.get('/connect/return', async (request, reply) => {
    const { state: stateText, secret_id: secretId } = request.query as Query
    const state = readReturnState(stateText)
    const name = state === null ? '' : cookieName(ports.publicUrl(), state.tokenHash)
    const token = state === null ? undefined : cookieIn(request, name)
    const session = token === undefined ? null : await sessions.find(token)
    // The cookie is of the browser that began; the state is what came back.
    if (state === null || token === undefined || session?.row.tokenHash !== state.tokenHash)
      return send(reply, over(request))
    if (secretId !== undefined)
      await attempts.finishConsent(session, state.connectorType, secretId, idOf(request))
    return reply
      .code(303)
      .headers({
        location: `${base()}/${token}${state.ownWindow ? '?window=1' : ''}`,
        'set-cookie': `${name}=; Max-Age=0${cookieAttributes(ports.publicUrl())}`,
      })
      .send()
  })

  app.get('/connect/:token', async (request, reply) => {
    const place = await placeOf(request)
    if (place === null) return send(reply, over(request))
    return send(reply, await show(place, request.query as Query), place.session)
  })

  app.get('/connect/:token/status', async (request, reply) => {
    const place = await placeOf(request)
    return place === null
      ? reply.code(404).send({ state: 'over', attempts: 0 })
      : reply.send(statusOf(place.session))
  })

  app.post('/connect/:token', async (request, reply) => {
    const place = await placeOf(request)
    if (place === null) return send(reply, over(request))
    const { session } = place
    if (!isOwnPage(request, ports.publicUrl())) {
      const html = refusedPage(base(), idOf(request), 'This form was sent by another page.')
      return send(reply, { status: 403, html })
    }
    if (session.row.connectedId !== null)
      return send(reply, { ...(await show(place, {})), status: 409 }, session)
    return await submitted(place, (request.body ?? {}) as Typed, request, reply)
  })

  async function submitted(
    place: PagePlace,
    typed: Typed,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { session, token } = place
    const { connector = '', way = '', window: ownWindow } = typed
    const requestId = idOf(request)
    const offer = await offerOf(ports, session).catch(goneIfUnknown)
    if (offer === null) return send(reply, { status: 404, html: gonePage(place) }, session)
    const choice = choose(ports, offer, connector, way)
    if (choice === null) {
      const html = refusedPage(base(), requestId, 'This link is not for that connection.')
      return send(reply, { status: 400, html }, session)
    }
    const end =
      choice.way.kind === 'form'
        ? await attempts.submit(session, choice, typed, requestId)
        : await attempts.startConsent(session, choice, typed, {
            ownWindow: ownWindow === '1',
            requestId,
          })
    switch (end.kind) {
      case 'connected':
        return reply.code(303).header('location', `${base()}/${token}`).send()
      case 'consent': {
        const { tokenHash } = session.row
        const name = cookieName(ports.publicUrl(), tokenHash)
        const cookie = `${name}=${token}; Max-Age=${CONNECT_SECONDS}${cookieAttributes(ports.publicUrl())}`
        return send(
          reply,
          {
            status: 200,
            html: leavingPage(place, choice.vendor, end.url),
            headers: { 'set-cookie': cookie },
          },
          session,
        )
      }
      case 'failed': {
        const html = formPage(place, choice, typed, end.problem, backOf(offer.manifests, choice))
        return send(reply, { status: 422, html }, session)
      }
      case 'busy':
        return send(reply, { status: 409, html: busyPage(place) }, session)
    }
  }

  /** The page as the session stands. */
  async function show(place: PagePlace, query: Query): Promise<PageAnswer> {
    const { row, principal } = place.session
    if (row.connectedId !== null) {
      const made = await ports.rows.read(principal, row.connectedId).catch(goneIfUnknown)
      const manifest = made === null ? undefined : ports.catalogue.find(made.connectorType)
      const vendor = manifest === undefined ? 'The account' : vendorOf(manifest)
      return { status: 200, html: connectedPage(place, row.connectedId, made, vendor) }
    }
    const problem = readProblem(row.problem)
    if (place.isOwnWindow && problem !== null)
      return { status: 200, html: closeWindowPage(place, problem) }
    const offer = await offerOf(ports, place.session).catch(goneIfUnknown)
    return offer === null
      ? { status: 404, html: gonePage(place) }
      : { status: 200, html: openPage(place, offer, query, problem) }
  }

  function openPage(
    place: PagePlace,
    offer: Offer,
    query: Query,
    last: ConnectProblem | null,
  ): string {
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
    return formPage(
      place,
      choice,
      null,
      isItsProblem ? last : null,
      backOf(offer.manifests, choice),
    )
  }

  async function placeOf(request: FastifyRequest): Promise<PagePlace | null> {
    const { token = '' } = request.params as Readonly<Record<string, string>>
    const session = await sessions.find(token)
    if (session === null) return null
    return {
      base: base(),
      token,
      session,
      isFramed: request.headers['sec-fetch-dest'] === 'iframe',
      isDocument: (request.headers['sec-fetch-dest'] ?? 'document') === 'document',
      isOwnWindow: (request.query as Query)['window'] === '1',
    }
  }

  function over(request: FastifyRequest): PageAnswer {
    return { status: 404, html: overPage(base(), idOf(request)) }
  }

  function send(
    reply: FastifyReply,
    { status, html, headers = {} }: PageAnswer,
    session: ConnectSession | null = null,
  ): FastifyReply {
    return reply
      .code(status)
      .headers({ ...headersFor(session, idOf(reply.request)), ...headers })
      .type('text/html; charset=utf-8')
      .send(html)
  }
}

type Query = Readonly<Record<string, string | undefined>>

function goneIfUnknown(error: unknown): null {
  if (isConnectorError(error, 'instance_unknown')) return null
  throw error
}

function backOf(
  manifests: readonly unknown[],
  { ways }: { readonly ways: readonly unknown[] },
): 'ways' | 'connectors' | null {
  if (ways.length > 1) return 'ways'
  return manifests.length > 1 ? 'connectors' : null
}

/** Nothing from elsewhere, nothing inline, in no frame but those of the one origin that was named. */
function headersFor(
  session: ConnectSession | null,
  requestId: string,
): Readonly<Record<string, string>> {
  const origin = session?.row.allowedOrigin ?? null
  return {
    'cache-control': 'no-store',
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
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  }
}

/**
 * Whether a form was sent by our own page. Its address is a secret already; this is the second wall. Without a referrer
 * a browser's `Origin` is `null`, so that `Sec-Fetch-Site` has to tell.
 */
function isOwnPage({ headers }: FastifyRequest, publicUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin } = headers
  return origin === undefined || origin === 'null' || origin === URL.parse(publicUrl)?.origin
}

/** A cookie per session, so that several may be under way in one browser. */
function cookieName(publicUrl: string, tokenHash: string): string {
  return `${publicUrl.startsWith('https:') ? '__Host-' : ''}tenon-connect-${tokenHash.slice(0, 16)}`
}

function cookieAttributes(publicUrl: string): string {
  return `; Path=/; HttpOnly; SameSite=Lax${publicUrl.startsWith('https:') ? '; Secure' : ''}`
}

function cookieIn({ headers }: FastifyRequest, name: string): string | undefined {
  const values = (headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1))
  if (values.length > 1)
    throw new ConnectorError('request_malformed', `the cookie ${name} is sent twice`)
  return values[0]
}
