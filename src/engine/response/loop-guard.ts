// Listings that never end.
import { ConnectorError } from '../../errors.ts'
import type { Page } from './page.ts'

/** Watches the pages of one run. */
export interface LoopGuard {
  /**
   * To be called for each page before it is delivered. Throws `upstream_malformed` when the run goes in a circle, or
   * beyond its number of pages.
   */
  check(page: Pick<Page, 'mark' | 'hasMore'>): void
}

export interface LoopGuardOptions {
  /** Pages of one run. Default 100,000; Infinity where something else counts them. */
  readonly maxPages?: number
}

/**
 * Makes the guard of one run over a listing. Where answers lead on, no next page may come twice; where pages are
 * counted (`countsPages`), no page may equal the one before it.
 */
export function createLoopGuard(
  countsPages: boolean,
  { maxPages = 100_000 }: LoopGuardOptions = {},
): LoopGuard {
  let seen = new Set<string>()
  let pages = 0
  return {
    check({ mark, hasMore }) {
      pages += 1
      if (mark !== null && seen.has(mark)) throw endless('the same page came twice')
      if (pages >= maxPages && hasMore) throw endless(`it has more than ${maxPages} pages`)
      if (countsPages) seen = new Set()
      if (mark !== null) seen.add(mark)
    },
  }
}

function endless(reason: string): ConnectorError {
  return new ConnectorError('upstream_malformed', `The listing does not end: ${reason}`)
}
