// The best raw pipe the other way: what arrives goes on to the vendor by undici.request, whose answer comes back.
// Arguments: the vendor's address, the path to send to. Tells its parent the address.
import { createServer } from 'node:http'

import { request } from 'undici'

import { answerUsage } from './usage.mjs'

const [vendor, path] = process.argv.slice(2)
const server = createServer((incoming, outgoing) => {
  request(vendor + path, { method: 'POST', body: incoming }).then(
    ({ statusCode, headers, body }) => body.pipe(outgoing.writeHead(statusCode, headers)),
    (error) => outgoing.destroy(error),
  )
})
server.listen(0, '127.0.0.1', () => {
  answerUsage()
  process.send({ url: `http://127.0.0.1:${server.address().port}` })
})
