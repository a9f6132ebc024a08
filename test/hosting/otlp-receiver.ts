// A receiver of OTLP on loopback, as a collector is one: it keeps what arrives.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface Arrived {
  readonly path: string
  readonly contentType: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Buffer
}

export interface OtlpReceiver extends AsyncDisposable {
  readonly url: string
  readonly arrived: readonly Arrived[]
}

export async function otlpReceiver(status = 200): Promise<OtlpReceiver> {
  const arrived: Arrived[] = []
  async function keep(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const { headers, url: path = '' } = request
    arrived.push({ path, contentType: headers['content-type'] ?? '', headers, body })
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  }

  const server = createServer((request, response) => {
    void keep(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    arrived,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string }
}

interface Point {
  readonly attributes?: readonly Attribute[]
  readonly asDouble?: number
  readonly asInt?: string | number
  readonly count?: string | number
  readonly explicitBounds?: readonly number[]
}

interface SentMetric {
  readonly name: string
  readonly unit?: string
  readonly sum?: { readonly dataPoints: readonly Point[] }
  readonly gauge?: { readonly dataPoints: readonly Point[] }
  readonly histogram?: { readonly dataPoints: readonly Point[] }
}

interface SentMetrics {
  readonly resourceMetrics: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeMetrics: readonly { readonly metrics: readonly SentMetric[] }[]
  }[]
}

export interface MetricValue {
  readonly labels: Readonly<Record<string, string>>
  /** Of a histogram: how many were recorded. */
  readonly value: number
  readonly bounds?: readonly number[]
}

export interface ReadMetric {
  readonly unit: string
  readonly values: readonly MetricValue[]
}

/** The metrics of one request in OTLP/JSON, by name, and the name of the service. */
export function readMetrics({ body }: Arrived): {
  readonly service: string | undefined
  readonly metrics: ReadonlyMap<string, ReadMetric>
} {
  const sent = JSON.parse(body.toString()) as SentMetrics
  const metrics = new Map<string, ReadMetric>()
  for (const { scopeMetrics } of sent.resourceMetrics)
    for (const metric of scopeMetrics.flatMap((scope) => scope.metrics)) {
      const points = (metric.sum ?? metric.gauge ?? metric.histogram)?.dataPoints ?? []
      metrics.set(metric.name, { unit: metric.unit ?? '', values: points.map(readPoint) })
    }
  const service = sent.resourceMetrics[0]?.resource.attributes.find(
    ({ key }) => key === 'service.name',
  )
  return { service: service?.value.stringValue, metrics }
}

function readPoint({
  attributes = [],
  asDouble,
  asInt,
  count,
  explicitBounds,
}: Point): MetricValue {
  return {
    labels: Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? ''])),
    value: Number(asDouble ?? asInt ?? count),
    ...(explicitBounds === undefined ? {} : { bounds: explicitBounds }),
  }
}
