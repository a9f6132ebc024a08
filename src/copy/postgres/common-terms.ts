// Terms that many records have, as the statistics of a PostgreSQL table name them.
import { combineWords, type WordQuery } from '../sql/word-query.ts'

/** Statistics change when the server looks at the table again, which takes minutes. */
const GOOD_FOR_MS = 60_000

export class CommonTerms {
  readonly #read: () => Promise<readonly string[]>
  readonly #nowMs: () => number
  #terms: ReadonlySet<string> = new Set()
  #readAtMs = -Infinity

  /** `read`: the common terms, none where there are no statistics: then nothing counts as rare. */
  constructor(read: () => Promise<readonly string[]>, nowMs: () => number) {
    this.#read = read
    this.#nowMs = nowMs
  }

  /** The part of a query that is rare; null where each of its terms is common. The planner supposes one record in 200 of it. */
  rarePart(query: WordQuery): WordQuery | null {
    if (this.#terms.size === 0) return null
    if (query.kind === 'term') return this.#terms.has(query.term) ? null : query
    if (query.kind === 'without') return this.rarePart(query.parts[0])
    const parts = query.parts.map((part) => this.rarePart(part))
    const rare = parts.filter((part) => part !== null)
    if (rare.length === 0 || (query.kind === 'or' && rare.length < parts.length)) return null
    const isWhole = parts.every((part, at) => part === query.parts[at])
    return isWhole ? query : combineWords(query.kind, rare)
  }

  /** Reads the statistics again when it is time; searches need not wait for it. */
  async refresh(): Promise<void> {
    if (this.#nowMs() - this.#readAtMs < GOOD_FOR_MS) return
    this.#readAtMs = this.#nowMs()
    this.#terms = new Set(await this.#read())
  }
}
