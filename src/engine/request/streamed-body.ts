// A body that is sent while it is read: bytes, and files that are opened when their turn comes.
import { ConnectorError, isConnectorError } from '../../errors.ts'
import type { FileSource, OpenFile } from '../../language/expression/file-source.ts'

export class StreamedBody {
  /** In bytes; null: not known before its end. */
  readonly length: number | null
  readonly pieces: readonly (Uint8Array | FileSource)[]

  constructor(pieces: readonly (Uint8Array | FileSource)[]) {
    this.pieces = pieces
    this.length = pieces.reduce<number | null>((sum, piece) => {
      const length = piece instanceof Uint8Array ? piece.length : piece.size
      return sum === null || length === null ? null : sum + length
    }, 0)
  }

  /** Whether it can be sent from its beginning: a stream that was begun cannot be read again. */
  canOpen(): boolean {
    return this.pieces.every((piece) => piece instanceof Uint8Array || piece.canOpen())
  }

  /** What people see of it: a file is named, its bytes are not shown. */
  get shown(): string {
    return this.pieces
      .map((piece) => (piece instanceof Uint8Array ? shownText(piece) : shownFile(piece)))
      .join('')
  }

  /**
   * Its bytes from the beginning. Rejects with `upload_interrupted` where a file breaks off, or has another length than was
   * said: the sender then ends the connection, so that nobody takes a part for the whole.
   */
  open(): OpenFile {
    const pieces = this.pieces
    let reading: OpenFile | null = null
    async function* read(): AsyncGenerator<Uint8Array> {
      for (const piece of pieces) {
        if (piece instanceof Uint8Array) yield piece
        else yield* bytesOf(piece, (reading = openFile(piece)))
      }
    }
    return { [Symbol.asyncIterator]: read, destroy: () => reading?.destroy() }
  }
}

/** A byte order mark is a character as well. */
function shownText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

/** What is said in place of the bytes of a file. */
function shownFile({ name, size }: FileSource): string {
  const length = size === null ? '' : `, ${size} bytes`
  return `<${name ?? 'a file'}${length}>`
}

/** Opens a file where it can be opened. Throws `upload_interrupted` for a stream that was read already. */
export function openFile(file: FileSource): OpenFile {
  if (file.canOpen()) return file.open()
  throw interrupted(0, file, 'was read already and cannot be read again; give a new one')
}

/**
 * The bytes of a file that was opened at `begun`. Rejects with `upload_interrupted` where it breaks off, or has another
 * length than was said.
 */
export async function* bytesOf(
  file: FileSource,
  opened: OpenFile,
  begun = 0,
): AsyncGenerator<Uint8Array> {
  const { size } = file
  let bytes = begun
  try {
    for await (const chunk of opened as AsyncIterable<unknown>) {
      const piece = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk
      if (!(piece instanceof Uint8Array)) throw interrupted(bytes, file, 'gives no bytes')
      bytes += piece.length
      if (size !== null && bytes > size) throw interrupted(bytes, file, 'is longer than it said')
      yield piece
    }
  } catch (cause) {
    if (isConnectorError(cause)) throw cause
    throw interrupted(bytes, file, 'broke off', cause)
  }
  if (size !== null && bytes < size) throw interrupted(bytes, file, 'ended early')
}

/** The error of a file whose bytes do not all come. The vendor never got the whole request, and so did nothing. */
export function interrupted(
  bytes: number,
  file: Pick<FileSource, 'size' | 'name'> | null,
  what: string,
  cause?: unknown,
): ConnectorError {
  const size = file?.size ?? null
  const of = size === null ? '' : ` of ${size}`
  const name = file?.name ?? null
  return new ConnectorError(
    'upload_interrupted',
    `the file${name === null ? '' : ` ${JSON.stringify(name)}`} ${what}, after ${bytes}${of} bytes; nothing was completed at the third party`,
    { details: { bytes, ...(size === null ? {} : { size }) }, cause },
  )
}
