// Pages of hits by arrival, the newest first.
import type { Dialect, Lead } from './dialect.ts'
import { restOf, type IndexLead, type Narrowed } from './filter-sql.ts'
import { firstWay, isOrdered, nextWay, PLANNED, type Way } from './index-choice.ts'
import {
  choosingOf,
  type Found,
  foundOf,
  type Page,
  type PageResult,
  type PageTask,
  recordsOf,
  sourceOf,
} from './page.ts'
import { allOf, FALSE, joined, limitTo, plain, sql, type Sql, type SqlSteps, TRUE } from './sql.ts'

export function* newestPage(
  page: Page,
  mode: 'seq' | 'score',
  ranked: boolean = page.score === null,
): SqlSteps<PageResult> {
  const { position, scope } = page.task
  const end = yield* walkNewest(page, page.narrowed, position?.seq ?? scope.nextSeq, (found) =>
    page.judge(found),
  )
  return page.end(end === null ? null : { mode, keys: [], score: 1, seq: end }, ranked)
}

/** Adds hits that arrived before `before`; gives where to go on, or null at the end. `judge`: the score, or null for no hit. */
export function* walkNewest(
  page: Page,
  narrowed: Narrowed,
  before: number,
  judge: (found: Found) => number | null,
): SqlSteps<number | null> {
  const { dialect, scope } = page.task
  if (narrowed.sql === FALSE) return null
  const scans = dialect.window !== null && !narrowed.indexed && narrowed.sql !== TRUE
  const choosing = choosingOf(page.task, narrowed, true)
  let way = yield* firstWay(choosing)
  let at = before
  for (;;) {
    const width = way.kind === 'walked' ? way.width : scans ? dialect.window : null
    const from =
      width === null ? 0 : Math.max(0, Math.min(at, scope.arrived ?? scope.nextSeq) - width)
    const wanted = page.takeWanted()
    const isSole = page.isExact && from === 0
    const rows = yield* newest(page, narrowed, way, { from, before: at, limit: wanted, isSole })
    for (const found of rows) {
      // One more than there was room for: there is another page.
      if (page.room === 0) return at
      at = found.seq
      const score = judge(found)
      if (score !== null) page.add(found, score)
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

const NO_COLUMNS = plain('')

/** A stretch of arrivals, walked from its newest record on. */
interface Stretch {
  readonly columns?: Sql
  readonly from: number
  readonly before: number
  readonly limit: number
  readonly isSole?: boolean
}

export function* newest(
  { task }: Page,
  narrowed: Narrowed,
  way: Way,
  stretch: Stretch,
): SqlSteps<readonly Found[]> {
  const { dialect, scope } = task
  const statement = isReadAtOnce(task, narrowed, way, stretch)
    ? newestOf(task, narrowed, way, { ...stretch, columns: plain(', r.record_id, r.doc') })
    : dialect.documentsOf(scope, newestNumbers(task, narrowed, way, stretch))
  const rows = yield { ...statement, numbered: true, sole: stretch.isSole === true }
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
  return limit <= dialect.maxSortedAlong
}

/** Numbers alone, so that sorting does not carry documents. Each branch of an `or` gives its own newest. */
export function newestNumbers(task: PageTask, narrowed: Narrowed, way: Way, stretch: Stretch): Sql {
  if (way.kind === 'merged')
    return sql`SELECT seq FROM (${newestOfEach(task, narrowed, way.lead, stretch)}) u ORDER BY seq DESC ${limitTo(stretch.limit)}`
  if (narrowed.branches === null) return newestOf(task, narrowed, way, stretch)
  const parts = narrowed.branches.map(
    (branch) => sql`SELECT seq FROM (${newestNumbers(task, branch, PLANNED, stretch)}) b`,
  )
  return sql`SELECT DISTINCT seq FROM (${joined(parts, ' UNION ALL ')}) u ORDER BY seq DESC ${limitTo(stretch.limit)}`
}

function newestOfEach(task: PageTask, narrowed: Narrowed, lead: IndexLead, stretch: Stretch): Sql {
  const { dialect } = task
  const newestWith = (value: Sql | string): Sql => {
    const equal = sql`${lead.key} = ${value}`
    return newestOf(task, { ...narrowed, sql: equal }, { kind: 'led', lead }, stretch)
  }
  if (!dialect.hasLateral) {
    const parts = lead.values.map((value) => sql`SELECT seq FROM (${newestWith(value)}) v`)
    return joined(parts, ' UNION ALL ')
  }
  const { from, value } = dialect.each(lead.values)
  return sql`SELECT v.seq FROM ${from} CROSS JOIN LATERAL (${newestWith(value)}) v`
}

function newestOf(task: PageTask, narrowed: Narrowed, way: Way, stretch: Stretch): Sql {
  const { dialect, scope } = task
  const { from, before, limit, columns = NO_COLUMNS } = stretch
  const led = leadOf(narrowed, dialect)
  const seq = led?.seq ?? dialect.seq
  const rest = narrowed.words === null ? narrowed.sql : restOf(narrowed, task)
  // Where records are walked, nothing is to lead but their order.
  const asked = way.kind === 'walked' ? { ...narrowed, part: null } : narrowed
  const source = sourceOf(task, asked, recordsOf(dialect, way))
  const condition = allOf([
    led === null ? source.where : allOf([led.where, rest]),
    narrowed.indexed && way.kind !== 'walked'
      ? dialect.inScope(scope, 'r')
      : dialect.inWalkedScope(scope),
    sql`${seq} < ${dialect.toStored(scope, before)}`,
    from === 0 && dialect.window === null ? TRUE : sql`${seq} >= ${dialect.toStored(scope, from)}`,
  ])
  return sql`SELECT ${seq} AS seq${columns} FROM ${led?.from ?? source.from} WHERE ${condition} ORDER BY ${seq} DESC ${limitTo(limit)}`
}

function leadOf({ words, part }: Narrowed, dialect: Dialect): Lead | null {
  if (words !== null) return dialect.led(words)
  return part === null ? null : dialect.ledByPart(part)
}
