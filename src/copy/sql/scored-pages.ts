// Pages of hits by score.
import type { WalkPosition } from '../search/cursor.ts'
import { Candidate, compileTest, type Score } from '../search/matcher.ts'
import type { Narrowed } from './filter-sql.ts'
import { fewest, PLANNED, type Way } from './index-choice.ts'
import { newest, newestNumbers, newestPage, walkNewest } from './newest-pages.ts'
import {
  choosingOf,
  CHUNK,
  type Found,
  foundOf,
  Page,
  type PageResult,
  type PageTask,
} from './page.ts'
import type { Tier } from './rank-tiers.ts'
import { FALSE, listOf, sql, type SqlSteps } from './sql.ts'

/** Beyond so many candidates their scores are not compared. */
const MAX_RANKED = 10_000
/** Candidates of the best tier that are looked at before all are ranked. */
const MAX_TRIED = 2_000

/** Hits in tiers of one score each, each tier the newest first. */
export function* tieredPage(page: Page, tiers: readonly Tier[]): SqlSteps<PageResult> {
  const { position, scope } = page.task
  for (const tier of tiers) {
    if (position !== null && tier.score > position.score) continue
    const before = position?.score === tier.score ? position.seq : scope.nextSeq
    const end = yield* walkNewest(page, tier.narrowed, before, (found) =>
      page.matches(found) ? tier.score : null,
    )
    if (end !== null) return page.end({ mode: 'score', keys: [], score: tier.score, seq: end })
    if (page.room === 0) {
      const last = tiers.at(-1) === tier
      return page.end(last ? null : { mode: 'score', keys: [], score: tier.score, seq: 0 })
    }
  }
  return page.end(null)
}

/** Hits by score, after scoring every candidate; by arrival if there are too many. `bounds`: the tiers of the best scores. */
export function* rankedPage(
  page: Page,
  score: Score,
  bounds: readonly Tier[] = [],
): SqlSteps<PageResult> {
  const { task, narrowed } = page
  const { scope, position, query } = task
  const test = narrowed.exact ? null : compileTest(scope.layout, query.filter)
  if (narrowed.sql === FALSE) return page.end(null)
  // A walk that began by score goes on by score: its records could not be told from delivered ones otherwise.
  if (position === null && (yield* countBeyond(task, narrowed, MAX_RANKED)))
    return yield* newestPage(page, 'seq', false)
  const best = yield* bestPage(page, bounds)
  if (best !== null) return best
  const ranked: { readonly seq: number; readonly score: number }[] = []
  const lead = yield* fewest(choosingOf(task, narrowed, true), MAX_RANKED)
  const way: Way = lead === null ? PLANNED : { kind: 'led', lead }
  let at = scope.nextSeq
  for (;;) {
    page.requireTime()
    const rows = yield* newest(page, narrowed, way, { from: 0, before: at, limit: CHUNK })
    for (const { seq, doc } of rows) {
      at = seq
      const candidate = new Candidate(doc)
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
  let given = 0
  const chosen = left.slice(0, query.limit)
  while (given < chosen.length) {
    const part = chosen.slice(given, given + CHUNK)
    const seqs = part.map(({ seq }) => seq)
    const rows = yield* bySeq(page, seqs)
    for (const hit of part) {
      const found = rows.get(hit.seq)
      last = { mode: 'score', keys: [], ...hit }
      if (found !== undefined) page.add(found, hit.score)
    }
    given += part.length
    if (page.spent) break
  }
  return page.end(given < left.length ? last : null)
}

/** A page full of hits that are worth what the first tier with candidates promises; null where they do not fill it. */
function* bestPage(ranked: Page, bounds: readonly Tier[]): SqlSteps<PageResult | null> {
  const { task, narrowed, score } = ranked
  const { position, scope } = task
  for (const { score: promised, narrowed: tier } of bounds) {
    if (position !== null && position.score < promised) {
      const any = { from: 0, before: scope.nextSeq, limit: 1 }
      if ((yield* newest(ranked, tier, PLANNED, any)).length > 0) return null
      continue
    }
    if (position !== null && position.score > promised) return null
    const page = new Page(task, narrowed, score, MAX_TRIED)
    let looked = 0
    const end = yield* walkNewest(page, tier, position?.seq ?? scope.nextSeq, (found) => {
      looked++
      return page.judge(found) === promised ? promised : null
    })
    if (end !== null && (page.room === 0 || page.isLong))
      return page.end({ mode: 'score', keys: [], score: promised, seq: end })
    if (looked > 0 || position !== null) return null
  }
  return null
}

function* countBeyond(task: PageTask, narrowed: Narrowed, most: number): SqlSteps<boolean> {
  const stretch = { from: 0, before: task.scope.nextSeq, limit: most + 1 }
  const [row] =
    yield sql`SELECT count(*) AS count FROM (${newestNumbers(task, narrowed, PLANNED, stretch)}) c`
  return Number(row?.['count']) > most
}

function* bySeq({ task }: Page, seqs: readonly number[]): SqlSteps<ReadonlyMap<number, Found>> {
  const { dialect, scope } = task
  const list = listOf(seqs.map((seq) => dialect.toStored(scope, seq)))
  const found = sql`SELECT ${dialect.seq}, r.record_id, r.doc FROM ${dialect.records} WHERE ${dialect.inScope(scope, 'r')} AND ${dialect.seq} IN (${list})`
  const rows = yield { ...found, numbered: true }
  return new Map(rows.map((row) => [dialect.fromStored(scope, row[0]), foundOf(task, row, 0)]))
}
