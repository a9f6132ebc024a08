// One page of hits, as steps: which statements are asked, what is tested, where the page ends. The same for both stores.
import { ConnectorError } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import type { WalkMode, WalkPosition } from '../../search/cursor.ts'
import { pushNegation, type SearchQuery } from '../../search/filter.ts'
import type { SearchLayout } from '../../search/layout.ts'
import {
  type Candidate,
  compileScore,
  compileTest,
  createCandidate,
  type Score,
  type Test,
} from '../../search/matcher.ts'
import { compileProjection } from '../../search/project.ts'
import { documentOf } from '../../search/row.ts'
import type { Dialect, Lead, Scope } from './dialect.ts'
import {
  besideWords,
  type FilterContext,
  indexOf,
  keyOf,
  narrow,
  type Narrowed,
  whole,
} from './filter-sql.ts'
import {
  areCommon,
  type Choosing,
  fewest,
  firstWay,
  isOrdered,
  nextWay,
  PLANNED,
  WALKED,
  type Way,
} from './index-choice.ts'
import { rankTiers, type Tier } from './rank-tiers.ts'
import {
  allOf,
  FALSE,
  joined,
  limitTo,
  numbered,
  plain,
  remembered,
  someOf,
  sql,
  type Sql,
  type SqlRow,
  type SqlSteps,
  TRUE,
} from './sql.ts'
import type { Vocabularies } from './vocabulary.ts'

export interface PageTask {
  readonly dialect: Dialect
  readonly scope: Scope
  readonly layout: SearchLayout
  readonly vocabularies: Vocabularies
  /** The condition on `replica_term`. */
  readonly termsInScope: Sql
  readonly query: SearchQuery
  readonly position: WalkPosition | null
  /** Milliseconds since the search began. */
  readonly elapsedMs: () => number
}

export interface PageResult {
  readonly hits: string
  readonly count: number
  readonly next: WalkPosition | null
  readonly ranked: boolean
}

/** What ends a page before its limit, in UTF-16 units of text, documents, and milliseconds. */
const MOST_TEXT = 16 * 1024 * 1024
const MOST_TESTED = 20_000
const LONGEST_PAGE_MS = 500
/** Store time that a search may take in all. */
const LONGEST_SEARCH_MS = 2_000
/** Beyond so many candidates their scores are not compared. */
const MOST_RANKED = 10_000
/** Candidates per statement where documents are tested. */
const CHUNK = 1_000
/** Records with common words are not gone through where another condition leaves no more than so many. */
const FEW_WORDED = 100

/** Finds one page. Throws `search_timeout`. */
export function* findPage(task: PageTask): SqlSteps<PageResult> {
  const { query, position, layout, dialect, scope } = task
  const found = yield* narrow(pushNegation(query.filter), contextOf(task))
  // Other indexes lead to less than words that only help.
  const narrowed = found.hinted && found.leads.length > 0 ? withoutWords(found) : found
  const score = compileScore(layout, query.filter)
  // So few records that the words are looked for in them.
  const few =
    narrowed.words === null
      ? null
      : yield* fewest({ dialect, scope, leads: narrowed.leads }, FEW_WORDED)
  const page = new Page(task, few === null ? narrowed : withoutWords(narrowed), score)
  if (query.sort.length > 0) return yield* sortedPage(page)
  if (score === null || position?.mode === 'seq') return yield* newestPage(page, 'seq')
  if (few !== null) return yield* rankedPage(page, score)
  const tiers = yield* rankTiers(query.filter, contextOf(task))
  if (tiers !== null) return yield* tieredPage(page, tiers)
  return yield* rankedPage(page, score)
}

/** Words that do not only help are left to the test. */
function withoutWords(narrowed: Narrowed): Narrowed {
  const { leads, hinted, exact } = narrowed
  return { ...narrowed, words: null, exact: exact && hinted, indexed: leads.length > 0 }
}

function contextOf({
  dialect,
  scope,
  layout,
  vocabularies,
  termsInScope,
}: PageTask): FilterContext {
  return { dialect, scope, layout, vocabularies, termsInScope }
}

