// The least that can stand between: node:http that asks the vendor and pipes its answer.
// Arguments: the vendor's address, the path to ask for. Tells its parent the address.
import { Agent, createServer, request } from 'node:http'

import { answerUsage } from './usage.mjs'

const [vendor, path] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true })
const options = {
  agent,
  headers: {
    accept: 'application/json',
    authorization: `Basic ${Buffer.from('ada@example.com:a-token-of-some-length').toString('base64')}`,
  },
}

const server = createServer((incoming, outgoing) => {
  incoming.resume()
  request(vendor + path, options, (answer) => {
    outgoing.writeHead(answer.statusCode, answer.headers)
    answer.pipe(outgoing)
  }).end()
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  answerUsage()
  process.send({ url: `http://127.0.0.1:${server.address().port}` })
})
