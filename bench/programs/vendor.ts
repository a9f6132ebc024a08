// The third party of the benchmark, a process of its own: answers what it is asked as fast as it can.
// Started by bench/vendor.ts, tells its parent the port it listens on.
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

import { bodyAt } from '../jira-bodies.ts'

/** By what was asked for. */
const bodies = new Map<string, Buffer>()
const chunk = Buffer.alloc(64 * 1024, 'audio')

const server = createServer((request, response) => {
  const target = request.url ?? '/'
  const known = bodies.get(target)
  const { pathname } = new URL(target, 'http://localhost')
  if (known !== undefined) sendJson(response, known)
  else if (pathname.startsWith('/rest/')) sendJson(response, createBody(target))
  else if (pathname === '/v2/calls/extensive') void sendMediaLink(request, response)
  else if (pathname === '/files') takeFile(request, response)
  else if (pathname === '/parts') takePart(request, response)
  else if (pathname.startsWith('/media/')) sendBytes(response, Number(pathname.slice(7)))
  else response.writeHead(404).end()
})
// No connection closes of itself while sides take turns.
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())

function createBody(target: string): Buffer {
  const body = Buffer.from(JSON.stringify(bodyAt(target)))
  bodies.set(target, body)
  return body
}

function sendJson(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, {
    'content-type': 'application/json;charset=UTF-8',
    'content-length': body.length,
    'cache-control': 'no-cache, no-store, no-transform',
    vary: 'Accept-Encoding',
    'strict-transport-security': 'max-age=63072000; includeSubDomains',
    'x-arequestid': 'a2c8c2d4b1e94c3f',
    'x-content-type-options': 'nosniff',
  })
  response.end(body)
}

/** The call whose id is a number of bytes has a file of that size. */
async function sendMediaLink(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { filter } = (await json(request)) as { filter: { callIds: string[] } }
  const audioUrl = `http://${request.headers.host}/media/${filter.callIds[0]}`
  sendJson(response, Buffer.from(JSON.stringify({ calls: [{ media: { audioUrl } }] })))
}

/** Answers how many bytes came. */
function takeFile(request: IncomingMessage, response: ServerResponse): void {
  let bytes = 0
  request.on('data', (piece: Buffer) => {
    bytes += piece.length
  })
  request.on('end', () => sendJson(response, Buffer.from(JSON.stringify({ bytes }))))
}

/** The address of a file in parts, and each of these: answers how many bytes came when it is the last one. */
function takePart(request: IncomingMessage, response: ServerResponse): void {
  request.resume()
  request.on('end', () => {
    const range = /-(\d+)\/(\d+)$/.exec(request.headers['content-range'] ?? '')
    const bytes = Number(range?.[1]) + 1
    if (range === null) response.writeHead(200, { location: '/parts' }).end()
    else if (bytes === Number(range[2])) sendJson(response, Buffer.from(JSON.stringify({ bytes })))
    else response.writeHead(308, { range: `bytes=0-${bytes - 1}` }).end()
  })
}

function sendBytes(response: ServerResponse, bytes: number): void {
  response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': bytes })
  let left = bytes
  const pump = (): void => {
    while (left > 0) {
      const piece = left < chunk.length ? chunk.subarray(0, left) : chunk
      left -= piece.length
      if (!response.write(piece)) return
    }
    response.off('drain', pump).end()
  }
  response.on('drain', pump)
  pump()
}
