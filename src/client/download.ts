// A file on its way: a stream with its head, read once.
import type { Readable } from 'node:stream'
import { ConnectorError } from '../errors.ts'
import type { IncomingBytes, StreamedAnswer } from './service-platform.ts'

/** Which bytes of the whole file these are. `size` is null when the third party does not tell. */
export interface ContentRange {
  readonly start: number
  readonly end: number
  readonly size: number | null
}

/** A stream without a reader gives its connection back after this time. */
const IDLE_MS = 60_000

/**
 * The file of a download action. Read it once: `for await`, `body`, `toWebStream`, `toFile` or `toBytes`. A file that is not read must be
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
  readonly #bytes: IncomingBytes
  readonly #idle: ReturnType<typeof setTimeout>
  #taken = false

  constructor(file: StreamedAnswer) {
    const { headers } = file
    this.status = file.status
    this.contentType = headers['content-type'] ?? null
    this.contentLength =
      headers['content-length'] === undefined ? null : Number(headers['content-length'])
    this.contentRange = parseContentRange(headers['content-range'])
    this.etag = headers['etag'] ?? null
    this.lastModified = headers['last-modified'] ?? null
    this.acceptRanges = headers['accept-ranges'] ?? null
    this.#bytes = file.body
    const idle: { unref?: () => void } = (this.#idle = setTimeout(() => this.cancel(), IDLE_MS))
    // Timers of browsers keep nothing running.
    idle.unref?.()
  }

  /**
   * The bytes as a Node stream. Errors with `download_interrupted` when the source breaks: never a short clean end. With
   * `tenon/fetch` there is none: it throws a TypeError.
   */
  get body(): Readable {
    return this.#take('nodeStream')
  }

  /** The bytes as a stream of the web, on every platform: the body of a `Response`. Errors as `body` does. */
  toWebStream(): ReadableStream<Uint8Array> {
    return this.#take('webStream')
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    yield* this.#take('pieces')
  }

  /**
   * Writes a temporary file next to `path` and renames it when complete, so that `path` is whole or not there. With
   * `tenon/fetch` there are no files: it rejects with a TypeError.
   */
  async toFile(path: string): Promise<void> {
    await this.#take('toFile', path)
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
    return joinBytes(chunks)
  }

  /** Stops the transfer and gives the connection back. */
  cancel(): void {
    clearTimeout(this.#idle)
    this.#bytes.cancel()
  }

  toJSON(): object {
    const { status, contentType, contentLength, contentRange, etag, lastModified, acceptRanges } =
      this
    return { status, contentType, contentLength, contentRange, etag, lastModified, acceptRanges }
  }

  #take<F extends Exclude<keyof IncomingBytes, 'cancel'>>(
    form: F,
    ...given: Parameters<IncomingBytes[F]>
  ): ReturnType<IncomingBytes[F]> {
    if (this.#taken) throw new TypeError('a download can be read once; call the action again')
    const read = this.#bytes[form] as (...given: unknown[]) => ReturnType<IncomingBytes[F]>
    const taken = read.apply(this.#bytes, given)
    this.#taken = true
    clearTimeout(this.#idle)
    return taken
  }
}

/** One piece of many. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    joined.set(piece, at)
    at += piece.length
  }
  return joined
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
