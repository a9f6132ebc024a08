// Conditions on indexed words, in the notations of FTS5 and of tsquery.

/** A combination of terms: scope, field and word in one text. */
export type WordQuery =
  | { readonly kind: 'term'; readonly term: string }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly WordQuery[] }
  /** The first without the second. */
  | { readonly kind: 'without'; readonly parts: readonly [WordQuery, WordQuery] }

/** Both or some of the queries; one stays itself. */
export function combineWords(kind: 'and' | 'or', parts: readonly WordQuery[]): WordQuery {
  const [only] = parts
  return parts.length === 1 && only !== undefined ? only : { kind, parts }
}

export function fts5Text(query: WordQuery): string {
  if (query.kind === 'term') return `"${query.term.replaceAll('"', '""')}"`
  return `(${query.parts.map(fts5Text).join(FTS5[query.kind])})`
}

const FTS5 = { and: ' AND ', or: ' OR ', without: ' NOT ' } as const

export function tsqueryText(query: WordQuery): string {
  if (query.kind === 'term') return tsLexeme(query.term)
  return `(${query.parts.map(tsqueryText).join(TSQUERY[query.kind])})`
}

const TSQUERY = { and: ' & ', or: ' | ', without: ' & !' } as const

/** A term as a lexeme of tsquery and tsvector. */
export function tsLexeme(term: string): string {
  return `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

/** The beginning of all terms of a copy: its number with its length before it, so that none begins another. */
export function scopePrefix(scopeNo: number): string {
  const digits = scopeNo.toString(36)
  return digits.length.toString(36) + digits
}
