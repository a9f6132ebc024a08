// A file on its way to a client: backpressure all the way, and never a clean end for a broken source.
import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { ServiceReply } from '../route.ts'

/** Told while it happens: the log's line is written as soon as the connection is done. */
interface Told {
  sent(bytes: number): void
  failed(error: unknown): void
}

/**
 * Sends a stream. After the head the only honest way to fail is to destroy the connection: no last chunk, or fewer
 * bytes than announced. When the client leaves, the source is destroyed.
 */
export async function sendBytes(
  response: ServerResponse,
  headers: Readonly<Record<string, number | string | string[] | undefined>>,
  { status, stream }: Extract<ServiceReply, { readonly kind: 'bytes' }>,
  told: Told,
): Promise<void> {
  let bytes = 0
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    told.sent(bytes)
  })
  stream.pause()
  try {
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined) response.setHeader(name, value)
    }
    // At once: a source that breaks before anybody has read of it has a head all the same.
    response.writeHead(status).flushHeaders()
    await pipeline(stream, response)
  } catch (error) {
    told.failed(error)
    stream.destroy()
    response.destroy()
  }
}
