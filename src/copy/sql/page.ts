// What the pages of a search have in common: the task, the hits so far, and when a page is to end.
import { ConnectorError } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { WalkPosition } from '../search/cursor.ts'
import { SEARCH_LIMITS } from '../search/filter.ts'
import { Candidate, compileTest, type Score, type Test } from '../search/matcher.ts'
import { compileProjection } from '../search/project.ts'
import { documentOf } from '../search/row.ts'
import type { SearchPage, SearchRequest } from '../search/search-index.ts'
import type { Dialect } from './dialect.ts'
import { restOf, type FilterContext, type Narrowed, whole } from './filter-sql.ts'
import type { Choosing, Way } from './index-choice.ts'
import type { Sql, SqlRow } from './sql.ts'

export interface PageTask
  extends FilterContext, Pick<SearchRequest, 'query' | 'position' | 'spentMs'> {
  readonly elapsedMs: () => number
}

export type PageResult = Omit<SearchPage, 'kind' | 'copy'>

/** What ends a page before its limit, in UTF-16 units of text, documents, and milliseconds. */
export const MAX_TEXT: number = 16 * 1024 * 1024
const MAX_TESTED = 20_000
const MAX_PAGE_MS = 500
/** Candidates per statement where documents are tested. */
export const CHUNK = 1_000

/** Words that do not only help are left to the test. */
export function withoutWords(narrowed: Narrowed): Narrowed {
  const { leads, hinted, exact } = narrowed
  return { ...narrowed, words: null, exact: exact && hinted, indexed: leads.length > 0 }
}

export interface Found {
  readonly seq: number
  readonly id: string
  readonly doc: string
  readonly keys: readonly (string | null)[]
}

export class Page {
  readonly task: PageTask
  readonly narrowed: Narrowed
  readonly score: Score | null
  #test: Test | null = null
  readonly #project: ((document: JsonObject) => JsonObject) | null
  /** The hits, each with a comma before it but the first: one text that grows is copied only once. */
  #hits = ''
  #count = 0
  /** The most and the next number of candidates per statement. */
  #most: number
  #growing: number
  #tested = 0
  readonly #maxTested: number

  constructor(
    task: PageTask,
    narrowed: Narrowed,
    score: Score | null,
    maxTested: number = MAX_TESTED,
  ) {
    const { query, scope } = task
    this.task = task
    this.narrowed = narrowed
    this.score = score
    this.#maxTested = maxTested
    this.#project = query.fields === null ? null : compileProjection(scope.layout, query.fields)
    const usual = Math.ceil(MAX_TEXT / Math.max(1, scope.bytes / Math.max(1, scope.live)))
    // Where nothing is tested, one statement can give the whole page and word of whether another one follows.
    this.#most = Math.max(10, usual)
    this.#growing = query.limit + 1
    if (!narrowed.exact) this.startTesting()
  }

  /** From now on documents are tested: what is asked for includes more than the hits. */
  startTesting(): void {
    const { scope, query } = this.task
    this.#test ??= compileTest(scope.layout, query.filter)
    this.#most = CHUNK
    this.#growing = 2 * query.limit + 10
  }

  /** Whether one statement can give the whole page: all that it finds are hits. */
  get isExact(): boolean {
    return this.#test === null
  }

  /** Documents that were tested up to now. */
  get compared(): number {
    return this.#tested
  }

  get room(): number {
    return this.task.query.limit - this.#count
  }

  /** Throws `search_timeout` when the search has had its time. */
  requireTime(): void {
    const { elapsedMs, spentMs = 0 } = this.task
    if (elapsedMs() + spentMs > SEARCH_LIMITS.storeMs) throw timedOut()
  }

  /** Whether the page should end before it is full, because it took long enough. */
  get spent(): boolean {
    this.requireTime()
    return this.#tested > this.#maxTested || this.isLong
  }

  /** Whether the page is so long, or took so long, that it should end here whatever was tested. */
  get isLong(): boolean {
    return this.#hits.length > MAX_TEXT || this.task.elapsedMs() > MAX_PAGE_MS
  }

  /** How many candidates the next statement should give: more and more while few of them are hits. */
  takeWanted(): number {
    if (this.#test === null) return Math.min(this.#most, this.room + 1)
    const wanted = Math.min(this.#most, this.#growing)
    this.#growing *= 2
    return wanted
  }

  /** Whether the candidate is a hit; of a hit, its score. */
  judge(found: Found): number | null {
    if (this.#test === null && this.score === null) return 1
    const candidate = new Candidate(found.doc)
    if (this.#test !== null) {
      this.#tested++
      if (!this.#test(candidate)) return null
    }
    return this.score?.(candidate) ?? 1
  }

  /** Whether the candidate is a hit, where the score is known. */
  matches(found: Found): boolean {
    if (this.#test === null) return true
    this.#tested++
    return this.#test(new Candidate(found.doc))
  }

  add({ id, doc }: Found, score: number): void {
    const data = this.#project === null ? doc : JSON.stringify(this.#project(documentOf(doc)))
    this.#hits += `${this.#count === 0 ? '' : ','}{"id":${JSON.stringify(id)},"score":${score},"data":${data}}`
    this.#count++
  }

  end(next: WalkPosition | null, ranked: boolean = true): PageResult {
    return { hits: `[${this.#hits}]`, count: this.#count, next, ranked }
  }
}

export function timedOut(): ConnectorError {
  return new ConnectorError(
    'search_timeout',
    'the search took more than 2 s; ask for less, or by a field that is indexed',
    { retryAfterMs: 1_000 },
  )
}

/** Words and parts of texts have indexes of their own, and lead where they are asked for. */
export function choosingOf(
  { dialect, scope, query }: PageTask,
  { sql: condition, leads, words, part, branches }: Narrowed,
  byArrival: boolean,
): Choosing {
  const isFree = words === null && part === null && branches === null
  // No planner foresees how many texts have a part.
  const isGuessed = dialect.recordsBy === null && part !== null && byArrival
  const isValues = isFree && byArrival && condition === leads[0]?.sql
  return {
    dialect,
    scope,
    limit: query.limit,
    byArrival,
    leads: isFree ? leads : [],
    isValues,
    isGuessed,
  }
}

/** `walk`: the index that gives the records in the order of the hits; null for that of arrival. */
export function recordsOf(
  { records, recordsBy }: Dialect,
  way: Way,
  walk: string | null = null,
): Sql {
  if (way.kind === 'planned' || recordsBy === null) return records
  return recordsBy(way.kind === 'walked' ? walk : way.lead.index)
}

/** Where the records of a condition come from, and what is to hold of them there. */
export function sourceOf(
  task: PageTask,
  narrowed: Narrowed,
  records: Sql,
): { readonly from: Sql; readonly where: Sql } {
  const { words, hinted } = narrowed
  const rare = words === null ? null : task.dialect.ofRare(words, hinted, task.scope)
  if (rare === null) return { from: records, where: whole(narrowed, task) }
  return { from: rare, where: restOf(narrowed, task) }
}

const NO_KEYS: readonly string[] = []

/** Of a numbered row: number, id, document, keys. */
export function foundOf({ dialect, scope }: PageTask, row: SqlRow, keys: number): Found {
  const found = {
    seq: dialect.fromStored(scope, row[0]),
    id: String(row[1]),
    doc: String(row[2]),
  }
  if (keys === 0) return { ...found, keys: NO_KEYS }
  const values: (string | null)[] = []
  for (let at = 0; at < keys; at++) values.push(textOrNull(row[3 + at]))
  return { ...found, keys: values }
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
