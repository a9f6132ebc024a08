// What is below no prefix: health, metrics, the OpenAPI document and its pages.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { ConnectorError, ERRORS } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import { uuidv7 } from '../../store/uuid.ts'
import { isSameHash, hashSecret } from '../tokens/token-text.ts'
import type { Metrics } from '../metrics.ts'
import { problemOf } from './problem.ts'

export interface RootPorts {
  readonly mode: string
  readonly metrics: Metrics
  /** Whether there is /metrics at all. */
  readonly showsMetrics: boolean
  readonly metricsToken: string | null
  readonly docs: boolean
  /** By name; anything but `ok` makes the process not ready. */
  readonly checks: () => Promise<Readonly<Record<string, string>>>
  /** Whether the store takes changes. A process whose store does not stays ready: it answers readers. */
  readonly writes: () => Promise<boolean>
  /** Null: no such connector. */
  readonly openApi: (connectorType: string | undefined) => JsonObject | null
}

/** The page takes everything from this service, also where that has no TLS of its own. */
const DOCS_POLICY =
  "default-src 'self'; base-uri 'self'; img-src 'self' data:; object-src 'none'; frame-ancestors 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'"

/** What proxies add to a request, apart from everything that begins with `x-forwarded-`. */
const FORWARDED: ReadonlySet<string> = new Set([
  'cf-connecting-ip',
  'client-ip',
  'forwarded',
  'true-client-ip',
  'via',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'x-original-host',
  'x-real-ip',
])
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** Mounts the routes at the root of a server of our own. */
export async function mountRoot(app: FastifyInstance, ports: RootPorts): Promise<void> {
  app.get('/healthz', async (_request, reply) => plain(reply).send({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const [checks, writes] = await Promise.all([ports.checks(), ports.writes()])
    const ready = Object.values(checks).every((result) => result === 'ok')
    return plain(reply)
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ready' : 'not ready', mode: ports.mode, checks, writes })
  })
  if (ports.showsMetrics)
    app.get('/metrics', async (request, reply) => {
      if (!mayReadMetrics(request, ports.metricsToken))
        return problem(request, reply, metricsDenied())
      return plain(reply)
        .header('content-type', ports.metrics.contentType)
        .send(await ports.metrics.text())
    })
  app.get('/openapi.json', async (request, reply) => {
    const type = (request.query as Readonly<Record<string, unknown>>)['connector_type']
    const document = ports.openApi(typeof type === 'string' ? type : undefined)
    return document === null
      ? problem(
          request,
          reply,
          new ConnectorError('connector_unknown', 'there is no such connector type'),
        )
      : plain(reply)
          .header('content-type', 'application/json; charset=utf-8')
          .send(JSON.stringify(document))
  })
  if (!ports.docs) return
  app.get('/docs/errors', async (_request, reply) =>
    plain(reply).header('content-type', 'text/html; charset=utf-8').send(ERRORS_PAGE),
  )
  await app.register(swagger, {
    mode: 'static',
    // Plain JSON; the library's type wants one of its own interfaces.
    specification: { document: ports.openApi(undefined) as never },
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: DOCS_POLICY,
    theme: { title: 'Tenon API' },
    uiConfig: {
      // Without the bar that asks for another document.
      layout: 'BaseLayout',
      deepLinking: true,
      persistAuthorization: false,
      validatorUrl: null,
    },
  })
}

function plain(reply: FastifyReply): FastifyReply {
  return reply.headers({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'",
  })
}

function problem(
  request: FastifyRequest,
  reply: FastifyReply,
  error: ConnectorError,
): FastifyReply {
  const { status, headers, body } = problemOf(error, uuidv7(Date.now()))
  return plain(reply)
    .code(status)
    .headers({ ...headers })
    .send(JSON.stringify(body))
}

function mayReadMetrics(request: FastifyRequest, token: string | null): boolean {
  // A proxy on this machine speaks for anybody.
  const isForwarded = Object.keys(request.headers).some(
    (name) => FORWARDED.has(name) || name.startsWith('x-forwarded-'),
  )
  if (token === null) return !isForwarded && LOOPBACK.has(request.socket.remoteAddress ?? '')
  const [, given = ''] = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  return isSameHash(hashSecret(given), hashSecret(token))
}

function metricsDenied(): ConnectorError {
  return new ConnectorError(
    'token_invalid',
    'metrics are for loopback, or for the bearer of TENON_METRICS_TOKEN',
  )
}

const ERRORS_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Error codes</title>
<h1>Error codes</h1>
<table>
<tr><th>Code<th>Status<th>Who has to act<th>Retry<th>Meaning
${Object.entries(ERRORS)
  .map(
    ([code, { status, origin, retry, title }]) =>
      `<tr id="${code}"><td><code>${code}</code><td>${status ?? '–'}<td>${origin}<td>${retry === true ? 'yes' : retry === false ? 'no' : 'reads'}<td>${title}`,
  )
  .join('\n')}
</table>
</html>
`
