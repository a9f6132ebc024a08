// Terms that many records have, as the statistics of a PostgreSQL table name them.
import type { WordQuery } from './word-query.ts'

/** Statistics change when the server looks at the table again, which takes minutes. */
const GOOD_FOR_MS = 60_000

/** What of the statistics is remembered. */
export interface CommonTerms {
  /**
   * Whether fewer records have the words than any term that is known to be common. The planner supposes one record in 200
   * then, however few there are, and would rather look at every record than at those of the index.
   */
  isRare(query: WordQuery): boolean
  /** Reads the statistics again when it is time; searches need not wait for it. */
  refresh(): Promise<void>
}

/** `read`: the common terms, none where there are no statistics: then nothing is called rare. */
export function createCommonTerms(
  read: () => Promise<readonly string[]>,
  nowMs: () => number,
): CommonTerms {
  let terms: ReadonlySet<string> = new Set()
  let readAtMs = -Infinity

  function isRare(query: WordQuery): boolean {
    switch (query.kind) {
      case 'term':
        return !terms.has(query.term)
      case 'and':
        return query.parts.some(isRare)
      case 'or':
        return query.parts.every(isRare)
      case 'without':
        return isRare(query.parts[0])
    }
  }

  return {
    isRare: (query) => terms.size > 0 && isRare(query),
    async refresh() {
      if (nowMs() - readAtMs < GOOD_FOR_MS) return
      readAtMs = nowMs()
      terms = new Set(await read())
    },
  }
}
