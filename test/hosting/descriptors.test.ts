// Callers beyond what the process may have open are told so; nothing that fails at the door ends the process.
import { once } from 'node:events'
import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { boundCallers } from '../../src/hosting/descriptors.ts'
import { eventually } from '../faults/resources.ts'

interface Door extends AsyncDisposable {
  readonly server: Server
  readonly url: string
  /** What the log was told, by its reasons. */
  readonly reasons: readonly string[]
  /** Those that are let in and not answered yet. */
  readonly held: (() => void)[]
}

async function openDoor(max: number): Promise<Door> {
  const reasons: string[] = []
  const held: (() => void)[] = []
  const server = createServer()
  const note = (facts: object): void => void reasons.push((facts as { reason: string }).reason)
  const refusalOf = boundCallers(server, max, { debug: note, info: note, warn: note, error: note })
  server.on('request', (request, response) => {
    const problem = refusalOf(request, response)
    if (problem !== null) response.writeHead(503).end(problem.code)
    else if (request.url === '/held') held.push(() => response.end('in'))
    else response.end('in')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reasons,
    held,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function ask(url: string, agent?: Agent): Promise<readonly [number, string]> {
  const [response] = (await once(get(url, { agent: agent ?? false }), 'response')) as [
    IncomingMessage,
  ]
  return [response.statusCode ?? 0, await text(response)]
}

test('callers beyond the share are answered 503 each, probes among them as ever, and the log says it once', async () => {
  await using door = await openDoor(3)
  const inside = Array.from({ length: 3 }, () => ask(`${door.url}/held`))
  await eventually(() => door.held.length === 3)
  expect(await ask(`${door.url}/readyz`)).toEqual([200, 'in'])
  expect(await ask(`${door.url}/held`)).toEqual([503, 'overloaded'])
  // More than are read are told all the same.
  const many = await Promise.all(Array.from({ length: 60 }, () => ask(`${door.url}/held`)))
  expect(new Set(many.map(([status]) => status))).toEqual(new Set([503]))
  expect(many.map(([, body]) => body).every((body) => body.includes('overloaded'))).toBe(true)
  for (const go of door.held) go()
  expect(await Promise.all(inside)).toEqual(inside.map(() => [200, 'in']))
  expect(await ask(door.url)).toEqual([200, 'in'])
  expect(door.reasons).toEqual(['connections'])
})

test('connections that rest between two requests make room for callers', async () => {
  await using door = await openDoor(2)
  const agent = new Agent({ keepAlive: true })
  await Promise.all([ask(`${door.url}/a`, agent), ask(`${door.url}/b`, agent)])
  expect(await ask(door.url)).toEqual([200, 'in'])
  expect(door.reasons).toEqual([])
  agent.destroy()
})

test('a caller beyond the share who says nothing is left after a second', async () => {
  await using door = await openDoor(0)
  const silent = connect(Number(new URL(door.url).port), '127.0.0.1').on('error', () => {})
  await once(silent, 'close')
  expect(await ask(door.url)).toEqual([503, 'overloaded'])
})

test('an accept that fails for lack of descriptors ends nothing, and the log says it once', async () => {
  await using door = await openDoor(10)
  for (let n = 0; n < 3; n++)
    // As Node tells it when the system refuses.
    door.server.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }))
  expect(await ask(door.url)).toEqual([200, 'in'])
  expect(door.reasons).toEqual(['EMFILE'])
})
