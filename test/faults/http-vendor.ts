// A vendor that speaks HTTP properly and keeps a book of what it was asked.
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'

export interface ReceivedRequest {
  readonly method: string
  /** Path and query as sent. */
  readonly url: string
  readonly headers: Readonly<IncomingMessage['headers']>
  readonly body: string
}

export type Handler = (request: ReceivedRequest, response: ServerResponse) => void | Promise<void>

export interface HttpVendor extends AsyncDisposable {
  /** `http://127.0.0.1:port`, or https with `tls`. */
  readonly url: string
  readonly port: number
  readonly requests: readonly ReceivedRequest[]
  /** Connections made so far. */
  readonly connections: number
  /** Connections that are open now. */
  readonly open: number
}

/** Listens on loopback. `tls` holds a certificate and its key in PEM form. */
export async function createHttpVendor(
  handler: Handler,
  options: { readonly tls?: { readonly cert: string; readonly key: string } } = {},
): Promise<HttpVendor> {
  const requests: ReceivedRequest[] = []
  const sockets = new Set<Socket>()
  let connections = 0

  const listener = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of message) chunks.push(chunk as Buffer)
    const request: ReceivedRequest = {
      method: message.method ?? '',
      url: message.url ?? '',
      headers: message.headers,
      body: Buffer.concat(chunks).toString(),
    }
    requests.push(request)
    await handler(request, response)
  }
  const onRequest = (message: IncomingMessage, response: ServerResponse): void => {
    response.on('error', () => {})
    // A client that leaves in the middle of its request ends the reading; there is nobody to tell.
    listener(message, response).catch(() => response.destroy())
  }
  const server: Server =
    options.tls === undefined ? createServer(onRequest) : createTlsServer(options.tls, onRequest)
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    url: `${options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    requests,
    get connections() {
      return connections
    },
    get open() {
      return sockets.size
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  body: unknown,
  options: { readonly status?: number; readonly headers?: Record<string, string> } = {},
): void {
  response.writeHead(options.status ?? 200, {
    'content-type': 'application/json',
    ...options.headers,
  })
  response.end(JSON.stringify(body))
}
