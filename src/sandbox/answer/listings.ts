// Which rows a listing found, so that its next pages need not look for them again.
import type { Row } from '../data/world.ts'

const MAX_KEPT = 8

/** The last listings. What one found holds until anything of the vendor's data changes. */
export class Listings {
  private readonly kept = new Map<
    string,
    { readonly version: number; readonly rows: readonly Row[] }
  >()

  /** The rows of the listing; `find` looks for them when they are not known. `version`: of the vendor's data. */
  rows(listing: string, version: number, find: () => readonly Row[]): readonly Row[] {
    const known = this.kept.get(listing)
    this.kept.delete(listing)
    const current = known?.version === version ? known : { version, rows: find() }
    this.kept.set(listing, current)
    const [oldest] = this.kept.keys()
    if (this.kept.size > MAX_KEPT && oldest !== undefined) this.kept.delete(oldest)
    return current.rows
  }
}
