// Terms that many records have, as the statistics of a PostgreSQL table name them.
import { combineWords, type WordQuery } from '../sql/word-query.ts'

/** Statistics change when the server looks at the table again, which takes minutes. */
const GOOD_FOR_MS = 60_000

export interface CommonTerms {
  /** The part of a query that is rare; null where each of its terms is common. The planner supposes one record in 200 of it. */
  rarePart(query: WordQuery): WordQuery | null
  /** Reads the statistics again when it is time; searches need not wait for it. */
  refresh(): Promise<void>
}

/** `read`: the common terms, none where there are no statistics: then nothing counts as rare. */
export function createCommonTerms(
  read: () => Promise<readonly string[]>,
  nowMs: () => number,
): CommonTerms {
  let terms: ReadonlySet<string> = new Set()
  let readAtMs = -Infinity

  function rarePart(query: WordQuery): WordQuery | null {
    if (query.kind === 'term') return terms.has(query.term) ? null : query
    if (query.kind === 'without') return rarePart(query.parts[0])
    const parts = query.parts.map(rarePart)
    const rare = parts.filter((part) => part !== null)
    if (rare.length === 0 || (query.kind === 'or' && rare.length < parts.length)) return null
    const isWhole = parts.every((part, at) => part === query.parts[at])
    return isWhole ? query : combineWords(query.kind, rare)
  }

  return {
    rarePart: (query) => (terms.size > 0 ? rarePart(query) : null),
    async refresh() {
      if (nowMs() - readAtMs < GOOD_FOR_MS) return
      readAtMs = nowMs()
      terms = new Set(await read())
    },
  }
}
