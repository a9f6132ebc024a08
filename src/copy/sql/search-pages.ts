// One page of hits, as steps: which statements are asked, what is tested, where the page ends. The same for both stores.
import { pushNegation } from '../search/filter.ts'
import { compileScore, type Score } from '../search/matcher.ts'
import type { SearchPlan } from '../search/search-index.ts'
import { countValues } from './facets.ts'
import { type IndexLead, narrow } from './filter-sql.ts'
import { fewest } from './index-choice.ts'
import { newestPage } from './newest-pages.ts'
import { Page, type PageResult, type PageTask, withoutWords } from './page.ts'
import { rankTiers } from './rank-tiers.ts'
import { rankedPage, tieredPage } from './scored-pages.ts'
import { sortedPage } from './sorted-pages.ts'
import type { SqlSteps } from './sql.ts'

/** Records with common words are not gone through where another condition leaves no more than so many. */
const FEW_WORDED = 100

/** Finds one page, and says how, and what all hits have, where the query asks for that. Throws `search_timeout`. */
export function* findPage(task: PageTask): SqlSteps<PageResult> {
  const page = yield* pageOfHits(task)
  const { facets } = task.query
  // Of later pages all hits are the same.
  if (facets === undefined || task.position !== null) return page
  return { ...page, facets: yield* countValues(task, facets) }
}

function* pageOfHits(task: PageTask): SqlSteps<PageResult> {
  const { query, position, dialect, scope } = task
  const found = yield* narrow(pushNegation(query.filter), task)
  // Other indexes lead to less than words that only help.
  const narrowed = found.hinted && found.leads.length > 0 ? withoutWords(found) : found
  const score = compileScore(scope.layout, query.filter)
  // So few records that the words are looked for in them.
  const few =
    narrowed.words === null
      ? null
      : yield* fewest({ dialect, scope, leads: narrowed.leads }, FEW_WORDED)
  const page = new Page(task, few === null ? narrowed : withoutWords(narrowed), score)
  const isNewest = query.sort.length === 0 && (score === null || position?.mode === 'seq')
  const result =
    query.sort.length > 0
      ? yield* sortedPage(page)
      : score === null || isNewest
        ? yield* newestPage(page, 'seq')
        : yield* scoredPage(page, score, few !== null)
  if (query.explain !== true) return result
  const order = query.sort.length > 0 ? 'sort' : isNewest ? 'newest' : 'score'
  return { ...result, plan: planOf(page, few === null ? narrowed.leads : [few], order) }
}

function* scoredPage(page: Page, score: Score, areFew: boolean): SqlSteps<PageResult> {
  if (areFew) return yield* rankedPage(page, score)
  const ranks = yield* rankTiers(page.task.query.filter, page.task)
  if (ranks?.areBounds === false) return yield* tieredPage(page, ranks.tiers)
  return yield* rankedPage(page, score, ranks?.tiers)
}

function planOf(
  { task: { dialect }, narrowed: { words, part, branches }, compared }: Page,
  leads: readonly IndexLead[],
  order: SearchPlan['order'],
): SearchPlan {
  const ways: readonly (readonly [boolean, SearchPlan['by']])[] = [
    [words !== null, 'words'],
    [part !== null, 'text_parts'],
    [branches !== null, 'each_part'],
    [leads.length > 0, 'fields'],
  ]
  return {
    by: ways.find(([holds]) => holds)?.[1] ?? 'nothing',
    fields: [...new Set(leads.map(({ field }) => field))],
    order,
    chosen: dialect.recordsBy === null ? 'database' : 'counts',
    compared,
  }
}
