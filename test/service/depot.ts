// The vendor of depot.yaml: keeps the files that it got whole, and counts those that broke off.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedFile {
  readonly path: string
  readonly text: string
  readonly folder: string | undefined
  readonly type: string | undefined
  readonly length: string | undefined
  readonly authorization: string | undefined
}

export interface Depot extends AsyncDisposable {
  readonly url: string
  /** Requests that came to their end. */
  readonly got: readonly ReceivedFile[]
  /** Bytes of the request that is under way. */
  readonly receiving: number
  /** Requests that broke off. */
  readonly broken: number
  /** Of the answers. */
  status: number
  /** Answers 413 before it has read the body. */
  refuseEarly: boolean
  /** Reads nothing of a body before it. */
  reads: Promise<void>
  reset(): void
}

export async function startDepot(): Promise<Depot> {
  const got: ReceivedFile[] = []
  const fresh = {
    receiving: 0,
    broken: 0,
    status: 200,
    refuseEarly: false,
    reads: Promise.resolve(),
  }
  const state = { ...fresh }
  const server = createServer((request, response) => {
    receive(request, response).catch(() => {
      state.broken++
      response.destroy()
    })
  })

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {})
    if (state.refuseEarly) {
      response.writeHead(413, { 'content-type': 'application/json' }).end('{"message":"too large"}')
      return
    }
    await state.reads
    const pieces: Buffer[] = []
    for await (const piece of request) {
      pieces.push(piece as Buffer)
      state.receiving += (piece as Buffer).length
    }
    const { headers, url = '' } = request
    got.push({
      path: url,
      text: Buffer.concat(pieces).toString(),
      folder: headers['x-folder'] as string | undefined,
      type: headers['content-type'],
      length: headers['content-length'],
      authorization: headers.authorization,
    })
    response.writeHead(state.status, { 'content-type': 'application/json' }).end('{"id":"1"}')
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    got,
    reset() {
      got.length = 0
      Object.assign(state, fresh)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}
