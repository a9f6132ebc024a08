// A proxy that connects by CONNECT, and tells what it was asked for.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

export interface ConnectProxy extends AsyncDisposable {
  readonly port: number
  /** What it was asked to connect to, in turn. */
  readonly asked: readonly string[]
  /** The headers of the last request. */
  readonly headers: IncomingMessage['headers']
}

export interface ConnectProxyOptions {
  /** It speaks TLS itself. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** The Proxy-Authorization that it wants. */
  readonly authorization?: string
  /** Said in place of a tunnel. */
  readonly answer?: string
}

/** Every name leads to this machine. */
export async function createConnectProxy(options: ConnectProxyOptions = {}): Promise<ConnectProxy> {
  const asked: string[] = []
  let headers: IncomingMessage['headers'] = {}
  const sockets = new Set<Duplex>()
  const server: Server = options.tls === undefined ? createServer() : createTlsServer(options.tls)
  server.on('connection', (socket: Socket) => keep(socket))
  server.on('connect', (request: IncomingMessage, client: Duplex) => {
    asked.push(request.url ?? '')
    headers = request.headers
    client.on('error', () => client.destroy())
    if (options.answer !== undefined) return void client.end(options.answer)
    const { authorization } = options
    if (authorization !== undefined && headers['proxy-authorization'] !== authorization)
      return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    const port = Number(/:(\d+)$/.exec(request.url ?? '')?.[1])
    const upstream = connect({ host: '127.0.0.1', port }, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      client.pipe(upstream).pipe(client)
    })
    keep(upstream)
    upstream.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
    upstream.on('close', () => client.destroy())
    client.on('close', () => upstream.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  function keep(socket: Duplex): void {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }

  return {
    port: (server.address() as AddressInfo).port,
    asked,
    get headers() {
      return headers
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