/** A row as the statements give it. */
interface Found {
  readonly seq: number
  readonly id: string
  readonly doc: string
  readonly keys: readonly (string | null)[]
}

/** The page so far. */
class Page {
  readonly task: PageTask
  readonly narrowed: Narrowed
  readonly score: Score | null
  private test: Test | null
  private readonly project: ((document: JsonObject) => JsonObject) | null
  /** The hits, each with a comma before it but the first: one text that grows is copied only once. */
  private hits = ''
  private count = 0
  /** The most and the next number of candidates per statement. */
  private most: number
  private growing: number
  private tested = 0

  constructor(task: PageTask, narrowed: Narrowed, score: Score | null) {
    const { layout, query, scope } = task
    this.task = task
    this.narrowed = narrowed
    this.score = score
    this.test = narrowed.exact ? null : compileTest(layout, query.filter)
    this.project = query.fields === null ? null : compileProjection(layout, query.fields)
    const usual = Math.ceil(MOST_TEXT / Math.max(1, scope.bytes / Math.max(1, scope.live)))
    // Where nothing is tested, one statement can give the whole page and word of whether another one follows.
    this.most = this.test === null ? Math.max(10, usual) : CHUNK
    this.growing = this.test === null ? query.limit + 1 : 2 * query.limit + 10
  }

  /** From now on documents are tested: what is asked for includes more than the hits. */
  startTesting(): void {
    const { layout, query } = this.task
    if (this.test !== null) return
    this.test = compileTest(layout, query.filter)
    this.most = CHUNK
    this.growing = 2 * query.limit + 10
  }

  get room(): number {
    return this.task.query.limit - this.count
  }

  /** Whether the page should end early, so that nobody waits for it. */
  get spent(): boolean {
    const { elapsedMs } = this.task
    if (elapsedMs() > LONGEST_SEARCH_MS) throw timedOut()
    return (
      this.hits.length > MOST_TEXT || this.tested > MOST_TESTED || elapsedMs() > LONGEST_PAGE_MS
    )
  }

  /** How many candidates the next statement should give: more and more while few of them are hits. */
  takeWanted(): number {
    if (this.test === null) return Math.min(this.most, this.room + 1)
    const wanted = Math.min(this.most, this.growing)
    this.growing *= 2
    return wanted
  }

  /** Whether the candidate is a hit; of a hit, its score. */
  judge(found: Found): number | null {
    if (this.test === null && this.score === null) return 1
    const candidate = candidateOf(found.doc)
    if (this.test !== null) {
      this.tested++
      if (!this.test(candidate)) return null
    }
    return this.score?.(candidate) ?? 1
  }

  /** Whether the candidate is a hit, where the score is known. */
  matches(found: Found): boolean {
    if (this.test === null) return true
    this.tested++
    return this.test(candidateOf(found.doc))
  }

  add({ id, doc }: Found, score: number): void {
    const data = this.project === null ? doc : JSON.stringify(this.project(documentOf(doc)))
    this.hits += `${this.count === 0 ? '' : ','}{"id":${JSON.stringify(id)},"score":${score},"data":${data}}`
    this.count++
  }

  end(next: WalkPosition | null, ranked: boolean = true): PageResult {
    return { hits: `[${this.hits}]`, count: this.count, next, ranked }
  }
}

export function timedOut(): ConnectorError {
  return new ConnectorError(
    'search_timeout',
    'the search took more than 2 s; ask for less, or by a field that is indexed',
    {
      retryAfterMs: 1_000,
    },
  )
}

function candidateOf(doc: string): Candidate {
  return createCandidate(documentOf(doc), doc.length)
}

// --- newest first

/** Hits by arrival, the newest first. */
function* newestPage(
  page: Page,
  mode: 'seq' | 'score',
  ranked: boolean = page.score === null,
): SqlSteps<PageResult> {
  const { position, scope } = page.task
  const end = yield* walkNewest(page, page.narrowed, position?.seq ?? scope.nextSeq, null)
  return page.end(end === null ? null : { mode, keys: [], score: 1, seq: end }, ranked)
}

