// The third party of the benchmark, a process of its own: answers what it is asked as fast as it can.
// Started by bench/vendor.ts, tells its parent the port it listens on.
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createIssue, createPage } from '../jira-bodies.ts'

const record = Buffer.from(JSON.stringify(createIssue(7, 9)))
const page = Buffer.from(JSON.stringify(createPage()))
const chunk = Buffer.alloc(64 * 1024, 'audio')

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname.startsWith('/rest/api/3/issue/')) sendJson(response, record)
  else if (pathname === '/rest/api/3/search/jql') sendJson(response, page)
  else if (pathname.startsWith('/media/')) void sendBytes(response, Number(pathname.slice(7)))
  else response.writeHead(404).end()
})
// No connection closes of itself while sides take turns.
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())

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

async function sendBytes(response: ServerResponse, bytes: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': bytes })
  for (let left = bytes; left > 0 && !response.destroyed; left -= chunk.length) {
    const isFull = !response.write(left < chunk.length ? chunk.subarray(0, left) : chunk)
    if (isFull)
      await new Promise((resolve) => response.once('drain', resolve).once('close', resolve))
  }
  response.end()
}
