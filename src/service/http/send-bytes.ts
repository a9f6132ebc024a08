// A file on its way to a client: backpressure all the way, and never a clean end for a broken source.
import { pipeline } from 'node:stream/promises'
import type { FastifyReply } from 'fastify'
import type { ServiceReply } from '../route.ts'

/** Told while it happens: the log's line is written as soon as the connection is done. */
interface Told {
  sent(bytes: number): void
  failed(error: unknown): void
}

/**
 * Sends a stream under a hijacked reply. After the head the only honest way to fail is to destroy the connection: no
 * last chunk, or fewer bytes than announced. When the client leaves, the source is destroyed.
 */
export async function sendBytes(
  reply: FastifyReply,
  answer: Extract<ServiceReply, { readonly kind: 'bytes' }>,
  told: Told,
): Promise<void> {
  const { raw } = reply
  const headers = { ...reply.getHeaders(), ...answer.headers }
  let bytes = 0
  answer.stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    told.sent(bytes)
  })
  answer.stream.pause()
  try {
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined) raw.setHeader(name, value)
    }
    // At once: a source that breaks before anybody has read of it has a head all the same.
    raw.writeHead(answer.status).flushHeaders()
    await pipeline(answer.stream, raw)
  } catch (error) {
    told.failed(error)
    answer.stream.destroy()
    raw.destroy()
  }
}
