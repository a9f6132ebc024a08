// Files that were sent to the vendor, which gives them back.
import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { MediaFile } from './media-file.ts'

/** Of all together: those that were kept first go first. */
const MAX_KEPT_BYTES = 64 * 1024 ** 2

/** The last file of each row. */
export class KeptFiles<Row extends object> {
  readonly #files = new Map<Row, Buffer>()
  #bytes = 0

  keep(row: Row, file: Buffer): void {
    this.#drop(row)
    this.#files.set(row, file)
    this.#bytes += file.length
    for (const oldest of this.#files.keys()) {
      if (this.#bytes <= MAX_KEPT_BYTES) return
      this.#drop(oldest)
    }
  }

  /** null: none was sent, or it was dropped. */
  of(row: Row, contentType: string): MediaFile | null {
    const file = this.#files.get(row)
    if (file === undefined) return null
    return {
      contentType,
      size: file.length,
      etag: `"${hash('sha256', file).slice(0, 32)}"`,
      read: (start, end) => Readable.from([file.subarray(start, end + 1)]),
    }
  }

  #drop(row: Row): void {
    this.#bytes -= this.#files.get(row)?.length ?? 0
    this.#files.delete(row)
  }
}
