// What is below no prefix: health, metrics, the OpenAPI document.
import { ConnectorError } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { uuidv7 } from '../store/uuid.ts'
import { isSameHash, hashSecret } from '../tokens/token-text.ts'
import { bearerOf } from '../tokens/tokens.ts'
import type { Metrics } from '../metrics.ts'
import type { Answer, Arrival } from './arrival.ts'
import { problemOf } from './problem.ts'
import type { Mounts } from './site.ts'

export interface HealthPorts {
  readonly mode: string
  /** By name; anything but `ok` makes the service not ready. Of several processes of one command, how many there are. */
  readonly checks: () => Promise<{
    readonly checks: Readonly<Record<string, string>>
    readonly processes?: { readonly wanted: number; readonly running: number }
  }>
  /** Whether the store takes changes. A process whose store does not stays ready: it answers readers. */
  readonly writes: () => Promise<boolean>
  /** Nodes of the database that could not be reached when all were asked last; the others answer for what they have. */
  readonly nodesAway: () => number
}

export interface MetricsPorts {
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>
  readonly metricsToken: string | null
}

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

const PAGE = ['GET', 'HEAD']

/** Whether the process lives, and whether it should be sent requests. */
export function mountHealth(site: Mounts, ports: HealthPorts): void {
  site.on(PAGE, '/healthz', () => plain({ status: 'ok' }))
  site.on(PAGE, '/readyz', async () => {
    const [{ checks, processes }, writes] = await Promise.all([ports.checks(), ports.writes()])
    const ready = Object.values(checks).every((result) => result === 'ok')
    const status = ready ? 'ready' : 'not ready'
    const away = ports.nodesAway()
    const more = {
      ...(away === 0 ? {} : { nodes_away: away }),
      ...(processes === undefined ? {} : { processes }),
    }
    return plain({ status, mode: ports.mode, checks, writes, ...more }, ready ? 200 : 503)
  })
}

export function mountMetrics(site: Mounts, ports: MetricsPorts): void {
  site.on(PAGE, '/metrics', async ({ arrival }) => {
    if (!mayReadMetrics(arrival, ports.metricsToken))
      return problem(new ConnectorError('token_invalid', METRICS_DENIED))
    return {
      ...plain(await ports.metrics.text(), 200, ports.metrics.contentType),
      compressible: { kept: null },
    }
  })
}

/** The OpenAPI document of the routes, or with those of one connector typed. Null: there is no such connector. */
export function mountOpenApi(
  site: Mounts,
  openApi: (connectorType: string | undefined) => JsonObject | null,
): void {
  site.on(PAGE, '/openapi.json', ({ query: { connector_type: type } }) => {
    const document = openApi(typeof type === 'string' ? type : undefined)
    return document === null
      ? problem(new ConnectorError('connector_unknown', 'there is no such connector type'))
      : { ...plain(document), compressible: { kept: null } }
  })
}

function plain(
  body: string | object,
  status = 200,
  contentType = 'application/json; charset=utf-8',
  more: Readonly<Record<string, string>> = {},
): Answer {
  return {
    status,
    headers: {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'",
      'content-type': contentType,
      ...more,
    },
    content: typeof body === 'string' ? body : JSON.stringify(body),
  }
}

function problem(error: ConnectorError): Answer {
  const { status, headers, body } = problemOf(error, uuidv7(Date.now()))
  return plain(body, status, undefined, headers)
}

function mayReadMetrics({ headers, address }: Arrival, token: string | null): boolean {
  // A proxy on this machine speaks for anybody.
  const isForwarded = Object.keys(headers).some(
    (name) => FORWARDED.has(name) || name.startsWith('x-forwarded-'),
  )
  if (token === null) return !isForwarded && LOOPBACK.has(address ?? '')
  return isSameHash(hashSecret(bearerOf(headers.authorization) ?? ''), hashSecret(token))
}

const METRICS_DENIED = 'metrics are for loopback, or for the bearer of TENON_METRICS_TOKEN'
