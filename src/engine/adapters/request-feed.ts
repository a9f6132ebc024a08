// The body of a request while it is sent: the file is read as fast as the third party takes it, and what is waited for
// is known, so that a silent file and a third party that takes nothing are told apart.
import type { StreamedBody } from '../exchange/streamed.ts'

export class RequestFeed implements AsyncIterable<Uint8Array> {
  /** Handed to the connection. */
  bytes = 0
  /** False: the third party has yet to take what was read. */
  isReading = false
  readonly #opened: ReturnType<StreamedBody['open']>
  readonly #moved: (isComplete: boolean) => void

  /** `moved` is called whenever a piece was read or taken, and once with true behind the last. */
  constructor(body: StreamedBody, moved: (isComplete: boolean) => void) {
    this.#opened = body.open()
    this.#moved = moved
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      this.#turn(true)
      for await (const piece of this.#opened) {
        this.bytes += piece.length
        this.#turn(false)
        yield piece
        this.#turn(true)
      }
      this.#moved(true)
    } finally {
      this.isReading = false
      this.stop()
    }
  }

  /** Ends the reading, also of a file that gives nothing. */
  stop(): void {
    this.#opened.destroy()
  }

  #turn(isReading: boolean): void {
    this.isReading = isReading
    this.#moved(false)
  }
}
