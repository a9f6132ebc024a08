import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'

import { expect, test } from 'vitest'

import { createGatheringSocket } from '../../../src/copy/postgres/gathering-socket.ts'

test('what is written in one turn leaves together, and everything arrives in order', async () => {
  await using server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = createGatheringSocket()
  const accepted = once(server, 'connection') as Promise<[Socket]>
  socket.connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [peer] = await accepted
  const arrived: string[] = []
  peer.on('data', (chunk: Buffer) => arrived.push(chunk.toString()))
  if (socket.connecting) await once(socket, 'connect')
  socket.write('a')
  socket.write(Buffer.from('b'))
  expect(socket.writableLength).toBe(2)
  await new Promise<void>((resolve) => socket.write('c', () => resolve()))
  await new Promise<void>((resolve) => socket.write('d', 'utf8', () => resolve()))
  socket.end()
  await once(peer, 'end')
  expect(arrived.join('')).toBe('abcd')
})
