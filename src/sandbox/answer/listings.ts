// Which rows a listing found, so that its next pages need not look for them again.
import type { Row } from '../data/world.ts'

const MAX_ROWS = 1_000_000

/** What listings found. It holds until anything of the vendor's data changes. */
export class Listings {
  #kept = new Map<string, readonly Row[]>()
  /** Of the vendor's data, when they were looked for. */
  #version = 0
  #rowsKept = 0

  /** The rows of the listing; `find` looks for them when they are not known. `version`: of the vendor's data. */
  rows(listing: string, version: number, find: () => readonly Row[]): readonly Row[] {
    if (version !== this.#version || this.#rowsKept > MAX_ROWS) {
      this.#kept = new Map()
      this.#version = version
      this.#rowsKept = 0
    }
    const found = this.#kept.get(listing) ?? find()
    // A listing that found nothing takes room, too.
    if (!this.#kept.has(listing)) this.#rowsKept += found.length + 1
    this.#kept.set(listing, found)
    return found
  }
}
