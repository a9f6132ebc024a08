// What PostgreSQL says differently in statements about copies, and what it knows of their words.
import type { Dialect } from '../sql/dialect.ts'
import { allOf, plain, someOf, sql, type Sql } from '../sql/sql.ts'
import { combineWords, tsqueryText, type WordQuery } from '../sql/word-query.ts'

/** What PostgreSQL says differently; `hasParts`: whether the index on parts of texts is there. */
export function postgresDialect(
  hasParts: boolean,
  commonTerms: Pick<CommonTerms, 'rarePart'>,
): Dialect {
  const inScope: Dialect['inScope'] = ({ instanceId, entity, epoch }, table) => {
    const at = plain(table)
    return sql`${at}.instance_id = ${instanceId} AND ${at}.entity = ${entity} AND ${at}.epoch = ${epoch}`
  }
  return {
    inScope,
    inWalkedScope: (scope) => inScope(scope, 'r'),
    scopeColumns: plain('instance_id, entity, epoch'),
    wordTables: [],
    seq: plain('r.seq'),
    toStored: (_scope, seq) => seq,
    fromStored: (_scope, stored) => Number(stored),
    lifted: (lift) => plain(`((r.lift ->> '${lift}') COLLATE "C")`),
    folded: (lift) => plain(`((r.folded ->> '${lift}') COLLATE "C")`),
    isIn: (expression, values) =>
      values.length === 1
        ? sql`${expression} = ${values[0] ?? ''}`
        : sql`${expression} = ANY(${values}::text[])`,
    hasWords,
    // Without a limit of its own the planner has nothing but the index to find them by; OFFSET keeps it from looking further.
    ofRare: (query, hinted, scope) => {
      const part = commonTerms.rarePart(query)
      // The index is as quick with all of the words as with the rare ones, but for words that nearly every record has.
      return part === null
        ? null
        : sql`(SELECT r.* FROM replica_record r WHERE ${inScope(scope, 'r')} AND ${hasWords(hinted ? part : query)} OFFSET 0) r`
    },
    // Of a condition in this form the planner supposes that every other record meets it.
    correlated: (condition) => sql`coalesce(${condition}, FALSE)`,
    hasPart: (literal) =>
      hasParts ? sql`r.sub LIKE ${`%${literal.replace(/[%_\\]/g, '\\$&')}%`}` : null,
    led: () => null,
    ledByPart: () => null,
    records: plain('replica_record r'),
    recordsBy: null,
    // In one list: of a copy that it does not know yet the planner supposes one record, and would read all for each number.
    documentsOf: (scope, numbers) =>
      sql`SELECT r.seq, r.record_id, r.doc FROM replica_record r WHERE ${inScope(scope, 'r')} AND r.seq = ANY(ARRAY(${numbers})) ORDER BY r.seq DESC`,
    each: (values) => ({
      from: sql`unnest(${values}::text[]) AS each(value)`,
      value: plain('each.value'),
    }),
    hasLateral: true,
    maxSortedAlong: 200,
    window: null,
  }
}

/** A tsquery holds less than 1 MiB of words; beyond this many terms it is taken apart. */
const MAX_TERMS = 5_000

function hasWords(query: WordQuery): Sql {
  if (countTerms(query) <= MAX_TERMS || query.kind === 'term')
    return sql`r.terms @@ ${tsqueryText(query)}::tsquery`
  if (query.kind === 'without') {
    const [words, others] = query.parts
    return sql`(${hasWords(words)} AND NOT ${hasWords(others)})`
  }
  if (query.kind === 'and') return allOf(query.parts.map(hasWords))
  const some = query.parts.filter((part) => part.kind === 'term')
  const rest = query.parts.filter((part) => part.kind !== 'term')
  const groups: WordQuery[] = []
  for (let at = 0; at < some.length; at += MAX_TERMS)
    groups.push({ kind: 'or', parts: some.slice(at, at + MAX_TERMS) })
  return someOf([...groups, ...rest].map(hasWords))
}

function countTerms(query: WordQuery): number {
  if (query.kind === 'term') return 1
  return query.parts.reduce((sum, part) => sum + countTerms(part), 0)
}

/** Statistics change when the server looks at the table again, which takes minutes. */
const GOOD_FOR_MS = 60_000

/** Terms that many records have, as the statistics of a table name them. */
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
