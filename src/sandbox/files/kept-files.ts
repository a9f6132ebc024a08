// Files that were sent to the vendor, which gives them back.
import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { placeOf, type Row } from '../data/world.ts'
import type { MediaFile } from './media-file.ts'

/** Of all together: those that were kept first go first. */
const MAX_KEPT_BYTES = 64 * 1024 ** 2

/** The last file of each row. */
export class KeptFiles {
  /** By the place of the row, which no other one has. */
  readonly #files = new Map<string, Buffer>()
  /** Files that a request has brought whose action makes the row in a later one. */
  readonly #held = new Map<string, Buffer>()
  #bytes = 0

  keep(row: Row, file: Buffer): void {
    const place = placeOf(row)
    this.#drop(place)
    this.#files.set(place, file)
    this.#bytes += file.length
    for (const oldest of this.#files.keys()) {
      if (this.#bytes <= MAX_KEPT_BYTES) return
      this.#drop(oldest)
    }
  }

  /** Keeps a file for the row that a later request of the operation makes: the last one, if not too large. */
  hold(operation: string, file: Buffer): void {
    if (file.length <= MAX_KEPT_BYTES) this.#held.set(operation, file)
  }

  /** The file that an earlier request of the operation has brought, once. */
  take(operation: string): Buffer | null {
    const file = this.#held.get(operation) ?? null
    this.#held.delete(operation)
    return file
  }

  of(row: Row, contentType: string): MediaFile | null {
    return this.at(placeOf(row), contentType)
  }

  /** null: none was sent, or it was dropped. */
  at(place: string, contentType: string): MediaFile | null {
    const file = this.#files.get(place)
    if (file === undefined) return null
    return {
      contentType,
      size: file.length,
      etag: `"${hash('sha256', file).slice(0, 32)}"`,
      read: (start, end) => Readable.from([file.subarray(start, end + 1)]),
    }
  }

  #drop(place: string): void {
    this.#bytes -= this.#files.get(place)?.length ?? 0
    this.#files.delete(place)
  }
}
