// A vendor that speaks bytes, not HTTP: each script says exactly what goes over the wire, and when.
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { createServer } from 'node:net'

/** What the client sent before the script's turn. */
export interface RawRequest {
  readonly method: string
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** One request on one connection, as the script sees it. */
export interface Conversation {
  readonly request: RawRequest
  readonly socket: Socket
  /** Writes and waits until the bytes left, or the client did. */
  write(bytes: string | Uint8Array): Promise<void>
  /** Writes one piece at a time with a pause before each, until all are out or the client has left. */
  drip(pieces: Iterable<string | Uint8Array>, everyMs: number): Promise<void>
  /** Does nothing until the client leaves. */
  hang(): Promise<void>
  /** Closes properly: what was written arrives. */
  end(): void
  /** Closes with a TCP reset. */
  reset(): void
}

export type Script = (conversation: Conversation) => void | Promise<void>

export interface TcpVendor extends AsyncDisposable {
  /** `http://127.0.0.1:port` */
  readonly url: string
  readonly port: number
  readonly requests: readonly RawRequest[]
  /** Connections made so far. */
  readonly connections: number
  /** Connections that are open now. */
  readonly open: number
}

export interface TcpVendorOptions {
  /** Runs when a connection is made, before anything is read. */
  readonly onConnect?: (socket: Socket) => void
}

/**
 * Listens on loopback and plays the scripts in turn, one per request over all connections; the last one repeats.
 * What the client sends is read as HTTP/1.1 with a content-length body.
 */
export async function createTcpVendor(
  scripts: Script | readonly Script[],
  options: TcpVendorOptions = {},
): Promise<TcpVendor> {
  const list = typeof scripts === 'function' ? [scripts] : scripts
  const requests: RawRequest[] = []
  const sockets = new Set<Socket>()
  let connections = 0

  const server = createServer({ noDelay: true }, (socket) => {
    connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // Clients that break off are what these tests are about.
    socket.on('error', () => {})
    options.onConnect?.(socket)
    readRequests(socket, (request) => {
      const script = list[Math.min(requests.length, list.length - 1)]
      requests.push(request)
      void script?.(createConversation(socket, request))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}`,
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

function createConversation(socket: Socket, request: RawRequest): Conversation {
  const write = (bytes: string | Uint8Array): Promise<void> =>
    new Promise((resolve) => {
      if (socket.destroyed || !socket.writable) resolve()
      else socket.write(bytes, () => resolve())
    })
  return {
    request,
    socket,
    write,
    async drip(pieces, everyMs) {
      for (const piece of pieces) {
        // Waits for time: it is slow.
        await new Promise((resolve) => setTimeout(resolve, everyMs))
        if (socket.destroyed || !socket.writable) return
        await write(piece)
      }
    },
    async hang() {
      if (!socket.destroyed) await once(socket, 'close')
    },
    end: () => void socket.end(),
    reset: () => void socket.resetAndDestroy(),
  }
}

function readRequests(socket: Socket, onRequest: (request: RawRequest) => void): void {
  let pending = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    pending = Buffer.concat([pending, chunk])
    for (;;) {
      const end = pending.indexOf('\r\n\r\n')
      if (end < 0) return
      const [first = '', ...lines] = pending.toString('latin1', 0, end).split('\r\n')
      const headers = Object.fromEntries(lines.map(splitLine))
      const length = Number(headers['content-length'] ?? 0)
      if (pending.length < end + 4 + length) return
      const [method = '', path = ''] = first.split(' ')
      onRequest({ method, path, headers, body: pending.subarray(end + 4, end + 4 + length) })
      pending = pending.subarray(end + 4 + length)
    }
  })
}

function splitLine(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}
