// A file in parts: each is read into memory when its turn comes, and kept until the next one is wanted, which takes its
// place: the vendor has it then, and a part of some megabytes for each is more than is collected in time.
import { ConnectorError } from '../../errors.ts'
import type { FileSource, OpenFile } from '../../language/expression/file-source.ts'
import { aborted } from '../exchange/call.ts'
import type { Clock } from '../exchange/clock.ts'
import { DEFAULT_LIMITS } from '../exchange/transport-limits.ts'
import { bytesOf, interrupted, openFile } from '../request/streamed-body.ts'

/** A part of a file. */
export interface Part {
  /** Where it begins in the file. */
  readonly from: number
  readonly bytes: Uint8Array
  /** The file ends with it. */
  readonly isLast: boolean
}

/** How long a file may be silent. */
const SILENT_MS = DEFAULT_LIMITS.idleMs

export class FileParts {
  readonly #file: FileSource
  readonly #partBytes: number
  readonly #clock: Pick<Clock, 'sleep'>
  readonly #signal: AbortSignal | undefined
  #opened: OpenFile | null = null
  #pieces: AsyncGenerator<Uint8Array> | null = null
  /** What was read and is no part yet. */
  #surplus: Uint8Array | null = null
  #held: Part | null = null
  /** The memory of parts, made for the first one. */
  #memory: Buffer | null = null
  /** Where the part behind the held one begins. */
  #next = 0
  readonly #onAbort = (): void => void this.#opened?.destroy(this.#aborted())

  constructor(
    file: FileSource,
    partBytes: number,
    { clock, signal }: { clock: Pick<Clock, 'sleep'>; signal: AbortSignal | undefined },
  ) {
    this.#file = file
    this.#partBytes = partBytes
    this.#clock = clock
    this.#signal = signal
    signal?.addEventListener('abort', this.#onAbort)
  }

  /**
   * The part that begins at an offset, or what the held one has from there on. `until`: where it ends at the latest.
   * Rejects with `upload_interrupted` for a file that breaks off, falls silent or is not as long as it said, and where it
   * would have to be read again and cannot be.
   */
  async at(from: number, until: number | null): Promise<Part> {
    if (this.#signal?.aborted === true) throw this.#aborted()
    const held = this.#held
    const skipped = held === null ? -1 : from - held.from
    const isHeld = held !== null && skipped >= 0 && skipped < held.bytes.length
    if (!isHeld) {
      if (this.#pieces === null || from !== this.#next) this.#open(from)
      this.#held = null
      this.#held = await this.#read(from)
      this.#next = from + this.#held.bytes.length
    }
    return cut(this.#held as Part, from, until)
  }

  close(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort)
    this.#opened?.destroy()
    this.#held = null
    this.#memory = null
    this.#surplus = null
  }

  #open(from: number): void {
    const { openAt } = this.#file
    if (this.#opened !== null && openAt === null) throw lost(from, this.#next)
    this.#opened?.destroy()
    this.#opened = openAt === null ? openFile(this.#file) : openAt(from)
    this.#pieces = bytesOf(this.#file, this.#opened, from)
    this.#surplus = null
  }

  /** Reads one part, and so far that it is known whether the file ends with it. */
  async #read(from: number): Promise<Part> {
    const { size } = this.#file
    this.#memory ??= Buffer.allocUnsafeSlow(Math.min(this.#partBytes, size ?? Infinity))
    let bytes = 0
    for (;;) {
      const piece: Uint8Array | null = this.#surplus ?? (await this.#piece(from + bytes))
      this.#surplus = null
      if (piece === null || bytes === this.#partBytes) {
        this.#surplus = piece
        return { from, bytes: this.#memory.subarray(0, bytes), isLast: piece === null }
      }
      const taken = piece.subarray(0, this.#partBytes - bytes)
      if (taken.length < piece.length) this.#surplus = piece.subarray(taken.length)
      this.#memory.set(taken, bytes)
      bytes += taken.length
    }
  }

  /** The next piece that is not empty; null: the file has ended. */
  async #piece(at: number): Promise<Uint8Array | null> {
    for (;;) {
      const patience = new AbortController()
      this.#clock.sleep(SILENT_MS, patience.signal).then(
        () => void this.#opened?.destroy(interrupted(at, this.#file, 'fell silent')),
        () => {}, // It was not silent.
      )
      try {
        const next = await this.#pieces?.next()
        if (next === undefined || next.done === true) return null
        if (next.value.length > 0) return next.value
      } finally {
        patience.abort()
      }
    }
  }

  #aborted(): ConnectorError {
    return aborted(this.#signal?.reason, 'not_applied')
  }
}

function cut(part: Part, from: number, until: number | null): Part {
  const end = part.from + part.bytes.length
  const last = until === null || until <= from ? end : Math.min(end, until)
  return {
    from,
    bytes: part.bytes.subarray(from - part.from, last - part.from),
    isLast: part.isLast && last === end,
  }
}

function lost(from: number, read: number): ConnectorError {
  return new ConnectorError(
    'upload_interrupted',
    `the third party has ${from} bytes of the file and wants the rest, of which ${read - from} were read from a stream already and cannot be read again; give bytes, a Blob or a path, or call again with a new stream`,
    { details: { bytes: from, repeatable: false } },
  )
}
