// Which rows a listing found, so that its next pages need not look for them again.
import type { Row } from '../data/world.ts'

interface Found {
  /** Of the vendor's data, when they were looked for. */
  readonly version: number
  readonly rows: readonly Row[]
}

const MAX_LISTINGS = 1000
const MAX_ROWS = 1_000_000

/** The last listings. What one found holds until anything of the vendor's data changes. */
export class Listings {
  /** What was asked for longest ago comes first. */
  readonly #kept = new Map<string, Found>()
  #rowsKept = 0

  /** The rows of the listing; `find` looks for them when they are not known. `version`: of the vendor's data. */
  rows(listing: string, version: number, find: () => readonly Row[]): readonly Row[] {
    const known = this.#kept.get(listing)
    this.#forget(listing)
    const found = known?.version === version ? known : { version, rows: find() }
    this.#kept.set(listing, found)
    this.#rowsKept += found.rows.length
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_LISTINGS && this.#rowsKept <= MAX_ROWS) break
      this.#forget(oldest)
    }
    return found.rows
  }

  #forget(listing: string): void {
    this.#rowsKept -= this.#kept.get(listing)?.rows.length ?? 0
    this.#kept.delete(listing)
  }
}
