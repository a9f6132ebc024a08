// Clients of a service in its own process: the same routes, without a socket.
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance } from 'fastify'
import { connectHosted } from '../client/hosted.ts'
import type { Client } from '../client/client.ts'
import type { ConnectorClient, ConnectorType, Manifest } from '../client/connectors.ts'
import { ConnectorError } from '../errors.ts'
import type { SendOptions, Transport, UpstreamHead } from '../exchange/transport.ts'
import type { UpstreamRequest } from '../request/upstream-request.ts'
import { type ApiPorts, mountApi } from '../service/http/api.ts'
import { createBodyReader } from '../service/http/body-reader.ts'
import type { Principal } from '../service/tokens/principal.ts'
import { type HostPrincipal, principalOf } from './host-principal.ts'
import type { Service } from './service.ts'

export interface InProcessOptions {
  readonly connectorId: string
  /** Whom the calls are for; it sees and may do what a token of the same shape does. */
  readonly principal: HostPrincipal | Principal
}

/** Connects to instances of a service without HTTP. */
export interface InProcess {
  readonly connect: ConnectInProcess
  readonly close: () => Promise<void>
}

export interface ConnectInProcess {
  <K extends ConnectorType>(type: K, options: InProcessOptions): Promise<ConnectorClient<K>>
  <T = Client>(manifest: Manifest<T>, options: InProcessOptions): Promise<T>
}

/** Never leaves the process: it names the routes only. */
const ORIGIN = 'http://in-process'

/** `apiPorts`: what the routes need, as for a server. */
export function createInProcess(service: Service, apiPorts: ApiPorts): InProcess {
  const principals = new Map<string, Principal>()
  let app: FastifyInstance | null = null

  /** Routes are compiled when somebody connects for the first time. */
  function routes(): FastifyInstance {
    if (app !== null) return app
    app = Fastify({ logger: false, bodyLimit: service.settings.bodyLimitBytes })
    mountApi(app, {
      ...apiPorts,
      rateLimit: null,
      bodies: createBodyReader({ ...service, bytesPerSecond: null }),
      authenticate(request) {
        const [, token = ''] = (request.headers.authorization ?? '').split(' ')
        const principal = principals.get(token)
        if (principal !== undefined) return Promise.resolve(principal)
        throw new ConnectorError('token_invalid', 'this client was closed')
      },
    })
    return app
  }

  async function connect(
    connector: string | Manifest,
    { connectorId, principal }: InProcessOptions,
  ): Promise<unknown> {
    const token = randomBytes(16).toString('hex')
    principals.set(token, 'kind' in principal ? principal : principalOf(principal))
    const transport = createTransport(routes(), () => principals.delete(token))
    const options = { baseUrl: ORIGIN, connectorId, token, transport }
    return await connectHosted(connector as Manifest, options)
  }

  return {
    connect,
    async close() {
      principals.clear()
      await app?.close()
    },
  }
}

/** Requests as calls of the routes. Bodies of answers stream, so that a download is never in memory as a whole. */
function createTransport(app: FastifyInstance, closed: () => void): Transport {
  async function inject(
    request: UpstreamRequest,
    signal: AbortSignal | undefined,
  ): Promise<UpstreamHead & { readonly body: Readable }> {
    const { pathname, search } = new URL(request.url)
    try {
      const answer = await app.inject({
        method: request.method as 'GET',
        url: pathname + search,
        headers: { ...request.headers },
        ...(request.body === null ? {} : { payload: await payloadOf(request.body) }),
        ...(signal === undefined ? {} : { signal }),
        payloadAsStream: true,
      })
      return {
        status: answer.statusCode,
        headers: textHeaders(answer.headers),
        url: request.url,
        body: answer.stream(),
      }
    } catch (cause) {
      if (signal?.aborted === true)
        throw new ConnectorError('aborted', 'the call was aborted', { cause: signal.reason })
      throw cause
    }
  }

  return {
    stream: (request, { signal }: SendOptions = {}) => inject(request, signal),
    async send(request, { signal }: SendOptions = {}) {
      const { body, ...head } = await inject(request, signal)
      const chunks: Buffer[] = []
      for await (const chunk of body) chunks.push(chunk as Buffer)
      return { ...head, body: Buffer.concat(chunks) }
    },
    close: async () => closed(),
  }
}

async function payloadOf(body: NonNullable<UpstreamRequest['body']>): Promise<string | Buffer> {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body
  const chunks: Buffer[] = []
  for await (const chunk of Readable.from(body as Iterable<Buffer>)) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function textHeaders(
  headers: Readonly<Record<string, number | string | readonly string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : String(value)]],
    ),
  )
}
