// Bytes on their way as a stream of Node, and in the other forms that a reader may want.
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { AnswerHead, IncomingBytes, StreamedAnswer } from './service-platform.ts'

/** An answer with its body in the forms that readers want. */
export function incoming({
  status,
  headers,
  body,
}: AnswerHead & { readonly body: Readable }): StreamedAnswer {
  return { status, headers, body: incomingBytes(body) }
}

function incomingBytes(stream: Readable): IncomingBytes {
  // An unread stream may break; a later reader still gets the error.
  stream.on('error', () => {})
  return {
    pieces: () => stream as AsyncIterable<Uint8Array>,
    nodeStream: () => stream,
    // Node gives a stream of the web under its own name for it.
    webStream: () => Readable.toWeb(stream) as ReadableStream<Uint8Array>,
    toFile: (path) => writeFile(stream, path),
    cancel: () => stream.destroy(),
  }
}

/** Writes a temporary file next to `path` and renames it when complete. */
async function writeFile(stream: Readable, path: string): Promise<void> {
  const { rename, rm } = await import('node:fs/promises')
  const { pipeline } = await import('node:stream/promises')
  const temporary = `${path}.${process.pid}.part`
  try {
    await pipeline(stream, createWriteStream(temporary, { flags: 'wx' }))
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