/**
 * Adds hits that arrived before `before` to the page. Gives null when there are no more, else the number behind which the
 * next page begins. `score`: that of every hit, where it is known.
 */
function* walkNewest(
  page: Page,
  narrowed: Narrowed,
  before: number,
  score: number | null,
): SqlSteps<number | null> {
  const { dialect, scope } = page.task
  if (narrowed.sql === FALSE) return null
  const scans = dialect.window !== null && !narrowed.indexed && narrowed.sql !== TRUE
  const choosing = choosingOf(page.task, narrowed, true)
  let way = yield* firstWay(choosing)
  let at = before
  for (;;) {
    const width = way.kind === 'walked' ? way.width : scans ? dialect.window : null
    const from = width === null ? 0 : Math.max(0, Math.min(at, scope.arrived) - width)
    const wanted = page.takeWanted()
    const rows = yield* newest(page, narrowed, way, { from, before: at, limit: wanted })
    for (const found of rows) {
      // One more than there was room for: there is another page.
      if (page.room === 0) return at
      at = found.seq
      const judged = score === null ? page.judge(found) : page.matches(found) ? score : null
      if (judged !== null) page.add(found, judged)
    }
    const { spent } = page
    if (rows.length < wanted) {
      if (from === 0) return null
      at = from
    }
    if (spent || page.room === 0) return at
    if (rows.length < wanted) way = yield* nextWay(choosing, way)
  }
}

