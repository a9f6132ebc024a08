// The best raw pipe that a server can be: undici.stream from the vendor into the response.
// Arguments: the vendor's address, the path to ask for. Tells its parent the address.
import { createServer } from 'node:http'

import { stream } from 'undici'

import { answerUsage } from './usage.mjs'

const [vendor, path] = process.argv.slice(2)
const server = createServer((incoming, outgoing) => {
  incoming.resume()
  void stream(vendor + path, { method: 'GET' }, ({ statusCode, headers }) =>
    outgoing.writeHead(statusCode, headers),
  )
})
server.listen(0, '127.0.0.1', () => {
  answerUsage()
  process.send({ url: `http://127.0.0.1:${server.address().port}` })
})
