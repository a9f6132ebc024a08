// Pages of hits by sort keys.
import type { WalkPosition } from '../search/cursor.ts'
import { indexOf, keyOf, type Narrowed } from './filter-sql.ts'
import {
  areCommon,
  type Choosing,
  firstWay,
  nextWay,
  PLANNED,
  WALKED,
  type Way,
} from './index-choice.ts'
import {
  choosingOf,
  type Found,
  foundOf,
  type Page,
  type PageResult,
  type PageTask,
  recordsOf,
  sourceOf,
  textOrNull,
  withoutWords,
} from './page.ts'
import {
  allOf,
  FALSE,
  joined,
  limitTo,
  plain,
  someOf,
  sql,
  type Sql,
  type SqlSteps,
  TRUE,
} from './sql.ts'

/** Hits by sort keys: along the index of the first key, then those without a value for it, which would be sorted otherwise. */
export function* sortedPage(page: Page): SqlSteps<PageResult> {
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
        isSole: page.isExact && stretch === null,
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
  readonly index: string | null
}

function sortKeysOf({ dialect, scope, query }: PageTask): readonly KeyOfSort[] {
  return query.sort.map(({ lift, descending }) => {
    const at = scope.layout.lifts[lift]
    if (at === undefined) throw new TypeError('sorted by what the layout does not have')
    const index = at.slot === null ? null : indexOf(at.slot)
    return { key: keyOf(at, { dialect, scope }), descending, index }
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
    const wordless = withoutWords(narrowed)
    if (!wordless.exact) page.startTesting()
    const width = (wordless.exact ? 8 : 2) * choosing.limit
    return { way: { kind: 'walked', width, walked: 0 }, narrowed: wordless }
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
  const last = sql`SELECT ${key} FROM ${recordsOf(dialect, way, index)} WHERE ${condition} ORDER BY ${key} ${plain(descending ? 'DESC' : 'ASC')} LIMIT 1 OFFSET ${way.width}`
  const [row] = yield { ...last, remembered: true, numbered: true }
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
  readonly isSole: boolean
}

function* sorted(
  task: PageTask,
  narrowed: Narrowed,
  way: Way,
  { keys, segment, after, until, limit, isSole }: SortedStretch,
): SqlSteps<readonly Found[]> {
  const { dialect, scope } = task
  const [first] = keys
  if (first === undefined || narrowed.sql === FALSE) return []
  const source = sourceOf(task, narrowed, recordsOf(dialect, way, first.index))
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
    source.where,
    after === null ? TRUE : behind(task, keys, after),
    until === null ? TRUE : sql`${first.key} ${plain(first.descending ? '>=' : '<=')} ${until}`,
  ])
  // The index gives ties the other way round: they are sorted unless it is walked backwards.
  const inOrder = way.kind === 'walked' && keys.length === 1 && first.descending
  const isWhole = limit <= dialect.maxSortedAlong || inOrder
  const wanted = [
    sql`${dialect.seq} AS seq`,
    ...(isWhole ? [plain('r.record_id AS id, r.doc AS doc')] : []),
    ...columns,
  ]
  const found = sql`SELECT ${joined(wanted, ', ')} FROM ${source.from} WHERE ${condition} ORDER BY ${joined([...order, sql`${dialect.seq} DESC`], ', ')} ${limitTo(limit)}`
  const statement = isWhole ? found : withDocuments(task, keys, found)
  const rows = yield { ...statement, numbered: true, sole: isSole }
  return rows.map((row) => foundOf(task, row, keys.length))
}

/** Reads the documents of the rows that are left, in their order. */
function withDocuments({ dialect, scope }: PageTask, keys: readonly KeyOfSort[], found: Sql): Sql {
  const order = keys.map(({ descending }, index) =>
    plain(`(p.s${index} IS NULL), p.s${index} ${descending ? 'DESC' : 'ASC'}`),
  )
  const columns = keys.map((_, index) => plain(`p.s${index} AS s${index}`))
  return sql`SELECT ${joined([plain('p.seq AS seq, r.record_id AS id, r.doc AS doc'), ...columns], ', ')} FROM (${found}) p JOIN ${dialect.records} ON ${allOf([dialect.inWalkedScope(scope), sql`${dialect.seq} = p.seq`])} ORDER BY ${joined([...order, plain('p.seq DESC')], ', ')}`
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
