// Listings that never end.
import { ConnectorError } from '../../errors.ts'

/**
 * Watches the pages of one run over a listing. Where answers lead on, no next page may come twice; where pages are
 * counted (`countsPages`), no page may equal the one before it.
 */
export class LoopGuard {
  readonly #countsPages: boolean
  readonly #maxPages: number
  readonly #seen = new Set<string>()
  #pages = 0

  /** `maxPages` of one run; Infinity where something else counts them. */
  constructor(countsPages: boolean, maxPages = 100_000) {
    this.#countsPages = countsPages
    this.#maxPages = maxPages
  }

  /**
   * To be called for each page before it is delivered. Throws `upstream_malformed` when the run goes in a circle, or
   * beyond its number of pages.
   */
  check({ mark, hasMore }: { readonly mark: string | null; readonly hasMore: boolean }): void {
    this.#pages += 1
    if (mark !== null && this.#seen.has(mark)) throw endless('the same page came twice')
    if (this.#pages >= this.#maxPages && hasMore)
      throw endless(`it has more than ${this.#maxPages} pages`)
    if (this.#countsPages) this.#seen.clear()
    if (mark !== null) this.#seen.add(mark)
  }
}

function endless(reason: string): ConnectorError {
  return new ConnectorError('upstream_malformed', `The listing does not end: ${reason}`)
}