/** Words and parts of texts have indexes of their own, and lead where they are asked for. */
function choosingOf(
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

/** A stretch of arrivals, walked from its newest record on. */
interface Stretch {
  readonly from: number
  readonly before: number
  readonly limit: number
}

function* newest(
  { task }: Page,
  narrowed: Narrowed,
  way: Way,
  stretch: Stretch,
): SqlSteps<readonly Found[]> {
  const { dialect, scope } = task
  const rows = yield numbered(
    isReadAtOnce(task, narrowed, way, stretch)
      ? newestOf(task, narrowed, way, stretch, plain(', r.record_id, r.doc'))
      : sql`SELECT p.seq, r.record_id, r.doc FROM (${newestNumbers(task, narrowed, way, stretch)}) p JOIN ${dialect.records} ON ${dialect.besideWalk(scope)} AND ${dialect.seq} = p.seq ORDER BY p.seq DESC`,
  )
  return rows.map((row) => foundOf(task, row, 0))
}

/** Whether documents can be read with their numbers: few are sorted, or what leads gives them in order. */
function isReadAtOnce(
  { dialect }: PageTask,
  narrowed: Narrowed,
  way: Way,
  { limit }: Stretch,
): boolean {
  if (narrowed.branches !== null || way.kind === 'merged') return false
  if (way.kind !== 'planned') return way.kind === 'walked' || isOrdered(way.lead)
  if (!narrowed.indexed || leadOf(narrowed, dialect) !== null) return true
  return limit <= dialect.mostSortedAlong
}

/**
 * Numbers alone, so that sorting does not carry documents. Each branch of an `or` gives its own newest: the newest of all
 * are among them.
 */
function newestNumbers(task: PageTask, narrowed: Narrowed, way: Way, stretch: Stretch): Sql {
  if (way.kind === 'merged') {
    const { lead } = way
    const parts = lead.values.map((value) => {
      const alone = newestOf(
        task,
        { ...narrowed, sql: value },
        { kind: 'led', lead },
        stretch,
        NO_COLUMNS,
      )
      return sql`SELECT seq FROM (${alone}) v`
    })
    return sql`SELECT seq FROM (${joined(parts, ' UNION ALL ')}) u ORDER BY seq DESC ${limitTo(stretch.limit)}`
  }
  if (narrowed.branches === null) return newestOf(task, narrowed, way, stretch, NO_COLUMNS)
  const parts = narrowed.branches.map(
    (branch) => sql`SELECT seq FROM (${newestNumbers(task, branch, PLANNED, stretch)}) b`,
  )
  return sql`SELECT DISTINCT seq FROM (${joined(parts, ' UNION ALL ')}) u ORDER BY seq DESC ${limitTo(stretch.limit)}`
}

const NO_COLUMNS = plain('')

/** The newest of one condition, with more columns. */
function newestOf(
  task: PageTask,
  narrowed: Narrowed,
  way: Way,
  stretch: Stretch,
  columns: Sql,
): Sql {
  const { dialect, scope } = task
  const { from, before, limit } = stretch
  const led = leadOf(narrowed, dialect)
  const seq = led?.seq ?? dialect.seq
  const rest = narrowed.words === null ? narrowed.sql : besideWords(narrowed, contextOf(task))
  // Where records are walked, nothing is to lead but their order.
  const asked = way.kind === 'walked' ? { ...narrowed, part: null } : narrowed
  const condition = allOf([
    led === null ? whole(asked, contextOf(task)) : allOf([led.where, rest]),
    narrowed.indexed && way.kind !== 'walked'
      ? dialect.inScope(scope, 'r')
      : dialect.besideWalk(scope),
    sql`${seq} < ${dialect.toStored(scope, before)}`,
    from === 0 && dialect.window === null ? TRUE : sql`${seq} >= ${dialect.toStored(scope, from)}`,
  ])
  return sql`SELECT ${seq} AS seq${columns} FROM ${led?.from ?? recordsOf(dialect, way)} WHERE ${condition} ORDER BY ${seq} DESC ${limitTo(limit)}`
}

/** `walk`: the index that gives the records in the order of the hits; null for that of arrival. */
function recordsOf({ records, recordsBy }: Dialect, way: Way, walk: string | null = null): Sql {
  if (way.kind === 'planned' || recordsBy === null) return records
  return recordsBy(way.kind === 'walked' ? walk : way.lead.index)
}

function leadOf({ words, part }: Narrowed, dialect: Dialect): Lead | null {
  if (words !== null) return dialect.led(words)
  return part === null ? null : dialect.ledByPart(part)
}

const NO_KEYS: readonly string[] = []

/** Of a numbered row: number, id, document, keys. */
function foundOf({ dialect, scope }: PageTask, row: SqlRow, keys: number): Found {
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

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

// --- by sort keys

/**
 * Hits by sort keys. Records with a value for the first key are walked along its index; those without follow in a
 * statement of their own, because one for both would sort them all.
 */
function* sortedPage(page: Page): SqlSteps<PageResult> {
  const { task } = page
  const keys = sortKeysOf(task)
  const choosing = choosingOf(task, page.narrowed, false)
  let { way, narrowed } = yield* beginSorted(page, keys, choosing)
  let after: WalkPosition | null = task.position
  let last = after
  const ended = after !== null && after.keys[0] === null
  for (const segment of ended ? (['none'] as const) : (['some', 'none'] as const)) {
    if (segment === 'none') {
      // No index leads to what has no value.
      if (way.kind === 'walked') way = PLANNED
      narrowed = page.narrowed
    }
    for (;;) {
      const stretch = segment === 'some' ? yield* endOfStretch(task, keys, way, after) : null
      const wanted = page.takeWanted()
      const rows = yield* sorted(task, narrowed, way, {
        keys,
        segment,
        after,
        until: stretch,
        limit: wanted,
      })
      for (const found of rows) {
        if (page.room === 0) return page.end(last)
        last = { mode: 'sort', keys: found.keys, score: 1, seq: found.seq }
        const score = page.judge(found)
        if (score !== null) page.add(found, score)
      }
      const { spent } = page
      if (rows.length < wanted) {
        if (stretch === null) break
        // All that have the last key of the stretch were looked at, whatever their other keys are.
        last = { mode: 'sort', keys: [stretch, ...keys.slice(1).map(() => null)], score: 1, seq: 0 }
        ;({ way, narrowed } = yield* goOnSorted(page, { way, narrowed }, choosing))
      }
      if (spent) return page.end(last)
      after = last
    }
    // What has no value for the first key comes after everything that has one.
    if (segment === 'some') after = null
  }
  return page.end(null)
}

interface KeyOfSort {
  readonly key: Sql
  readonly descending: boolean
  /** The index of the key; null when it has none. */
  readonly index: string | null
}

function sortKeysOf({ dialect, layout, query }: PageTask): readonly KeyOfSort[] {
  return query.sort.map(({ lift, descending }) => {
    const at = layout.lifts[lift]
    if (at === undefined) throw new TypeError('sorted by what the layout does not have')
    const index = at.slot === null ? null : indexOf(at.slot)
    return { key: keyOf(at, { dialect, layout }), descending, index }
  })
}

/** How records are looked for by sort keys, and what statements ask for. */
interface SortedWay {
  readonly way: Way
  readonly narrowed: Narrowed
}

/** The way to begin with. Where words are common, records are walked in order and tested. */
function* beginSorted(
  page: Page,
  [first]: readonly KeyOfSort[],
  choosing: Choosing,
): SqlSteps<SortedWay> {
  const { narrowed, task } = page
  if (task.dialect.recordsBy === null || first === undefined || first.index === null)
    return { way: PLANNED, narrowed }
  if (narrowed.words !== null) {
    if (!(yield* areCommon(choosing, narrowed.words))) return { way: PLANNED, narrowed }
    const beside = withoutWords(narrowed)
    if (!beside.exact) page.startTesting()
    const width = (beside.exact ? 8 : 2) * choosing.limit
    return { way: { kind: 'walked', width, walked: 0 }, narrowed: beside }
  }
  if (narrowed.branches !== null) return { way: PLANNED, narrowed }
  if (narrowed.part !== null) return { way: PLANNED, narrowed }
  if (choosing.leads.length > 0) return { way: yield* firstWay(choosing), narrowed }
  return { way: WALKED, narrowed }
}

/** The way to go on after a stretch that did not fill the page. */
function* goOnSorted(page: Page, before: SortedWay, choosing: Choosing): SqlSteps<SortedWay> {
  const { narrowed } = page
  const { way } = before
  if (narrowed.words === null) return { ...before, way: yield* nextWay(choosing, way) }
  if (way.kind !== 'walked' || way.width === null) return before
  // Collecting the words is sure to find the rest.
  if (way.walked > 0 || !(yield* areCommon(choosing, narrowed.words, true)))
    return { way: PLANNED, narrowed }
  return { ...before, way: { kind: 'walked', width: 8 * way.width, walked: way.width } }
}

/** The first key of the last record of a stretch; null when the stretch goes to the end. */
function* endOfStretch(
  task: PageTask,
  keys: readonly KeyOfSort[],
  way: Way,
  after: WalkPosition | null,
): SqlSteps<string | null> {
  const { dialect, scope } = task
  const [first] = keys
  if (way.kind !== 'walked' || way.width === null || first === undefined) return null
  const { key, descending, index } = first
  const condition = allOf([
    dialect.inScope(scope, 'r'),
    sql`${key} IS NOT NULL`,
    after === null ? TRUE : behind(task, keys, after),
  ])
  const [row] = yield remembered(
    numbered(
      sql`SELECT ${key} FROM ${recordsOf(dialect, way, index)} WHERE ${condition} ORDER BY ${key} ${plain(descending ? 'DESC' : 'ASC')} LIMIT 1 OFFSET ${way.width}`,
    ),
  )
  return row === undefined ? null : textOrNull(row[0])
}

/** A stretch of records with or without a value for the first key. */
interface SortedStretch {
  readonly keys: readonly KeyOfSort[]
  readonly segment: 'some' | 'none'
  readonly after: WalkPosition | null
  /** The last value of the first key; null for no end. */
  readonly until: string | null
  readonly limit: number
}

function* sorted(
  task: PageTask,
  narrowed: Narrowed,
  way: Way,
  { keys, segment, after, until, limit }: SortedStretch,
): SqlSteps<readonly Found[]> {
  const { dialect, scope } = task
  const [first] = keys
  if (first === undefined || narrowed.sql === FALSE) return []
  const present = segment === 'some' ? sql`${first.key} IS NOT NULL` : sql`${first.key} IS NULL`
  const order = keys.flatMap(({ key, descending }, index) => [
    // Within a segment the first key is never null, or always.
    ...(index === 0 ? [] : [sql`(${key} IS NULL)`]),
    ...(index === 0 && segment === 'none'
      ? []
      : [sql`${key} ${plain(descending ? 'DESC' : 'ASC')}`]),
  ])
  const columns = keys.map(({ key }, index) => sql`${key} AS ${plain(`s${index}`)}`)
  const condition = allOf([
    dialect.inScope(scope, 'r'),
    present,
    whole(narrowed, contextOf(task)),
    after === null ? TRUE : behind(task, keys, after),
    until === null ? TRUE : sql`${first.key} ${plain(first.descending ? '>=' : '<=')} ${until}`,
  ])
  const records = recordsOf(dialect, way, first.index)
  // The index gives ties the other way round: they are sorted unless it is walked backwards.
  const inOrder = way.kind === 'walked' && keys.length === 1 && first.descending
  if (limit <= dialect.mostSortedAlong || inOrder) {
    const all = [sql`${dialect.seq} AS seq`, plain('r.record_id AS id, r.doc AS doc'), ...columns]
    const rows = yield numbered(
      sql`SELECT ${joined(all, ', ')} FROM ${records} WHERE ${condition} ORDER BY ${joined([...order, sql`${dialect.seq} DESC`], ', ')} ${limitTo(limit)}`,
    )
    return rows.map((row) => foundOf(task, row, keys.length))
  }
  const inner = sql`SELECT ${joined([sql`${dialect.seq} AS seq`, ...columns], ', ')} FROM ${records} WHERE ${condition} ORDER BY ${joined([...order, sql`${dialect.seq} DESC`], ', ')} ${limitTo(limit)}`
  // Documents are read for the rows that are left, in their order.
  const outerOrder = keys.flatMap(({ descending }, index) => [
    plain(`(p.s${index} IS NULL)`),
    plain(`p.s${index} ${descending ? 'DESC' : 'ASC'}`),
  ])
  const outer = keys.map((_, index) => plain(`p.s${index} AS s${index}`))
  const rows = yield numbered(
    sql`SELECT ${joined([plain('p.seq AS seq'), plain('r.record_id AS id'), plain('r.doc AS doc'), ...outer], ', ')} FROM (${inner}) p JOIN ${dialect.records} ON ${allOf([dialect.besideWalk(scope), sql`${dialect.seq} = p.seq`])} ORDER BY ${joined([...outerOrder, plain('p.seq DESC')], ', ')}`,
  )
  return rows.map((row) => foundOf(task, row, keys.length))
}

/** What follows the position: the first keys equal and the next one behind, for each number of keys. */
function behind(
  { dialect, scope }: PageTask,
  keys: readonly { readonly key: Sql; readonly descending: boolean }[],
  after: WalkPosition,
): Sql {
  const branches: Sql[] = []
  const equal: Sql[] = []
  let bound = TRUE
  for (const [index, { key, descending }] of keys.entries()) {
    const value = after.keys[index] ?? null
    if (value === null) {
      // Null is last: nothing follows it by this key.
      if (index > 0) equal.push(sql`${key} IS NULL`)
      continue
    }
    const further = sql`${key} ${plain(descending ? '<' : '>')} ${value}`
    branches.push(allOf([...equal, index === 0 ? further : sql`(${further} OR ${key} IS NULL)`]))
    equal.push(sql`${key} = ${value}`)
    // Said once more for all branches, so that the index is entered at the right place.
    if (index === 0) bound = sql`${key} ${plain(descending ? '<=' : '>=')} ${value}`
  }
  branches.push(allOf([...equal, sql`${dialect.seq} < ${dialect.toStored(scope, after.seq)}`]))
  return allOf([bound, someOf(branches)])
}

// --- by score

/** Hits in tiers of one score each, each tier the newest first. */
function* tieredPage(page: Page, tiers: readonly Tier[]): SqlSteps<PageResult> {
  const { position, scope } = page.task
  for (const tier of tiers) {
    if (position !== null && tier.score > position.score) continue
    const before = position?.score === tier.score ? position.seq : scope.nextSeq
    const end = yield* walkNewest(page, tier.narrowed, before, tier.score)
    if (end !== null) return page.end({ mode: 'score', keys: [], score: tier.score, seq: end })
    if (page.room === 0) {
      const last = tiers.at(-1) === tier
      return page.end(last ? null : { mode: 'score', keys: [], score: tier.score, seq: 0 })
    }
  }
  return page.end(null)
}

/** Hits by score, after scoring every candidate. With too many of them the order is that of arrival. */
function* rankedPage(page: Page, score: Score): SqlSteps<PageResult> {
  const { task, narrowed } = page
  const { scope, position, query } = task
  const test = narrowed.exact ? null : compileTest(task.layout, query.filter)
  if (narrowed.sql === FALSE) return page.end(null)
  // A walk that began by score goes on by score: its records could not be told from delivered ones otherwise.
  if (position === null && (yield* countBeyond(task, narrowed, MOST_RANKED)))
    return yield* newestPage(page, 'seq', false)
  const ranked: { readonly seq: number; readonly score: number }[] = []
  const lead = yield* fewest(choosingOf(task, narrowed, true), MOST_RANKED)
  const way: Way = lead === null ? PLANNED : { kind: 'led', lead }
  let at = scope.nextSeq
  for (;;) {
    if (task.elapsedMs() > LONGEST_SEARCH_MS) throw timedOut()
    const rows = yield* newest(page, narrowed, way, { from: 0, before: at, limit: CHUNK })
    for (const { seq, doc } of rows) {
      at = seq
      const candidate = candidateOf(doc)
      if (test?.(candidate) !== false) ranked.push({ seq, score: score(candidate) })
    }
    if (rows.length < CHUNK) break
  }
  const left = ranked
    .sort((a, b) => b.score - a.score || b.seq - a.seq)
    .filter(
      (hit) =>
        position === null ||
        hit.score < position.score ||
        (hit.score === position.score && hit.seq < position.seq),
    )
  let last: WalkPosition | null = null
  const chosen = left.slice(0, query.limit)
  for (let start = 0; start < chosen.length; start += CHUNK) {
    const part = chosen.slice(start, start + CHUNK)
    const rows = yield* bySeq(
      page,
      part.map(({ seq }) => seq),
    )
    for (const hit of part) {
      const found = rows.get(hit.seq)
      last = { mode: 'score' satisfies WalkMode, keys: [], ...hit }
      if (found !== undefined) page.add(found, hit.score)
    }
    if (page.spent) return page.end(start + CHUNK < left.length ? last : null)
  }
  return page.end(left.length > chosen.length ? last : null)
}

/** Whether there are more candidates than so many. */
function* countBeyond(task: PageTask, narrowed: Narrowed, most: number): SqlSteps<boolean> {
  const stretch = { from: 0, before: task.scope.nextSeq, limit: most + 1 }
  const [row] =
    yield sql`SELECT count(*) AS count FROM (${newestNumbers(task, narrowed, PLANNED, stretch)}) c`
  return Number(row?.['count']) > most
}

function* bySeq({ task }: Page, seqs: readonly number[]): SqlSteps<ReadonlyMap<number, Found>> {
  const { dialect, scope } = task
  const list = joined(
    seqs.map((seq) => sql`${dialect.toStored(scope, seq)}`),
    ', ',
  )
  const rows = yield numbered(
    sql`SELECT ${dialect.seq}, r.record_id, r.doc FROM ${dialect.records} WHERE ${dialect.inScope(scope, 'r')} AND ${dialect.seq} IN (${list})`,
  )
  return new Map(rows.map((row) => [dialect.fromStored(scope, row[0]), foundOf(task, row, 0)]))
}
