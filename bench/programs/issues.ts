// A third party with so many issues, a process of its own: `node issues.ts <records>`. Pages are made once and sent as they are.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { pagesOf } from '../copy/pages.ts'

const pages = pagesOf(0, Number(process.argv[2]))
const texts = pages.map((items, page) =>
  Buffer.from(JSON.stringify({ items, ...(page + 1 < pages.length ? { next: page + 1 } : {}) })),
)

const server = createServer((request, response) => {
  const page = new URL(request.url ?? '/', 'http://localhost').searchParams.get('page') ?? '0'
  const text = texts[Number(page)]
  if (text === undefined) response.writeHead(404).end()
  else
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': text.length })
      .end(text)
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
