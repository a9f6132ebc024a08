// A file on its way: a stream with its head, read once.
import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { ConnectorError } from '../errors.ts'
import type { FileStream } from '../engine/run/download.ts'

/** Which bytes of the whole file these are. `size` is null when the third party does not tell. */
export interface ContentRange {
  readonly start: number
  readonly end: number
  readonly size: number | null
}

/** A stream without a reader gives its connection back after this time. */
const IDLE_MS = 60_000

/**
 * The file of a download action. Read it once: `for await`, `body`, `toFile` or `toBytes`. A file that is not read must be
 * cancelled; after 60 s without a reader it cancels itself.
 */
export class Download implements AsyncIterable<Uint8Array> {
  /** 200 for the whole file, 206 for a range. */
  readonly status: number
  readonly contentType: string | null
  /** Bytes that will come; null when the third party does not tell. */
  readonly contentLength: number | null
  readonly contentRange: ContentRange | null
  readonly etag: string | null
  readonly lastModified: string | null
  readonly acceptRanges: string | null
  readonly #stream: Readable
  readonly #idle: NodeJS.Timeout
  #taken = false

  constructor(file: FileStream) {
    const { headers } = file
    this.status = file.status
    this.contentType = headers['content-type'] ?? null
    this.contentLength =
      headers['content-length'] === undefined ? null : Number(headers['content-length'])
    this.contentRange = parseContentRange(headers['content-range'])
    this.etag = headers['etag'] ?? null
    this.lastModified = headers['last-modified'] ?? null
    this.acceptRanges = headers['accept-ranges'] ?? null
    this.#stream = file.body
    this.#idle = setTimeout(() => this.cancel(), IDLE_MS).unref()
    // An unread stream may break; a later reader still gets the error.
    this.#stream.on('error', () => {})
  }

  /** The bytes as a Node stream. Errors with `download_interrupted` when the source breaks: never a short clean end. */
  get body(): Readable {
    return this.#take()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    yield* this.#take() as AsyncIterable<Uint8Array>
  }

  /** Writes a temporary file next to `path` and renames it when complete, so that `path` is whole or not there. */
  async toFile(path: string): Promise<void> {
    const { rename, rm } = await import('node:fs/promises')
    const { pipeline } = await import('node:stream/promises')
    const temporary = `${path}.${process.pid}.part`
    try {
      await pipeline(this.#take(), createWriteStream(temporary, { flags: 'wx' }))
      await rename(temporary, path)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  }

  /** The whole file in memory. Throws `upstream_response_too_large` beyond `maxBytes`. */
  async toBytes({ maxBytes }: { readonly maxBytes: number }): Promise<Uint8Array> {
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of this) {
      bytes += chunk.length
      if (bytes > maxBytes) {
        throw new ConnectorError(
          'upstream_response_too_large',
          `the file has more than ${maxBytes} bytes; use toFile or the stream`,
        )
      }
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  }

  /** Stops the transfer and gives the connection back. */
  cancel(): void {
    clearTimeout(this.#idle)
    this.#stream.destroy()
  }

  toJSON(): object {
    const { status, contentType, contentLength, contentRange, etag, lastModified, acceptRanges } =
      this
    return { status, contentType, contentLength, contentRange, etag, lastModified, acceptRanges }
  }

  #take(): Readable {
    if (this.#taken) throw new TypeError('a download can be read once; call the action again')
    this.#taken = true
    clearTimeout(this.#idle)
    return this.#stream
  }
}

function parseContentRange(header: string | undefined): ContentRange | null {
  const match = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(header ?? '')
  if (match === null) return null
  return {
    start: Number(match[1]),
    end: Number(match[2]),
    size: match[3] === '*' ? null : Number(match[3]),
  }
}
